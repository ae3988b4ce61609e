"""Figures of the study of theory: the bound of gang scheduling, what it rests on, and a search beside it."""

import altair as alt
import duckdb

from reports.diagrams.allocations import runs_beside
from reports.diagrams.windows import COLOURS
from reports.draw import charts
from reports.draw.theme import ACCENT, NEUTRAL
from reports.families.gang.charts import gang_figure

rows_of = charts.queries_of(__file__)

BOUNDS = {"gang-ffd-fill": 2, "gang-ffd": 3}
"""What the ratio of makespans stays below: proved by the thesis for filled slots, and by the same means without filling."""


def adversary_bound(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """The adversary forces 2n / (n + 2).

    Makespan of gang scheduling over the least makespan of any scheduler, for jobs of n/2 + 1 processors on n processors, no
    two of which share a slot. The line is the formula of the proof, the marks are simulated and lie on it
    {error}. The ratio comes as near to 2 as one likes and never reaches it: 2 is the competitive ratio, where the
    introduction of the thesis says 4.
    """
    found = _ratios(connection, "^equal-halves-[0-9]+$", "gang-ffd")
    found = [
        {**row, "formula": 2 * row["processors"] / (row["processors"] + 2)}
        for row in sorted(found, key=lambda row: row["processors"])
    ]
    for row in found:
        del row["makespan"], row["bound"]
    axis = alt.Axis(values=[row["processors"] for row in found], format="d")
    x = alt.X(
        "processors:Q", title="Processors (log scale)", scale=alt.Scale(type="log", base=2, nice=False), axis=axis
    )
    scale = alt.Scale(domain=[1, 2.05], nice=False)
    base = alt.Chart().encode(x=x)
    limit = alt.Chart().mark_rule(strokeDash=[4, 3], color=NEUTRAL).encode(y=alt.YDatum(2, scale=scale))
    line = base.mark_line(color=NEUTRAL, interpolate="monotone").encode(
        y=alt.Y("formula:Q", title="Makespan over the least", scale=scale)
    )
    hover = charts.tips(
        ("processors", "Processors", "d"), ("ratio", "Simulated", ".6f"), ("formula", "2n / (n + 2)", ".6f")
    )
    dots = base.mark_point(size=70, filled=True, color=ACCENT).encode(y=alt.Y("ratio:Q", scale=scale), tooltip=hover)
    error = max(abs(row["ratio"] - row["formula"]) for row in found)
    chart = alt.layer(limit, line, dots).properties(height=260)
    return charts.titled(chart, found, error=f"within {error:.7f}" if error >= 1e-7 else "to seven digits")


def adversary_matrix(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Matrix diagram of the adversary: a slot for every job.

    The {jobs} jobs of the adversary on {processors} processors, for {length}. Each of the {slots} slots holds one job of more
    than half of the machine, so the others' processors idle (grey) in every slot, all the time.
    """
    return gang_figure(connection, "equal-halves-8", "gang-ffd")


def matrix_without_filling(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """The counterexample as the listing of the thesis runs it: each job has one slot.

    Eight jobs of five processors and a long job of one, on {processors} processors, {slots} slots at first. While they take
    turns the long job is in one slot only; it runs on alone after all others are done.
    """
    return gang_figure(connection, "long-thin-8", "gang-ffd")


def matrix_with_filling(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """The counterexample as the proof needs it: a job runs in every slot in which it fits.

    The same jobs. The long job has a place in each of the {slots} slots and is done before the others, which need {length}
    with or without it.
    """
    return gang_figure(connection, "long-thin-8", "gang-ffd-fill")


def area_conservation(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Areas of jobs and idle areas make up the machine.

    The same jobs as they are scheduled without filling, and their areas put together: all that jobs hold (coloured) and all
    that idles (grey), each as wide as it is on {processors} processors. Together they last as long as the schedule, {length} h:
    the idle part is what a better packing could save. (Figure 4.2 of the thesis.)
    """
    folder = runs_beside(connection) / "long-thin-8" / "gang-ffd"
    if not (folder / "allocations.parquet").is_file():
        raise charts.NoData("The counterexample is not part of this run.")
    files = {"allocations": (folder / "allocations.parquet").as_posix(), "processors": 8}
    found = rows_of(connection, "gang_areas", **files)
    jobs = [part for part in charts.in_order(found, "part") if part != "idle"]
    scale = alt.Scale(domain=["idle", *jobs], range=[NEUTRAL, *(COLOURS[n % len(COLOURS)] for n in range(len(jobs)))])
    chart = alt.Chart().mark_rect(stroke="white", strokeWidth=0.5).encode(
        x=alt.X("begin_h:Q", title="Time (h)", scale=alt.Scale(nice=False)),
        x2="end_h:Q",
        y=alt.Y("lower:Q", title="Processors", scale=alt.Scale(domain=[0, 8], nice=False)),
        y2="upper:Q",
        color=alt.Color("part:N", title=None, scale=scale),
        tooltip=charts.tips(("part", "Part"), ("begin_h", "from (h)", ".2f"), ("end_h", "to (h)", ".2f")),
    )  # fmt: skip
    chart = charts.small_multiples(chart.properties(height=150), found, "panel", columns=2)
    return charts.titled(chart, found, processors=8, length=f"{max(row['end_h'] for row in found):g}")


def counterexamples(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Without filling, twice the least makespan is not enough.

    Makespan over the least one that any scheduler can have. Jobs wider than half of the machine and one long thin job
    beside them: with filling the ratio stays below 2 (dashed line), without it rises to {largest}. For tall and thin jobs
    gang scheduling with filling is as good as any.
    """
    found = _ratios(connection, "^(long-thin|tall-and-thin)-", ".*")
    known = charts.policies_of(connection, found)
    hover = charts.tips(("policy_label", "Packing"), ("workload_label", "Workload"), ("ratio", "Makespan over the least", ".4f"),
                        ("makespan", "Makespan (units)", ",.4~r"), ("bound", "Least (units)", ",.4~r"))  # fmt: skip
    base = alt.Chart().encode(
        y=alt.Y("workload_label:N", sort=charts.in_order(found, "workload_label"), title=None),
        color=charts.policy_colour(known),
        tooltip=hover,
    )
    scale = alt.Scale(domain=[0.9, 3.05], nice=False)
    x = alt.X("ratio:Q", title="Makespan over the least", scale=scale, axis=alt.Axis(tickCount=5))
    limit = alt.Chart().mark_rule(strokeDash=[4, 3], color=NEUTRAL).encode(x=alt.XDatum(2, scale=scale))
    dots = base.mark_point(size=90, filled=True).encode(x=x, shape=charts.policy_shape(known, legend=True))
    words = base.mark_text(dy=-11).encode(x=x, text=alt.Text("ratio:Q", format=".3f"))
    chart = alt.layer(limit, dots, words).properties(height=alt.Step(44))
    return charts.titled(chart, found, largest=f"{max(row['ratio'] for row in found):.3f}")


def random_search(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """A random search for bad cases.

    The share of {batches} random batches of jobs by makespan over the least one, in bins of 0.05; darker is more, a tick is
    the largest. All packings of a panel meet the same batches. With filling the largest ratio found is {filled}, without it
    {bare}: random jobs do not find what the construction above does. One job a slot has no bound but the number of
    processors, and is cut off at 4.
    """
    found = rows_of(connection, "gang_random_search")
    largest = {policy: max(row["largest"] for row in found if row["policy"] == policy) for policy in BOUNDS}
    known = charts.policies_of(connection, found)
    hover = charts.tips(("policy_label", "Packing"), ("bin", "from", ".2f"), ("bin_end", "to", ".2f"),
                        ("share", "Batches (%)", ".2f"), ("largest", "Largest ratio", ".4f"))  # fmt: skip
    scale = alt.Scale(domain=[1, 4], nice=False, clamp=True)
    cells = alt.Chart().transform_filter("datum.bin < 4").mark_rect().encode(
        x=alt.X("bin:Q", title="Makespan over the least", scale=scale, axis=alt.Axis(tickCount=7)),
        x2="bin_end:Q",
        y=charts.policy_axis(known),
        color=alt.Color("share:Q", title="Batches (%)", scale=alt.Scale(type="sqrt", scheme="blues", domain=[0, 100])),
        tooltip=hover,
    )  # fmt: skip
    marks = alt.Chart().transform_filter("datum.largest < 4").mark_tick(thickness=2, color="#d55e00", size=20).encode(
        x=alt.X("largest:Q", scale=scale), y=charts.policy_axis(known), tooltip=hover
    )  # fmt: skip
    chart = alt.layer(cells, marks).properties(height=alt.Step(24))
    labels = charts.in_order(found, "workload_label")
    parts = [chart.transform_filter(alt.datum.workload_label == label).properties(title=label) for label in labels]
    chart = charts.panels(parts, columns=1)
    totals = {row["workload"]: row["total"] for row in found}
    return charts.titled(chart, found, batches=f"{sum(totals.values()):,}", filled=f"{largest['gang-ffd-fill']:.3f}",
                  bare=f"{largest['gang-ffd']:.3f}")  # fmt: skip


def _ratios(connection: duckdb.DuckDBPyConnection, workloads: str, policies: str) -> list[charts.Row]:
    """Return the makespans over the least ones, of workloads and policies whose ids match patterns."""
    return rows_of(connection, "gang_ratios", workloads=workloads, policies=policies)
