"""No command replaces a file or a folder of results unless it is told to."""

from pathlib import Path

import pytest

from tests.slotwise.cli.command import refused, run
from tests.traces.dumps.dump_lines import dump, row, write
from tests.traces.swf_lines import EIGHT_JOBS

MODEL = ("generate", "lublin", "--jobs", 5, "--seed", 1)

COMMANDS = {
    "out": ("simulate", "good.swf", "--policy", "easy"),
    "w.parquet": MODEL,
    "i.parquet": ("ingest", "good.swf"),
    "mine.swf": ("import", "dump.txt"),
    "e.swf": ("export", "good.swf", "--as", "swf"),
    "g.svg": ("gantt", "run"),
}
"""A command that writes, by what it writes."""


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with a log, a dump and a run, in which every command is given."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.swf").write_text(EIGHT_JOBS)
    write(tmp_path, dump(row()))
    assert run("simulate", "good.swf", "--policy", "easy", "--out", "run") == 0
    return tmp_path


def contents(desk):
    return {path: path.read_bytes() for path in desk.rglob("*") if path.is_file()}


@pytest.mark.parametrize("out", COMMANDS)
def test_a_second_time_needs_force(desk, capsys, out):
    assert run(*COMMANDS[out], "--out", out) == 0
    before = contents(desk)
    said = refused(capsys, *COMMANDS[out], "--out", out)
    assert said.startswith(f"slotwise {COMMANDS[out][0]}: {out}: this ")
    assert "add --force to replace" in said
    assert contents(desk) == before
    assert run(*COMMANDS[out], "--out", out, "--force") == 0
    assert contents(desk).keys() == before.keys()


@pytest.mark.parametrize(
    ("words", "beside"),
    [
        ((*MODEL, "--out", "w.parquet"), "w.tasks.parquet"),
        (("ingest", "good.swf", "--out", "w.parquet"), "w.accounting.json"),
        (("ingest", "good.swf", "--out", "w.parquet"), "w.behaviour.parquet"),
        (("import", "dump.txt", "--out", "mine.swf"), "mine.swf.accounting.json"),
        (("import", "dump.txt", "--out", "mine.swf", "--names", "names.csv"), "names.csv"),
        (("whatif", "good.swf", "--try", "fcfs", "--out", "page.html"), "page_tables/scenarios.csv"),
    ],
)
def test_files_beside_the_output_are_kept_too(desk, capsys, words, beside):
    (desk / beside).parent.mkdir(exist_ok=True)
    (desk / beside).write_text("mine")
    said = refused(capsys, *words)
    assert beside.split("/")[0] in said
    assert "add --force" in said
    assert (desk / beside).read_text() == "mine"
    assert not (desk / words[words.index("--out") + 1]).exists()


def test_a_new_name_an_empty_folder_and_an_empty_file_are_free(desk):
    (desk / "empty").mkdir()
    (desk / "empty.parquet").touch()
    assert run("simulate", "good.swf", "--policy", "easy", "--out", "empty") == 0
    assert run("ingest", "good.swf", "--out", "empty.parquet") == 0
    Path("link.parquet").symlink_to("nowhere.parquet")
    assert run("ingest", "good.swf", "--out", "link.parquet") == 0


def test_force_writes_over_no_input(desk, capsys):
    assert "the file that is read" in refused(capsys, "ingest", "good.swf", "--out", "good.swf", "--force")
    assert (desk / "good.swf").read_text() == EIGHT_JOBS
