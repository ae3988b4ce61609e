"""Broken runs of Concurrent Gang: by name the rule that must catch it, the kind of run, what is changed."""

import dataclasses

import polars as pl

from scheduler_core.contracts import Outcome
from tests.scheduler_core.checker.broken_schedules import at_row, counters, for_job, held, jobs, parameters

LATER = 1_000_000_000
"""Longer than any run here takes, in nanoseconds."""


def with_table(schedule, name, table):
    return dataclasses.replace(schedule, tables={**schedule.tables, name: table})


def columns(schedule, name, **values):
    return with_table(schedule, name, schedule.tables[name].with_columns(**values))


def row_where(schedule, name, *conditions, nth=0):
    return schedule.tables[name].with_row_index("at").filter(*conditions)["at"][nth]


def changed(schedule, name, conditions, nth=0, **values):
    """Change columns of a row that fulfils the conditions; a value that is no expression is written as it is."""
    kinds, row = schedule.tables[name].schema, row_where(schedule, name, *conditions, nth=nth)
    written = {
        column: value if isinstance(value, pl.Expr) else pl.lit(value, kinds[column])
        for column, value in values.items()
    }
    return columns(schedule, name, **{column: at_row(row, column, value) for column, value in written.items()})


def without_row(schedule, name, *conditions, nth=0):
    table, row = schedule.tables[name], row_where(schedule, name, *conditions, nth=nth)
    return with_table(schedule, name, pl.concat([table[:row], table[row + 1 :]]))


def activity(word):
    return (pl.col("activity").cast(pl.String) == word,)


def doing(schedule, *words):
    """Return the number of the first job that has one of these applications' counts above 0."""
    return schedule.tables["job_activity"].filter(pl.max_horizontal(*words) > 0)["job"][0]


def of_job(job):
    return (pl.col("job") == job,)


def quiet(schedule):
    """Return a job that sends nothing and passes no barrier."""
    table = schedule.tables["job_activity"]
    return table.filter(pl.max_horizontal("messages", "barriers") == 0)["job"][0]


def elsewhere(schedule):
    """Let a task of a job of several tasks run on the processor of another of its tasks."""
    several = schedule.jobs.filter(pl.col("processors") > 1)["job"].implode()
    conditions = (pl.col("job").is_in(several), pl.col("task") == 0)
    return changed(schedule, "trace", conditions, nth=3, task=1)


def starts(job, begin_us):
    """Say that a job began at another time."""

    def change(schedule):
        moved = held(schedule, begin_us=for_job(job(schedule), "begin_us", begin_us))
        return jobs(moved, start_us=for_job(job(schedule), "start_us", begin_us))

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
    return columns(
        schedule, "trace", by=at_row(owned["row"][2], "by", pl.lit(by, schedule.tables["trace"].schema["by"]))
    )


def another_row(schedule):
    """Say that the first job that shares a row with one before was placed in a row further on."""
    shared = pl.col("slot") == pl.col("slot").shift(1)
    number = schedule.allocations.filter(shared)["job"][0]
    return held(schedule, slot=for_job(number, "slot", pl.col("slot") + 1))


def served_later(schedule):
    """Let a disk serve for longer than until the task ran again."""
    return changed(schedule, "trace_disks", (), end_ns=pl.col("end_ns") + LATER)


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
        return columns(schedule, "trace_barriers", released_ns=moved)

    return change


def other_message(schedule):
    """Let messages have the numbers of those that follow them."""
    return columns(schedule, "trace_messages", message=pl.col("message") + 1)


def switch_left_out(schedule):
    return changed(schedule, "trace", activity("switch"), nth=4, activity="compute")


TRACED_MUTATIONS = {
    "a job is left out": (
        "every job appears once",
        "priorities",
        lambda s: dataclasses.replace(s, jobs=s.jobs.head(-1)),
    ),
    "a run time is changed": (
        "what was asked is unchanged",
        "priorities",
        lambda s: jobs(s, runtime_us=pl.col("runtime_us") + 1),
    ),
    "an unfinished job is called finished": (
        "finished, killed and rejected jobs are the right ones",
        "cut",
        lambda s: jobs(s, outcome=pl.lit("finished", Outcome)),
    ),
    "a job is called unfinished though the run goes on until all have ended": (
        "finished, killed and rejected jobs are the right ones",
        "priorities",
        lambda s: jobs(
            s,
            outcome=for_job(finished_job(s), "outcome", pl.lit("unfinished", Outcome)),
            finish_us=for_job(finished_job(s), "finish_us", pl.lit(None, pl.Int64)),
        ),
    ),
    "a job that computed all is called unfinished": (
        "a job does what its program says",
        "cut",
        lambda s: jobs(
            s,
            outcome=for_job(computed_job(s), "outcome", pl.lit("unfinished", Outcome)),
            finish_us=for_job(computed_job(s), "finish_us", pl.lit(None, pl.Int64)),
        ),
    ),
    "a start before submission": ("no job starts before its submission", "priorities", starts(finished_job, pl.lit(0))),
    "a finish that is no end": (
        "start and finish agree with the allocations",
        "priorities",
        lambda s: jobs(s, finish_us=pl.col("finish_us") + 1),
    ),
    "an allocation without length": (
        "allocations are sound",
        "priorities",
        lambda s: held(s, end_us=pl.col("begin_us")),
    ),
    "a processor too many": (
        "a rigid job keeps its size",
        "priorities",
        lambda s: held(s, processors=pl.col("processors") + 1),
    ),
    "all tasks on one processor": (
        "no processor is given twice",
        "priorities",
        lambda s: held(
            s,
            processor_ids=for_job(large_job(s), "processor_ids", pl.col("processor_ids").list.eval(pl.element() * 0)),
        ),
    ),
    "a period is left out": (
        "periods cover the run",
        "priorities",
        lambda s: with_table(s, "processor_activity", s.tables["processor_activity"].head(-1)),
    ),
    "a nanosecond too many": (
        "activities fill the time of processors",
        "priorities",
        lambda s: changed(s, "processor_activity", (), nth=2, empty_ns=pl.col("empty_ns") + 1),
    ),
    "more local time than work": (
        "activities fill the time of processors",
        "priorities",
        lambda s: columns(
            s, "processor_activity", local_ns=pl.sum_horizontal("compute_ns", "message_ns", "spin_ns") + 1
        ),
    ),
    "a job spins for longer than processors do": (
        "sums of processors are those of jobs",
        "priorities",
        lambda s: changed(s, "job_activity", of_job(doing(s, "spin_ns")), spin_ns=pl.col("spin_ns") + 1),
    ),
    "a job has no sums": (
        "every job that was placed has its sums",
        "priorities",
        lambda s: with_table(s, "job_activity", s.tables["job_activity"].head(-1)),
    ),
    "computing is called disk time": (
        "a job does what its program says",
        "priorities",
        lambda s: changed(
            s,
            "job_activity",
            of_job(doing(s, "requests")),
            compute_ns=pl.col("compute_ns") - 1,
            disk_ns=pl.col("disk_ns") + 1,
        ),
    ),
    "a message too many": (
        "a job does what its program says",
        "gang",
        lambda s: changed(s, "job_activity", of_job(doing(s, "messages")), messages=pl.col("messages") + 1),
    ),
    "a barrier too few": (
        "a job does what its program says",
        "turns",
        lambda s: changed(s, "job_activity", of_job(doing(s, "barriers")), barriers=pl.col("barriers") - 1),
    ),
    "a job is done in a microsecond": (
        "no job is faster than alone",
        "priorities",
        starts(finished_job, pl.lit(LATER)),
    ),
    "a job that waits for nothing spins": (
        "tasks wait only where they may",
        "priorities",
        lambda s: changed(s, "job_activity", of_job(quiet(s)), spin_ns=5),
    ),
    "the local scheduler of a gang chooses": (
        "tasks wait only where they may",
        "gang",
        lambda s: columns(s, "job_activity", local_runs=pl.col("local_runs") + 1),
    ),
    "work that was not done": (
        "work done is that of the tasks",
        "priorities",
        lambda s: held(s, work_us=pl.col("work_us") + 2),
    ),
    "a rate that is not that": (
        "work done is that of the tasks",
        "priorities",
        lambda s: held(s, rate=pl.col("rate") + 0.1),
    ),
    "a slice too many": ("events are counted", "priorities", lambda s: counters(s, slices=1)),
    "a request too many": ("events are counted", "priorities", lambda s: counters(s, requests=1)),
    "a placement between ticks": (
        "jobs are placed at ticks",
        "priorities",
        lambda s: held(s, begin_us=pl.col("begin_us") + 1),
    ),
    "a row that is too far on": ("jobs are placed in rows", "priorities", another_row),
    "processors that are not the lowest": (
        "jobs are placed in rows",
        "turns",
        lambda s: held(s, processor_ids=pl.col("processor_ids").list.eval(3 - pl.element()).list.sort()),
    ),
    "tasks are one too many": (
        "processors have room for the tasks bound to them",
        "controlled",
        lambda s: parameters(s, tasks_per_processor=1),
    ),
    "another row has its turn": (
        "rows take turns and name the owners",
        "priorities",
        lambda s: columns(s, "trace_slices", row=pl.col("row") + 1),
    ),
    "an owner is not named": (
        "rows take turns and name the owners",
        "gang",
        lambda s: changed(s, "trace_slices", (pl.col("job").is_not_null(),), nth=3, job=None, task=None),
    ),
    "an owner owns where it is not bound": (
        "rows take turns and name the owners",
        "controllers",
        lambda s: changed(s, "trace_slices", (pl.col("job").is_not_null(),), nth=1, processor=3),
    ),
    "a nanosecond twice": (
        "the trace has no gaps",
        "priorities",
        lambda s: changed(s, "trace", (), nth=9, end_ns=pl.col("end_ns") + 1),
    ),
    "a row is left out": ("the trace has no gaps", "gang", lambda s: without_row(s, "trace", nth=12)),
    "a task runs where another is bound": ("only tasks bound to a processor run there", "priorities", elsewhere),
    "a switch is called computing": ("to run another task costs a switch", "priorities", switch_left_out),
    "a send that takes no overhead": (
        "sends and receives take the overhead",
        "gang",
        lambda s: columns(
            s,
            "trace",
            end_ns=pl.when(pl.col("activity").cast(pl.String) == "send").then(pl.col("end_ns") + 1).otherwise("end_ns"),
        ),
    ),
    "a processor that waits is called empty": (
        "idle processors are blocked or empty",
        "gang",
        lambda s: changed(s, "trace", activity("blocked"), activity="empty"),
    ),
    "a processor without owner is called blocked": (
        "idle processors are blocked or empty",
        "gang",
        lambda s: changed(s, "trace", activity("empty"), nth=-1, activity="blocked"),
    ),
    "computing that was spinning": (
        "the trace adds up to the sums",
        "priorities",
        lambda s: columns(s, "processor_activity", compute_ns=pl.col("compute_ns") - 1, spin_ns=pl.col("spin_ns") + 1),
    ),
    "a request was never issued": (
        "the trace of a whole run adds up to its jobs",
        "priorities",
        lambda s: with_table(s, "trace_disks", s.tables["trace_disks"].head(-1)),
    ),
    "a disk is not done when its task runs": ("blocked tasks do not run", "priorities", served_later),
    "a request waits for no other": (
        "disks serve first come, first served",
        "priorities",
        lambda s: changed(s, "trace_disks", (), nth=1, begin_ns=pl.col("begin_ns") + 1),
    ),
    "a message is faster than the network": (
        "messages take the latency",
        "priorities",
        lambda s: changed(s, "trace_messages", (), nth=2, arrived_ns=pl.col("arrived_ns") - 1),
    ),
    "a message was received that was not sent": (
        "receives follow arrivals",
        "gang",
        lambda s: without_row(s, "trace_messages", nth=3),
    ),
    "a message is from a task that the job has not": (
        "messages take the latency",
        "gang",
        lambda s: changed(s, "trace_messages", (), nth=2, sender=99),
    ),
    "a task comes to a barrier while it computes": (
        "barriers release all tasks",
        "gang",
        lambda s: columns(s, "trace_barriers", arrived_ns=pl.col("arrived_ns") - 1),
    ),
    "a barrier is released late": ("barriers release all tasks", "priorities", released(1)),
    "a task spins though its barrier is released": ("spinning ends in time", "gang", released(-10_000)),
    "a limit without time for it": (
        "spin limits follow the control",
        "controlled",
        lambda s: parameters(s, delta_switches=1000.0),
    ),
    "an owner is said to be chosen locally": ("owners precede", "priorities", lambda s: run_of(s, "local")),
    "a low priority is chosen": ("local choices are the best", "priorities", lambda s: parameters(s, beta=0.9)),
    "a processor idles beside a ready task": (
        "nothing idles that could run",
        "gang",
        lambda s: parameters(s, local="round_robin"),
    ),
    "a task is taken away for nothing": ("runs end for a reason", "priorities", lambda s: parameters(s, boost=False)),
    "a task is not boosted": ("tasks that may preempt do", "not boosted", lambda s: parameters(s, boost=True)),
    "a request is not seen": (
        "what is learned was seen",
        "priorities",
        lambda s: changed(s, "trace_memberships", ("io_seen",), io_seen=False),
    ),
    "computing is taken for communication": (
        "what is learned was seen",
        "controlled",
        lambda s: columns(s, "trace_memberships", communication_seen=pl.lit(True)),
    ),
    "a membership of its own": (
        "memberships follow the classifier",
        "priorities",
        lambda s: changed(s, "trace_memberships", (), nth=5, io_ppm=pl.col("io_ppm") + 1),
    ),
    "a measurement of its own": (
        "memberships follow the classifier",
        "controlled",
        lambda s: changed(s, "trace_memberships", (), nth=5, io_measured_ppm=pl.col("io_measured_ppm") + 1),
    ),
    "a message of another number": ("statements follow drawn programs", "priorities", other_message),
    "a request of another length": (
        "statements follow bursts and written programs",
        "priorities",
        lambda s: changed(s, "trace_disks", (), nth=2, end_ns=pl.col("end_ns") + 1),
    ),
}
