"""What an explanation of slices of classes says: its facts, and its sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from scheduler_core.decisions.causes import ROOM
from scheduler_core.decisions.explained import (
    Detail,
    Explanation,
    ahead_words,
    ended_words,
    fitted,
    foreseen_words,
    overtaken,
)
from scheduler_core.decisions.slices.turns import Turn
from scheduler_core.decisions.words import SHOWN, free_of, instant, lasting, named
from scheduler_core.declarations.words import counted

CLASSES = ("short", "medium", "long")
"""The classes by number."""


@dataclass(frozen=True)
class Promise:
    """The latest start and finish that a waiting job was promised at an instant.

    It starts at the latest when the slices of its class have worked for ``ahead_us`` more; ``start_us`` is when that was, as the
    slices came, None if the run ended before. ``group`` is the group whose formation or end renewed the promise, 0 for a promise
    made at submission.
    """

    made_us: int
    group: int
    ahead_us: int
    start_us: int | None
    finish_us: int


@dataclass(frozen=True)
class Membership:
    """The group of waiting jobs in which the order of a job was chosen, and its place, from 1, among ``jobs``."""

    group: int
    formed_us: int
    place: int
    jobs: int


@dataclass(frozen=True)
class Start:
    """The first run of a job: its number and class, when it began, and the class whose turn it was."""

    job: int
    kind: int
    start_us: int
    turn: int

    @property
    def lent(self) -> bool:
        """Whether another class lent it the processors."""
        return self.kind != self.turn


@dataclass(frozen=True, kw_only=True, repr=False)
class SlicesExplanation(Explanation):
    """Why a job in slices of classes started when it did. Classes are numbers: short 0, medium 1, long 2.

    ``ahead`` are jobs of its class. ``kind`` is its class, ``turn_at_submission`` the class that has its turn then (None while
    the machine is switched, and between intervals). ``turns`` are the slices that worked during the wait. ``overtakings`` are the
    starts of the jobs of ``overtook``, ``own`` that of the job; ``own_begin_us`` is when the slice of its start began to work.
    ``cluster`` is the cluster it ran on, None on a machine of one.
    """

    WAITS_AFTER_START = True
    RULES: ClassVar[dict[str, tuple[str, str]]] = {
        ROOM: ("because its class's slices had no {size} free", ""),
        "turn": ("because other classes had their turn", ""),
        "switch": ("while slices were switched", ""),
        "plan": (
            "until its reservation in the plan of its class",
            "in the slices of its class no job starts before its reservation",
        ),
        "class_head": (
            "behind the first job of its class",
            "a start would have delayed the first waiting job of its class",
        ),
        "search": (
            "behind others in the order that the search found",
            "the search found an order in which others come first",
        ),
        "unlent": ("because other classes had their turn", "this policy lends no processors to other classes"),
        "loan": (
            "because other classes lent it nothing",
            "other classes lend processors only to jobs that fit their slice and delay no reservation",
        ),
    }

    kind: int
    cluster: int | None
    turn_at_submission: int | None
    free_at_submission: int
    free_at_start: int
    turns: list[Turn]
    overtakings: list[Start]
    own: Start
    own_begin_us: int
    promises: list[Promise]
    membership: Membership | None

    @property
    def shaded(self) -> list[tuple[int, int]]:
        """Begin and end of each time in which its class did not have its turn."""
        own = [(turn.begin_us, turn.end_us) for turn in self.turns if turn.kind == self.kind]
        edges = [self.submit_us, *(edge for turn in own for edge in turn), self.start_us]
        return [(begin, end) for begin, end in zip(edges[::2], edges[1::2], strict=True) if end > begin]

    @property
    def word(self) -> str:
        """The class of the job in words."""
        return CLASSES[self.kind]

    def submission(self) -> str:
        """Return whose turn it was, and what ran and waited, when the job was submitted."""
        turn = (
            "no slice works"
            if self.turn_at_submission is None
            else f"the {CLASSES[self.turn_at_submission]} slice has its turn"
        )
        place = "" if self.cluster is None else f" of cluster {self.cluster}"
        return (
            f"Submitted on {instant(self.submit_us)}, as a {self.word} job: {turn}, "
            f"{free_of(self.free_at_submission, self.processors, place)}, "
            f"{counted(len(self.running), 'job')} started and not finished{named(self.running)}, "
            f"{ahead_words(self, f'{self.word} ')}."
        )

    def wait(self) -> Iterator[str]:
        """Yield whose turns passed, what was promised, and who overtook."""
        yield from self.turn_words()
        yield from foreseen_words(self)
        yield from self.promise_words()
        if self.membership:
            one = self.membership
            yield Detail(
                f"Group {one.group}, formed on {instant(one.formed_us)}, put it in place {one.place} of "
                f"{counted(one.jobs, 'job')}."
            )
        yield overtaken(self)
        for start in self.overtakings[:SHOWN]:
            yield Detail(
                f"Job {start.job}, {CLASSES[start.kind]}, started on {instant(start.start_us)} {turn_words(start)}."
            )
        if len(self.overtakings) > SHOWN:
            lent = sum(start.lent for start in self.overtakings)
            yield Detail(f"In all, {counted(lent, 'of them was', 'of them were')} lent processors by another class.")
        yield from fitted(self, ", and not held by its class,")

    def turn_words(self) -> Iterator[str]:
        """Yield which turns passed: how many of each class, then those of its own class."""
        own = [turn for turn in self.turns if turn.kind == self.kind]
        length = sum(turn.end_us - turn.begin_us for turn in self.turns if turn.kind != self.kind)
        others = f"; other classes had theirs for {lasting(length)}" if length else ""
        if not own:
            yield f"Its class had no turn meanwhile{others}."
            return
        had = lasting(sum(turn.end_us - turn.begin_us for turn in own))
        yield f"Its class had its turn {counted(len(own), 'time')} meanwhile, for {had}{others}."
        for turn in own[:SHOWN]:
            ran = (
                f"job {turn.jobs[0]}" if len(turn.jobs) == 1 else f"{counted(len(turn.jobs), 'job')}{named(turn.jobs)}"
            )
            free = f"at most {counted(turn.most_free, 'processor was', 'processors were')} free"
            yield Detail(
                f"In the {self.word} slice from {instant(turn.begin_us)} to {instant(turn.end_us)} {ran} ran, and "
                f"{free if turn.most_free else 'no processor was free'}."
            )
        if len(own) > SHOWN:
            yield Detail(f"({counted(len(own) - SHOWN, 'further turn')})")

    def promise_words(self) -> Iterator[str]:
        """Yield what the job was promised."""
        for place, one in enumerate(self.promises[:SHOWN]):
            made = f"With group {one.group}, on {instant(one.made_us)}," if one.group else "At its submission"
            reached = "" if one.start_us is None else f" (that was on {instant(one.start_us)})"
            start = f"once {self.word} slices have worked {lasting(one.ahead_us)} more"
            if not one.ahead_us:
                start = f"as soon as a {self.word} slice works"
            told = f"{made} it was promised a start {start}{reached}, and a finish by {instant(one.finish_us)}."
            yield Detail(told) if place else told

    def start(self) -> Iterator[str]:
        """Yield in whose slice the job started."""
        begun = ", as its work began" if self.own_begin_us == self.start_us else ""
        yield (
            f"It started on {instant(self.start_us)} {turn_words(self.own)}{begun}{ended_words(self)}, with "
            f"{counted(self.free_at_start, 'processor')} free."
        )

    def start_at_once(self) -> Iterator[str]:
        """Yield in whose slice a job started that did not wait."""
        yield f"It started {turn_words(self.own)}."


def turn_words(start: Start) -> str:
    """Return in whose slice a job started."""
    if start.lent:
        return f"on processors that the {CLASSES[start.turn]} slice lent it"
    return f"in the {CLASSES[start.kind]} slice"
