"""The pipeline as a user runs it: plans, runs, does nothing twice, notices edits, says what is missing."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections import Counter
from pathlib import Path

import pytest

from scheduler_core.policy import policies_by_family
from tests.workflow.tiny_project import CONFIG, LOG, MISSING, PROJECT, STUDY, copy_project, run
from workflow.plan import Plan
from workflow.yaml_files import read_yaml

pytestmark = pytest.mark.slow

TABLE_ROW = re.compile(r"^(\w+) +(\d+)$", re.M)
CELL = re.compile(r"Run (\S+) under (\S+)")


def planned(output: str) -> Counter[str]:
    """Count the jobs a dry run plans, by rule."""
    return Counter({rule: int(count) for rule, count in TABLE_ROW.findall(output)})


def dry_run(folder: Path, *arguments: str) -> tuple[Counter[str], set[tuple[str, str]]]:
    """Plan a run: jobs by rule, and the cells."""
    output = run(folder, "--dry-run", "--cores", "1", *arguments).stdout
    return planned(output), set(CELL.findall(output))


@pytest.fixture
def copied(finished: Path, tmp_path: Path) -> Path:
    """A copy of the finished project, times of files included, to change at will."""
    return Path(shutil.copytree(finished, tmp_path / "project"))


def test_lint_is_clean() -> None:
    assert "good condition" in run(PROJECT, "--lint").stdout + run(PROJECT, "--lint").stderr


def test_the_shipped_studies_can_be_planned_at_every_scale(tmp_path: Path) -> None:
    folder = copy_project(tmp_path / "project")
    shutil.copytree(PROJECT / "config", folder / "config", dirs_exist_ok=True)
    plan = Plan(read_yaml(folder / "config/config.yaml"), folder, folder / "config/studies")
    jobs, _ = dry_run(folder, "all", "quick", "paper", *plan.studies)
    assert jobs["simulate_cell"] == sum(len(scale.cells) for scale in plan.scales.values()) > 100
    assert jobs["draw_study"] == len(plan.scales) * len(plan.studies)
    assert jobs["compile_kernels"] == len(plan.scales) * len(policies_by_family())
    assert jobs["build_store"] == jobs["render_report"] == len(plan.scales)


def test_a_study_is_a_target(tmp_path: Path) -> None:
    jobs, _ = dry_run(copy_project(tmp_path / "project"), "tiny")
    assert jobs["draw_study"] == 1
    assert jobs["render_report"] == 0


def test_a_run_leaves_what_the_architecture_promises(finished: Path) -> None:
    root = finished / "results"
    for name in ("jobs.parquet", "allocations.parquet", "run.json", "certificate.json", "timing.json"):
        assert (root / "runs" / "model" / "easy" / name).is_file()
    for name in ("workloads/by-hand.parquet", "logs/tiny.json", "slotwise.duckdb", "report/index.html"):
        assert (root / name).is_file()
    assert json.loads((root / "workloads/by-hand.accounting.json").read_text())["kept"] == 12
    assert (root / "figures" / "tiny" / "figures.json").is_file()


def test_a_second_run_does_nothing_and_is_quick(finished: Path) -> None:
    begun = time.monotonic()
    output = run(finished, "--cores", "2")
    assert "Nothing to be done" in output.stdout + output.stderr
    assert time.monotonic() - begun < 20, "six seconds on an idle machine"


def test_an_edited_policy_runs_its_own_cells_again(copied: Path) -> None:
    file = copied / "scheduler_core/space_sharing/policies/conservative.py"
    file.write_text(file.read_text() + "\nEDITED = True\n")
    jobs, cells = dry_run(copied)
    assert cells == {("by-hand", "conservative"), ("model", "conservative")}
    assert jobs["build_workload"] == 0
    assert jobs["build_store"] == 1


def test_an_edited_engine_runs_its_policies_cells_again(copied: Path) -> None:
    (copied / "scheduler_core/gang/engine.py").open("a").write("\nEDITED = True\n")
    assert dry_run(copied)[1] == set()
    (copied / "scheduler_core/space_sharing/engine.py").open("a").write("\nEDITED = True\n")
    jobs, cells = dry_run(copied)
    assert jobs["compile_kernels"] == 1
    assert cells == dry_run(copied, "--forceall")[1]


def test_an_edited_parameter_runs_its_own_cells_again(copied: Path) -> None:
    study = copied / "config/studies/tiny.yaml"
    study.write_text(STUDY.replace("easy: {}", "easy: {extra_processors: false}"))
    assert dry_run(copied)[1] == {("by-hand", "easy"), ("model", "easy")}


def test_an_edited_title_runs_no_simulation_again(copied: Path) -> None:
    study = copied / "config/studies/tiny.yaml"
    study.write_text(STUDY.replace("A tiny study", "Another title"))
    jobs, cells = dry_run(copied)
    assert not cells
    assert jobs["build_store"] == 1


def test_an_edited_model_makes_its_workloads_again_and_leaves_runs_of_equal_jobs_alone(copied: Path) -> None:
    study = copied / "config/studies/tiny.yaml"
    study.write_text(STUDY.replace("jobs: 60", "jobs: 61"))
    jobs, cells = dry_run(copied)
    assert jobs["build_workload"] == 1
    assert {workload for workload, _ in cells} == {"model"}


def test_a_log_edited_in_place_is_read_again(copied: Path) -> None:
    (copied / "tiny.swf").write_text(LOG.replace("12 705 0 20", "12 705 0 21"))
    jobs, cells = dry_run(copied)
    assert jobs["locate_log"] == 1
    assert {workload for workload, _ in cells} == {"by-hand"}


def test_a_missing_log_gives_runs_without_jobs_and_says_how_to_get_it(finished: Path) -> None:
    note = json.loads((finished / f"results/logs/{MISSING}.json").read_text())
    assert not note["found"]
    assert MISSING in note["error"]
    assert json.loads((finished / "results/runs/gone/easy/run.json").read_text())["replications"][0]["jobs"] == 0


def test_a_missing_log_fails_when_logs_are_required(copied: Path) -> None:
    required = run(copied, "--cores", "2", "--config", "require_logs=true", check=False)
    told = required.stdout + required.stderr
    assert required.returncode
    assert f"{MISSING}: the log is in none of" in told
    assert "Traceback" not in told


def test_a_log_put_in_place_later_is_noticed(copied: Path) -> None:
    (copied / "traces/logs").mkdir(exist_ok=True)
    (copied / f"traces/logs/{MISSING}.swf").write_text(LOG)
    jobs, cells = dry_run(copied)
    assert jobs["locate_log"] == 1
    assert cells == {("gone", "easy")}


@pytest.mark.parametrize(
    ("config", "told"),
    [
        (CONFIG.replace("tiny", "tini"), "did you mean 'tiny'?"),
        (
            CONFIG.replace("require_logs", "require_log"),
            "require_log: there is no such key; did you mean 'require_logs'?",
        ),
        (CONFIG.replace("false", "perhaps"), "require_logs: expected true or false; found 'perhaps'"),
    ],
)
def test_a_wrong_configuration_stops_before_any_job(tmp_path: Path, config: str, told: str) -> None:
    folder = copy_project(tmp_path / "project")
    (folder / "config/config.yaml").write_text(config)
    done = run(folder, "--cores", "1", check=False)
    assert done.returncode
    assert told in done.stdout + done.stderr
    assert not (folder / "results").exists()


def test_a_wrong_study_stops_before_any_job_without_a_traceback(tmp_path: Path) -> None:
    folder = copy_project(tmp_path / "project")
    (folder / "config/studies/tiny.yaml").write_text(STUDY.replace("easy: {}", "easy: {extra_node: false}"))
    done = run(folder, "--cores", "1", check=False)
    told = done.stdout + done.stderr
    assert done.returncode
    assert "config/studies/tiny.yaml: policies.easy" in told
    assert "did you mean 'extra_processors'?" in told
    assert "Traceback" not in told
    assert not (folder / "results").exists()
