"""Small runs of Concurrent Gang, traced from begin to end, which the oracle makes, and the mutations of them."""

from functools import cache

from scheduler_core.checker.concurrent_gang.rules import RULES
from scheduler_core.declarations.policy import get_policy
from tests.scheduler_core.checker.broken_schedules import by_name
from tests.scheduler_core.checker.concurrent_gang.traced_mutations import TRACED_MUTATIONS
from tests.scheduler_core.checker.oracle_runs import by_oracle
from tests.scheduler_core.concurrent_gang.draws import draw_jobs
from tests.scheduler_core.examples import Case, SeededChooser

__all__ = ["ALONE", "IDLE", "KINDS", "MUTATIONS", "RULES", "made"]

PROCESSORS, JOBS, SEED = 4, 14, 7

SCALE = {"slice_ms": 2.5, "switch_us": 100.0, "trace_s": 10.0, "sums_s": 0.02, "statements": 1}
"""Parameters on the time scale of the jobs; the trace is of the whole run."""

MEASURED = {"classifier": "bayes", "priority": "io_less_communication", "beta": 0.3, "delta_switches": 1.0}

KINDS = {
    "priorities": {},
    "boosted": {"beta": 0.3, "resume_owner": True},
    "not boosted": {"boost": False},
    "turns": {"local": "round_robin", "classifier": "none"},
    "alone": {"gang": False, "local": "round_robin", "classifier": "none"},
    "gang": {"local": "none", "classifier": "none", "waiting": "spin"},
    "controlled": {**MEASURED, "waiting": "controlled", "tasks_per_processor": 3},
    "filled": {**MEASURED, "fill": "intelligent"},
    "controllers": {"front": "dhc", "fill": "alternative", "local": "none", "classifier": "none", "waiting": "spin"},
    "cut": {"until_s": 0.03},
    "barriers": {},
}

DRAWN = {"barriers": "barriers"}
"""What jobs are drawn for a kind of run: those of all applications, unless it is here."""


@cache
def made(kind):
    """Return a workload and a legal schedule of it."""
    jobs = draw_jobs(SeededChooser(SEED), DRAWN.get(kind, "mixed"), PROCESSORS, JOBS)
    return by_oracle(Case(jobs, PROCESSORS, get_policy("concurrent_gang", **SCALE, **KINDS[kind])))


MUTATIONS = by_name(TRACED_MUTATIONS)
ALONE = IDLE = frozenset()
