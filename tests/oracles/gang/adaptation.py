"""The gang-scheduling oracle: the load, the sizes that follow from it, and growth into free processors."""

from collections.abc import Callable, Iterable
from fractions import Fraction

from scheduler_core.common.units import seconds_to_us
from scheduler_core.declarations.policy import Policy
from tests.oracles.gang.packing import Packing
from tests.oracles.gang.state import Matrix, Member
from tests.oracles.job import Job


def classify(policy: Policy, matrix: Matrix, queue: Iterable[Job]) -> str:
    """Tell whether the load is low, normal or high."""
    very_short = seconds_to_us(policy.reconfiguration_s)
    sizes = {m.job: m.job.size if policy.demand == "optimum" else m.size for m in matrix.members}
    now_or_asked = {m.job: m.size for m in matrix.members}
    for job in queue:
        sizes[job] = now_or_asked[job] = job.size
    running = {member.job for member in matrix.members}
    needed = 0
    for group in ([job for job in sizes if job in running], [job for job in sizes if job not in running]):
        counted = [sizes[job] for job in group if job.estimate >= very_short]
        share = Fraction(len(group), len(counted)) if counted and policy.very_short == "mean" else 1
        needed += int(sum(counted) * share)
    malleable = [job for job in sizes if job.flexibility == "malleable"]
    increase = sum(Fraction(job.most(matrix.processors) - now_or_asked[job], 2) for job in malleable)
    if needed + increase < matrix.processors:
        return "low"
    slots = policy.level if policy.load_level == "level" else policy.load_level
    return "high" if needed > matrix.processors * slots else "normal"


def halfway_down(size: int, fewest: int) -> int:
    """Go half the way to the fewest processors, rounded down."""
    return (size - fewest) // 2 + fewest


def halfway_up(size: int, most: int) -> int:
    """Go half the way to the most processors, rounded up."""
    return -(-(most - size) // 2) + size


def target_size(job: Job, load: str, processors: int) -> int:
    """Return the size at which a queued job is to start."""
    if job.flexibility == "rigid" or load == "normal":
        return job.size
    if load == "low":
        return halfway_up(job.size, job.most(processors))
    return halfway_down(job.size, job.fewest())


def efficient_size(job: Job, efficiency: float, processors: int) -> int:
    """Return the largest size at which each processor of a job still speeds it up by so much, or else its smallest."""
    if job.flexibility == "rigid":
        return job.size
    least = Fraction(round(efficiency * 10_000), 10_000)
    sizes = range(job.fewest(), job.most(processors) + 1)
    efficient = [size for size in sizes if speed_up(job, size, processors) / size >= least]
    return max(efficient, default=job.fewest())


def speed_up(job: Job, size: int, processors: int) -> Fraction:
    """Return the speed-up of a job on the line through 0.80 of its fewest, 0.65 of its optimum and 0.50 of its most."""
    at_optimum = Fraction(65, 100) * job.size
    if size == job.size:
        return at_optimum
    if size < job.size:
        end, at_end = job.fewest(), Fraction(80, 100) * job.fewest()
    else:
        end, at_end = job.most(processors), Fraction(50, 100) * job.most(processors)
    return at_optimum + (at_end - at_optimum) * Fraction(size - job.size, end - job.size)


def grow(packing: Packing, member: Member, wanted: int) -> None:
    """Give a member more processors of its slot, the lowest-numbered first, as far as they go."""
    slot = packing.matrix.slot_of(member)
    more = packing.candidates(member.job, slot)[: max(0, wanted - member.size)]
    member.processors |= frozenset(more)


def resize(packing: Packing, member: Member, load: str) -> None:
    """Shrink or grow a running malleable job as the load asks for."""
    if load == "high":
        kept = min(member.size, halfway_down(member.size, member.job.fewest()))
        member.processors = frozenset(sorted(member.processors)[:kept])
    elif load == "low":
        grow(packing, member, halfway_up(member.size, member.job.most(packing.matrix.processors)))


def eliminate_fragmentation(packing: Packing, placed: set[Job], class_of: Callable[[Job], str]) -> None:
    """Let jobs just placed grow into the free processors of their slots: moldable ones, then medium malleable ones."""
    slots = packing.matrix.slots
    new = [member for slot in slots for member in slot.members if member.job in placed]
    moldable = [member for member in new if member.job.flexibility == "moldable"]
    medium = [m for m in new if m.job.flexibility == "malleable" and class_of(m.job) == "medium"]
    for member in [*moldable, *medium]:
        grow(packing, member, member.job.most(packing.matrix.processors))
