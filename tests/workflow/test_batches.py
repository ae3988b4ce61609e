"""Batches are a function of definitions, hold every item once, and are as long as a process is worth."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from scheduler_core.common.files import read_json
from scheduler_core.contracts import write_replications
from scheduler_core.declarations.policy import get_policy, policies
from scheduler_core.runs.cells import Cell, run_cells
from slotwise.cli.main import main
from tests.paths import PROJECT, STUDIES
from traces.build import build_workload
from traces.catalog import known_log
from traces.definition import read_definition
from workflow.batches import FULL_S, describe_policy, jobs_of, pack, run_files
from workflow.checks import Place
from workflow.plan import Plan
from workflow.policies import read_policy
from workflow.study_file import PolicyEntry
from workflow.yaml_files import read_yaml


@pytest.fixture(scope="module")
def plan() -> Plan:
    return Plan(read_yaml(PROJECT / "config/config.yaml"), PROJECT, STUDIES)


def seconds(second: float) -> float:
    return second * 1e6


def test_batches_are_filled_in_order() -> None:
    items = [float(number % 7) for number in range(400)]
    batches = pack(items, seconds)
    assert [item for batch in batches for item in batch] == items
    assert all(sum(batch) <= FULL_S for batch in batches)
    assert all(sum(before) + after[0] > FULL_S * 0.8 for before, after in pairwise(batches))
    assert pack([], seconds) == []


def test_a_heavy_item_stays_alone() -> None:
    assert pack([1.0, 900.0, 1.0], seconds) == [[1.0], [900.0], [1.0]]


def test_little_work_is_divided_so_that_processors_have_their_share() -> None:
    assert 6 < len(pack([1.0] * 160, seconds)) < 20
    assert len(pack([0.01] * 30, seconds)) == 1


def test_every_cell_and_every_workload_of_the_shipped_studies_is_in_one_batch(plan: Plan) -> None:
    for scale in plan.scales.values():
        cells = [(cell["workload"], cell["policy"]) for batch in scale.cell_batches for cell in batch.cells]
        assert sorted(cells) == sorted(scale.cells)
        workloads = [name for batch in scale.workload_batches for name in batch.workloads]
        assert sorted(workloads) == sorted(scale.workloads)
    names = [batch.name for batch in [*plan.cell_batches, *plan.workload_batches]]
    assert len(set(names)) == len(names)


def test_a_cell_is_described_by_its_word_and_what_differs_from_it(plan: Plan) -> None:
    for scale in plan.scales.values():
        for batch in scale.cell_batches:
            for cell in batch.cells:
                whole = get_policy(cell["uses"], **cell["parameters"]).values()
                assert whole == scale.policies[cell["policy"]]["parameters"]


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


def test_jobs_are_estimated_from_definitions(tmp_path: Path) -> None:
    entry = known_log("SDSC-SP2-1998-4.2-cln")
    assert entry is not None
    assert jobs_of(read_definition({"log": entry.name})) == entry.jobs
    assert jobs_of(read_definition({"log": entry.name, "first": 100})) == 100
    assert jobs_of(read_definition({"model": "lublin", "jobs": 200, "replications": 3})) == 600
    assert jobs_of(read_definition({"log": str(tmp_path / "none.swf")})) == 0
    (tmp_path / "some.swf").write_bytes(b"x" * 6000)
    assert jobs_of(read_definition({"log": str(tmp_path / "some.swf")})) == 100


@pytest.mark.parametrize("name", sorted(policies()))
def test_a_run_leaves_exactly_the_files_that_are_declared(name: str, tmp_path: Path) -> None:
    sample = policies()[name]().sample()  # has the tables that the policy needs, if it needs any
    made = [sample] if sample else build_workload({"model": "lublin", "processors": 8, "jobs": 10}, "w", 1).workloads
    write_replications(tmp_path / "workloads" / "w.parquet", made)
    run_cells(tmp_path, [Cell("w", "p", name, {}, "")])
    declared = {Path(file).name for file in run_files(str(tmp_path), "w", "p", policies()[name])}
    assert {path.name for path in (tmp_path / "runs/w/p").iterdir()} == declared
