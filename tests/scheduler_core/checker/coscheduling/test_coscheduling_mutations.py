"""Broken schedules of jobs that share processors: for each rule, mutations that must be found, and by that rule."""

from functools import cache

import pytest

from scheduler_core.checker import check
from scheduler_core.checker.coscheduling.rules import RULES
from scheduler_core.common.errors import ContractError
from tests.scheduler_core.checker.broken_schedules import broken_rules
from tests.scheduler_core.checker.coscheduling.pair_mutations import PAIR_MUTATIONS
from tests.scheduler_core.checker.coscheduling.random_pairs import random_pairs
from tests.scheduler_core.checker.coscheduling.random_shares import random_shares
from tests.scheduler_core.checker.coscheduling.share_mutations import SHARE_MUTATIONS
from tests.scheduler_core.checker.coscheduling.shared_processors import random_workload
from tests.scheduler_core.checker.slices.broken_slices import table

PAIRS = {
    "response": {},
    "utilisation": {"profit": "utilisation_1"},
    "above": {"match": "above", "profit": "utilisation_2", "profit_above": 0.1},
    "first": {"match": "first", "slowdown": "unshared_counted", "max_slowdown": 2.0},
    "any": {"match": "always"},
    "alone": {"match": "none"},
    "standard": {"cpu": "standard"},
    "errs": {"model_error": 0.5, "error_side": "slower", "profit": "utilisation_2"},
    "suspends": {"model_error": 0.6, "preempt_above": 1.2},
    "measured": {"slowdown": "table", "memory_conflict": "replace"},
}

SHARES = {
    "shares": {"at_once": 3},
    "off": {"at_once": 3, "reclaim": "off"},
    "full": {"at_once": 2, "reclaim": "alone"},
    "effective": {"at_once": 3, "accounting": "effective", "reclaim": "off"},
    "table": {"at_once": 3, "slowdown": "table"},
    "equal": {"at_once": 2, "assignment": "equal"},
}


@cache
def made(kind):
    """Return a workload and a legal schedule of it."""
    workload = random_workload(4, jobs=90)
    draw = random_pairs if kind in PAIRS else random_shares
    return workload, draw(workload, 5, **{**PAIRS, **SHARES}[kind])


MUTATIONS = PAIR_MUTATIONS | SHARE_MUTATIONS

SEEN_BY_SEVERAL = {  # mutations that break more than one rule
    "a start before submission",
    "a row twice",
    "a processor fewer",
    "a job ends later than its work",
    "unshared resources are counted",
    "a processor there is not",
    "a third job on the processors of a pair",
    "pairs of a policy that forms none",
    "a holder goes on as if alone",
    "other processors in a later row",
    "a partner beside its holder",
    "paired jobs are short",
    "a pair needs more memory than there is",
    "a suspended partner goes on later than it might",
    "a pair is recorded before it was formed",
    "partners in backfilling of a policy that looks for none",
    "jobs that need more than there is",
    "jobs that need more than there is when slowed down",
    "all have the same share",
    "a share below the one promised",
}


@pytest.mark.parametrize("kind", [*PAIRS, *SHARES])
def test_the_unbroken_schedules_are_legal(kind):
    certificate = check(*made(kind))
    assert certificate.legal, certificate.describe()
    assert {finding.rule for finding in certificate.findings} == set(RULES)


def test_no_rule_is_idle():
    checked = {
        finding.rule for kind in ("suspends", "shares") for finding in check(*made(kind)).findings if finding.checked
    }
    assert checked == set(RULES)


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_mutation_is_found(name):
    rule, kind, mutate = MUTATIONS[name]
    found = broken_rules(*mutate(*made(kind)))
    assert rule in found
    assert name in SEEN_BY_SEVERAL or found == {rule}


def test_every_rule_has_a_mutation():
    assert {rule for rule, _, _ in MUTATIONS.values()} == set(RULES)


@pytest.mark.parametrize("name", ["matches", "offers"])
def test_both_tables_are_needed(name):
    workload, schedule = made("response")
    with pytest.raises(ContractError, match=f"{name} table: column 'slowdown_ppm' is missing"):
        check(workload, table(schedule, name, schedule.tables[name].drop("slowdown_ppm")))
