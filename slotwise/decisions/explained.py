"""What an explanation says: its facts, and its sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from scheduler_core.declarations.words import counted
from slotwise.decisions.words import instant, lasting, named


@dataclass(frozen=True)
class Alternative:
    """What the job would have done if something had been different: the policy was run again on the changed jobs.

    ``start_us`` is None when the job would not have started.
    """

    change: str
    start_us: int | None


@dataclass(frozen=True)
class Explanation:
    """Why a job started when it did. Times are in microseconds since the workload's zero; lists hold job numbers.

    ``ahead`` waited when the job was submitted and were submitted before it. ``overtook`` were submitted later, or at the same
    instant and further down the workload, and started before the job. ``fitting_us`` is how long the job waited although enough
    processors were free, ``fitted_first_us`` when that was first so (None: never before its start). ``ended`` freed their
    processors at the instant of the start.
    """

    job: int
    policy: str
    processors: int
    size: int
    runtime_us: int
    estimate_us: int
    submit_us: int
    start_us: int
    free_at_submission: int
    running: list[int]
    ahead: list[int]
    ahead_size: int
    overtook: list[int]
    fitting_us: int
    fitted_first_us: int | None
    ended: list[int]
    free_at_start: int
    alternatives: list[Alternative]

    @property
    def wait_us(self) -> int:
        """How long it waited."""
        return self.start_us - self.submit_us

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain data."""
        return {**asdict(self), "wait_us": self.wait_us}

    def __str__(self) -> str:
        return "\n".join(sentences(self))

    __repr__ = __str__


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
