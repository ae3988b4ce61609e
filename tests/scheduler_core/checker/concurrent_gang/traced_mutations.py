"""Broken runs of Concurrent Gang: by name the rule that must catch it, the kind of run, what is changed."""

from dataclasses import replace

import polars as pl

from tests.scheduler_core.checker.broken_schedules import (
    counters,
    held,
    held_by,
    jobs,
    of_job,
    parameters,
    said,
    table,
    without,
)

LATER = 1_000_000_000
"""Longer than any run here takes, in nanoseconds."""


def activity(word):
    return pl.col("activity").cast(pl.String) == word


def doing(schedule, *words):
    """Return the number of the first job that has one of these applications' counts above 0."""
    return schedule.tables["job_activity"].filter(pl.max_horizontal(*words) > 0)["job"][0]


def quiet(schedule):
    """Return a job that sends nothing and passes no barrier."""
    sums = schedule.tables["job_activity"]
    return sums.filter(pl.max_horizontal("messages", "barriers") == 0)["job"][0]


def elsewhere(schedule):
    """Let a task of a job of several tasks run on the processor of another of its tasks."""
    several = schedule.jobs.filter(pl.col("processors") > 1)["job"].implode()
    return said(schedule, "trace", pl.col("job").is_in(several), pl.col("task") == 0, nth=3, task=1)


def starts(job, begin_us):
    """Say that a job began at another time."""

    def change(schedule):
        moved = held_by(schedule, job(schedule), begin_us=begin_us)
        return of_job(moved, job(schedule), start_us=begin_us)

    return change


def finished_job(schedule):
    return schedule.jobs.filter(pl.col("finish_us").is_not_null(), pl.col("submit_us") > 0)["job"][0]


def computed_job(schedule):
    """Return a job that finished and only computed."""
    did = schedule.tables["job_activity"].filter(pl.max_horizontal("messages", "barriers", "requests") == 0)
    return did.join(schedule.jobs.filter(pl.col("finish_us").is_not_null()), on="job")["job"][0]


def large_job(schedule):
    return schedule.jobs.filter(pl.col("processors") > 1)["job"][0]


def run_of(schedule, by):
    """Say of the first run at the begin of a slice who chose it."""
    slices = schedule.tables["trace_slices"].select("begin_ns", "processor", "job", "task").drop_nulls()
    owned = schedule.tables["trace"].with_row_index("row").join(slices, on=["begin_ns", "processor", "job", "task"])
    return said(schedule, "trace", nth=owned["row"][2], by=by)


def owned(schedule):
    """Say that a task that ran at the begin of a slice owned it."""
    begins = schedule.tables["trace"].select("begin_ns", "processor", "job", "task").drop_nulls()
    slices = schedule.tables["trace_slices"].with_row_index("row_number").select("row_number", "begin_ns", "processor")
    row, job, task = slices.join(begins, on=["begin_ns", "processor"]).select("row_number", "job", "task").row(2)
    return said(schedule, "trace_slices", nth=row, job=job, task=task)


def another_row(schedule):
    """Say that the first job that shares a row with one before was placed in a row further on."""
    shared = pl.col("slot") == pl.col("slot").shift(1)
    number = schedule.allocations.filter(shared)["job"][0]
    return held_by(schedule, number, slot=pl.col("slot") + 1)


def released(by):
    """Move the release of a barrier, of all its tasks."""

    def change(schedule):
        irregular = (
            schedule.tables["trace_barriers"]
            .group_by("job", "barrier")
            .agg(
                pl.col("released_ns").n_unique().alias("times"),
                (pl.col("arrived_ns") == pl.col("released_ns")).any().alias("late"),
            )
        )
        job, barrier = irregular.filter(~pl.col("late"), pl.col("times") == 1).sort("job", "barrier").row(0)[:2]
        here = (pl.col("job") == job) & (pl.col("barrier") == barrier)
        moved = pl.when(here).then(pl.col("released_ns") + by).otherwise("released_ns")
        return table(schedule, "trace_barriers", released_ns=moved)

    return change


TRACED_MUTATIONS = {
    ("every job appears once", "priorities"): {"a job is left out": lambda s: replace(s, jobs=s.jobs.head(-1))},
    ("what was asked is unchanged", "priorities"): {
        "a run time is changed": lambda s: jobs(s, runtime_us=pl.col("runtime_us") + 1)
    },
    ("finished, killed and rejected jobs are the right ones", "cut"): {
        "an unfinished job is called finished": lambda s: jobs(s, outcome="finished")
    },
    ("finished, killed and rejected jobs are the right ones", "priorities"): {
        "a job is called unfinished though the run goes on until all have ended": lambda s: of_job(
            s, finished_job(s), outcome="unfinished", finish_us=None
        )
    },
    ("a job does what its program says", "cut"): {
        "a job that computed all is called unfinished": lambda s: of_job(
            s, computed_job(s), outcome="unfinished", finish_us=None
        )
    },
    ("no job starts before its submission", "priorities"): {"a start before submission": starts(finished_job, 0)},
    ("start and finish agree with the allocations", "priorities"): {
        "a finish that is no end": lambda s: jobs(s, finish_us=pl.col("finish_us") + 1)
    },
    ("allocations are sound", "priorities"): {
        "an allocation without length": lambda s: held(s, end_us=pl.col("begin_us"))
    },
    ("a rigid job keeps its size", "priorities"): {
        "a processor too many": lambda s: held(s, processors=pl.col("processors") + 1)
    },
    ("no processor is given twice", "priorities"): {
        "all tasks on one processor": lambda s: held_by(
            s, large_job(s), processor_ids=pl.col("processor_ids").list.eval(pl.element() * 0)
        )
    },
    ("periods cover the run", "priorities"): {
        "a period is left out": lambda s: table(s, "processor_activity", s.tables["processor_activity"].head(-1))
    },
    ("activities fill the time of processors", "priorities"): {
        "a nanosecond too many": lambda s: said(s, "processor_activity", nth=2, empty_ns=pl.col("empty_ns") + 1),
        "more local time than work": lambda s: table(
            s, "processor_activity", local_ns=pl.sum_horizontal("compute_ns", "message_ns", "spin_ns") + 1
        ),
    },
    ("sums of processors are those of jobs", "priorities"): {
        "a job spins for longer than processors do": lambda s: said(
            s, "job_activity", pl.col("job") == doing(s, "spin_ns"), spin_ns=pl.col("spin_ns") + 1
        )
    },
    ("every job that was placed has its sums", "priorities"): {
        "a job has no sums": lambda s: table(s, "job_activity", s.tables["job_activity"].head(-1))
    },
    ("a job does what its program says", "priorities"): {
        "computing is called disk time": lambda s: said(
            s,
            "job_activity",
            pl.col("job") == doing(s, "requests"),
            compute_ns=pl.col("compute_ns") - 1,
            disk_ns=pl.col("disk_ns") + 1,
        )
    },
    ("a job does what its program says", "gang"): {
        "a message too many": lambda s: said(
            s, "job_activity", pl.col("job") == doing(s, "messages"), messages=pl.col("messages") + 1
        )
    },
    ("a job does what its program says", "turns"): {
        "a barrier too few": lambda s: said(
            s, "job_activity", pl.col("job") == doing(s, "barriers"), barriers=pl.col("barriers") - 1
        )
    },
    ("a job does what its program says", "barriers"): {
        "a barrier too many": lambda s: said(
            s, "job_activity", pl.col("job") == doing(s, "barriers"), barriers=pl.col("barriers") + 1
        ),
        "computing between barriers is a nanosecond longer": lambda s: said(
            s, "job_activity", pl.col("job") == doing(s, "barriers"), compute_ns=pl.col("compute_ns") + 1
        ),
    },
    ("no job is faster than alone", "priorities"): {"a job is done in a microsecond": starts(finished_job, LATER)},
    ("tasks wait only where they may", "priorities"): {
        "a job that waits for nothing spins": lambda s: said(s, "job_activity", pl.col("job") == quiet(s), spin_ns=5)
    },
    ("tasks wait only where they may", "gang"): {
        "the local scheduler of a gang chooses": lambda s: table(s, "job_activity", local_runs=pl.col("local_runs") + 1)
    },
    ("work done is that of the tasks", "priorities"): {
        "work that was not done": lambda s: held(s, work_us=pl.col("work_us") + 2),
        "a rate that is not that": lambda s: held(s, rate=pl.col("rate") + 0.1),
    },
    ("events are counted", "priorities"): {
        "a slice too many": lambda s: counters(s, slices=1),
        "a request too many": lambda s: counters(s, requests=1),
    },
    ("jobs are placed at ticks", "priorities"): {
        "a placement between ticks": lambda s: held(s, begin_us=pl.col("begin_us") + 1)
    },
    ("jobs are placed in rows", "priorities"): {"a row that is too far on": another_row},
    ("jobs are placed in rows", "turns"): {
        "processors that are not the lowest": lambda s: held(
            s, processor_ids=pl.col("processor_ids").list.eval(3 - pl.element()).list.sort()
        )
    },
    ("processors have room for the tasks bound to them", "controlled"): {
        "tasks are one too many": lambda s: parameters(s, tasks_per_processor=1)
    },
    ("rows take turns and name the owners", "priorities"): {
        "another row has its turn": lambda s: table(s, "trace_slices", row=pl.col("row") + 1)
    },
    ("rows take turns and name the owners", "gang"): {
        "an owner is not named": lambda s: said(
            s, "trace_slices", pl.col("job").is_not_null(), nth=3, job=None, task=None
        )
    },
    ("rows take turns and name the owners", "alone"): {"a slice without a gang has an owner": owned},
    ("rows take turns and name the owners", "controllers"): {
        "an owner owns where it is not bound": lambda s: said(
            s, "trace_slices", pl.col("job").is_not_null(), nth=1, processor=3
        )
    },
    ("the trace has no gaps", "priorities"): {
        "a nanosecond twice": lambda s: said(s, "trace", nth=9, end_ns=pl.col("end_ns") + 1)
    },
    ("the trace has no gaps", "gang"): {"a row is left out": lambda s: without(s, "trace", nth=12)},
    ("only tasks bound to a processor run there", "priorities"): {"a task runs where another is bound": elsewhere},
    ("to run another task costs a switch", "priorities"): {
        "a switch is called computing": lambda s: said(s, "trace", activity("switch"), nth=4, activity="compute")
    },
    ("sends and receives take the overhead", "gang"): {
        "a send that takes no overhead": lambda s: table(
            s,
            "trace",
            end_ns=pl.when(pl.col("activity").cast(pl.String) == "send").then(pl.col("end_ns") + 1).otherwise("end_ns"),
        )
    },
    ("idle processors are blocked or empty", "gang"): {
        "a processor that waits is called empty": lambda s: said(s, "trace", activity("blocked"), activity="empty"),
        "a processor without owner is called blocked": lambda s: said(
            s, "trace", activity("empty"), nth=-1, activity="blocked"
        ),
    },
    ("the trace adds up to the sums", "priorities"): {
        "computing that was spinning": lambda s: table(
            s, "processor_activity", compute_ns=pl.col("compute_ns") - 1, spin_ns=pl.col("spin_ns") + 1
        )
    },
    ("the trace of a whole run adds up to its jobs", "priorities"): {
        "a request was never issued": lambda s: table(s, "trace_disks", s.tables["trace_disks"].head(-1))
    },
    ("blocked tasks do not run", "priorities"): {
        "a disk is not done when its task runs": lambda s: said(s, "trace_disks", end_ns=pl.col("end_ns") + LATER)
    },
    ("disks serve first come, first served", "priorities"): {
        "a request waits for no other": lambda s: said(s, "trace_disks", nth=1, begin_ns=pl.col("begin_ns") + 1)
    },
    ("messages take the latency", "priorities"): {
        "a message is faster than the network": lambda s: said(
            s, "trace_messages", nth=2, arrived_ns=pl.col("arrived_ns") - 1
        )
    },
    ("receives follow arrivals", "gang"): {
        "a message was received that was not sent": lambda s: without(s, "trace_messages", nth=3)
    },
    ("messages take the latency", "gang"): {
        "a message is from a task that the job has not": lambda s: said(s, "trace_messages", nth=2, sender=99)
    },
    ("barriers release all tasks", "gang"): {
        "a task comes to a barrier while it computes": lambda s: table(
            s, "trace_barriers", arrived_ns=pl.col("arrived_ns") - 1
        )
    },
    ("barriers release all tasks", "priorities"): {"a barrier is released late": released(1)},
    ("spinning ends in time", "gang"): {"a task spins though its barrier is released": released(-10_000)},
    ("spin limits follow the control", "controlled"): {
        "a limit without time for it": lambda s: parameters(s, delta_switches=1000.0)
    },
    ("owners precede", "priorities"): {"an owner is said to be chosen locally": lambda s: run_of(s, "local")},
    ("local choices are the best", "priorities"): {"a low priority is chosen": lambda s: parameters(s, beta=0.9)},
    ("nothing idles that could run", "gang"): {
        "a processor idles beside a ready task": lambda s: parameters(s, local="round_robin")
    },
    ("runs end for a reason", "priorities"): {"a task is taken away for nothing": lambda s: parameters(s, boost=False)},
    ("tasks that may preempt do", "not boosted"): {"a task is not boosted": lambda s: parameters(s, boost=True)},
    ("what is learned was seen", "priorities"): {
        "a request is not seen": lambda s: said(s, "trace_memberships", "io_seen", io_seen=False)
    },
    ("what is learned was seen", "controlled"): {
        "computing is taken for communication": lambda s: table(s, "trace_memberships", communication_seen=True)
    },
    ("memberships follow the classifier", "priorities"): {
        "a membership of its own": lambda s: said(s, "trace_memberships", nth=5, io_ppm=pl.col("io_ppm") + 1)
    },
    ("memberships follow the classifier", "controlled"): {
        "a measurement of its own": lambda s: said(
            s, "trace_memberships", nth=5, io_measured_ppm=pl.col("io_measured_ppm") + 1
        )
    },
    ("statements follow drawn programs", "priorities"): {
        "a message of another number": lambda s: table(s, "trace_messages", message=pl.col("message") + 1)
    },
    ("statements follow drawn programs", "barriers"): {
        "a barrier of another number": lambda s: table(s, "trace_barriers", barrier=pl.col("barrier") + 1)
    },
    ("statements follow bursts and written programs", "priorities"): {
        "a request of another length": lambda s: said(s, "trace_disks", nth=2, end_ns=pl.col("end_ns") + 1)
    },
}
