"""The profits of pairs (LOMARC, section 5.2): gain of utilisation, and response impact (figure 5) from sums over the queue.

``sums[k]`` belongs to the k-th job behind the holder: R_k and H_k of the policy's docstring; ``sums[0]`` to the holder itself.
"""

from typing import NamedTuple

import numpy as np

from scheduler_core.coscheduling.state import AVERAGE, CLASSES, CUMULATIVE
from scheduler_core.coscheduling.work import WHOLE
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.records import Record


@kernel
def gain_2(larger: int, smaller: int, slowdown: int) -> float:
    """Return the gain while both run: sizes of the holder and its partner, and their slowdown in millionths.

    On the processors both have, work proceeds 2 / slowdown times as fast as that of one; on the others of the larger,
    1 / slowdown times. The sum of gain and loss is an integer, so that its sign is exact.
    """
    return (WHOLE * (larger + smaller) - larger * slowdown) / (larger * slowdown)


@kernel
def gain_1(larger: int, smaller: int, slowdown: int, time: int, other_time: int) -> float:
    """Return the gain weighted by the part of the longer time in which both run."""
    return gain_2(larger, smaller, slowdown) * (min(time, other_time) / max(time, other_time))


class Pair(NamedTuple):
    """A pair: sizes of the holder and the partner, the time left of both, and the slowdown of both."""

    holder: int
    time: int
    partner: int
    partner_time: int
    slowdown: float


class Queue(NamedTuple):
    """The sums over the queue that a profit needs; R and H as in the policy's docstring."""

    ahead: float  # H before the partner
    reached: float  # R of the partner
    behind: float  # H of the jobs behind the partner
    backlog: float  # of the forecast: R of the last job, or the work of all waiting jobs over the processors
    apart: int  # number of the other jobs behind the holder, or by how many more of them are behind than ahead of the partner


@kernel
def begin_sums(work: int, processors: int, sums: np.ndarray) -> None:
    """Begin the sums with the holder."""
    reached = work / processors
    sums[0].reached, sums[0].inverse = reached, 1.0 / reached


@kernel
def add_to_sums(number: int, work: int, processors: int, sums: np.ndarray) -> None:
    """Add the next job behind, the ``number``-th."""
    own = work / processors
    reached = sums[number - 1].reached + own
    sums[number].work, sums[number].reached = own, reached
    sums[number].inverse = sums[number - 1].inverse + 1.0 / reached


@kernel
def backlog_of(reached: float, waiting: int, rules: Record) -> float:
    """Return the backlog of the forecast: R of the last job, or the work of all waiting jobs over the processors."""
    return waiting / rules.processors if rules.all_waiting else reached


@kernel_step
def impact(
    pair: Pair, number: int, count: int, waiting: int, sums: np.ndarray, forecast: Record, rules: Record
) -> float:
    """Return the profit of a partner that is the ``number``-th of ``count`` jobs behind its holder.

    ``waiting`` is the work of all waiting jobs.
    """
    behind = sums[count].inverse - sums[number].inverse
    apart = abs(2 * number - 1 - count) if rules.by_difference else count - 1
    backlog = backlog_of(sums[count].reached, waiting, rules)
    queue = Queue(sums[number - 1].inverse, sums[number].reached, behind, backlog, apart)
    return impact_of(pair, queue, forecast, rules)


@kernel_step
def impact_running(pair: Pair, count: int, waiting: int, sums: np.ndarray, forecast: Record, rules: Record) -> float:
    """Return the profit of a running holder for the first of ``count`` waiting jobs, whose work is in ``sums``."""
    first = pair.time * pair.holder / rules.processors
    reached = first + sums[1].work
    at_partner = reached
    behind = 0.0
    for number in range(2, count + 1):
        reached += sums[number].work
        behind += 1.0 / reached
    backlog = backlog_of(reached, waiting, rules)
    return impact_of(pair, Queue(1.0 / first, at_partner, behind, backlog, count - 1), forecast, rules)


@kernel
def impact_of(pair: Pair, queue: Queue, forecast: Record, rules: Record) -> float:
    """Return the profit of a pair, given the sums over the queue around the partner."""
    processors = rules.processors
    work, partner_work = pair.time * pair.holder, pair.partner_time * pair.partner
    paired = min(pair.time, pair.partner_time) * (pair.slowdown - 1.0) + max(pair.time, pair.partner_time)
    delay = (paired * pair.holder - work) / processors
    improvement = work / processors if rules.improvement_printed else partner_work / processors - delay
    worse = delay * queue.ahead
    better = (queue.reached - partner_work * pair.slowdown / processors) / queue.reached + improvement * queue.behind
    if forecast.known:
        coming = queue.backlog / forecast.between
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
            better += coming * rest * improvement / (queue.backlog + mean)
    return (better - worse) / max(1, queue.apart)


def forecast_from(jobs: int, shorts: int, span: int, short_work: int, other_work: int, forecast: Record) -> None:
    """Forecast from the means of jobs whose first and last submission are ``span`` apart.

    Fewer than two jobs, or a span of 0, allow no forecast.
    """
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
