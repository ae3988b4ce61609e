"""Reservations of start and share for cross-site jobs: safe starts, and the slots that are offered."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scheduler_core.common.units import NEVER_US
from scheduler_core.coscheduling.estimator import effective_share
from scheduler_core.coscheduling.share_jobs import Window, window
from scheduler_core.coscheduling.work import WHOLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.coscheduling.share_jobs import ShareJob, ShareRules
    from scheduler_core.coscheduling.site import Site


class Slot(NamedTuple):
    """A start that is offered, with the share that can be promised and the slowdown that is predicted."""

    start: int
    share: int
    slowdown: int


def windows(site: Site) -> list[Window]:
    """Return the windows of running and of reserved jobs."""
    running = [Window(site.now, one.latest, one.job) for one in site.running]
    return [*running, *(window(site.estimator.rules, job, start) for start, job in site.reserved)]


def within(held: Sequence[Window], time: int) -> list[ShareJob]:
    """Return the jobs whose windows contain a time."""
    return [one.job for one in held if one.begin <= time < one.end]


def is_safe(site: Site, job: ShareJob) -> bool:
    """Return whether a job can start now without breaking a reservation."""
    if not site.reserved:
        return True
    held = [*windows(site), window(site.estimator.rules, job, site.now)]
    return all(site.estimator.coschedulable(within(held, start)) for start, _ in site.reserved)


def slots(site: Site, job: ShareJob) -> list[Slot]:
    """Return the slots offered to a job, by start."""
    rules, held = site.estimator.rules, windows(site)
    earliest = max(job.wanted, site.now)
    later = {one.end for one in held if earliest < one.end < NEVER_US}
    found: list[Slot] = []
    for time in sorted({earliest} | later):
        own = window(rules, job, time)
        together = [*held, own]
        starts = {time} | {start for start, _ in site.reserved}
        if all(site.estimator.coschedulable(within(together, start)) for start in starts):
            inside = [start for start in starts if own.begin <= start < own.end]
            others = [within(held, start) for start in inside]
            share = min(most_promised(site, job, beside) for beside in others)
            slowdown = site.estimator.believed([job, *within(held, time)])[0]
            found.append(Slot(time, share, slowdown))
        if len(found) == rules.offers:
            break
    return found


def most_promised(site: Site, job: ShareJob, others: list[ShareJob]) -> int:
    """Return the largest share that others leave to a job, up to its request."""
    rules, estimator = site.estimator.rules, site.estimator
    if rules.equal:
        return job.guaranteed
    left = WHOLE - sum(estimator.needed([job, *others])[1:])
    if rules.effective:
        left = left * WHOLE // estimator.believed([job, *others])[0]
    return min(job.most, left)


def offered_share(rules: ShareRules, slot: Slot) -> int:
    """Return the share of a slot as it is offered: multiplied by the slowdown where shares follow it."""
    return effective_share(slot.share, slot.slowdown) if rules.effective else slot.share
