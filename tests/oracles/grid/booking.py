"""The oracle of the grid: what a cluster is told of a booked job, and what it says of it."""

from dataclasses import dataclass
from typing import NamedTuple

from tests.oracles.job import Job


class Slide(NamedTuple):
    """Where the slot of a booked job stands from a time on, and why."""

    job: int
    at: int
    start: int
    finish: int
    cause: str


class Done(NamedTuple):
    """A job that left: when it first ran and when it left."""

    job: int
    start: int
    finish: int


class Slot(NamedTuple):
    """When a job would start and finish."""

    start: int
    finish: int


@dataclass(frozen=True)
class Frame:
    """The frame a job is booked with; ``ready`` is when its data are there, if that is known."""

    earliest: int
    expected: int
    latest: int
    ready: int | None = None
    pinned: bool = False


@dataclass(eq=False)
class Booked:
    """A booked job: its frame as it is now, and whether it was moved since its release."""

    asked: Job
    frame: Frame
    earliest: int
    ready: int | None
    pinned: bool
    moved_since_release: bool = False

    @property
    def bound(self) -> int:
        """The time before which it must not start."""
        return max(self.earliest, self.frame.expected if self.ready is None else self.ready)

    def may_start(self, time: int) -> bool:
        """Tell whether it may start."""
        return self.ready is not None and self.bound <= time

    def release(self, ready: int, earliest: int) -> None:
        """Let it start, as its predecessors are done."""
        assert self.ready is None
        assert earliest <= self.earliest
        self.ready, self.earliest = ready, earliest

    def forward(self) -> str:
        """Return the cause for which it is brought forward now."""
        first = self.ready is not None and self.frame.ready is None and not self.moved_since_release
        if self.ready is not None:
            self.moved_since_release = True
        return "freed" if first else "room"


def booked(asked: Job, frame: Frame) -> Booked:
    """Book a job."""
    return Booked(asked, frame, frame.earliest, frame.ready, frame.pinned)
