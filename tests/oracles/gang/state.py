"""The gang-scheduling oracle: jobs, the segments they leave behind, slots, and the matrix."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.oracles.job import Job


def speed(job: Job, size: int, processors: int) -> float:
    """Return the rate of a job on ``size`` processors of a machine: speed-up there over speed-up at its optimum."""
    n = job.size
    if job.flexibility == "rigid" or size == n:
        return 1.0
    if size < n:
        low = job.fewest()
        return (80 * low * (n - low) + (65 * n - 80 * low) * (size - low)) / (65 * n * (n - low))
    high = job.most(processors)
    return (65 * n * (high - n) + (50 * high - 65 * n) * (size - n)) / (65 * n * (high - n))


class Segment(NamedTuple):
    """A job's stay in one slot at a constant rate; as a row of the schedule's ``allocations``."""

    job: int
    slot: int
    begin: int
    end: int
    processors: tuple[int, ...]
    rate: float
    work: int
    turn: int
    overhead: int


class Holding(NamedTuple):
    """What a job has during a segment: its places (slot number, processors), in the order of slots, and its speed."""

    places: tuple[tuple[int, tuple[int, ...]], ...]
    rate: float

    @property
    def speed(self) -> float:
        """Return the rate of all places together."""
        return len(self.places) * self.rate


@dataclass
class Running:
    """The segment a job is in: since when on both clocks, with how much work left and how much stall due."""

    begin: int
    begin_clock: int
    holding: Holding
    left: int
    stall: int

    @property
    def end_clock(self) -> int:
        """Slot clock at which the job ends if nothing changes."""
        return self.begin_clock + self.stall + math.ceil(self.left / self.holding.speed)


@dataclass(eq=False)
class Member:
    """A job in the matrix: its processors in its own slot, copies in other slots, and what it has done so far."""

    job: Job
    processors: frozenset[int]
    copies: dict[int, frozenset[int]] = field(default_factory=dict)
    running: Running | None = None
    left: int = 0
    stall: int = 0
    segments: list[Segment] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.left = self.job.stay

    @property
    def size(self) -> int:
        """Processors the job holds in its own slot."""
        return len(self.processors)

    def begin(self, time: int, clock: int, holding: Holding) -> None:
        """Begin a segment."""
        self.running = Running(time, clock, holding, self.left, self.stall)

    def break_off(self, time: int, clock: int) -> None:
        """End the running segment before the job's end."""
        passed = clock - self.running.begin_clock
        stalled = min(self.stall, passed)
        done = min(math.floor(self.running.holding.speed * (passed - stalled)), self.left - 1)
        self.leave_behind(time, passed, stalled, done)

    def finish(self, time: int) -> None:
        """End the last segment: all the work is done."""
        self.leave_behind(time, self.running.end_clock - self.running.begin_clock, self.stall, self.left)

    def leave_behind(self, time: int, turn: int, stalled: int, done: int) -> None:
        """Write down the running segment, a row per place; the first places have what does not divide evenly."""
        places = self.running.holding.places
        each, over = divmod(done, len(places))
        for rank, (slot, processors) in enumerate(places):
            work = each + (rank < over)
            row = (self.running.begin, time, processors, self.running.holding.rate, work, turn, stalled)
            self.segments.append(Segment(self.job.job, slot, *row))
        self.left -= done
        self.stall -= stalled
        self.running = None

    def expected_end(self, now: int, rate: float) -> int:
        """Slot clock at which the scheduler expects the job's end; ``rate`` counts where no segment has begun."""
        killed = self.left + self.job.estimate - self.job.stay
        if self.running is None:
            return now + self.stall + math.ceil(killed / rate)
        ahead = self.running.stall + math.ceil(killed / self.running.holding.speed)
        return self.running.begin_clock + ahead


@dataclass(eq=False)
class Slot:
    """A row of the Ousterhout matrix; ``members`` are in order of placement."""

    number: int
    members: list[Member] = field(default_factory=list)

    def taken(self) -> set[int]:
        """Processors that jobs hold here of their own."""
        return {processor for member in self.members for processor in member.processors}


@dataclass
class Matrix:
    """The Ousterhout matrix: slots in the order of creation, and all members in the order of placement."""

    processors: int
    memory: int = 0
    slots: list[Slot] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)

    def free(self, slot: Slot | None) -> list[int]:
        """Free processors of a slot (None: of a new one), the lowest number first; copies do not count."""
        taken = set() if slot is None else slot.taken()
        return [processor for processor in range(self.processors) if processor not in taken]

    def memory_left(self, processor: int) -> float:
        """Memory no job in the matrix holds on a processor."""
        if self.memory == 0:
            return math.inf
        return self.memory - sum(m.job.held_memory for m in self.members if processor in m.processors)

    def new_slot(self) -> Slot:
        """Add a slot at the end, with the lowest number not in use."""
        used = {slot.number for slot in self.slots}
        slot = Slot(min(number for number in range(len(used) + 1) if number not in used))
        self.slots.append(slot)
        return slot

    def put(self, member: Member, slot: Slot) -> None:
        """Put a member into a slot."""
        slot.members.append(member)
        self.members.append(member)

    def slot_of(self, member: Member) -> Slot:
        """Find a member's own slot."""
        return next(slot for slot in self.slots if member in slot.members)

    def remove(self, gone: Iterable[Member]) -> None:
        """Take members out, and slots left without any."""
        for member in list(gone):
            self.slot_of(member).members.remove(member)
            self.members.remove(member)
        self.slots = [slot for slot in self.slots if slot.members]

    def clear(self) -> list[Member]:
        """Empty the matrix; return the jobs that were in it, in the order of placement."""
        members, self.slots, self.members = self.members, [], []
        return members

    def holding(self, member: Member) -> Holding:
        """Return what a member has now: its own place and its copies, in the order of slots."""
        own = self.slot_of(member).number
        held = {**member.copies, own: member.processors}
        order = [slot.number for slot in self.slots]
        places = tuple((number, tuple(sorted(held[number]))) for number in sorted(held, key=order.index))
        return Holding(places, speed(member.job, member.size, self.processors))
