"""Who may change a job's size: bounds of sizes, and flexibility for jobs of which nobody recorded it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl


def size_bounds(processors: int) -> list[pl.Expr]:
    """Give the columns ``size_min`` and ``size_max`` of jobs whose ``size`` is their optimum n.

    A moldable or malleable job runs on max(1, n // 2) to min(processors, 2 n) processors (Huang 2004, section 6.8). Where
    the machine leaves room for so few more than n that the job would not run faster there, the most is n itself: speed-up
    is 0.65 n on n processors and half of the most on the most (section 6.6). A rigid job has one size.
    """
    import polars as pl

    n = pl.col("size")
    least = pl.max_horizontal(n // 2, pl.lit(1))
    most = pl.min_horizontal(2 * n, pl.lit(processors))
    most = pl.when(50 * most > 65 * n).then(most).otherwise(n)
    rigid = pl.col("flexibility") == "rigid"
    return [
        pl.when(rigid).then(n).otherwise(least).cast(pl.Int32).alias("size_min"),
        pl.when(rigid).then(n).otherwise(most).cast(pl.Int32).alias("size_max"),
    ]
