"""Exit codes: 0 done, 1 broken or failed, 2 not done; `slotwise --help` says the same."""

import json
from types import SimpleNamespace

import pytest

from slotwise.cli.main import COMMANDS
from tests.slotwise.cli.command import refused, run
from tests.traces.swf_lines import line

LOG = "; MaxProcs: 8\n" + "".join(f"{line(job=job, submit=10 * job, wait=5)}\n" for job in range(1, 9))
POLICIES = "def broken(now, waiting, running, free):\n    raise RuntimeError('no')\n"


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with a log, a policy that fails and a run, in which every command is given."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.swf").write_text(LOG)
    (tmp_path / "mine.py").write_text(POLICIES)
    assert run("simulate", "good.swf", "--policy", "easy", "--out", "run") == 0
    return tmp_path


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_says_what_they_are(command, capsys):
    with pytest.raises(SystemExit):
        run(*filter(None, [command]), "--help")
    said = " ".join(capsys.readouterr().out.split())
    assert "Exit codes: 0 done; 1 a schedule breaks a rule" in said
    assert "2 not done: wrong usage" in said


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "good.swf", "--policy", "easy", "--out", "other"),
        ("whatif", "good.swf", "--try", "fcfs"),
        ("validate", "good.swf"),
    ],
)
def test_an_illegal_schedule_is_1(desk, monkeypatch, capsys, words):
    illegal = SimpleNamespace(
        legal=False, as_dict=lambda: {"legal": False}, describe=lambda: "illegal: a rule is broken"
    )
    for module in ("slotwise.planning.scenarios", "scheduler_core.checker"):
        monkeypatch.setattr(f"{module}.check", lambda *given: illegal)
    assert run(*words) == 1
    assert "illegal: a rule is broken" in capsys.readouterr().err


def test_an_own_policy_that_fails_is_1(desk, capsys):
    assert run("simulate", "good.swf", "--policy", "mine.py:broken", "--out", "other") == 1
    assert "RuntimeError" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "good.swf", "--policy", "esay", "--out", "other"),
        ("simulate", "none.swf", "--policy", "easy", "--out", "other"),
        ("simulate", "good.swf", "--policy", "mine.py:none", "--out", "other"),
        ("check", "nowhere"),
        ("compare", "run", "nowhere"),
        ("study", "run", "nowhere"),
        ("logs", "nowhere"),
        ("whatif", "good.swf", "--try", "easy"),
    ],
)
def test_what_is_not_done_is_2_with_the_reason(desk, capsys, words):
    assert refused(capsys, *words).startswith(f"slotwise {words[0]}: ")


def test_a_comparison_is_printed_or_written_for_programs(desk, capsys):
    assert run("simulate", "good.swf", "--policy", "fcfs", "--out", "other") == 0
    capsys.readouterr()
    for words in (("--json",), ("--json", "-")):
        assert run("compare", "run", "other", *words) == 0
        printed = capsys.readouterr().out
        assert json.loads(printed)["jobs_in_both"] == 8
    assert run("compare", "run", "other", "--json", "both.json") == 0
    said = capsys.readouterr().out
    assert "written to both.json" in said
    assert "of 8 jobs" in said
    assert (desk / "both.json").read_text() == printed
    assert "add --force" in refused(capsys, "compare", "run", "other", "--json", "both.json")
    assert run("compare", "run", "other", "--json", "both.json", "--force") == 0
    capsys.readouterr()
    assert run("compare", "run", "other", "--csv", "-") == 0
    printed = capsys.readouterr().out
    assert run("compare", "run", "other", "--csv", "both.csv") == 0
    assert (desk / "both.csv").read_text() == printed
    assert "this is a folder" in refused(capsys, "compare", "run", "other", "--json", "run")


def test_a_log_is_accounted_for_in_a_line_and_in_full_on_request(desk, capsys):
    summary = "good.swf: 9 lines: 1 comment, 8 kept, 0 repaired, 0 rejected"
    for number, more in enumerate(((), ("--verbose",))):
        for words in (("ingest", "good.swf", "--out", f"{number}.parquet"), ("validate", "good.swf")):
            capsys.readouterr()
            assert run(*words, *more) == 0
            said = capsys.readouterr().out
            assert said.startswith(f"{summary}\n")
            assert ("lines of the header" in said) == bool(more)
