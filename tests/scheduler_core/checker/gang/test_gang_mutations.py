"""Broken schedules of gangs: for each rule, mutations that must be caught, and by that rule."""

import dataclasses
from functools import cache

import pytest

from scheduler_core.checker import check
from scheduler_core.checker.gang.rules import RULES
from scheduler_core.common.errors import ContractError
from scheduler_core.contracts import Machine
from tests.scheduler_core.checker.broken_schedules import asked_again, at_row, broken_rules, held, levels, with_levels
from tests.scheduler_core.checker.gang.adaptation_mutations import ADAPTATION_MUTATIONS
from tests.scheduler_core.checker.gang.gang_mutations import GANG_MUTATIONS
from tests.scheduler_core.checker.gang.random_gang import random_gang, random_workload
from tests.scheduler_core.checker.gang.turn_mutations import TURN_MUTATIONS

KINDS = {
    "plain": {},
    "fixed slices": {"slice": "fixed"},
    "slow switches": {"switch_slows": True},
    "adaptive": {"sizing": "load", "reconfiguration_s": 20.0, "reconfiguration_cost_s": 0.01, "level": 4},
    "filling": {"fill": True, "level": 5},
    "memory": {"packing": "memory_fit", "level": 5},
}


@cache
def made(kind):
    """Return a workload and a legal schedule of it."""
    workload = random_workload(4, jobs=60, machine=Machine(16, memory_kb=50), gap_s=60)
    return workload, random_gang(workload, 4, **KINDS[kind])


MUTATIONS = GANG_MUTATIONS | TURN_MUTATIONS | ADAPTATION_MUTATIONS


@pytest.mark.parametrize("kind", KINDS)
def test_the_unbroken_schedules_are_legal(kind):
    certificate = check(*made(kind))
    assert certificate.legal, certificate.describe()
    idle = {finding.rule for finding in certificate.findings if not finding.checked}
    assert idle == ({"no processor runs out of memory"} if kind != "memory" else set())


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_mutation_is_caught(name):
    rule, kind, mutate = MUTATIONS[name]
    workload, schedule = made(kind)
    changed = mutate(schedule)
    if name == "a moldable job is resized":
        workload = asked_again(workload, changed)
    assert rule in broken_rules(workload, changed)


def test_every_rule_has_a_mutation():
    assert {rule for rule, _, _ in MUTATIONS.values()} == set(RULES)


@pytest.mark.parametrize("column", ["turn_us", "overhead_us"])
def test_allocations_without_turns_are_refused(column):
    workload, schedule = made("plain")
    without = dataclasses.replace(schedule, held=schedule.allocations.drop(column))
    with pytest.raises(ContractError, match=f"allocations table: column '{column}' is missing"):
        check(workload, without)


def test_levels_without_a_share_are_refused():
    workload, schedule = made("plain")
    with pytest.raises(ContractError, match="levels table: column 'share' is missing"):
        check(workload, with_levels(schedule, schedule.tables["levels"].drop("share")))


@pytest.mark.parametrize("change", [levels, held])
def test_values_that_are_missing_are_refused(change):
    workload, schedule = made("plain")
    gone = change(schedule, end_us=at_row(1, "end_us", None))
    with pytest.raises(ContractError, match="column 'end_us' has no value in 1 of"):
        check(workload, gone)
