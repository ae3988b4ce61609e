"""What an edit costs: edit each kind of file in a finished project, and Snakemake plans exactly what depends on it."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.workflow.tiny_project import LOG, MISSING, cells_run, dry_run, run

pytestmark = pytest.mark.slow

SPACE_SHARING = {
    *((workload, policy) for workload in ("by-hand", "model") for policy in ("fcfs", "easy", "conservative")),
    ("gone", "easy"),
}
GANG = {(workload, "gang") for workload in ("by-hand", "model")}
REPORT = {"draw_study": 1, "draw_windows": 2, "render_report": 1}
STORE = {"build_store": 1, **REPORT}
BATCH = {"simulate_cells": 1, **STORE}
BATCHES = {"simulate_cells": 2, **STORE}


@pytest.fixture
def copied(finished: Path, tmp_path: Path) -> Path:
    """A copy of the finished project, with its times of files and without its logs, that a test may change."""
    copy = Path(shutil.copytree(finished, tmp_path / "project"))
    shutil.rmtree(copy / "logs")
    return copy


@contextmanager
def edited(path: Path, old: str = "", new: str = "") -> Iterator[None]:
    """Edit a file (without ``old``, add a line that changes nothing), and restore it and its times afterwards."""
    text, times = path.read_text(), path.stat()
    ends = {".html": "<!-- edited -->\n", ".sql": "-- edited\n"}.get(path.suffix, "# edited\n")
    assert old in text
    path.write_text(text.replace(old, new) if old else text + ends)
    try:
        yield
    finally:
        path.write_text(text)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


CORE = "scheduler_core/"
MODULES = {
    "policy": (f"{CORE}space_sharing/policies/conservative.py", BATCH, SPACE_SHARING),
    "policy of another family": (f"{CORE}gang/policies/gang.py", BATCH, GANG),
    "policy that no study has": (f"{CORE}slices/policies/pect.py", {}, set()),
    "engine": (f"{CORE}space_sharing/engine.py", BATCH, SPACE_SHARING),
    "kernel of one family": (f"{CORE}gang/event_loop.py", {"compile_kernels": 1, **BATCH}, GANG),
    "shared kernel of one family": (f"{CORE}kernel/queue.py", {"compile_kernels": 1, **BATCH}, SPACE_SHARING),
    "what compiles kernels": (
        f"{CORE}kernel/jit.py",
        {"compile_kernels": 2, "build_workloads": 3, **BATCHES},
        SPACE_SHARING | GANG,
    ),
    "rule of the checker": (f"{CORE}checker/check.py", BATCHES, SPACE_SHARING | GANG),
    "writer of runs": (f"{CORE}runs/folder.py", BATCHES, SPACE_SHARING | GANG),
    "contract": (
        f"{CORE}contracts/workload.py",
        {"locate_log": 2, "build_workloads": 3, **BATCHES},
        SPACE_SHARING | GANG,
    ),
    "model": ("traces/models/lublin.py", {"build_workloads": 3, **BATCHES}, SPACE_SHARING | GANG),
    "metric": ("reports/measure/sql/means.sql", STORE, set()),
    "statistics": ("reports/measure/stats.py", STORE, set()),
    "judge of claims": ("reports/ledger/claims.py", STORE, set()),
    "theme": ("reports/draw/theme.py", REPORT, set()),
    "diagram of a family": ("reports/families/gang/diagram.py", {"draw_windows": 2, "render_report": 1}, set()),
    "explanation of a family": (f"{CORE}decisions/gang/explanation.py", {"draw_windows": 2, "render_report": 1}, set()),
    "figure for any study": ("reports/figures/general/workload.py", {"draw_study": 1, "render_report": 1}, set()),
    "figure of another study": ("studies/other/figures.py", {}, set()),
    "template of a page": ("reports/pages/templates/index.html", {"render_report": 1}, set()),
}


ALIKE = {"policy of another family", "engine", "writer of runs", "statistics", "judge of claims"}
"""Modules that a rule finds as it finds another one, by the imports of the same module."""


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=pytest.mark.thorough if kind in ALIKE else ()) for kind in MODULES]
)
def test_an_edited_module_costs_what_reaches_it(finished: Path, kind: str) -> None:
    path, jobs, cells = MODULES[kind]
    with edited(finished / path):
        assert dry_run(finished) == (jobs, cells)


TITLE, BAND = ("A tiny study", "Another title"), ("below: 1000", "below: 2000")


@pytest.mark.parametrize(("old", "new", "jobs"), [(*TITLE, STORE), (*BAND, STORE)], ids=["title", "band"])
def test_an_edited_word_of_a_study_costs_no_simulation(
    finished: Path, old: str, new: str, jobs: dict[str, int]
) -> None:
    with edited(finished / "studies/tiny/study.yaml", old, new):
        assert dry_run(finished) == (jobs, set())


def test_an_edited_policy_and_an_edited_parameter_run_their_own_cells_again(copied: Path) -> None:
    (copied / "scheduler_core/space_sharing/policies/conservative.py").open("a").write("\nEDITED = True\n")
    study = copied / "studies/tiny/study.yaml"
    study.write_text(study.read_text().replace("fcfs: {}", "fcfs: {uses: easy, reservation: once, label: Once}"))
    (copied / "results/runs/model/sjf").mkdir()
    run(copied, "--cores", "2", "--until", "simulate_cells")
    assert not (copied / "results/runs/model/sjf").exists(), "a run of no study"
    assert cells_run(copied) == {(w, p) for w in ("by-hand", "model") for p in ("conservative", "fcfs")}
    assert dry_run(copied)[0] == STORE


READINGS = """\
readings:
  listed: {label: As listed, follows: Figure 1, choices: {Jobs that end: hold on}}
  free:
    label: Let go
    follows: page 3
    choices: {Jobs that end: let go}
    set: {ending_now: free}
    policies: [easy]
    on: [model]
    draws: 1
    small: true
"""


@pytest.mark.thorough
def test_an_edited_reading_runs_its_own_cells_again_and_nothing_else(copied: Path) -> None:
    study = copied / "studies/tiny/study.yaml"
    plain = study.read_text()
    study.write_text(plain + READINGS)
    run(copied, "--cores", "2", "--until", "simulate_cells")
    assert cells_run(copied) == {("model-draws-1", "easy-free")}
    for old, new in (("label: Let go", "label: Gone"), ("follows: page 3", "follows: page 4")):
        with edited(study, old, new):
            assert dry_run(copied) == (STORE, set()), "words of a reading are no cell's"
    shutil.rmtree(copied / "logs")
    study.write_text(plain + READINGS.replace("ending_now: free", "candidates: 1"))
    run(copied, "--cores", "2", "--until", "simulate_cells")
    assert cells_run(copied) == {("model-draws-1", "easy-free")}


@pytest.mark.thorough
def test_an_edited_model_makes_its_workloads_again_and_leaves_runs_of_equal_jobs_alone(copied: Path) -> None:
    study = copied / "studies/tiny/study.yaml"
    study.write_text(study.read_text().replace("jobs: 60", "jobs: 61"))
    assert dry_run(copied)[0] == {"build_workloads": 1, **BATCHES}
    run(copied, "--cores", "2", "--until", "simulate_cells")
    assert {workload for workload, _ in cells_run(copied)} == {"model"}


LOST = "results/runs/model/easy/allocations.parquet"
DAMAGED = "results/runs/by-hand/gang/jobs.parquet"


@pytest.fixture
def damaged(copied: Path) -> dict[str, bytes]:
    """Files of two runs as they were, of which one is lost now and one damaged."""
    before = {name: (copied / name).read_bytes() for name in (LOST, DAMAGED)}
    (copied / LOST).unlink()
    (copied / DAMAGED).write_bytes(before[DAMAGED][:100])
    return before


def test_files_of_runs_that_were_lost_or_damaged_are_noticed(copied: Path, damaged: dict[str, bytes]) -> None:
    assert dry_run(copied)[0] == BATCHES


@pytest.mark.thorough
def test_files_of_runs_that_were_lost_or_damaged_are_made_again_as_they_were(
    copied: Path, damaged: dict[str, bytes]
) -> None:
    run(copied, "--cores", "2", "--until", "simulate_cells")
    assert cells_run(copied) == {("model", "easy"), ("by-hand", "gang")}
    assert {name: (copied / name).read_bytes() for name in damaged} == damaged


def test_a_workload_that_was_lost_is_made_again(copied: Path) -> None:
    (copied / "results/workloads/model.parquet").unlink()
    assert dry_run(copied)[0] == {"build_workloads": 1, **BATCHES}


def test_a_log_edited_in_place_is_read_again(finished: Path) -> None:
    with edited(finished / "tiny.swf", "12 705 0 20", "12 705 0 21"):
        assert dry_run(finished)[0] == {"locate_log": 1, "build_workloads": 1, **BATCHES}


def test_a_log_put_in_place_later_is_noticed(copied: Path) -> None:
    (copied / "traces/logs").mkdir(exist_ok=True)
    (copied / f"traces/logs/{MISSING}.swf").write_text(LOG)
    assert dry_run(copied)[0] == {"locate_log": 1, "build_workloads": 1, **BATCH}
