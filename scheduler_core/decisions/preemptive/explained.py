"""What an explanation of preemptive space sharing says: its facts, and its sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from scheduler_core.decisions.causes import ROOM
from scheduler_core.decisions.explained import (
    Detail,
    Explanation,
    ahead_words,
    fitted,
    foreseen_words,
    numbered,
    overtaken,
    standing_still,
)
from scheduler_core.decisions.words import SHOWN, free_of, instant, lasting, listed, named
from scheduler_core.declarations.words import counted


@dataclass(frozen=True)
class Suspension:
    """A time in which a job stood suspended: from ``begin_us`` until it was resumed at ``end_us``.

    ``started`` and ``resumed`` are other jobs that began to run as it was suspended. ``took`` are the jobs that were the next on
    its processors, and ``before`` and ``after`` those processors and the ones it was resumed on; None where the policy only
    counts processors. ``ran`` are the jobs that ran meanwhile, the most processor time first, ``later`` those of them that were
    submitted later. ``fitting_us`` is how long enough processors were free. ``ended`` and ``gave_way`` ended and were suspended
    as it was resumed.
    """

    begin_us: int
    end_us: int
    started: list[int]
    resumed: list[int]
    took: list[int] | None
    ran: list[int]
    later: list[int]
    fitting_us: int
    ended: list[int]
    gave_way: list[int]
    before: list[int] | None
    after: list[int] | None

    @property
    def us(self) -> int:
        """How long it lasted."""
        return self.end_us - self.begin_us


@dataclass(frozen=True, kw_only=True, repr=False)
class PreemptiveExplanation(Explanation):
    """Why a job of a preemptive policy started when it did, and what happened when it was suspended.

    ``running``, ``suspended`` and ``ahead`` are the jobs that ran, were suspended, and had not started, as the policy saw them at
    the submission; ``free_at_submission`` are the processors that it saw free. ``gave_way`` were suspended at the instant of the
    start, and ``free_at_start`` were free then. ``places`` are the processors of the start, None where the policy only counts
    them. ``standstills`` are the begins and ends of those during the wait. ``suspensions`` are in the order of time. The job
    held ``sizes`` processors, one after another.
    """

    WAITS_AFTER_START = True
    PASSED = "overtook it or took its place"
    RULES: ClassVar[dict[str, tuple[str, str]]] = {
        ROOM: ("because earlier jobs held the processors", ""),
        "later": ("because later jobs held the processors", ""),
        "standstill": ("because the machine stood still", "no job starts while the machine stands still"),
        "own": ("by a decision of your policy", "your policy did not choose it"),
    }

    suspended: list[int]
    free_at_submission: int
    gave_way: list[int]
    free_at_start: int
    places: list[int] | None
    standstills: list[tuple[int, int]]
    suspensions: list[Suspension]
    sizes: list[int]

    @property
    def shaded(self) -> list[tuple[int, int]]:
        """Begin and end of each standstill."""
        return self.standstills

    @property
    def passed(self) -> list[int]:
        """The jobs that overtook it, began to run when it was suspended, or ran meanwhile and were submitted later."""
        instead = (job for one in self.suspensions for job in (*one.started, *one.resumed, *one.later))
        return list(dict.fromkeys((*self.overtook, *instead)))

    def pieces(self, finish_us: int) -> list[tuple[int, int, str]]:
        """Return the wait, the runs and the suspensions, in the order of time."""
        edges = [edge for one in self.suspensions for edge in (one.begin_us, one.end_us)]
        runs = pairwise([self.start_us, *edges, finish_us])
        return [
            (self.submit_us, self.start_us, "waits"),
            *((begin, end, "suspended" if place % 2 else "runs") for place, (begin, end) in enumerate(runs)),
        ]

    def answer(self) -> str:
        """Return who waited how long, the main reasons, and how long the job stood suspended."""
        told = super().answer()
        if not self.suspensions:
            return told
        length = lasting(sum(one.us for one in self.suspensions))
        times = f"once, for {length}"
        if len(self.suspensions) > 1:
            times = f"{len(self.suspensions):,} times, for {length} in all"
        return f"{told.removesuffix('.')}{'; after its start it' if self.wait_us else ', and'} was suspended {times}."

    def submission(self) -> str:
        """Return what ran, was suspended and waited when the job was submitted."""
        stood = f"{counted(len(self.suspended), 'job')} suspended{named(self.suspended)}, " if self.suspended else ""
        return (
            f"Submitted on {instant(self.submit_us)}: {free_of(self.free_at_submission, self.processors)}, "
            f"{counted(len(self.running), 'job')} running{named(self.running)}, {stood}{ahead_words(self, where='waiting')}."
        )

    def wait(self) -> Iterator[str]:
        """Yield standstills, who overtook, and how long there was room."""
        yield from standing_still(self, self.standstills)
        yield from foreseen_words(self)
        yield overtaken(self)
        yield from fitted(self)

    def start(self) -> Iterator[str]:
        """Yield who made room for the start; then the suspensions."""
        where = "" if self.places is None else f" on {places_words(self.places)}"
        free = counted(self.free_at_start, "processor")
        yield f"It started on {instant(self.start_us)}{where}{room_words(self.ended, self.gave_way)}, with {free} free."
        yield from self.size_words()
        yield from self.suspension_words()

    def start_at_once(self) -> Iterator[str]:
        """Yield who was suspended for the job; then its own suspensions."""
        if self.gave_way:
            yield f"{numbered(self.gave_way).capitalize()} {were(self.gave_way)} suspended then."
        yield from self.size_words()
        yield from self.suspension_words()

    def size_words(self) -> Iterator[str]:
        """Yield on how many processors the job ran, if not on those that it asked for."""
        if self.sizes != [self.size]:
            others = ["others"] if len(self.sizes) > SHOWN else []
            given = ", then ".join([*(f"{size:,}" for size in self.sizes[:SHOWN]), *others])
            yield f"It ran on {given} processors instead of the {self.size:,} that it asked for."

    def suspension_words(self) -> Iterator[str]:
        """Yield each suspension: the longest for every reader, and some others."""
        longest = max(self.suspensions, key=lambda one: one.us, default=None)
        for place, one in enumerate(self.suspensions):
            if one is longest:
                yield worded(one, " for the longest time" if len(self.suspensions) > 1 else "")
            elif place < SHOWN:
                yield Detail(worded(one))
        if (left := len(self.suspensions) - SHOWN - (self.suspensions.index(longest) >= SHOWN if longest else 0)) > 0:
            yield Detail(f"({counted(left, 'further suspension')})")


def worded(one: Suspension, how: str = "") -> str:
    """Return for whom a job was suspended, what ran meanwhile, and when and where it was resumed."""
    return (
        f"On {instant(one.begin_us)} it was suspended{how}: {taken_words(one)}. It stood suspended for {lasting(one.us)}"
        f"{meanwhile_words(one)}. It was resumed on {instant(one.end_us)}{room_words(one.ended, one.gave_way)}"
        f"{moved_words(one)}."
    )


def taken_words(one: Suspension) -> str:
    """Return which jobs began to run at a suspension, and which were the next on the job's processors where this is known."""
    told = [f"{numbered(jobs)} {verb}" for jobs, verb in began(one) if jobs]
    words = listed(told) or "no job started then"
    if one.took is None:
        return words
    if set(one.took) == {*one.started, *one.resumed}:
        return f"{words} on its processors" if told else f"{words}, and none ran on its processors meanwhile"
    if not one.took:
        return f"{words} on other processors"
    return f"{words}, and {numbered(one.took)} {were(one.took)} the next on its processors"


def began(one: Suspension) -> list[tuple[list[int], str]]:
    """Return the jobs that began to run at a suspension, with the word for it."""
    return [(one.started, "started"), (one.resumed, f"{were(one.resumed)} resumed")]


def meanwhile_words(one: Suspension) -> str:
    """Return which jobs ran during a suspension, and how long there was room."""
    words = ", and no job ran meanwhile"
    if one.ran:
        every = "both" if len(one.ran) == 2 else "all"
        some = every if len(one.later) == len(one.ran) else f"{len(one.later):,} of them"
        later = f", {some} submitted later" if one.later and len(one.ran) > 1 else ""
        words = f", in which {counted(len(one.ran), 'job')} ran{named(one.ran)}{later}"
    if not one.fitting_us:
        return words
    how_long = "all of it" if one.fitting_us == one.us else f"{lasting(one.fitting_us)} of it"
    return f"{words}; enough processors were free for {how_long}"


def moved_words(one: Suspension) -> str:
    """Return on which processors a job was resumed; empty where they are not known."""
    if one.before is None or one.after is None:
        return ""
    if one.before == one.after:
        return ", on the same processors"
    return f", on {places_words(one.after)} instead of {places_words(one.before).split(maxsplit=1)[1]}"


def room_words(ended: list[int], gave_way: list[int]) -> str:
    """Return which jobs ended and were suspended at an instant; empty for none."""
    told = [
        f"{numbered(jobs)} {verb}"
        for jobs, verb in ((ended, "ended"), (gave_way, f"{were(gave_way)} suspended"))
        if jobs
    ]
    return f" when {listed(told)}" if told else ""


def were(jobs: list[int]) -> str:
    """Return the verb for some jobs."""
    return "was" if len(jobs) == 1 else "were"


def places_words(places: list[int]) -> str:
    """Return processors by number: ``processors 0 to 3 and 8``; of many runs the first."""
    first = [place for place in places if place - 1 not in places]
    last = [place for place in places if place + 1 not in places]
    runs = [f"{low}" if low == high else f"{low} to {high}" for low, high in zip(first, last, strict=True)]
    more = [f"{len(runs) - SHOWN} more runs"] if len(runs) > SHOWN else []
    return f"processor{'s' if len(places) > 1 else ''} {listed([*runs[:SHOWN], *more])}"
