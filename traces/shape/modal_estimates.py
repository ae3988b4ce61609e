"""The modal distribution of user estimates, and dealing estimates out to jobs (Tsafrir, Etsion and Feitelson 2005).

The steps are numbered as in :class:`traces.shape.estimates.Tsafrir`. Times are whole seconds until estimates are dealt out.
Every constant is the source's. Three things are ours: largest remainders (:mod:`traces.shape.apportion`), workloads with
fewer jobs than popular values, and raising estimates in :func:`deal_out`.
"""

import numpy as np
from numba import njit

from traces.shape.apportion import apportion

MINUTE, HOUR = 60, 3600

HEAD = 20
"""Popular values (the head of the distribution)."""

HEAD_SHARE = 0.89
"""Share of the jobs that use a popular value."""

POPULAR_EVERYWHERE = (
    *(5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 20 * MINUTE, 30 * MINUTE),
    *(HOUR, 2 * HOUR, 3 * HOUR, 4 * HOUR, 5 * HOUR, 6 * HOUR, 8 * HOUR, 10 * HOUR, 12 * HOUR, 18 * HOUR),
)
"""Values that are among the 20 most popular in all four logs."""

ROUND_STEPS = (
    *(200 * HOUR, 100 * HOUR, 50 * HOUR, 10 * HOUR, 5 * HOUR, 2 * HOUR, HOUR),
    *(20 * MINUTE, 10 * MINUTE, 5 * MINUTE),
)
"""Multiples of these complete the popular values."""

HEAD_CURVE = (14.0491, -0.177531, 0.462513)
"""a, b, c: the x-th most popular value serves for a exp(b x) + c percent of the jobs, x from 2."""

TAIL_EXPONENT = -2.267
"""The x-th most popular value beyond the head has a share proportional to x to this power."""

VALUES_BY_JOBS = ((0, 20, 200, 1000, 10_000, 70_000, 250_000), (0, 10, 20, 35, 90, 340, 565))
"""Distinct values by number of jobs; linear in between, constant beyond."""

TIME_CURVE = (12.1039, -0.6026)
"""p, q: the curve of the tail's times is a = 1 + p n^q with n different values in all."""

SHIFTS = (0, 30, -30, 20, -20, 10, -10)
"""Seconds by which a value moves when another has its minute."""

POPULARITY_IN_LOGS = np.array(
    [
        [3, 1, 4, 17, 13, 7, 8, 18, 2, 6, 16, 10, 5, 15, 14, 19, 11, 12, 9, 20],  # SDSC SP2
        [1, 3, 4, 2, 12, 9, 8, 18, 6, 7, 11, 20, 16, 5, 14, 13, 10, 15, 17, 19],  # CTC SP2
        [1, 4, 10, 14, 20, 2, 3, 7, 12, 6, 19, 5, 18, 16, 9, 17, 15, 13, 8, 11],  # KTH SP2, limit of 4 hours
        [1, 6, 5, 3, 7, 2, 18, 19, 4, 11, 20, 9, 10, 14, 13, 16, 15, 17, 8, 12],  # SDSC Blue Horizon
    ]
)
"""Popularity rank of the maximum, then of the other popular values in ascending order, a row per log."""


def modal_distribution(
    jobs: int, maximum: int, maximum_share: float | None, generator: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return a drawn distribution: distinct values in seconds, ascending to the maximum, and the number of jobs of each.

    The ``maximum``, at least one hour, is the longest allowed estimate; ``maximum_share`` of the jobs use it (None for the share
    of the model). A value may have no jobs.
    """
    popular = popular_values(maximum)
    shares = head_shares(len(popular), maximum_share)
    count = round(float(np.interp(jobs, *VALUES_BY_JOBS)))
    others = tail_values(maximum, max(0, count - len(popular)), max(count, len(popular)), set(popular))
    rest = tail_shares(len(others))
    values = np.array([*popular, *others], dtype=np.int64)
    share = np.concatenate([shares[popularity_of(len(popular), generator) - 1], generator.permutation(rest)])
    counts = apportion(share / share.sum(), jobs)
    order = np.argsort(values)
    return values[order], counts[order]


def popular_values(maximum: int) -> list[int]:
    """Return the popular values (step 2): the maximum first, then the others in ascending order."""
    others = [value for value in POPULAR_EVERYWHERE if value < maximum]
    for step in ROUND_STEPS:
        for value in range(maximum // step * step, 0, -step):
            if len(others) < HEAD - 1 and value != maximum and value not in others:
                others.append(value)
    return [maximum, *sorted(others)]


def head_shares(values: int, maximum_share: float | None) -> np.ndarray:
    """Return the shares of the popular values (step 3), the most popular first; the maximum is the first."""
    a, b, c = HEAD_CURVE
    rank = np.arange(2, values + 1)
    others = (a * np.exp(b * rank) + c) / 100
    if maximum_share is None:
        return np.array([HEAD_SHARE - others.sum(), *others])
    return np.array([maximum_share, *(others * (HEAD_SHARE - maximum_share) / others.sum())])


def popularity_of(values: int, generator: np.random.Generator) -> np.ndarray:
    """Return the drawn popularity rank (from 1) of the maximum, then of the other popular values, ascending (step 4)."""
    logs = POPULARITY_IN_LOGS
    last_place = {rank: int(np.nonzero(logs == rank)[1].max()) for rank in range(1, HEAD + 1)}
    taken = [1]
    pool = [int(rank) for rank in logs[:, 0] if rank != 1]
    for place in range(1, HEAD):
        pool += [int(rank) for rank in logs[:, place] if rank not in taken]
        due = [rank for rank in range(1, HEAD + 1) if last_place[rank] <= place and rank not in taken]
        drawn = generator.integers(0, len(pool), 2) if not due else ()
        rank = due[0] if due else min(pool[draw] for draw in drawn)
        taken.append(rank)
        pool = [other for other in pool if other != rank]
    ranks = np.array(taken[:values])
    return ranks.argsort().argsort() + 1


def tail_values(maximum: int, values: int, of_all: int, popular: set[int]) -> list[int]:
    """Return up to ``values`` less popular values, none beyond the maximum (step 5)."""
    p, q = TIME_CURVE
    a = 1 + p * of_all**q
    taken: set[int] = set()
    for number in range(1, values + 1):
        place = number / values
        minutes = round((a - 1) * place / (a - place) * maximum / MINUTE)
        for shift in SHIFTS:
            value = minutes * MINUTE + shift
            if 0 < value < maximum and value not in popular and value not in taken:
                taken.add(value)
                break
    return sorted(taken)


def tail_shares(values: int) -> np.ndarray:
    """Return the shares of the less popular values; they add up to what the head leaves (step 5)."""
    weight = np.arange(HEAD + 1, HEAD + 1 + values) ** TAIL_EXPONENT
    return weight / weight.sum() * (1 - HEAD_SHARE) if values else weight


def deal_out(
    values: np.ndarray, counts: np.ndarray, runtime: np.ndarray, generator: np.random.Generator
) -> tuple[np.ndarray, int]:
    """Return an estimate for each job (step 6), none below its run time, and the number of estimates raised for that.

    ``values`` ascend to the longest run time, all in one unit.
    """
    order = np.argsort(-runtime, kind="stable")
    longest_first = runtime[order]
    pool = np.repeat(values[::-1], counts[::-1])
    needed = values[np.searchsorted(values, longest_first)]
    raised = pool < longest_first
    pool = np.where(raised, needed, pool)
    pool[::-1].sort()
    deal(pool, longest_first, generator.random(len(pool)))
    estimate = np.empty_like(runtime)
    estimate[order] = pool
    return estimate, int(raised.sum())


@njit(cache=True, nogil=True)
def deal(pool: np.ndarray, runtime: np.ndarray, draw: np.ndarray) -> None:
    """Shuffle the estimates of ``pool`` (descending) in place, so that each job draws one that is long enough.

    ``runtime`` descends, and no estimate is below the run time at its position. The candidates of a job are the estimates
    from its position to the last one that is not below its run time; no earlier job has taken them.
    """
    limits = pool.copy()
    end = 0
    for job in range(len(pool)):
        while end < len(pool) and limits[end] >= runtime[job]:
            end += 1
        chosen = job + min(int(draw[job] * (end - job)), end - job - 1)
        pool[job], pool[chosen] = pool[chosen], pool[job]
