"""Backfilling that delays no earlier job, with queues long enough that most of the plan is never made."""

import random

import pytest

from scheduler_core.declarations.policy import get_policy
from tests.oracles.job import Job
from tests.scheduler_core.examples import Case
from tests.scheduler_core.gang.ways import WAYS
from tests.scheduler_core.subjects import assert_same

CLASSES = {"short": (1, 6, 8), "medium": (4, 30, 2), "long": (20, 80, 1)}
"""Shortest and longest run time in ticks, and by what the machine is divided for the largest size."""


def crowd(choose: random.Random, processors: int, tick: int) -> list[Job]:
    """Draw jobs that come faster than they can be served: short ones fit almost anywhere, long ones almost nowhere."""
    jobs, now, gap = [], 0, choose.choice((0, 1, 3))
    for number in range(1, 61):
        now += choose.randint(0, gap) * tick
        name = choose.choice([*CLASSES])
        least, most, part = CLASSES[name]
        runtime = choose.randint(least, most) * tick
        estimate = runtime if choose.random() < 0.7 else choose.randint(least, most + 5) * tick
        size = choose.randint(1, max(1, processors // part))
        flexibility = choose.choice(("rigid", "moldable", "malleable"))
        jobs.append(Job(number, now, runtime, estimate, size, flexibility, job_class=name))
    return jobs


@pytest.mark.parametrize("seed", range(56, 72))
def test_long_queues_are_served_as_if_all_of_them_were_planned(seed: int) -> None:
    choose = random.Random(seed)
    processors, tick = choose.choice((4, 8, 16, 64)), choose.choice((1, 1_000_000))
    policy = get_policy(
        "scojo",
        backfill="all",
        backfill_depth=choose.choice(("all", "all", 5, 20)),
        level=choose.choice((1, 2, 5)),
        queue=choose.choice(("fcfs", "priority")),
        aging_s=choose.choice(("off", 30 * tick / 1e6)),
        sizing=choose.choice(("load", "optimum", "load_at_start")),
        eliminate_fragmentation=choose.choice((True, False)),
        slice_s=choose.choice((0, 2)) * tick / 1e6,
        reconfiguration_s=choose.choice((0, 5)) * tick / 1e6,
    )
    case = Case(crowd(choose, processors, tick), processors, policy)
    found = WAYS.engine(case)
    assert_same(found, WAYS.oracle(case))
    assert found.counters["backfilled"] > 0
