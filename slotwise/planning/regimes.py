"""The search for changes of regime: from which weeks on another part of a machine can be used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

import numpy as np

from traces.shape.regimes import Usable

MOST_CHANGES = 2
"""The most dates at which the usable processors change."""

LEAST_WEEKS = 8
"""The fewest weeks of a regime."""

LEAST_WAIT_H = 0.1
"""Shorter mean waits of a week differ by little."""

MOST_ROUNDS = 2
"""How often dates and sizes near the best ones are tried."""


def best_regimes(losses: np.ndarray, weeks: Sequence[int], changes: int) -> list[tuple[int, int]]:
    """Return the first week of each regime, and the row of ``losses`` that is best in it; empty if the log is too short.

    ``losses`` has a row for each machine that is tried and a column for each of ``weeks``, in order.
    """
    before = np.concatenate([np.zeros((len(losses), 1)), np.cumsum(losses, axis=1)], axis=1)
    edges = [*weeks, weeks[-1] + 1] if len(weeks) else []
    best, found = np.inf, list[tuple[int, int]]()
    for inner in combinations(range(1, len(weeks)), changes):
        places = [0, *inner, len(weeks)]
        if min(edges[last] - edges[first] for first, last in pairwise(places)) < LEAST_WEEKS:
            continue
        sums = [before[:, last] - before[:, first] for first, last in pairwise(places)]
        if (loss := sum(one.min() for one in sums)) < best:
            best = loss
            found = [(weeks[first], int(one.argmin())) for first, one in zip(places, sums, strict=False)]
    return found


def neighbours(usable: Usable, place: int, percent: int, whole: int, weeks: tuple[int, int]) -> Iterator[Usable]:
    """Yield usable processors with other ones in one regime, by up to three times ``percent``, or with another first week of it.

    ``whole`` is the size of the machine, ``weeks`` are the first and last one of the log. Every regime keeps its least length.
    """
    week, processors = usable.regimes[place]
    steps = (-3, -2, -1, 1, 2, 3)
    near = [(week, processors + step * percent) for step in steps if 0 < processors + step * percent <= whole]
    near += [(week + step, processors) for step in (-2, -1, 1, 2)] if place else []
    for one in near:
        regimes = [*usable.regimes[:place], one, *usable.regimes[place + 1 :]]
        edges = [weeks[0], *(first for first, _ in regimes[1:]), weeks[1] + 1]
        if all(after - before >= LEAST_WEEKS for before, after in pairwise(edges)):
            yield Usable(regimes[0][1], tuple(regimes[1:]))
