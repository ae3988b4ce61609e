"""A pass of a policy at an instant of its schedule, made again: which jobs start, by which rule, and who holds a reservation.

The policies' docstrings define the rules. What waits and runs at the instant is read from the schedule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from scheduler_core.common.units import seconds_to_us
from scheduler_core.decisions.space_sharing.ceilings import ceilings_of
from scheduler_core.decisions.space_sharing.usage import Usage, has_fair_share
from scheduler_core.space_sharing.orders import ORDERS

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.declarations.policy import Policy

LEVEL_OF_SHORT = 2


@dataclass(frozen=True)
class Reason:
    """The rule by which a job started in a pass.

    ``rule`` is ``order`` (every job before it in the order had started), ``skip`` (the head does not fit and the policy goes on
    behind it), ``ends_before`` (its estimate ends by the reservation), ``extra`` (it takes no more than the extra processors),
    ``reserved`` (its own reservation begins) or ``plan`` (it delays no reservation). ``head`` is the first job that holds a
    reservation, or the one that does not fit; ``reservation_us`` is when its reservation begins. ``extra`` counts the extra
    processors that were left for the job.
    """

    rule: str
    head: int | None = None
    reservation_us: int | None = None
    extra: int | None = None


@dataclass(frozen=True)
class Pass:
    """What a pass decides: the jobs it starts with their rules, and the begins of the reservations it makes, by job."""

    starts: dict[int, Reason]
    reservations: dict[int, int]


def words_of(policy: Policy) -> dict[str, Any]:
    """Return the rules that a policy of space sharing fixes, and its parameters."""
    return {**getattr(policy, "fixed", {}), **policy.values()}


def is_retold(policy: Policy) -> bool:
    """Return whether :meth:`Scene.make_pass` can make the passes of a policy again.

    It cannot for policies that users write, for conservative plans, which depend on all earlier passes, for the dialects of
    EASY that remember a reservation or make passes between the events of one instant, and where users have ceilings.
    """
    words = words_of(policy)
    if ceilings_of(policy) is not None:
        return False
    in_one = words.get("instant", "batch") == "batch" and words.get("reservation", "each_pass") == "each_pass"
    return hasattr(policy, "fixed") and policy.name != "own" and words.get("backfill") != "conservative" and in_one


class Scene:
    """A schedule of space sharing, from which the state at any instant is read. Jobs are numbered by their rows.

    ``workload`` tells the users of jobs, whose recent usage is counted where an order is fair share.
    """

    def __init__(self, schedule: Schedule, policy: Policy, workload: Workload | None = None) -> None:
        jobs = schedule.jobs.with_row_index("place").filter(pl.col("start_us").is_not_null())
        self.words = words_of(policy)
        self.ceilings = ceilings_of(policy)
        closed = workload is not None and "closed_hours" in workload.companions
        self.retold, self.fair_share = is_retold(policy), has_fair_share(policy)
        self.holds_jobs = self.ceilings is not None or closed
        self.processors = schedule.machine.processors
        table = None if workload is None else workload.companions.get("out_of_use")
        self.out_of_use = [] if table is None else table.select("begin_us", "end_us", "processors").rows()
        self.job = jobs["job"].to_numpy()
        self.submit, self.start, self.finish = (jobs[f"{name}_us"].to_numpy() for name in ("submit", "start", "finish"))
        self.estimate = jobs["estimate_us"].to_numpy()
        self.stay = np.minimum(self.estimate, jobs["runtime_us"].to_numpy())
        # the run times from which the ends of candidates are computed
        self.tested = self.stay if self.words.get("candidate_runtime") == "real" else self.estimate
        self.size = jobs["size"].to_numpy().astype(np.int64)
        self.credit = jobs["credit_us"].to_numpy() if "credit_us" in jobs.columns else np.zeros_like(self.submit)
        self.usage = None
        if workload is not None and self.fair_share:
            self.usage = Usage(jobs, workload, self.words)
        by_start = np.argsort(self.start, kind="stable")
        self.starts = self.start[by_start]
        self.waited = np.concatenate([[0], np.cumsum((self.start - self.submit)[by_start])])
        self.rows = {job: row for row, job in enumerate(self.job.tolist())}
        self.passes: dict[int, Pass] = {}
        self.queues: dict[int, np.ndarray] = {}
        self.firsts: dict[int, int] = {}

    def row(self, job: int) -> int:
        """Return the row of a job."""
        return self.rows[job]

    def usable(self, now: int) -> int:
        """Return how many processors can be used at an instant."""
        return self.processors - sum(out for begin, end, out in self.out_of_use if begin <= now < end)

    def start_of(self, job: int) -> int:
        """Return the start of a job."""
        return int(self.start[self.row(job)])

    def keys(self, order: str, rows: np.ndarray, now: int) -> np.ndarray:
        """Return the keys of jobs in an order at an instant, the smallest first; ties are broken by row."""
        if order == "fcfs":
            return (self.submit - self.credit)[rows]
        if order == "largest_slowdown":
            return -((now - self.submit[rows] + self.estimate[rows]) / self.estimate[rows])
        if order == "fair_share" and self.usage is not None:
            return (self.submit - self.credit)[rows] + self.usage.later(rows, now)
        if order == "priority":
            return -self.levels(rows, now)
        return ORDERS[order].keys(self.estimate[rows], self.size[rows])

    def levels(self, rows: np.ndarray, now: int) -> np.ndarray:
        """Return the levels of jobs under priority classes with aging."""
        limits = [seconds_to_us(self.words[f"{name}_limit_s"]) for name in ("short", "medium")]
        level = sum((self.estimate[rows] <= limit).astype(np.int64) for limit in limits)
        if self.words["aging"] == "off":
            return level
        age = seconds_to_us(self.words["aging_fixed_s"])
        if self.words["aging"] == "running_mean":
            before = int(np.searchsorted(self.starts, now))
            mean = int(self.waited[before]) // before if before else 0
            age = max(mean, seconds_to_us(self.words["aging_min_s"]))
        return np.minimum(LEVEL_OF_SHORT, level + (now - self.submit[rows]) // age)

    @cached_property
    def order(self) -> str:
        """The order of the queue."""
        return str(self.words.get("order", "fcfs"))

    @cached_property
    def holders(self) -> int:
        """How many jobs at the head of the queue hold a reservation; 0 without backfilling."""
        if self.words.get("backfill", "none") == "none":
            return 0
        count = self.words.get("reservations", 1)
        return len(self.job) if count == "all" else int(count)

    def sorted(self, rows: np.ndarray, order: str, now: int) -> np.ndarray:
        """Return rows in an order."""
        return rows[np.lexsort((rows, self.keys(order, rows, now)))]

    def queue(self, now: int) -> np.ndarray:
        """Return the queue of the pass at an instant, with the jobs that it starts."""
        if now not in self.queues:
            waiting = np.flatnonzero((self.submit <= now) & (self.start >= now))
            self.queues[now] = self.sorted(waiting, self.order, now)
        return self.queues[now]

    def first(self, now: int) -> int:
        """Return the row of the first job of the queue that waits on after the pass at an instant at which one does."""
        if now not in self.firsts:
            queue = self.queue(now)
            self.firsts[now] = int(queue[np.argmax(self.start[queue] > now)])  # those before it start in this pass
        return self.firsts[now]

    def pass_at(self, now: int) -> Pass:
        """Return what :meth:`make_pass` does, which makes the pass once for all jobs that ask for it."""
        if now not in self.passes:
            self.passes[now] = self.make_pass(now)
        return self.passes[now]

    def make_pass(self, now: int) -> Pass:
        """Return what the policy's pass at an instant decides, after all completions and submissions of the instant."""
        queue = self.queue(now)
        running = np.flatnonzero((self.start < now) & (self.finish > now))
        if self.holders > 1:
            return self.planned_pass(queue, running, now)
        found = Pass({}, {})
        free = self.usable(now) - int(self.size[running].sum())
        while len(queue) and self.size[queue[0]] <= free:
            free -= self.size[queue[0]]
            running = np.append(running, queue[0])
            found.starts[int(self.job[queue[0]])] = Reason("order")
            queue = queue[1:]
        if not len(queue):
            return found
        head = int(self.job[queue[0]])
        if self.holders:
            self.backfill(queue, running, free, now, found)
        elif self.words.get("when_blocked") == "skip":
            for row in queue[1:]:
                if self.size[row] <= free:
                    free -= self.size[row]
                    found.starts[int(self.job[row])] = Reason("skip", head)
        return found

    def backfill(self, queue: np.ndarray, running: np.ndarray, free: int, now: int, found: Pass) -> None:
        """Give the head of a queue its reservation, and start the candidates that do not delay it."""
        head, size = int(self.job[queue[0]]), int(self.size[queue[0]])
        # A job that starts in this pass ends at its estimate from now on.
        ends = np.where(self.start[running] < now, self.start[running], now) + self.estimate[running]
        by_end = np.lexsort((running, ends))
        released = free + np.cumsum(self.size[running][by_end])
        place = int(np.searchsorted(released, size))
        shadow = int(ends[by_end][place])
        last = int(np.searchsorted(ends[by_end], shadow, side="right")) - 1
        extra = int(released[place if self.words.get("tied_releases") == "not_extra" else last]) - size
        found.reservations[head] = shadow
        rows, takes_extra = self.candidates(queue[1:], now), self.words.get("extra_processors", True)
        in_time, sizes = now + self.tested[rows] <= shadow, self.size[rows]
        # Fewer processors are free, and fewer extra, behind each job that starts.
        may = (sizes <= free) & (in_time | (takes_extra and sizes <= extra))
        for row, by_shadow in zip(rows[may], in_time[may], strict=True):
            on_extra = takes_extra and self.size[row] <= extra
            if self.size[row] > free or not (by_shadow or on_extra):
                continue
            free -= int(self.size[row])
            reason = Reason("ends_before" if by_shadow else "extra", head, shadow, extra)
            found.starts[int(self.job[row])] = reason
            extra -= 0 if by_shadow else int(self.size[row])

    def candidates(self, rows: np.ndarray, now: int) -> np.ndarray:
        """Return the candidates for backfilling in their order."""
        order = self.words.get("backfill_order", "queue")
        rows = rows if order == "queue" else self.sorted(rows, order, now)
        limit = self.words.get("candidates", "all")
        return rows if limit == "all" else rows[:limit]

    def planned_pass(self, queue: np.ndarray, running: np.ndarray, now: int) -> Pass:
        """Return what a pass decides in which several jobs hold a reservation."""
        found, held = Pass({}, {}), queue[: self.holders]
        plan = Plan(self.usable(now), now)
        for row in running:
            plan.take(now, int(self.start[row] + self.estimate[row]), int(self.size[row]))
        for row in held:
            length, size = int(self.estimate[row]), int(self.size[row])
            begin = plan.earliest(length, size)
            plan.take(begin, begin + length, size)
            if begin == now:
                found.starts[int(self.job[row])] = Reason("reserved")
            else:
                found.reservations[int(self.job[row])] = begin
        first = next(iter(found.reservations), None)
        reason = Reason("plan", first, None if first is None else found.reservations[first])
        for row in self.candidates(queue[len(held) :], now):
            length = int(self.tested[row])
            if plan.fits(now, length, int(self.size[row])):
                plan.take(now, now + length, int(self.size[row]))
                found.starts[int(self.job[row])] = reason
        return found


class Plan:
    """Free processors from an instant on, as steps."""

    def __init__(self, processors: int, now: int) -> None:
        self.times, self.free = [now], [processors]

    def step_at(self, time: int) -> int:
        """Return the place of the step that begins at a time, which is made if there is none."""
        place = int(np.searchsorted(self.times, time))
        if place == len(self.times) or self.times[place] != time:
            self.times.insert(place, time)
            self.free.insert(place, self.free[place - 1])
        return place

    def take(self, begin: int, end: int, size: int) -> None:
        """Take processors from a begin until just before an end."""
        first, last = self.step_at(begin), self.step_at(end)
        for place in range(first, last):
            self.free[place] -= size

    def fits(self, begin: int, length: int, size: int) -> bool:
        """Return whether so many processors are free for a length of time from a begin that is a step."""
        steps = zip(self.times, self.free, strict=True)
        return all(free >= size for time, free in steps if begin <= time < begin + length)

    def earliest(self, length: int, size: int) -> int:
        """Return the earliest time from which so many processors are free for so long."""
        return next(time for time in self.times if self.fits(time, length, size))


def held_from(scene: Scene, job: int, still: Mapping[int, int]) -> list[tuple[int, int]]:
    """Return the stretches of a job's wait in which it held a reservation: first and last pass of each.

    ``still`` maps the begins of standstills, in which no pass is made, to their ends.
    """
    own = scene.row(job)
    submit, start = scene.submit[own], scene.start[own]
    changes = [time for begin, end, _ in scene.out_of_use for time in (begin, end)]
    times = np.concatenate([scene.submit, scene.finish, np.array([*still.values(), *changes], dtype=np.int64)])
    times = np.unique(times[(times >= submit) & (times < start)])
    for begin, end in still.items():
        times = times[(times < begin) | (times >= end)]
    if scene.holders == 1:
        holds = np.array([scene.first(now) for now in times.tolist()], dtype=np.int64) == own
    else:
        holds = np.array([holds_at(scene, own, now) for now in times.tolist()], dtype=bool)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], holds, [False]]).astype(np.int8)))
    return [(int(times[first]), int(times[last - 1])) for first, last in edges.reshape(-1, 2)]


def holds_at(scene: Scene, own: int, now: int) -> bool:
    """Return whether a job that waits on holds a reservation after the pass at an instant.

    A single head holds its reservation once the jobs before it have started.
    """
    return scene.first(now) == own if scene.holders == 1 else own in scene.queue(now)[: scene.holders]
