"""Hand-worked schedules of the grid on a cluster in slices."""

from tests.oracles.grid.workload import Site
from tests.scheduler_core.grid.ways import GridScenario, Worked
from tests.scheduler_core.scenario import asked, scenario

SLICES = (
    "interval_s=40, switch_s=1, short_slice_s=5, share_medium=0.4, share_long=0.4, short_limit_s=2.5, medium_limit_s=12"
)


REBOOKED = f"{SLICES}, reservations='rebooked'"


@scenario
def slot_that_is_reached_before_its_data_are_there() -> GridScenario:
    """A slot that is made anew where it is reached in vain (``rebooked``).

    A chain of two medium tasks (10 s and 8 s, all processors of the only cluster), submitted at 0 as an interval begins.

    Without short jobs a medium slice works from 1 to 20 and from 41 to 60; in the worst case it works for 16 s, from 7 or 47
    on. So task 1 is predicted to run from 7 to 17. Task 2 is expected to have its data at 17, when in the worst case the clock
    shows 10 s: its slot is from 10 s to 18 s, from 17 to 49. Its EST is 17 - 8 - 4 x 0.025 x 17 = 7.3.

    Really the slice works from 1 on: task 1 is done at 11, and the clock shows 10 s. As this is before the bound of task 2, its
    slot is made anew, at the clock that time 17 has now at the least, 16 s: 3 s until 20 and 5 s from 47 on, in the worst
    case. Then the task is released. With slack it may start at once. Without, it waits until 17, runs 3 s, is suspended, and goes
    on for 5 s: from 21 on in the idle long slice, or if that is not lent from 41 on.
    """
    missed = ((0, 17, 49, "booked"), (11, 17, 52, "not_ready"))
    pulled = (*missed, (11, 11, 19, "freed"))
    return GridScenario(
        processors=4,
        jobs=(asked(0, 10, 4), asked(0, 8, 4)),
        schedules={
            f"grid({REBOOKED})": Worked(
                ((0, 1, 11), (0, 11, 19)),
                {1: (0, 0, 7, 17, 17), 2: (7.3, 17, 17, 49, 49)},
                {1: ((0, 7, 17, "booked"),), 2: pulled},
                {"lost_slots": 1, "slides_up": 1, "slides_down": 0, "late_tasks": 0, "predictions": 2, "slices": 2},
            ),
            f"grid({REBOOKED}, slpa=0, maf=0)": Worked(
                ((0, 1, 11), (0, 17, 26)), {2: (17, 17, 17, 49, 49)}, {2: missed}, {"lost_slots": 1, "late_tasks": 0}
            ),
            f"grid({REBOOKED}, slpa=0, maf=0, smart=False)": Worked(((0, 1, 11), (0, 17, 46)), {}, {2: missed}),
            f"grid({REBOOKED}, slpa=0, maf=0, propagation=True)": Worked(
                ((0, 1, 11), (0, 11, 19)), {2: (17, 17, 17, 49, 49)}, {2: pulled}
            ),
        },
        sites=(Site(4),),
        workflows=(((1, 2), {(1, 2): 5}),),
    )


@scenario
def place_in_the_order_of_a_slot_that_is_reached_early() -> GridScenario:
    """The chain of the scenario above, and a medium job (9 s, all processors) submitted at 2; nothing is lent.

    The slot of task 2 is from 10 s to 18 s of the clock, and at 11 the clock is there.

    Rebooked: job 3 has had its reservation at 18 s. The slot of task 2 is made anew at 27 s, behind it, which is 8 s into the
    next slice: from 55 to 63. So job 3 moves up to 10 s and starts at 11, and task 2 to 19 s, from 47 on in the worst case. It
    is released too late, and starts at 41.

    Recalculated: since the interval was laid out time 17 is 16 s of the clock: the slot of task 2 moves there, 3 s until
    20 and 5 s from 47 on. Job 3, which takes 9 s, does not fit before it, and stays behind it. At 11 task 2 is released, and has
    the first place: it starts at once. Job 3 starts when it is done, runs from 19 to 20, and goes on from 41.

    Kept: the slot stays at 10 s, where task 2 starts at 11.
    """
    early = ((0, 1, 11), (0, 11, 19), (0, 19, 49))
    booked = (0, 17, 49, "booked")
    return GridScenario(
        processors=4,
        jobs=(asked(0, 10, 4), asked(0, 8, 4), asked(2, 9, 4)),
        schedules={
            f"grid({SLICES}, smart=False, reservations='recalculated')": Worked(
                early,
                {1: (0, 0, 7, 17, 17), 2: (7.3, 17, 17, 49, 49)},
                {2: (booked, (1, 17, 52, "recalculated"), (11, 11, 19, "freed"))},
                {"lost_slots": 0, "slides_up": 1, "slides_down": 0, "backfilled": 0},
            ),
            f"grid({SLICES}, smart=False, reservations='kept')": Worked(
                early, {2: (7.3, 17, 17, 49, 49)}, {2: (booked,)}, {"lost_slots": 0, "slides_up": 0, "slides_down": 0}
            ),
            f"grid({REBOOKED}, smart=False)": Worked(
                ((0, 1, 11), (0, 41, 49), (0, 11, 20)),
                {2: (7.3, 17, 17, 49, 49)},
                {2: (booked, (11, 55, 63, "not_ready"), (11, 47, 55, "room"))},
                {"lost_slots": 1, "slides_up": 1, "slides_down": 1, "backfilled": 1},
            ),
        },
        homes={3: 0},
        sites=(Site(4),),
        workflows=(((1, 2), {(1, 2): 5}),),
    )


@scenario
def processors_that_idle_for_a_kept_slot() -> GridScenario:
    """The chain without slack, and a medium job of 5 s submitted at 2; nothing is lent.

    Task 2 may not start before its EST, 17. The clock comes to its slot, at 10 s, at 11.

    Recalculated, the slot has been at 16 s since 1, and job 3 fits before it: from 11 to 16. Task 2 runs from 17 to 20 and from
    41 to 46. Kept, the slot stands at 10 s when job 3 comes, which takes its place behind it. From 11 to 17 nothing runs: the
    slot waits at the clock. Task 2 starts at 17 all the same, and job 3 when it is done, at 46.
    """
    booked = (0, 17, 49, "booked")
    return GridScenario(
        processors=4,
        jobs=(asked(0, 10, 4), asked(0, 8, 4), asked(2, 5, 4)),
        schedules={
            f"grid({SLICES}, smart=False, slpa=0, maf=0, reservations='recalculated')": Worked(
                ((0, 1, 11), (0, 17, 46), (0, 11, 16)),
                {2: (17, 17, 17, 49, 49)},
                {2: (booked, (1, 17, 52, "recalculated"))},
                {"lost_slots": 0, "slides_up": 0, "slides_down": 0, "backfilled": 1},
            ),
            f"grid({SLICES}, smart=False, slpa=0, maf=0, reservations='kept')": Worked(
                ((0, 1, 11), (0, 17, 46), (0, 46, 51)),
                {2: (17, 17, 17, 49, 49)},
                {2: (booked,)},
                {"lost_slots": 0, "slides_up": 0, "slides_down": 0, "backfilled": 0},
            ),
        },
        homes={3: 0},
        sites=(Site(4),),
        workflows=(((1, 2), {(1, 2): 5}),),
    )
