"""Sizes a job may have and the rates that follow: the checker's own implementation of the speed-up curves.

Huang 2004, section 6.6: a job whose optimum is n processors has a speed-up of 0.80 N at its fewest processors N, of 0.65 n at n,
and of 0.50 N at its most, linear in between. Its rate on N processors is S(N) / S(n). Policies of the user's own may choose the
model of Amdahl 1967 or of Downey 1997 instead.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl

from scheduler_core.checker.common import OUTCOME
from scheduler_core.checker.evidence import Evidence, aligned, column_of

EFFICIENCY_MIN, EFFICIENCY, EFFICIENCY_MAX = 80, 65, 50  # per cent, at size_min, size and size_max
RATE_TOLERANCE = 1e-12  # a rate is a division of whole numbers, or a few operations on floats

SpeedUp = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""Returns the speed-up on a size, from the fewest, preferred and most processors of a job, up to a factor."""


def bounds(evidence: Evidence) -> pl.DataFrame:
    """Return each job's flexibility and the fewest, preferred and most processors it may hold."""
    asked, processors, size = evidence.asked, evidence.machine.processors, pl.col("size").cast(pl.Int64)
    defaults = {
        "flexibility": pl.lit("rigid"),
        "size_min": pl.max_horizontal(size // 2, 1),
        "size_max": pl.min_horizontal(2 * size, processors),
    }
    missing = {name: pl.lit(None, pl.Int64) for name in defaults if name not in asked.columns}
    kinds: Any = {"flexibility": pl.String, "size_min": pl.Int64, "size_max": pl.Int64}
    asked = asked.with_columns(**missing).cast(kinds)
    table = asked.select("job", size=size, **{name: pl.coalesce(name, value) for name, value in defaults.items()})
    most = pl.max_horizontal(pl.min_horizontal("size_max", processors), "size")
    rigid = pl.when(flexibility="rigid").then("size")
    return table.with_columns(size_min=rigid.otherwise("size_min"), size_max=rigid.otherwise(most))


def speed_up(size: np.ndarray, fewest: np.ndarray, optimum: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Return S(size), in hundredths: linear between the three points of the curve."""
    points = (
        (fewest, EFFICIENCY_MIN * fewest, optimum, EFFICIENCY * optimum),
        (optimum, EFFICIENCY * optimum, most, EFFICIENCY_MAX * most),
    )
    below, above = (
        low + (high - low) * (size - left) / np.maximum(right - left, 1) for left, low, right, high in points
    )
    return np.where(size < optimum, below, np.where(size > optimum, above, EFFICIENCY * optimum))


def chosen_speed_up(evidence: Evidence) -> SpeedUp:
    """Return the speed-up of the curve that a policy's parameters name, as a function like :func:`speed_up`."""
    law, of = evidence.parameters["speed_up"], evidence.parameters

    def amdahl(size: np.ndarray, fewest: np.ndarray, optimum: np.ndarray, most: np.ndarray) -> np.ndarray:
        return 1 / (of["serial"] + (1 - of["serial"]) / size)

    def downey(size: np.ndarray, fewest: np.ndarray, optimum: np.ndarray, most: np.ndarray) -> np.ndarray:
        variance, average = of["variance"], np.maximum(of["parallelism"] * optimum, 1)
        if variance > 1:
            rising = size * average * (variance + 1) / (variance * (size + average - 1) + average)
            return np.where(size < average + variance * (average - 1), rising, average)
        steep = average * size / (average + variance / 2 * (size - 1))
        flat = average * size / (variance * (average - 1 / 2) + size * (1 - variance / 2))
        return np.where(size <= average, steep, np.where(size < 2 * average - 1, flat, average))

    return {"huang": speed_up, "amdahl": amdahl, "downey": downey}[law]


def within_bounds(evidence: Evidence, sequence: pl.DataFrame, *, chosen: bool) -> tuple[int, pl.DataFrame]:
    """Find jobs that hold a size outside their bounds, or another than before although they are moldable.

    ``sequence`` has the allocations of each job in order, with the size before. Sizes are those that jobs asked for unless they
    are ``chosen``.
    """
    limits = bounds(evidence)
    fixed = pl.when((pl.col("flexibility") == "rigid") | pl.lit(not chosen)).then("size")
    first = pl.col("size_before").is_null()
    both = aligned(sequence, limits, "job")
    moved = (pl.col("flexibility") == "moldable") & (pl.col("processors") != pl.col("size_before"))
    fits = pl.col("processors").is_between(fixed.otherwise("size_min"), fixed.otherwise("size_max"))
    columns = ("job", "begin_us", "processors", "size", "size_min", "size_max", "size_before")
    wrong = both.filter(~fits.fill_null(False) | moved).select(*columns)
    starts = both.filter(first).select("job", first_size="processors")
    stated = evidence.held.filter(OUTCOME.is_not_null()).join(starts, on="job", how="left")
    expected = pl.when(OUTCOME == "rejected").then(0).otherwise("first_size")
    misstated = stated.filter(pl.col("allotted").ne_missing(expected)).select("job", "allotted", "first_size")
    return both.height + stated.height, pl.concat([wrong, misstated], how="diagonal")


def rates_follow_sizes(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """An allocation's rate is the speed-up at its size over that at the optimum; 1 for rigid jobs."""
    return rates_follow(evidence, speed_up)


def rates_follow_the_chosen_curve(evidence: Evidence) -> tuple[int, pl.DataFrame]:
    """An allocation's rate is the speed-up at its size over that at the optimum, by the curve that the policy names."""
    return rates_follow(evidence, chosen_speed_up(evidence))


def rates_follow(evidence: Evidence, speed_up: SpeedUp) -> tuple[int, pl.DataFrame]:
    """Find allocations whose rate is not the speed-up at their size over that at the optimum; 1 for rigid jobs."""
    size = column_of(evidence.allocations, "processors").astype(np.int64)
    both = aligned(evidence.allocations.select("job"), bounds(evidence), "job")
    fewest, optimum, most = (both[name].fill_null(1).to_numpy() for name in ("size_min", "size", "size_max"))
    expected = speed_up(size, fewest, optimum, most) / speed_up(optimum, fewest, optimum, most)
    expected = np.where(both["flexibility"].eq_missing("rigid").to_numpy(), 1.0, expected)
    rate = column_of(evidence.allocations, "rate")
    wrong = ~(np.abs(rate - expected) <= RATE_TOLERANCE * expected)
    shown = evidence.allocations.filter(wrong).select("job", "begin_us", "processors", "rate")
    return len(rate), shown.with_columns(expected_rate=pl.Series(expected[wrong]))
