"""Schedules of jobs that share processors, and the mutations of them."""

from functools import cache

from scheduler_core.checker.coscheduling.rules import RULES
from tests.scheduler_core.checker.broken_schedules import by_name
from tests.scheduler_core.checker.coscheduling.pair_mutations import PAIR_MUTATIONS
from tests.scheduler_core.checker.coscheduling.random_pairs import random_pairs
from tests.scheduler_core.checker.coscheduling.random_shares import random_shares
from tests.scheduler_core.checker.coscheduling.share_mutations import SHARE_MUTATIONS
from tests.scheduler_core.checker.coscheduling.shared_processors import random_workload

__all__ = ["ALONE", "IDLE", "KINDS", "MUTATIONS", "RULES", "made"]

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
KINDS = PAIRS | SHARES
IDLE = frozenset()


@cache
def made(kind):
    """Return a workload and a legal schedule of it."""
    workload = random_workload(4, jobs=90)
    draw = random_pairs if kind in PAIRS else random_shares
    return workload, draw(workload, 5, **KINDS[kind])


MUTATIONS = by_name(PAIR_MUTATIONS, SHARE_MUTATIONS)

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

ALONE = set(MUTATIONS) - SEEN_BY_SEVERAL
