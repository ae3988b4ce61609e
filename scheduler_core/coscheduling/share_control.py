"""The share of the processors' time assigned to each running job: promotion, and the clear cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.coscheduling.estimator import effective_share
from scheduler_core.coscheduling.work import WHOLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.coscheduling.estimator import Estimator
    from scheduler_core.coscheduling.share_jobs import ShareJob


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
