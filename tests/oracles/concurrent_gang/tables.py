"""What a run of Concurrent Gang is told as: the tables of its family, as lists of rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.oracles.concurrent_gang.machine import Stretch
from tests.oracles.concurrent_gang.tasks import Member
from tests.oracles.job import Job

if TYPE_CHECKING:
    from tests.oracles.concurrent_gang.oracle import Run

Row = tuple[Any, ...]

COLUMNS = {"compute": "compute", "send": "message", "receive": "message", "spin": "spin", "switch": "switch"}
"""Columns of sums by activity; the activities without task are columns of their own."""

AT_WORK = ("compute", "message", "spin")
"""Columns of what counts as local where the local scheduler chose the task."""


@dataclass(frozen=True)
class ConcurrentSchedule:
    """A schedule: (start, finish, processors, outcome) by job, and rows of the tables, in their order."""

    jobs: dict[int, Row]
    allocations: list[Row]
    processor_activity: list[Row]
    job_activity: list[Row]
    trace: list[Row]
    trace_disks: list[Row]
    trace_messages: list[Row]
    trace_barriers: list[Row]
    trace_slices: list[Row]
    trace_memberships: list[Row]
    counters: dict[str, int]


def tell(run: Run, jobs: list[Job]) -> ConcurrentSchedule:
    """Tell what came of a run."""
    window = window_of(run)
    job_rows = list(job_activity(run))
    sums = {
        name: sum(row[place] for row in job_rows)
        for name, place in (("messages", 7), ("barriers", 8), ("requests", 9), ("blocked", 10))
    }
    counters = {**run.counters, **sums, "slices": len(run.slices), "workload_changes": run.changes}
    return ConcurrentSchedule(
        {job.job: told_job(run, job) for job in jobs},
        [allocation(run, member) for member in run.placed()],
        list(processor_activity(run)),
        job_rows,
        list(trace(run, window)),
        list(trace_disks(run, window)),
        list(trace_messages(run, window)),
        list(trace_barriers(run, window)),
        list(trace_slices(run, window)),
        list(trace_memberships(run, window)),
        counters,
    )


def window_of(run: Run) -> range:
    """Return the instants of the window of the trace."""
    begin = 1000 * round(run.policy.trace_from_s * 1_000_000)
    return range(begin, begin + 1000 * round(run.policy.trace_s * 1_000_000))


def rounded_up(nanoseconds: int) -> int:
    """Return an instant in microseconds."""
    return -(-nanoseconds // 1000)


def told_job(run: Run, job: Job) -> Row:
    """Tell what became of a job."""
    if job not in run.positions:
        return None, None, 0, "rejected"
    member = next((member for member in run.everyone if member.job is job), None)
    if member is None:
        return None, None, 0, "unfinished"
    start = member.placed // 1000
    if member.finish is None:
        return start, None, job.size, "unfinished"
    outcome = "killed" if job.runtime > job.estimate else "finished"
    return start, rounded_up(member.finish), job.size, outcome


def stretches_of(run: Run, member: Member) -> Iterator[Stretch]:
    """Return what processors did for a job."""
    for number in member.processors:
        yield from (each for each in run.processors[number].done if each.task in member.tasks)


def allocation(run: Run, member: Member) -> Row:
    """Tell where a job was, and what it did there."""
    end = run.now if member.finish is None else member.finish
    sums = summed(stretches_of(run, member))
    done = sums["compute"] + sums["message"] + disk_time(run, member)
    slot = member.row if run.policy.front == "matrix" else None
    work = done // (1000 * member.job.size)
    return member.job.job, slot, member.placed // 1000, rounded_up(end), member.processors, work


def summed(stretches: Iterable[Stretch]) -> dict[str, int]:
    """Add up stretches by column."""
    sums = dict.fromkeys(("compute", "message", "spin", "switch", "blocked", "empty", "local"), 0)
    for begin, end, activity, _, by in stretches:
        column = COLUMNS.get(activity, activity)
        sums[column] += end - begin
        if by == "local" and column in AT_WORK:
            sums["local"] += end - begin
    return sums


def disk_time(run: Run, member: Member) -> int:
    """Return how long disks served a job by the end of the run."""
    requests = (request for number in member.processors for request in run.processors[number].requests)
    served = [request for request in requests if request.task in member.tasks]
    return sum(max(0, min(request.end, run.now) - request.begin) for request in served)


def within(begin: int, end: int, first: int, last: int) -> int:
    """Return how much of a time lies between two instants."""
    return max(0, min(end, last) - max(begin, first))


def processor_activity(run: Run) -> Iterator[Row]:
    """Tell what processors did, period by period."""
    period = 1000 * round(run.policy.sums_s * 1_000_000)
    for begin in range(0, run.now, period):
        end = min(begin + period, run.now)
        for processor in run.processors:
            sums = summed(clipped(processor.done, begin, end))
            disk = sum(within(request.begin, request.end, begin, end) for request in processor.requests)
            yield processor.number, begin // 1000, end // 1000, *sums.values(), disk


def clipped(stretches: Iterable[Stretch], first: int, last: int) -> Iterator[Stretch]:
    """Return the parts of stretches that lie between two instants."""
    for each in stretches:
        begin, end = max(each.begin, first), min(each.end, last)
        if begin < end:
            yield each._replace(begin=begin, end=end)


def job_activity(run: Run) -> Iterator[Row]:
    """Tell what jobs did."""
    for member in run.placed():
        sums = summed(stretches_of(run, member))
        requests = [each for number in member.processors for each in run.processors[number].requests]
        begun = sum(each.task in member.tasks and each.begin <= run.now for each in requests)
        met = sum(meeting.release is not None for meeting in member.meetings)
        counts = member.counts
        yield (
            *(member.job.job, sums["compute"], sums["message"], sums["spin"], sums["switch"], sums["local"]),
            *(disk_time(run, member), counts["messages"], met, begun, counts["blocked"], counts["local_runs"]),
        )


def trace(run: Run, window: range) -> Iterator[Row]:
    """Tell what processors did within the window, slice by slice."""
    for processor in run.processors:
        for stretch in clipped(processor.done, window.start, window.stop):
            first = stretch.begin - stretch.begin % run.slice
            for begin in range(first, stretch.end, run.slice):
                for part in clipped([stretch], begin, begin + run.slice):
                    name = part.task.name if part.task else (None, None)
                    yield processor.number, part.begin, part.end, part.activity, *name, part.by


def trace_disks(run: Run, window: range) -> Iterator[Row]:
    """Tell which requests disks got."""
    for processor in run.processors:
        for request in processor.requests:
            if request.issued in window:
                yield processor.number, *request.task.name, request.issued, request.begin, request.end


def trace_messages(run: Run, window: range) -> Iterator[Row]:
    """Tell which messages were sent or received."""
    for member in run.placed():
        for number, message in sorted(member.messages.items()):
            if any(time is not None and time in window for time in (message.sent, message.received)):
                times = message.sent, message.arrives, message.received
                yield member.job.job, number, message.sender, message.receiver, *times


def trace_barriers(run: Run, window: range) -> Iterator[Row]:
    """Tell which tasks arrived at barriers."""
    for member in run.placed():
        for number, meeting in enumerate(member.meetings):
            for task, arrived in sorted(meeting.arrivals.items()):
                if arrived in window:
                    known = meeting.release is not None and meeting.release <= run.now
                    released = max(arrived, meeting.release) if known else None
                    yield member.job.job, number, task, arrived, released


def trace_slices(run: Run, window: range) -> Iterator[Row]:
    """Tell who owned slices."""
    for begin, row, owners in run.slices:
        if len(window) and begin < window.stop and begin + run.slice > window.start:
            for number, owner in enumerate(owners):
                yield begin, row, number, *(owner.name if owner else (None, None))


def trace_memberships(run: Run, window: range) -> Iterator[Row]:
    """Tell what was learned of tasks."""
    for at, task, taught in run.lessons:
        if at in window:
            io, communication, before, measured, after, priority = taught
            yield at, *task.name, io, communication, *before, *measured, *after, priority
