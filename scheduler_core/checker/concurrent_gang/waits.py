"""What tasks wait for: disks, messages, barriers; and how long they spin."""

import polars as pl

from scheduler_core.checker.concurrent_gang.evidence import LENGTH, ConcurrentGangEvidence, latest
from scheduler_core.checker.concurrent_gang.trace import NEVER, WAKING, trace_of
from scheduler_core.checker.evidence import aligned

GAP = ("processor", "job", "task", "from_ns", "reason", "ready_ns", "next_ns")


def blocked_tasks_do_not_run(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """A task that waits for its disk or has blocked does not run before it is ready."""
    gaps = trace_of(evidence).gaps.filter(pl.col("reason").is_in(WAKING), pl.col("ready_ns").is_not_null())
    broken = gaps.filter(pl.col("again") & (pl.col("next_ns") < pl.col("ready_ns")))
    return gaps.height, broken.select(*GAP)


def disks_serve_in_order(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """A disk serves first come, first served, immediately if free; a task asks its processor's disk when it stops running."""
    begin, end = evidence.window[0], evidence.events_end_ns
    same = pl.col("processor") == pl.col("processor").shift(1)
    free = pl.when(same).then(pl.col("end_ns").shift(1))
    disks = evidence.disks.sort("processor", "issued_ns", maintain_order=True)
    disks = disks.with_columns(due_ns=pl.max_horizontal("issued_ns", free), first=~same.fill_null(False))
    stops = trace_of(evidence).runs.select("number", issued_ns="end_ns", stopped=pl.lit(True)).unique()
    disks = aligned(disks, stops, "number", "issued_ns")
    unknown = pl.col("first") & pl.lit(begin > 0)  # requests from before the window are unknown
    broken = (
        (pl.col("bound_to").ne_missing(pl.col("processor")))
        | ~pl.col("issued_ns").is_between(begin, end, closed="left")
        | (pl.col("end_ns") <= pl.col("begin_ns"))
        | (pl.col("begin_ns") < pl.col("due_ns"))
        | (~unknown & (pl.col("begin_ns") > pl.col("due_ns")))
        | (pl.col("stopped").is_null() & (pl.col("issued_ns") > begin) & pl.lit(evidence.facts.switch_ns > 0))
    )
    names = ("processor", "job", "task", "issued_ns", "due_ns", "begin_ns", "end_ns")
    return disks.height, disks.filter(broken).select(*names)


def messages_take_the_latency(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """A message arrives one latency after the end of its send; its receive takes the overhead and begins no earlier.

    Sends and receives end where the trace says, and appear once in its tables.
    """
    facts, begin, end = evidence.facts, evidence.window[0], evidence.events_end_ns
    table = evidence.messages.join(evidence.placed.select("job", "size"), on="job", how="left")
    for kind, who, time in (("send", "sender", "sent_ns"), ("receive", "receiver", "received_ns")):
        ends = trace_of(evidence).rows.filter(pl.col("activity") == kind)
        ends = ends.select("job", pl.lit(True).alias(kind), **{who: "task", time: "end_ns"}).unique()
        table = table.join(ends, on=["job", who, time], how="left")
    sent, received = (
        pl.col(name).is_between(begin, end, closed="right").fill_null(False) for name in ("sent_ns", "received_ns")
    )
    takes = pl.lit(facts.overhead_ns > 0)
    broken = (
        (pl.col("arrived_ns") != pl.col("sent_ns") + facts.latency_ns)
        | (pl.col("received_ns") < pl.col("arrived_ns") + facts.overhead_ns)
        | (pl.col("sender") == pl.col("receiver"))
        | pl.col("number").is_null()
        | ~pl.col("sender").is_between(0, pl.col("size") - 1).fill_null(False)
        | pl.struct("job", "message").is_duplicated()
        | ~(sent | received)
        | (takes & sent & (pl.col("sent_ns") > begin) & pl.col("send").is_null())
        | (takes & received & (pl.col("received_ns") > begin) & pl.col("receive").is_null())
    )
    names = ("job", "message", "sender", "receiver", "sent_ns", "arrived_ns", "received_ns")
    return table.height, table.filter(broken).select(*names)


def receives_follow_arrivals(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """A receive begins when its message has arrived, and every completed send and receive has a message."""
    messages = evidence.messages.filter(pl.col("received_ns").is_not_null()).sort("received_ns")
    of = messages.select("number", "message", "arrived_ns", "received_ns")
    sends, rows = (
        trace_of(evidence).rows.filter(pl.col("activity") == kind, pl.col("number").is_not_null())
        for kind in ("send", "receive")
    )
    rows = rows.sort("end_ns").join_asof(
        of, left_on="end_ns", right_on="received_ns", by="number", strategy="forward", check_sortedness=False
    )
    begins_early = pl.col("begin_ns") < pl.col("arrived_ns")
    next_row = trace_of(evidence).rows.select("run", end_ns="begin_ns", goes_on=pl.lit(True))
    rows = aligned(rows, next_row, "run", "end_ns")
    # If the task went on in the same run, the statement had ended.
    lost = pl.col("goes_on") & pl.col("received_ns").ne_missing(pl.col("end_ns"))
    sends = aligned(sends, next_row, "run", "end_ns")
    known = evidence.messages.select("job", task="sender", end_ns="sent_ns", sent=pl.lit(True)).unique()
    sends = aligned(sends, known, "job", "task", "end_ns")
    unsent = sends.filter("goes_on", pl.col("sent").is_null())
    names = ("processor", "begin_ns", "end_ns", "activity", "job", "task")
    wrong = rows.filter(begins_early | lost).select(*names, "message", "arrived_ns")
    return rows.height + sends.height, pl.concat([wrong, unsent.select(*names)], how="diagonal")


def barriers_release_all(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """A barrier is released when the baseline has passed since the last task came to it.

    A phase ends when the task with its last piece comes; later tasks do not wait. No task comes to a barrier before the barrier
    before it is released.
    """
    begin, end = evidence.window[0], evidence.events_end_ns
    size = evidence.placed.select("job", "size")
    rows = trace_of(evidence).rows.select("number", "begin_ns", "end_ns").drop_nulls()
    table = aligned(evidence.barriers, size, "job").with_columns(just_before=pl.col("arrived_ns") - 1)
    table = latest(table, "just_before", rows, "begin_ns", by="number")
    # A task comes to a barrier when a statement ends, not within one, and belongs to the job.
    amid = pl.col("number").is_null() | (pl.col("end_ns") > pl.col("arrived_ns"))
    of = ("job", "barrier")
    ended = pl.col("released_ns").min().over(of)
    late = pl.col("irregular") & (pl.col("released_ns") != pl.max_horizontal(ended, "arrived_ns"))
    each = table.group_by(of).agg(
        pl.len().alias("arrivals"),
        pl.col("task").n_unique().alias("tasks"),
        pl.col("size", "irregular").first(),
        first_ns=pl.col("arrived_ns").min(),
        last_ns=pl.col("arrived_ns").max(),
        released_ns=pl.col("released_ns").min(),
        releases=pl.col("released_ns").n_unique(),
        of_an_arrival=(pl.col("released_ns").min() == pl.col("arrived_ns")).any(),
        late=late.any(),
        amid=amid.any(),
    )
    each = each.sort(of).with_columns(due_ns=pl.col("last_ns") + evidence.facts.baseline_ns)
    whole, phase = pl.col("arrivals") == pl.col("size"), pl.col("irregular")
    follows = (pl.col("job") == pl.col("job").shift(1)) & (pl.col("barrier") == pl.col("barrier").shift(1) + 1)
    before = pl.when(follows).then(pl.col("released_ns").shift(1).fill_null(NEVER))
    released = pl.col("released_ns")
    of_barrier = (
        (pl.col("releases") != 1)
        | (whole & (released != pl.col("due_ns")))
        | (whole & released.is_null() & (pl.col("due_ns") < evidence.end_ns))
        | (~whole & (released < pl.col("due_ns")))
        | (~whole & pl.lit(begin == 0) & (released < end))
    )
    of_phase = pl.col("late") | (whole & ~pl.col("of_an_arrival").fill_null(False))
    broken = (
        (pl.col("tasks") != pl.col("arrivals"))
        | (pl.col("arrivals") > pl.col("size")).fill_null(True)
        | pl.col("amid")
        | pl.when(phase).then(of_phase).otherwise(of_barrier)
        | (pl.col("first_ns") < before)
        | (pl.col("first_ns") < begin)
        | (pl.col("last_ns") >= evidence.facts.trace_ns[1])  # arrivals at the end of the run are within the window
    )
    names = (*of, "arrivals", "size", "first_ns", "last_ns", "due_ns", "released_ns")
    return table.height, each.filter(broken).select(*names)


def spinning_ends_in_time(evidence: ConcurrentGangEvidence) -> tuple[int, pl.DataFrame]:
    """A task spins until its wait ends, and no longer; if it stops earlier, its run ends there.

    Under ``spin_block`` a task spins at most up to the limit.
    """
    facts = evidence.facts
    after = trace_of(evidence).rows.select("run", end_ns="begin_ns", goes_on=pl.lit(True))
    spins = aligned(trace_of(evidence).spins, after, "run", "end_ns")
    limit = NEVER if facts.spin_ns is None or facts.limit_left_ns is not None else facts.spin_ns
    off_target = pl.col("goes_on") & (pl.col("end_ns") != pl.col("target_ns"))
    broken = (pl.col("end_ns") > pl.col("target_ns")) | off_target | (limit < LENGTH)
    return spins.height, spins.filter(broken).select("processor", "begin_ns", "end_ns", "job", "task", "target_ns")
