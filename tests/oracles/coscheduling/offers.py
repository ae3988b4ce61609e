"""The oracle of SCOJO's shares: the slots offered to a job that asks for a start."""

from typing import NamedTuple

from tests.oracles.coscheduling.machine import MILLION
from tests.oracles.coscheduling.scojo import Site
from tests.oracles.coscheduling.shares import Window, effective, in_ppm, those_at
from tests.oracles.job import Job


class Offer(NamedTuple):
    """A time and a share that were offered to a job, as a row of the schedule's ``offers``."""

    job: int
    number: int
    made: int
    start: int
    share: int
    slowdown: int
    taken: str


def offer(site: Site, job: Job) -> list[tuple[Offer, int]]:
    """Return the slots offered to a job, each with the share that is promised there."""
    others = site.windows()
    first = max(site.now, job.submit if job.shares.wanted is None else job.shares.wanted)
    times = [first, *sorted({int(window.end) for window in others if first < window.end < float("inf")})]
    slots: list[tuple[Offer, int]] = []
    for time in times:
        own = Window(job, time, time + site.terms.longest(job, 0), reserved=True)
        if len(slots) == site.policy.offers or not site.terms.hold([*others, own]):
            continue
        share = promise(site, own, others)
        slowdown = site.terms.slowdown(job, [*those_at(others, time), job], believed=True)
        shown = effective(share, slowdown) if site.policy.accounting == "effective" else share
        word = {"nothing": "no", "picks": "picked", "reserves": "reserved"}[job.shares.asks]
        taken = "no" if slots else word
        slots.append((Offer(job.job, len(slots) + 1, site.now, time, shown, slowdown, taken), share))
    return slots


def promise(site: Site, own: Window, others: list[Window]) -> int:
    """Return the most that can be promised to a job in its window."""
    terms, job = site.terms, own.job
    if site.policy.assignment == "equal":
        return terms.guaranteed(job)
    most = in_ppm(job.shares.share_high)
    for time in (own.begin, *(other.begin for other in others if other.reserved and own.contains(other.begin))):
        there = [*those_at(others, time), job]
        left = MILLION - sum(terms.needed(other, there) for other in there if other is not job)
        if site.policy.accounting == "effective":
            left = left * MILLION // terms.slowdown(job, there, believed=True)
        most = min(most, left)
    return most
