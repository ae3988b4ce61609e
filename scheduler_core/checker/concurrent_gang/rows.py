"""The rows of the trace: no gaps, one task at a time, switches between tasks, and sums that agree with the sums' tables."""

import polars as pl

from scheduler_core.checker.concurrent_gang.evidence import LENGTH, ConcurrentGangEvidence
from scheduler_core.checker.concurrent_gang.trace import trace_of
from scheduler_core.checker.evidence import NOTHING_CHECKED, aligned
from scheduler_core.common.units import NS_PER_US

IDLE = ("blocked", "empty")
COMMUNICATES = ("send", "receive")
SUMMED = {
    "compute_ns": ("compute",),
    "message_ns": COMMUNICATES,
    "spin_ns": ("spin",),
    "switch_ns": ("switch",),
    "blocked_ns": ("blocked",),
    "empty_ns": ("empty",),
}
"""Activities with a column of sums."""

NAMED = ("processor", "begin_ns", "end_ns", "activity", "job", "task")


def trace_has_no_gaps(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """The trace covers every processor for the whole window, one activity at a time; no row crosses a tick."""
    begin, end = evidence.window
    rows, slice_ns = trace_of(evidence).rows, evidence.facts.slice_ns
    same = pl.col("processor") == pl.col("processor").shift(1)
    last = pl.col("processor").ne_missing(pl.col("processor").shift(-1))
    due = pl.when(same).then(pl.col("end_ns").shift(1)).otherwise(pl.lit(begin))
    broken = (
        (pl.col("begin_ns") != due)
        | (pl.col("end_ns") <= pl.col("begin_ns"))
        | (last & (pl.col("end_ns") != end))
        | ((pl.col("end_ns") - 1) // slice_ns != pl.col("slice"))
    )
    wrong = rows.filter(broken).select(*NAMED)
    every = pl.DataFrame({"processor": range(evidence.machine.processors if end > begin else 0)}).cast(pl.Int32)
    unseen = every.join(rows, on="processor", how="anti", maintain_order="left")
    return rows.height + every.height, pl.concat([wrong, unseen], how="diagonal")


def only_bound_tasks_run(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """A task runs on the processor it is bound to, from its job's placement to its end; idle processors run no task."""
    when = evidence.placed.select("job", "placed_ns", "finish_us")
    rows = aligned(trace_of(evidence).rows, when, "job")
    idle = pl.col("activity").is_in(IDLE)
    broken = pl.any_horizontal(
        *(idle != pl.col(name).is_null() for name in ("job", "task", "by")),
        ~idle & pl.col("bound_to").ne_missing(pl.col("processor")),
        pl.col("begin_ns") < pl.col("placed_ns"),
        ~idle & (pl.col("end_ns") > pl.col("finish_us") * NS_PER_US),
    )
    return rows.height, rows.filter(broken).select(*NAMED, "bound_to")


def another_task_costs_a_switch(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """Running another task than the last costs one context switch first; running the same task costs none.

    If the clock or another task cuts a switch short, the task has nothing else of its turn.
    """
    cost, runs = evidence.facts.switch_ns, trace_of(evidence).runs.filter(~pl.col("clipped") & ~pl.col("hidden"))
    whole = (pl.col("switches") == 1) & (pl.col("switch_ns") == cost)
    cut = (pl.col("switch_ns") == LENGTH) & (cost >= LENGTH)
    paid, unpaid = (pl.col("first") == "switch") & (whole | cut), pl.col("switches") == 0
    other = (pl.col("before") != pl.col("number")) & pl.lit(cost > 0)
    checked = runs.filter(pl.col("before").is_not_null())  # what ran before the window began is unknown
    wrong = checked.filter(~pl.when(other).then(paid).otherwise(unpaid))
    return checked.height, wrong.select("processor", "begin_ns", "end_ns", "job", "task", "switches", "switch_ns")


def statements_are_whole(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """A send or a receive takes the overhead, unless it began before or the end of the run cuts it short."""
    overhead = evidence.facts.overhead_ns
    rows = trace_of(evidence).rows.filter(pl.col("number").is_not_null())
    begun = pl.col("run").ne_missing(pl.col("run").shift(1)) | (pl.col("activity").shift(1) == "switch")
    ends = pl.col("run").ne_missing(pl.col("run").shift(-1))
    messages = rows.with_columns(part=begun | ends).filter(pl.col("activity").is_in(COMMUNICATES))
    broken = (overhead < LENGTH) | (~pl.col("part") & (overhead > LENGTH))
    return messages.height, messages.filter(broken).select(*NAMED)


def idleness_is_named(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """An idle processor is blocked if the slice has an owner that has not ended, and empty otherwise."""
    slice_ns = evidence.facts.slice_ns
    owner = evidence.owners.select("processor", "number", slice=pl.col("begin_ns") // slice_ns)
    idle = trace_of(evidence).rows.filter(pl.col("activity").is_in(IDLE)).drop("number")
    ran = trace_of(evidence).runs.group_by("number").agg(last_ns=pl.col("end_ns").max())
    idle = aligned(idle, owner, "processor", "slice")
    finish = evidence.bound.select("number", "finish_us")
    idle = aligned(idle, ran, "number")
    idle = aligned(idle, finish, "number")
    owned, blocked = pl.col("number").is_not_null(), pl.col("activity") == "blocked"
    gone = pl.col("finish_us") * NS_PER_US <= pl.col("begin_ns")
    broken = (blocked & (~owned | gone)) | (~blocked & owned & (pl.col("last_ns") > pl.col("begin_ns")))
    return idle.height, idle.filter(broken).select("processor", "begin_ns", "end_ns", "activity", owner="number")


def trace_adds_up(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """The trace adds up to the processors' sums in periods that lie in the window."""
    begin, end = evidence.window
    columns = ("begin_us", "processor", *SUMMED, "local_ns")
    table = evidence.tables["processor_activity"]
    inside = (pl.col("begin_us") * NS_PER_US >= begin) & (pl.col("end_us") * NS_PER_US <= end)
    periods = table.filter(inside)
    if periods.is_empty():
        return NOTHING_CHECKED
    edges = periods.select("begin_us", "end_us").unique().sort("begin_us")
    rows = trace_of(evidence).rows.join_where(
        edges.rename({"begin_us": "period_us", "end_us": "until_us"}),
        pl.col("begin_ns") < pl.col("until_us") * NS_PER_US,
        pl.col("end_ns") > pl.col("period_us") * NS_PER_US,
    )
    until, since = pl.col("until_us") * NS_PER_US, pl.col("period_us") * NS_PER_US
    length = pl.min_horizontal("end_ns", until) - pl.max_horizontal("begin_ns", since)
    sums = rows.group_by("processor", begin_us="period_us").agg(
        *(length.filter(pl.col("activity").is_in(names)).sum().alias(name) for name, names in SUMMED.items()),
        local_ns=length.filter((pl.col("by") == "local") & (pl.col("activity") != "switch")).sum(),
    )
    both = periods.select(columns).join(sums, on=["begin_us", "processor"], how="left", suffix="_traced")
    unequal = [pl.col(name).ne_missing(pl.col(f"{name}_traced")) for name in (*SUMMED, "local_ns")]
    return both.height, both.filter(pl.any_horizontal(unequal))


def jobs_add_up(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """If the window is the whole run, the trace adds up to what jobs did and to the counters."""
    if evidence.window != (0, evidence.end_ns) or evidence.events_end_ns <= evidence.end_ns:
        return NOTHING_CHECKED
    rows, runs = trace_of(evidence).rows, trace_of(evidence).runs
    by_local = (pl.col("by") == "local") & pl.col("activity").is_in(("compute", *COMMUNICATES, "spin"))
    of_jobs = rows.filter(pl.col("job").is_not_null()).group_by("job")
    sums = of_jobs.agg(
        *(LENGTH.filter(pl.col("activity").is_in(SUMMED[name])).sum().alias(name) for name in list(SUMMED)[:4]),
        local_ns=LENGTH.filter(by_local).sum(),
    )
    served = pl.min_horizontal("end_ns", pl.lit(evidence.end_ns)) - pl.col("begin_ns")
    begun = evidence.disks.filter(pl.col("begin_ns") <= evidence.end_ns)
    disks = begun.group_by("job").agg(disk_ns=served.sum(), requests=pl.len().cast(pl.Int64))
    received = evidence.messages.filter(pl.col("received_ns").is_not_null())
    messages = received.group_by("job").agg(messages=pl.len().cast(pl.Int64))
    chosen = runs.filter(pl.col("by") == "local").group_by("job").agg(local_runs=pl.len().cast(pl.Int64))
    both = evidence.tables["job_activity"]
    for table in (sums, disks, messages, chosen):
        both = both.join(table, on="job", how="left", suffix="_traced", maintain_order="left")
    names = [name.removesuffix("_traced") for name in both.columns if name.endswith("_traced")]
    traced = {name: pl.col(f"{name}_traced").fill_null(0) for name in names}
    # A choice that took no time has no row.
    unequal = [pl.col(name) < traced[name] if name == "local_runs" else pl.col(name) != traced[name] for name in names]
    shown = [column for name in names for column in (name, f"{name}_traced")]
    return both.height, both.filter(pl.any_horizontal(unequal)).select("job", *shown)
