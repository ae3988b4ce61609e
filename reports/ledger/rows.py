"""The result of a measure: a row per label, with a value per independent unit, or one exact value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a measure.

    Attributes
    ----------
    label
        The row's name for readers.
    values
        A value per unit, in the order of the units; an exact row has one value. Null for a missing value.
    versus
        Per unit the value to compare with; the row then is the ratio of the two means. ``None`` for a mean.
    exact
        Whether the value is a fact, without units and without chance.
    printed, digits, draws
        The source's number for it, its decimals, and how many draws the source averaged; ``None`` if the measure does not
        say.
    """

    label: str
    values: tuple[float | None, ...]
    versus: tuple[float | None, ...] | None = None
    exact: bool = False
    printed: float | None = None
    digits: int | None = None
    draws: int | None = None

    @property
    def units(self) -> int:
        """The number of independent units; 0 for an exact value."""
        return 0 if self.exact else len(self.values)

    @property
    def value(self) -> float | None:
        """The exact value, the mean, or the ratio of means; ``None`` when a unit lacks a value or the ratio its baseline."""
        from reports.measure.stats import finite

        numbers = [*self.values, *(self.versus or ())]
        if not numbers or None in numbers:
            return None
        ours, theirs = self.arrays()
        if theirs is None:
            return finite(float(ours.mean()))
        return finite(float(ours.mean() / theirs.mean())) if theirs.mean() else None

    def arrays(self) -> tuple[np.ndarray, np.ndarray | None]:
        """Return the values, and those to compare with, as arrays."""
        import numpy as np

        return np.array(self.values, float), None if self.versus is None else np.array(self.versus, float)

    def interval(self, confidence: float, future: int | None = None) -> Interval | None:
        """Return the interval of the mean or ratio, or of a mean of ``future`` further units; ``None`` if there is none."""
        import numpy as np

        from reports.measure.intervals import mean_bounds, ratio_bounds

        if self.units < 2 or self.value is None:
            return None
        ours, theirs = self.arrays()
        if theirs is None:
            low, high = mean_bounds(ours[None], confidence, future)
        else:
            low, high = ratio_bounds(ours[None], theirs[None], confidence, future)
        return None if np.isnan(low[0]) else (float(low[0]), float(high[0]))

    def units_to_leave(self, edge: float, confidence: float, future: int | None = None) -> int | None:
        """Return how many units would take ``edge`` out of the interval if mean and spread stayed the same."""
        from reports.measure.intervals import units_needed

        ours, theirs = self.arrays()
        beyond = ours - edge * (1 if theirs is None else theirs)
        return units_needed(float(beyond.mean()), float(beyond.std(ddof=1)), confidence, future)

    def units_to_shorten(self, most: float, confidence: float, future: int | None = None) -> int | None:
        """Return how many units would shorten the interval to a length of ``most`` if mean and spread stayed the same."""
        from reports.measure.intervals import units_needed

        ours, theirs = self.arrays()
        spread = ours if theirs is None or self.value is None else (ours - self.value * theirs) / theirs.mean()
        return units_needed(most / 2, float(spread.std(ddof=1)), confidence, future)
