"""Gang scheduling once more, slow and plain: what the policy must do, segment by segment.

Written from the docstring of the policy and the contract of the slot clock alone, by another route than the
engine's: processors in sets, members in lists, and everything (free processors, shadows, plans, the load,
memory left) worked out from scratch in each pass.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from oracles.gang_adaptation import classify, eliminate_fragmentation, resize, target_size
from oracles.gang_backfill import Forecast, Waiting, protect_all, protect_head
from oracles.gang_clock import Level, Slices, SlotClock
from oracles.gang_packing import MEMORY_PACKINGS, Offer, Packing
from oracles.gang_state import Job, Matrix, Member, Segment, Slot

from scheduler_core.policy import Policy
from scheduler_core.units import seconds_to_us

__all__ = ["GangSchedule", "Job", "Level", "Segment", "schedule"]

PRIORITY = {"short": 10, "medium": 5, "long": 0}
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


class Run:
    """A run of the policy: the matrix, the queue and the clocks, pass by pass."""

    def __init__(self, policy: Policy, jobs: list[Job], processors: int, memory: int) -> None:
        self.policy = policy
        by_memory = policy.packing in MEMORY_PACKINGS and memory > 0
        too_large = {job for job in jobs if job.size > processors or (by_memory and job.held_memory > memory)}
        self.coming = sorted(set(jobs) - too_large, key=lambda job: job.position)
        self.queue: list[Job] = []
        self.matrix = Matrix(processors, memory)
        self.packing = Packing(policy, self.matrix)
        self.clock = SlotClock(policy.switch_cost if policy.switch_slows else 0)
        most = math.inf if policy.level == "unlimited" else policy.level
        self.slices = Slices(seconds_to_us(policy.slice_s), most, policy.slice == "scaled")
        self.load = "normal"
        self.loads: list[tuple[int, str]] = []
        self.adapted_at: int | None = None
        self.left: list[Member] = []
        self.placed: set[Job] = set()
        self.counters = dict.fromkeys(COUNTERS, 0)

    def finish_of(self, member: Member) -> int:
        """Give when a member finishes if nothing changes."""
        assert member.running is not None
        return self.clock.first_time(member.running.end_clock)

    def go(self) -> None:
        """Make a pass at every boundary that has something to act on."""
        while self.coming or self.matrix.members:
            events = [job.submit for job in self.coming] + [self.finish_of(m) for m in self.matrix.members]
            self.make_pass(self.slices.boundary(min(events)))

    def make_pass(self, time: int) -> None:
        """Act on everything up to a boundary."""
        self.counters["passes"] += 1
        self.placed = set()
        now = self.clock.now(time)
        self.dismiss(time)
        arrived = [job for job in self.coming if job.submit <= time]
        self.coming = self.coming[len(arrived) :]
        self.queue += arrived
        if arrived and self.policy.repacks == "arrivals":
            self.packing.repack()
        self.adapt(time, now)
        self.serve(time, now)
        if self.policy.eliminate_fragmentation:
            eliminate_fragmentation(self.packing, self.placed, self.class_of)
        if self.policy.repacks == "changes":
            self.packing.repack()
        if self.policy.fill:
            self.packing.fill()
        for member in self.matrix.members:
            self.renew(member, time, now)
        self.clock.set_level(time, len(self.matrix.slots))
        self.slices.set_level(time, len(self.matrix.slots))

    def dismiss(self, time: int) -> None:
        """Take finished jobs out of the matrix."""
        finished = [(self.finish_of(member), member) for member in self.matrix.members]
        gone = [(finish, member) for finish, member in finished if finish <= time]
        for finish, member in gone:
            member.finish(finish)
        self.matrix.remove(member for _, member in gone)
        self.left += [member for _, member in gone]

    def adapt(self, time: int, now: int) -> None:
        """Classify the load and resize running jobs, if it is time to."""
        gate = seconds_to_us(self.policy.reconfiguration_s)
        if self.policy.adapt and (self.adapted_at is None or time - self.adapted_at >= gate):
            self.adapted_at = time
            self.load = classify(self.policy, self.matrix, self.queue)
            if self.policy.resize_running:
                running = [member for slot in self.matrix.slots for member in slot.members]
                for member in running:
                    if member.job.flexibility == "malleable":
                        self.resize(member, time, now)
        self.loads.append((time, self.load))

    def resize(self, member: Member, time: int, now: int) -> None:
        """Resize a running job; if that changes anything, a new segment begins with a stall."""
        before = member.size
        resize(self.packing, member, self.load)
        change = abs(member.size - before)
        if change == 0:
            return
        member.break_off(time, now)
        stall = round(self.policy.reconfiguration_cost_s * change * 1_000_000)
        member.stall += stall
        member.begin(time, now, self.matrix.holding(member))
        self.counters["resizings"] += 1
        self.counters["resized_processors"] += change
        self.counters["resizing_us"] += stall * max(before, member.size)

    def class_of(self, job: Job) -> str:
        """Give a job's class, by its estimate where the workload does not say."""
        if job.job_class is not None:
            return job.job_class
        if job.estimate <= seconds_to_us(self.policy.short_s):
            return "short"
        return "medium" if job.estimate <= seconds_to_us(self.policy.medium_s) else "long"

    def priority(self, job: Job, time: int) -> int:
        """Give a waiting job's priority."""
        if self.policy.queue == "fcfs":
            return 0
        own = PRIORITY[self.class_of(job)]
        if self.policy.aging_s == "off":
            return own
        return min(10, own + 5 * ((time - job.submit) // seconds_to_us(self.policy.aging_s)))

    def serve(self, time: int, now: int) -> None:
        """Place jobs from the head of the queue while that is possible; backfill the others."""
        order = sorted(self.queue, key=lambda job: (-self.priority(job, time), job.position))
        queue = [Waiting(job, target_size(job, self.load, self.matrix.processors)) for job in order]
        while queue and self.place(queue[0]):
            queue = queue[1:]
        if not queue:
            return
        head_passed = len(self.placed)
        forecast = Forecast(self.matrix, now)

        def place(waiting: Waiting, slot: Slot) -> None:
            free = self.matrix.free(slot)
            self.enter(waiting, Offer(slot, len(free), frozenset(free[: waiting.size])))

        match self.policy.backfill:
            case "greedy":
                for waiting in queue[1:]:
                    self.place(waiting)
            case "head":
                protect_head(forecast, queue, place)
            case "all":
                depth = len(queue) if self.policy.backfill_depth == "all" else self.policy.backfill_depth
                protect_all(forecast, queue[:depth], place)
        self.counters["backfilled"] += len(self.placed) - head_passed

    def place(self, waiting: Waiting) -> bool:
        """Place a job where the packing rule says; tell whether it found a slot."""
        offer = self.packing.choose(waiting.job, waiting.size)
        if offer is not None:
            self.enter(waiting, offer)
        return offer is not None

    def enter(self, waiting: Waiting, offer: Offer) -> None:
        """Move a job from the queue into the matrix."""
        self.queue.remove(waiting.job)
        member = Member(waiting.job, offer.processors)
        self.counters["slots_opened"] += self.packing.settle(member, offer)
        self.placed.add(waiting.job)

    def renew(self, member: Member, time: int, now: int) -> None:
        """Begin a new segment where a member has other slots, processors or speed than before."""
        holding = self.matrix.holding(member)
        if member.running is not None and member.running.holding != holding:
            member.break_off(time, now)
        if member.running is None:
            member.begin(time, now, holding)

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
        processors = self.matrix.processors
        levels = list(zip(self.clock.levels(last), self.clock.turns(last), strict=True))
        capacity = sum(row.level * processors * turn for row, turn in levels)
        empty = sum(processors * (row.end - row.begin) for row, _ in levels if row.level == 0)
        busy = sum(len(segment.processors) * segment.turn for segment in segments)
        self.counters["busy_us"] = busy
        self.counters["idle_us"] = capacity - busy + empty
        ends = [time for time, _ in self.loads[1:]] + [last]
        for (begin, load), end in zip(self.loads, ends, strict=True):
            self.counters[f"{load}_us"] += max(0, min(end, last) - max(begin, first))


def times_of(member: Member) -> tuple[int, int, int]:
    """Give a finished member's start, finish and start size."""
    first = min(segment.begin for segment in member.segments)
    size = next(len(segment.processors) for segment in member.segments if segment.begin == first)
    return first, max(segment.end for segment in member.segments), size


def schedule(policy: Policy, jobs: list[Job], processors: int, memory: int = 0) -> GangSchedule:
    """Run gang scheduling on jobs, on a machine of so many processors with so much memory (kB; 0: unlimited)."""
    run = Run(policy, jobs, processors, memory)
    run.go()
    return run.result(jobs)
