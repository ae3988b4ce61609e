"""Gang scheduling once more, slow and plain: what the policy must do, segment by segment.

Written from the docstring of the policy and the contract of the slot clock alone, by another route than the
engine's: processors in sets, members in lists, and everything (free processors, shadows, plans, the load,
memory left) worked out from scratch in each pass.
"""

import math

from scheduler_core.common.units import seconds_to_us
from scheduler_core.declarations.policy import Policy
from tests.oracles.gang.adaptation import classify, efficient_size, eliminate_fragmentation, resize, target_size
from tests.oracles.gang.backfill import Forecast, Waiting, protect_all, protect_head
from tests.oracles.gang.clock import Level, Slices, SlotClock
from tests.oracles.gang.packing import MEMORY_PACKINGS, Offer, Packing
from tests.oracles.gang.passes import GangSchedule, Passes
from tests.oracles.gang.state import Matrix, Member, Segment, Slot
from tests.oracles.job import Job

__all__ = ["GangSchedule", "Job", "Level", "Segment", "schedule"]

PRIORITY = {"short": 10, "medium": 5, "long": 0}


class Run(Passes):
    """A run of the policy: the matrix, the queue and the clocks, pass by pass."""

    def __init__(self, policy: Policy, jobs: list[Job], processors: int, memory: int) -> None:
        self.policy = policy
        by_memory = policy.packing in MEMORY_PACKINGS and memory > 0
        too_large = {job for job in jobs if job.size > processors or (by_memory and job.held_memory > memory)}
        clock = SlotClock(policy.switch_cost if policy.switch_slows else 0)
        most = math.inf if policy.level == "unlimited" else policy.level
        slices = Slices(seconds_to_us(policy.slice_s), most, policy.slice == "scaled")
        super().__init__(set(jobs) - too_large, processors, clock, slices)
        self.queue: list[Job] = []
        self.matrix = Matrix(processors, memory)
        self.packing = Packing(policy, self.matrix)
        self.load = "normal"
        self.adapted_at: int | None = None
        self.placed: set[Job] = set()

    def running(self) -> list[Member]:
        """Return the jobs in the matrix."""
        return self.matrix.members

    def make_pass(self, time: int, now: int) -> int:
        """Act on everything up to a boundary."""
        self.placed = set()
        self.matrix.remove(self.leavers(time))
        arrived = self.arrivals(time)
        self.queue += arrived
        self.before_serving(bool(arrived), time, now)
        self.loads.append((time, self.load))
        self.serve(time, now)
        self.after_serving()
        for member in self.matrix.members:
            self.renew(member, self.matrix.holding(member), time, now)
        return len(self.matrix.slots)

    def before_serving(self, arrived: bool, time: int, now: int) -> None:
        """Act before the queue is served; ``arrived`` says whether a job was submitted."""
        if arrived and self.policy.repacks == "arrivals":
            self.packing.repack()

    def after_serving(self) -> None:
        """Act after the queue has been served."""
        if self.policy.repacks == "changes":
            self.packing.repack()
        if self.policy.fill:
            self.packing.fill()

    def class_of(self, job: Job) -> str:
        """Return a job's class, by its estimate where the workload does not say."""
        if job.job_class is not None:
            return job.job_class
        if job.estimate <= seconds_to_us(self.policy.short_limit_s):
            return "short"
        return "medium" if job.estimate <= seconds_to_us(self.policy.medium_limit_s) else "long"

    def priority(self, job: Job, time: int) -> int:
        """Return a waiting job's priority."""
        if self.policy.queue == "fcfs":
            return 0
        own = PRIORITY[self.class_of(job)]
        if self.policy.aging_s == "off":
            return own
        return min(10, own + 5 * ((time - job.submit) // seconds_to_us(self.policy.aging_s)))

    def size_of(self, job: Job) -> int:
        """Return the size at which a queued job is to start."""
        return job.size

    def serve(self, time: int, now: int) -> None:
        """Place jobs from the head of the queue while that is possible; backfill the others."""
        order = sorted(self.queue, key=lambda job: (-self.priority(job, time), job.position))
        queue = [Waiting(job, self.size_of(job)) for job in order]
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


class AdaptiveRun(Run):
    """A run of adaptive SCOJO: sizes follow the load."""

    def before_serving(self, arrived: bool, time: int, now: int) -> None:
        """Classify the load and resize running jobs, if it is time to."""
        gate = seconds_to_us(self.policy.reconfiguration_s)
        adapts = self.policy.sizing in ("load", "load_at_start")
        if adapts and (self.adapted_at is None or time - self.adapted_at >= gate):
            self.adapted_at = time
            self.load = classify(self.policy, self.matrix, self.queue)
            if self.policy.sizing == "load":
                running = [member for slot in self.matrix.slots for member in slot.members]
                for member in running:
                    if member.job.flexibility == "malleable":
                        self.resize(member, time, now)

    def after_serving(self) -> None:
        """Let jobs just placed grow into free processors."""
        if self.policy.eliminate_fragmentation:
            eliminate_fragmentation(self.packing, self.placed, self.class_of)

    def resize(self, member: Member, time: int, now: int) -> None:
        """Resize a running job; if that changes anything, a new segment begins with a stall."""
        before = member.size
        resize(self.packing, member, self.load)
        if member.size == before:
            return
        member.break_off(time, now)
        self.stall(member, before, self.policy.reconfiguration_cost_s)
        member.begin(time, now, self.matrix.holding(member))

    def size_of(self, job: Job) -> int:
        """Return the size at which a queued job is to start."""
        if self.policy.sizing == "efficiency":
            return efficient_size(job, self.policy.efficiency, self.processors)
        return target_size(job, self.load, self.processors)


def schedule(policy: Policy, jobs: list[Job], processors: int, memory: int = 0) -> GangSchedule:
    """Run gang scheduling on jobs, on a machine of so many processors with so much memory (kB; 0: unlimited)."""
    kind = AdaptiveRun if policy.name == "scojo" else Run
    run = kind(policy, jobs, processors, memory)
    run.go()
    return run.result(jobs)
