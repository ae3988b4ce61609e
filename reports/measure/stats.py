"""Intervals and paired comparisons over independent units: replications of a model, batches of a log.

Intervals have a confidence of 95 %. Means and differences have Student's t interval, ratios of means Fieller's
(:mod:`reports.measure.intervals`), which excludes 1 exactly when the interval of the difference excludes 0. Batches of a log
are neighbours in time, so each interval comes with their lag-1 autocorrelation: a large one makes the interval too short. An
interval is null for a single unit, without variance, and for a baseline that may be zero.

Only values of the same jobs and the same time span are compared (:mod:`reports.measure.comparable`).

An interval stays within the natural range of its metric (:mod:`reports.measure.catalogue`): waits are not negative, and no more
than the whole machine is used. The cut matters over two or three units. The part cut off cannot hold the true value, so the
coverage is the same.
"""

import math
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping
from typing import Any

import duckdb
import numpy as np

from reports.measure.catalogue import metric
from reports.measure.comparable import Run, cut_units, spans_differ, stated_spans
from reports.measure.intervals import mean_bounds, ratio_bounds, t_factor, within
from reports.measure.queries import insert

DIGITS = 12
"""Significant digits that the store keeps; the last bits of floating-point numbers may differ between machines."""

Key = tuple[str, ...]


def half_width(spread: float, units: int) -> float:
    """Return half the length of the t interval of the mean of ``units`` values whose standard deviation is ``spread``."""
    return t_factor(units) * spread


def varies(values: np.ndarray) -> np.ndarray:
    """Return which rows have several units with different values."""
    if values.shape[1] < 2:
        return np.zeros(len(values), dtype=bool)
    return (values != values[:, :1]).any(axis=1)


def lag1(values: np.ndarray) -> float | None:
    """Return the autocorrelation of neighbouring values; ``None`` for fewer than three or without variance."""
    if len(values) < 3 or len(set(values[:-1])) < 2 or len(set(values[1:])) < 2:
        return None
    return float(np.corrcoef(values[:-1], values[1:])[0, 1])


def finite(value: float | None) -> float | None:
    """Return a number rounded to :data:`DIGITS` significant digits, or ``None`` where it is not finite."""
    return float(f"{value:.{DIGITS}g}") if value is not None and math.isfinite(value) else None


def record_statistics(connection: duckdb.DuckDBPyConnection, studies: list[dict[str, Any]]) -> None:
    """Fill ``intervals`` and ``comparisons`` from ``independent_measurements``."""
    units = read_units(connection)
    kinds = dict(connection.execute("SELECT workload, kind FROM workloads").fetchall())
    insert(connection, "intervals", interval_rows(units, kinds))
    rows = comparison_rows(units, comparisons(studies), cut_units(connection), stated_spans(connection))
    insert(connection, "comparisons", rows)


def read_units(connection: duckdb.DuckDBPyConnection) -> dict[Key, dict[int, float]]:
    """Return the units of every (workload, policy, metric, scope), in order: unit -> value."""
    found: dict[Key, dict[int, float]] = defaultdict(dict)
    query = "SELECT workload, policy, metric, scope, unit, value FROM independent_measurements ORDER BY ALL"
    for *key, unit, value in connection.execute(query).fetchall():
        found[tuple(key)][unit] = value
    return dict(found)


def interval_rows(units: dict[Key, dict[int, float]], kinds: dict[str, str]) -> list[tuple[Any, ...]]:
    """Compute the rows of ``intervals``."""
    found: dict[Key, tuple[Any, ...]] = {}
    for count, keys, values in by_count({key: np.array(list(of.values())) for key, of in units.items()}):
        known = [metric(key[2]) for key in keys]
        least = np.array([-np.inf if of.least is None else of.least for of in known])
        most = np.array([np.inf if of.most is None else of.most for of in known])
        ends = (np.where(varies(values), bound, np.nan) for bound in within(mean_bounds(values), least, most))
        numbers = np.column_stack([values.mean(axis=1), *ends]).tolist()
        for key, of, own, row in zip(keys, known, numbers, values, strict=True):
            log = kinds[key[0]] == "log"
            found[key] = (
                *key, *map(finite, own), of.stored_in, count, finite(lag1(row)) if log else None,
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
    """Return the comparisons to make, each once: (workload, policy, versus workload, versus policy).

    A study compares every policy with its ``versus`` on the same workload. Under the same policy it compares every variant
    of a workload with that workload and with its other variants.
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
    cut: Mapping[Run, set[int]],
    stated: Container[Run],
) -> list[tuple[Any, ...]]:
    """Compute the rows of ``comparisons``: for every metric and scope that both sides have, on the units that both have.

    Metrics of ended jobs leave out the units that are ``cut`` on either side. Metrics over a time span are not compared where
    only one side has ``stated`` its span.
    """
    measured: dict[Key, list[tuple[str, str]]] = defaultdict(list)
    for workload, policy, name, scope in units:
        measured[workload, policy].append((name, scope))
    paired = {}
    for workload, policy, versus_workload, versus_policy in pairs:
        sides = (workload, policy), (versus_workload, versus_policy)
        cut_here = set().union(*(cut.get(side, ()) for side in sides))
        for name, scope in measured[workload, policy]:
            if spans_differ(name, *sides, stated):
                continue
            mine, theirs = (
                units[workload, policy, name, scope],
                units.get((versus_workload, versus_policy, name, scope), {}),
            )
            common = [unit for unit in mine if unit in theirs]
            if metric(name).of_ended_jobs:
                common = [unit for unit in common if unit not in cut_here]
            if common:
                key = (workload, policy, versus_workload, versus_policy, name, scope)
                paired[key] = np.array([[mine[u] for u in common], [theirs[u] for u in common]])
    found: dict[Key, tuple[Any, ...]] = {}
    for _, keys, values in by_count(paired):
        found.update(zip(keys, compare(keys, values[:, 0], values[:, 1]), strict=True))
    return [found[key] for key in paired]


def compare(keys: list[Key], values: np.ndarray, versus: np.ndarray) -> Iterator[tuple[Any, ...]]:
    """Compare row by row; both arrays have the shape (keys, units)."""
    means, versus_means = values.mean(axis=1), versus.mean(axis=1)
    differences, ratios = mean_bounds(values - versus), within(ratio_bounds(values, versus), 0.0, None)
    ratio = np.divide(means, versus_means, out=np.full(len(keys), np.nan), where=versus_means != 0)
    ends = [np.where(varies(values - versus), bound, np.nan) for bound in (*differences, *ratios)]
    numbers = np.column_stack([means, versus_means, means - versus_means, *ends[:2], ratio, *ends[2:]]).tolist()
    for key, own in zip(keys, numbers, strict=True):
        yield *key, *map(finite, own), values.shape[1], "paired t (difference), Fieller (ratio)"
