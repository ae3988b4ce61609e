"""The gang-scheduling oracle: pass after pass on a slot clock, and the schedule that follows, whatever a pass decides."""

from collections.abc import Iterable
from dataclasses import dataclass

from tests.oracles.gang.clock import Level, Slices, SlotClock
from tests.oracles.gang.state import Holding, Member, Segment
from tests.oracles.job import Job

COUNTERS = (
    *("passes", "backfilled", "resizings", "resized_processors", "slots_opened", "busy_us", "idle_us", "resizing_us"),
    *("low_us", "normal_us", "high_us"),
)


@dataclass(frozen=True)
class GangSchedule:
    """A schedule: (start, finish, start size) by job or None for a rejected one, segments, levels, counters."""

    jobs: dict[int, tuple[int, int, int] | None]
    segments: list[Segment]
    levels: list[Level]
    counters: dict[str, int]


class Passes:
    """A run of a policy: who is still to come, the clocks, who has left, and what is counted.

    A policy says who is ``running``, and its ``make_pass(time, now)`` acts on everything up to a boundary, at slot clock
    ``now``, and returns the level from then on.
    """

    def __init__(self, jobs: Iterable[Job], processors: int, clock: SlotClock, slices: Slices) -> None:
        self.coming = sorted(jobs, key=lambda job: job.position)
        self.processors = processors
        self.clock, self.slices = clock, slices
        self.loads: list[tuple[int, str]] = [(0, "normal")]
        self.left: list[Member] = []
        self.counters = dict.fromkeys(COUNTERS, 0)

    def finish_of(self, member: Member) -> int:
        """Return when a member finishes if nothing changes."""
        return self.clock.first_time(member.running.end_clock)

    def go(self) -> None:
        """Make a pass at every boundary that has something to act on."""
        while self.coming or self.running():
            events = [job.submit for job in self.coming] + [self.finish_of(member) for member in self.running()]
            time = self.slices.boundary(min(events))
            self.counters["passes"] += 1
            level = self.make_pass(time, self.clock.now(time))
            self.clock.set_level(time, level)
            self.slices.set_level(time, level)

    def leavers(self, time: int) -> list[Member]:
        """Return the jobs that have finished by a time, the last segment ended."""
        finished = [(self.finish_of(member), member) for member in self.running()]
        gone = [(finish, member) for finish, member in finished if finish <= time]
        for finish, member in gone:
            member.finish(finish)
        self.left += [member for _, member in gone]
        return [member for _, member in gone]

    def arrivals(self, time: int) -> list[Job]:
        """Return the jobs that have been submitted by a time and were not returned before."""
        arrived = [job for job in self.coming if job.submit <= time]
        self.coming = self.coming[len(arrived) :]
        return arrived

    def renew(self, member: Member, holding: Holding, time: int, now: int) -> None:
        """Begin a new segment where a member has other slots, processors or speed than before."""
        if member.running is not None and member.running.holding != holding:
            member.break_off(time, now)
        if member.running is None:
            member.begin(time, now, holding)

    def stall(self, member: Member, before: int, stall_s: float) -> None:
        """Count that a running member, of ``before`` processors until now, was resized, which costs it a stall."""
        change = abs(member.size - before)
        stall = round(stall_s * change * 1_000_000)
        member.stall += stall
        self.counters["resizings"] += 1
        self.counters["resized_processors"] += change
        self.counters["resizing_us"] += stall * max(before, member.size)

    def result(self, jobs: list[Job]) -> GangSchedule:
        """Put the schedule together."""
        ran = {member.job: member for member in self.left}
        segments = sorted(segment for member in self.left for segment in member.segments)
        times = {job.job: times_of(ran[job]) if job in ran else None for job in jobs}
        if ran:
            self.account(segments)
            last_finish = max(segment.end for segment in segments)
            return GangSchedule(times, segments, self.clock.levels(last_finish), self.counters)
        return GangSchedule(times, [], [], self.counters)

    def account(self, segments: list[Segment]) -> None:
        """Add up the counters that follow from the whole schedule."""
        first, last = min(segment.begin for segment in segments), max(segment.end for segment in segments)
        levels = list(zip(self.clock.levels(last), self.clock.turns(last), strict=True))
        capacity = sum(row.level * self.processors * turn for row, turn in levels)
        empty = sum(self.processors * (row.end - row.begin) for row, _ in levels if row.level == 0)
        busy = sum(len(segment.processors) * segment.turn for segment in segments)
        self.counters["busy_us"] = busy
        self.counters["idle_us"] = capacity - busy + empty
        ends = [time for time, _ in self.loads[1:]] + [last]
        for (begin, load), end in zip(self.loads, ends, strict=True):
            self.counters[f"{load}_us"] += max(0, min(end, last) - max(begin, first))


def times_of(member: Member) -> tuple[int, int, int]:
    """Return a finished member's start, finish and start size."""
    first = min(segment.begin for segment in member.segments)
    size = next(len(segment.processors) for segment in member.segments if segment.begin == first)
    return first, max(segment.end for segment in member.segments), size
