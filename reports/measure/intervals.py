"""Intervals of means and of ratios of means over independent units, by Student's t.

Units are replications of a model or batches of a log; arrays have the shape (rows, units) and bounds the shape (rows,).
Bounds are NaN where there is no interval: for one unit, and for a ratio whose baseline may be zero.

Mean
    ``mean ± t(n-1) s sqrt(1/n)``.
Prediction
    The mean of ``m`` future units lies in ``mean ± t(n-1) s sqrt(1/n + 1/m)`` (Hahn and Meeker, Statistical Intervals, 1991,
    section 4.8): the interval for a number that the source's ``m`` units gave, which are a sample as well.
Ratio of paired means
    Fieller (Some problems in interval estimation, Journal of the Royal Statistical Society B 16, 1954): the ratios ``r`` for
    which the paired t test does not reject that the mean of ``value - r versus`` is zero. So the interval of a ratio leaves
    out 1 exactly when that of the difference leaves out 0. It is bounded when the mean of ``versus`` differs from zero; else
    there is none. With ``1/n + 1/m`` in place of ``1/n`` it is the interval for the ratio of means of ``m`` future units.

A confidence interval may be cut to the natural range of its quantity (:func:`within`). The true value lies in the range, so
the coverage stays the same.
"""

import math
from typing import Any

import numpy as np

CONFIDENCE = 0.95
EQUIVALENCE = 0.90
"""Confidence of the interval that two one-sided tests of 5 % each amount to (Schuirmann, Journal of Pharmacokinetics and
Biopharmaceutics 15, 1987)."""

MOST_UNITS = 100_000
"""Upper limit of the number of units that :func:`units_needed` returns."""

Bounds = tuple[np.ndarray, np.ndarray]


def t_factor(units: int, confidence: float = CONFIDENCE, future: int | None = None) -> float:
    """Return half the length of an interval in standard deviations; ``future`` is the number of units of a predicted mean."""
    from scipy.special import stdtrit  # loading scipy.stats would take a second

    spread = math.sqrt(1 / units + (1 / future if future else 0))
    return float(stdtrit(units - 1, (1 + confidence) / 2)) * spread


def mean_bounds(values: np.ndarray, confidence: float = CONFIDENCE, future: int | None = None) -> Bounds:
    """Return the interval of each row's mean, or of the mean of ``future`` further units."""
    units = values.shape[1]
    if units < 2:
        return nothing(values), nothing(values)
    means, half = values.mean(axis=1), t_factor(units, confidence, future) * values.std(axis=1, ddof=1)
    return means - half, means + half


def ratio_bounds(
    values: np.ndarray, versus: np.ndarray, confidence: float = CONFIDENCE, future: int | None = None
) -> Bounds:
    """Return the interval of ``mean(values) / mean(versus)`` by row, or of that ratio in ``future`` further pairs."""
    units = values.shape[1]
    low, high = nothing(values), nothing(values)
    if units < 2:
        return low, high
    factor = t_factor(units, confidence, future) ** 2
    ours, theirs = values.mean(axis=1), versus.mean(axis=1)
    spread, base = values - ours[:, None], versus - theirs[:, None]
    # a r² - 2 b r + c <= 0, where the t test accepts the ratio r
    a = theirs**2 - factor * (base**2).sum(axis=1) / (units - 1)
    b = ours * theirs - factor * (spread * base).sum(axis=1) / (units - 1)
    c = ours**2 - factor * (spread**2).sum(axis=1) / (units - 1)
    bounded = a > 0
    root = np.sqrt(np.maximum(b[bounded] ** 2 - a[bounded] * c[bounded], 0))
    low[bounded], high[bounded] = (b[bounded] - root) / a[bounded], (b[bounded] + root) / a[bounded]
    return low, high


def nothing(values: np.ndarray) -> np.ndarray:
    """Return a NaN for each row."""
    return np.full(len(values), np.nan)


def within(
    bounds: tuple[Any, Any], least: float | np.ndarray | None, most: float | np.ndarray | None
) -> tuple[Any, Any]:
    """Return confidence bounds cut to the natural range of their values; ``None`` marks an open end of the range."""
    low, high = bounds
    low = low if least is None else np.maximum(low, least)
    return low, high if most is None else np.minimum(high, most)


def units_needed(mean: float, spread: float, confidence: float = CONFIDENCE, future: int | None = None) -> int | None:
    """Return the fewest units whose interval around ``mean`` would exclude zero at the same spread.

    ``None`` where :data:`MOST_UNITS` are not enough.
    """

    def enough(units: int) -> bool:
        return t_factor(units, confidence, future) * spread < abs(mean)

    if not enough(MOST_UNITS):
        return None
    few, many = 1, 2
    while not enough(many):
        few, many = many, many * 2
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if enough(middle) else (middle, many)
    return min(many, MOST_UNITS)
