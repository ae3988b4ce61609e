"""Runs are removed once no study has their cells, and not before."""

from pathlib import Path

import pytest

from tests.workflow.tiny_project import LOG, PROJECT, STUDY
from workflow.plan import Plan
from workflow.unused import remove_unused_runs

OTHER = STUDY.replace("study: tiny", "study: other").replace("  gang: {}\n", "  list: {}\n")


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    """A project of two studies, one of which the configuration selects, with runs at two scales."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny.swf").write_text(LOG)
    folder = tmp_path / "studies"
    for name, text in (("tiny", STUDY), ("other", OTHER)):
        (folder / name).mkdir(parents=True)
        (folder / name / "study.yaml").write_text(text)
    for cell in ("model/easy", "model/gang", "model/list", "model/sjf", "away/easy"):
        for root in ("results", "results/quick"):
            (tmp_path / root / "runs" / cell).mkdir(parents=True)
            (tmp_path / root / "runs" / cell / "made_from.json").touch()
    return Plan({"studies": ["tiny"]}, PROJECT, folder)


def runs() -> set[str]:
    return {str(file.parent) for file in Path("results").rglob("made_from.json")}


def test_what_no_study_has_is_removed_at_every_scale(plan: Plan) -> None:
    gone = {f"{root}/runs/{cell}" for root in ("results", "results/quick") for cell in ("model/sjf", "away/easy")}
    before = runs()
    assert {str(folder) for folder in remove_unused_runs(plan)} == gone
    assert runs() == before - gone
    assert not Path("results/runs/away").exists()
    assert remove_unused_runs(plan) == []


def test_nothing_is_removed_while_a_study_cannot_be_read(plan: Plan) -> None:
    (plan.folder / "broken").mkdir()
    (plan.folder / "broken" / "study.yaml").write_text("study: [")
    before = runs()
    assert remove_unused_runs(plan) == []
    assert runs() == before
