"""Partitioning in space once more, slow and plain, from the docstring of the policy alone.

A pass makes a plan, a list of sizes beside the jobs, by the rule; then the processors follow the plan.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from scheduler_core.declarations.policy import Policy
from tests.oracles.gang.clock import Slices, SlotClock
from tests.oracles.gang.passes import GangSchedule, Passes
from tests.oracles.gang.state import Holding, Member, speed
from tests.oracles.job import Job


@dataclass(eq=False)
class Planned:
    """A job of the list and the size it is to have; ``member`` is the job where it runs already."""

    job: Job
    member: Member | None
    size: int
    machine: int

    @property
    def malleable(self) -> bool:
        """Whether the job may have another size at every pass."""
        return self.job.flexibility == "malleable"

    def fewest(self) -> int:
        """Fewest processors the job may have in this pass."""
        return self.bounds()[0]

    def most(self) -> int:
        """Most processors the job may have in this pass."""
        return self.bounds()[1]

    def bounds(self) -> tuple[int, int]:
        """Return the fewest and the most processors the job may have in this pass."""
        if self.job.flexibility == "rigid":
            return self.job.size, self.job.size
        if self.job.flexibility == "moldable" and self.member is not None:
            return self.member.size, self.member.size
        return self.job.fewest(), self.job.most(self.machine)


class Plan:
    """The plan of a pass: the list, and who of the queue has been admitted to it."""

    def __init__(self, running: Iterable[Member], queue: list[Job], machine: int) -> None:
        self.machine = machine
        self.entries = [Planned(member.job, member, member.size, machine) for member in running]
        self.queue = list(queue)

    def free(self) -> int:
        """Count the processors the plan leaves free."""
        return self.machine - sum(entry.size for entry in self.entries)

    def admit_while(self, size_of: Callable[[Planned], int | None]) -> None:
        """Admit the head of the queue at the size a rule gives it, until a head gets none."""
        while self.queue:
            head = Planned(self.queue[0], None, 0, self.machine)
            size = size_of(head)
            if size is None:
                return
            head.size = size
            self.entries.append(head)
            del self.queue[0]


def equipartition(plan: Plan) -> None:
    """Share the processors as equally as bounds allow."""

    def fewest_fit(head: Planned) -> int | None:
        together = sum(entry.fewest() for entry in [*plan.entries, head])
        return head.fewest() if together <= plan.machine else None

    plan.admit_while(fewest_fit)
    for entry in plan.entries:
        entry.size = entry.fewest()
    while plan.free() > 0:
        below = [entry for entry in plan.entries if entry.size < entry.most()]
        if not below:
            return
        # min() gives the first of equals, which is the first of the list.
        min(below, key=lambda entry: entry.size).size += 1


def folding(plan: Plan) -> None:
    """Let a new job have what is free or up to half of the largest partition; unfold what is left over."""

    def fold(head: Planned) -> int | None:
        free = plan.free()
        if free >= head.fewest():
            return min(free, head.most())
        largest = max((entry for entry in plan.entries if entry.malleable), key=lambda entry: entry.size, default=None)
        if largest is None:
            return None
        given = min(largest.size // 2, largest.size - largest.fewest(), head.most() - free)
        if free + given < head.fewest():
            return None
        largest.size -= given
        return min(free + given, head.most())

    plan.admit_while(fold)
    while not plan.queue and plan.free() > 0:
        below = [entry for entry in plan.entries if entry.malleable and entry.size < entry.most()]
        if not below:
            return
        smallest = min(below, key=lambda entry: entry.size)
        smallest.size += min(smallest.size, plan.free(), smallest.most() - smallest.size)


def compress(plan: Plan) -> None:
    """Let jobs shrink for a new one."""

    def can_give(entry: Planned) -> int:
        shrinks = entry.malleable or (entry.job.flexibility == "moldable" and entry.member is None)
        return min(entry.size // 2, entry.size - entry.fewest()) if shrinks else 0

    def make_room(head: Planned) -> int | None:
        asked = head.job.size
        if plan.free() + sum(can_give(entry) for entry in plan.entries) < head.fewest():
            return None
        for entry in plan.entries:
            if plan.free() < asked:
                entry.size -= min(can_give(entry), asked - plan.free())
        return min(plan.free(), asked)

    plan.admit_while(make_room)


RULES = {"equipartition": equipartition, "folding": folding, "compress": compress}


class SharingRun(Passes):
    """A run of partitioning in space: the queue, and the running jobs in order of placement."""

    def __init__(self, policy: Policy, jobs: list[Job], processors: int) -> None:
        self.policy = policy
        self.parts = cut(processors, policy) if policy.rule == "static" else [range(processors)]
        fitting = [job for job in jobs if job.size <= max(len(part) for part in self.parts)]
        super().__init__(fitting, processors, SlotClock(0), Slices(0, 1, False))
        self.queue: list[Job] = []
        self.members: list[Member] = []

    def running(self) -> list[Member]:
        """Return the running jobs, in order of placement."""
        return self.members

    def make_pass(self, time: int, now: int) -> int:
        """Act on everything up to an event."""
        gone = self.leavers(time)
        self.members = [member for member in self.members if member not in gone]
        self.queue += self.arrivals(time)
        idle = not self.members
        if self.policy.rule == "static":
            self.take_parts()
        else:
            self.share(time, now)
            self.counters["slots_opened"] += idle and bool(self.members)
        for member in self.members:
            rate = 1.0 if self.policy.rule == "static" else speed(member.job, member.size, self.processors)
            self.renew(member, Holding(((0, tuple(sorted(member.processors))),), rate), time, now)
        return 1 if self.members else 0

    def take_parts(self) -> None:
        """Place jobs from the head of the queue in the smallest free parts."""
        while self.queue:
            job = self.queue[0]
            taken = {processor for member in self.members for processor in member.processors}
            parts = [part for part in self.parts if not taken & set(part) and len(part) >= job.size]
            if not parts:
                return
            part = min(parts, key=len)
            self.members.append(Member(job, frozenset(part[: job.size])))
            del self.queue[0]

    def share(self, time: int, now: int) -> None:
        """Plan by the rule; then processors follow the plan."""
        plan = Plan(self.members, self.queue, self.processors)
        RULES[self.policy.rule](plan)
        self.queue = plan.queue
        before = {member: member.size for member in self.members}
        wanted = [(entry.member, entry.size) for entry in plan.entries if entry.member is not None]
        for member, size in wanted:
            if size != member.size:
                member.break_off(time, now)
            member.processors = frozenset(sorted(member.processors)[:size])
        for entry in plan.entries:
            if entry.member is None:
                self.members.append(Member(entry.job, frozenset(self.free()[: entry.size])))
        for member, size in wanted:
            member.processors |= frozenset(self.free()[: size - member.size])
        for member, size in before.items():
            if member.size != size:
                self.stall(member, size, self.policy.reconfiguration_cost_s)

    def free(self) -> list[int]:
        """Return the free processors, the lowest number first."""
        taken = {processor for member in self.members for processor in member.processors}
        return [processor for processor in range(self.processors) if processor not in taken]


def cut(processors: int, policy: Policy) -> list[range]:
    """Cut the machine into its static parts."""
    if policy.cut == "equal":
        return equal_parts(processors, policy.partitions)
    parts, left = [], range(processors)
    for _ in range(policy.partitions - 1):
        half = -(-len(left) // 2)
        parts.append(left[:half])
        left = left[half:]
    return [*parts, left]


def equal_parts(processors: int, count: int) -> list[range]:
    """Cut a machine into equal parts, the first ones larger by one where it does not divide evenly."""
    parts, first = [], 0
    for number in range(count):
        width = processors // count + (number < processors % count)
        parts.append(range(first, first + width))
        first += width
    return parts


def schedule(policy: Policy, jobs: list[Job], processors: int) -> GangSchedule:
    """Run partitioning in space on jobs, on a machine of so many processors."""
    run = SharingRun(policy, jobs, processors)
    run.go()
    return run.result(jobs)
