"""What a pair does to response times (LOMARC, section 5.2, figure 5): computed for every candidate from sums over the queue.

``sums[k]`` belongs to the k-th job behind the holder: R_k and H_k of the policy's docstring; ``sums[0]`` to the holder itself.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.coscheduling.state import AVERAGE, CLASSES, CUMULATIVE
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.records import Record


@kernel
def begin_sums(work: int, processors: int, sums: np.ndarray) -> None:
    """Begin the sums with the holder."""
    reached = work / processors
    sums[0].reached, sums[0].inverse = reached, 1.0 / reached


@kernel
def add_to_sums(number: int, work: int, processors: int, sums: np.ndarray) -> None:
    """Add the job of this number, the next behind."""
    own = work / processors
    reached = sums[number - 1].reached + own
    sums[number].work, sums[number].reached = own, reached
    sums[number].inverse = sums[number - 1].inverse + 1.0 / reached


@kernel_step
def impact(
    holder: int,
    time: int,
    partner: int,
    partner_time: int,
    slowdown: float,
    number: int,
    count: int,
    sums: np.ndarray,
    forecast: Record,
    rules: Record,
) -> float:
    """Return the profit of a partner that is the ``number``-th of ``count`` jobs behind its holder.

    ``holder`` and ``partner`` are their sizes; the times are what is left of both.
    """
    behind = sums[count].inverse - sums[number].inverse
    return impact_of(
        holder,
        time,
        partner,
        partner_time,
        slowdown,
        sums[number - 1].inverse,
        sums[number].reached,
        behind,
        sums[count].reached,
        count,
        forecast,
        rules,
    )


@kernel_step
def impact_running(
    holder: int,
    time: int,
    partner: int,
    partner_time: int,
    slowdown: float,
    count: int,
    sums: np.ndarray,
    forecast: Record,
    rules: Record,
) -> float:
    """Return the profit of a running holder for the first of ``count`` waiting jobs; ``sums`` holds the work of these."""
    first = time * holder / rules.processors
    reached = first + sums[1].work
    at_partner = reached
    behind = 0.0
    for number in range(2, count + 1):
        reached += sums[number].work
        behind += 1.0 / reached
    return impact_of(
        holder,
        time,
        partner,
        partner_time,
        slowdown,
        1.0 / first,
        at_partner,
        behind,
        reached,
        count,
        forecast,
        rules,
    )


@kernel
def impact_of(
    holder: int,
    time: int,
    partner: int,
    partner_time: int,
    slowdown: float,
    ahead: float,
    reached: float,
    behind: float,
    backlog: float,
    count: int,
    forecast: Record,
    rules: Record,
) -> float:
    """Return the profit of a pair from the sums: H before the partner, R of it, H of those behind it, R of the last."""
    processors = rules.processors
    work, partner_work = time * holder, partner_time * partner
    paired = min(time, partner_time) * (slowdown - 1.0) + max(time, partner_time)
    delay = (paired * holder - work) / processors
    improvement = partner_work / processors - delay
    worse = delay * ahead
    better = (reached - partner_work * slowdown / processors) / reached + improvement * behind
    if forecast.known:
        coming = backlog / forecast.between
        short, rest = forecast.share_short, 1.0 - forecast.share_short
        mean = forecast.work / processors
        if rules.future == AVERAGE:
            worse += coming * short * delay / mean
            better += coming * rest * improvement / mean
        elif rules.future == CLASSES:
            if forecast.short_work > 0.0:
                worse += coming * short * delay / (forecast.short_work / processors)
            if forecast.other_work > 0.0:
                better += coming * rest * improvement / (forecast.other_work / processors)
        elif rules.future == CUMULATIVE:
            worse += coming * short * delay / mean
            better += coming * rest * improvement / (backlog + mean)
    return (better - worse) / max(1, count - 1)


def forecast_from(jobs: int, shorts: int, span: int, short_work: int, other_work: int, forecast: Record) -> None:
    """Take the means of jobs whose first and last submission are ``span`` apart; fewer than two, or a span of 0, tell nothing."""
    forecast.known = jobs > 1 and span > 0
    if not forecast.known:
        return
    others = jobs - shorts
    forecast.between = span / (jobs - 1)
    forecast.share_short = shorts / jobs
    forecast.work = (short_work + other_work) / jobs
    forecast.short_work = short_work / shorts if shorts > 0 else 0.0
    forecast.other_work = other_work / others if others > 0 else 0.0


kernel_forecast_from = kernel(forecast_from)
