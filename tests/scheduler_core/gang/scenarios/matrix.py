"""Hand-worked schedules of gang scheduling: the matrix, the slot clock and the slice boundaries.

Figures are those of Huang 2004, chapter 6; numbers of jobs there start at 0, here at 1.
"""

from tests.scheduler_core.gang.ways import Worked
from tests.scheduler_core.scenario import Scenario, asked, scenario


@scenario
def figure_6_2() -> Scenario:
    """A job is never split over slots: 4 processors are not to be had beside 8 of 10. (Figure 6-2.)

    Two slots at half the time each: 10 s of work take 20. At level 1 the second waits instead.
    """
    return Scenario(
        processors=10,
        jobs=(asked(0, 10, 8), asked(0, 10, 4)),
        schedules={
            "gang(slice_s=0)": Worked(
                times=((0, 20), (0, 20)),
                matrices={0: ("11111111..", "2222......")},
                levels=((0, 20, 2),),
                counters={
                    "passes": 2,
                    "slots_opened": 2,
                    "busy_us": 120_000_000,
                    "idle_us": 80_000_000,
                    "normal_us": 20_000_000,
                },
            ),
            "gang(slice_s=0, level=1)": Worked(
                times=((0, 10), (10, 20)),
                levels=((0, 20, 1),),
                counters={"passes": 3, "slots_opened": 2, "busy_us": 120_000_000, "idle_us": 80_000_000},
            ),
        },
    )


@scenario
def figure_6_8() -> Scenario:
    """First fit of sizes 6, 4, 2, 6, 2, 4, 8 on 10 processors.

    The figure draws the fifth job in the third slot; first fit, as section 6.10 has it, puts it in the second.
    """
    return Scenario(
        processors=10,
        jobs=tuple(asked(0, 10, size) for size in (6, 4, 2, 6, 2, 4, 8)),
        schedules={
            "gang(slice_s=0, level=4)": Worked(
                times=((0, 40),) * 7,
                matrices={0: ("1111112222", "3344444455", "6666......", "77777777..")},
                counters={"slots_opened": 4, "busy_us": 320_000_000, "idle_us": 80_000_000},
            )
        },
    )


@scenario
def figure_6_9() -> Scenario:
    """Processors need not be contiguous: job 3 leaves, and job 5 takes its two and the last two of the slot.

    Job 3's 5 s of work are done at 10, for two slots take turns.
    """
    return Scenario(
        processors=10,
        jobs=(asked(0, 20, 6), asked(0, 20, 4), asked(0, 5, 2), asked(0, 20, 6), asked(10, 5, 4)),
        schedules={
            "gang(slice_s=0)": Worked(
                times=((0, 40), (0, 40), (0, 10), (0, 40), (10, 20)),
                matrices={0: ("1111112222", "33444444.."), 10: ("1111112222", "5544444455")},
                levels=((0, 40, 2),),
            )
        },
    )


@scenario
def dilation() -> Scenario:
    """Two jobs of 50 s and 100 s, each as wide as the machine.

    Half the time each until the first is done at 100; then the other's speed doubles. With switches that slow progress
    by a tenth, each slot gets 1 / 2.2 of the time, and the first is done at 110; by a quarter, 1 / 2.5, at 125.
    """
    return Scenario(
        processors=4,
        jobs=(asked(0, 50, 4), asked(0, 100, 4)),
        schedules={
            "gang(slice_s=0)": Worked(((0, 100), (0, 150)), levels=((0, 100, 2), (100, 150, 1))),
            "gang(slice_s=0, switch_slows=True)": Worked(((0, 110), (0, 160)), levels=((0, 110, 2), (110, 160, 1))),
            "gang(slice_s=0, switch_slows=True, switch_cost=0.25)": Worked(((0, 125), (0, 175))),
        },
    )


@scenario
def slot_numbers() -> Scenario:
    """A new slot takes the lowest number not in use but comes last: job 5 goes to slot 1, which is the older one.

    Three slots: job 1 is done on the slot clock at 2, which is 6. Slot 0 is gone, and at 7 job 4 opens a new slot
    0, clock 2.5. Job 5 (2 processors) looks at slot 1 first. Three slots from 7 on: the clock is at 2.5 + 7.5 = 10 at
    29.5; with one slot from then on, job 5 ends at 12.5, which is 32. Jobs 4 and 5 begin both at 2.5.
    """
    return Scenario(
        processors=4,
        jobs=(asked(0, 2, 4), asked(0, 10, 2), asked(0, 10, 3), asked(7, 10, 4), asked(7, 10, 2)),
        schedules={
            "gang(slice_s=0)": Worked(
                times=((0, 6), (0, 29.5), (0, 29.5), (7, 34.5), (7, 34.5)),
                matrices={0: ("1111", "22..", "333."), 6: ("....", "22..", "333."), 7: ("4444", "2255", "333.")},
                levels=((0, 6, 3), (6, 7, 2), (7, 29.5, 3), (29.5, 34.5, 2)),
                counters={"slots_opened": 4},
            )
        },
    )


@scenario
def slice_boundaries() -> Scenario:
    """Job 1 ends at 3.1, within a slice; job 2 gets its processors at the next boundary, 4. Job 3 comes at 6.5.

    The processors of a job that has finished are idle until the boundary, but the job's finish is exact.
    """
    jobs = (asked(0, 3.1, 4), asked(1, 2, 4), asked(6.5, 1, 1))
    return Scenario(
        processors=4,
        jobs=jobs,
        schedules={
            "gang(level=1, slice_s=2)": Worked(
                times=((0, 3.1), (4, 6), (8, 9)),
                matrices={3: ("1111",), 3.5: (), 4: ("2222",)},
                levels=((0, 6, 1), (6, 8, 0), (8, 9, 1)),
                counters={
                    "passes": 6,
                    "busy_us": 4 * 5_100_000 + 1_000_000,
                    "idle_us": 3_600_000 + 8_000_000 + 3_000_000,
                },
            ),
            "gang(level=1, slice_s=0)": Worked(((0, 3.1), (3.1, 5.1), (6.5, 7.5))),
            "gang(level=1, slice_s=3)": Worked(((0, 3.1), (6, 8), (9, 10))),
        },
    )


@scenario
def slices_grow_as_slots_become_fewer() -> Scenario:
    """With two slots of at most five a slice of 2 s lasts 5, so that a cycle stays; with three 3.333333, with four 2.5.

    Scaled: job 3 (3.1) is placed at 5 and job 4 (6) at 8.333333. The slot clock is then 2.5 + 1.111111 = 3.611111;
    jobs 1 and 2 need 6.388889 more, at a quarter of the time 25.555556. They leave at 8.333333 + 11 x 2.5 =
    35.833333 (clock 10.486111). Job 3 ends at 12.5 on the clock, leaves at 40.833333 (clock 12.986111); job 4 ends at
    13.611111.

    Fixed: placed at 4 (clock 2) and 6 (2.666666: 2 s at a third). Jobs 1 and 2: 7.333334 x 4 = 29.333336 later, they
    leave at 36 (clock 10.166666). Job 3: 12 - 10.166666 at half the time ends at 39.666668, leaves at 40 (clock
    12.166666); job 4 ends at 12.666666.
    """
    return Scenario(
        processors=4,
        jobs=(asked(0, 10, 4), asked(0, 10, 4), asked(3.1, 10, 4), asked(6, 10, 4)),
        schedules={
            "gang(level=5, slice_s=2)": Worked(
                times=((0, 33.888889), (0, 33.888889), (5, 39.861111), (8.333333, 41.458333)),
                levels=(
                    *((0, 5, 2), (5, 8.333333, 3), (8.333333, 35.833333, 4)),
                    *((35.833333, 40.833333, 2), (40.833333, 41.458333, 1)),
                ),
                counters={"passes": 6},
            ),
            'gang(level=5, slice_s=2, slice="fixed")': Worked(
                times=((0, 35.333336), (0, 35.333336), (4, 39.666668), (6, 40.5)),
                levels=((0, 4, 2), (4, 6, 3), (6, 36, 4), (36, 40, 2), (40, 40.5, 1)),
            ),
        },
    )


@scenario
def killed_at_the_estimate() -> Scenario:
    """Job 1 asks for 10 s and says 4: it is killed after 4 s of slot clock. Job 2 is wider than the machine."""
    return Scenario(
        processors=4,
        jobs=(asked(0, 10, 4, estimate=4), asked(0, 1, 5), asked(0, 3, 1)),
        schedules={"gang(slice_s=0)": Worked(((0, 7), None, (0, 6)), counters={"passes": 3, "slots_opened": 2})},
    )


@scenario
def variable_partitioning() -> Scenario:
    """Space sharing, first come first served (da Silva 2000, section 3.2.1): job 3 fits at 2 but waits behind job 2."""
    return Scenario(
        processors=4,
        jobs=(asked(0, 4, 3), asked(1, 2, 2), asked(2, 1, 1)),
        schedules={
            "variable_partitioning()": Worked(((0, 4), (4, 6), (4, 5)), levels=((0, 6, 1),)),
            'variable_partitioning(backfill="greedy")': Worked(((0, 4), (4, 6), (2, 3)), counters={"backfilled": 1}),
        },
    )


@scenario
def simple_gang() -> Scenario:
    """Each job has a slot of its own (da Silva 2000, section 4.3.2): four jobs of 1 s on one processor take 4 s."""
    return Scenario(
        processors=4,
        jobs=(asked(0, 1, 1),) * 4,
        schedules={
            "simple_gang(slice_s=0)": Worked(((0, 4),) * 4, matrices={0: ("1...", "2...", "3...", "4...")}),
            'simple_gang(slice_s=0, packing="first_fit")': Worked(((0, 1),) * 4, matrices={0: ("1234",)}),
        },
    )
