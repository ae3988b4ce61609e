"""What an explanation of a grid says: its facts, and its sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from scheduler_core.decisions.explained import (
    Detail,
    Explanation,
    ahead_words,
    ended_words,
    fitted,
    foreseen_words,
    overtaken,
)
from scheduler_core.decisions.slices.explained import SlicesExplanation
from scheduler_core.decisions.words import SHOWN, free_of, instant, named
from scheduler_core.declarations.words import counted


@dataclass(frozen=True)
class Offer:
    """What a cluster predicted for a task: start and finish, and the frame it would have had; and whether it was chosen."""

    cluster: int
    start_us: int
    finish_us: int
    earliest_us: int
    latest_us: int
    chosen: bool


@dataclass(frozen=True)
class Booking:
    """The reservation of a task: its frame as booked, the predicted start, and when its data were there.

    ``freed_us`` is the begin of the frame in force at its start.
    """

    made_us: int
    earliest_us: int
    start_us: int
    latest_us: int
    ready_us: int
    freed_us: int


@dataclass(frozen=True)
class Slide:
    """A move of a booked task's slot to another begin, or its first place: when it was placed there, its begin, and why."""

    at_us: int
    start_us: int
    cause: str


@dataclass(frozen=True)
class Arrival:
    """Data that a task waited for: the task and the cluster that sent them, when it finished, and when they arrived."""

    task: int
    cluster: int
    sent_us: int
    arrived_us: int


@dataclass(frozen=True, kw_only=True, repr=False)
class GridExplanation(Explanation):
    """Why a job on a grid of clusters started when it did. Other jobs are those of its ``cluster``, of ``processors``.

    ``workflow`` and ``task`` are those of a task, None for a local job. ``offers`` are what the clusters predicted for it,
    ``booking`` its reservation (None without one), ``slides`` the places of its slot, ``arrivals`` the data it waited for.
    ``may_start_us`` is when it could start at the earliest: at its submission, or when its data were there and its frame had
    begun; the time it would have fitted counts from then. ``slices`` is its wait in slices of classes, where its cluster is
    under such a policy. ``local`` names the policy of the cluster.
    """

    RULES: ClassVar[dict[str, tuple[str, str]]] = {
        **SlicesExplanation.RULES,
        "data": ("until its data arrived", ""),
        "frame": ("until the frame of its reservation began", ""),
        "no_room": ("because cluster {found.cluster} had no {size} free", ""),
        "local": (
            "until its turn on cluster {found.cluster}",
            "there a job starts only if it delays no reservation and no booked task",
        ),
    }

    cluster: int
    local: str
    workflow: int | None
    task: int | None
    offers: list[Offer]
    booking: Booking | None
    slides: list[Slide]
    arrivals: list[Arrival]
    may_start_us: int
    free_at_submission: int
    free_at_start: int
    slices: SlicesExplanation | None

    @property
    def shaded(self) -> list[tuple[int, int]]:
        """Begin and end of each time in which it could not start: before its data were there, or not its class's turn."""
        early = [(self.submit_us, self.may_start_us)] if self.may_start_us > self.submit_us else []
        turns = self.slices.shaded if self.slices else []
        return [*early, *((max(begin, self.may_start_us), end) for begin, end in turns if end > self.may_start_us)]

    def submission(self) -> str:
        """Return what ran and waited on its cluster when the job was submitted."""
        what = (
            "as a local job of" if self.task is None else f"as task {self.task} of workflow {self.workflow}; it runs on"
        )
        return (
            f"Submitted on {instant(self.submit_us)}, {what} cluster {self.cluster} ({self.local}): "
            f"{free_of(self.free_at_submission, self.processors)} there, "
            f"{counted(len(self.running), 'job')} started and not finished{named(self.running)}, {ahead_words(self)}."
        )

    def wait(self) -> Iterator[str]:
        """Yield which cluster was taken, which data the task waited for, and what happened on the cluster."""
        yield from self.offer_words()
        yield from self.data_words()
        yield from foreseen_words(self)
        if self.slices and self.may_start_us < self.start_us:
            yield from self.slices.wait()
            return
        yield overtaken(self)
        if self.may_start_us == self.start_us:
            return
        since = "" if self.may_start_us == self.submit_us else " from then on"
        yield from fitted(self, since)

    def offer_words(self) -> Iterator[str]:
        """Yield what the clusters predicted for a task, and its reservation."""
        for one in self.offers:
            chosen = ", and was chosen" if one.chosen else ""
            yield Detail(
                f"Cluster {one.cluster} predicted a start on {instant(one.start_us)} and an end on "
                f"{instant(one.finish_us)}{chosen}."
            )
        if self.booking:
            booked = self.booking
            moved = f", later from {instant(booked.freed_us)}" if booked.freed_us != booked.earliest_us else ""
            yield (
                f"It was booked on {instant(booked.made_us)} for {instant(booked.start_us)}, in a frame from "
                f"{instant(booked.earliest_us)}{moved} to {instant(booked.latest_us)}."
            )
        for slide in self.slides[1 : SHOWN + 1]:
            cause = slide.cause.replace("_", " ")
            yield Detail(f"On {instant(slide.at_us)} its slot moved to {instant(slide.start_us)} ({cause}).")
        if len(self.slides) > SHOWN + 1:
            yield Detail(f"({counted(len(self.slides) - SHOWN - 1, 'further move')} of its slot)")

    def data_words(self) -> Iterator[str]:
        """Yield which data a task waited for."""
        if self.arrivals:
            last = max(self.arrivals, key=lambda one: one.arrived_us)
            others = f"{counted(len(self.arrivals), 'task')}, last " if len(self.arrivals) > 1 else ""
            yield (
                f"It waited for the data of {others}task {last.task} on cluster {last.cluster}; they arrived on "
                f"{instant(last.arrived_us)}."
            )
        if self.may_start_us > self.submit_us:
            yield Detail(f"It could not start before {instant(self.may_start_us)}.")

    def start(self) -> Iterator[str]:
        """Yield how the job started."""
        if self.slices:
            yield from self.slices.start()
        else:
            free = counted(self.free_at_start, "processor")
            yield f"It started on {instant(self.start_us)}{ended_words(self)}, with {free} free."

    def start_at_once(self) -> Iterator[str]:
        """Yield how a job started that did not wait."""
        yield from self.offer_words()
        yield from self.slices.start_at_once() if self.slices else super().start_at_once()
