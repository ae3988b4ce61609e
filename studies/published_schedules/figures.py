"""Figures of the study of published schedules: theirs against ours, job by job."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import altair as alt

from reports.draw.charts import NoData, show, tips, titled
from reports.draw.theme import ACCENT

if TYPE_CHECKING:
    import duckdb
    import polars as pl

QUERIES = Path(__file__).with_name("figures")

STUDY = "published_schedules"
BOUND_US = 10_000_000


def published_against_ours(connection: duckdb.DuckDBPyConnection) -> alt.LayerChart:
    """Published schedules against ours.

    Each row is a schedule that another simulator published in 2015. The bar is the share of its jobs that start at the same
    second here. In it stand the mean bounded slowdown (10 s) that was printed, with all its digits, and ours with as many:
    {agree} of {schedules} agree to the last digit. {equal} of {jobs} jobs start as published; a log that is not at hand has no
    row.
    """
    import polars as pl

    show(connection, STUDY)
    query = (QUERIES / "published_starts.sql").read_text(encoding="utf-8")
    found = pl.DataFrame({name: column.tolist() for name, column in connection.execute(query).fetchnumpy().items()})
    printed = dict(connection.execute(PRINTED).fetchall())
    if found.is_empty():
        raise NoData("None of the published schedules is at hand.")
    compared = [compare(part, printed) for part in found.partition_by("workload", maintain_order=True)]
    labels = [row["workload_label"] for row in compared]
    y = alt.Y("workload_label:N", sort=labels, title=None)
    hover = tips(
        ("workload_label", "Schedule"), ("jobs", "Jobs", ","), ("equal", "Equal starts", ","),
        ("first_difference", "First difference"), ("published", "Printed slowdown"), ("ours", "Ours"),
    )  # fmt: skip
    x = alt.X("share:Q", title="Equal starts (%)", scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(tickCount=10))
    bars = alt.Chart().mark_bar(color=ACCENT).encode(x=x, y=y, tooltip=hover)
    words = (
        alt.Chart()
        .mark_text(align="left", dx=6, color="white")
        .encode(y=y, x=alt.value(0), text="words:N", tooltip=hover)
    )
    chart = alt.layer(bars, words).properties(width=560, height=alt.Step(26))
    return titled(
        chart,
        compared,
        agree=sum(row["agrees"] for row in compared),
        schedules=len(compared),
        equal=f"{sum(row['equal'] for row in compared):,}",
        jobs=f"{sum(row['jobs'] for row in compared):,}",
    )


PRINTED = "SELECT workload, value FROM printed_values WHERE metric = 'mean_bounded_slowdown_10'"


def compare(part: pl.DataFrame, printed: dict[str, float]) -> dict[str, Any]:
    """Compare a schedule with the published one; jobs are in the order of their finishes, in which the mean was taken."""
    import polars as pl

    first = part.row(0, named=True)
    same = (part["start_us"] == part["published_us"]).fill_null(False)
    response = (pl.col("start_us") - pl.col("submit_us") + pl.col("runtime_us")).cast(pl.Float64)
    least = pl.max_horizontal("runtime_us", pl.lit(BOUND_US))
    slowdowns = part.select(pl.max_horizontal(response / least, pl.lit(1.0))).to_series().rechunk()
    mean: Any = slowdowns.mean()
    published = repr(printed.get(first["workload"], float("nan")))
    ours = f"{mean:.{len(published.replace('.', ''))}g}"
    differing = part.filter(~same).sort("submit_us", "job")
    return {
        "workload_label": first["workload_label"],
        "jobs": part.height,
        "equal": int(same.sum()),
        "share": 100 * float(same.mean()),  # type: ignore[arg-type]
        "first_difference": "none" if differing.is_empty() else f"job {differing['job'][0]}",
        "published": published,
        "ours": ours,
        "agrees": published == ours,
        "words": f"{100 * int(same.sum()) / part.height:.2f} % of {part.height:,}; {published} printed, {ours} here",
    }
