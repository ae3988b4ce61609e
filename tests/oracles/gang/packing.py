"""The gang-scheduling oracle: which slot and which processors a job gets; re-packing and filling."""

from dataclasses import dataclass
from fractions import Fraction

from scheduler_core.declarations.policy import Policy
from tests.oracles.gang.state import Matrix, Member, Slot
from tests.oracles.job import Job

MEMORY_PACKINGS = ("memory_fit", "memory_best_fit")


@dataclass(frozen=True)
class Offer:
    """A place for a job: a slot (None: a new one at the end), and processors free there."""

    slot: Slot | None
    free: int
    processors: frozenset[int]
    imbalance: Fraction = Fraction(0)


class Packing:
    """A packing rule on a matrix."""

    def __init__(self, policy: Policy, matrix: Matrix) -> None:
        self.policy, self.matrix = policy, matrix
        self.by_memory = policy.packing in MEMORY_PACKINGS

    def may_open(self) -> bool:
        """Tell whether there may be one slot more."""
        return self.policy.level == "unlimited" or len(self.matrix.slots) < self.policy.level

    def candidates(self, job: Job, slot: Slot | None) -> list[int]:
        """List the processors of a slot that the job could have there, the lowest number first."""
        free = self.matrix.free(slot)
        if self.by_memory:
            free = [processor for processor in free if self.matrix.memory_left(processor) >= job.held_memory]
        return free

    def choose(self, job: Job, size: int) -> Offer | None:
        """Find a place for a job, or None."""
        existing = [self.offer(job, size, slot) for slot in self.matrix.slots]
        offers = [offer for offer in existing if offer is not None]
        new = self.offer(job, size, None) if self.may_open() else None
        match self.policy.packing:
            case "one_job":
                return new
            case "first_fit" | "first_fit_decreasing":
                return offers[0] if offers else new
        if new is not None and (not offers or (self.by_memory and self.policy.new_slot == "always")):
            offers.append(new)
        # min() gives the first of equals, which is the first slot.
        return min(offers, key=lambda offer: (offer.imbalance, offer.free), default=None)

    def offer(self, job: Job, size: int, slot: Slot | None) -> Offer | None:
        """Return the processors a slot would give the job, or None where there are too few."""
        candidates = self.candidates(job, slot)
        if len(candidates) < size:
            return None
        free = len(self.matrix.free(slot))
        if self.policy.packing != "memory_fit":
            return Offer(slot, free, frozenset(candidates[:size]))
        left = {processor: self.matrix.memory_left(processor) for processor in range(self.matrix.processors)}
        chosen = frozenset(sorted(candidates, key=lambda processor: (-left[processor], processor))[:size])
        return Offer(slot, free, chosen, self.imbalance(job, chosen))

    def imbalance(self, job: Job, chosen: frozenset[int]) -> Fraction:
        """Return the largest part any processor has of all memory left, once the job is on its processors."""
        if self.matrix.memory == 0:
            return Fraction(0)
        left = [
            int(self.matrix.memory_left(processor)) - (job.held_memory if processor in chosen else 0)
            for processor in range(self.matrix.processors)
        ]
        return Fraction(max(left), sum(left)) if sum(left) else Fraction(1, self.matrix.processors)

    def settle(self, member: Member, offer: Offer) -> bool:
        """Put a member where it was offered a place; tell whether that took a new slot."""
        slot = self.matrix.new_slot() if offer.slot is None else offer.slot
        member.processors = offer.processors
        self.matrix.put(member, slot)
        return offer.slot is None

    def repack(self) -> None:
        """Empty the matrix and pack all its jobs again."""
        by_size = self.policy.packing == "first_fit_decreasing"
        members = self.matrix.clear()
        for member in sorted(members, key=lambda m: (-m.size if by_size else 0, m.job.position)):
            offer = self.choose(member.job, member.size)
            assert offer is not None, "the level is unlimited"
            self.settle(member, offer)

    def fill(self) -> None:
        """Give every job copies in the slots in which it fits."""
        for member in self.matrix.members:
            member.copies = {}
        taken = {slot.number: slot.taken() for slot in self.matrix.slots}
        for slot in self.matrix.slots:
            for member in self.matrix.members:
                if member not in slot.members:
                    copy = self.copy_of(member, taken[slot.number])
                    if copy is not None:
                        member.copies[slot.number] = copy
                        taken[slot.number] |= copy

    def copy_of(self, member: Member, taken: set[int]) -> frozenset[int] | None:
        """Return the processors of a copy beside those taken, or None where it does not fit."""
        if self.policy.repacks == "never":
            return None if member.processors & taken else member.processors
        free = [processor for processor in range(self.matrix.processors) if processor not in taken]
        return frozenset(free[: member.size]) if len(free) >= member.size else None
