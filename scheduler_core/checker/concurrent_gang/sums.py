"""What processors and jobs did with their time, in sums: nothing is lost, and each job completed its program."""

from typing import Any

import numpy as np
import polars as pl

from scheduler_core.checker.concurrent_gang.evidence import ConcurrentGangEvidence
from scheduler_core.checker.concurrent_gang.programs import totals
from scheduler_core.checker.evidence import aligned, counters_agree
from scheduler_core.common.units import NS_PER_US

BUSY = ("compute_ns", "message_ns", "spin_ns")
WHOLE = (*BUSY, "switch_ns", "blocked_ns", "empty_ns")
OF_JOBS = (*BUSY, "switch_ns", "local_ns", "disk_ns")
DONE = ("compute_ns", "message_ns", "disk_ns")
COUNTED = ("messages", "barriers", "requests")
RATE_TOLERANCE = 1e-9  # a rate is one division


def periods_are_whole(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """Periods follow each other from 0 to the end of the run, each with every processor."""
    table, facts = evidence.tables["processor_activity"], evidence.facts
    begins = np.arange(0, evidence.end_ns, facts.period_ns)
    ends = np.minimum(begins + facts.period_ns, evidence.end_ns)
    expected = pl.DataFrame({"begin_us": -(-begins // NS_PER_US), "end_us": -(-ends // NS_PER_US)})
    every = pl.DataFrame({"processor": range(evidence.machine.processors)}, schema={"processor": pl.Int32})
    due = expected.join(every, how="cross", maintain_order="left_right").with_row_index("row")
    found = table.select("begin_us", "end_us", "processor").with_row_index("row")
    both = due.join(found, on="row", how="full", coalesce=True, suffix="_found").sort("row")
    odd = [pl.col(name).ne_missing(pl.col(f"{name}_found")) for name in ("begin_us", "end_us", "processor")]
    return both.height, both.filter(pl.any_horizontal(odd)).drop("row")


def activities_fill_time(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """Six activities fill every processor's time; the local scheduler's and the disk's parts lie within it."""
    table = evidence.tables["processor_activity"]
    begin = pl.col("begin_us") // (evidence.facts.period_ns // NS_PER_US or 1) * evidence.facts.period_ns
    rows = table.with_columns(
        length_ns=pl.min_horizontal(begin + evidence.facts.period_ns, pl.lit(evidence.end_ns)) - begin,
        sum_ns=pl.sum_horizontal(WHOLE),
    )
    broken = (
        (pl.col("sum_ns") != pl.col("length_ns"))
        | (pl.col("local_ns") > pl.sum_horizontal(BUSY))
        | (pl.col("disk_ns") > pl.col("length_ns"))
        | (pl.min_horizontal(*WHOLE, "local_ns", "disk_ns") < 0)
    )
    return rows.height, rows.filter(broken)


def sums_agree(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """In total, processors did for tasks and disks served what jobs did."""
    sums = {
        f"of_{who}s_ns": [int(evidence.tables[f"{who}_activity"][name].sum()) for name in OF_JOBS]
        for who in ("processor", "job")
    }
    both = pl.DataFrame({"activity": OF_JOBS, **sums})
    return both.height, both.filter(pl.col("of_processors_ns") != pl.col("of_jobs_ns"))


def every_placed_job_has_sums(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """Every placed job has a row of sums, in the order of the workload, with no value below 0."""
    table = evidence.tables["job_activity"]
    due = evidence.placed.select(expected="job").with_row_index("row")
    both = due.join(table.with_row_index("row"), on="row", how="full", coalesce=True).sort("row")
    numbers = [name for name in table.columns if name != "job"]
    broken = pl.col("expected").ne_missing(pl.col("job")) | (pl.min_horizontal(numbers) < 0)
    return both.height, both.filter(broken).select("expected", "job")


def programs_are_done(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """An ended job did exactly what its program says: computing, messages, barriers, requests, time on disk.

    A job that did not end did at most that. It may have done all of it, because a task whose last statement blocked it ends only
    when it runs again. A job that only computes has something left.
    """
    stated = evidence.activity
    due = stated.select("job").hstack(totals(evidence, stated))
    both = stated.join(due, on="job", suffix="_due", maintain_order="left")
    unequal = pl.any_horizontal(pl.col(name).ne_missing(pl.col(f"{name}_due")) for name in (*DONE, *COUNTED))
    done, all_of_it = pl.sum_horizontal(DONE), pl.sum_horizontal(f"{name}_due" for name in DONE)
    computes = pl.col("application").cast(pl.String) == "compute"
    too_much = (done > all_of_it) | (computes & (done == all_of_it))
    wrong = both.filter(pl.when("ended").then(unequal).otherwise(too_much))
    names = [f"{name}{end}" for name in (*DONE, *COUNTED) for end in ("", "_due")]
    return both.height, wrong.select("job", "application", "outcome", *names)


def never_faster_than_alone(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """An ended job took at least the time it takes alone; a program at least that of its longest task."""
    programs = evidence.companion("programs").group_by("job", "task").agg(pl.col("time_us").sum())
    longest = programs.group_by("job").agg(longest_us=pl.col("time_us").max())
    ended = aligned(evidence.placed.filter("ended"), longest, "job")
    ended = ended.with_columns(
        took_us=pl.col("finish_us") - pl.col("start_us"),
        alone_us=pl.coalesce("longest_us", pl.min_horizontal("runtime_us", "estimate_us")),
    )
    return ended.height, ended.filter(pl.col("took_us") < pl.col("alone_us")).select("job", "took_us", "alone_us")


def waits_are_possible(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """Only tasks that communicate spin or block at a wait, and none blocks without a limit.

    Only a policy with a local scheduler has tasks that it chose.
    """
    facts, table = evidence.facts, evidence.activity
    kind = pl.col("application").cast(pl.String)
    apart = kind.is_in(["compute", "io"])
    broken = (
        (apart & (pl.max_horizontal("message_ns", "spin_ns", "blocked") > 0))
        | ((kind == "irregular") & (pl.col("spin_ns") > 0))
        | (pl.lit(facts.spin_ns is None) & (kind != "irregular") & (pl.col("blocked") > 0))
        | (pl.lit(not facts.local) & (pl.max_horizontal("local_ns", "local_runs") > 0))
        | (pl.col("local_ns") > pl.sum_horizontal(BUSY))
        | ((pl.col("local_runs") == 0) & (pl.col("local_ns") > 0))
        | (pl.lit(facts.switch_ns == 0) & (pl.col("switch_ns") > 0))
    )
    names = ("message_ns", "spin_ns", "switch_ns", "blocked", "local_ns", "local_runs")
    return table.height, table.filter(broken).select("job", "application", *names)


def work_is_that_of_the_tasks(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """An allocation's work is its tasks' computing, communication and disk use, per processor; its rate is work over time.

    Work is in whole microseconds, as far as it has come.
    """
    done_us = pl.sum_horizontal(DONE) // (pl.col("size").cast(pl.Int64) * NS_PER_US)
    done = evidence.activity.with_columns(done_us=done_us, length_us=pl.col("end_us") - pl.col("begin_us"))
    off = (pl.col("rate") - pl.col("held_us") / pl.col("length_us")).abs()
    broken = (pl.col("held_us") != pl.col("done_us")) | (off > RATE_TOLERANCE)
    return done.height, done.filter(broken).select("job", "held_us", "done_us", "rate", "length_us")


def counters_follow(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """The counters agree with the sums of jobs, the slices with the end, and the changes with placements and finishes."""
    jobs = evidence.tables["job_activity"]
    expected: dict[str, Any] = {name: int(jobs[name].sum()) for name in (*COUNTED, "blocked", "local_runs")}
    expected["slices"] = evidence.end_ns // evidence.facts.slice_ns
    changes = {evidence.changes(late=late) for late in (False, True)}
    stated = evidence.counters.get("workload_changes")
    several = evidence.placed["late"].sum() > 1  # for each of them it is open when it left
    expected["workload_changes"] = stated if several or stated in changes else min(changes)
    return counters_agree(evidence, expected)
