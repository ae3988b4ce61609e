"""Hand-worked schedules of gang scheduling: packing, memory, re-packing and filling (da Silva 2000, chapters 4 and 5)."""

from tests.scheduler_core.gang.ways import Worked
from tests.scheduler_core.scenario import Scenario, asked, scenario

FFD = 'gang(packing="first_fit_decreasing", level="unlimited", slice_s=0)'
FFD_FILL = 'gang(packing="first_fit_decreasing", level="unlimited", slice_s=0, fill=True)'


@scenario
def best_fit() -> Scenario:
    """Slots with 4 and 3 processors free (section 5.3.1): the first fits a job of 3, the second fits it best.

    All end at 20 on the wall, 10 on the clock, as two slots take turns.
    """
    return Scenario(
        processors=10,
        jobs=(asked(0, 10, 6), asked(0, 10, 7), asked(0, 10, 3)),
        schedules={
            "gang(slice_s=0)": Worked(((0, 20),) * 3, matrices={0: ("111111333.", "2222222...")}),
            'gang(slice_s=0, packing="best_fit")': Worked(((0, 20),) * 3, matrices={0: ("111111....", "2222222333")}),
        },
    )


@scenario
def migration() -> Scenario:
    """Job 1 leaves at 8; jobs 2 and 3 now fit in one slot, but are in two (section 5.3.4).

    Without migration they stay: job 4 (at 10) makes three slots. Clock 4 at 8, 5 at 10; job 4 ends at 8, 9 s
    later, at 19; the others at 20 and two slots, (20 - 8) x 2 = 24 later.
    With re-packing at arrivals they stay in two slots until 10: clock 5. Then two slots: job 4 ends at 8 on the clock,
    which is 16; jobs 2 and 3 alone in one slot 12 later.
    With re-packing at changes they are in one slot from 8 on: clock 4 at 8, 6 at 10; job 4 ends at 9, at 16; the
    others at 16 + 11. Largest first, job 3 (4 processors) goes after job 2 all the same, but job 4 (10) comes first.
    """
    return Scenario(
        processors=10,
        jobs=(asked(0, 4, 6), asked(0, 20, 6), asked(0, 20, 4), asked(10, 3, 10)),
        schedules={
            'gang(level="unlimited", slice_s=0)': Worked(
                times=((0, 8), (0, 43), (0, 43), (10, 19)),
                matrices={0: ("1111113333", "222222...."), 10: ("......3333", "222222....", "4444444444")},
                levels=((0, 10, 2), (10, 19, 3), (19, 43, 2)),
            ),
            'gang(level="unlimited", slice_s=0, repack="arrivals")': Worked(
                times=((0, 8), (0, 28), (0, 28), (10, 16)),
                matrices={8: ("......3333", "222222...."), 10: ("2222223333", "4444444444")},
                levels=((0, 16, 2), (16, 28, 1)),
            ),
            'gang(level="unlimited", slice_s=0, repack="changes")': Worked(
                times=((0, 8), (0, 27), (0, 27), (10, 16)),
                matrices={8: ("2222223333",), 10: ("2222223333", "4444444444")},
                levels=((0, 8, 2), (8, 10, 1), (10, 16, 2), (16, 27, 1)),
                counters={"slots_opened": 3},
            ),
            FFD: Worked(
                times=((0, 8), (0, 27), (0, 27), (10, 16)),
                matrices={0: ("1111113333", "222222...."), 8: ("2222223333",), 10: ("4444444444", "2222223333")},
            ),
        },
    )


@scenario
def filling_idle_slots() -> Scenario:
    """Four jobs of 3 processors and 1 s, and one of 1 processor and 4 s, on 4 processors (section 4.4).

    Without copies the last job has a quarter of the time until 4, and 3 s to go: 7. With a copy in every slot it is
    never idle, and all end at 4.
    """
    return Scenario(
        processors=4,
        jobs=(*(asked(0, 1, 3),) * 4, asked(0, 4, 1)),
        schedules={
            FFD: Worked(((0, 4), (0, 4), (0, 4), (0, 4), (0, 7)), levels=((0, 4, 4), (4, 7, 1))),
            FFD_FILL: Worked(
                times=((0, 4),) * 5,
                matrices={0: ("1115", "2225", "3335", "4445")},
                work={5: (1_000_000,) * 4},
                counters={"busy_us": 16_000_000, "idle_us": 0},
            ),
        },
    )


@scenario
def filling_unequal_work() -> Scenario:
    """The same with 3 s for the last job: with copies it is done at 3, on the clock at 0.75."""
    return Scenario(
        processors=4,
        jobs=(*(asked(0, 1, 3),) * 4, asked(0, 3, 1)),
        schedules={
            FFD: Worked(((0, 4), (0, 4), (0, 4), (0, 4), (0, 6))),
            FFD_FILL: Worked(((0, 4), (0, 4), (0, 4), (0, 4), (0, 3)), work={5: (750_000,) * 4}),
        },
    )


@scenario
def filling_later() -> Scenario:
    """Sizes 3, 2, 2, 1 on 4 processors: two full slots; when job 3 is done at 2, job 4 (3 s to go) fills its place.

    With a copy job 4 runs all the time from 2 on: 1 s to go at 4, done at 5. Without: 2 s to go at 4, done at 6.
    """
    return Scenario(
        processors=4,
        jobs=(asked(0, 2, 3), asked(0, 2, 2), asked(0, 1, 2), asked(0, 4, 1)),
        schedules={
            FFD: Worked(((0, 4), (0, 4), (0, 2), (0, 6)), matrices={0: ("1114", "2233"), 2: ("1114", "22..")}),
            FFD_FILL: Worked(
                times=((0, 4), (0, 4), (0, 2), (0, 5)),
                matrices={0: ("1114", "2233"), 2: ("1114", "224.")},
                work={4: (1_000_000, 1_000_000, 1_000_000, 1_000_000)},
            ),
        },
    )


@scenario
def filling_without_migration() -> Scenario:
    """Without re-packing a job fills other slots on its own processors only: job 3 does, job 1 does not.

    Job 3 runs at twice the speed of the clock; 4.000001 s of its work are shared by two places, the odd microsecond
    falls to slot 0. It ends at 2.000001 on the clock, at 4.000002; the others at 8.
    """
    return Scenario(
        processors=4,
        jobs=(asked(0, 4, 3), asked(0, 4, 2), asked(0, 4.000001, 1)),
        schedules={
            "gang(slice_s=0)": Worked(((0, 8), (0, 8), (0, 8.000001)), matrices={0: ("1113", "22..")}),
            "gang(slice_s=0, fill=True)": Worked(
                times=((0, 8), (0, 8), (0, 4.000002)),
                matrices={0: ("1113", "22.3"), 5: ("111.", "22..")},
                work={3: (2_000_001, 2_000_000)},
            ),
        },
    )


@scenario
def memory_fit() -> Scenario:
    """Memory is balanced over the processors (section 5.4.1), 10 a processor on three of them.

    Job 1 leaves 9, 9, 10. Job 2 needs a new slot and 5 on two processors: the two with most left, 2 and 0; 4, 9, 5 are
    left. Job 3 needs 4: in slot 0 processor 2 would leave 4, 9, 1 (B = 9/14), in slot 1 processor 1 leaves 4, 5, 5
    (B = 5/14). Without regard to balance job 2 gets processors 0 and 1, and job 3 the free one of slot 0. Where
    memory is not looked at, likewise. Job 4 needs more than a processor has.
    """
    four = (asked(0, 1, 2, memory=1), asked(0, 1, 2, memory=5), asked(0, 1, 1, memory=4), asked(0, 1, 1, memory=11))
    return Scenario(
        processors=3,
        memory=10,
        jobs=four,
        schedules={
            'gang(slice_s=0, packing="memory_fit")': Worked(
                ((0, 2), (0, 2), (0, 2), None), matrices={0: ("11.", "232")}
            ),
            'gang(slice_s=0, packing="memory_best_fit")': Worked(
                ((0, 2), (0, 2), (0, 2), None), matrices={0: ("113", "22.")}
            ),
        },
    )


@scenario
def memory_fit_and_new_slots() -> Scenario:
    """A new slot as the last resort, or whenever it balances memory better.

    Jobs 1 and 2 fill slot 0 and leave 10, 5, 5; job 3 needs no memory, a new slot and two processors, 0 and 1. Job 4
    needs 5: slot 1 has processor 2 free, which would leave 10, 5, 0; a new slot could give processor 0 and leave 5, 5, 5.
    """
    jobs = (asked(0, 1, 1, memory=0), asked(0, 1, 2, memory=5), asked(0, 1, 2), asked(0, 1, 1, memory=5))
    return Scenario(
        processors=3,
        memory=10,
        jobs=jobs,
        schedules={
            'gang(slice_s=0, packing="memory_fit")': Worked(((0, 2),) * 4, matrices={0: ("122", "334")}),
            'gang(slice_s=0, packing="memory_fit", new_slot="always")': Worked(
                ((0, 3),) * 4, matrices={0: ("122", "33.", "4..")}
            ),
        },
    )


@scenario
def memory_blocks_the_head() -> Scenario:
    """Two slots are allowed, but 3 of 4 memory are held: job 2 (3) waits until 6 though a slot is to be had; job 3 (1) fits.

    Job 3 is behind job 2 and runs beside job 1 only where jobs may skip it: 1 s from 1 on at half the time, until 3.
    Job 1 has then done 2 of 5 s. Without skipping, jobs 2 and 3 run beside one another from 5 on.
    """
    jobs = (asked(0, 5, 1, memory=3), asked(1, 4, 1, memory=3), asked(1, 1, 1, memory=1))
    return Scenario(
        processors=1,
        memory=4,
        jobs=jobs,
        schedules={
            'gang(slice_s=0, level=2, packing="memory_best_fit")': Worked(((0, 5), (5, 10), (5, 7))),
            'gang(slice_s=0, level=2, packing="memory_best_fit", backfill="greedy")': Worked(
                times=((0, 6), (6, 10), (1, 3)),
                levels=((0, 1, 1), (1, 3, 2), (3, 10, 1)),
                counters={"backfilled": 1, "slots_opened": 3},
            ),
        },
    )
