"""Broken schedules in slices of classes: for each rule, mutations that must be caught, and by that rule."""

import dataclasses
from functools import cache

import pytest

from scheduler_core.checker import check
from scheduler_core.checker.slices.rules import RULES
from scheduler_core.common.errors import ContractError, ParameterError
from scheduler_core.slices.family import TABLES
from tests.scheduler_core.checker.broken_schedules import at_row, broken_rules
from tests.scheduler_core.checker.slices.broken_slices import table
from tests.scheduler_core.checker.slices.group_mutations import GROUP_MUTATIONS
from tests.scheduler_core.checker.slices.promise_mutations import PROMISE_MUTATIONS
from tests.scheduler_core.checker.slices.random_slices import random_slices, random_workload
from tests.scheduler_core.checker.slices.slice_mutations import SLICE_MUTATIONS

KINDS = {
    "own": {"smart": False},
    "lent": {},
    "easy": {"backfilling": "easy"},
    "groups": {"name": "pect_o", "select": "slowdown"},
    "placed": {"name": "pect_o", "smart": False},
    "first level": {"name": "pect_o", "second_level": False},
}


@cache
def made(kind):
    """Return a workload and a legal schedule of it."""
    workload = random_workload(3, jobs=60, gap_s=15)
    return workload, random_slices(workload, 5, **KINDS[kind])


MUTATIONS = SLICE_MUTATIONS | PROMISE_MUTATIONS | GROUP_MUTATIONS

ALONE = {  # mutations that break one rule and no other
    "work is lost",
    "a job is slower",
    "a tick lost here and won there",
    "processors only counted",
    "lending without permission",
    "slices not counted",
    "placed jobs not counted",
    "planned jobs elsewhere not counted",
    "more backfilled jobs than can be",
    "a promise is made twice",
    "a promised finish a tick early",
    "long-wide jobs there are not",
    "places that begin with nought",
    "orders not counted",
    "a group of less work than it needs",
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_unbroken_schedules_are_legal(kind):
    certificate = check(*made(kind))
    assert certificate.legal, certificate.describe()
    assert {finding.rule for finding in certificate.findings} == set(RULES)


def test_no_rule_is_idle():
    checked = {
        finding.rule for kind in ("groups", "easy") for finding in check(*made(kind)).findings if finding.checked
    }
    assert checked == set(RULES)


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_mutation_is_caught(name):
    rule, kind, mutate = MUTATIONS[name]
    workload, schedule = made(kind)
    found = broken_rules(workload, mutate(schedule))
    assert rule in found
    assert name not in ALONE or found == {rule}


def test_every_rule_has_a_mutation():
    assert {rule for rule, _, _ in MUTATIONS.values()} == set(RULES)


@pytest.mark.parametrize("name", TABLES)
def test_all_tables_are_needed(name):
    workload, schedule = made("own")
    tables = {other: rows for other, rows in schedule.tables.items() if other != name}
    with pytest.raises(ContractError, match=f"the table '{name}' is missing; found"):
        check(workload, dataclasses.replace(schedule, tables=tables))


@pytest.mark.parametrize("name", TABLES)
def test_tables_without_a_column_or_a_value_are_refused(name):
    workload, schedule = made("groups")
    column = list(TABLES[name].columns)[-1]
    with pytest.raises(ContractError, match=f"{name} table: column '{column}' is missing"):
        check(workload, table(schedule, name, schedule.tables[name].drop(column)))
    with pytest.raises(ContractError, match=f"{name} table: column '{column}' has no value in 1 of"):
        check(workload, table(schedule, name, **{column: at_row(0, column, None)}))


def test_a_note_without_the_parameters_is_refused():
    workload, schedule = made("own")
    policy = {"name": "pect", "parameters": {}}
    with pytest.raises(ParameterError, match=r"gives every parameter of pect; missing: .*short_limit_s"):
        check(workload, dataclasses.replace(schedule, run={**schedule.run, "policy": policy}))
