"""Cells in batches: each is checked and written whole, what is done stays done, and what failed spoils no other."""

import os
import shutil
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from scheduler_core.common.errors import IllegalScheduleError
from scheduler_core.contracts import write_replications
from scheduler_core.runs import cells as cells_module
from scheduler_core.runs.cells import MADE_FROM, Cell, run_cells
from scheduler_core.runs.folder import read_run
from traces.shape.applications import Applications, with_applications

EASY, FCFS = Cell("w", "easy", "easy", {}, "sources"), Cell("w", "first", "fcfs", {}, "sources")


@pytest.fixture
def root(small_workload, tmp_path):
    write_replications(tmp_path / "workloads" / "w.parquet", [small_workload])
    return tmp_path


@pytest.fixture
def told(root, capsys):
    """Run cells, and return what is said of each."""

    def run(*cells):
        run_cells(root, cells)
        return [line.removeprefix("w under ") for line in capsys.readouterr().out.splitlines()]

    return run


def content(root):
    return {path.name: path.read_bytes() for path in (root / "runs/w/easy").iterdir()}


def test_a_batch_leaves_whole_runs_and_nothing_beside_them(root, told):
    assert told(EASY, FCFS) == ["easy: run", "first: run"]
    assert read_run(root / "runs/w/easy").note["policy"]["name"] == "easy"
    assert read_run(root / "runs/w/first").note["workload"] == "w"
    assert not (root / "runs/w/easy" / MADE_FROM).exists()


def test_a_done_cell_is_put_in_place_again_as_it_was_and_is_new(root, told):
    told(EASY)
    before = content(root)
    shutil.rmtree(root / "runs")
    os.utime(root / "kept/w/easy/run.json", (0, 0))
    assert told(EASY, FCFS) == ["easy: as before", "first: run"]
    assert content(root) == before
    assert (root / "runs/w/easy/run.json").stat().st_mtime > 0


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


def test_a_cell_that_was_broken_off_is_run_again(root, told):
    told(EASY)
    (root / "kept/w/easy" / MADE_FROM).unlink()
    (root / "kept/w/easy/jobs.parquet").unlink()
    assert told(EASY) == ["easy: run"]


def test_files_of_a_run_are_not_those_of_an_edited_one(root, told):
    told(EASY)
    before = content(root)
    (root / "runs/w/easy/jobs.parquet").unlink()
    (root / "runs/w/easy/jobs.parquet").write_bytes(b"edited")
    assert told(EASY) == ["easy: as before"]
    assert content(root) == before


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
