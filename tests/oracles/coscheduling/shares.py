"""The oracle of SCOJO's shares: what jobs are guaranteed, what they are slowed down by, which may run at once, and windows."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from scheduler_core.declarations.policy import Policy
from tests.oracles.coscheduling.machine import MILLION
from tests.oracles.job import Job

LEVELS = {"long": 0, "medium": 5, "short": 10, "special": 15}
FOR_ROUNDING = 1000
Cells = Mapping[tuple[int, int], float]


def in_ppm(value: float) -> int:
    """Round to millionths, at least one."""
    return max(1, math.floor(MILLION * value + 0.5))


def divided_up(dividend: int, divisor: int) -> int:
    """Divide and round up."""
    return -(-dividend // divisor)


@dataclass(frozen=True)
class Window:
    """When a job may run: from ``begin`` to before ``end``; ``reserved`` says that its begin is a reserved start."""

    job: Job
    begin: int
    end: float
    reserved: bool = False

    def contains(self, time: int) -> bool:
        """Tell whether the job may run at a time."""
        return self.begin <= time < self.end


@dataclass(frozen=True)
class Terms:
    """What is agreed of shares and slowdowns at an instant: who was promised which share, and what has been measured."""

    policy: Policy
    table: Cells
    promised: Mapping[Job, int]
    measured: Collection[tuple[int, int]]

    def application(self, job: Job) -> int:
        """Return the job's application, 0 where that is not read."""
        return job.behaviour.application if "behaviour" in self.policy.companions else 0

    # Slowdowns

    def constant(self, jobs: int) -> int:
        """Return the slowdown by the number of jobs."""
        of_several = {2: self.policy.slowdown_of_two, 3: self.policy.slowdown_of_three}
        return MILLION if jobs == 1 else in_ppm(of_several[jobs])

    def slowdown(self, job: Job, jobs: Collection[Job], *, believed: bool) -> int:
        """Return the slowdown of a job among jobs, itself one of them."""
        if len(jobs) == 1 or self.policy.slowdown == "constants":
            return self.constant(len(jobs))
        cells = [(self.application(job), self.application(other)) for other in jobs if other is not job]
        unknown = self.policy.learns and believed
        return max(
            self.constant(len(jobs)) if unknown and cell not in self.measured else in_ppm(self.table[cell])
            for cell in cells
        )

    # Shares

    def guaranteed(self, job: Job) -> int:
        """Return g."""
        if job in self.promised:
            return self.promised[job]
        return MILLION // self.policy.at_once if self.policy.assignment == "equal" else in_ppm(job.shares.share_low)

    def needed(self, job: Job, jobs: Collection[Job]) -> int:
        """Return the share that a job needs among jobs."""
        if self.policy.accounting == "requested":
            return self.guaranteed(job)
        return effective(self.guaranteed(job), self.slowdown(job, jobs, believed=True))

    def coschedulable(self, jobs: Collection[Job]) -> bool:
        """Tell whether jobs may run at once."""
        if len(jobs) <= 1:
            return True
        if len(jobs) > self.policy.at_once:
            return False
        slowdowns = [self.slowdown(job, jobs, believed=True) for job in jobs]
        needed = sum(self.needed(job, jobs) for job in jobs)
        return max(slowdowns) <= in_ppm(self.policy.slowdown_limit) and needed <= MILLION

    def assigned(self, jobs: Sequence[Job]) -> list[int]:
        """Return the shares of running jobs, in order of start."""
        if self.policy.assignment == "equal":
            shares = [MILLION // self.policy.at_once for _ in jobs]
        else:
            least, shares = [self.needed(job, jobs) for job in jobs], []
            for place, job in enumerate(jobs):
                most = in_ppm(job.shares.share_high)
                if self.policy.accounting == "effective":
                    most = effective(most, self.slowdown(job, jobs, believed=True))
                shares.append(min(max(most, least[place]), MILLION - sum(shares) - sum(least[place + 1 :])))
        if self.policy.reclaim == "alone" and len(jobs) == 1:
            return [MILLION]
        return [share * MILLION // sum(shares) for share in shares] if self.policy.reclaim == "all" else shares

    # Windows

    def longest(self, job: Job, done: int) -> float:
        """Return the longest that a job may take from a time on at which it had done so much."""
        policy = self.policy
        if policy.learns and policy.slowdown == "table":
            return math.inf
        worst = MILLION
        if policy.accounting == "requested" and policy.at_once > 1:
            several = range(2, policy.at_once + 1)
            constants = [self.constant(jobs) for jobs in several]
            worst = max(MILLION, *(constants if policy.slowdown == "constants" else [in_ppm(policy.slowdown_limit)]))
        return divided_up((job.estimate - done + FOR_ROUNDING) * worst, self.guaranteed(job))

    def hold(self, windows: Sequence[Window]) -> bool:
        """Tell whether no reserved start is in danger."""
        starts = [window.begin for window in windows if window.reserved]
        return all(self.coschedulable(those_at(windows, start)) for start in starts)


def those_at(windows: Sequence[Window], time: int) -> list[Job]:
    """List the jobs that may run at a time."""
    return [window.job for window in windows if window.contains(time)]


def effective(share: int, slowdown: int) -> int:
    """Return the effective share."""
    return min(MILLION, divided_up(share * slowdown, MILLION))
