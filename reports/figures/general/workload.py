"""Figures of a workload's page: the jobs before any policy has scheduled them."""

import json
from typing import Any

import altair as alt
import duckdb

from reports.draw.charts import QUERIES, NoData, bars, rows, tips, titled
from reports.draw.theme import ACCENT
from reports.draw.ticks import duration_axis, extent
from reports.draw.vocabulary import significant

WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
ALL = 99.95
"""If one class has at least this percentage of the jobs, there is nothing to compare."""

LEAST_WEEKS = 3
"""The least number of weeks of submissions whose loads are drawn."""

PARTS = {"jobs": "jobs", "work": "processor time"}


def arrivals_by_hour(connection: duckdb.DuckDBPyConnection, workload: str) -> alt.Chart:
    """Submissions by hour of day.

    Share of the jobs submitted in each hour, {clock}. A model without a daily cycle is flat.
    """
    found, clock = _arrivals(connection, workload, "hour")
    _told_apart(found, "share", "All jobs are submitted within one hour, so hours of the day say nothing of them.")
    x = alt.X("slot:O", title="Hour of day", axis=alt.Axis(labelAngle=0))
    y = alt.Y("share:Q", title="Jobs (%)")
    return titled(bars(x, y, tips(("slot", "Hour"), ("share", "Jobs (%)", ".2f"))), found, clock=clock)


def arrivals_by_weekday(connection: duckdb.DuckDBPyConnection, workload: str) -> alt.Chart:
    """Submissions by day of the week.

    Share of the jobs submitted on each day of the week, {clock}.
    """
    found, clock = _arrivals(connection, workload, "weekday")
    if _weeks(connection, workload) < 1:
        raise NoData("The jobs are submitted within a week, so days of the week say nothing of them.")
    for row in found:
        row["day"] = WEEKDAYS[row["slot"]] if clock.startswith("in the") else f"day {row['slot'] + 1}"
    x = alt.X("day:O", sort=None, title="Day of the week", axis=alt.Axis(labelAngle=0))
    y = alt.Y("share:Q", title="Jobs (%)")
    return titled(bars(x, y, tips(("day", "Day"), ("share", "Jobs (%)", ".2f"))), found, clock=clock)


def size_distribution(connection: duckdb.DuckDBPyConnection, workload: str) -> alt.Chart:
    """Sizes of jobs.

    Share of the jobs, and of the processor time they request, by requested processors, in classes that end at powers of
    two. Where the second bar towers above the first, few jobs make most of the load.
    """
    sized = _rows(connection, workload, "workload_sizes")
    _told_apart(sized, "jobs", f"All jobs ask for about as many processors ({sized[0]['label']}).")
    found = _halves(sized)
    return titled(_two_bars("label", "Processors requested"), found)


def runtime_distribution(connection: duckdb.DuckDBPyConnection, workload: str) -> alt.Chart:
    """Run times of jobs.

    Share of the jobs, and of the processor time they request, by run time. Classes have equal widths on the logarithmic
    axis, three to a factor of ten.
    """
    classed = _rows(connection, workload, "workload_run_times")
    longest = max(classed, key=lambda row: row["jobs"])
    _told_apart(
        classed,
        "jobs",
        f"All jobs run about as long ({significant(longest['from_s'])} to {significant(longest['to_s'])} s).",
    )
    found = _halves(classed)
    scale = alt.Scale(type="log", nice=False)
    chart = (
        alt.Chart(height=200)
        .mark_line(interpolate="step-after", strokeWidth=2.2)
        .encode(
            x=alt.X(
                "from_s:Q", scale=scale, axis=duration_axis("Run time (log scale)", extent(found, "from_s", "to_s"))
            ),
            y=alt.Y("share:Q", title="Share (%)"),
            color=_part_colour(),
            tooltip=tips(("from_s", "from (s)", ",.0f"), ("to_s", "to (s)", ",.0f"), ("part", "Share of")),
        )
    )
    return titled(chart, found)


def estimate_accuracy(connection: duckdb.DuckDBPyConnection, workload: str) -> alt.Chart:
    """Accuracy of the estimates.

    Run time as a share of the estimate, in steps of 5 %. The last class holds jobs that reach or exceed their estimate
    (and are killed there). Jobs at the left have estimates many times too long, which backfilling must live with.
    """
    found = _rows(connection, workload, "workload_accuracy")
    if min(row["percent"] for row in found) >= 100:
        raise NoData("Every estimate equals the run time or is below it: there is no inaccuracy to show.")
    x = alt.X("percent:Q", title="Run time / estimate (%)", bin=alt.Bin(binned=True, step=5))
    y = alt.Y("share:Q", title="Jobs (%)")
    chart = bars(x, y, tips(("percent", "from (%)"), ("share", "Jobs (%)", ".2f"))).encode(x2="upper:Q")
    return titled(chart, found)


def load_by_week(connection: duckdb.DuckDBPyConnection, workload: str) -> alt.Chart:
    """Offered load by week.

    Processor time of the jobs submitted in each week over the machine's capacity in a week. The dashed line is the whole
    machine: in weeks above it, jobs must wait for the next week under any policy. The last week is cut where the log
    ends.
    """
    if _weeks(connection, workload) < LEAST_WEEKS:
        raise NoData(
            f"The jobs are submitted within {LEAST_WEEKS} weeks: too few to see how the load changes from one to the next."
        )
    found = _rows(connection, workload, "workload_weeks")
    x = alt.X(
        "week:Q",
        title="Weeks since the first submission",
        axis=alt.Axis(values=_whole_ticks(found[-1]["week"]), format="d"),
    )
    line = alt.Chart().mark_line(color=ACCENT, interpolate="step-after", strokeWidth=1.5)
    hover = tips(("week", "Week"), ("load", "Offered load (%)", ".1f"), ("jobs", "Jobs", ","))
    full = alt.Chart().mark_rule(strokeDash=[4, 3]).encode(y=alt.datum(100))
    chart = line.encode(x=x, y=alt.Y("load:Q", title="Offered load (%)"), tooltip=hover) + full
    return titled(chart.properties(height=180), found)


def _told_apart(found: list[dict[str, Any]], column: str, otherwise: str) -> None:
    """Raise if one class contains all jobs, because then there is nothing to draw."""
    if max(row[column] for row in found) > ALL:
        raise NoData(otherwise)


def _weeks(connection: duckdb.DuckDBPyConnection, workload: str) -> float:
    """Return the weeks from the first to the last submission of a replication."""
    _submitted(connection, workload)
    sql = "SELECT (max(submit_us) - min(submit_us)) / 604800e6 FROM submitted WHERE replication = 0"
    row = connection.execute(sql).fetchone()
    return float(row[0] or 0.0) if row else 0.0


def _whole_ticks(last: int) -> list[int]:
    """Return whole numbers from 0, about ten of them."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**9) if last <= 10 * step)
    return list(range(0, last + 1, step))


def _rows(connection: duckdb.DuckDBPyConnection, workload: str, query: str, **more: Any) -> list[dict[str, Any]]:
    """Return the rows of a query on a workload's jobs as submitted."""
    _submitted(connection, workload)
    return rows(connection, (QUERIES / f"{query}.sql").read_text(encoding="utf-8"), **more)


def _submitted(connection: duckdb.DuckDBPyConnection, workload: str) -> None:
    """Make the temporary table ``submitted``: the jobs of a workload, once."""
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE submitted AS SELECT * FROM jobs WHERE workload = $workload "
        "AND policy = (SELECT min(policy) FROM runs WHERE workload = $workload)",
        {"workload": workload},
    )


def _halves(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return two rows for each: one for the jobs and one for their processor time."""
    return [{**row, "part": words, "share": row[part]} for row in found for part, words in PARTS.items()]


def _part_colour() -> alt.Color:
    scale = alt.Scale(domain=[*PARTS.values()], range=[ACCENT, "#d98c00"])
    return alt.Color("part:N", title="Share of", scale=scale)


def _two_bars(column: str, title: str) -> alt.Chart:
    """Draw the share of jobs and of processor time side by side."""
    x = alt.X(f"{column}:O", sort=None, title=title, axis=alt.Axis(labelAngle=0))
    hover = tips((column, title), ("part", "Share of"), ("share", "Share (%)", ".2f"))
    chart = bars(x, alt.Y("share:Q", title="Share (%)"), hover)
    return chart.encode(xOffset="part:N", color=_part_colour())


def _arrivals(connection: duckdb.DuckDBPyConnection, workload: str, part: str) -> tuple[list[dict[str, Any]], str]:
    """Return submissions counted by ``hour`` or ``weekday`` of the log's local time, and the clock in words."""
    row = connection.execute("SELECT provenance FROM workloads WHERE workload = ?", [workload]).fetchone()
    origin, clock = local_origin(json.loads(row[0]) if row and row[0] else [])
    slots, slot_s = {"hour": (24, 3600), "weekday": (7, 86400)}[part]
    return _rows(connection, workload, "workload_times", slots=slots, slot_s=slot_s, origin=origin), clock


def local_origin(provenance: list[dict[str, Any]]) -> tuple[int, str]:
    """Return the local time of the workload's origin, in seconds since a Monday's midnight, and the clock in words.

    ``clock`` in the provenance is the header's start and time zone. The offset at the log's start applies throughout, so summer
    time may shift a bar by an hour.
    """
    clock = provenance[0].get("clock") if provenance else None
    if clock is None:
        return 0, "counted from the first submission (the start's clock time is unknown)"
    zone = clock["zone"] or "UTC; the log names no time zone"
    return clock["start_s"] + clock["utc_offset_s"] + 3 * 86400, f"in the log's local time ({zone})"


FIGURES = (
    load_by_week,
    arrivals_by_hour,
    arrivals_by_weekday,
    size_distribution,
    runtime_distribution,
    estimate_accuracy,
)
"""Figures of a workload's page, in order."""
