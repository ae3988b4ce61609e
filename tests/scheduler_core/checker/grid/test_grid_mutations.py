"""Broken schedules of grids: for each rule, mutations that must be caught, and by that rule."""

import dataclasses
from functools import cache

import polars as pl
import pytest

from scheduler_core.checker import check
from scheduler_core.checker.grid.rules import OF_SLICES, RULES
from scheduler_core.common.errors import ContractError
from scheduler_core.grid.family import TABLES
from scheduler_core.runs.folder import check_run, read_run, write_run
from tests.scheduler_core.checker.broken_schedules import at_row, broken_rules, parameters, with_allocation
from tests.scheduler_core.checker.grid import grid_by_hand
from tests.scheduler_core.checker.grid.grid_by_hand import S
from tests.scheduler_core.checker.grid.grid_mutations import GRID_MUTATIONS, with_row
from tests.scheduler_core.checker.grid.random_grids import random_clusters
from tests.scheduler_core.checker.slices.broken_slices import alone, changed, on_the_processors_of_another, table
from tests.scheduler_core.checker.slices.promise_mutations import PROMISE_MUTATIONS
from tests.scheduler_core.checker.slices.slice_mutations import SLICE_MUTATIONS

KINDS = {"own": {"smart": False}, "lent": {}}
OTHERS = {  # of single machines: they set parameters that a grid has not, or rely on there being one cluster
    "shares of the night",
    "a job takes processors of a suspended one",
    "a run on another cluster",
    "promises where only the first job has a reservation",
    "promises that others' starts may break",
    "finishes promised without the night",
}


@cache
def clusters_in_slices(kind):
    """Return a workload of local jobs and a legal schedule of it on three clusters in slices."""
    return random_clusters(3, jobs=60, gap_s=15, **KINDS[kind])


def of_kind(kind):
    """Return a workload and a legal schedule of it; ``booked`` is a task on clusters in slices, worked by hand."""
    return grid_by_hand.task_in_slices() if kind == "booked" else clusters_in_slices(kind)


def within_a_cluster(schedule):
    """Leave the jobs of the last cluster."""
    return dataclasses.replace(schedule, held=schedule.allocations.filter(pl.col("cluster") == 2))


ON_CLUSTERS = {
    **{
        name: mutation
        for name, mutation in (SLICE_MUTATIONS | PROMISE_MUTATIONS).items()
        if mutation[0] in OF_SLICES and mutation[1] in KINDS and name not in OTHERS
    },
    "a job waits in a slice without jobs": (
        "no slice idles while jobs of its class wait",
        "own",
        lambda s: with_allocation(s, alone(s), begin_us=pl.col("begin_us") + 1),
    ),
    "a job takes processors of a suspended one": (
        "started jobs of a class hold processors of their own",
        "own",
        lambda s: on_the_processors_of_another(within_a_cluster(s)),
    ),
    "a finish predicted a tick early": (
        "predicted finishes follow from predicted starts",
        "booked",
        lambda s: changed(changed(s, "candidates", "finish_us", -1), "candidates", "latest_us", -1),
    ),
    "a start predicted outside the slices of the class": (
        "predicted finishes follow from predicted starts",
        "booked",
        lambda s: changed(s, "candidates", "start_us", -1),
    ),
    "a slot that is longer than its class takes": (
        "predicted finishes follow from predicted starts",
        "booked",
        lambda s: changed(s, "slides", "finish_us", 1),
    ),
    "a prediction by the interval before it is laid out": (
        "predicted finishes follow from predicted starts",
        "booked",
        lambda s: changed(s, "candidates", "start_us", 60 * S - 720 * S),
    ),
    "a slot slides down past its frame": (
        "slots slide by the rules",
        "booked",
        lambda s: parameters(
            with_row(s, "slides", cause="slid_down", start_us=4320 * S, finish_us=11_828 * S), slide_down_backfill=True
        ),
    ),
    "clusters with shares of others": (
        "slices follow from interval, switch and shares",
        "own",
        lambda s: parameters(s, share_medium=0.31),
    ),
    "slices of a cluster there is not": (
        "slices follow from interval, switch and shares",
        "own",
        lambda s: table(s, "slices", cluster=pl.lit(3, pl.Int16)),
    ),
    "slices of the cluster before": (
        "slices follow from interval, switch and shares",
        "own",
        lambda s: table(s, "slices", cluster=pl.col("cluster") - 1),
    ),
}

ALONE = {  # mutations that break one rule and no other
    "a home is another",
    "a task is called killed",
    "a task does the work of another cluster",
    "another time is drawn for a transfer",
    "a rank is another",
    "bookings in ascending order",
    "clusters are asked in another order",
    "a latest finish a tick late",
    "data expected too early",
    "frames by another way to move ahead",
    "a task freed before its predecessors are done",
    "a slot slides down without permission",
    "late_tasks counted wrongly",
}


@pytest.mark.parametrize("kind", KINDS)
def test_clusters_side_by_side_are_legal(kind):
    certificate = check(*clusters_in_slices(kind))
    assert certificate.legal, certificate.describe()
    assert {finding.rule for finding in certificate.findings} == set(RULES)


def test_schedules_worked_by_hand_are_legal():
    for workload, schedule in ((grid_by_hand.workload(), grid_by_hand.schedule()), grid_by_hand.task_in_slices()):
        certificate = check(workload, schedule)
        assert certificate.legal, certificate.describe()


def test_no_rule_is_idle():
    by_hand = check(grid_by_hand.workload(), grid_by_hand.schedule())
    checked = {
        finding.rule
        for certificate in (by_hand, check(*of_kind("booked")), check(*of_kind("lent")))
        for finding in certificate.findings
        if finding.checked
    }
    assert checked == set(RULES)


@pytest.mark.parametrize("name", GRID_MUTATIONS)
def test_a_mutation_is_caught(name):
    rule, mutate = GRID_MUTATIONS[name]
    found = broken_rules(grid_by_hand.workload(), mutate(grid_by_hand.schedule()))
    assert rule in found
    assert name not in ALONE or found == {rule}


@pytest.mark.parametrize("name", ON_CLUSTERS)
def test_a_mutation_on_clusters_in_slices_is_caught(name):
    rule, kind, mutate = ON_CLUSTERS[name]
    workload, schedule = of_kind(kind)
    assert rule in broken_rules(workload, mutate(schedule))


def test_every_rule_has_a_mutation():
    mutated = {rule for rule, _ in GRID_MUTATIONS.values()} | {rule for rule, _, _ in ON_CLUSTERS.values()}
    assert mutated == set(RULES)


def test_what_is_wrong_is_told_with_its_cluster_and_its_own_times():
    workload, schedule = clusters_in_slices("own")
    last = schedule.tables["slices"].height - 1
    late = table(schedule, "slices", begin_us=at_row(last, "begin_us", pl.col("begin_us") + 1))
    [finding] = [
        finding
        for finding in check(workload, late).findings
        if finding.rule == "slices follow from interval, switch and shares"
    ]
    begin = schedule.tables["slices"]["begin_us"][last] + 1
    assert any(f"cluster 2, begin {begin / 1e6:,.6f} s" in example for example in finding.examples), finding.examples


@pytest.mark.parametrize("name", TABLES)
def test_all_tables_are_needed(name):
    schedule = grid_by_hand.schedule()
    tables = {other: rows for other, rows in schedule.tables.items() if other != name}
    with pytest.raises(ContractError, match=f"the table '{name}' is missing; found"):
        check(grid_by_hand.workload(), dataclasses.replace(schedule, tables=tables))


def test_a_run_of_workflows_is_checked_with_its_workload(tmp_path):
    workload, schedule = grid_by_hand.workload(), grid_by_hand.schedule()
    write_run(tmp_path / "run", [workload], [schedule], [check(workload, schedule)], "by hand")
    run = read_run(tmp_path / "run")
    assert all(certificate.legal for certificate in check_run(run, [workload]))
    with pytest.raises(ContractError, match=r"workflows were placed, 1 of them, and the workload has no table 'tasks'"):
        check_run(run)
