"""The LOMARC oracle: the tests a partner must pass, and which of those who pass is taken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from tests.oracles.coscheduling.profit import Asked, Response, utilisation_1, utilisation_2
from tests.oracles.coscheduling.slowdown import fractions, in_millionths
from tests.oracles.job import Job

if TYPE_CHECKING:
    from tests.oracles.coscheduling.lomarc import Lomarc


@dataclass(frozen=True)
class Chosen:
    """Who was taken; how many were looked at, and how many were left after each test; the place among the last; the profit."""

    job: Job
    counts: tuple[int, ...]
    rank: int
    profit: float


@dataclass
class Search:
    """A search: whom the tests leave, and whom the reservation allows; ``drops``: it is asked of the one taken alone."""

    state: Lomarc
    allowed: Callable[[Job], bool]
    drops: bool
    left: list[int] = field(default_factory=lambda: [0] * 6)

    def among_waiting(self, a: Job, behind: list[Job]) -> Chosen | None:
        """Search for one who is to join A."""
        looked_at = behind[:1] if self.state.policy.match == "adjacent" else behind
        response = cache(lambda: self.response(behind, joins=False))

        def profit(b: Job) -> float:
            return self.profit(a, b, response, behind.index(b) + 1)

        return self.choose(looked_at, lambda b: self.tests(b, a, b), lambda b: self.gain(a, b), profit)

    def among_running(self, b: Job, running: list[Job], behind: list[Job]) -> Chosen | None:
        """Search for one whom B is to join."""
        response = cache(lambda: self.response([b, *behind], joins=True))

        def profit(a: Job) -> float:
            return self.profit(a, b, response, 1)

        return self.choose(running, lambda a: self.tests(a, a, b), lambda a: self.gain(a, b), profit)

    # Tests

    def tests(self, looked_at: Job, a: Job, b: Job) -> list[bool]:
        """Make the five tests."""
        if self.state.policy.match == "always":
            return [True, b.size <= a.size, True, True, True]
        return [
            self.state.level(looked_at) < 2,
            b.size <= a.size,
            not self.state.slowdowns.in_conflict(a, b),
            self.types_match(a, b),
            self.slowdown_fits(a, b),
        ]

    def types_match(self, a: Job, b: Job) -> bool:
        """Tell whether the kinds of two jobs go together."""
        kinds = {a.behaviour.kind, b.behaviour.kind}
        if self.state.policy.cpu == "standard":
            return kinds == {"cpu", "disk"}
        return len(kinds) == 2 or kinds == {"cpu"}

    def slowdown_fits(self, a: Job, b: Job) -> bool:
        """Make the fifth test."""
        policy, slowdowns = self.state.policy, self.state.slowdowns
        if slowdowns.believed(a, b) > in_millionths(policy.max_slowdown):
            return False
        both_compute = a.behaviour.kind == b.behaviour.kind == "cpu"
        if both_compute and policy.slowdown != "table" and not slowdowns.compatible(a, b):
            return False
        return policy.network_limit == "off" or fractions(a)[1] + fractions(b)[1] <= policy.network_limit

    # Profits

    def asked(self, job: Job) -> Asked:
        """Return a job as profits see it."""
        return Asked(job.size, self.state.left(job))

    def gain(self, a: Job, b: Job) -> float:
        """Return how much better a pair uses the processors."""
        return utilisation_2(self.asked(a), self.asked(b), self.state.slowdowns.believed(a, b))

    def response(self, behind: list[Job], *, joins: bool) -> Response:
        """Say what response times depend on in this search."""
        asked = [self.asked(job) for job in behind]
        policy = self.state.policy
        waiting = sum(job.estimate * job.size for job in self.state.queue)
        return Response(
            asked,
            self.state.machine.processors,
            policy.future,
            self.state.forecast(),
            joins=joins,
            improvement=policy.improvement,
            divisor=policy.divisor,
            waiting=waiting if policy.backlog == "all" else None,
        )

    def profit(self, a: Job, b: Job, response: Callable[[], Response], number: int) -> float:
        """Return the profit of a pair."""
        policy, ppm = self.state.policy, self.state.slowdowns.believed(a, b)
        if policy.profit == "utilisation_2":
            return self.gain(a, b)
        if policy.profit == "utilisation_1":
            return utilisation_1(self.asked(a), self.asked(b), ppm)
        return response().profit(self.asked(a), number, ppm)

    # Choice

    def choose(
        self,
        jobs: list[Job],
        tests: Callable[[Job], list[bool]],
        gain: Callable[[Job], float],
        profit: Callable[[Job], float],
    ) -> Chosen | None:
        """Look at jobs in order; take one as the policy says."""
        policy, best, most, choices = self.state.policy, None, 0.0, 0
        for job in jobs:
            if not self.passes(tests(job)) or (not self.drops and not self.allowed(job)):
                continue
            choices += 1
            if policy.match in ("always", "adjacent", "first"):
                if policy.match == "first" and policy.first_needs_gain and gain(job) <= 0:
                    continue
                return self.take(job, self.left[5], 0.0)
            value = profit(job)
            if policy.match == "above":
                if value > 0 and value >= policy.profit_above:
                    return self.take(job, self.left[5], value)
                continue
            if value > most:
                best, most = (job, self.left[5]), value
            if policy.match == "best_of_three" and choices == 3:
                break
        return None if best is None else self.take(*best, most)

    def passes(self, tests: list[bool]) -> bool:
        """Count a job in as far as it passes the tests; tell whether it passes all."""
        self.left[0] += 1
        for number, passed in enumerate(tests, start=1):
            if not passed:
                return False
            self.left[number] += 1
        return True

    def take(self, job: Job, rank: int, profit: float) -> Chosen | None:
        """Take a job, unless the reservation forbids it."""
        return Chosen(job, tuple(self.left), rank, profit) if self.allowed(job) else None
