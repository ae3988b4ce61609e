"""The sentences of an explanation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scheduler_core.common.units import MICROSECONDS
from scheduler_core.declarations.words import counted, span
from slotwise.decisions.explanation import Explanation

SHOWN = 5
"""Jobs that a sentence names."""


def lasting(us: int) -> str:
    """Return a length of time as people say it."""
    return span(us / MICROSECONDS)


def instant(us: int) -> str:
    """Return a time since the workload's zero: ``day 3, 04:05:06``."""
    seconds = us // MICROSECONDS
    days, rest = divmod(seconds, 86_400)
    return f"day {days}, {rest // 3600:02}:{rest % 3600 // 60:02}:{rest % 60:02}"


def named(jobs: Sequence[int]) -> str:
    """Return the first numbers of some jobs in brackets; empty for none."""
    more = f" and {len(jobs) - SHOWN:,} more" if len(jobs) > SHOWN else ""
    return f" ({', '.join(map(str, jobs[:SHOWN]))}{more})" if jobs else ""


def sentences(found: Explanation) -> Iterator[str]:
    """Yield why a job started when it did, a sentence each."""
    yield (
        f"Job {found.job} asks for {counted(found.size, 'processor')} for {lasting(found.estimate_us)} (estimate) and runs for "
        f"{lasting(min(found.runtime_us, found.estimate_us))}; the policy is {found.policy}."
    )
    asking = f", which ask for {found.ahead_size:,} processors" if found.ahead else ""
    yield (
        f"Submitted on {instant(found.submit_us)}: {found.free_at_submission:,} of {found.processors:,} processors are free, "
        f"{counted(len(found.running), 'job')} running{named(found.running)}, "
        f"{counted(len(found.ahead), 'job')} ahead in the queue{named(found.ahead)}{asking}."
    )
    if not found.wait_us:
        yield "It starts at once."
        return
    yield f"It waits {lasting(found.wait_us)}."
    if found.overtook:
        yield f"Meanwhile {counted(len(found.overtook), 'later job')} overtook it{named(found.overtook)}."
    else:
        yield "No later job overtook it."
    if found.fitted_first_us is not None:
        yield (
            f"Enough processors were free for {lasting(found.fitting_us)} of its wait, first on "
            f"{instant(found.fitted_first_us)}, "
            "but the policy did not start it."
        )
    else:
        yield "At no time of its wait were enough processors free."
    ended = f" when {counted(len(found.ended), 'job')} ended{named(found.ended)}" if found.ended else ""
    yield f"It started on {instant(found.start_us)}{ended}; {found.free_at_start:,} processors were free."
    for one in found.alternatives:
        yield f"If {one.change}, {when(found, one.start_us)}."


def when(found: Explanation, start_us: int | None) -> str:
    """Return when the job would have started instead."""
    if start_us is None:
        return "it would not have started"
    if start_us == found.start_us:
        return "it would have started at the same time"
    way = "earlier" if start_us < found.start_us else "later"
    return f"it would have started {lasting(abs(start_us - found.start_us))} {way}, on {instant(start_us)}"
