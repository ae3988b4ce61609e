"""The oracle of slices: virtual schedules, orders in the way each search makes them, and the search of a group's order."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from scheduler_core.common.units import seconds_to_us
from scheduler_core.declarations.policy import Policy
from tests.oracles.plan import Use, earliest, stretches
from tests.oracles.slices.search_orders import STRATEGIES, jobs_in_order
from tests.oracles.slices.state import MILLION, Job

Digits = tuple[int, ...]
Order = tuple[Job, ...]


class Placed(NamedTuple):
    """A job scheduled virtually, by the clock of its class."""

    job: Job
    begin: int
    end: int
    response: float
    slowdown: float


Placings = tuple[Placed, ...]


def added(values: Sequence[float]) -> float:
    """Add numbers one after another, as the order of operations is part of the rule."""
    total = 0.0
    for value in values:
        total += value
    return total


def total(placings: Placings) -> float:
    """Add up slowdowns in the order of placement."""
    return added([placed.slowdown for placed in placings])


class Virtual:
    """Places jobs on a plan, one after another; what has been worked out once is remembered by the order."""

    def __init__(self, processors: int, taken: Sequence[Use], now: tuple[int, int], share: float, bound: int) -> None:
        self.processors, self.taken = processors, list(taken)
        self.time, self.clock = now
        self.share, self.bound = share, bound
        self.may_overtake = True
        self.known: dict[Order, Placings] = {(): ()}

    def uses(self, placings: Placings) -> list[Use]:
        """Return what is taken once jobs are placed."""
        return [*self.taken, *(Use(placed.begin, placed.end, placed.job.size) for placed in placings)]

    def place(self, placings: Placings, job: Job) -> Placed:
        """Place a job after others."""
        not_before = placings[-1].begin if placings and not self.may_overtake else self.clock
        begin = earliest(self.processors, self.uses(placings), not_before, job.estimate, job.size)
        response = (self.time - job.submit) + (begin - self.clock + job.estimate) / self.share
        slowdown = max(response / max(job.estimate, self.bound), 1.0)
        return Placed(job, begin, begin + job.estimate, response, slowdown)

    def schedule(self, order: Order) -> Placings:
        """Place jobs in an order."""
        if order not in self.known:
            before = self.schedule(order[:-1])
            self.known[order] = (*before, self.place(before, order[-1]))
        return self.known[order]


def discrepancies(digits: Digits) -> int:
    """Count the depths at which a path does not take the first of the remaining jobs."""
    return sum(digit > 0 for digit in digits)


def paths(way: str, depth: int) -> Iterator[Digits]:
    """Generate the paths of the tree of orders, the heuristic's first."""
    return STRATEGIES[way](tuple(range(depth, 0, -1)))


def first_difference(one: Order, other: Order) -> int:
    """Return the first place on which two orders differ, or their length."""
    return next((n for n, pair in enumerate(zip(one, other, strict=True)) if pair[0] is not pair[1]), len(one))


@dataclass
class Search:
    """The search of one part of a group: counts, candidates, and how it went."""

    policy: Policy
    virtual: Virtual
    before: Order
    orders: int = 0
    tree_nodes: int = 0
    pruned: int = 0
    pruned_leaves: int = 0
    best: float = 0.0
    candidates: list[Placings] = field(default_factory=list)
    improvements: list[tuple[int, float]] = field(default_factory=list)

    def run(self, heuristic: Order) -> None:
        """Search the orders of the part."""
        evaluated: Order = ()
        differs = len(heuristic)
        for digits in itertools.islice(paths(self.policy.paths, len(heuristic)), self.policy.orders):
            self.orders += 1
            order = tuple(jobs_in_order(digits, heuristic))
            differs = min(differs, first_difference(order, evaluated)) if evaluated else 0
            if evaluated and discrepancies(digits) < self.policy.discrepancies_from:
                continue
            cut = self.evaluate(order, differs, first=not evaluated)
            evaluated, differs = order, len(heuristic)
            if self.policy.force_shift and (not cut or self.policy.shift_cut):
                other = self.force_shift(order)
                if other is not None:
                    self.evaluate(other, first_difference(other, order))

    def evaluate(self, order: Order, differs: int, *, first: bool = False) -> bool:
        """Evaluate an order, counting as tree nodes its placements from where it ``differs``; tell whether it was cut."""
        last = len(order) - 1
        bounded = not first and self.policy.branch_and_bound
        for place in range(len(order)):
            so_far = total(self.virtual.schedule(self.before + order[: place + 1]))
            self.tree_nodes += place >= differs
            if bounded and so_far >= self.best:
                if place >= differs:
                    self.pruned += place < last
                    self.pruned_leaves += place == last
                return True
        placings = self.virtual.schedule(self.before + order)
        self.candidates.append(placings)
        if first or total(placings) < self.best:
            self.best = total(placings)
            self.improvements.append((self.orders, self.best))
        return False

    def force_shift(self, order: Order) -> Order | None:
        """Move jobs into holes that are slightly too short; return the order this makes, or None."""
        shifted: list[Job] = []
        made: Order | None = order
        current = order
        while made is not None:
            current = made
            made = self.shift_one(current, shifted)
        return current if shifted else None

    def shift_one(self, order: Order, shifted: list[Job]) -> Order | None:
        """Move the first job that can be moved, and note it."""
        placings = self.virtual.schedule(self.before + order)
        uses = self.virtual.uses(placings)
        own = placings[len(self.before) :]
        for placed in own:
            job = placed.job
            if any(job is other for other in shifted):
                continue
            for begin, end in stretches(self.virtual.processors, uses, self.virtual.clock, job.size):
                if begin >= placed.begin or end is None or not self.nearly_fits(job, end - begin):
                    continue
                shifted.append(job)
                others = [other for other in own if other is not placed]
                earlier = [other.job for other in others if other.begin <= begin]
                later = [other.job for other in others if other.begin > begin]
                return (*earlier, job, *later)
        return None

    def nearly_fits(self, job: Job, length: int) -> bool:
        """Tell whether a hole is too short for a job, but not by much."""
        ratio = round(self.policy.shift_ratio * MILLION)
        return length < job.estimate and job.estimate * MILLION <= ratio * length


def select(policy: Policy, virtual: Virtual, candidates: Sequence[Placings], rests: Sequence[tuple[int, int]]) -> Order:
    """Choose one of the three best schedules; ``rests`` are rest and size of the started jobs."""
    best = sorted(candidates, key=total)[:3]

    def measures(placings: Placings) -> tuple[float, float, float]:
        makespan = max(placed.end for placed in placings) - virtual.clock
        work = sum(placed.job.estimate * placed.job.size for placed in placings)
        work += sum(min(rest, makespan) * size for rest, size in rests)
        response = added([placed.response for placed in placings]) / len(placings)
        return makespan, work / (virtual.processors * makespan), response

    chosen = best[0]
    for challenger in best[1:]:
        (m, u, a), (m2, u2, a2) = measures(chosen), measures(challenger)
        if policy.select == "tolerance":
            gives_way = not (m < 1.1 * m2 and u > 0.95 * u2 and a < 1.1 * a2)
        else:
            gives_way = policy.select == "literal" and m2 > 1.1 * m and u2 > 0.95 * u and a2 < 1.1 * a
        if gives_way:
            chosen = challenger
    return tuple(placed.job for placed in chosen)


def long_wide_order(jobs: Sequence[Job], policy: Policy, virtual: Virtual, least: tuple[float, float]) -> Order:
    """Return the order of the long-wide jobs, the first level's result; nothing if there are too few of them."""
    size, run = least
    long_wide = [job for job in jobs if job.size >= size and job.estimate >= run]
    if len(long_wide) < policy.long_wide_min:
        return ()
    by_work = sorted(long_wide, key=lambda job: (-job.size * job.estimate, -job.size, job.position))
    orders = itertools.permutations(by_work[: policy.long_wide_max])
    return min(orders, key=lambda order: total(virtual.schedule(order)))


def heuristic_order(jobs: Sequence[Job], long_wide: Order, virtual: Virtual) -> Order:
    """Return the order by largest slowdown, the long-wide jobs among themselves as they are."""
    order: Order = ()
    while len(order) < len(jobs):
        next_wide = [job for job in long_wide if job not in order][:1]
        open_jobs = [job for job in jobs if job not in order and (job not in long_wide or job in next_wide)]
        placings = virtual.schedule(order)
        slowest = max(open_jobs, key=lambda job: (virtual.place(placings, job).slowdown, -job.position))
        order = (*order, slowest)
    return order


def bound_of(policy: Policy) -> int:
    """Return the shortest run time that counts in a slowdown."""
    return seconds_to_us(policy.bound_s)
