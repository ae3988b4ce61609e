"""Every value of a schedule is proved, or certificates name its column: one value at a time is forged in runs of each family."""

import pytest

from scheduler_core.checker import check
from scheduler_core.common.errors import ContractError
from scheduler_core.declarations.families import family
from tests.profiles import PROFILE
from tests.scheduler_core.checker.broken_schedules import with_counters
from tests.scheduler_core.checker.forgeries import forged, names_of
from tests.scheduler_core.checker.test_mutations import FAMILIES

ENOUGH = 2 if PROFILE == "thorough" else 1
"""Forged values of a column that rules determine."""


def accepted(workload, schedule):
    """Return whether the checker finds a schedule legal; it may also refuse it with a sentence."""
    try:
        return check(workload, schedule).legal
    except ContractError:
        return False


def forgeries(name, column):
    """Yield workloads and schedules of all kinds of a family with another value of a column or counter."""
    for kind in FAMILIES[name].KINDS:
        workload, schedule = FAMILIES[name].made(kind)
        yield from ((workload, each) for each in forged(schedule, column))


@pytest.mark.parametrize(
    ("name", "column"),
    [(name, column) for name in FAMILIES for column in names_of(family(name)) if column not in family(name).unproved],
)
def test_a_forged_value_is_found(name, column):
    tried = list(forgeries(name, column))
    chosen = tried[:: max(1, len(tried) // ENOUGH)]
    assert not any(accepted(*each) for each in chosen)


@pytest.mark.parametrize(("name", "column"), [(name, column) for name in FAMILIES for column in family(name).unproved])
def test_what_certificates_name_as_not_checked_is_not(name, column):
    assert column in names_of(family(name))
    assert any(accepted(*each) for each in forgeries(name, column)), "rules determine it; it need not be named"


@pytest.mark.parametrize("name", FAMILIES)
def test_a_counter_that_the_family_has_not_is_refused(name):
    workload, schedule = FAMILIES[name].made(next(iter(FAMILIES[name].KINDS)))
    with pytest.raises(ContractError, match="there is no counter 'wishes'"):
        check(workload, with_counters(schedule, wishes=3))
