"""Means over independent draws of several workloads: rows of single draws become rows with intervals."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from reports.draw.charts import Row
from reports.measure.intervals import mean_bounds, ratio_bounds
from reports.measure.stats import finite

MEAN_OF_RATIOS = (
    "A mark is the mean of the draws' ratios, in which every draw counts alike. [[Title and answer divide the means, because "
    "times add up: draws with long times count more. They may be significant where the mark is not, if draws are few.]]"
)
"""The sentence of a caption whose figure pools ratios, on a page whose verdicts divide means."""


def pooled(found: Sequence[Row], column: str = "value") -> list[Row]:
    """Average a column over all rows that agree in every other column except ``unit``.

    Returns
    -------
    list of dict
        A row for each combination of the other columns, in order of appearance: these columns, ``column`` with its mean,
        ``low`` and ``high`` of the 95 % t interval (the mean itself for one unit or without variance) and ``units``.
    """
    groups: dict[tuple[tuple[str, Any], ...], list[float]] = {}
    for row in found:
        key = tuple((name, value) for name, value in row.items() if name not in (column, "unit"))
        groups.setdefault(key, []).append(float(row[column]))
    made = []
    for key, values in groups.items():
        low, high = mean_bounds(np.array([values]))
        mean = finite(float(np.mean(values)))
        bounds = [mean if finite(bound) is None else finite(bound) for bound in (low[0], high[0])]
        made.append({**dict(key), column: mean, "low": bounds[0], "high": bounds[1], "units": len(values)})
    return made


def pooled_ratios(found: Sequence[Row]) -> list[Row]:
    """Divide the mean of ``value`` by that of ``versus``, over all rows that agree in every other column except ``unit``.

    Returns
    -------
    list of dict
        As for :func:`pooled`, with the 95 % interval of a ratio of paired means, as in the ledger of claims: none for one unit,
        nor if it is unbounded.
    """
    groups: dict[tuple[tuple[str, Any], ...], list[tuple[float, float]]] = {}
    for row in found:
        key = tuple((name, value) for name, value in row.items() if name not in ("value", "versus", "unit"))
        groups.setdefault(key, []).append((float(row["value"]), float(row["versus"])))
    made = []
    for key, pairs in groups.items():
        ours, theirs = np.array(pairs).T
        if not theirs.any():
            continue
        ratio = finite(float(ours.mean() / theirs.mean()))
        low, high = ratio_bounds(ours[None], theirs[None])
        bounds = {"low": finite(low[0]), "high": finite(high[0])}
        made.append({**dict(key), "value": ratio, **bounds, "units": len(pairs)})
    return made
