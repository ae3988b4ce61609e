"""Schedules of gangs, and the mutations of them."""

from functools import cache

from scheduler_core.checker.gang.rules import RULES
from scheduler_core.contracts import Machine
from tests.scheduler_core.checker.broken_schedules import by_name
from tests.scheduler_core.checker.gang.adaptation_mutations import ADAPTATION_MUTATIONS
from tests.scheduler_core.checker.gang.gang_mutations import GANG_MUTATIONS
from tests.scheduler_core.checker.gang.random_gang import random_gang, random_workload
from tests.scheduler_core.checker.gang.turn_mutations import TURN_MUTATIONS

__all__ = ["ALONE", "IDLE", "KINDS", "MUTATIONS", "RULES", "made"]

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


MUTATIONS = by_name(GANG_MUTATIONS, TURN_MUTATIONS, ADAPTATION_MUTATIONS)
ALONE = IDLE = frozenset()
