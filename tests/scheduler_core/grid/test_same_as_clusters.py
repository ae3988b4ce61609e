"""Without workflows a grid is its clusters side by side, each under its policy; whatever the grid would do with tasks."""

import dataclasses
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import simulate
from scheduler_core.contracts import Machine, Schedule, Workload
from scheduler_core.grid.policies.grid import Grid
from tests.profiles import searching, seeds
from tests.scheduler_core.examples import HypothesisChooser, SeededChooser
from tests.scheduler_core.grid.cases import GridCase
from tests.scheduler_core.grid.subjects import FAMILIES, draw_case

ARMS = (
    {"propagation": True},
    {"frame_rule": "spare_time", "slpa": 3.5},
    {"frame_rule": "earliest_start"},
    {"slpa": 0.0, "maf": 0.0},
    {"tasks": "when_ready"},
    {"tasks": "just_in_time", "ties": "least_loaded"},
    {"tasks": "independent", "transfers_known": "mean"},
)
"""Ways in which the grid could treat tasks if there were any."""

RULES: dict[str, tuple[dict[str, Any], ...]] = {
    "rebooked": ({"slide_down_backfill": True}, {"slide_down_avoid_preemption": True}, {"frame_rule": "rigid"}),
    "recalculated": ({"reservations": "kept"}, {"reservations": "kept", "frame_rule": "rigid"}),
}
"""What clusters in slices could do with bookings if there were any, beside a rule for reservations."""


def local_jobs_only(case: GridCase, **values: object) -> GridCase:
    """Return an example without its workflows, under other values of parameters."""
    local = [job for job in case.jobs if job.job in case.homes]
    return dataclasses.replace(case, jobs=local, workflows=(), policy=dataclasses.replace(case.policy, **values))


def own_workload(case: GridCase, cluster: int) -> Workload:
    """Return the workload of one cluster, with the times that jobs take there."""
    own = {job.job: case.grid.on(job, cluster) for job in case.grid.local[cluster]}
    rows = case.workload.jobs.filter(pl.col("home") == cluster).drop("home")
    times = [
        pl.Series(name, [getattr(own[job], name.removesuffix("_us")) for job in rows["job"]], dtype=pl.Int64)
        for name in ("runtime_us", "estimate_us")
    ]
    return Workload(rows.with_columns(times), Machine(case.sites[cluster].processors))


def part_of(schedule: Schedule, table: str, cluster: int, first: int) -> pl.DataFrame:
    """Return what a table says of a cluster, as if it were the only one; ``first`` is its first processor."""
    found = schedule.tables[table] if table in schedule.tables else getattr(schedule, table)
    rows = found.filter(pl.col("cluster") == cluster).with_columns(cluster=pl.lit(0, pl.Int16))
    if "processor_ids" in rows.columns:
        rows = rows.with_columns(pl.col("processor_ids").list.eval(pl.element() - first))
    return rows


def assert_clusters_are_as_alone(case: GridCase) -> None:
    """Hold every cluster of a grid without workflows against the same cluster alone, where reservations stay as they are made."""
    assert isinstance(case.policy, Grid)
    together = simulate(case.workload, case.policy)
    columns = ("job", "start_us", "finish_us", "preemptions", "outcome")
    first = 0
    for cluster, site in enumerate(case.sites):
        alone = simulate(own_workload(case, cluster), case.policy.local_policy())
        here = together.jobs.filter(pl.col("job").is_in(alone.jobs["job"].implode())).select(columns)
        assert here.equals(alone.jobs.select(columns))
        for table in ("allocations", *(("slices", "promises") if case.policy.local == "pect" else ())):
            expected = alone.tables[table] if table in alone.tables else getattr(alone, table)
            found = part_of(together, table, cluster, first)
            assert found.select(sorted(expected.columns)).equals(expected.select(sorted(expected.columns))), table
        first += site.processors


@pytest.mark.parametrize("family", FAMILIES)
@searching(40)
@given(data=st.data())
def test_clusters_are_as_alone(family: str, data: st.DataObject) -> None:
    case = draw_case(HypothesisChooser(data.draw), False, family)
    assert_clusters_are_as_alone(local_jobs_only(case, reservations="rebooked"))


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("seed", seeds(4))
def test_more_jobs_and_processors_are_as_alone(family: str, seed: int) -> None:
    case = draw_case(SeededChooser(seed), True, family)
    assert_clusters_are_as_alone(local_jobs_only(case, reservations="rebooked"))


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("seed", seeds(6))
@pytest.mark.parametrize("rule", RULES)
def test_what_is_done_with_tasks_does_not_matter_without_any(family: str, rule: str, seed: int) -> None:
    """Every table has the same bytes: digests are equal."""
    case = draw_case(SeededChooser(seed), True, family)
    down = {"slide_down_backfill": False, "slide_down_avoid_preemption": False}
    case = local_jobs_only(case, frame_rule="literal", reservations=rule, **down)
    plain = case.policy
    arms = (*ARMS, *((*RULES[rule], {"nominal": "mean"}) if plain.local == "pect" else ({"frame_rule": "rigid"},)))
    policies = [plain, *(dataclasses.replace(plain, **arm) for arm in arms)]
    assert len({simulate(case.workload, policy).digest for policy in policies}) == 1
