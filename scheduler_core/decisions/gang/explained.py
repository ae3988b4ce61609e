"""What an explanation of gang scheduling says: its facts, and its sentences."""

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
from scheduler_core.decisions.words import SHOWN, free_of, instant, lasting, listed, named
from scheduler_core.declarations.words import counted


@dataclass(frozen=True)
class Slot:
    """A slot of the Ousterhout matrix, or a part of a machine with fixed parts, at an instant: its jobs and free processors."""

    number: int
    jobs: list[int]
    free: int


@dataclass(frozen=True)
class Room:
    """How full a slot was during a wait: the most of its processors that were free, and their mean over time."""

    number: int
    most_free: int
    mean_free: float


@dataclass(frozen=True)
class Placing:
    """The start of a job that overtook: when, and in which slots.

    ``rule`` is ``priority`` (it stood before the job in the order of the queue), ``backfilling``, or empty where it cannot be
    told.
    """

    job: int
    start_us: int
    slots: list[int]
    rule: str


@dataclass(frozen=True, kw_only=True, repr=False)
class GangExplanation(Explanation):
    """Why a job under gang scheduling started when it did.

    ``unit`` is ``slot``, or ``part`` on a machine that is cut into parts of one job each. ``most_slots`` is how many there may
    be, None without limit; ``could_open`` says whether there were fewer at some time of the wait. ``needed`` is the least size
    with which the job may start, and ``got`` the size it started with. ``slots`` are those it went to, and ``beside`` the jobs
    in them at its start. ``rooms`` are the slots in use during the wait. ``ended`` jobs had ended since the begin of the time
    slice before its start. ``suspended`` jobs left their processors at its start and went on later.

    Jobs start as a time slice begins; ``slice_us`` is the longest one, 0 where jobs may start at any time. ``told_room`` says
    whether the schedule tells where the job would have fitted. ``resizes`` says whether running jobs may be resized for it, and
    ``by_memory`` whether its memory must fit, too. ``cluster`` is its part of the machine, where parts have slots of their own.
    """

    WAITS_AFTER_START = True
    RULES: ClassVar[dict[str, tuple[str, str]]] = {
        ROOM: ("because {found.no_room}", ""),
        "slice": ("until the next time slice began", "jobs start only as a time slice begins"),
        "head": ("behind {jobs} at the head of the queue", "no job may pass {jobs} at the head of the queue"),
        "delay_head": (
            "behind {jobs} at the head of the queue",
            "a start would have delayed {jobs} at the head of the queue",
        ),
        "delay_any": ("behind jobs ahead in the queue", "a start would have delayed a job ahead in the queue"),
        "depth": ("behind jobs ahead in the queue", "backfilling looks only at the first jobs of the queue"),
        "queue": ("behind jobs ahead in the queue", "no job may pass those ahead in the queue"),
        "size": ("because the size that the load gave it did not fit", "the size that the load gave it did not fit"),
        "one_job": ("for a slot of its own", "every job gets a slot of its own, and no further slot was possible"),
        "memory": ("because its memory did not fit", "its memory did not fit beside that of the jobs there"),
        "size_or_delay": (
            "behind jobs ahead in the queue, or because its size did not fit",
            "the size that the load gave it did not fit, or a start would have delayed a job ahead",
        ),
        "copies": ("while slots were full or held copies of other jobs", ""),
    }

    cluster: int | None
    unit: str
    most_slots: int | None
    could_open: bool
    needed: int
    got: int
    resizes: bool
    by_memory: bool
    slots_at_submission: list[Slot]
    slots_at_start: list[Slot]
    slots: list[int]
    beside: list[int]
    rooms: list[Room]
    told_room: bool
    overtakings: list[Placing]
    suspended: list[int]
    slice_us: int

    def submission(self) -> str:
        """Return how full the slots were, and who waited, when the job was submitted."""
        place = "" if self.cluster is None else f", in part {self.cluster} of the machine"
        slots = self.slots_at_submission
        inside = sorted({job for slot in slots for job in slot.jobs})
        begin = f"Submitted on {instant(self.submit_us)}{place}:"
        if self.plain:
            idle = slots[0].free if slots else self.processors
            there = f"{free_of(idle, self.processors)}, {counted(len(inside), 'job')} running"
        else:
            most = "" if self.most_slots is None else f" (there may be {self.most_slots})"
            shown = [f"{slot.free:,}" for slot in slots[:SHOWN]]
            free = listed(shown) if len(slots) <= SHOWN else f"{', '.join(shown)}, ..."
            full = f" with {free} of {self.processors:,} processors free," if slots and self.unit == "slot" else ""
            used = counted(len(slots), f"{self.unit} is", f"{self.unit}s are")
            there = f"{used} in use{most},{full} {counted(len(inside), 'job')} in them"
        return f"{begin} {there}{named(inside)}, {ahead_words(self)}."

    @property
    def plain(self) -> bool:
        """Whether there is one slot, so that jobs share the machine's processors as in space sharing."""
        return self.unit == "slot" and self.most_slots == 1

    def wait(self) -> Iterator[str]:
        """Yield how full the slots were, and who overtook."""
        if 0 < self.wait_us <= self.slice_us:
            yield Detail(f"Jobs start as a time slice begins, here at most every {lasting(self.slice_us)}.")
        yield from foreseen_words(self)
        if self.rooms and self.unit == "slot" and not self.plain:
            rooms = [f"{room.most_free:,} ({room.mean_free:.3g}) in slot {room.number}" for room in self.rooms[:SHOWN]]
            more = f" ({counted(len(self.rooms) - SHOWN, 'further slot')})" if len(self.rooms) > SHOWN else ""
            yield Detail(f"Free processors meanwhile, at most (on average): {listed(rooms)}{more}.")
        yield overtaken(self)
        for one in self.overtakings[:SHOWN]:
            slots = "" if self.plain else f" in {self.unit} {listed(one.slots)}"
            yield Detail(f"Job {one.job} started on {instant(one.start_us)}{slots}{OVERTAKING[one.rule]}.")
        if not self.told_room:
            yield "The schedule does not tell where it would have fitted: jobs also run in idle parts of other slots."
            return
        where = "" if self.plain else " in one slot" if self.unit == "slot" else " in a part that is large enough"
        opens = ", or a new slot was possible," if self.could_open else ""
        least = f" ({self.needed:,} at least)" if self.needed != self.size else ""
        memory = " (memory aside)" if self.by_memory else ""
        yield from fitted(self, f"{least}{where}{memory}{opens}")
        if self.resizes:
            yield Detail("Running jobs may give processors up for it under this policy, too.")

    @property
    def no_room(self) -> str:
        """What the job lacks while it has no room, in words."""
        if self.unit == "part":
            return "no part that is large enough was free"
        least = counted(self.needed, "processor") + ("" if self.needed == self.size else " (its least)")
        if not self.plain:
            return f"no slot had {least} free"
        return "no processor was free" if self.needed == 1 else f"fewer than {least} were free"

    def start(self) -> Iterator[str]:
        """Yield which slot the job went to, and who was there."""
        yield f"It started on {instant(self.start_us)}{ended_words(self)}{self.placed}."
        if self.suspended:
            yield f"{counted(len(self.suspended), 'job')}{named(self.suspended)} left processors then and went on later."

    def start_at_once(self) -> Iterator[str]:
        """Yield which slot a job went to that did not wait."""
        if self.placed:
            yield f"It started{self.placed.removeprefix(',')}."

    @property
    def placed(self) -> str:
        """The slots of the start, and the jobs in them, in words."""
        number = (
            f"{self.unit} {self.slots[0]}" if len(self.slots) == 1 else f"{self.unit}s {listed(self.slots[:SHOWN])}"
        )
        size = "" if self.got == self.size else f" with {counted(self.got, 'processor')}"
        if self.unit == "part":
            return f"{size}, in {number}"
        if self.plain:
            return size
        beside = f"beside {counted(len(self.beside), 'job')}{named(self.beside)}" if self.beside else "alone"
        slots = counted(len(self.slots_at_start), "slot is", "slots are")
        return f"{size}, in {number}, {beside}; {slots} in use from then on"


OVERTAKING = {
    "priority": ": it stands before it in the order of the queue, by priority",
    "backfilling": " by backfilling",
    "": "",
}
"""How a job overtook."""
