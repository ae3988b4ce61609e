"""Hand-worked schedules of SCOJO-PECT and of the search at every event (Kanavallil 2007, chapters 2 and 4).

Unless said otherwise an interval is 100 s long, a switch 10 s, the longest short slice 20 s, and medium jobs get a quarter of
what is left. Without short jobs the medium slice then works from 10 to 30 and the long one from 40 to 100.
"""

from tests.scheduler_core.scenario import Scenario, asked, scenario
from tests.scheduler_core.slices.ways import Worked

HUNDRED = (
    "interval_s=100, switch_s=10, short_slice_s=20, share_medium=0.25, share_long=0.75, "
    "short_limit_s=20, medium_limit_s=50"
)
ALONE = f"{HUNDRED}, smart=False"

ONE_CLASS = (
    "interval_s=1000, switch_s=0, short_slice_s=1, share_medium=0.9, share_long=0.1, short_limit_s=0, smart=False"
)
"""Nearly everything is one medium slice, from 0 to 900."""


@scenario
def medium_job_alone() -> Scenario:
    """30 s of work: 20 in the first medium slice, 10 in the next, or, lent, at the begin of the long one.

    In the worst case short jobs take 20 s, and of the 50 s left medium ones get 12.5, from 40 on: 12.5 + 12.5 + 5.
    """
    return Scenario(
        processors=4,
        jobs=(asked(0, 30, 2),),
        schedules={
            f"pect({ALONE})": Worked(
                ((10, 120),),
                held={0: ((10, 30, 1, "01"), (110, 120, 1, "01"))},
                slices=(("medium", 0, 30), ("long", 30, 100), ("medium", 100, 130), ("long", 130, 200)),
                promises=((0, 0, 0, 0, 245),),
                counters={"slices": 4, "passes": 4, "resumed_elsewhere": 0},
            ),
            f"pect({HUNDRED})": Worked(
                ((10, 50),),
                held={0: ((10, 30, 1, "01"), (40, 50, 2, "01"))},
                slices=(("medium", 0, 30), ("long", 30, 100)),
                promises=((0, 0, 0, 0, 245),),
                counters={"slices": 2, "passes": 3, "resumed_elsewhere": 1, "started_elsewhere": 0},
            ),
        },
    )


@scenario
def long_job_alone() -> Scenario:
    """70 s: 60 and 10 in long slices; or lent 20 s of the medium slice first. At worst 37.5 s at each interval's end."""
    return Scenario(
        processors=4,
        jobs=(asked(0, 70, 4),),
        schedules={
            f"pect({ALONE})": Worked(((40, 150),), promises=((0, 0, 0, 0, 195),), counters={"started_elsewhere": 0}),
            f"pect({HUNDRED})": Worked(((10, 90),), promises=((0, 0, 0, 0, 195),), counters={"started_elsewhere": 1}),
        },
    )


@scenario
def short_jobs_alone() -> Scenario:
    """A slice of what they need: 8 s, then 6 s behind them make 14; the third came too late and waits for the next.

    Of the other 56 s medium jobs get a quarter. At 100 half a second is needed, and the slice works for a whole one.
    """
    return Scenario(
        processors=4,
        jobs=(asked(0, 8, 3), asked(0, 6, 2), asked(30, 0.5, 1)),
        schedules={
            f"pect({ALONE})": Worked(
                ((10, 18), (18, 24), (110, 110.5)),
                slices=(
                    *(("short", 0, 24), ("medium", 24, 48), ("long", 48, 100)),
                    *(("short", 100, 111), ("medium", 111, 138.25), ("long", 138.25, 200)),
                ),
                promises=((0, 0, 0, 0, 18), (1, 0, 0, 8, 24), (2, 30, 0, 14, 110.5)),
            )
        },
    )


@scenario
def longest_short_slice() -> Scenario:
    """12 s and 12 s on all processors: 20 s work in the first interval, the rest in the next.

    With "easy" nothing is reserved for the second job when slices are laid out but the first one's reservation; the need
    is the same.
    """
    worked = Worked(
        ((10, 22), (22, 114)),
        held={1: ((22, 30, 0, "0123"), (110, 114, 0, "0123"))},
        slices=(
            *(("short", 0, 30), ("medium", 30, 52.5), ("long", 52.5, 100)),
            *(("short", 100, 114), ("medium", 114, 140.5), ("long", 140.5, 200)),
        ),
    )
    return Scenario(
        processors=4,
        jobs=(asked(0, 12, 4), asked(0, 12, 4)),
        schedules={f"pect({ALONE})": worked, f'pect({ALONE}, backfilling="easy")': worked},
    )


@scenario
def killed_and_rejected() -> Scenario:
    """A job is killed at its estimate, 25 s of 30; one for five processors of four never was there."""
    return Scenario(
        processors=4,
        jobs=(asked(0, 30, 2, estimate=25), asked(0, 30, 5)),
        schedules={f"pect({ALONE})": Worked(((10, 115), None), promises=((0, 0, 0, 0, 152.5),))},
    )


@scenario
def intervals_without_anybody() -> Scenario:
    """Intervals begin at multiples of 100 s; of those from 100 on only the one in which a job comes has slices.

    Passes: two begins of work each in the first two intervals and a submission; one before the last job leaves.
    """
    return Scenario(
        processors=1,
        jobs=(asked(0, 20, 1), asked(450, 20, 1)),
        schedules={
            f"pect({ALONE})": Worked(
                ((10, 30), (510, 530)),
                slices=(
                    *(("medium", 0, 30), ("long", 30, 100), ("medium", 400, 430), ("long", 430, 500)),
                    *(("medium", 500, 530), ("long", 530, 600)),
                ),
                counters={"passes": 6},
            )
        },
    )


@scenario
def the_same_processors_again() -> Scenario:
    """Job 1 gets 0 and 1 when job 0 leaves them, job 2 the other two, and both keep theirs."""
    return Scenario(
        processors=4,
        jobs=(asked(0, 15, 3, job_class="medium"), asked(0, 30, 2), asked(26, 10, 2, job_class="medium")),
        schedules={
            f"pect({ALONE})": Worked(
                ((10, 25), (25, 215), (26, 116)),
                held={
                    1: ((25, 30, 1, "01"), (110, 130, 1, "01"), (210, 215, 1, "01")),
                    2: ((26, 30, 1, "23"), (110, 116, 1, "23")),
                },
            )
        },
    )


@scenario
def lending() -> Scenario:
    """A long job (0), a medium one (1) and a short one (2), which came after the interval's begin.

    At 10 the medium job starts; the short one is lent processors 1 and 2, and only one is left. At 20 the long job
    starts on them. In the long slice the medium job resumes; in the next medium slice the long one does.

    With nothing lent the next interval has a short slice, from 110 to 120, and medium and long jobs have 15 and 45 s.
    """
    return Scenario(
        processors=4,
        jobs=(asked(0, 100, 2), asked(0, 40, 1), asked(5, 10, 2)),
        schedules={
            f"pect({HUNDRED})": Worked(
                ((20, 150), (10, 60), (10, 20)),
                held={
                    0: ((20, 30, 1, "12"), (40, 100, 2, "12"), (110, 130, 1, "12"), (140, 150, 2, "12")),
                    1: ((10, 30, 1, "0"), (40, 60, 2, "0")),
                    2: ((10, 20, 1, "12"),),
                },
                counters={"resumed_elsewhere": 2, "started_elsewhere": 2, "backfilled": 0},
            ),
            f"pect({ALONE})": Worked(((40, 195), (10, 215), (110, 120))),
        },
    )


@scenario
def guard() -> Scenario:
    """Long jobs: one runs on three processors, one waits for all four, and a narrow one of 200 s could start at once.

    It may not if no reservation of its class is delayed: the job for four has that at 100 of the clock, when the first
    job ends, and gets it earlier as that runs in medium slices. Without guard it waits for the narrow one.
    """
    return Scenario(
        processors=4,
        jobs=(asked(0, 100, 3), asked(1, 60, 4), asked(2, 200, 1)),
        schedules={
            f"pect({HUNDRED})": Worked(((10, 130), (140, 200), (210, 460)), counters={"backfilled": 0}),
            f"pect({HUNDRED}, guard=False)": Worked(
                ((10, 130), (260, 330), (10, 260)), promises=(), counters={"backfilled": 1}
            ),
        },
    )


def easy_and_conservative(last: float, schedules: dict[str, Worked]) -> Scenario:
    """Ten processors, six taken until 100; queue: eight for 50 s, ten for 50 s, two for so long."""
    jobs = (asked(0, 100, 6), asked(0, 50, 8), asked(0, 50, 10), asked(0, last, 2))
    return Scenario(processors=10, jobs=jobs, schedules=schedules)


@scenario
def two_processors_for_200_s() -> Scenario:
    """They leave eight at 100, but would delay the job for ten: easy starts it, conservative does not; nor does first fit ask."""
    return easy_and_conservative(
        200,
        {
            f"pect({ONE_CLASS})": Worked(
                ((0, 100), (100, 150), (150, 200), (200, 400)),
                promises=((0, 0, 0, 0, 101), (1, 0, 0, 100, 151), (2, 0, 0, 150, 201), (3, 0, 0, 200, 401)),
                counters={"backfilled": 0},
            ),
            f'pect({ONE_CLASS}, backfilling="easy")': Worked(
                ((0, 100), (100, 150), (200, 250), (0, 200)), promises=(), counters={"backfilled": 1}
            ),
            f'pect({ONE_CLASS}, backfilling="first_fit")': Worked(
                ((0, 100), (100, 150), (200, 250), (0, 200)), promises=(), counters={"backfilled": 1}
            ),
        },
    )


@scenario
def wide_job_overtaken() -> Scenario:
    """Four of ten processors are taken until 100. A job for ten is next, then one for six until 150.

    Easy holds the place of the wide job at 100, which the last one would delay; first fit starts the last at once.
    """
    return Scenario(
        processors=10,
        jobs=(asked(0, 100, 4), asked(0, 50, 10), asked(0, 150, 6)),
        schedules={
            f'pect({ONE_CLASS}, backfilling="easy")': Worked(((0, 100), (100, 150), (150, 300)), promises=()),
            f'pect({ONE_CLASS}, backfilling="first_fit")': Worked(
                ((0, 100), (150, 200), (0, 150)), promises=(), counters={"backfilled": 1}
            ),
        },
    )


@scenario
def two_processors_for_150_s() -> Scenario:
    """They are back when ten are needed: both start it."""
    worked = Worked(((0, 100), (100, 150), (150, 200), (0, 150)), counters={"backfilled": 1})
    return easy_and_conservative(150, {f"pect({ONE_CLASS})": worked, f'pect({ONE_CLASS}, backfilling="easy")': worked})


@scenario
def brought_forward() -> Scenario:
    """The first job ends after 40 s of 100: reservations move from 100 and 150 to 40 and 90."""
    return Scenario(
        processors=4,
        jobs=(asked(0, 40, 3, estimate=100), asked(0, 50, 4), asked(0, 50, 2)),
        schedules={f"pect({ONE_CLASS})": Worked(((0, 40), (40, 90), (90, 140)))},
    )


@scenario
def brought_forward_in_rounds() -> Scenario:
    """Two of four processors are taken until 60, two until 100; a job for four is to start at 100, one for two at 60.

    At 40 two are given back: the job for four cannot move, the other one begins at once, and then the first can: at 80. With
    easy it is the only one that matters, and moves to 60.
    """
    return Scenario(
        processors=4,
        jobs=(asked(0, 40, 2, estimate=100), asked(0, 60, 2), asked(0, 50, 4), asked(0, 40, 2)),
        schedules={
            f"pect({ONE_CLASS})": Worked(
                ((0, 40), (0, 60), (80, 130), (40, 80)),
                promises=((0, 0, 0, 0, 101), (1, 0, 0, 0, 61), (2, 0, 0, 100, 151), (3, 0, 0, 60, 101)),
                counters={"backfilled": 1},
            ),
            f'pect({ONE_CLASS}, backfilling="easy")': Worked(((0, 40), (0, 60), (60, 110), (110, 150))),
        },
    )


@scenario
def shares_by_hour() -> Scenario:
    """At 20 h the medium slice works for 60 s instead of 20."""
    night = "night_share_medium=0.75, night_share_long=0.25"
    begin = 20 * 3600
    return Scenario(
        processors=1,
        jobs=(asked(begin, 40, 1),),
        schedules={
            f"pect({ALONE}, {night})": Worked(((begin + 10, begin + 50),), promises=((0, begin, 0, 0, begin + 342.5),)),
            f"pect({ALONE}, {night}, night_begins_h=21)": Worked(((begin + 10, begin + 130),)),
        },
    )


@scenario
def search_at_every_event() -> Scenario:
    """40 s and 10 s on one processor, at a quarter of the time: waits of 120 and 190 s, or of 30 and 160.

    Both have slowdown 4 at first, and so the order of submission is the heuristic's. With two nodes it is the only one; if
    only one job is searched the other comes behind it.
    """
    limits = ONE_CLASS.replace("share_medium=0.9, share_long=0.1", "share_medium=0.25, share_long=0.02, bound_s=1")
    first = ((0, 40), (40, 50))
    return Scenario(
        processors=1,
        jobs=(asked(0, 40, 1), asked(0, 10, 1)),
        schedules={
            f"bottom_line({limits})": Worked(
                ((10, 50), (0, 10)),
                promises=(),
                counters={"searches": 2, "orders": 3, "tree_nodes": 5, "backfilled": 1},
            ),
            f"bottom_line({limits}, tree_nodes=2)": Worked(
                first, counters={"searches": 2, "orders": 2, "tree_nodes": 3}
            ),
            f"bottom_line({limits}, queue_most=1)": Worked(
                first, counters={"searches": 2, "orders": 2, "tree_nodes": 2}
            ),
        },
    )
