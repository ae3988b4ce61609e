"""Schedules of a grid, worked by hand: a chain of two tasks on a cluster in slices, and two local jobs that come at 2 and 3.

Times in seconds. All are medium and take all processors of cluster 0, on which nothing is lent. Without short jobs medium slices
work from 1 to 20 and from 41 to 60; in the worst case for 16 s, from 7 or 47 on. Task 1 takes 10 s: it is predicted to run from 7
to 17. Task 2 takes 8 s. Its slot is behind task 1, from 10 s to 18 s of the clock: from 17 to 49.

``kept``, planned from the earliest start: task 1 starts at 1 and is done at 11, when the clock shows 10 s. With a slack of 2 s
task 2 may start at 15. Its slot waits at the clock until then, and the local jobs stay behind it.

    task 1   .########## ........ | ...................
    task 2   ...............##### | .###
    job 3      .................. | ....####
    job 4       ................. | ........####

``recalculated``: at 1 the clock is to show 14 s at 15. So the slot of task 2 moves there: from 15 on, in the worst case to 50.
Job 3 fits before it, and job 4 does not.

    task 1   .########## ........ | ...................
    task 2   ...............##### | .###
    job 3      .........####
    job 4       ................. | ....####

``rigid``: task 1 starts at 7 as predicted, and until then its slot goes on with the clock. So the slot of task 2 moves down, each
time to where that of task 1 ends: at 2 to 11 s, at 3 to 12 s, at 7 to 16 s. By now the clock is to show 16 s at 17. So task 2 is
predicted to run there for 3 s, and in the worst case from 47 to 52; it goes on at 41.

    task 1   .......##########... | ...................
    task 2   .................### | .#####
    job 3      .................. | ......####
    job 4       ................. | ..........####
"""

from scheduler_core.declarations.policy import get_policy
from tests.scheduler_core.checker.grid import grid_by_hand
from tests.scheduler_core.checker.grid.grid_by_hand import COUNTERS

JOBS = ((1, 0, 10, 10, 4, None), (2, 0, 8, 8, 4, None), (3, 2, 4, 4, 4, 0), (4, 3, 4, 4, 4, 0))
COMPANION_ROWS = {"tasks": ((1, 1, 1), (2, 1, 2)), "edges": ((1, 1, 2, 0, 5),)}
SLICES = ((0, 0, 20, "medium", 1), (0, 20, 40, "long", 1), (0, 40, 60, "medium", 1), (0, 60, 80, "long", 1))
IN_SLICES = {
    "interval_s": 40.0,
    "switch_s": 1.0,
    "short_slice_s": 5.0,
    "share_medium": 0.4,
    "share_long": 0.4,
    "short_limit_s": 2.5,
    "medium_limit_s": 12.0,
    "smart": False,
    "slpa": 0.25,
    "maf": 0.0,
}
POLICIES = {
    "kept": get_policy("grid", frame_rule="earliest_start", reservations="kept", **IN_SLICES),
    "recalculated": get_policy("grid", frame_rule="earliest_start", reservations="recalculated", **IN_SLICES),
    "rigid": get_policy("grid", frame_rule="rigid", reservations="kept", **IN_SLICES),
}
RUNS = {
    "kept": {1: ((1, 11),), 2: ((15, 20), (41, 44)), 3: ((44, 48),), 4: ((48, 52),)},
    "recalculated": {1: ((1, 11),), 2: ((15, 20), (41, 44)), 3: ((11, 15),), 4: ((44, 48),)},
    "rigid": {1: ((7, 17),), 2: ((17, 20), (41, 46)), 3: ((46, 50),), 4: ((50, 54),)},
}
BOOKED = ((1, 0, 7, 17, "booked"), (2, 0, 17, 49, "booked"))
TO_ITS_BOUND = (2, 1, 15, 50, "recalculated")
BEHIND_THE_OTHER = tuple((2, at, 17, 52, "recalculated") for at in (2, 3, 7))
SLIDES = {"kept": BOOKED, "recalculated": (*BOOKED, TO_ITS_BOUND), "rigid": (*BOOKED, *BEHIND_THE_OTHER)}
COUNTED = {"kept": {}, "recalculated": {"slides_up": 1, "backfilled": 1}, "rigid": {}}
PLANNED = {
    "earliest_start": {
        "reservations": (
            # workflow, task, job, cluster, made, rank, EST, ST, SST, PRT, LFT, expected, ready, EST in force
            (1, 1, 1, 0, 0, 18.0, 0, 0, 7, 17, 17, 0, 0, 0),
            (1, 2, 2, 0, 0, 8.0, 15, 15, 17, 49, 49, 15, 11, 15),
        ),
        "candidates": ((1, 1, 1, 0, 0, 7, 17, 0, 17, True), (1, 2, 2, 0, 15, 17, 49, 15, 49, True)),
        "arrivals": ((1, 1, 2, 0, 0, 11, 11),),
    },
    "rigid": {
        "reservations": (
            (1, 1, 1, 0, 0, 18.0, 7, 0, 7, 17, 17, 0, 0, 7),
            (1, 2, 2, 0, 0, 8.0, 17, 17, 17, 49, 49, 17, 17, 17),
        ),
        "candidates": ((1, 1, 1, 0, 0, 7, 17, 7, 17, True), (1, 2, 2, 0, 17, 17, 49, 17, 49, True)),
        "arrivals": ((1, 1, 2, 0, 0, 17, 17),),
    },
}
PLACED = {"workflows": 1, "tasks": 2, "predictions": 2, "bookings": 2, "slides_up": 0}
LENT = {"slices": 4, "backfilled": 0, "resumed_elsewhere": 0, "started_elsewhere": 0}


def workload():
    return grid_by_hand.workload(JOBS, COMPANION_ROWS)


def counted(name):
    """Return what was counted by hand in a schedule that is drawn above."""
    return {**COUNTERS, **PLACED, **LENT, **COUNTED[name]}


def schedule(name, runs=None, slides=None, **counters):
    """Return a schedule that is drawn above, or one with other runs of some jobs, other slides and counters."""
    policy = POLICIES[name]
    rows = {**PLANNED[policy.frame_rule], "slices": SLICES, "slides": slides or SLIDES[name]}
    held = [
        (job, begin, end, 4, [0, 1, 2, 3], 0, 1, 1.0, end - begin)
        for job, parts in {**RUNS[name], **(runs or {})}.items()
        for begin, end in parts
    ]
    return grid_by_hand.made(workload(), held, policy, rows, {**counted(name), **counters})
