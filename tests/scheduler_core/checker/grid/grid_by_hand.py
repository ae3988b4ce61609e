"""A schedule of a grid, worked by hand: two clusters, two local jobs, a workflow of three tasks in a triangle.

Times in seconds; cluster 0 has four processors, cluster 1 two; each is under conservative backfilling. Tasks 1 and 2 fit both
clusters, task 3 the first alone. Task 1 is done two seconds early, so tasks 2 and 3 slide up.

    job 1    0 ##########                           (4 processors, cluster 0)
    job 2    0 ####                                 (2 processors, cluster 1)
    task 1       ..########                         (2 processors, submitted at 2, cluster 1)
    task 2       ..........##########               (2 processors, its data stay on cluster 1)
    task 3       ..........................#####    (3 processors, data leave task 2 at 22 and arrive at 28)
"""

import polars as pl

from scheduler_core.contracts import ALLOCATIONS_COLUMNS, WORKLOAD_COLUMNS, WORKLOAD_OPTIONAL, Machine, Workload
from scheduler_core.contracts.companions import COMPANIONS
from scheduler_core.contracts.machine import Cluster
from scheduler_core.declarations.policy import get_policy
from scheduler_core.grid.family import FAMILY, TABLES
from tests.scheduler_core.checker.by_hand import schedule_of

S = 1_000_000
MACHINE = Machine(clusters=(Cluster(4), Cluster(2)))
ASKED = {**WORKLOAD_COLUMNS, "home": WORKLOAD_OPTIONAL["home"]}
JOBS = (  # job, submission, run time, estimate, size, home
    (1, 0, 10, 10, 4, 0),
    (2, 0, 4, 4, 2, 1),
    (11, 2, 8, 10, 2, None),
    (12, 2, 10, 10, 2, None),
    (13, 2, 5, 5, 3, None),
)
COMPANION_ROWS = {
    "tasks": ((11, 1, 1), (12, 1, 2), (13, 1, 3)),
    "edges": ((1, 1, 2, 0, 2), (1, 1, 3, 0, 4), (1, 2, 3, 0, 6)),
}
BECAME = {1: (0, 10, 0), 2: (0, 4, 1), 11: (4, 12, 1), 12: (12, 22, 1), 13: (28, 33, 0)}  # start, finish, cluster
ROWS = {
    "reservations": (
        # workflow, task, job, cluster, made, rank, EST, ST, SST, PRT, LFT, expected, ready, EST in force
        (1, 1, 11, 1, 2, 29.0, 2, 2, 4, 14, 14, 2, 2, 2),
        (1, 2, 12, 1, 2, 18.0, 2.8, 14, 14, 24, 24, 14, 12, 2.8),
        (1, 3, 13, 0, 2, 5.0, 22.2, 30, 30, 35, 35, 30, 28, 22.2),
    ),
    "candidates": (
        (1, 1, 11, 0, 2, 10, 20, 2, 20, False),
        (1, 1, 11, 1, 2, 4, 14, 2, 14, True),
        (1, 2, 12, 0, 16, 16, 26, 4.6, 26, False),
        (1, 2, 12, 1, 14, 14, 24, 2.8, 24, True),
        (1, 3, 13, 0, 30, 30, 35, 22.2, 35, True),
    ),
    "slides": (
        (13, 2, 30, 35, "booked"),
        (13, 22, 28, 33, "freed"),
        (11, 2, 4, 14, "booked"),
        (12, 2, 14, 24, "booked"),
        (12, 12, 12, 22, "freed"),
    ),
    "arrivals": ((1, 1, 2, 1, 1, 12, 12), (1, 1, 3, 1, 0, 12, 16), (1, 2, 3, 1, 0, 22, 28)),
}
COUNTERS = {
    "workflows": 1,
    "rejected_workflows": 0,
    "tasks": 3,
    "predictions": 5,
    "bookings": 3,
    "slides_up": 2,
    "slides_down": 0,
    "lost_slots": 0,
    "late_tasks": 0,
}


def table(schema, rows):
    """Make a table of rows in seconds; ranks are times too."""
    times = [name.endswith("_us") or name == "rank" for name in schema]
    whole = [
        [round(value * S) if time and value is not None else value for value, time in zip(row, times, strict=True)]
        for row in rows
    ]
    return pl.DataFrame(whole, schema=dict(schema), orient="row", strict=False)


def workload(jobs=JOBS, companions=COMPANION_ROWS):
    tables = {name: table(COMPANIONS[name].columns, rows) for name, rows in companions.items()}
    return Workload(table(ASKED, jobs), MACHINE, companions=tables)


def schedule():
    """Return the schedule that is drawn above."""
    size = dict(workload().jobs.select("job", "size").iter_rows())
    held = [
        (job, start, finish, size[job], None, cluster, 0, 1.0, finish - start)
        for job, (start, finish, cluster) in BECAME.items()
    ]
    policy = get_policy("grid", local="conservative", short_limit_s=0.0)  # no task is short: slack by move-ahead, too
    return made(workload(), held, policy, ROWS, COUNTERS)


def made(workload, held, policy, rows, counters):
    """Make a schedule of the rows of its tables, in seconds."""
    tables = {name: table(kind.columns, rows.get(name, ())).rows() for name, kind in TABLES.items()}
    policy, preemptions = ("grid", policy.values()), pl.len().cast(pl.Int32) - 1
    return schedule_of(workload, FAMILY, policy, table(ALLOCATIONS_COLUMNS, held).rows(), tables, counters, preemptions)


def task_in_slices():
    """Return a workload of one task, of 2,000 s, and its schedule on clusters in slices that are idle.

    It is booked at 0, before an interval is laid out: in the worst case medium jobs get 846 s in every hour, from 720 s of it on.
    The first hour is laid out without a short slice: it runs for 1,044 s in its own slice and the rest in the long one.
    """
    asked = workload(((1, 0, 2000, 2000, 2, None),), {"tasks": ((1, 1, 1),), "edges": ()})
    frame = (0, 720, 8228, 0, 8228)
    rows = {
        "slices": ((0, 0, 1104, "medium", 60), (0, 1104, 3600, "long", 60)),
        "reservations": ((1, 1, 1, 0, 0, 2000.0, 0, 0, 720, 8228, 8228, 0, 0, 0),),
        "candidates": ((1, 1, 1, 0, *frame, True), (1, 1, 1, 1, *frame, False)),
        "slides": ((1, 0, 720, 8228, "booked"),),
    }
    held = ((1, 60, 1104, 2, [0, 1], 0, 1, 1.0, 1044), (1, 1164, 2120, 2, [0, 1], 0, 2, 1.0, 956))
    placed = {"workflows": 1, "tasks": 1, "predictions": 2, "bookings": 1, "slides_up": 0}
    counters = {**COUNTERS, **placed, "slices": 2, "resumed_elsewhere": 1, "started_elsewhere": 0}
    return asked, made(asked, held, get_policy("grid"), rows, counters)
