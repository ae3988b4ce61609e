"""Hand-worked schedules of the grid on a cluster in slices."""

from tests.oracles.grid.workload import Site
from tests.scheduler_core.grid.ways import GridScenario, Worked
from tests.scheduler_core.scenario import asked, scenario

SLICES = (
    "interval_s=40, switch_s=1, short_slice_s=5, share_medium=0.4, share_long=0.4, short_limit_s=2.5, medium_limit_s=12"
)


@scenario
def slot_that_is_reached_before_its_data_are_there() -> GridScenario:
    """A chain of two medium tasks (10 s and 8 s, all processors of the only cluster), submitted at 0 as an interval begins.

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
            f"grid({SLICES})": Worked(
                ((0, 1, 11), (0, 11, 19)),
                {1: (0, 0, 7, 17, 17), 2: (7.3, 17, 17, 49, 49)},
                {1: ((0, 7, 17, "booked"),), 2: pulled},
                {"lost_slots": 1, "slides_up": 1, "slides_down": 0, "late_tasks": 0, "predictions": 2, "slices": 2},
            ),
            f"grid({SLICES}, slpa=0, maf=0)": Worked(
                ((0, 1, 11), (0, 17, 26)), {2: (17, 17, 17, 49, 49)}, {2: missed}, {"lost_slots": 1, "late_tasks": 0}
            ),
            f"grid({SLICES}, slpa=0, maf=0, smart=False)": Worked(((0, 1, 11), (0, 17, 46)), {}, {2: missed}),
            f"grid({SLICES}, slpa=0, maf=0, propagation=True)": Worked(
                ((0, 1, 11), (0, 11, 19)), {2: (17, 17, 17, 49, 49)}, {2: pulled}
            ),
        },
        sites=(Site(4),),
        workflows=(((1, 2), {(1, 2): 5}),),
    )
