"""Intervals and paired comparisons over independent units: replications of a model, batches of a log.

All intervals are at 95 %. A mean's interval and a difference's are Student's t, that of a ratio of means is Fieller's
(:mod:`reports.measure.intervals`): it leaves out 1 exactly when the difference's leaves out 0. Batches of a log are
neighbours in time: their lag-1 autocorrelation is kept beside each interval, because a large one makes the
interval too short. Where an interval cannot be had (one unit, no variance, a baseline that cannot be told from zero) it
is null.

What is not of the same jobs or not of the same time is not compared (:mod:`reports.measure.comparable`).

An interval does not leave the natural range of its metric (:func:`natural_range`): waits are not negative, of a machine no more
than all is used. It is cut there, which matters over two or three units; what is cut off cannot hold the true value, so the
coverage is the same.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from reports.measure.comparable import cut_units, of_ended_jobs, spans_differ, stated_spans
from reports.measure.intervals import mean_bounds, ratio_bounds, t_factor, within
from reports.measure.loading import insert

if TYPE_CHECKING:
    import duckdb

DIGITS = 12
"""Significant digits kept of what floating point computed, as the last bits may differ between machines."""

Key = tuple[str, ...]
AT_MOST_ONE = re.compile("share|utilisation|efficiency|fragmentation|capacity")
"""Metrics that are parts of a whole, by what their names hold."""
AT_LEAST_ONE = re.compile("slowdown|competitive_ratio|memory_ratio|over_bound")
"""Metrics that compare with what cannot be beaten."""
UNBOUNDED = frozenset(("utilisation_efficiency", "slowdown_while_sharing", "mean_pair_slowdown"))
"""Metrics of shared processors, on which more than all work can be done, and jobs may run faster than alone."""


def natural_range(metric: str) -> tuple[float, float | None]:
    """Return the least and the largest value that a metric can have; every metric counts or measures something."""
    if metric in UNBOUNDED:
        return 0.0, None
    return (1.0 if AT_LEAST_ONE.search(metric) else 0.0), (1.0 if AT_MOST_ONE.search(metric) else None)


def half_width(spread: float, units: int) -> float:
    """Return half the length of the t interval of the mean of ``units`` values whose standard deviation is ``spread``."""
    return t_factor(units) * spread


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
    rows = comparison_rows(units, comparisons(studies), cut_units(connection), stated_spans(connection))
    insert(connection, "comparisons", rows)


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
        low, high = mean_bounds(values)
        varied = varies(values)
        for row, key in enumerate(keys):
            ends = within((low[row], high[row]), *natural_range(key[2])) if varied[row] else (None, None)
            log = kinds[key[0]] == "log"
            found[key] = (
                *key, finite(values[row].mean()), *map(finite, ends),
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
    units: dict[Key, dict[int, float]],
    pairs: list[tuple[str, str, str, str]],
    cut: Container[tuple[str, str, int]] = (),
    stated: Container[tuple[str, str]] = (),
) -> list[tuple[Any, ...]]:
    """Compute the rows of ``comparisons``: for every metric both sides have, on the units both have.

    Metrics of jobs that ended are compared on the units that are not ``cut`` on either side; those over a span not where only
    one side has ``stated`` its own.
    """
    metrics: dict[Key, list[str]] = defaultdict(list)
    for workload, policy, metric in units:
        metrics[workload, policy].append(metric)
    paired = {}
    for workload, policy, versus_workload, versus_policy in pairs:
        sides = (workload, policy), (versus_workload, versus_policy)
        for metric in metrics[workload, policy]:
            if spans_differ(metric, *sides, stated):
                continue
            mine, theirs = (
                units[workload, policy, metric],
                units.get((versus_workload, versus_policy, metric), {}),
            )
            common = [unit for unit in mine if unit in theirs]
            if of_ended_jobs(metric):
                common = [unit for unit in common if not any((*side, unit) in cut for side in sides)]
            if common:
                key = (workload, policy, versus_workload, versus_policy, metric)
                paired[key] = np.array([[mine[u] for u in common], [theirs[u] for u in common]])
    found: dict[Key, tuple[Any, ...]] = {}
    for _, keys, values in by_count(paired):
        found.update(zip(keys, compare(keys, values[:, 0], values[:, 1]), strict=True))
    return [found[key] for key in paired]


def compare(keys: list[Key], values: np.ndarray, versus: np.ndarray) -> Iterator[tuple[Any, ...]]:
    """Compare row by row; both arrays have the shape (keys, units)."""
    differences, ratios = mean_bounds(values - versus), within(ratio_bounds(values, versus), 0.0, None)
    varied = varies(values - versus)
    means, versus_means = values.mean(axis=1), versus.mean(axis=1)
    for row, key in enumerate(keys):
        ratio = means[row] / versus_means[row] if versus_means[row] else None
        ends = [bounds[row] if varied[row] else None for bounds in (*differences, *ratios)]
        numbers = (
            means[row], versus_means[row], means[row] - versus_means[row], *ends[:2], ratio, *ends[2:]
        )  # fmt: skip
        yield *key, *map(finite, numbers), values.shape[1], "paired t (difference), Fieller (ratio)"
