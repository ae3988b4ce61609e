"""`slotwise workflow`."""

import json
from pathlib import Path

import pytest

from slotwise.cli.main import main
from tests.traces.workflows.instances import TWO_ROOTS, instance


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a workflow file with two roots."""
    path = tmp_path / "w.json"
    times = ({"runtime": 10, "cores": 2}, {"runtime": 30}, {"runtime": 0})
    tasks = [{**task, **more} for task, more in zip(TWO_ROOTS, times, strict=True)]
    path.write_text(instance(tasks, "two-roots"), encoding="utf-8")
    return path


def test_a_workflow_is_shown_by_level_and_accounted_for(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "accounting.json"
    assert main(["workflow", str(file), "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert "w.json: workflow two-roots" in said
    assert [line.split() for line in said.splitlines() if line.startswith("tasks ")][1:] == [
        ["tasks", "repaired", "one_second", "1"],
        ["tasks", "added", "joins", "several", "roots", "or", "exits", "1"],
    ]
    assert "\none_second: a run time of zero: one second taken\n" in said
    assert "52 processor-seconds of work; the longest path takes 32 s without transfers" in said
    assert json.loads(out.read_text())["tasks"] == 3


def test_two_roots_are_refused_with_what_to_do(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["workflow", str(file), "--refuse"]) == 2
    assert "slotwise workflow: w.json: workflow two-roots: 2 roots, tasks a, b; expected one" in capsys.readouterr().err
