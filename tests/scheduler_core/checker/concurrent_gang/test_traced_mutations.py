"""Broken runs of Concurrent Gang: for each rule, mutations that must be caught, and by that rule."""

import dataclasses

import pytest

from scheduler_core.checker import check
from scheduler_core.checker.concurrent_gang.rules import RULES
from scheduler_core.common.errors import ContractError
from tests.scheduler_core.checker.broken_schedules import broken_rules
from tests.scheduler_core.checker.concurrent_gang.traced_mutations import TRACED_MUTATIONS, columns
from tests.scheduler_core.checker.concurrent_gang.traced_runs import KINDS, made


@pytest.mark.parametrize("kind", KINDS)
def test_the_unbroken_runs_are_legal(kind):
    certificate = check(*made(kind))
    assert certificate.legal, certificate.describe()


def test_every_rule_is_applied_to_some_run():
    applied = {finding.rule for kind in KINDS for finding in check(*made(kind)).findings if finding.checked}
    assert applied == set(RULES)


@pytest.mark.parametrize("name", TRACED_MUTATIONS)
def test_a_mutation_is_caught(name):
    rule, kind, mutate = TRACED_MUTATIONS[name]
    workload, schedule = made(kind)
    assert rule in broken_rules(workload, mutate(schedule))


def test_every_rule_has_a_mutation():
    assert {rule for rule, _, _ in TRACED_MUTATIONS.values()} == set(RULES)


def test_a_task_without_a_number_is_refused():
    workload, schedule = made("priorities")
    gone = columns(schedule, "trace_disks", task=None).tables["trace_disks"]
    gone = gone.cast({"task": schedule.tables["trace_disks"].schema["task"]})
    broken = dataclasses.replace(schedule, tables={**schedule.tables, "trace_disks": gone})
    with pytest.raises(ContractError, match="trace_disks table: column 'task' has no value"):
        check(workload, broken)
