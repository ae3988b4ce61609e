"""Hand-worked schedules of gang scheduling: priorities, aging and backfilling (Huang 2004, sections 6.7 and 6.11)."""

from tests.scheduler_core.gang.ways import Worked
from tests.scheduler_core.scenario import Scenario, asked, scenario

ONE = "level=1, slice_s=0"


@scenario
def priorities_and_aging() -> Scenario:
    """One processor, one slot: a long job waits since 1, a short one since 2, a medium one since 3; at 10 one may start.

    Aging by 4 s: at 10 the long job (waited 9) has 0 + 2 x 5 = 10, as the short one, and the medium one 5 + 5 = 10:
    first come first served. By 8: the long one has 5 at 10, the others 10 and 5; at 15 the long one 5, the
    medium one 5 + 5 = 10.
    """
    jobs = (
        asked(0, 10, 1, job_class="long"),
        asked(1, 5, 1, job_class="long"),
        asked(2, 5, 1, job_class="short"),
        asked(3, 5, 1, job_class="medium"),
    )
    return Scenario(
        processors=1,
        jobs=jobs,
        schedules={
            f"gang({ONE})": Worked(((0, 10), (10, 15), (15, 20), (20, 25))),
            f'gang({ONE}, queue="priority")': Worked(((0, 10), (20, 25), (10, 15), (15, 20))),
            f'gang({ONE}, queue="priority", aging_s=4)': Worked(((0, 10), (10, 15), (15, 20), (20, 25))),
            f'gang({ONE}, queue="priority", aging_s=8)': Worked(((0, 10), (20, 25), (10, 15), (15, 20))),
            f'gang({ONE}, queue="priority", aging_s=9)': Worked(((0, 10), (20, 25), (10, 15), (15, 20))),
        },
    )


@scenario
def classes_by_estimate() -> Scenario:
    """Where no class is given the estimate tells it; limits included.

    Estimates 5, 4, 3. Short up to 3, medium up to 4: 4, then 3, then 2. Short up to 4: jobs 3 and 4 are
    both short and job 3 came first. Nothing short, medium up to 5: all are equal.
    """
    jobs = (asked(0, 10, 1), asked(1, 5, 1), asked(2, 4, 1), asked(3, 3, 1))
    return Scenario(
        processors=1,
        jobs=jobs,
        schedules={
            f'gang({ONE}, queue="priority", short_limit_s=3, medium_limit_s=4)': Worked(
                ((0, 10), (17, 22), (13, 17), (10, 13))
            ),
            f'gang({ONE}, queue="priority", short_limit_s=4, medium_limit_s=4)': Worked(
                ((0, 10), (17, 22), (10, 14), (14, 17))
            ),
            f'gang({ONE}, queue="priority", short_limit_s=3, medium_limit_s=5)': Worked(
                ((0, 10), (13, 18), (18, 22), (10, 13))
            ),
        },
    )


@scenario
def backfilling_in_one_slot() -> Scenario:
    """Job 1 holds 3 of 5 processors until 4; job 2 needs 4 and is the blocked head, job 3 needs all, 4 and 5 one each.

    ``head``: job 2's shadow is 4, one processor is extra, and job 4 takes it at 1; job 5 may not (extra is 0). Job 3
    is put off to 10. ``all``: job 3 is planned for 6, and no 9 s fit before it. ``greedy``: both start, and job 2
    waits until 10.
    """
    return Scenario(
        processors=5,
        jobs=(asked(0, 4, 3), asked(1, 2, 4), asked(1, 3, 5), asked(1, 9, 1), asked(2, 9, 1)),
        schedules={
            f"gang({ONE})": Worked(((0, 4), (4, 6), (6, 9), (9, 18), (9, 18)), counters={"backfilled": 0}),
            f'gang({ONE}, backfill="head")': Worked(
                ((0, 4), (4, 6), (10, 13), (1, 10), (13, 22)), counters={"backfilled": 1}
            ),
            f'gang({ONE}, backfill="all")': Worked(((0, 4), (4, 6), (6, 9), (9, 18), (9, 18))),
            f'gang({ONE}, backfill="greedy")': Worked(
                ((0, 4), (10, 12), (12, 15), (1, 10), (2, 11)), counters={"backfilled": 2}
            ),
        },
    )


@scenario
def depth_of_the_plan() -> Scenario:
    """Job 4 would fit beside job 1 until job 2 starts at 4; it is the third of the queue."""
    return Scenario(
        processors=4,
        jobs=(asked(0, 4, 3), asked(1, 2, 4), asked(1, 3, 4), asked(1, 3, 1)),
        schedules={
            f'gang({ONE}, backfill="all")': Worked(((0, 4), (4, 6), (6, 9), (1, 4)), counters={"backfilled": 1}),
            f'gang({ONE}, backfill="all", backfill_depth=3)': Worked(((0, 4), (4, 6), (6, 9), (1, 4))),
            f'gang({ONE}, backfill="all", backfill_depth=2)': Worked(((0, 4), (4, 6), (6, 9), (9, 12))),
        },
    )


@scenario
def backfilling_in_two_slots() -> Scenario:
    """The head (job 3, at 1) waits for slot 1, whose job ends first; slot 0 is free for any job behind it.

    Clock 0.5 at 1, 2 at 4: job 3 then has a new slot 1. It ends at 5 on the clock, at 10; job 1 at 6, at 11.
    Job 4, placed at 1, ends at 9.5: at 14.5. Placed at 4 behind job 3, it ends at 11: at 16.
    """
    return Scenario(
        processors=4,
        jobs=(asked(0, 6, 3), asked(0, 2, 4), asked(1, 3, 4), asked(1, 9, 1)),
        schedules={
            "gang(level=2, slice_s=0)": Worked(((0, 11), (0, 4), (4, 10), (4, 16))),
            'gang(level=2, slice_s=0, backfill="head")': Worked(
                times=((0, 11), (0, 4), (4, 10), (1, 14.5)),
                matrices={1: ("1114", "2222"), 4: ("1114", "3333")},
                levels=((0, 10, 2), (10, 14.5, 1)),
                counters={"backfilled": 1, "slots_opened": 3},
            ),
            'gang(level=2, slice_s=0, backfill="all")': Worked(((0, 11), (0, 4), (4, 10), (1, 14.5))),
        },
    )


@scenario
def backfilling_by_estimates() -> Scenario:
    """Job 1 says 8 s and takes 4. To the scheduler the shadow is 8: job 3 (6 s from 1 on) is let in, and delays job 2."""
    return Scenario(
        processors=4,
        jobs=(asked(0, 4, 3, estimate=8), asked(1, 2, 4), asked(1, 6, 1)),
        schedules={
            f"gang({ONE})": Worked(((0, 4), (4, 6), (6, 12))),
            f'gang({ONE}, backfill="head")': Worked(((0, 4), (7, 9), (1, 7))),
            f'gang({ONE}, backfill="all")': Worked(((0, 4), (7, 9), (1, 7))),
        },
    )
