"""Broken schedules of space sharing: by the rule that must catch them, and by name."""

from dataclasses import replace
from functools import cache

import polars as pl

from scheduler_core import simulate
from scheduler_core.checker.space_sharing.rules import RULES
from scheduler_core.contracts import WORKLOAD_COLUMNS, JobClass, Machine, Workload
from scheduler_core.contracts.companions import CLOSED_HOURS_COLUMNS, OUT_OF_USE_COLUMNS, STANDSTILLS_COLUMNS
from tests.scheduler_core.checker.broken_schedules import IDS, by_name, held, held_by, in_two, jobs, of_job

__all__ = ["ALONE", "IDLE", "KINDS", "MUTATIONS", "RULES", "made"]

SECOND = 1_000_000

KINDS = {
    # job, submission, run time, estimate, size: job 4 outruns its estimate, job 5 is too large
    "easy": [(1, 0, 10, 12, 4), (2, 1, 20, 20, 4), (3, 2, 5, 5, 2), (4, 3, 9, 6, 8), (5, 4, 3, 3, 9), (6, 5, 7, 7, 1)],
    "fcfs": [(1, 0, 10, 10, 5), (2, 0, 10, 10, 4)],
    "conservative": [(1, 0, 10, 10, 4), (2, 3, 10, 10, 2), (3, 20, 4, 4, 8)],
    # jobs 1 and 2 are of one user, job 3 is of another, job 4 of none that is known
    "list": [(1, 0, 10, 10, 1), (2, 1, 10, 10, 1), (3, 2, 5, 5, 1), (4, 3, 5, 5, 1)],
    "priority": [(1, 0, 10, 10, 1), (2, 1, 10, 10, 1), (3, 2, 5, 5, 1), (4, 3, 5, 5, 1)],
    # jobs 1 and 2 are of queue 1, which is closed from 1 to 6 and from 8 to 9, job 3 is of queue 2, job 4 of none
    "easy_sjbf": [(1, 0, 10, 10, 1), (2, 1, 10, 10, 1), (3, 2, 5, 5, 1), (4, 3, 5, 5, 1)],
    # four of eight processors are out of use from 2 to 8: jobs 3, 4, 5 start at 4, 6, 8; job 6 is too wide, job 7 comes later
    "fair_start": [
        *((1, 0, 4, 4, 4), (2, 0, 4, 4, 4), (3, 1, 2, 2, 4), (4, 1, 3, 3, 2)),
        *((5, 1, 2, 2, 3), (6, 3, 1, 1, 5), (7, 8, 1, 1, 5)),
    ],
}

CEILINGS = {"list": {"user_jobs": 1}, "priority": {"user_processor_h": 15 / 3600}}
"""Ceilings for each user, by kind: job 2 starts at 10 or, as time runs down, at 5."""

CLOSED = {"easy_sjbf": [(-1, 0, 30, 31), (-1, 5, 14, 20), (1, 0, 1, 6), (1, 0, 8, 9), (2, 0, 9, 12)]}
"""Closed hours by kind: queue, limit, begin and end, in seconds."""

STANDSTILLS = {"conservative": [(2, 6), (15, 18)]}
"""Periods in which no job may start, by kind; in seconds."""

OUT_OF_USE = {"fair_start": [(2, 8, 4)]}
"""Periods in which a part of the machine is out of use, and its processors, by kind; times in seconds."""

IDLE = {"no processor is given twice"}
"""Schedules of space sharing count processors and name none."""

ALONE = frozenset()


def workload_of(rows, processors=8):
    """Return a workload; times are in seconds."""
    table = pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row")
    return Workload(table.with_columns(pl.col("submit_us", "runtime_us", "estimate_us") * SECOND), Machine(processors))


@cache
def made(kind):
    """Return a workload and a legal schedule of it."""
    workload = workload_of(KINDS[kind])
    if kind in CEILINGS:
        users = workload.jobs.with_columns(user=pl.Series([1, 1, 2, None], dtype=pl.Int32))
        workload = replace(workload, jobs=users)
    if kind in STANDSTILLS:
        periods = [(begin * SECOND, end * SECOND) for begin, end in STANDSTILLS[kind]]
        table = pl.DataFrame(periods, schema=STANDSTILLS_COLUMNS, orient="row")
        workload = replace(workload, companions={"standstills": table})
    if kind in CLOSED:
        queues = workload.jobs.with_columns(queue=pl.Series([1, 1, 2, None], dtype=pl.Int32))
        periods = [(queue, *(SECOND * time for time in times)) for queue, *times in CLOSED[kind]]
        table = pl.DataFrame(periods, schema=CLOSED_HOURS_COLUMNS, orient="row")
        workload = replace(workload, jobs=queues, companions={"closed_hours": table})
    if kind in OUT_OF_USE:
        periods = [(begin * SECOND, end * SECOND, processors) for begin, end, processors in OUT_OF_USE[kind]]
        table = pl.DataFrame(periods, schema=OUT_OF_USE_COLUMNS, orient="row")
        workload = replace(workload, companions={"out_of_use": table})
    return workload, simulate(workload, kind, **CEILINGS.get(kind, {}))


def moved(schedule, job, by_us, *columns):
    return held_by(schedule, job, **{name: pl.col(name) + by_us for name in columns})


MUTATIONS = by_name(
    {
        ("every job appears once", "easy"): {
            "a job is left out": lambda s: replace(s, jobs=s.jobs.filter(pl.col("job") != 3)),
            "a job appears twice": lambda s: replace(s, jobs=pl.concat([s.jobs, s.jobs.head(1)])),
            "a job that was not submitted": lambda s: of_job(s, 3, job=33),
        },
        ("what was asked is unchanged", "easy"): {
            "a shorter job is served": lambda s: jobs(s, runtime_us=pl.col("runtime_us") - 1),
            "submission is moved": lambda s: of_job(s, 2, submit_us=0),
            "a class that is none of the workload's": lambda s: jobs(s, **{"class": pl.lit("short", JobClass)}),
        },
        ("finished, killed and rejected jobs are the right ones", "easy"): {
            "the killed job is called finished": lambda s: of_job(s, 4, outcome="finished"),
            "a job that fits is called rejected": lambda s: of_job(s, 1, outcome="rejected"),
            "a job that finished is called unfinished": lambda s: of_job(s, 1, outcome="unfinished"),
        },
        ("finished, killed and rejected jobs are the right ones", "fair_start"): {
            "a job that can wait for processors is called rejected": lambda s: of_job(s, 7, outcome="rejected"),
            "a job that is too wide while it waits is called finished": lambda s: of_job(s, 6, outcome="finished"),
        },
        ("no job starts before its submission", "easy"): {
            "a start before submission": lambda s: held_by(s, 2, begin_us=0)
        },
        ("start and finish agree with the allocations", "easy"): {
            "the start is not the first allocation's begin": lambda s: jobs(s, start_us=pl.col("start_us") + 1),
            "the finish is not the last allocation's end": lambda s: of_job(s, 1, finish_us=pl.col("finish_us") - 1),
            "a preemption that never was": lambda s: of_job(s, 1, preemptions=1),
            "a job without an allocation": lambda s: replace(s, held=s.allocations.filter(pl.col("job") != 6)),
        },
        ("a job runs at once to its end", "easy"): {"a job that runs in two parts": lambda s: in_two(s, 1)},
        ("allocations are sound", "easy"): {
            "an allocation of no length": lambda s: held_by(s, 1, end_us=pl.col("begin_us")),
            "an allocation of an unknown job": lambda s: held_by(s, 6, job=66),
            "a job runs twice at once": lambda s: replace(s, held=pl.concat([s.allocations, s.allocations.tail(1)])),
        },
        ("a rigid job keeps its size", "easy"): {
            "fewer processors than asked": lambda s: held_by(s, 1, processors=3),
            "the table states another size": lambda s: of_job(s, 1, processors=5),
            "a rejected job holds processors": lambda s: of_job(s, 5, processors=9),
        },
        ("work done is work asked", "easy"): {
            "work is lost": lambda s: held_by(s, 3, work_us=pl.col("work_us") - 1),
            "the rate does not give the work": lambda s: held_by(s, 3, rate=0.5),
            "a job runs past its kill": lambda s: moved(s, 4, 3 * SECOND, "end_us", "work_us"),
        },
        ("no processor is given twice", "easy"): {
            "a node is given twice": lambda s: held(s, processor_ids=pl.int_ranges(0, "processors", dtype=pl.Int32)),
            "a node the machine does not have": lambda s: held_by(s, 1, processor_ids=pl.lit([5, 6, 7, 8], IDS)),
            "fewer processor_ids than processors": lambda s: held_by(s, 1, processor_ids=pl.lit([0, 1], IDS)),
        },
        ("no more processors than the machine has", "fcfs"): {
            "a job starts a tick early": lambda s: moved(s, 2, -1, "begin_us", "end_us")
        },
        ("no job starts in a standstill", "conservative"): {
            "a job starts before the end of a standstill": lambda s: moved(s, 2, -1, "begin_us", "end_us"),
            "a job starts at the begin of a standstill": lambda s: moved(s, 3, -5 * SECOND, "begin_us", "end_us"),
        },
        ("no job starts in closed hours of its queue", "easy_sjbf"): {
            "a job starts before its queue opens": lambda s: moved(s, 2, -1, "begin_us", "end_us"),
            "a job starts as its queue closes": lambda s: moved(s, 2, 2 * SECOND, "begin_us", "end_us"),
            "a job of another queue starts in its own": lambda s: moved(s, 3, 7 * SECOND, "begin_us", "end_us"),
            "a job over a limit starts in hours closed to it": lambda s: moved(s, 2, 8 * SECOND, "begin_us", "end_us"),
            "a job of no queue starts in hours closed to all": lambda s: moved(s, 4, 27 * SECOND, "begin_us", "end_us"),
        },
        ("no job starts on processors out of use", "fair_start"): {
            "a job starts before the processors come back": lambda s: moved(s, 5, -1, "begin_us", "end_us"),
            "a job starts beside one that holds all that can be used": lambda s: moved(s, 4, -1, "begin_us", "end_us"),
        },
        ("no user exceeds a ceiling", "list"): {
            "a second job of a user starts a tick early": lambda s: moved(s, 2, -1, "begin_us", "end_us"),
            "two jobs of a user start at once": lambda s: moved(s, 1, 10 * SECOND, "begin_us", "end_us"),
        },
        ("no user exceeds a ceiling", "priority"): {
            "a job starts before its user's time has run down": lambda s: moved(s, 2, -1, "begin_us", "end_us")
        },
    }
)
