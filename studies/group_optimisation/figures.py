"""Figures of the study of group optimisation: those of Kanavallil's chapter 9, the search itself, and what is left open.

A hollow diamond is a value that the thesis prints. Its charts are lost, so everything else is computed here.
"""

from typing import Any

import altair as alt
import duckdb

from reports.draw.charts import NoData, Row, in_order, small_multiples, span, tips, titled
from reports.draw.marks import tint, with_intervals
from reports.draw.theme import ACCENT
from reports.figures.forms.groups import JOBS, beside_printed, gains, named, pairs
from reports.figures.forms.policies import counted
from reports.figures.forms.pooled import pooled
from reports.measure.readings import headlines, under

from .rows import (
    BOUNDED,
    CLASSES,
    EVERY_SEED,
    LOGS,
    SEEDS,
    draws_of,
    gains_of,
    gains_on_logs,
    ratios_by_sizes,
    rows_of,
    synthetic_first,
    tables_of,
)

WIDTHS = ["short", "medium narrow", "medium medium", "medium wide", "long narrow", "long medium", "long wide"]
LENDING = {"pect_o_ns": "without smart backfilling", "pect_o": "with smart backfilling"}
SLOWDOWN = "Mean bounded slowdown (log scale)"
GAIN = "Improvement (%)"
CHARACTERISTICS = {
    "job_share": "Share of the jobs (%)",
    "work_share": "Share of the work (%)",
    "mean_size": "Mean size",
}
COUNTS = {"groups_medium": "Groups of medium jobs", "groups_long": "Groups of long jobs",
          "grouped_share": "Medium and long jobs in groups (%)"}  # fmt: skip
SEARCH = {
    "tree_nodes": "Tree nodes of all searches",
    "tree_nodes_per_group": "Tree nodes per group",
    "pruned_share": "Tree nodes pruned (%)",
}
TIMES = {"mean_response": "Mean response time (h)", "mean_wait": "Mean wait (h)"}
WORST = {"max_bounded_slowdown_600": "largest", "p99_bounded_slowdown_600": "99th percentile"}
UTILISATION = {
    "utilisation": "Over the makespan (%)",
    "core_utilisation": "Between a tenth and nine tenths of the submissions (%)",
}


def improvements(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """What group optimisation gains, by class of job.

    Reduction of the mean bounded slowdown by optimised SCOJO-PECT against SCOJO-PECT on the same jobs, both with and
    both without smart backfilling: right of the dashed line the optimised policy is better. Lines are 95 % intervals
    over {units} of the synthetic workloads; a log is one run and has none. Hollow marks are not significant.
    {headlines} (Summary of figures 16 to 22 and 30 to 36.)
    """
    scopes = [name for name in JOBS if not name.startswith("short ")]
    readings = headlines(connection, "group_optimisation")
    found = []
    for reading, label in readings:
        with under(connection, "group_optimisation", reading):
            rows = gains_of(connection, {"pect_o_ns": "pect_ns", "pect_o": "pect"}, [BOUNDED], scopes)
        after = f": {label}" if len(readings) > 1 else ""
        found += [{**row, "of": row["of"] + after, "smart": LENDING[row.pop("policy")]} for row in rows]
    found = named(pooled(found))
    words = "Each headline of the study has its panels: the listing and the abstract differ in the backfilling outside groups."
    return _with_most_draws(gains(found, GAIN, kinds="smart"), found, headlines=words if len(readings) > 1 else "")


def workloads(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """What the workloads are made of (thesis, Tables 5 and 6).

    Short jobs run less than 10 min, long ones 3 h or more. Dots are means over {draws} of each seed, lines their
    range{diamonds}. Seeds are names only: the thesis' random generator is lost. The first 10,000 jobs of LANL-CM5 nearly have
    the printed characteristics; those of SDSC-BLUE differ by some per cent.
    """
    found = named(rows_of(connection, "group_characteristics"))
    for row in found:
        row["panel"] = f"{CHARACTERISTICS[row['metric']]}: {row['job_class'].split(',')[0]}"
    order = [f"{words}: {name}" for words in CHARACTERISTICS.values() for name in ("Short", "Medium", "Long")]
    found.sort(key=lambda row: order.index(row["panel"]))
    draws = counted(str(max(row["draws"] for row in found)), "draw")
    return titled(beside_printed(found, "", by="workload_label", panel="panel"), found, draws=draws)


def sizes_of_groups(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Largest sizes of groups (thesis, figure 15).

    Mean bounded slowdown over that with at most 20 medium and 30 long jobs in a group (M20 L30, which the thesis found
    best), on the same jobs: below the dashed line a setting is better. Bands are 95 % intervals over {units}, one of
    each seed.
    """
    found = pooled(ratios_by_sizes(connection))
    for row in found:
        row["panel"] = f"Slowdown of {row['job_class']} jobs"
        row["series"] = f"at most {row['long']} long jobs"
    if len({row["medium"] for row in found}) < 2:
        raise NoData("The sizes of groups are not varied at this scale.")
    scale, axis = alt.Scale(zero=False), alt.Axis(title="Ratio to at most 20 medium and 30 long jobs", tickCount=5)
    hover = tips(("medium", "Most medium jobs"), ("long", "Most long jobs"), ("value", "Ratio", ".4~r", "low", "high"))
    colour = alt.Color("series:N", title=None, sort=in_order(found, "series"),
                       scale=alt.Scale(range=["#8a8a8a", "#d98c00", ACCENT, "#009e73"]))  # fmt: skip
    x = alt.X("medium:O", title="Most medium jobs in a group", axis=alt.Axis(labelAngle=0))
    offset = alt.XOffset("series:N", sort=in_order(found, "series"))
    base = alt.Chart().encode(x=x, xOffset=offset, color=colour, tooltip=hover)
    one = alt.Chart().transform_aggregate(rows="count()").mark_rule(strokeDash=[4, 3]).encode(y=alt.datum(1))
    marks = with_intervals(base, alt.Y("value:Q", scale=scale, axis=axis), 50)
    chart = alt.layer(one, *marks).properties(height=200)
    return _with_draws(small_multiples(chart, found, "panel", columns=2), found)


def groups_formed(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Groups formed (thesis, Tables 7 and 9).

    How many groups form in the jobs of a workload ({jobs}),
    and how many of the medium and long jobs they take. Dots are means over up to {draws},
    lines their range{diamonds}. Without smart backfilling more jobs queue up, and
    {more} times as many groups form on the synthetic workloads.
    """
    found = tables_of(connection, COUNTS, list(LENDING), [*EVERY_SEED, *LOGS])
    for row in found:
        row["smart"] = LENDING[row.pop("policy")]
    found.sort(key=lambda row: [*COUNTS].index(row["metric"]))
    chart = beside_printed(found, "", by="workload_label", panel="panel", kinds="smart")
    jobs = " or ".join(f"{jobs:,}" for jobs in sorted({row["jobs"] for row in found}))
    draws = counted(str(max(row["draws"] for row in found)), "draw")
    return titled(chart, found, draws=draws, jobs=jobs, more=_times_as_many(found))


def slowdowns(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Bounded slowdown by class of job (thesis, figures 16 to 22).

    SCOJO-PECT with and without group optimisation, a panel per workload; run times below 600 s count as 600 s. Logarithmic
    axes; lines are 95 % intervals over {units} of a seed. Intervals of the two overlap because draws differ: pairs on
    the same jobs are in the first figure.
    """
    return _slowdowns(connection, "pect", "pect_o")


def response_and_wait(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Response and wait times (thesis, figures 23 and 24).

    Means over all jobs; wait is response less run time, so a job that is suspended waits. Lines are 95 % intervals over
    {units}.
    """
    return _times(connection, "pect", "pect_o")


def dynamic_backfilling(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Backfilling upon submission (thesis, figure 25).

    How much shorter the mean wait is when jobs submitted in the slice of another class's group are placed around its plan at
    once. Lines are 95 % intervals over {units}; the thesis gives 5 % for all jobs.
    """
    found = gains_of(connection, {"pect_o": "pect_o_no_dynamic"}, ["mean_wait"], ["all", *CLASSES])
    found = named(pooled(found))
    return _with_most_draws(gains(found, "Shorter wait (%)"), found)


def utilisation(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Utilisation (thesis, figure 26).

    Work over capacity from the first submission to the last finish, and processor time held while the machine is neither
    filling nor draining. Lines are 95 % intervals over {units}. Axes do not begin at zero. The same jobs
    arrive at the same times, so a scheduler changes the first only by when the last job ends.
    """
    found = pooled(draws_of(connection, ["pect", "pect_o"], list(UTILISATION), ["all"], 0.01))
    for row in found:
        row["panel"] = UTILISATION[row["metric"]]
    chart = pairs(found, "Utilisation (%)", by="workload_label", panel="panel", log=False, columns=2)
    return _with_draws(chart, found)


def pruning(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Branch and bound (thesis, Table 8).

    Tree nodes of the second level's search trees in all groups of a workload, in the mean group, and the part at which an order
    was cut above its last job. Dots are means over up to {draws}, lines their range{diamonds}.
    """
    found = tables_of(connection, SEARCH, ["pect_o"], [*SEEDS, *LOGS])
    for row in found:
        del row["policy"], row["jobs"]
    found.sort(key=lambda row: [*SEARCH].index(row["metric"]))
    chart = beside_printed(found, "", by="workload_label", panel="panel")
    return titled(chart, found, draws=counted(str(max(row["draws"] for row in found)), "draw"))


def second_level(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """What the second level of the search gains (thesis, figures 27 to 29).

    Optimised SCOJO-PECT against the same without the second level, where the long-wide jobs are searched and all others follow
    the heuristic. Right of the dashed line the second level pays. Lines are 95 % intervals over {units}; the thesis finds 2 to
    6 % for medium and long jobs of seed 31.
    """
    words = {"mean_response": "Mean response time", "mean_wait": "Mean wait"}
    against = {"pect_o": "pect_o_first_level"}
    found = gains_of(connection, against, [BOUNDED], WIDTHS)
    found += [{**row, "job_class": words[row["metric"]]} for row in gains_of(connection, against, list(words), ["all"])]
    found = named(pooled(sorted(found, key=synthetic_first)))
    return _with_most_draws(gains(found, GAIN), found)


def slowdowns_without_smart_backfilling(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Bounded slowdown by class of job, without smart backfilling (thesis, figures 30 to 36).

    The mean bounded slowdown of SCOJO-PECT with and without group optimisation where jobs run in the slices of their
    own class only. Logarithmic axes; lines are 95 % intervals over {units} of a seed.
    """
    return _slowdowns(connection, "pect_ns", "pect_o_ns")


def worst_cases(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Worst cases without smart backfilling (thesis, figure 37).

    The largest bounded slowdown of a class, and its 99th percentile, as one job may be unlucky. Logarithmic axes; lines are
    95 % intervals over {units}.
    """
    found = pooled(draws_of(connection, ["pect_ns", "pect_o_ns"], list(WORST), CLASSES, workloads=EVERY_SEED))
    for row in found:
        row["panel"] = f"{row['job_class'].capitalize()} jobs: {WORST[row['metric']]}"
    return _with_draws(pairs(found, "Bounded slowdown (log scale)", by="workload_label", panel="panel"), found)


def response_and_wait_without_smart_backfilling(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Response and wait times without smart backfilling (thesis, figures 38 and 39).

    Means over all jobs; lines are 95 % intervals over {units}.
    """
    return _times(connection, "pect_ns", "pect_o_ns")


def search_at_every_event(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Group optimisation against search at every event (thesis, figures 40 and 41).

    Improvement of the mean bounded slowdown over a scheduler that forms no groups, keeps no plan and searches the order of the
    waiting jobs at every event. It approximates the scheduler of Vasupongayya, Chiang and Massey; the thesis compares itself with
    such an approximation and does not describe it. Lines are 95 % intervals over {units}.
    """
    found = gains_of(connection, {"pect_o_ns": "bottom_line_ns", "pect_o": "bottom_line"}, [BOUNDED], WIDTHS)
    found = named(pooled([{**row, "smart": LENDING[row.pop("policy")]} for row in found]))
    return _with_most_draws(gains(found, GAIN, kinds="smart"), found)


def quality_by_orders(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """How fast the search finds better orders.

    Total estimated slowdown of the best order found so far, in per cent of the heuristic's own, against the orders
    generated: median and quartiles over {searches} searches, logarithmic horizontal axis. A search may be stopped where its
    line runs flat; the thesis generates up to 10,000 orders.
    """
    found = rows_of(connection, "group_anytime")
    for row in found:
        row["series"] = f"{row['job_class']} jobs"
    axis = alt.Axis(title="Best order over the heuristic's (%)", tickCount=6)
    scale = alt.Scale(zero=False)
    colour = tint("series", dict(zip(in_order(found, "series"), ["#d98c00", ACCENT], strict=False)))
    x = alt.X("orders:Q", title="Orders generated (log scale)", scale=alt.Scale(type="log"),
              axis=alt.Axis(format="~s", values=[1, 10, 100, 1000, 10000]))  # fmt: skip
    hover = tips(("series", "Groups of"), ("orders", "Orders"), ("value", "Median (%)", ".4~r"),
                 ("low", "quartiles", ".4~r"),
                 ("high", "to", ".4~r"), ("searches", "Searches"))  # fmt: skip
    base = alt.Chart().encode(x=x, color=colour, tooltip=hover)
    band = base.mark_area(opacity=0.18).encode(y=alt.Y("low:Q", scale=scale, axis=axis), y2="high:Q")
    line = base.mark_line(interpolate="step-after").encode(y=alt.Y("value:Q", scale=scale, axis=axis))
    searches = sum({row["series"]: row["searches"] for row in found}.values())
    return titled(alt.layer(band, line).properties(height=260), found, searches=f"{searches:,}")


def cost_of_a_group(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """What ordering a group takes.

    Tree nodes of the second level's search and jobs placed for all purposes, by the jobs in the group: median and quartiles over
    {groups} groups, logarithmic axis. Groups of the largest size (20 medium, 30 long jobs) are searched in two halves.
    """
    found = rows_of(connection, "group_cost")
    for row in found:
        row["panel"] = f"Groups of {row['job_class']} jobs"
        row["series"] = {"tree_nodes": "tree nodes of the search", "placements": "jobs placed"}[row["what"]]
    scale = alt.Scale(type="log", nice=False, padding=10)
    axis = alt.Axis(title="Count per group (log scale)", format="~s", tickCount=5)
    colour = tint("series", {"tree nodes of the search": ACCENT, "jobs placed": "#d98c00"})
    hover = tips(("size", "Jobs in the group"), ("series", "What"), ("value", "Median", ",.4~r"),
                 ("low", "quartiles", ",.4~r"), ("high", "to", ",.4~r"), ("groups", "Groups"))  # fmt: skip
    base = alt.Chart().encode(
        x=alt.X("size:Q", title="Jobs in the group", scale=alt.Scale(zero=False)), color=colour, tooltip=hover
    )
    y = alt.Y("value:Q", scale=scale, axis=axis)
    chart = alt.layer(*with_intervals(base, y, 35, rule={"strokeWidth": 2, "opacity": 0.6})).properties(height=220)
    groups = sum(row["groups"] for row in found if row["what"] == "tree_nodes")
    return titled(small_multiples(chart, found, "panel", columns=2), found, groups=f"{groups:,}")


def shares_and_estimates(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """The logs with shares of their own, and with users' estimates (sensitivity, and beyond the thesis).

    The thesis gives long jobs 73 % and medium ones 26.5 % of the machine also where the log's work is divided otherwise
    (Table 6), and takes run times for estimates. One run each, so there are no intervals.
    """
    found = named(gains_on_logs(connection))
    for row in found:
        row["panel"] = f"{row['log']}: {row['job_class'].split(',')[0].lower()} jobs"
        row["low"], row["high"], row["units"] = row["value"], row["value"], 1
    return titled(gains(found, GAIN, by="setting", panel="panel"), found)


def space_sharing(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Time slices beside space sharing (context).

    The same jobs under {alone}, without any time sharing, by class of job; logarithmic axes, 95 % intervals over {units}.
    """
    policies = ["conservative", "easy", "pect", "pect_o"]
    rows = draws_of(connection, policies, [BOUNDED], CLASSES, workloads=SEEDS)
    found = named(pooled([{name: value for name, value in row.items() if name != "workload_label"} for row in rows]))
    alone = [label for label in in_order(found, "policy_label") if label in _space_sharing(connection)]
    if not alone:
        raise NoData("No policy of space sharing runs these jobs at this scale.")
    chart = pairs(found, SLOWDOWN, by="policy_label", panel="job_class")
    return _with_draws(chart, found, alone=" and ".join(alone))


def _with_draws(chart: Any, found: list[Row], **told: str) -> Any:
    """Attach rows to a chart, and how many draws each has."""
    return titled(chart, found, units=counted(span(found, "units"), "draw"), **told)


def _with_most_draws(chart: Any, found: list[Row], **told: str) -> Any:
    """Attach rows to a chart, and the most draws that one has."""
    return titled(chart, found, units=counted(str(max(row["units"] for row in found)), "draw"), **told)


def _times_as_many(found: list[Row]) -> str:
    """Say how many times as many groups form without smart backfilling as with it, on the workloads that have both."""
    groups: dict[str, dict[str, float]] = {"with smart backfilling": {}, "without smart backfilling": {}}
    for row in found:
        if row["metric"] in ("groups_medium", "groups_long") and row["workload_label"].startswith("Seed"):
            counts = groups[row["smart"]]
            counts[row["workload_label"]] = counts.get(row["workload_label"], 0) + row["value"]
    lent, kept = groups.values()
    both = [label for label in lent if label in kept]
    total = sum(lent[label] for label in both)
    return f"{sum(kept[label] for label in both) / total:.2g}" if total else "no"


def _space_sharing(connection: duckdb.DuckDBPyConnection) -> set[str]:
    """Return the labels of the shown policies that share the machine in space alone."""
    found = connection.execute("SELECT DISTINCT policy_label FROM shown WHERE family = 'space_sharing'").fetchall()
    return {str(label) for (label,) in found}


def _slowdowns(connection: duckdb.DuckDBPyConnection, base: str, optimised: str) -> Any:
    """Draw slowdowns by class of job under two schedulers, a panel per workload."""
    scopes = [name for name in JOBS if name != "all"]
    found = named(pooled(draws_of(connection, [base, optimised], [BOUNDED], scopes)))
    return _with_draws(pairs(found, SLOWDOWN), found)


def _times(connection: duckdb.DuckDBPyConnection, base: str, optimised: str) -> Any:
    """Draw response and wait times of two schedulers, a row per workload."""
    found = pooled(draws_of(connection, [base, optimised], list(TIMES), ["all"], 3600))
    for row in found:
        row["panel"] = TIMES[row["metric"]]
    chart = pairs(found, "Mean (h)", by="workload_label", panel="panel", log=False, columns=2)
    return _with_draws(chart, found)
