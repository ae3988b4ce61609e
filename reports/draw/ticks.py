"""Where logarithmic axes have their ticks: as coarse as leaves some within what is drawn."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt

DURATION_WORDS = (
    "datum.value < 60 ? datum.value + ' s' : datum.value < 3600 ? datum.value / 60 + ' min' : "
    "datum.value < 86400 ? datum.value / 3600 + ' h' : datum.value / 86400 + ' d'"
)
MINUTE, HOUR, DAY = 60, 3600, 86400

DURATIONS: tuple[tuple[float, ...], ...] = (
    (1, 10, MINUTE, 10 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR, DAY, 3 * DAY, 10 * DAY, 30 * DAY, 100 * DAY, 1000 * DAY),
    (1, 2, 5, 10, 30, *(n * MINUTE for n in (1, 2, 5, 10, 30)), *(n * HOUR for n in (1, 2, 4, 8)),
     *(n * DAY for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000))),
    (1, 2, 3, 5, 7, 10, 15, 20, 30, 45, *(n * MINUTE for n in (1, 2, 3, 5, 7, 10, 15, 20, 30, 45)),
     *(n * HOUR for n in (1, 2, 3, 4, 6, 8, 10, 12, 15, 18)),
     *(n * DAY for n in (1, 1.5, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 50, 70, 100, 150, 200, 300, 400, 500, 700, 1000))),
)  # fmt: skip
"""Ticks of an axis in seconds, from coarse to fine."""

DIGITS: tuple[tuple[float, ...], ...] = ((1,), (1, 3), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 7))
"""Ticks of an axis of plain numbers, from coarse to fine: the digits in each power of ten."""

ENOUGH = 4
"""Ticks an axis should have."""

Row = dict[str, Any]


def extent(found: Iterable[Row], *columns: str) -> tuple[float, float] | None:
    """Return the least and the greatest positive value of some columns; none where there is no such value."""
    values = [row[column] for row in found for column in columns if row.get(column) is not None and row[column] > 0]
    return (min(values), max(values)) if values else None


def number_ticks(shown: tuple[float, float] | None) -> list[float]:
    """Return ticks for numbers from the least to the greatest of ``shown``."""
    powers = range(-3, 10)
    levels = [[float(f"{digit}e{power}") for power in powers for digit in digits] for digits in DIGITS]
    return coarsest(levels, shown, 1)


def duration_ticks(shown: tuple[float, float] | None) -> list[float]:
    """Return ticks for seconds from the least to the greatest of ``shown``."""
    units = [unit for unit in (1, MINUTE, HOUR, DAY) if shown is None or unit <= shown[1]]
    return coarsest(DURATIONS, shown, units[-1] if units else 1)


def coarsest(levels: Sequence[Sequence[float]], shown: tuple[float, float] | None, unit: float) -> list[float]:
    """Return the first level with enough ticks within what is ``shown``, else equal steps in a ``unit``."""
    if shown is None:
        return list(levels[0])
    low, high = shown
    for level in levels:
        inside = [tick for tick in level if low <= tick <= high]
        if len(inside) >= ENOUGH:
            return inside
    return equal_steps(low / unit, high / unit, unit) or list(levels[0])


def equal_steps(low: float, high: float, unit: float) -> list[float]:
    """Return round numbers, equal steps apart, of which enough lie from ``low`` to ``high``; times ``unit``."""
    width = (high - low) / ENOUGH
    if width <= 0 or width < 1e-6 * high:
        return []
    power = 10.0 ** math.floor(math.log10(width))
    step = next(digit * power for digit in (5, 2, 1) if digit * power <= width)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [float(f"{k * step * unit:.10g}") for k in range(first, last + 1)]


def duration_axis(title: str, shown: tuple[float, float] | None = None, **more: Any) -> alt.Axis:
    """Return an axis in seconds, written in the unit that reads best; ``shown`` is what :func:`extent` gives of the rows."""
    return alt.Axis(title=title, values=duration_ticks(shown), labelExpr=DURATION_WORDS, **more)


def number_axis(title: str, shown: tuple[float, float] | None = None, **more: Any) -> alt.Axis:
    """Return an axis of plain numbers for a logarithmic scale; ``shown`` is what :func:`extent` gives of the rows."""
    written = "~s" if shown is None or shown[0] >= 1 else "~g"
    return alt.Axis(title=title, values=number_ticks(shown), format=written, **more)
