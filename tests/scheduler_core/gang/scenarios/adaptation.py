"""Hand-worked schedules of adaptive SCOJO: load, sizes, resizing and growth (Huang 2004, sections 6.6, 6.9, 6.12)."""

from tests.scheduler_core.gang.ways import Worked
from tests.scheduler_core.scenario import Scenario, asked, scenario

FCFS = 'slice_s=0, queue="fcfs"'
WA = f'{FCFS}, backfill="none", eliminate_fragmentation=False'
FA = f'{FCFS}, backfill="none", sizing="optimum", level=5'
AT_ONCE = f"{FCFS}, level=1, reconfiguration_s=0"
WA_AT_ONCE = f"{WA}, level=1, reconfiguration_s=0"


@scenario
def normal_then_low_load() -> Scenario:
    """64 processors, level 2. At 0 the queue needs 16 + 20 + 64 = 100: normal. At 800 job 3 is done: 36 and 8, low.

    The malleable job grows from 16 to 24 of at most 32, on the lowest free processors of its slot, and stalls for
    8 x 0.0001 s. Its rate is then 21120/16640: the 600 s to go take 472.727273, and it is done at 1272.728073.
    """
    return Scenario(
        processors=64,
        jobs=(asked(0, 1000, 16, flexibility="malleable"), asked(0, 1000, 20), asked(0, 400, 64)),
        schedules={
            f"scojo({WA}, level=2)": Worked(
                times=((0, 1272.728073), (0, 1400), (0, 800)),
                matrices={800: ("1" * 16 + "2" * 20 + "1" * 8 + "." * 20,)},
                sizes={1: (16, 24)},
                work={1: (400_000_000, 600_000_000)},
                levels=((0, 800, 2), (800, 1400, 1)),
                counters={
                    "resizings": 1,
                    "resized_processors": 8,
                    "resizing_us": 800 * 24,
                    "normal_us": 800_000_000,
                    "low_us": 600_000_000,
                    "high_us": 0,
                },
            ),
            f"scojo({WA}, level=2, reconfiguration_cost_s=0.5)": Worked(
                times=((0, 1276.727273), (0, 1400), (0, 800)), counters={"resizing_us": 4_000_000 * 24}
            ),
            f'scojo({WA}, level=2, sizing="load_at_start")': Worked(
                times=((0, 1400), (0, 1400), (0, 800)), counters={"resizings": 0, "low_us": 600_000_000}
            ),
            f'scojo({WA}, level=2, sizing="optimum")': Worked(((0, 1400), (0, 1400), (0, 800)), counters={"low_us": 0}),
        },
    )


@scenario
def high_load() -> Scenario:
    """8 + 64 + 57 = 129 processors needed where 2 x 64 are to be had: high. The moldable job starts on 6 of 4 to 8.

    Its rate is 1680/2080; 672.000001 s of work take 832.000002 (rounded up), of which 600 in two slots. On 8 processors,
    as at a normal load, it leaves job 3 no room until job 2 is done at 1200 (clock 600); it is done itself at 672.000001
    on the clock, 72.000001 x 2 later, when job 3 has 527.999999 to go. By the processors of 5 slots the load is normal.
    """
    return Scenario(
        processors=64,
        jobs=(asked(0, 672.000001, 8, flexibility="moldable"), asked(0, 600, 64), asked(0, 600, 57)),
        schedules={
            f"scojo({WA}, level=2)": Worked(
                times=((0, 1432.000002), (0, 1200), (0, 1200)),
                sizes={1: (6,)},
                counters={"high_us": 1_200_000_000, "low_us": 232_000_002, "resizings": 0},
            ),
            f'scojo({WA}, level=2, sizing="optimum")': Worked(
                ((0, 1344.000002), (0, 1200), (1200, 1872.000001)), sizes={1: (8,)}
            ),
            f"scojo({WA}, level=2, load_level=5)": Worked(
                ((0, 1344.000002), (0, 1200), (1200, 1872.000001)), sizes={1: (8,)}, counters={"high_us": 0}
            ),
        },
    )


@scenario
def just_not_high_load() -> Scenario:
    """128 processors needed where 2 x 64 are to be had: normal."""
    return Scenario(
        processors=64,
        jobs=(asked(0, 672, 8, flexibility="moldable"), asked(0, 600, 64), asked(0, 600, 56)),
        schedules={
            f"scojo({WA}, level=2)": Worked(((0, 1272), (0, 1200), (0, 1200)), sizes={1: (8,)}, counters={"high_us": 0})
        },
    )


@scenario
def very_short_jobs_need_nothing() -> Scenario:
    """Five moldable one-minute jobs of 4: the load is low, though they would need 20 of 12 processors.

    On 6 of at most 8 the rate is 1320/1040; a minute's work takes 47.272728. Four run in two slots until 94.545456,
    the fifth after them, still on 6: the load is not classified again before 300.
    """
    return Scenario(
        processors=12,
        jobs=(asked(0, 60, 4, flexibility="moldable"),) * 5,
        schedules={
            f"scojo({WA}, level=2)": Worked(
                times=(*((0, 94.545456),) * 4, (94.545456, 141.818184)),
                matrices={0: ("111111222222", "333333444444")},
                counters={"low_us": 141_818_184, "normal_us": 0},
            ),
            f"scojo({WA}, level=2, reconfiguration_s=60)": Worked(
                times=((0, 120),) * 5, sizes=dict.fromkeys(range(1, 6), (4,))
            ),
        },
    )


@scenario
def very_short_jobs_as_large_as_the_others() -> Scenario:
    """64 processors, level 1. A job of 40 and a moldable one of 16 wait with a one-minute job of 1: 56 processors, low.

    The moldable job starts on 24 of at most 32; its rate is 21120/16640, and 1200 s of work take 945.454546. The machine is full,
    and the short job waits. As large as the mean of the others, 28, it would make 56 x 3 / 2 = 84: high. The moldable job then
    starts on 12 of at least 8; its rate is 13440/16640, and 1200 s of work take 1485.714286.
    """
    return Scenario(
        processors=64,
        jobs=(asked(0, 1000, 40), asked(0, 1200, 16, flexibility="moldable"), asked(0, 60, 1)),
        schedules={
            f"scojo({WA}, level=1)": Worked(((0, 1000), (0, 945.454546), (945.454546, 1005.454546)), sizes={2: (24,)}),
            f'scojo({WA}, level=1, very_short="mean")': Worked(
                ((0, 1000), (0, 1485.714286), (0, 60)), sizes={2: (12,)}
            ),
        },
    )


@scenario
def high_load_again_and_again() -> Scenario:
    """A malleable job of 16 (8 to 32) under a load that stays high: 12 at its start, then 10, 9, 8.

    Every arrival of a job as wide as the machine classifies the load anew. Each processor taken costs half a second.
    Work done: 10 s at 6720/8320, 9 s at 5920/8320, 9.5 s at 5520/8320; the 19216347 µs to go take 31226564 at 5120/8320.
    Where running jobs are left alone it stays at 12 and takes 49523810 µs.
    """
    wide = tuple(asked(submit, 1, 32) for submit in (0, 10, 20, 30, 40))
    jobs = (asked(0, 40, 16, flexibility="malleable"), *wide)
    return Scenario(
        processors=32,
        jobs=jobs,
        schedules={
            f"scojo({WA_AT_ONCE}, reconfiguration_cost_s=0.5)": Worked(
                times=((0, 61.726564), *((61.726564 + k, 62.726564 + k) for k in range(5))),
                sizes={1: (12, 10, 9, 8)},
                work={1: (8_076_923, 6_403_846, 6_302_884, 19_216_347)},
                counters={"resizings": 3, "resized_processors": 4, "resizing_us": 12_000_000 + 5_000_000 + 4_500_000},
            ),
            f'scojo({WA_AT_ONCE}, reconfiguration_cost_s=0.5, sizing="load_at_start")': Worked(
                times=((0, 49.52381), *((49.52381 + k, 50.52381 + k) for k in range(5))), sizes={1: (12,)}
            ),
        },
    )


@scenario
def stalls_are_expected() -> Scenario:
    """The shadow of a blocked head counts a stall that has just come due.

    At 0 the load is high (4 + 1 of 4 needed), job 1 starts on 3. At 10 job 3 comes and job 1 shrinks to 2, which stalls
    it for 2 s; 8076923 µs of its work are done, the other 9846153 take 15999999 at 320/520: it ends at 27.999999. That is
    job 3's shadow, and job 4 (17 s from 10 on) ends before; it would not, had the shadow been 2 s earlier.
    """
    jobs = (asked(0, 17.923076, 4, flexibility="malleable"), asked(0, 12, 1), asked(10, 1, 4), asked(10, 17, 1))
    return Scenario(
        processors=4,
        jobs=jobs,
        schedules={
            f'scojo({AT_ONCE}, reconfiguration_cost_s=2, eliminate_fragmentation=False, backfill="head")': Worked(
                times=((0, 27.999999), (0, 12), (27.999999, 28.999999), (10, 27)),
                sizes={1: (3, 2)},
                counters={"backfilled": 1, "resizing_us": 6_000_000},
            ),
            f'scojo({AT_ONCE}, reconfiguration_cost_s=2, eliminate_fragmentation=False, backfill="all")': Worked(
                times=((0, 27.999999), (0, 12), (27.999999, 28.999999), (10, 27)), counters={"backfilled": 1}
            ),
            f"scojo({WA_AT_ONCE}, reconfiguration_cost_s=2)": Worked(
                times=((0, 27.999999), (0, 12), (27.999999, 28.999999), (28.999999, 45.999999)),
                counters={"backfilled": 0},
            ),
        },
    )


@scenario
def low_load_again_and_again() -> Scenario:
    """A malleable job of 16 (8 to 32) under a load that stays low: 24 at its start, then 28, 30, 31, 32.

    Each of the little jobs classifies the load when it comes and when it goes; job 1 grows before they are placed.
    Rates are (16640 + 560 (N - 16)) / 16640: 10 s on 24, 1 on 28, 9 on 30, 1 on 31, and 71158656 µs of work on 32.
    At most every 5 s: it does not grow when they go, and has 73269232 µs of work left at 20, which take 49803923 on 30.
    """
    return Scenario(
        processors=64,
        jobs=(asked(0, 100, 16, flexibility="malleable"), asked(10, 1, 1), asked(20, 1, 1)),
        schedules={
            f"scojo({WA_AT_ONCE}, reconfiguration_cost_s=0)": Worked(
                times=((0, 67.253127), (10, 11), (20, 21)),
                matrices={10: ("1" * 28 + "2" + "." * 35,), 20: ("1" * 31 + "3" + "." * 32,)},
                sizes={1: (24, 28, 30, 31, 32)},
                work={1: (12_692_307, 1_403_846, 13_240_384, 1_504_807, 71_158_656)},
                counters={"resizings": 4, "resized_processors": 8, "resizing_us": 0},
            ),
            f"scojo({WA}, reconfiguration_s=5, level=1, reconfiguration_cost_s=0)": Worked(
                times=((0, 69.803923), (10, 11), (20, 21)),
                sizes={1: (24, 28, 30)},
                work={1: (12_692_307, 14_038_461, 73_269_232)},
                counters={"resizings": 2, "resized_processors": 6},
            ),
        },
    )


@scenario
def demand_by_optima() -> Scenario:
    """At 10 a job of 1 comes: 12 + 19 + 1 = 32 processors are needed now, 16 + 19 + 1 = 36 by the optima.

    The malleable job has 12 of 16 since 0, when 16 + 19 were needed. By the optima the load is high again: 10. Its 26 s:
    at 6720/8320 they take 32190477 µs; after 10 s, 17923077 are left, which take 25189190 at 5920/8320. At 19 job 2 is done.
    """
    jobs = (asked(0, 26, 16, flexibility="malleable"), asked(0, 40, 19), asked(10, 40, 1))
    return Scenario(
        processors=32,
        jobs=jobs,
        schedules={
            f"scojo({WA_AT_ONCE}, reconfiguration_cost_s=0)": Worked(
                ((0, 32.190477), (0, 40), (10, 50)), sizes={1: (12,)}
            ),
            f'scojo({WA_AT_ONCE}, reconfiguration_cost_s=0, demand="optimum")': Worked(
                ((0, 35.18919), (0, 40), (10, 50)), sizes={1: (12, 10)}
            ),
        },
    )


@scenario
def growth_into_free_processors() -> Scenario:
    """A malleable job of 8 (medium) and a moldable one of 4 leave 6 of 18 processors free: moldable ones grow first.

    The moldable one grows to its 8 (rate 1600/1040), the malleable one to 10 (rate 4720/4160). A long one would not.
    """
    medium = {"flexibility": "malleable", "job_class": "medium"}
    jobs = (asked(0, 11.8, 8, **medium), asked(0, 16, 4, flexibility="moldable", job_class="short"))
    return Scenario(
        processors=18,
        jobs=jobs,
        schedules={
            f"scojo({FA})": Worked(
                times=((0, 10.4), (0, 10.4)),
                matrices={0: ("1" * 8 + "2" * 4 + "2" * 4 + "1" * 2,)},
                counters={"resizings": 0, "resized_processors": 0, "resizing_us": 0},
            ),
            f"scojo({FA}, eliminate_fragmentation=False)": Worked(((0, 11.8), (0, 16))),
        },
    )


@scenario
def growth_of_long_jobs() -> Scenario:
    """Long malleable jobs do not grow; which are long the estimate tells where no class is given."""
    return Scenario(
        processors=10,
        jobs=(asked(0, 6.5, 5, flexibility="malleable"),),
        schedules={
            f"scojo({FA}, short_limit_s=1)": Worked(((0, 4.225),), sizes={1: (10,)}),
            f"scojo({FA}, short_limit_s=1, medium_limit_s=6)": Worked(((0, 6.5),), sizes={1: (5,)}),
        },
    )


@scenario
def speed_up_of_five() -> Scenario:
    """A moldable job of 5 (2 to 10): speed-up 2.15 on 3 processors, 3.25 on 5, 5 on 10 (section 6.6).

    Under high load (5 + 10 of 10 needed) it has 3, and 21.500001 s of work take 32.500002; with growth it has 10.
    """
    jobs = (asked(0, 21.500001, 5, flexibility="moldable"), asked(0, 1, 10))
    return Scenario(
        processors=10,
        jobs=jobs,
        schedules={
            f"scojo({WA_AT_ONCE})": Worked(((0, 32.500002), (32.500002, 33.500002)), sizes={1: (3,)}),
            f'scojo({AT_ONCE}, backfill="none")': Worked(((0, 13.975001), (13.975001, 14.975001)), sizes={1: (10,)}),
        },
    )


@scenario
def speed_up_of_one() -> Scenario:
    """A moldable job of 1 (1 to 2): speed-up 0.65 on one processor, 1 on two."""
    return Scenario(
        processors=2,
        jobs=(asked(0, 10, 1, flexibility="moldable"),),
        schedules={
            f"scojo({FA}, eliminate_fragmentation=False)": Worked(((0, 10),)),
            f"scojo({FA})": Worked(((0, 6.5),)),
        },
    )
