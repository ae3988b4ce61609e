"""The search for changes of regime: from which weeks on another part of a machine can be used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, pairwise

import numpy as np
import polars as pl

from slotwise.planning.fair_share import keeping_rules
from slotwise.planning.models import EQUAL, Model, Pool, score
from slotwise.planning.search import LEAST_CAPACITY, POLICIES, TOO_LONG, Fitting
from slotwise.planning.trials import at_once
from slotwise.planning.validation import weekly_means
from traces.shape.regimes import Usable

MOST_CHANGES = 2
"""The most dates at which the usable processors change."""

LEAST_WEEKS = 8
"""The fewest weeks of a regime."""

LEAST_WAIT_H = 0.1
"""Shorter mean waits of a week differ by little."""

LEAST_CHANGE = 0.02
"""The least change of the usable processors, as a share of the machine."""

MOST_ROUNDS = 2
"""How often dates and sizes near the best ones are tried."""


class Regimes:
    """The search for the weeks from which on other processors of a log's machine can be used."""

    def __init__(self, fitting: Fitting) -> None:
        self.fitting = fitting
        self.of_weeks: dict[Pool, pl.DataFrame] = {}

    def models(self, like: Pool, changes: int) -> list[Model]:
        """Return a pool whose usable processors change at so many dates; empty if the log is too short.

        Changes of less than :data:`LEAST_CHANGE` of the machine are none: a processor more or less is tried with no date at all.
        """
        least = LEAST_CHANGE * self.fitting.processors
        return [model for model in self.splits(like, changes) if model.pools[0].usable.least_change >= max(least, 1)]

    def splits(self, like: Pool, changes: int) -> list[Model]:
        """Return a pool in so many regimes and one more: as it is, and as plain EASY with and without its site.

        What was found before may explain a part of what the changes do, so the search begins without it, too. If the best of
        these explains more than the pool itself, every policy is tried with its dates. Empty if the log is too short.
        """
        whole = replace(like, processors=self.fitting.processors)
        starts = dict.fromkeys((whole, replace(whole, policy="easy", credit=()), Pool("easy", self.fitting.processors)))
        found = at_once(partial(self.with_regimes, changes=changes), starts)
        begins = dict.fromkeys(pool for pools in found for pool in pools)
        models = [model for pool in begins for model in self.near_regimes(pool)]
        if not models:
            return []
        if score(self.fitting.best(models).odd) <= score(self.fitting.model([like]).odd) + EQUAL:
            return models
        best = self.fitting.best(models).pools[0]
        models += self.fitting.models_of(
            [replace(best, policy=keeping_rules(other, best.policy))] for other in POLICIES
        )
        last = self.fitting.best(models).pools[0]
        return models if last == best else [*models, *self.near_regimes(last)]

    def with_regimes(self, like: Pool, changes: int) -> list[Pool]:
        """Return a pool with the dates and sizes that explain mean waits of odd weeks best; nothing if the log is too short.

        A schedule up to a date does not depend on later changes. So machines that never change tell which dates and sizes are the
        best, but for the jobs that wait at a change. Where the log shows that jobs held far fewer processors at its begin or end,
        that size is tried, too.
        """
        sizes, tables = [], []
        for percent in range(100, round(100 * LEAST_CAPACITY) - 1, -1):
            sizes.append(self.fitting.share(percent))
            tables.append(self.loss_by_week(replace(like, processors=sizes[-1])))
            recorded_h, simulated_h = (tables[-1][name].to_numpy().sum() for name in ("recorded_h", "simulated_h"))
            if simulated_h > TOO_LONG * recorded_h:
                break
        if self.fitting.use.low is not None and self.fitting.use.low.most < sizes[-1]:
            sizes.append(self.fitting.use.low.most)
            tables.append(self.loss_by_week(replace(like, processors=sizes[-1])))
        weeks = sorted(set.intersection(*(set(table["week"]) for table in tables)))
        losses = [table.filter(pl.col("week").is_in(weeks))["loss"].to_numpy() for table in tables]
        found = best_regimes(np.array(losses), weeks, changes)
        regimes = [(week, sizes[row]) for week, row in found]
        return [replace(like, processors=regimes[0][1], changes=tuple(regimes[1:]))] if regimes else []

    def near_regimes(self, start: Pool) -> list[Model]:
        """Return a pool with other dates and sizes near its own: of one regime after the other, from the best so far."""
        tried = [self.fitting.model([start])]
        whole, weeks = (
            (self.fitting.share(1), self.fitting.processors),
            (min(self.fitting.recorded["week"]), max(self.fitting.recorded["week"])),
        )
        for _ in range(MOST_ROUNDS):
            before = self.fitting.best(tried)
            for place in range(len(start.usable.regimes)):
                near = neighbours(self.fitting.best(tried).pools[0].usable, place, *whole, weeks)
                tried += self.fitting.models_of(
                    [replace(start, processors=one.processors, changes=one.changes)] for one in near
                )
            if self.fitting.best(tried) is before:
                break
        return tried

    def loss_by_week(self, pool: Pool) -> pl.DataFrame:
        """Return how far the mean wait of each odd week is from the recorded one, as ``loss``: by what factor, in logarithms."""
        if pool not in self.of_weeks:
            odd = self.fitting.pairs(pool).filter(pl.col("week") % 2 == 1)
            recorded, simulated = (pl.col(name) + LEAST_WAIT_H for name in ("recorded_h", "simulated_h"))
            self.of_weeks[pool] = weekly_means(odd).sort("week").with_columns(loss=(simulated / recorded).log().abs())
        return self.of_weeks[pool]


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
