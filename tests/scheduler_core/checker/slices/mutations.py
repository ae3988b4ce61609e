"""Schedules in slices of classes, and the mutations of them."""

from functools import cache

from scheduler_core.checker.slices.rules import RULES
from tests.scheduler_core.checker.broken_schedules import by_name
from tests.scheduler_core.checker.slices.group_mutations import GROUP_MUTATIONS
from tests.scheduler_core.checker.slices.promise_mutations import PROMISE_MUTATIONS
from tests.scheduler_core.checker.slices.random_slices import random_slices, random_workload
from tests.scheduler_core.checker.slices.slice_mutations import SLICE_MUTATIONS

__all__ = ["ALONE", "IDLE", "KINDS", "MUTATIONS", "RULES", "made"]

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


MUTATIONS = by_name(SLICE_MUTATIONS, PROMISE_MUTATIONS, GROUP_MUTATIONS)
IDLE = frozenset()

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
