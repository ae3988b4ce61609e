"""What an explanation says: its facts, and its sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from scheduler_core.declarations.words import counted
from slotwise.decisions.passes import Reason
from slotwise.decisions.words import SHOWN, instant, lasting, named


@dataclass(frozen=True)
class Alternative:
    """What the job would have done if something had been different: the policy was run again on the changed jobs.

    ``start_us`` is None when the job would not have started.
    """

    change: str
    start_us: int | None


@dataclass(frozen=True)
class Overtaking:
    """The rule by which a later job started before the job that is explained.

    ``end_us`` is when it was expected to end, ``reason`` the rule with what it depended on.
    """

    job: int
    start_us: int
    end_us: int
    size: int
    reason: Reason


@dataclass(frozen=True)
class Held:
    """A stretch of the wait in which the job held a reservation: its first and last pass, and for when it was at each."""

    first_us: int
    last_us: int
    first_for_us: int
    last_for_us: int


@dataclass(frozen=True)
class Explanation:
    """Why a job started when it did. Times are in microseconds since the workload's zero; lists hold job numbers.

    ``ahead`` waited when the job was submitted and were submitted before it. ``overtook`` were submitted later, or at the same
    instant and further down the workload, and started before the job. ``fitting_us`` is how long the job waited although enough
    processors were free, ``fitted_first_us`` when that was first so (None: never before its start). ``ended`` freed their
    processors at the instant of the start.

    ``overtakings`` are the rules by which the first jobs of ``overtook`` started, ``own`` that of the job itself, ``held`` its
    reservations. They are empty where ``retold`` is False: the policy's passes cannot be made again from a schedule.

    ``order`` is that of the queue. ``standstills`` are the begins and ends of the workload's standstills during the wait.
    ``credit_us`` is the waiting time that the order of submission credits the job with.
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
    order: str
    retold: bool
    overtakings: list[Overtaking]
    own: Overtaking | None
    held: list[Held]
    standstills: list[tuple[int, int]]
    credit_us: int

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
    yield from standing_still(found)
    if found.credit_us:
        way = "earlier" if found.credit_us > 0 else "later"
        yield f"The order of submission takes it as submitted {lasting(abs(found.credit_us))} {way}: its credit."
    if found.overtook:
        yield f"Meanwhile {counted(len(found.overtook), 'later job')} overtook it{named(found.overtook)}."
        yield from overtaking(found)
    else:
        yield "No later job overtook it."
    for held in found.held:
        moved = "" if held.last_for_us == held.first_for_us else f", at last for {instant(held.last_for_us)}"
        yield f"From {instant(held.first_us)} it held a reservation, for {instant(held.first_for_us)}{moved}."
    if found.fitted_first_us is not None:
        yield (
            f"Enough processors were free for {lasting(found.fitting_us)} of its wait, first on "
            f"{instant(found.fitted_first_us)}, "
            "but the policy did not start it."
        )
    else:
        yield "At no time of its wait were enough processors free."
    ended = f" when {counted(len(found.ended), 'job')} ended{named(found.ended)}" if found.ended else ""
    rule = f": {reason_words(found, found.own)}" if found.own else ""
    yield f"It started on {instant(found.start_us)}{ended}, with {found.free_at_start:,} processors free{rule}."
    for one in found.alternatives:
        yield f"If {one.change}, {when(found, one.start_us)}."


def standing_still(found: Explanation) -> Iterator[str]:
    """Yield the standstills of the wait."""
    if not found.standstills:
        return
    within = [(max(begin, found.submit_us), min(end, found.start_us)) for begin, end in found.standstills]
    length = lasting(sum(end - begin for begin, end in within))
    first = f"from {instant(found.standstills[0][0])} to {instant(found.standstills[0][1])}"
    if len(within) == 1:
        yield f"A standstill of the machine, {first}, takes {length} of it: no job starts then."
    else:
        yield f"{len(within)} standstills of the machine take {length} of it, the first {first}: no job starts then."


def overtaking(found: Explanation) -> Iterator[str]:
    """Yield the rules by which jobs overtook: how often each, then the first jobs."""
    if not found.retold:
        yield "The schedule alone does not tell by which rules."
        return
    counts = Counter(one.reason.rule for one in found.overtakings)
    if len(found.overtakings) > SHOWN:
        whose = "" if len(found.overtakings) == len(found.overtook) else f"Of the first {len(found.overtakings):,}, "
        yield f"{whose}{', '.join(f'{count:,} {RULES[rule]}' for rule, count in counts.most_common())}."
    for one in found.overtakings[:SHOWN]:
        yield f"Job {one.job} started on {instant(one.start_us)}: {reason_words(found, one)}."


RULES = {
    "order": "stand before it in the order",
    "skip": "fitted when the head of the queue did not",
    "ends_before": "were estimated to end before a reservation",
    "extra": "took extra processors",
    "reserved": "held a reservation",
    "plan": "delayed no reservation",
}
"""The rules of a pass, as what several jobs did."""


def reason_words(found: Explanation, one: Overtaking) -> str:
    """Return by which rule a job overtook, or started itself."""
    reason = one.reason
    if reason.rule == "order":
        order = ORDER_WORDS.get(found.order, found.order)
        if one.job == found.job:
            return f"it is the first in the order ({order})"
        return f"it stands before job {found.job} in the order ({order})"
    if reason.rule == "skip":
        return f"it fits and job {reason.head}, the head of the queue, does not; the policy goes on behind the head"
    if reason.rule == "reserved":
        return "its reservation begins then"
    whose = f"the reservation of job {reason.head} on {instant(reason.reservation_us or 0)}"
    if reason.rule == "ends_before":
        length = lasting(one.end_us - one.start_us)
        return f"by backfilling; its estimate of {length} ends on {instant(one.end_us)}, no later than {whose} begins"
    if reason.rule == "extra":
        extra = counted(reason.extra or 0, "extra processor")
        return f"by backfilling; it takes {one.size:,} of {extra} beside {whose}"
    example = (
        "" if reason.reservation_us is None else f", such as job {reason.head}'s on {instant(reason.reservation_us)}"
    )
    return f"by backfilling; it delays no reservation{example}"


ORDER_WORDS = {
    "fcfs": "by submission",
    "credited": "by submission and credit",
    "shortest": "shortest first",
    "longest": "longest first",
    "smallest": "smallest first",
    "largest": "largest first",
    "largest_area": "largest area first",
    "largest_slowdown": "largest slowdown first",
    "priority": "by level",
}
"""Orders of the queue in words; another one is told by its name."""


def when(found: Explanation, start_us: int | None) -> str:
    """Return when the job would have started instead."""
    if start_us is None:
        return "it would not have started"
    if start_us == found.start_us:
        return "it would have started at the same time"
    way = "earlier" if start_us < found.start_us else "later"
    return f"it would have started {lasting(abs(start_us - found.start_us))} {way}, on {instant(start_us)}"
