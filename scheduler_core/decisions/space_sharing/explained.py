"""What an explanation of space sharing says: its facts, and its sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from scheduler_core.decisions.explained import (
    Detail,
    Explanation,
    ahead_words,
    ended_words,
    fitted,
    length_within,
    overtaken,
    standing_still,
)
from scheduler_core.decisions.space_sharing.passes import Reason
from scheduler_core.decisions.words import SHOWN, free_of, instant, lasting, named
from scheduler_core.declarations.words import counted


@dataclass(frozen=True)
class Share:
    """A user's share of the recent usage at a time, and by how much later fair share took its jobs as submitted then."""

    at_us: int
    share: float
    later_us: int


@dataclass(frozen=True)
class Overtaking:
    """The rule by which a later job started before the job that is explained.

    ``end_us`` is when it was expected to end, ``reason`` the rule with what it depended on. ``shares`` are those of its user and
    of the explained job's user where the order is fair share.
    """

    job: int
    start_us: int
    end_us: int
    size: int
    reason: Reason
    shares: tuple[float, float] | None = None


@dataclass(frozen=True)
class Held:
    """A stretch of the wait in which the job held a reservation: its first and last pass, and for when it was at each."""

    first_us: int
    last_us: int
    first_for_us: int
    last_for_us: int


@dataclass(frozen=True, kw_only=True, repr=False)
class SpaceSharingExplanation(Explanation):
    """Why a job of space sharing started when it did.

    ``free_at_submission`` and ``free_at_start`` are free processors. ``overtakings`` are the rules by which the first jobs of
    ``overtook`` started, ``own`` that of the job itself, ``held`` its reservations. They are empty where ``retold`` is False: the
    policy's passes cannot be made again from a schedule.

    ``order`` is that of the queue. ``standstills`` are the begins and ends of the workload's standstills during the wait,
    ``closed`` those of the hours closed to it, ``out_of_use`` those in which processors were out of use, and how many.
    ``credit_us`` is the waiting time that the order of submission credits the job with. ``ceilings`` are those for each user, in
    words; ``ceiling_held_us`` is how long one held the job, None where the user is unknown. ``shares`` are those of the job's
    user at its submission and at its start, where the order is fair share and the workload tells users.
    """

    RULES: ClassVar[dict[str, tuple[str, str]]] = {
        "standstill": ("because the machine stood still", "no job starts while the machine stands still"),
        "closed": ("because hours were closed to it", "no job like it starts in closed hours"),
        "ceiling": ("because of the ceiling of its user", "its user had reached a ceiling"),
        "unknown_user": (
            "for reasons that need the users of the log (--log)",
            "a rule for users or another rule held it, and the workload does not tell its user",
        ),
        "head": ("behind {jobs} at the head of the queue", "no job may pass {jobs} at the head of the queue"),
        "reservation": (
            "behind the reservation{s} of {jobs}",
            "a start would have delayed the reservation{s} of {jobs}",
        ),
        "plan": ("until its own reservation", "no job starts before its own reservation"),
        "candidates": ("behind other candidates", "backfilling looks only at the first candidates"),
        "own": ("by a decision of your policy", "your policy did not choose it"),
    }

    free_at_submission: int
    free_at_start: int
    order: str
    retold: bool
    overtakings: list[Overtaking]
    own: Overtaking | None
    held: list[Held]
    standstills: list[tuple[int, int]]
    closed: list[tuple[int, int]]
    out_of_use: list[tuple[int, int, int]]
    credit_us: int
    ceilings: str
    ceiling_held_us: int | None
    shares: list[Share]

    @property
    def shaded(self) -> list[tuple[int, int]]:
        """Begin and end of each standstill."""
        return self.standstills

    def submission(self) -> str:
        """Return what ran and waited when the job was submitted."""
        where = (
            "ahead in the queue" if self.order == "fcfs" else "waiting"
        )  # in other orders later jobs may stand before it
        return (
            f"Submitted on {instant(self.submit_us)}: {free_of(self.free_at_submission, self.processors)}, "
            f"{counted(len(self.running), 'job')} running{named(self.running)}, {ahead_words(self, where=where)}."
        )

    def wait(self) -> Iterator[str]:
        """Yield standstills, closed hours, overtakings and reservations of the wait."""
        yield from standing_still(self, self.standstills)
        yield from closed_hours(self)
        yield from out_of_use(self)
        if self.credit_us:
            way = "earlier" if self.credit_us > 0 else "later"
            credit = f"The order of submission takes it as submitted {lasting(abs(self.credit_us))} {way}: its credit."
            yield Detail(credit)
        yield from fair_share(self)
        yield from ceiling(self)
        yield overtaken(self)
        if self.overtook:
            yield from overtaking(self)
        for held in self.held:
            moved = "" if held.last_for_us == held.first_for_us else f", at last for {instant(held.last_for_us)}"
            told = f"From {instant(held.first_us)} it held a reservation, for {instant(held.first_for_us)}{moved}."
            yield told if held == self.held[-1] else Detail(told)
        yield from fitted(self)

    def start_at_once(self) -> Iterator[str]:
        """Yield by which rule a job that did not wait overtook the queue."""
        if self.ahead and self.own:
            whom = f"job {self.ahead[0]}" if len(self.ahead) == 1 else "these jobs"
            yield f"It overtook {whom}: {reason_words(self, self.own)}."

    def start(self) -> Iterator[str]:
        """Yield by which rule the job started."""
        rule = f": {reason_words(self, self.own)}" if self.own else ""
        free = counted(self.free_at_start, "processor")
        yield f"It started on {instant(self.start_us)}{ended_words(self)}, with {free} free{rule}."


def fair_share(found: SpaceSharingExplanation) -> Iterator[str]:
    """Yield what its user's usage did to the place of the job in the order."""
    if found.order == "fair_share" and not found.shares:
        yield (
            "Its place in the order, fair share, depends on the usage of its user, which the workload does not tell (--log "
            "WORKLOAD)."
        )
    told = [
        f"its user had {percent(one.share)} of the recent usage, which set it back by {lasting(one.later_us)}"
        for one in found.shares
    ]
    if told and len(set(told)) == 1:
        yield f"At its submission and at its start {told[0]}."
    else:
        yield from (f"When it {when}, {one}." for when, one in zip(("was submitted", "started"), told, strict=False))


def percent(share: float) -> str:
    """Return a share in percent."""
    return f"{100 * share:.3g} %"


def ceiling(found: SpaceSharingExplanation) -> Iterator[str]:
    """Yield how long the ceiling of its user held the job."""
    if found.ceilings and found.start_us > found.submit_us:
        least = f"The ceiling of its user, {found.ceilings},"
        if found.ceiling_held_us is None:
            yield f"{least} may have held it: the workload does not tell its user (--log WORKLOAD)."
        elif found.ceiling_held_us:
            yield f"{least} held it for {lasting(found.ceiling_held_us)} of its wait."
        else:
            yield Detail(f"{least} never held it.")


def closed_hours(found: SpaceSharingExplanation) -> Iterator[str]:
    """Yield how long hours were closed to the job."""
    if found.closed:
        length, last = length_within(found, found.closed), instant(found.closed[-1][1])
        yield f"Closed hours kept it for {length} of it, at last until {last}: no job of its queue or as long starts then."


def out_of_use(found: SpaceSharingExplanation) -> Iterator[str]:
    """Yield how long processors were out of use."""
    if found.out_of_use:
        length = length_within(found, [(begin, end) for begin, end, _ in found.out_of_use])
        most = counted(max(processors for *_, processors in found.out_of_use), "processor")
        yield f"For {length} of it a part of the machine was out of use, at most {most}."


def overtaking(found: SpaceSharingExplanation) -> Iterator[str]:
    """Yield the rules by which jobs overtook: how often each, then the first jobs."""
    if not found.retold:
        why = "Users have ceilings, so the" if found.ceilings else "The"
        yield f"{why} schedule alone does not tell by which rules."
        return
    counts = Counter(one.reason.rule for one in found.overtakings)
    if len(found.overtakings) > SHOWN:
        whose = "" if len(found.overtakings) == len(found.overtook) else f"Of the first {len(found.overtakings):,}, "
        yield f"{whose}{', '.join(f'{count:,} {OVERTAKING[rule]}' for rule, count in counts.most_common())}."
    for place, one in enumerate(found.overtakings[:SHOWN]):
        told = f"Job {one.job} started on {instant(one.start_us)}: {reason_words(found, one)}."
        yield Detail(told) if place > 1 or len(found.overtakings) > SHOWN else told


OVERTAKING = {
    "order": "stood before it in the order",
    "skip": "fitted when the head of the queue did not",
    "ends_before": "were estimated to end before a reservation",
    "extra": "took extra processors",
    "reserved": "held a reservation",
    "plan": "delayed no reservation",
}
"""The rules of a pass, as what several jobs did."""


def reason_words(found: SpaceSharingExplanation, one: Overtaking) -> str:
    """Return by which rule a job overtook, or started itself."""
    reason = one.reason
    if reason.rule == "order":
        order = ORDER_WORDS.get(found.order, found.order)
        if one.shares is not None:
            own, other = (percent(share) for share in one.shares)
            order += f": its user had {own} of the recent usage, that of job {found.job} {other}"
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
        return f"by backfilling; its estimate of {length} ends on {instant(one.end_us)}, no later than the start of {whose}"
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
    "fair_share": "fair share",
    "priority": "by level",
}
"""Orders of the queue in words; another one is told by its name."""
