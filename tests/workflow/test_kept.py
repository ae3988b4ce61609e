"""Kept runs are removed once no study has their cells, and not before."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workflow.tiny_project import LOG, PROJECT, STUDY
from workflow.kept import remove_unused
from workflow.plan import Plan

OTHER = STUDY.replace("study: tiny", "study: other").replace("  gang: {}\n", "  list: {}\n")


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    """A project of two studies, one of which the configuration lists, with kept runs at two scales."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny.swf").write_text(LOG)
    folder = tmp_path / "config" / "studies"
    folder.mkdir(parents=True)
    (folder / "tiny.yaml").write_text(STUDY)
    (folder / "other.yaml").write_text(OTHER)
    for cell in ("model/easy", "model/gang", "model/list", "model/sjf", "away/easy"):
        for root in ("results", "results/quick"):
            (tmp_path / root / "kept" / cell).mkdir(parents=True)
            (tmp_path / root / "kept" / cell / "made_from.json").touch()
    return Plan({"studies": ["tiny"]}, PROJECT, folder)


def kept() -> set[str]:
    return {str(file.parent) for file in Path("results").rglob("made_from.json")}


def test_what_no_study_has_is_removed_at_every_scale(plan: Plan) -> None:
    gone = {f"{root}/kept/{cell}" for root in ("results", "results/quick") for cell in ("model/sjf", "away/easy")}
    before = kept()
    assert {str(folder) for folder in remove_unused(plan)} == gone
    assert kept() == before - gone
    assert not Path("results/kept/away").exists()
    assert remove_unused(plan) == []


def test_nothing_is_removed_while_a_study_cannot_be_read(plan: Plan) -> None:
    (plan.folder / "broken.yaml").write_text("study: [")
    before = kept()
    assert remove_unused(plan) == []
    assert kept() == before
