"""Engines against oracles on the workloads of the sources, as studies make them."""

from functools import cache
from typing import Any

import polars as pl
import pytest

from scheduler_core.contracts import Workload
from scheduler_core.declarations.policy import get_policy, policies
from tests.oracles.job import Behaviour, Job, Shares
from tests.scheduler_core.coscheduling.ways import WAYS
from tests.scheduler_core.examples import Case
from tests.scheduler_core.subjects import assert_legal, assert_same
from traces.build import build_workload

LUBLIN = {"model": "lublin", "processors": 128, "jobs": 150, "behaviour": {"model": "lomarc", "mixture": "M1"}}
DEFINITIONS: dict[str, dict[str, Any]] = {
    "w1": {**LUBLIN, "set": {"alpha": 10.23, "arrival_ratio": False}},
    "w3": {**LUBLIN, "set": {"alpha": 8.83, "arrival_ratio": False}},
    **{f"case-{case}": {"model": "scojo_cases", "set": {"case": case}} for case in (1, 2, 3)},
    "table-5-1": {"model": "scojo_cases", "set": {"case": "table"}},
}
LOMARC = [(workload, word) for workload in ("w1", "w3") for word in policies()["lomarc"].presets]
SHARES = [
    (workload, word)
    for workload in DEFINITIONS
    if workload not in ("w1", "w3")
    for word in policies()["scojo_shares"].presets
]


@cache
def built(name: str) -> Workload:
    """Make a workload as a study does."""
    return build_workload(DEFINITIONS[name], name, seed=1).workloads[0]


def told(workload: Workload, name: str, kind: type[Any]) -> dict[int, Any]:
    """Return the rows of a companion table as the oracles are told of them, by job."""
    rows = workload.companions[name].rows() if name in workload.companions else []
    return {row[0]: kind(*row[1:]) for row in rows}


def case_of(workload: Workload, word: str) -> Case:
    """Tell the oracles of a workload."""
    behaviour, shares = told(workload, "behaviour", Behaviour), told(workload, "shares", Shares)
    memory = workload.jobs.get_column("memory_kb", default=pl.Series([None] * len(workload)))
    asked = workload.jobs.select("job", "submit_us", "runtime_us", "estimate_us", "size").rows()
    jobs = [
        Job(*row, memory=held, behaviour=behaviour.get(row[0]), shares=shares.get(row[0]))
        for row, held in zip(asked, memory, strict=True)
    ]
    table = workload.companions.get("slowdowns", pl.DataFrame())
    slowdowns = {(one, other): slowdown for one, other, slowdown in table.rows()}
    return Case(jobs, workload.machine.processors, get_policy(word), workload.machine.memory_kb, slowdowns)


@pytest.mark.parametrize(("workload", "word"), LOMARC + SHARES)
def test_engine_agrees_with_oracle_on_a_published_workload(workload: str, word: str) -> None:
    case = case_of(built(workload), word)
    assert_same(WAYS.engine(case), WAYS.oracle(case))
    assert_legal(case)


@pytest.mark.parametrize("more", ['slowdown="table"', 'slowdown="table", learns=True', "learns=True"])
@pytest.mark.parametrize("at_once", [2, 3])
def test_engine_agrees_with_oracle_on_measured_slowdowns(at_once: int, more: str) -> None:
    case = case_of(built("case-1"), f"scojo_shares({more}, at_once={at_once})")
    assert_same(WAYS.engine(case), WAYS.oracle(case))
