"""Broken schedules of preemptive policies: by the rule that must catch them, and by name."""

from dataclasses import replace
from functools import cache

import polars as pl

from scheduler_core import simulate
from scheduler_core.checker.preemptive.rules import RULES
from scheduler_core.contracts.companions import STANDSTILLS_COLUMNS
from scheduler_core.contracts.workload import WORKLOAD_OPTIONAL
from scheduler_core.declarations.policy import get_policy
from tests.paths import PROJECT
from tests.scheduler_core.checker.broken_schedules import (
    by_name,
    held_by,
    in_two,
    jobs,
    of_job,
    parameters,
    shifted_work,
    with_allocation,
    with_processors,
)
from tests.scheduler_core.checker.space_sharing.mutations import SECOND, workload_of

__all__ = ["ALONE", "IDLE", "KINDS", "MUTATIONS", "RULES", "made"]

FILE = PROJECT / "tests" / "scheduler_core" / "preemptive" / "preemptive_policies.py"

JOBS = [
    # job, submission, run time, estimate, size: job 4 outruns its estimate, job 5 is too large, job 7 runs beside job 1
    *((1, 0, 20, 20, 5), (2, 2, 8, 9, 4), (3, 3, 2, 2, 6), (4, 4, 5, 3, 8)),
    *((5, 5, 3, 3, 9), (6, 30, 4, 4, 8), (7, 31, 1, 1, 1)),
]

FLEXIBLE = [
    # job, submission, run time, estimate, size, flexibility: both are suspended when they run on more processors than asked for
    *((1, 0, 30, 30, 4, "moldable"), (2, 1, 20, 20, 4, "malleable"), (3, 2, 5, 5, 3, "rigid"))
]

KINDS = {
    "counted": f"{FILE}:shortest_remaining",
    "placed": f"{FILE}:placing_resumed_jobs",
    "standstill": f"{FILE}:shortest_remaining",
    "sized": f"{FILE.with_name('moldable_policies.py')}:WideningSoon",
    "amdahl": get_policy(f"{FILE.with_name('moldable_policies.py')}:WideningSoon", speed_up="amdahl"),
    "downey": get_policy(f"{FILE.with_name('moldable_policies.py')}:WideningSoon", speed_up="downey"),
}
"""Kinds of schedules, and the policies that make them: all suspend job 1, then job 2; both are resumed."""

SIZED = ("sized", "amdahl", "downey")
"""Kinds whose policies choose sizes, by each curve."""

STANDSTILLS = [(6, 9), (12, 15)]
"""Periods in which no job may start, in seconds."""

IDLE = set()

ALONE = frozenset(
    {
        "a job is cut where it was not suspended",
        "an allocation at half the speed",
        "a suspended job does less work",
        "a job is resumed in a standstill",
        "a job gets a processor of a resumed job",
        "a resumed job gets a processor twice",
        "a preemption that never was",
    }
)


@cache
def made(kind):
    """Return a workload and a legal schedule of it."""
    workload = workload_of([row[:5] for row in (FLEXIBLE if kind in SIZED else JOBS)])
    if kind in SIZED:
        asked = pl.Series("flexibility", [row[5] for row in FLEXIBLE], WORKLOAD_OPTIONAL["flexibility"])
        workload = replace(workload, jobs=workload.jobs.with_columns(asked))
    if kind == "standstill":
        periods = [(begin * SECOND, end * SECOND) for begin, end in STANDSTILLS]
        table = pl.DataFrame(periods, schema=STANDSTILLS_COLUMNS, orient="row")
        workload = replace(workload, companions={"standstills": table})
    return workload, simulate(workload, KINDS[kind])


def last_of(schedule, job, nth=-1):
    """Return the row of an allocation of a job, by default its last."""
    return schedule.allocations.with_row_index("at").filter(pl.col("job") == job)["at"].to_list()[nth]


def resumed(schedule, job, by_us):
    """Let a job be resumed earlier or later, and end then."""
    changes = {name: pl.col(name) + by_us for name in ("begin_us", "end_us")}
    return of_job(
        with_allocation(schedule, last_of(schedule, job), **changes), job, finish_us=pl.col("finish_us") + by_us
    )


MUTATIONS = by_name(
    {
        ("every job appears once", "counted"): {
            "a job is left out": lambda s: replace(s, jobs=s.jobs.filter(pl.col("job") != 3))
        },
        ("what was asked is unchanged", "counted"): {
            "a shorter job is served": lambda s: jobs(s, runtime_us=pl.col("runtime_us") - 1)
        },
        ("finished, killed and rejected jobs are the right ones", "counted"): {
            "the killed job is called finished": lambda s: of_job(s, 4, outcome="finished")
        },
        ("no job starts before its submission", "counted"): {
            "a start before submission": lambda s: with_allocation(s, last_of(s, 2, 0), begin_us=0)
        },
        ("start and finish agree with the allocations", "counted"): {
            "the start is that of the resumption": lambda s: of_job(s, 1, start_us=s.allocations["begin_us"][1]),
            "the finish is the end of the first allocation": lambda s: of_job(
                s, 1, finish_us=s.allocations["end_us"][0]
            ),
            "a preemption that never was": lambda s: of_job(s, 1, preemptions=pl.col("preemptions") + 1),
            "a preemption is left out": lambda s: of_job(s, 2, preemptions=0),
        },
        ("allocations are sound", "counted"): {
            "a job runs twice at once": lambda s: with_allocation(s, last_of(s, 1), begin_us=SECOND),
            "an allocation of no length": lambda s: with_allocation(s, 0, end_us=pl.col("begin_us")),
            "an allocation of an unknown job": lambda s: held_by(s, 6, job=66),
        },
        ("sizes are within what a job allows", "counted"): {
            "fewer processors after the resumption": lambda s: with_allocation(s, last_of(s, 1), processors=4),
            "the table states another size": lambda s: of_job(s, 1, processors=4),
        },
        ("sizes are within what a job allows", "sized"): {
            "a moldable job is resumed on fewer processors": lambda s: with_allocation(s, last_of(s, 1), processors=7),
            "a malleable job runs on fewer than its fewest": lambda s: with_allocation(s, last_of(s, 2), processors=1),
        },
        ("rates follow sizes and speed-up", "sized"): {
            "a wide job runs as if each processor were as good": lambda s: with_allocation(s, last_of(s, 2), rate=1.5),
            "a rigid job runs faster": lambda s: with_allocation(s, last_of(s, 3), rate=1.25),
        },
        ("rates follow sizes and speed-up", "amdahl"): {
            "the sequential share is another": lambda s: parameters(s, serial=0.06),
            "the rates are those of Huang's curve": lambda s: parameters(s, speed_up="huang", serial=0.05),
        },
        ("rates follow sizes and speed-up", "downey"): {
            "the variance is another": lambda s: parameters(s, variance=0.5),
            "the parallelism is half": lambda s: parameters(s, parallelism=0.5),
        },
        ("rates follow sizes and speed-up", "counted"): {
            "an allocation at half the speed": lambda s: of_job(
                held_by(s, 6, rate=0.5, end_us=pl.col("end_us") + 4 * SECOND),
                6,
                finish_us=pl.col("finish_us") + 4 * SECOND,
            )
        },
        ("a job runs without pause until it is suspended", "counted"): {
            "a job is cut where it was not suspended": lambda s: in_two(s, last_of(s, 6)),
            "a job of another slot": lambda s: held_by(s, 6, slot=1),
        },
        ("work done is work asked", "counted"): {
            "a suspended job does less work": lambda s: with_allocation(s, 0, work_us=pl.col("work_us") - 1),
            "work is moved over a suspension": lambda s: shifted_work(s, last_of(s, 1), 2),
            "a job runs past its kill": lambda s: with_allocation(s, last_of(s, 4), end_us=pl.col("end_us") + SECOND),
        },
        ("no more processors than the machine has", "counted"): {
            "a job is resumed a tick early": lambda s: resumed(s, 2, -1)
        },
        ("no processor is given twice", "placed"): {
            "a job gets a processor of a resumed job": lambda s: with_processors(s, last_of(s, 7), [4]),
            "a resumed job gets a processor twice": lambda s: with_processors(s, last_of(s, 2), [0, 1, 2, 2]),
            "a resumed job gets a processor that the machine does not have": lambda s: with_processors(
                s, last_of(s, 2), [5, 6, 7, 8]
            ),
        },
        ("no job starts in a standstill", "standstill"): {
            "a job is resumed in a standstill": lambda s: resumed(s, 2, -SECOND)
        },
    }
)
