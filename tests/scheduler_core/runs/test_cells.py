"""Cells in batches: each run is checked and complete, finished cells stay, and a failure leaves other cells alone."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from scheduler_core.common.errors import IllegalScheduleError
from scheduler_core.common.files import sha256_of
from scheduler_core.contracts import write_replications
from scheduler_core.declarations.families import family
from scheduler_core.declarations.policy import family_of, policies
from scheduler_core.runs import cells as cells_module
from scheduler_core.runs.cells import MADE_FROM, Cell, run_cells
from scheduler_core.runs.folder import FIRST_TABLES, NOTES, read_run
from traces.build import build_workload
from traces.shape.applications import Applications, with_applications

EASY, FCFS = Cell("w", "easy", "easy", {}, "sources"), Cell("w", "first", "fcfs", {}, "sources")


@pytest.fixture
def root(small_workload, tmp_path):
    write_replications(tmp_path / "workloads" / "w.parquet", [small_workload])
    return tmp_path


@pytest.fixture
def told(root, capsys):
    """Run cells, and return the line printed for each."""

    def run(*cells):
        run_cells(root, cells)
        return [line.removeprefix("w under ") for line in capsys.readouterr().out.splitlines()]

    return run


def content(root):
    return {path.name: path.read_bytes() for path in (root / "runs/w/easy").iterdir()}


def test_a_batch_leaves_whole_runs_and_says_which_files_they_have(root, told, small_workload):
    assert told(EASY, FCFS) == ["easy: run", "first: run"]
    assert read_run(root / "runs/w/easy").note["policy"]["name"] == "easy"
    assert read_run(root / "runs/w/first").note["workload"] == "w"
    files = run_cells(root, [EASY])
    run = root / "runs/w/easy"
    assert {path.name for path in run.iterdir()} == {path.name for path in files} | {MADE_FROM}
    assert files == {file: None if file.name == "timing.json" else sha256_of(file) for file in files}


def test_a_done_cell_is_left_as_it_is(root, told):
    told(EASY)
    before, written = content(root), (root / "runs/w/easy/timing.json").stat().st_mtime_ns
    assert told(EASY, FCFS) == ["easy: as before", "first: run"]
    assert content(root) == before
    assert (root / "runs/w/easy/timing.json").stat().st_mtime_ns == written


@pytest.mark.parametrize(
    "changed",
    [
        Cell("w", "easy", "easy", {"reservation": "once"}, "sources"),
        Cell("w", "easy", "conservative", {}, "sources"),
        Cell("w", "easy", "easy", {}, "edited"),
    ],
    ids=["parameter", "policy", "sources"],
)
def test_what_a_run_is_made_from_decides_whether_it_is_done(told, changed):
    told(EASY, FCFS)
    assert told(changed, FCFS) == ["easy: run", "first: as before"]


def test_another_workload_is_run_again_and_an_equal_one_is_not(root, told, small_workload):
    told(EASY)
    write_replications(root / "workloads" / "w.parquet", [small_workload])
    assert told(EASY) == ["easy: as before"]
    write_replications(root / "workloads" / "w.parquet", [small_workload.first(3)])
    assert told(EASY) == ["easy: run"]


@pytest.mark.parametrize("name", ["jobs.parquet", "certificate.json", "timing.json", MADE_FROM])
def test_a_run_that_lost_a_file_is_run_again(root, told, name):
    told(EASY)
    (root / "runs/w/easy" / name).unlink()
    assert told(EASY) == ["easy: run"]
    assert read_run(root / "runs/w/easy").note["workload"] == "w"


@pytest.mark.parametrize("name", ["jobs.parquet", "run.json", MADE_FROM])
def test_a_run_with_a_damaged_file_is_run_again_as_it_was(root, told, name):
    told(EASY)
    before = content(root)
    (root / "runs/w/easy" / name).write_bytes(before[name][:-10])
    assert told(EASY) == ["easy: run"]
    after = content(root)
    assert {**after, "timing.json": b""} == {**before, "timing.json": b""}


@pytest.mark.parametrize("name", sorted(policies()))
def test_a_run_has_the_tables_of_its_family_and_no_other_file(name, tmp_path):
    sample = policies()[name]().sample()  # has the tables that the policy needs, if it needs any
    made = [sample] if sample else build_workload({"model": "lublin", "processors": 8, "jobs": 10}, "w", 1).workloads
    write_replications(tmp_path / "workloads" / "w.parquet", made)
    files = run_cells(tmp_path, [Cell("w", "p", name, {}, "")])
    tables = {f"{table}.parquet" for table in (*FIRST_TABLES, *family(family_of(policies()[name])).tables)}
    assert {file.name for file in files} == {*tables, *NOTES}


def test_a_cell_that_fails_spoils_no_other(root, told, monkeypatch):
    run = cells_module.run_replications

    def illegal_fcfs(replications, policy, out, name):
        if policy.name == "fcfs":
            raise IllegalScheduleError(f"{out}: made an illegal schedule")
        run(replications, policy, out, name)

    with monkeypatch.context() as patched:
        patched.setattr(cells_module, "run_replications", illegal_fcfs)
        with pytest.raises(IllegalScheduleError, match="first: made an illegal schedule"):
            told(FCFS, EASY)
    assert not (root / "runs/w/first").exists()
    assert told(FCFS, EASY)[-2:] == ["first: run", "easy: as before"]


def test_what_a_run_will_lack_is_said_in_the_log_and_beside_it(root, small_workload, capsys):
    drawn = with_applications(small_workload, Applications(mix="Emb"), np.random.default_rng(1))
    late = replace(drawn, jobs=drawn.jobs.with_columns(pl.col("submit_us") + 3_600_000_000))
    write_replications(root / "workloads" / "late.parquet", [late, late])
    run_cells(root, [Cell("late", "gang", "cg_gang", {"until_s": 1.0}, "sources")])
    log, console = capsys.readouterr()
    said = "NOTE: late under gang: the run ends at 1 s, and the first job is submitted at 3,600 s: no job will run"
    assert log.count(said) == console.count(said) == 1
    assert log.splitlines()[-1] == "late under gang: run"
