"""Figures of the worked examples of the thesis on group optimisation: schedules made by the engine, as the thesis draws them.

Its pictures are lost; what they showed is known from the text around them.
"""

from typing import Any

import altair as alt
import duckdb
import polars as pl

from reports.diagrams.allocations import last_finish, runs_beside
from reports.diagrams.clock import Clock
from reports.diagrams.parts import one_above_the_other, run_of
from reports.draw.charts import Row, also, tips, titled
from reports.draw.theme import ACCENT, NEUTRAL
from reports.families.slices.charts import machine_part, slices_figure
from reports.families.slices.diagram import SlicesWindow, read_window
from reports.families.slices.rows import rows_of_window
from scheduler_core.common.units import MICROSECONDS

ORIGIN_US = 64 * MICROSECONDS
"""Where the times of Table 3 have their zero in the example of a group."""


def example_of_slices(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """SCOJO-PECT at work: the thesis' first example (Table 1 and Figure 3).

    Ten processors, {jobs} jobs, no time for switching. Letters say whose slice it is, dotted lines end slices. In the first
    short slice job 2 leaves three processors, which are lent to job 1, a long one. Job 3 starts in a medium slice; in the
    next long slice job 1 goes on, and job 3 is lent what it leaves. The short slice at {short} s has room for short jobs only;
    in the next medium slice job 3 is back on its processors, with job 4 beside it. When job 4 is done, jobs 8 and 9 start.
    Jobs 3 to 10 are those of the thesis; jobs 1 and 2 and the lengths of slices were in the lost picture and are chosen here.
    """
    (window,) = _windows(connection, "example-slices", "example-pect")
    short = window.slices.filter((pl.col("class") == "short") & (pl.col("begin_us") > 0))["begin_us"][0]
    chart = slices_figure(connection, "example-slices", "example-pect", window=(0, 0))
    return also(chart, short=f"{short / MICROSECONDS:g}")


def example_of_a_group(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Scheduling within a group: the thesis' second example (Table 3 and Figure 13).

    Arrows mark where the group forms and ends; its jobs have heavy edges. In the second long slice ({second} s) nine
    processors are free, but job 3 is suspended on them and cannot run, as job 1 is on one of its own: jobs 8 to 11 must
    wait, since a new job keeps off processors of suspended jobs of its class. At {formed} s jobs 8 to 12 become a group. Job
    13 comes at {dynamic} s and starts at once, job 14 asks for {asked} s, and runs then beside job 1, both within the medium
    slice without delaying the plan. Jobs 8, 9 and 10 are lent parts of long slices, and so is job 11 after job 1 terminates,
    at {over} s. The group ends when job 15 finishes; job 16 starts as usual. Jobs 8 to 15 are those of the thesis,
    others are added.
    """
    shown = 32 * MICROSECONDS, 404 * MICROSECONDS
    zero = ORIGIN_US, "the zero of Table 3"
    (window,) = _windows(connection, "example-group", "example-pect-o")
    long = window.slices.filter((pl.col("class") == "long") & (pl.col("end_us") > shown[0]))
    chart = slices_figure(connection, "example-group", "example-pect-o", window=shown, zero=zero)
    return also(
        chart,
        second=f"{_table_3(long['begin_us'][1])} to {_table_3(long['end_us'][1])}",
        formed=_table_3(window.groups["formed_us"][0]),
        dynamic=_table_3(_start(window, 13)),
        asked=_table_3(_start(window, 14)),
        over=_table_3(window.jobs.filter(job=1)["finish_us"][0]),
    )


def groups_in_a_run(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Slices and groups in a run.

    {length} of the synthetic workload under optimised SCOJO-PECT, {slices} slices on {processors} processors: where groups are
    formed and end. Jobs of groups have heavy edges, arrows mark where a group forms and ends, grey is the time in which
    the machine is switched. Blocks in slices of another class are lent. More windows are on the page of schedules.
    """
    return slices_figure(connection, "seed-71", "pect_o")


def easy_and_conservative(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """EASY and conservative backfilling (after Figure 4).

    Five jobs on ten processors, all submitted at once, in the order of their numbers. Jobs 2 and 3 must wait. EASY keeps
    only job 2 from being delayed: both job 4 and job 5 are backfilled, and job 3 starts {later} s later than without
    job 5. Conservative backfilling lets job 4 start, and job 5 only behind job 3. The jobs are ours.
    """
    easy, kept = _windows(connection, "example-backfilling", "example-easy", "example-conservative")
    later = (_start(easy, 3) - _start(kept, 3)) / MICROSECONDS
    return _machines([("EASY", easy), ("Conservative", kept)], later=f"{later:g}")


def force_shifting(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Force-shifting (after Figure 12).

    Job 1 runs when jobs 2 to 4 become a group. In the heuristic's order job 3, of {length} s, comes last, as the hole beside job
    1 is only {hole} s long. Its length over the hole's is below 1.5: it is put there, and the jobs that start later are
    pushed back. The group's total estimated slowdown falls from {before} to {after}. The jobs are ours.
    """
    plain, shifted = _windows(connection, "example-shifting", "example-heuristic", "example-shifted")
    totals = [_group(connection, "example-shifting", policy) for policy in ("example-heuristic", "example-shifted")]
    first = plain.jobs.filter(job=3)["runtime_us"][0] / MICROSECONDS
    begun = totals[0]["formed_us"]
    return _machines(
        [("Order of the heuristic", plain), ("Force-shifted", shifted)],
        length=f"{first:g}",
        hole=f"{(_start(plain, 2) - begun) / MICROSECONDS:g}",
        before=f"{totals[0]['slowdown']:.2f}",
        after=f"{totals[1]['slowdown']:.2f}",
    )


def plan_backfilling(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Backfilling into the plan (after Figure 14).

    The order of this group is {order}. Its last job starts first: placed in this order each job takes the earliest
    place that is long enough, here beside job 1, and none of the others starts later for it. The jobs are ours.
    """
    (window,) = _windows(connection, "example-hole", "example-heuristic")
    order = window.jobs.drop_nulls("place").sort("place")["job"].to_list()
    words = f"jobs {', '.join(map(str, order[:-1]))} and {order[-1]}"
    return _machines([("Plan", window)], order=words)


def end_of_a_group(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """The plan of a group, and where the group ends (after Figures 7 and 9).

    Arrows mark where the group forms and ends. The line is the utilisation from the formation to the end of each job, the jobs
    in the order of their ends in the plan. After job {last} it falls by more than {dip} % to below {floor} % (dashed), so that
    job {last} is the finish job: the group ends when it is done, although another of its jobs runs on. The jobs are ours.
    """
    (window,) = _windows(connection, "example-finish", "example-finish")
    settings = window.policy["parameters"]
    clock = Clock(window)
    found, line = rows_of_window(window, clock), _utilisation(window)
    group = window.groups.row(0, named=True)
    last = next(row["job"] for row in line if round(row["at"] * MICROSECONDS) == group["ended_us"])
    floor = 100 * settings["finish_utilisation"]
    scale = alt.Scale(domain=[0, 100], nice=False)
    base = alt.Chart().transform_filter("datum.part == 'utilisation'")
    x = alt.X(
        "at:Q",
        scale=clock.scale,
        axis=alt.Axis(title=f"Time since the first submission ({clock.unit})", grid=False, tickCount=10),
    )
    y = alt.Y("utilisation:Q", scale=scale, axis=alt.Axis(title="Utilisation (%)", tickCount=3, minExtent=34))
    hover = tips(("job", "To the end of job"), ("at", "at (s)", ".4~r"), ("utilisation", "Utilisation (%)", ".3~r"))
    rule = alt.Chart().mark_rule(strokeDash=[4, 3], color=NEUTRAL).encode(y=alt.YDatum(floor, scale=scale))
    dots = base.mark_point(filled=True, size=40, color=ACCENT).encode(x=x, y=y, tooltip=hover)
    words = base.mark_text(dy=-9, fontSize=10).encode(x=x, y=y, text=alt.Text("job:N"))
    lower = alt.layer(rule, base.mark_line(color=ACCENT).encode(x=x, y=y), dots, words).properties(height=110)
    chart = one_above_the_other([machine_part(window, clock), lower])
    return titled(chart, [*found, *line], last=last, dip=f"{100 * settings['finish_dip']:g}", floor=f"{floor:g}")


def _windows(connection: duckdb.DuckDBPyConnection, workload: str, *policies: str) -> list[SlicesWindow]:
    """Read the whole schedules of an example."""
    found = []
    for policy in policies:
        folder = run_of(connection, workload, policy, "slices")
        found.append(read_window(folder, 0, last_finish(folder)))
    return found


def _machines(shown: list[tuple[str, SlicesWindow]], **caption: Any) -> Any:
    """Draw machines one below the other on one time axis."""
    end = max(window.end_us for _, window in shown)
    rows: list[Row] = []
    parts = []
    for panel, (title, window) in enumerate(shown):
        whole = window.until(end)
        clock = Clock(whole)
        rows += rows_of_window(whole, clock, panel=panel)
        part = machine_part(whole, clock, panel, height=150)
        parts.append(part.properties(title=alt.Title(title, anchor="start")) if len(shown) > 1 else part)
    return titled(one_above_the_other(parts), rows, **caption)


def _table_3(at_us: int) -> str:
    """Return a time as Table 3 has it."""
    return f"{(at_us - ORIGIN_US) / MICROSECONDS:g}"


def _start(window: SlicesWindow, job: int) -> int:
    """Return when a job starts."""
    return int(window.jobs.filter(job=job)["start_us"][0])


def _group(connection: duckdb.DuckDBPyConnection, workload: str, policy: str) -> Row:
    """Return the one group of an example."""
    return pl.read_parquet(runs_beside(connection) / workload / policy / "groups.parquet").row(0, named=True)


def _utilisation(window: SlicesWindow) -> list[Row]:
    """Return the utilisation from the group's formation to the end of each job of its plan, and of those that run then.

    The whole example lies in one slice, so that the jobs run as planned and the class clock is the time.
    """
    formed = window.groups["formed_us"][0]
    jobs = window.jobs.filter(pl.col("group").is_not_null() | (pl.col("start_us") < formed)).sort("finish_us")
    found = []
    for job, end in jobs.select("job", "finish_us").rows():
        work = (
            (pl.col("finish_us").clip(upper_bound=end) - pl.col("start_us").clip(lower_bound=formed)).clip(
                lower_bound=0
            )
            * pl.col("size")
        ).sum()
        used = jobs.select(work).item() / (window.processors * (end - formed))
        found.append({"part": "utilisation", "job": job, "at": end / MICROSECONDS, "utilisation": round(100 * used, 4)})
    return found
