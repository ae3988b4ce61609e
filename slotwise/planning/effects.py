"""What a change does to the same jobs: paired ratios with intervals, who gains and who pays, and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from slotwise.planning import KINDS
from slotwise.planning.waits import group_means, grouped, has_groups, waits_of

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload

METRICS = ("wait_h", "slowdown", "response_h")
"""Metrics of jobs that are compared in pairs."""

SIDES = {"wait_h": "before_h", "wait_h_after": "after_h"}
"""Columns of waits in pairs of jobs, and what tables of groups call their means."""

DRAWS = 4000
LEAST_WEEKS = 8
"""Fewer weeks give no interval."""

MOST_LOSERS = 10

MINUTE_H = 1 / 60
"""Waits that differ by less count as equal when gainers and losers are counted."""


@dataclass(frozen=True)
class Ratio:
    """The mean of a metric under a change over its mean before, on the same jobs, with an interval.

    ``low`` and ``high`` are None when there are too few weeks. The interval is a block bootstrap over weeks: weeks are drawn in
    runs of consecutive ones, as long as the cube root of their number, because the queue of one week is inherited by the next.
    """

    before: float
    after: float
    low: float | None
    high: float | None

    @property
    def ratio(self) -> float | None:
        """The ratio; None when nothing was there before."""
        return self.after / self.before if self.before else None

    @property
    def sure(self) -> bool:
        """Whether the interval excludes 1, so that the direction is known."""
        return self.low is not None and self.high is not None and (self.low > 1 or self.high < 1)


@dataclass(frozen=True)
class Effect:
    """What a change does to the jobs that end both with and without it.

    ``groups`` has a table for each kind of group that jobs state: ``kind, jobs, before_h, after_h``. ``left_out`` counts jobs
    that end in only one of the two.
    """

    jobs: int
    left_out: int
    ratios: dict[str, Ratio]
    shorter: float  # share of jobs that wait less, by a minute or more
    longer: float  # share of jobs that wait longer, by a minute or more
    groups: dict[str, pl.DataFrame]

    @property
    def none(self) -> bool:
        """Whether jobs wait, and none of them a minute longer or shorter than in the baseline."""
        same = all(one.after == one.before for one in self.ratios.values())
        return same and self.shorter == self.longer == 0 < self.ratios["wait_h"].before

    def winners(self, kind: str) -> tuple[int, int, int]:
        """Return how many groups of a kind wait less on average, how many longer, and how many there are."""
        table = self.groups[kind]
        change = table["after_h"] - table["before_h"]
        return int((change < -MINUTE_H).sum()), int((change > MINUTE_H).sum()), table.height

    def losers(self, kind: str) -> list[dict[str, Any]]:
        """Return the groups of a kind whose jobs wait longest in addition, in all: the first is hit hardest."""
        if kind not in self.groups:
            return []
        more = self.groups[kind].with_columns(more_h=(pl.col("after_h") - pl.col("before_h")) * pl.col("jobs"))
        return (
            more.filter(pl.col("more_h") > 0)
            .sort("more_h", kind, descending=[True, False])
            .head(MOST_LOSERS)
            .to_dicts()
        )


def effect_of(log: Workload, before: Schedule, after: Schedule, clock_us: int | None, comparisons: int = 1) -> Effect:
    """Return what a change does: ``before`` and ``after`` are schedules of the jobs of ``log``, by number.

    Groups and weeks are those of the log as it is, even where the change moves submissions. Of several ``comparisons`` all
    intervals together hold with 95 % (Bonferroni), so the best of them can be picked.
    """
    one, other = waits_of(before), waits_of(after)
    pairs = one.join(other, on="job", suffix="_after").join(
        grouped(log.jobs, clock_us), on="job", maintain_order="right"
    )
    change = pairs["wait_h_after"] - pairs["wait_h"]
    return Effect(
        jobs=pairs.height,
        left_out=one.height + other.height - 2 * pairs.height,
        ratios={name: paired_ratio(pairs, name, comparisons) for name in METRICS},
        shorter=share(change < -MINUTE_H),
        longer=share(change > MINUTE_H),
        groups={kind: group_means(pairs, kind, SIDES) for kind in KINDS if has_groups(pairs, kind)},
    )


def share(holds: pl.Series) -> float:
    """Return the share of rows in which something holds; 0 without rows."""
    return float(holds.sum()) / max(len(holds), 1)


def paired_ratio(pairs: pl.DataFrame, name: str, comparisons: int) -> Ratio:
    """Return the ratio of a metric's means with its interval."""
    weeks = group_means(pairs, "week", {name: "before", f"{name}_after": "after"})
    before, after = (weeks[side].to_numpy() * weeks["jobs"].to_numpy() for side in ("before", "after"))
    jobs = max(pairs.height, 1)
    low, high = interval(before, after, comparisons)
    return Ratio(float(before.sum()) / jobs, float(after.sum()) / jobs, low, high)


def interval(before: np.ndarray, after: np.ndarray, comparisons: int = 1) -> tuple[float | None, float | None]:
    """Return the interval of the ratio of two sums over weeks, which holds for all ``comparisons`` together with 95 %.

    It always comes from the same random numbers.
    """
    weeks = before.size
    if weeks < LEAST_WEEKS or not before.any():
        return None, None
    length = round(weeks ** (1 / 3))
    random = np.random.default_rng(7)
    first = random.integers(0, weeks, (DRAWS, -(-weeks // length)))
    drawn = (first[:, :, None] + np.arange(length)) % weeks
    drawn = drawn.reshape(DRAWS, -1)[:, :weeks]
    sums = before[drawn].sum(axis=1)
    ratios = after[drawn].sum(axis=1)[sums > 0] / sums[sums > 0]
    tail = 0.025 / comparisons
    low, high = np.quantile(ratios, (tail, 1 - tail))
    return float(low), float(high)
