"""The oracle of slices: groups of waiting jobs, their plans, and jobs of other classes placed around them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from scheduler_core.common.units import seconds_to_us
from tests.oracles.plan import Use, earliest_within
from tests.oracles.slices.pect import Run
from tests.oracles.slices.search import (
    Order,
    Search,
    Virtual,
    bound_of,
    heuristic_order,
    long_wide_order,
    select,
    total,
)
from tests.oracles.slices.state import CLASS_NAMES, LONG, MEDIUM, Job, Result, Row, Slice

GROUPED = (MEDIUM, LONG)
"""Classes that may have groups."""


class Request(NamedTuple):
    """A job that is to start in another class's slice when its clock reads ``clock``."""

    job: Job
    clock: int
    length: int


@dataclass(eq=False)
class Group:
    """A group: its members in the order chosen, and which of them are still to start."""

    number: int
    kind: int
    formed: int
    members: Order
    planned: list[Job]
    row: Row  # what stands in its row after ``ended_us``
    finish_job: Job | None = None
    ended: int | None = None
    improvements: list[Row] = field(default_factory=list)


class GroupRun(Run):
    """Optimised SCOJO-PECT."""

    requests: tuple[Request, ...] = ()

    def go(self) -> Result:
        """Run until the last job has left."""
        self.open: dict[int, Group] = {}
        self.formed: list[Group] = []
        result = super().go()
        for group in self.formed:
            kind = CLASS_NAMES[group.kind]
            ended = self.time if group.ended is None else group.ended
            result.groups.append((0, group.number, kind, group.formed, ended, *group.row))
            places = enumerate(group.members, start=1)
            result.members += [(0, group.number, place, job.position) for place, job in places]
            result.improvements += group.improvements
        return result

    # Queues and reservations -----------------------------------------------------------------------------------

    def planned(self, kind: int) -> list[Job]:
        """Return the planned jobs of a class, in the order of the plan."""
        return self.open[kind].planned if kind in self.open else []

    def queue(self, kind: int) -> list[Job]:
        """Return the waiting jobs of a class: planned jobs, then the others."""
        planned = self.planned(kind)
        return [*planned, *(job for job in super().queue(kind) if job not in planned)]

    def all_reserved(self, kind: int) -> bool:
        """Tell whether every waiting job of the class has a reservation."""
        return kind in self.open or super().all_reserved(kind)

    def renew(self, kind: int, number: int) -> None:
        """Make the reservations of a class anew because of a group, and promise them."""
        self.make_anew(kind)
        if self.promising():
            for job in self.queue(kind):
                self.promise(job, number)

    def unreserved(self, kind: int) -> list[Use]:
        """Return the plan of a class without its reservations, but with the requests of this slice."""
        uses = super().unreserved(kind)
        piece = self.calendar.slice_at(self.time)
        if piece is not None and piece.kind == kind:
            uses += [Use(request.clock, request.clock + request.length, request.job.size) for request in self.requests]
        return uses

    def alarms(self, kind: int) -> list[int]:
        """Return the readings of the clock of the slice's class at which a pass is made."""
        return [*super().alarms(kind), *(request.clock for request in self.requests)]

    def end_slice(self) -> None:
        """Suspend unfinished jobs if a slice ends now, and cancel requests."""
        super().end_slice()
        if any(piece.end == self.time for piece in self.calendar.slices):
            self.requests = ()

    def start(self, job: Job, piece: Slice) -> None:
        """Start a waiting job; a planned one leaves its plan."""
        planned = self.planned(job.kind)
        if job in planned:
            planned.remove(job)
            if job.kind != piece.kind:
                self.count("planned_elsewhere")
        super().start(job, piece)

    # A pass ----------------------------------------------------------------------------------------------------

    def start_own(self, piece: Slice) -> None:
        """Serve requests, end and form groups, then start jobs of the slice's own class."""
        if piece.kind in GROUPED:
            self.serve_requests(piece)
            if self.policy.dynamic and piece.kind in self.open:
                self.place_arrivals(piece)
            self.end_group(piece.kind)
            if not self.planned(piece.kind):
                self.form_group(piece.kind)
        super().start_own(piece)

    def serve_requests(self, piece: Slice) -> None:
        """Start the jobs whose requests are for now, where they may."""
        for request in [request for request in self.requests if request.clock == self.clock(piece.kind)]:
            self.requests = tuple(other for other in self.requests if other is not request)
            if self.may_start_elsewhere(request.job, piece):
                self.start(request.job, piece)
                self.count("dynamic")
            else:
                self.room.add(piece.kind)

    def place_arrivals(self, piece: Slice) -> None:
        """Place jobs of other classes submitted now around the plan of the slice's class."""
        now = self.clock(piece.kind)
        last = now + piece.end - self.time
        for job in self.arrived:
            if job.kind == piece.kind:
                continue
            begin = earliest_within(self.processors, self.plan(piece.kind), (now, last), job.estimate, job.size)
            if begin is None:
                continue
            if begin > now:
                self.requests = (*self.requests, Request(job, begin, min(job.estimate, last - begin)))
                self.count("requests")
            elif self.may_start_elsewhere(job, piece):
                self.start(job, piece)
                self.count("dynamic")

    def lend_to_waiting(self, piece: Slice, kinds: Sequence[int]) -> None:
        """Let waiting jobs of other classes start: the planned ones first."""
        requested = [request.job for request in self.requests]
        rounds = [[job for kind in kinds for job in list(self.planned(kind))]]
        rounds.append([job for kind in kinds for job in self.queue(kind) if job not in rounds[0]])
        for jobs in rounds:
            for job in jobs:
                if job not in requested and self.may_start_elsewhere(job, piece):
                    self.start(job, piece)

    # Groups ----------------------------------------------------------------------------------------------------

    def end_group(self, kind: int) -> None:
        """End the group of a class if it is time to."""
        group = self.open.get(kind)
        if group is None:
            return
        all_done = not group.planned and all(job.finish is not None for job in group.members)
        if all_done or (self.left and group.finish_job.finish is not None):
            group.ended = self.time
            del self.open[kind]
            self.renew(kind, group.number)

    def parameter(self, name: str, kind: int) -> float:
        """Return a parameter that each class has for itself."""
        value: float = getattr(self.policy, f"{name}_{CLASS_NAMES[kind]}")
        return value

    def form_group(self, kind: int) -> None:
        """Form a group of the first waiting jobs of a class if enough of them wait."""
        queue = self.queue(kind)
        run = seconds_to_us(self.parameter("group_run_s", kind))
        least_work = self.parameter("group_work_factor", kind) * run * self.processors
        if (
            len(queue) < self.parameter("group_min", kind)
            or sum(job.size for job in queue) <= self.parameter("group_size_factor", kind) * self.processors
            or sum(job.size * job.estimate for job in queue) <= least_work
        ):
            return
        jobs = queue[: int(self.parameter("group_max", kind))]
        if kind in self.open:
            self.open[kind].ended = self.time
        group = self.optimised(kind, jobs)
        self.open[kind] = group
        self.formed.append(group)
        self.renew(kind, group.number)
        group.finish_job = self.finish_job(kind, group.planned)
        self.count(f"groups_{CLASS_NAMES[kind]}")
        self.count("grouped", len(jobs))

    def optimised(self, kind: int, jobs: list[Job]) -> Group:
        """Find the order of a group."""
        number = len(self.formed) + 1
        now = (self.time, self.clock(kind))
        share = self.parameter("share", kind)
        virtual = Virtual(self.processors, self.unreserved(kind), now, share, bound_of(self.policy))
        virtual.may_overtake = self.policy.plan_backfilling
        wide = self.parameter("long_wide_size", kind) * self.processors
        run = seconds_to_us(self.parameter("group_run_s", kind))
        long_wide = long_wide_order(jobs, self.policy, virtual, (wide, run))
        heuristic = heuristic_order(jobs, long_wide, virtual)
        chosen: Order = ()
        searches: list[Search] = []
        if self.policy.second_level:
            for part in self.parts(heuristic, int(self.parameter("group_max", kind))):
                search = Search(self.policy, virtual, chosen)
                search.run(part)
                rests = [(job.rest(self.time), job.size) for job in self.started[kind]]
                chosen = select(self.policy, virtual, search.candidates, rests)
                searches.append(search)
        else:
            chosen = heuristic
        sums = [sum(getattr(s, name) for s in searches) for name in ("orders", "tree_nodes", "pruned", "pruned_leaves")]
        for name, value in zip(("orders", "tree_nodes", "pruned", "pruned_leaves"), sums, strict=True):
            self.count(name, value)
        placings = virtual.schedule(chosen)
        slowdowns = (total(virtual.schedule(heuristic)), total(placings))
        row = (len(jobs), len(long_wide), *sums, *slowdowns)
        group = Group(number, kind, self.time, chosen, list(chosen), row)
        for part, search in enumerate(searches):
            group.improvements += [(0, number, part, orders, slowdown) for orders, slowdown in search.improvements]
        return group

    def parts(self, order: Order, most: int) -> list[Order]:
        """Split the order of a group that is as large as groups get."""
        if len(order) < most:
            return [order]
        half = math.ceil(len(order) / 2)
        return [part for part in (order[:half], order[half:]) if part]

    def finish_job(self, kind: int, planned: Sequence[Job]) -> Job:
        """Return the job with whose end the group may end: the one before utilisation drops for good."""
        now = self.clock(kind)
        running = [(now, now + job.rest(self.time), job, False) for job in self.started[kind]]
        begins = [(job.reservation, job) for job in planned if job.reservation is not None]
        stays = [*running, *((begin, begin + job.estimate, job, True) for begin, job in begins)]
        stays.sort(key=lambda stay: stay[1])
        least = math.ceil(self.policy.finish_jobs * len(planned))
        before: list[tuple[int, int, Job, bool]] = []
        utilisation = 0.0
        for stay in stays:
            end = stay[1]
            used = sum(job.size * (min(e, end) - b) for b, e, job, _ in stays if b < end)
            now_used = used / (self.processors * (end - now))
            dips = utilisation - now_used > self.policy.finish_dip and now_used < self.policy.finish_utilisation
            if before and dips and sum(is_planned for *_, is_planned in before) >= least:
                return before[-1][2]
            before.append(stay)
            utilisation = now_used
        return before[-1][2]
