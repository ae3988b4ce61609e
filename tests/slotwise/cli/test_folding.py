"""Sentences fit into the terminal that shows them."""

import sys

from slotwise.cli.words import print_table, say, tell
from tests.slotwise.cli.command import run

SAID = "  Grade A needs a correlation of 0.8 and a ratio from 0.8 to 1.25, on both machines"


def on_terminal(monkeypatch, columns):
    """Make standard output a terminal of so many columns."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(columns))


def test_a_paragraph_is_folded_between_words_under_its_blanks(monkeypatch, capsys):
    on_terminal(monkeypatch, 40)
    tell(SAID)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 1
    assert all(len(line) <= 40 and line.startswith("  ") for line in lines)
    assert " ".join(" ".join(lines).split()) == SAID.strip()


def test_files_and_programs_get_one_line(capsys):
    tell(SAID)
    assert capsys.readouterr().out == f"{SAID}\n"


def test_the_last_column_of_a_table_is_folded_under_its_row(monkeypatch, capsys):
    on_terminal(monkeypatch, 40)
    print_table(("ratio", "model"), [("1.00", "EASY on 64 processors, standstills of 6 h and more")], text_last=True)
    *_, row, further = capsys.readouterr().out.splitlines()
    assert row == "1.00   EASY on 64 processors,"
    assert further == "    standstills of 6 h and more"


def test_progress_takes_one_line_of_the_terminal(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "40")
    say("EASY (reservations: 32) on 54 processors, standstills of 6 h and more")
    said = capsys.readouterr().err
    assert said == "\r\033[KEASY (reservations: 32) on 54 processors"[: 4 + 39]


def test_what_validate_and_compare_show_fits_into_80_columns(monkeypatch, tmp_path, capsys):
    on_terminal(monkeypatch, 80)
    runs = [tmp_path / policy for policy in ("easy", "fcfs", "conservative")]
    for out in runs:
        assert run("simulate", "drawn", "--first", 2000, "--policy", out.name, "--out", out) == 0
    capsys.readouterr()
    assert run("validate", "drawn", "--first", 3000) == 0
    assert run("compare", *runs, "--by", "size") == 0
    wide = [line for line in capsys.readouterr().out.splitlines() if len(line) > 80 and str(tmp_path) not in line]
    assert wide == []
