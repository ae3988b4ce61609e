"""The gang-scheduling oracle: who may overtake the blocked head of the queue, and where."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from tests.oracles.gang.state import Matrix, Member, Slot, speed
from tests.oracles.job import Job
from tests.oracles.plan import Use, fits


@dataclass(frozen=True)
class Waiting:
    """A job in the queue and its target size."""

    job: Job
    size: int


Place = Callable[[Waiting, Slot], None]
"""Put a waiting job into a slot, on its lowest-numbered free processors."""


class Forecast:
    """What the scheduler expects of the slots' future, from estimates."""

    def __init__(self, matrix: Matrix, now: int) -> None:
        self.matrix, self.now = matrix, now

    def length(self, waiting: Waiting) -> int:
        """Return how long a job will hold its processors, on the slot clock."""
        return math.ceil(waiting.job.estimate / speed(waiting.job, waiting.size, self.matrix.processors))

    def end(self, member: Member) -> int:
        """Return when a member will end."""
        return member.expected_end(self.now, speed(member.job, member.size, self.matrix.processors))

    def free(self, slot: Slot, ended_by: int | None = None) -> int:
        """Count a slot's free processors now, or with all ends up to and at a clock."""
        stays = [m for m in slot.members if ended_by is None or self.end(m) > ended_by]
        return self.matrix.processors - sum(member.size for member in stays)

    def shadow(self, slot: Slot, size: int) -> int:
        """Return the earliest expected end with which a slot has enough free processors."""
        ends = sorted({self.end(member) for member in slot.members})
        return next(end for end in ends if self.free(slot, end) >= size)


def protect_head(forecast: Forecast, queue: list[Waiting], place: Place) -> None:
    """Backfill so that no job delays the head."""
    head = queue[0]
    slots = forecast.matrix.slots
    shadow, _, reserved = min((forecast.shadow(slot, head.size), rank, slot.number) for rank, slot in enumerate(slots))
    extra = next(forecast.free(slot, shadow) for slot in slots if slot.number == reserved) - head.size
    for waiting in queue[1:]:
        in_time = forecast.now + forecast.length(waiting) <= shadow
        for slot in slots:
            if forecast.free(slot) < waiting.size:
                continue
            if slot.number != reserved or in_time or waiting.size <= extra:
                if slot.number == reserved and not in_time:
                    extra -= waiting.size
                place(waiting, slot)
                break


def protect_all(forecast: Forecast, queue: list[Waiting], place: Place) -> None:
    """Backfill so that no job delays an earlier one: each takes the earliest interval beside those before it."""
    slots, processors = list(forecast.matrix.slots), forecast.matrix.processors
    plan = {s.number: [Use(forecast.now, forecast.end(m), m.size) for m in s.members] for s in slots}
    for waiting in queue:
        length = forecast.length(waiting)
        begins = sorted({forecast.now, *(use.end for uses in plan.values() for use in uses)})
        begin, slot = next(
            (begin, slot)
            for begin in begins
            for slot in slots
            if fits(processors, plan[slot.number], begin, length, waiting.size)
        )
        plan[slot.number].append(Use(begin, begin + length, waiting.size))
        if begin == forecast.now:
            place(waiting, slot)
