"""Figures of the packing study: slots against the fewest possible, and what memory allows."""

import math
from typing import Any

import altair as alt
import duckdb

from reports.draw import charts
from reports.draw.marks import tint, with_intervals
from reports.draw.theme import ACCENT, NEUTRAL
from reports.measure.stats import half_width

rows_of = charts.queries_of(__file__)

LOGS = ["sdsc-sp2", "ctc-sp2", "lanl-cm5"]
SEQUENCES = 2
"""Sequences that have a panel, as in the thesis; claims rest on all of them."""
MIGRATION = {"without migration": ACCENT, "with migration": "#d98c00"}


def ratio_without_migration(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Dynamic competitive ratio, jobs stay where they are.

    At each arrival the slots in use are divided by the fewest that the jobs present would fill without a gap; a line is the
    mean over the arrivals so far, for the first two of {sequences} sequences of {arrivals} jobs. Best possible is 1: a ratio of
    1.1 makes every job wait 10 % longer for its turn. Where a line runs flat, more jobs tell nothing new. (Figures 5.1
    and 5.2 of the thesis; the model is fitted to the log and the dates that it names.)
    """
    return _ratio_lines(connection, ["jann"], moved=False)


def ratio_with_migration(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Dynamic competitive ratio, all jobs are packed anew at each arrival.

    On an axis of its own, the first two of {sequences} sequences of {arrivals} jobs: all jobs return to the queue at each
    arrival and are packed in the order they came. The smallest possible is 1. (Figures 5.3 and 5.4 of the thesis.)
    """
    return _ratio_lines(connection, ["jann-moved"], moved=True)


def excess_by_load(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """How far the ratio exceeds 1, by load.

    Dynamic competitive ratio less 1 on a logarithmic axis, with 95 % intervals over {units} sequences a load. The ratio
    itself is never below 1, so we read "an order of magnitude smaller" as a statement on this excess. Lines far apart:
    moving jobs gains much, and the packing rule little.
    """
    found = rows_of(connection, "measure_against_load", metric="packing_excess")
    for row in found:
        row["low"], row["high"] = (row["value"] if row[bound] is None else row[bound] for bound in ("low", "high"))
    charts.on_log_axis(found)
    x = alt.X("load:Q", title="Offered load (%)", scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=8))
    y = alt.Y("value:Q", scale=alt.Scale(type="log", nice=False),
              axis=alt.Axis(title="Ratio less 1 (log scale)", tickCount=6, format="~g"))  # fmt: skip
    hover = charts.tips(("policy_label", "Packing"), ("load", "Load (%)"),
                        ("value", "Ratio less 1", ".4~r", "low", "high"))  # fmt: skip
    chart = charts.lines(charts.policies_of(connection, found), x, y, hover, band=("drawn_low", "high")).properties(
        height=280
    )
    return charts.titled(chart, found)


def best_over_first(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Best fit against first fit, by load.

    The ratio of best fit to the fewest slots over that of first fit, less 1, on the same jobs: first fit packs better right
    of the dashed line, best fit left of it. Lines are 95 % intervals over sequences, or over {batches} batches of consecutive
    jobs of a log. A hollow mark may be chance, because its interval contains 0. The model at the load it comes with ({load} %)
    stands first, as in the thesis, then other loads in order; the logs are not in the thesis.
    """
    found = rows_of(connection, "gang_best_over_first")
    for row in found:
        row["low"], row["high"] = _bounds(row["gap"], row["spread"], row["units"])
    zero = alt.Chart().mark_rule(strokeDash=[4, 3], color=NEUTRAL).encode(x=alt.datum(0))
    labels = charts.in_order(found, "workload_label")
    base = alt.Chart().encode(
        y=alt.Y("workload_label:N", sort=labels, title=None), yOffset=alt.YOffset("migration:N"),
        color=tint("migration", MIGRATION), tooltip=charts.tips(("workload_label", "Workload"), ("migration", "Jobs"),
                            ("gap", "Difference (%)", ".3~f", "low", "high"), ("units", "Units")),
    )  # fmt: skip
    axis = alt.Axis(title="Best fit over first fit, less 1 (%)", tickCount=7)
    x = alt.X("gap:Q", axis=axis, scale=alt.Scale(domain=_domain(found), nice=False))
    sure, rule = "datum.low > 0 || datum.high < 0", {"strokeCap": "round", "clip": True}
    marks = with_intervals(base, x, 60, sure=sure, rule=rule)
    chart = alt.layer(zero, *marks).properties(height=alt.Step(13))
    load = next((row["load"] for row in found if row["load"] is not None), math.nan)
    return charts.titled(chart, found, batches=max(row["units"] for row in found), load=f"{load:.0f}")


def memory_ratio(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Dynamic competitive ratio of memory.

    Memory that could be in use (all of the machine's, or what the jobs present want if that is less) over memory in use,
    mean over the arrivals up to a time; lower is better, 1 is best. Bands are 95 % intervals over {units} sequences of
    jobs. The thesis prints no formula for its figure 5.5; this is our reading of its words.
    """
    found = rows_of(connection, "gang_memory_by_time", metric="memory_ratio")
    return _by_time(connection, found, "Memory ratio", ".4~f", zero=False)


def memory_throughput(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Throughput where memory is limited.

    Jobs completed by a time, mean and 95 % interval over {units} sequences: figure 5.6 of the thesis, at the load that the
    log has and at higher ones. The bands are wide because sequences differ; all packings meet the same ones, so the
    next figure tells more.
    """
    found = rows_of(connection, "gang_memory_by_time", metric="completed")
    return _by_time(connection, found, "Completed jobs", ",.1f", zero=True)


def memory_gain(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """What balancing memory gains: completed jobs against best fit with memory.

    Completed jobs of memory fit less those of best fit on the same sequence of jobs, mean and 95 % paired interval over
    {units} sequences. Above the zero line balancing memory pays.
    """
    found = rows_of(connection, "gang_memory_gain")
    for row in found:
        low, high = _bounds(row["value"], row["spread"], row["units"])
        row["low"], row["high"] = (row["value"] if bound is None else bound for bound in (low, high))
    return _by_time(connection, found, "Jobs more than best fit", "+.2~f", zero=True)


def logs(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Real logs: how far the ratio exceeds 1.

    Dynamic competitive ratio less 1 on a logarithmic axis, for logs that the thesis does not use. All sizes on LANL-CM5
    are powers of two, as is the machine, so that any packing from scratch leaves no gap: with migration the excess is
    exactly 0 there and has no line.
    """
    return _ratio_lines(connection, LOGS, moved=None)


def _ratio_lines(connection: duckdb.DuckDBPyConnection, workloads: list[str], moved: bool | None) -> alt.Chart:
    """Draw the ratio of two sequences, with or without migration, or the excess of logs, against arrivals."""
    found = rows_of(connection, "gang_ratio_by_arrival", workloads=workloads)
    found = [row for row in found if moved is None or row["policy"].endswith("-moved") == moved]
    sequences = max(row["sequence"] for row in found)
    column = "excess" if moved is None else "ratio"
    found = [row for row in found if row[column] > 0 and row["sequence"] <= SEQUENCES]
    for row in found:
        row["panel"] = row["workload_label"] if moved is None else f"Sequence {row['sequence']}"
    log = alt.Scale(type="log", nice=False)
    axis = alt.Axis(title="Ratio less 1 (log scale)", tickCount=6, format="~g")
    scale = alt.Scale(zero=False)
    y = alt.Y("excess:Q", scale=log, axis=axis) if column == "excess" else alt.Y("ratio:Q", scale=scale, title="Ratio")
    x = alt.X("arrival:Q", title="Arrivals", axis=alt.Axis(format="~s", tickCount=6))
    chart = charts.lines(charts.policies_of(connection, found), x, y, []).properties(height=240)
    arrivals = max(row["arrival"] for row in found)
    chart = charts.small_multiples(chart, found, "panel", columns=2)
    return charts.titled(chart.resolve_scale(x="independent"), found, arrivals=f"{arrivals:,}", sequences=sequences)


def _by_time(
    connection: duckdb.DuckDBPyConnection, found: list[charts.Row], title: str, form: str, zero: bool
) -> alt.Chart:
    """Draw a value against time, with its band, a panel per load."""
    for row in found:
        row["low"] = row["value"] if row["low"] is None else row["low"]
        row["high"] = row["value"] if row["high"] is None else row["high"]
    known = charts.policies_of(connection, found)
    hover = charts.tips(("policy_label", "Packing"), ("hours", "Hours", ".2~f"), ("value", title, form, "low", "high"))
    x = alt.X("hours:Q", title="Time (h)", scale=alt.Scale(zero=False, nice=False), axis=alt.Axis(tickCount=6))
    y = alt.Y("value:Q", title=title, scale=alt.Scale(zero=zero))
    picked = charts.pick_policy()
    base = alt.Chart().encode(x=x, color=charts.policy_colour(known), tooltip=hover)
    shade = base.mark_area().encode(y=alt.Y("low:Q", title=title, scale=alt.Scale(zero=zero)), y2="high:Q",
                                    opacity=alt.when(picked).then(alt.value(0.16)).otherwise(alt.value(0.02)))  # fmt: skip
    line = (
        base.mark_line()
        .encode(y=y, opacity=charts.faded(picked), strokeDash=charts.policy_dash(known))
        .add_params(picked)
    )
    shape = charts.policy_shape(known, legend=True)
    dots = base.mark_point(size=45, filled=True).encode(y=y, opacity=charts.faded(picked), shape=shape)
    chart = alt.layer(shade, line, dots).properties(height=190)
    chart = charts.small_multiples(chart, found, "workload_label", columns=2)
    return charts.titled(chart.resolve_scale(y="independent"), found)


def _bounds(mean: float, spread: float | None, units: int) -> tuple[float | None, float | None]:
    """Return the t interval of a mean; none for one unit."""
    if spread is None or units < 2:
        return None, None
    half = half_width(spread, units)
    return mean - half, mean + half


def _domain(found: list[charts.Row]) -> list[float]:
    """Return an axis that shows every value and every interval of more than two units; longer ones are cut."""
    ends: list[Any] = [0.0]
    for row in found:
        ends += [row["gap"]] if row["units"] <= 2 else [row["gap"], row["low"], row["high"]]
    told = [float(end) for end in ends if end is not None]
    margin = 0.06 * (max(told) - min(told)) or 1.0
    return [min(told) - margin, max(told) + margin]
