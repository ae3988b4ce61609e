"""Batches hold every item once, and a cell of a batch is what its study says."""

from pathlib import Path

import pytest

from scheduler_core.common.files import read_json
from scheduler_core.contracts import write_replications
from scheduler_core.declarations.policy import family_of, get_policy
from scheduler_core.runs.cells import Cell, run_cells
from slotwise.cli.main import main
from tests.paths import PROJECT, STUDIES
from traces.build import build_workload
from workflow.batches import ITEMS, numbered
from workflow.checks import Place
from workflow.logs import log_id
from workflow.plan import Plan
from workflow.policies import describe_policy, read_policy
from workflow.study_file import PolicyEntry
from workflow.yaml_files import read_yaml


@pytest.fixture(scope="module")
def plan() -> Plan:
    return Plan(read_yaml(PROJECT / "config/config.yaml"), PROJECT, STUDIES)


def test_a_batch_is_filled_before_the_next() -> None:
    items = list(range(ITEMS * 2 + 1))
    batches = dict(numbered(items))
    assert [item for batch in batches.values() for item in batch] == items
    assert {number: len(batch) for number, batch in batches.items()} == {1: ITEMS, 2: ITEMS, 3: 1}
    assert not list(numbered([]))


def test_every_cell_and_every_workload_of_the_shipped_studies_is_in_one_batch(plan: Plan) -> None:
    for scale in plan.scales.values():
        cells = [(cell["workload"], cell["policy"]) for batch in scale.cell_batches.values() for cell in batch.cells]
        assert sorted(cells) == sorted(scale.cells)
        workloads = [name for batch in scale.workload_batches.values() for name in batch.workloads]
        assert sorted(workloads) == sorted(scale.workloads)


def test_a_batch_has_one_family_or_one_log(plan: Plan) -> None:
    for scale in plan.scales.values():
        for batch in scale.cell_batches.values():
            assert {family_of(type(scale.policies[cell["policy"]].policy)) for cell in batch.cells} == {batch.family}
        for batch in scale.workload_batches.values():
            logs = {scale.workloads[name].log_name for name in batch.workloads}
            assert {log_id(log) for log in logs if log} == set(batch.logs)


def test_a_cell_is_described_by_its_word_and_what_differs_from_it(plan: Plan) -> None:
    for scale in plan.scales.values():
        for batch in scale.cell_batches.values():
            for cell in batch.cells:
                whole = get_policy(cell["uses"], **cell["parameters"]).values()
                assert whole == scale.policies[cell["policy"]].policy.values()


@pytest.mark.parametrize(
    ("word", "values", "title"),
    [
        ("easy_sjbf", {}, "EASY-SJBF (easy_sjbf)"),
        ("easy_sjbf", {"reservations": 2}, "EASY-SJBF (easy_sjbf, reservations=2)"),
        ("easy", {"backfill_order": "shortest"}, "EASY (easy, backfill_order=shortest)"),
        ("scojo_pri_b", {"level": 3}, "PRI-B (scojo_pri_b, level=3)"),
    ],
)
def test_a_study_and_the_command_line_note_the_same_policy_by_the_word_asked_for(
    word: str, values: dict[str, object], title: str, tmp_path: Path
) -> None:
    built = build_workload({"model": "lublin", "processors": 8, "jobs": 10}, "w", 1)
    write_replications(tmp_path / "workloads" / "w.parquet", built.workloads)
    cell = describe_policy(
        "mine", read_policy(Place("study.yaml"), "mine", PolicyEntry.model_validate({"uses": word, **values}))
    )
    assert cell["parameters"] == values
    run_cells(tmp_path, [Cell("w", "mine", **{key: cell[key] for key in ("uses", "parameters", "sources")})])
    settings = [text for key, value in values.items() for text in ("--set", f"{key}={value}")]
    log, out = str(tmp_path / "workloads/w.parquet"), str(tmp_path / "out")
    assert main(["simulate", log, "--policy", word, *settings, "--out", out]) == 0
    ours, theirs = read_json(tmp_path / "runs/w/mine/run.json"), read_json(tmp_path / "out/run.json")
    assert ours["policy"]["title"] == title
    named = ("workload", "digest")  # a study calls the workload by its id, the command line by its file
    assert {k: v for k, v in ours.items() if k not in named} == {k: v for k, v in theirs.items() if k not in named}
