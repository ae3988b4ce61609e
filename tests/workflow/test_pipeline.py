"""The pipeline as a user runs it: it plans, runs, repeats nothing, notices edits and reports what is missing."""

import json
import shutil
from pathlib import Path

import pytest

from scheduler_core.declarations.policy import policies_by_family
from tests.workflow.tiny_project import CONFIG, MISSING, PROJECT, STUDY, copy_project, dry_run, run
from workflow.plan import Plan
from workflow.yaml_files import read_yaml

pytestmark = pytest.mark.slow


@pytest.fixture
def copied(finished: Path, tmp_path: Path) -> Path:
    """A copy of the finished project, with its times of files, that a test may change."""
    return Path(shutil.copytree(finished, tmp_path / "project"))


def test_lint_is_clean() -> None:
    done = run(PROJECT, "--lint")
    assert "good condition" in done.stdout + done.stderr


def test_the_shipped_studies_can_be_planned_at_every_scale(tmp_path: Path) -> None:
    folder = copy_project(tmp_path / "project")
    shutil.copytree(PROJECT / "config", folder / "config", dirs_exist_ok=True)
    shutil.rmtree(folder / "studies")
    shutil.copytree(PROJECT / "studies", folder / "studies")
    plan = Plan(read_yaml(folder / "config/config.yaml"), folder, folder / "studies")
    jobs, cells = dry_run(folder, "all", "full", "quick", "paper", *plan.studies)
    assert len(cells) == len({cell for scale in plan.scales.values() for cell in scale.cells}) > 100
    assert jobs["draw_study"] == len(plan.scales) * len(plan.studies)
    assert jobs["compile_kernels"] == len(policies_by_family())
    assert jobs["draw_windows"] == len(plan.scales) * len(policies_by_family())
    assert jobs["build_store"] == jobs["render_report"] == len(plan.scales)


def test_a_study_is_a_target(tmp_path: Path) -> None:
    jobs, _ = dry_run(copy_project(tmp_path / "project"), "tiny")
    assert jobs["draw_study"] == 1
    assert jobs["render_report"] == 0


def test_a_study_cannot_have_the_name_of_another_target(tmp_path: Path) -> None:
    folder = copy_project(tmp_path / "project")
    (folder / "studies/tiny").rename(folder / "studies/quick")
    (folder / "studies/quick/study.yaml").write_text(STUDY.replace("study: tiny", "study: quick"))
    (folder / "config/config.yaml").unlink()
    (folder / "config/config.yaml").write_text("require_logs: false\n")
    done = run(folder, "--dry-run", "--cores", "1", check=False)
    told = done.stdout + done.stderr
    assert done.returncode
    assert "The name quick is already used by another rule" in told
    assert "Traceback" not in told


def test_a_run_leaves_what_the_architecture_promises(finished: Path) -> None:
    root = finished / "results"
    for name in (
        "jobs.parquet",
        "allocations.parquet",
        "run.json",
        "certificate.json",
        "timing.json",
        "made_from.json",
    ):
        assert (root / "runs" / "model" / "easy" / name).is_file()
    for name in ("workloads/by-hand.parquet", "logs/tiny.json", "slotwise.duckdb", "report/index.html"):
        assert (root / name).is_file()
    assert json.loads((root / "workloads/by-hand.accounting.json").read_text())["kept"] == 12
    assert (root / "figures" / "tiny" / "figures.json").is_file()


def test_a_second_run_does_nothing(finished: Path) -> None:
    output = run(finished, "--cores", "2")
    assert "Nothing to be done" in output.stdout + output.stderr


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
    (folder / "studies/tiny/study.yaml").write_text(STUDY.replace("easy: {}", "easy: {extra_node: false}"))
    done = run(folder, "--cores", "1", check=False)
    told = done.stdout + done.stderr
    assert done.returncode
    assert "studies/tiny/study.yaml: policies.easy" in told
    assert "did you mean 'extra_processors'?" in told
    assert "Traceback" not in told
    assert not (folder / "results").exists()
