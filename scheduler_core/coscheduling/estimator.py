"""The coscheduling estimator: how much jobs slow each other down, whether they can be coscheduled, and their shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.coscheduling.work import WHOLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.coscheduling.directory import Directory
    from scheduler_core.coscheduling.share_jobs import ShareJob, ShareRules


def effective_share(share: int, slowdown: int) -> int:
    """Return the share that is worth ``share`` alone, at this slowdown: SH_effective = SH_request x slowdown."""
    return min(WHOLE, -(-share * slowdown // WHOLE))


class Estimator:
    """The believed slowdowns of jobs that run at once; ``directory`` holds the measurements."""

    def __init__(self, rules: ShareRules, directory: Directory) -> None:
        self.rules, self.directory = rules, directory

    def actual(self, jobs: Sequence[ShareJob]) -> list[int]:
        """Return the slowdown of each of several jobs that run at once."""
        rules, number = self.rules, len(jobs)
        if rules.table is None or number == 1:
            return [rules.constants[number]] * number
        table = rules.table
        return [max(table[job.application, other.application] for other in jobs if other is not job) for job in jobs]

    def believed(self, jobs: Sequence[ShareJob]) -> list[int]:
        """Return the slowdown of each of several jobs, as the scheduler believes it."""
        if not self.rules.endless or len(jobs) == 1:
            return self.actual(jobs)
        assumed, measured = self.rules.constants[len(jobs)], self.directory.measured_slowdown
        return [
            max(measured(job.application, other.application) or assumed for other in jobs if other is not job)
            for job in jobs
        ]

    def needed(self, jobs: Sequence[ShareJob]) -> list[int]:
        """Return the share that each of several jobs needs beside the others to get its guaranteed share."""
        if not self.rules.effective:
            return [job.guaranteed for job in jobs]
        slowdowns = self.believed(jobs)
        return [effective_share(job.guaranteed, slowdown) for job, slowdown in zip(jobs, slowdowns, strict=True)]

    def coschedulable(self, jobs: Sequence[ShareJob]) -> bool:
        """Return whether jobs can run at once: not too many, not slowed down too much, and shares for all."""
        if len(jobs) <= 1:
            return True
        if len(jobs) > self.rules.at_once or max(self.believed(jobs)) > self.rules.limit:
            return False
        return sum(self.needed(jobs)) <= WHOLE


def assigned_shares(jobs: Sequence[ShareJob], estimator: Estimator) -> list[int]:
    """Return the shares of the running jobs, which come in order of start."""
    rules = estimator.rules
    if rules.reclaim != "off" and len(jobs) == 1:
        return [WHOLE]
    shares = [WHOLE // rules.at_once] * len(jobs) if rules.equal else shares_in_turn(jobs, estimator)
    if rules.reclaim == "all":
        whole = sum(shares)
        return [share * WHOLE // whole for share in shares]
    return shares


def shares_in_turn(jobs: Sequence[ShareJob], estimator: Estimator) -> list[int]:
    """Return shares in turn: each job gets as much as it asks for while later jobs keep their least share."""
    least = estimator.needed(jobs)
    most = [job.most for job in jobs]
    if estimator.rules.effective:
        slowdowns = estimator.believed(jobs)
        most = [effective_share(share, slowdown) for share, slowdown in zip(most, slowdowns, strict=True)]
    left, shares = WHOLE - sum(least), []
    for low, high in zip(least, most, strict=True):
        share = min(max(low, high), low + left)
        left -= share - low
        shares.append(share)
    return shares
