"""The two examples of the thesis (Kanavallil 2007), worked by hand from the docstrings of ``pect`` and ``pect_o``.

Jobs and what had to be chosen are in :mod:`traces.models.slice_examples`. Here are the settings and every interval in which a
job runs, with the reasons; all times are seconds.
"""

from typing import Any, NamedTuple

SHORT, MEDIUM, LONG = 0, 1, 2


class Run(NamedTuple):
    """A stretch in which a job runs: in the slice of which class, from when to when, on which processors."""

    job: int
    slot: int
    begin: int
    end: int
    processor_ids: tuple[int, ...]


class Example(NamedTuple):
    """An example: policy and parameters, what the table's times are behind the workload's, slices and runs."""

    name: str
    policy: str
    parameters: dict[str, Any]
    later: int
    slices: tuple[tuple[int, int, int], ...]
    runs: tuple[Run, ...]


def runs(job: int, processor_ids: tuple[int, ...] | range, *stretches: tuple[int, int, int]) -> tuple[Run, ...]:
    """Return a job's stretches ``(slot, begin, end)``: it never leaves its processors."""
    return tuple(Run(job, *stretch, tuple(processor_ids)) for stretch in stretches)


# Table 1 and Figure 3 (p. 17-18). Intervals of 45 s, a short slice of at most 9 s, medium and long as 4 to 5.
#
#   0  S  2 starts (needs 15 s, the slice gets 9); 1 is lent what is left, processors 7-9.
#   9  M  no medium job is there: 2 and 1 go on, lent. 10: 3 comes and is reserved for 15, when 2 will be done.
#  15     2 is done, 3 starts on 0-6.
#  25  L  1 goes on as a long job; 3 is lent, as no other long job is there. 4, 5 and 6 come and find nothing free.
#  45  S  1 is done. Need is 9 s, of 5: 5 and 6 start. 50: 6 is done, 7 comes and starts; nothing is left to lend.
#  54  M  3 resumes on 0-6 (35 s to go), 4 starts on 7-9; 7 has 1 s to go.
#  70  L  no long job: 7 is lent its processors for its last second, short before medium; 3 resumes; 71: 4 resumes.
#         8 and 9 come and are reserved for 89, when 3 and 4 will be done at once: 3 + 35 - 16 = 4 + 1 + 34 - 16.
#  89     8 and 9 start. 90: 10 came; 8 and 9 do not find their processors free of 10 while it runs.
SLICES = Example(
    name="slices",
    policy="pect",
    parameters={
        "interval_s": 45.0,
        "switch_s": 0.0,
        "short_slice_s": 9.0,
        "share_medium": 0.4,
        "share_long": 0.5,
    },
    later=0,
    slices=(
        (SHORT, 0, 9), (MEDIUM, 9, 25), (LONG, 25, 45),
        (SHORT, 45, 54), (MEDIUM, 54, 70), (LONG, 70, 90),
        (MEDIUM, 90, 110), (LONG, 110, 135),
        (MEDIUM, 135, 155), (LONG, 155, 180),
        (MEDIUM, 180, 200), (LONG, 200, 225),
        (MEDIUM, 225, 245), (LONG, 245, 270),
    ),
    runs=(
        *runs(1, range(7, 10), (SHORT, 0, 9), (MEDIUM, 9, 25), (LONG, 25, 45)),
        *runs(2, range(7), (SHORT, 0, 9), (MEDIUM, 9, 15)),
        *runs(3, range(7), (MEDIUM, 15, 25), (LONG, 25, 45), (MEDIUM, 54, 70), (LONG, 70, 89)),
        *runs(4, range(7, 10), (MEDIUM, 54, 70), (LONG, 71, 89)),
        *runs(5, range(7), (SHORT, 45, 54)),
        *runs(6, range(7, 9), (SHORT, 45, 50)),
        *runs(7, range(7, 10), (SHORT, 50, 54), (LONG, 70, 71)),
        *runs(8, range(4), (LONG, 89, 90), (LONG, 110, 135), (LONG, 155, 180), (MEDIUM, 180, 200), (LONG, 200, 225),
              (MEDIUM, 225, 227)),
        *runs(9, range(4, 9), (LONG, 89, 90), (LONG, 110, 135), (LONG, 155, 180), (MEDIUM, 180, 200), (LONG, 200, 209)),
        *runs(10, range(6), (MEDIUM, 90, 110), (MEDIUM, 135, 155)),
    ),
)  # fmt: skip

# Table 3 and Figure 13 (p. 39-41). Intervals of 64 s, a short slice of at most 4 s, medium and long alike; times of the
# table. The first level orders the group: two of its jobs run for 60 s or longer, four would have to for long-wide ones.
#
# -64  M, L: the interval before. -25: 1 starts on processor 0, in the first long slice.
#   0  S  2 takes the machine for 4 of its 8 s.   4  M  3 takes the machine; 8 comes and cannot start beside it.
#  34  L  second long slice: 1 runs. Nine processors are free, but 3, suspended, holds all ten for medium jobs, and cannot
#         be lent them, as 1 is on one of them; 8, 9, 10, 11, 12 wait.
#  64  S  second short slice: the rest of 2.
#  68  M  3 resumes (7 s to go). The group forms: 8, 9, 10, 11, 12. Placed alone behind 3, with share 0.4, slowdowns are
#           10: (28 + 37/0.4) / 30 = 4.02; 9: 3.76; 8: 3.66                 -> 10 at 7
#           8 at 37: (58 + 102/0.4) / 65 = 4.82; 12 at 37: 4.71; 11: 4.21; 9 at 7: 3.76   -> 8 at 37
#           11 at 102: (27 + 172/0.4) / 70 = 6.53; 12 at 37: 4.71; 9 at 7: 3.76           -> 11 at 102
#           12 at 37: 4.71; 9: 3.76                                         -> 12 at 37
#           9: full from 37 to 87                                           -> 9 at 87
#         The plan is 10, 8, 11, 12, 9; 11 is the last to end, so it is the finish job.
#  75     3 is done. 13 comes: four processors are free beside 10 for 15 s, it starts at once on 0-3; 10 starts on 4-9.
#  77     14 comes: three processors are free again from 90 until the end of the slice, at 98: it makes a request for 90.
#  90     13 is done, 14 starts on 1-3, which 1 does not hold; 1 resumes on 0. 15 comes and waits behind the plan.
#  98  L  1, 14; 10 is lent its processors, and done at 105. 8, planned, is lent 4-8.
# 128  M  8; 12 starts on 0-3 and 9, as planned from here on.
# 160  L  1, 14; 8 is lent its processors until it is done at 170; then 9 starts, lent 4-6; 11 does not fit beside 12.
# 192  M  12, 9, both done at 210; then 11 on 0-6.
# 224  L  1, 14 until 234. 249: 1 is done, and 11 goes on. 256  M  11.
# 288  L  11 until 305; then 15, which waited behind it, lent the slice until 320, when that ends.
# 320  M  The finish job is done, and so is a job just now: the group ends. 16, which came at 300, starts.
GROUP = Example(
    name="group",
    policy="pect_o_first_level",
    parameters={
        "interval_s": 64.0,
        "switch_s": 0.0,
        "short_slice_s": 4.0,
        "share_medium": 0.4,
        "share_long": 0.4,
        "group_min_medium": 5,
        "group_run_s_medium": 60.0,
        "bound_s": 1.0,
    },
    later=64,
    slices=(
        (MEDIUM, -64, -32), (LONG, -32, 0),
        (SHORT, 0, 4), (MEDIUM, 4, 34), (LONG, 34, 64),
        (SHORT, 64, 68), (MEDIUM, 68, 98), (LONG, 98, 128),
        (MEDIUM, 128, 160), (LONG, 160, 192),
        (MEDIUM, 192, 224), (LONG, 224, 256),
        (MEDIUM, 256, 288), (LONG, 288, 320),
        (MEDIUM, 320, 352), (LONG, 352, 384),
    ),
    runs=(
        *runs(1, (0,), (LONG, -25, 0), (LONG, 34, 64), (MEDIUM, 90, 98), (LONG, 98, 128), (LONG, 160, 192), (LONG, 224, 249)),
        *runs(2, range(10), (SHORT, 0, 4), (SHORT, 64, 68)),
        *runs(3, range(10), (MEDIUM, 4, 34), (MEDIUM, 68, 75)),
        *runs(8, range(4, 9), (LONG, 105, 128), (MEDIUM, 128, 160), (LONG, 160, 170)),
        *runs(9, range(4, 7), (LONG, 170, 192), (MEDIUM, 192, 210)),
        *runs(10, range(4, 10), (MEDIUM, 75, 98), (LONG, 98, 105)),
        *runs(11, range(7), (MEDIUM, 210, 224), (LONG, 249, 256), (MEDIUM, 256, 288), (LONG, 288, 305)),
        *runs(12, (0, 1, 2, 3, 9), (MEDIUM, 128, 160), (MEDIUM, 192, 210)),
        *runs(13, range(4), (MEDIUM, 75, 90)),
        *runs(14, (1, 2, 3), (MEDIUM, 90, 98), (LONG, 98, 128), (LONG, 160, 192), (LONG, 224, 234)),
        *runs(15, range(6), (LONG, 305, 320)),
        *runs(16, range(10), (MEDIUM, 320, 340)),
    ),
)  # fmt: skip

EXAMPLES = (SLICES, GROUP)
PLAN = ((10, 7), (8, 37), (11, 102), (12, 37), (9, 87))
"""The group's order, and when each job starts in its plan: seconds of medium slices after the group formed."""
