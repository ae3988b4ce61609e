"""Intervals and paired comparisons over independent units: replications of a model, batches of a log.

All intervals are at 95 %. A mean's interval and a difference's are Student's t; a ratio of means gets a
bootstrap over pairs of units (BCa of Efron 1987, or percentiles where BCa is undefined). Batches of a log are
neighbours in time: their lag-1 autocorrelation is kept beside each interval, because a large one makes the
interval too short. Where an interval cannot be had (one unit, no variance, a baseline of zero) it is null.
"""

from __future__ import annotations

import math
import warnings
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from reports.measure.loading import insert

if TYPE_CHECKING:
    import duckdb

CONFIDENCE = 0.95
RESAMPLES = 1999
SEED = 20010601
"""Seed of every bootstrap, so that equal stores give equal intervals."""

DIGITS = 12
"""Significant digits kept of what floating point computed, as the last bits may differ between machines."""

Key = tuple[str, ...]
Bounds = tuple[np.ndarray, np.ndarray]


def mean_intervals(values: np.ndarray) -> Bounds:
    """Return the t interval of each row's mean.

    Parameters
    ----------
    values
        Shape (rows, units).

    Returns
    -------
    low, high
        Each of shape (rows,); NaN for a row of one unit or without variance.
    """
    from scipy import stats

    low, high = np.full(len(values), np.nan), np.full(len(values), np.nan)
    varied = varies(values)
    if varied.any():
        interval = stats.ttest_1samp(values[varied], 0.0, axis=1).confidence_interval(CONFIDENCE)
        low[varied], high[varied] = interval.low, interval.high
    return low, high


def half_width(spread: float, units: int) -> float:
    """Return half the length of the t interval of the mean of ``units`` values whose standard deviation is ``spread``."""
    from scipy.special import stdtrit  # a page asks for a few of these; loading scipy.stats would take it two seconds

    return float(stdtrit(units - 1, (1 + CONFIDENCE) / 2)) * spread / math.sqrt(units)


def difference_intervals(values: np.ndarray, versus: np.ndarray) -> Bounds:
    """Return the paired t interval of the mean of ``values - versus``, by row; NaN where it has no variance."""
    from scipy import stats

    low, high = np.full(len(values), np.nan), np.full(len(values), np.nan)
    varied = varies(values - versus)
    if varied.any():
        interval = stats.ttest_rel(values[varied], versus[varied], axis=1).confidence_interval(CONFIDENCE)
        low[varied], high[varied] = interval.low, interval.high
    return low, high


def ratio_intervals(values: np.ndarray, versus: np.ndarray) -> Bounds:
    """Return the bootstrap interval of ``mean(values) / mean(versus)``, row by row, resampling pairs of units.

    NaN where pairs do not vary or either mean is zero.
    """
    low, high = np.full(len(values), np.nan), np.full(len(values), np.nan)
    usable = varies(values - versus) & (versus.mean(axis=1) != 0) & (values.mean(axis=1) != 0)
    if usable.any():
        low[usable], high[usable] = bootstrap_ratio(values[usable], versus[usable])
    return low, high


def bootstrap_ratio(values: np.ndarray, versus: np.ndarray) -> Bounds:
    """Bootstrap the ratio of means: BCa, and percentiles in the rows where BCa is undefined.

    Every row sees the same resamples of units, so its interval does not depend on which rows stand beside it. Ratios
    are counted in the row's own and rounded, so that resamples of equal ratio tie exactly, as BCa counts ties.
    """
    from scipy import stats

    def ratios(units: np.ndarray, axis: int = -1) -> np.ndarray:
        found = values[:, units].mean(axis=-1) / versus[:, units].mean(axis=-1)
        return np.round(found / own.reshape(-1, *[1] * (found.ndim - 1)), DIGITS)

    own = values.mean(axis=1) / versus.mean(axis=1)
    units: Any = (np.arange(values.shape[1]),)
    options: Any = {"vectorized": True, "axis": -1, "confidence_level": CONFIDENCE}
    # A resample may hold nothing but zeros of the baseline: its ratio, and then a bound, may be infinite.
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)
        rng = np.random.default_rng(SEED)
        drawn = stats.bootstrap(units, ratios, n_resamples=RESAMPLES, batch=200, method="BCa", rng=rng, **options)
        plain = stats.bootstrap(units, ratios, n_resamples=0, method="percentile", bootstrap_result=drawn, **options)
    bca, percentile = drawn.confidence_interval, plain.confidence_interval
    defined = np.isfinite(bca.low) & np.isfinite(bca.high)
    return own * np.where(defined, bca.low, percentile.low), own * np.where(defined, bca.high, percentile.high)


def varies(values: np.ndarray) -> np.ndarray:
    """Say which rows have more than one unit and not the same value in all of them."""
    if values.shape[1] < 2:
        return np.zeros(len(values), dtype=bool)
    return (values != values[:, :1]).any(axis=1)


def lag1(values: np.ndarray) -> float | None:
    """Return the autocorrelation of neighbouring values; ``None`` for fewer than three or without variance."""
    if len(values) < 3 or len(set(values[:-1])) < 2 or len(set(values[1:])) < 2:
        return None
    return float(np.corrcoef(values[:-1], values[1:])[0, 1])


def finite(value: float | None) -> float | None:
    """Return a number to :data:`DIGITS` significant digits, and ``None`` for what is no finite number."""
    return float(f"{value:.{DIGITS}g}") if value is not None and np.isfinite(value) else None


def record_statistics(connection: duckdb.DuckDBPyConnection, studies: list[dict[str, Any]]) -> None:
    """Fill ``intervals`` and ``comparisons`` from ``unit_metrics``."""
    units = read_units(connection)
    kinds = dict(connection.execute("SELECT workload, kind FROM workloads").fetchall())
    metric_units = dict(
        connection.execute("SELECT metric, any_value(unit) FROM metrics WHERE scope = 'all' GROUP BY metric").fetchall()
    )
    insert(connection, "intervals", interval_rows(units, kinds, metric_units))
    insert(connection, "comparisons", comparison_rows(units, comparisons(studies)))


def read_units(connection: duckdb.DuckDBPyConnection) -> dict[Key, dict[int, float]]:
    """Return the units of every (workload, policy, metric), in order: unit -> value."""
    found: dict[Key, dict[int, float]] = defaultdict(dict)
    query = "SELECT workload, policy, metric, unit, value FROM unit_metrics ORDER BY ALL"
    for *key, unit, value in connection.execute(query).fetchall():
        found[tuple(key)][unit] = value
    return dict(found)


def unit_of(metric: str, metric_units: dict[str, str]) -> str:
    """Return the unit of a metric; one of a class of jobs ('mean_wait_wide', 'mean_response_class_short') has its own's."""
    words = metric.split("_")
    names = ["_".join(words[:count]) for count in range(len(words), 0, -1)]
    return next((metric_units[name] for name in names if name in metric_units), "")


def interval_rows(
    units: dict[Key, dict[int, float]], kinds: dict[str, str], metric_units: dict[str, str]
) -> list[tuple[Any, ...]]:
    """Compute the rows of ``intervals``."""
    found: dict[Key, tuple[Any, ...]] = {}
    for count, keys, values in by_count({key: np.array(list(of.values())) for key, of in units.items()}):
        low, high = mean_intervals(values)
        for row, key in enumerate(keys):
            log = kinds[key[0]] == "log"
            found[key] = (
                *key, finite(values[row].mean()), finite(low[row]), finite(high[row]),
                unit_of(key[2], metric_units), count, finite(lag1(values[row])) if log else None,
                f"Student t over {'batches of the log' if log else 'replications'}",
            )  # fmt: skip
    return [found[key] for key in units]


def by_count(series: dict[Any, np.ndarray]) -> Iterator[tuple[int, list[Any], np.ndarray]]:
    """Stack series of equal length: (length, keys, values of shape (keys, length))."""
    groups: dict[int, list[Any]] = defaultdict(list)
    for key, values in series.items():
        groups[values.shape[-1]].append(key)
    for count in sorted(groups):
        yield count, groups[count], np.array([series[key] for key in groups[count]])


def comparisons(studies: list[dict[str, Any]]) -> list[tuple[str, str, str, str]]:
    """List what is compared with what: (workload, policy, versus workload, versus policy), each once.

    Every policy with its study's ``versus`` on the same workload; under the same policy, every variant of a
    workload with the workload it varies and with the other variants of it.
    """
    pairs: dict[tuple[str, str, str, str], None] = {}
    for study in studies:
        cells = {(w, p) for w, p in study["cells"]}
        versus = study.get("versus")
        for workload, policy in study["cells"]:
            if versus and policy != versus and (workload, versus) in cells:
                pairs[workload, policy, workload, versus] = None
        bases = {name: entry.get("variant_of") for name, entry in study["workloads"].items()}
        for workload, policy in study["cells"]:
            base = bases[workload]
            relatives = [other for other in bases if base and other != workload and base in (other, bases[other])]
            for other in relatives:
                if (other, policy) in cells:
                    pairs[workload, policy, other, policy] = None
    return list(pairs)


def comparison_rows(
    units: dict[Key, dict[int, float]], pairs: list[tuple[str, str, str, str]]
) -> list[tuple[Any, ...]]:
    """Compute the rows of ``comparisons``: for every metric both sides have, on the units both have."""
    metrics: dict[Key, list[str]] = defaultdict(list)
    for workload, policy, metric in units:
        metrics[workload, policy].append(metric)
    paired = {}
    for workload, policy, versus_workload, versus_policy in pairs:
        for metric in metrics[workload, policy]:
            mine, theirs = (
                units[workload, policy, metric],
                units.get((versus_workload, versus_policy, metric), {}),
            )
            common = [unit for unit in mine if unit in theirs]
            if common:
                key = (workload, policy, versus_workload, versus_policy, metric)
                paired[key] = np.array([[mine[u] for u in common], [theirs[u] for u in common]])
    found: dict[Key, tuple[Any, ...]] = {}
    for _, keys, values in by_count(paired):
        found.update(zip(keys, compare(keys, values[:, 0], values[:, 1]), strict=True))
    return [found[key] for key in paired]


def compare(keys: list[Key], values: np.ndarray, versus: np.ndarray) -> Iterator[tuple[Any, ...]]:
    """Compare row by row; both arrays have the shape (keys, units)."""
    differences, ratios = difference_intervals(values, versus), ratio_intervals(values, versus)
    means, versus_means = values.mean(axis=1), versus.mean(axis=1)
    for row, key in enumerate(keys):
        ratio = means[row] / versus_means[row] if versus_means[row] else None
        numbers = (
            means[row], versus_means[row],
            means[row] - versus_means[row], differences[0][row], differences[1][row],
            ratio, ratios[0][row], ratios[1][row],
        )  # fmt: skip
        yield *key, *map(finite, numbers), values.shape[1], "paired t (difference), paired bootstrap (ratio)"
