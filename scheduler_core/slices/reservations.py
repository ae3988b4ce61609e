"""Time of a class that is held for others: processors its slices leave alone while its clock is within a reservation."""

from __future__ import annotations

from dataclasses import dataclass

from scheduler_core.common.errors import ParameterError
from scheduler_core.kernel.profile import Profile, give_to_plan
from scheduler_core.slices import state
from scheduler_core.slices.calls import hold_slot
from scheduler_core.slices.engine import SliceScheduler
from scheduler_core.slices.state import LONG, MEDIUM, SHORT
from scheduler_core.slices.virtual_schedule import new_search
from scheduler_core.stepping.local_scheduler import Frame, Request, Reservation


@dataclass(frozen=True, slots=True)
class Held:
    """A reservation on the clock of a class."""

    kind: int
    begin: int
    end: int
    processors: int


class Reservations:
    """The reservations that are held on a cluster.

    Parameters
    ----------
    scheduler
        The cluster.
    """

    def __init__(self, scheduler: SliceScheduler) -> None:
        self.scheduler = scheduler
        self.held: dict[int, Held] = {}
        self.dropped: set[int] = set()
        self.made = 0

    def reserve(self, request: Request, kind: int, frame: Frame, now: int) -> Reservation | None:
        """Hold processors on the clock of a class, as early as its plan has them and, at the latest, within the frame."""
        self.make_room()
        self.scheduler.begin_interval(now)
        clock = self.scheduler.cluster.clock
        clock.present += 1
        first = self.reading(kind, max(now, frame.earliest_us, 0))
        known = int(clock.wake if clock.phase == state.IDLE else clock.now)
        begin, begins, ends = hold_slot(
            self.scheduler.cluster, request.processors, request.estimate_us, kind, first, known
        )
        if ends > frame.latest_us:
            clock.present -= 1
            return None
        self.made += 1
        self.held[self.made] = Held(kind, begin, begin + request.estimate_us, request.processors)
        self.change_plan(kind, begin, begin + request.estimate_us, -request.processors)
        return Reservation(self.made, request.processors, begins, ends)

    def make_room(self) -> None:
        """Make room for one more in the plans, and in the plans of a search."""
        scheduler, held = self.scheduler, len(self.held) + 1
        scheduler.make_room(int(scheduler.cluster.clock.known) + held)
        if scheduler.setting.search is not None:
            processors = scheduler.cluster.rules.processors
            scheduler.search = new_search(processors, 4 * processors + 4 * held, 0)

    def reading(self, kind: int, time: int) -> int:
        """Return what a class's clock shows at a time to come at the most; within the interval in force, exactly."""
        cluster = self.scheduler.cluster
        clock, own, rules = cluster.clock, cluster.classes[kind], cluster.rules
        begin, end = self.slice_of(kind)
        gained = min(max(0, time - begin), end - begin)
        ahead = max(0, time - int(clock.wake if clock.phase == state.IDLE else clock.interval_end))
        return int(own.clock) + gained + min(ahead, -(-ahead // rules.interval) * self.most_work(kind))

    def slice_of(self, kind: int) -> tuple[int, int]:
        """Return from when until when a class's slice of the interval in force is still to work."""
        cluster = self.scheduler.cluster
        clock, classes, rules = cluster.clock, cluster.classes, cluster.rules
        if clock.phase == state.IDLE or kind < clock.slice:
            return 0, 0
        if kind == clock.slice and clock.phase != state.BETWEEN:
            return max(int(clock.now), int(clock.work_begin)), int(clock.slice_end)
        end = int(clock.interval_end)
        if kind == MEDIUM:
            end -= int(rules.switch + classes[LONG].work)
        if kind <= clock.slice or kind == SHORT:
            return 0, 0
        return end - int(classes[kind].work), end

    def most_work(self, kind: int) -> int:
        """Return how long a class's slice works at most in an interval."""
        rules = self.scheduler.cluster.rules
        if kind == SHORT:
            return int(rules.short_slice)
        remaining = rules.interval - 2 * rules.switch
        shares = ((rules.day_medium, rules.day_long), (rules.night_medium, rules.night_long))
        medium = [remaining * m // (m + n) for m, n in shares]
        return int(max(medium) if kind == MEDIUM else max(remaining - work for work in medium))

    def change_plan(self, kind: int, begin: int, end: int, processors: int) -> None:
        """Add processors to the plan of a class (negative: take them)."""
        plans, bounds = self.scheduler.cluster.plans, self.scheduler.cluster.bounds
        give_to_plan(Profile(plans[kind, 0], plans[kind, 1], bounds[kind]), begin, end, processors)

    def withdraw(self, reservation: Reservation) -> None:
        """Drop a reservation; those of jobs are brought forward when the machine goes on."""
        if reservation.number in self.dropped:
            raise ParameterError(f"reservation {reservation.number} was dropped before")
        self.dropped.add(reservation.number)
        held = self.held.get(reservation.number)
        if held is None:
            return
        own = self.scheduler.cluster.classes[held.kind]
        self.change_plan(held.kind, max(int(own.clock), held.begin), held.end, held.processors)
        own.given = True
        self.forget(reservation.number)

    def forget_past(self, now: int) -> None:
        """Take the reservations off the list that are over."""
        over = [number for number, held in self.held.items() if self.reading(held.kind, now) >= held.end]
        for number in over:
            self.forget(number)

    def forget(self, number: int) -> None:
        """Take a reservation off the list: it is over, or was dropped."""
        del self.held[number]
        self.scheduler.cluster.clock.present -= 1
