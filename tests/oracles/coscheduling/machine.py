"""The coscheduling oracles: processors that several jobs hold at once, and the work that jobs do on them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.oracles.job import Job

MILLION = 1_000_000


class Row(NamedTuple):
    """A time in which a job held its processors at a constant rate, beside the same jobs."""

    job: int
    begin: int
    end: int
    slot: int
    processors: tuple[int, ...]
    share: int
    slowdown: int
    work: int


@dataclass
class Held:
    """What a job holds, and what it has done: ``done`` up to ``begin``, where the row that is open began.

    The share is 0 while the job is suspended.
    """

    job: Job
    slot: int
    processors: tuple[int, ...]
    begin: int
    share: int = MILLION
    slowdown: int = MILLION
    done: int = 0

    def work_until(self, now: int) -> int:
        """Return the work done up to an instant of the open row, or of the time in which the job is suspended."""
        return self.done + (now - self.begin) * self.share // self.slowdown

    @property
    def end(self) -> int:
        """When the job ends if nothing changes."""
        rest = self.job.stay - self.done
        return self.begin - (-rest * self.slowdown // self.share)


@dataclass
class Machine:
    """Who holds which processors at an instant, and all that was held before."""

    processors: int
    now: int = -1
    held: dict[Job, Held] = field(default_factory=dict)
    starts: dict[Job, int] = field(default_factory=dict)
    finishes: dict[Job, int] = field(default_factory=dict)
    suspensions: dict[Job, int] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)

    def free(self) -> list[int]:
        """List the processors that no job has, be it suspended."""
        taken = {number for one in self.held.values() for number in one.processors}
        return [number for number in range(self.processors) if number not in taken]

    def start(self, job: Job, processors: Sequence[int]) -> None:
        """Put a job on the lowest-numbered of some processors, at full speed; its place is the lowest that is free there."""
        own = tuple(sorted(processors)[: job.size])
        taken = {one.slot for one in self.held.values() if set(one.processors) & set(own)}
        slot = next(number for number in range(len(taken) + 1) if number not in taken)
        self.held[job] = Held(job, slot, own, self.now)
        self.starts[job] = self.now

    def change(self, job: Job, share: int, slowdown: int) -> None:
        """Begin another row of a job, now."""
        one = self.held[job]
        done = one.work_until(self.now)
        self.write(one, done)
        self.suspensions[job] = self.suspensions.get(job, 0) + (share == 0)
        one.begin, one.share, one.slowdown, one.done = self.now, share, slowdown, done

    def end(self, job: Job) -> None:
        """Take a job that has done its work off its processors."""
        self.write(self.held.pop(job), job.stay)
        self.finishes[job] = self.now

    def write(self, one: Held, done: int) -> None:
        """Close the open row of a job, unless nothing was held in it."""
        if one.share and self.now > one.begin:
            self.rows.append(
                Row(
                    *(one.job.job, one.begin, self.now, one.slot, one.processors),
                    *(one.share, one.slowdown, done - one.done),
                )
            )

    def next_ends(self) -> list[int]:
        """List when the jobs that run will end if nothing changes."""
        return [one.end for one in self.held.values() if one.share]
