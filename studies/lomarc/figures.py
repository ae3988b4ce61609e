"""Figures of the study of LOMARC: those of Sodan and Lan's sections 4 to 6, who gains, and what the slowdown model decides.

A hollow diamond is a number that the paper prints, of one sample of jobs; the pictures of its figures are lost as numbers.
"""

from collections.abc import Sequence
from typing import Any

import altair as alt
import duckdb

from reports.draw import charts
from reports.draw.marks import no_difference, tint, with_intervals
from reports.draw.theme import ACCENT, NEUTRAL
from reports.figures.forms.funnel import FILTERS, funnel
from reports.figures.forms.pooled import pooled
from reports.figures.forms.strategies import printed_marks

rows_of = charts.queries_of(__file__)

LADDER = ["lomarc-w1", "lomarc-w2", "lomarc-w3"]
MIXTURES = ["lomarc-w1", "lomarc-w1-m2", "lomarc-w1-m3"]
TIMES = {"mean_response": "response time", "mean_relative_response": "relative response time"}
MACHINE = {"utilisation": "utilisation (%)", "utilisation_efficiency": "utilisation efficiency (%)"}
SAVED = "Better than PSS by (%)"
FORMULAS = {"shared parts alone, at least 1": "#d98c00", "unshared parts counted": ACCENT}
"""The formulas for the slowdown of a pair, as readings call them, and their colours."""


def gains(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """What sharing processors gains over not sharing (paper, figures 6 and 7).

    Response times, absolute and over run time, against those of PSS on the same jobs: right of the dashed line a strategy
    is better. A gain is the mean of the gains of each sample; ratios in tables compare means over all samples. Lines are 95 %
    intervals over {units} samples{diamonds}; hollow marks are not significant. AC pairs whatever fits, AM pairs a job with the
    next in the queue; L-N chooses partners on standard processors, the others on hyperthreaded ones.
    """
    return _gains(connection, list(TIMES), LADDER)


def response_times(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Mean response time under three workloads (paper, figure 6).

    Logarithmic axes, one per workload; lines are 95 % intervals over {units} samples. Overlapping intervals say little: all
    strategies have the same samples, and the figure of gains compares them in pairs.
    """
    return _values(connection, {"mean_response": "Mean response time (h, log scale)"}, 3600)


def relative_response_times(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Mean relative response time under three workloads (paper, figure 7).

    Response over run time, run times below 60 s counted as 60 s, and nothing keeps the ratio above 1, as in the paper.
    Logarithmic axes, one per workload; lines are 95 % intervals over {units} samples.
    """
    return _values(connection, {"mean_relative_response": "Mean relative response time (log scale)"}, 1)


def mixtures(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Other mixtures of jobs (paper, figure 9).

    What each strategy gains over PSS under W1. Of the jobs 40, 30 and 30 % are bound by the processor, the network and the
    disk (M1); or 40, 10 and 50 % (M2); or 30, 50 and 20 % (M3). Lines are 95 % intervals over {units} samples{diamonds}. L-N
    pairs only processor-bound with disk-bound jobs, so it depends on the mixture most.
    """
    return _gains(connection, list(TIMES), MIXTURES)


def utilisation_and_efficiency(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Utilisation and utilisation efficiency (paper, figure 8).

    Above: the share of processor time, until the last job ends, in which at least one job holds the processor. Below:
    the work done as a share of the same time; it exceeds 100 % where sharing gains more than it costs. Lines are 95 %
    intervals over {units} samples. Sharing leaves processors free where jobs arrive no faster than the machine works.
    """
    return _values(connection, MACHINE, 0.01, log=False)


def makespans(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Shorter makespan and higher efficiency (paper, section 6.2).

    Against PSS on the same jobs: how much earlier the last job ends, and how much more work is done in the time until then.
    One follows from the other, as the work is the same. Lines are 95 % intervals over {units} samples{diamonds}; the
    makespan of PSS is {weeks} weeks under W1.
    """
    chart = _gains(connection, ["makespan", "utilisation_efficiency"], LADDER)
    return charts.also(chart, weeks=_weeks(connection))


def classes_of_jobs(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Who gains and who pays.

    Mean response time of short jobs (estimates of up to a minute, which never share processors), medium ones (up to an
    hour) and long ones, against PSS on the same jobs: left of the dashed line a class pays. Lines are 95 % intervals over
    {units} samples; hollow marks are not significant.
    """
    policies = ["ac", "am", "l-n", "l-r"]
    found = pooled(rows_of(connection, "lomarc_classes", workloads=LADDER, policies=policies))
    for row in found:
        row["panel"] = f"{row['workload_label']}: {row['job_class']} jobs"
    return _about_zero(connection, found)


def filter_chain(connection: duckdb.DuckDBPyConnection) -> Any:
    """Who is left to choose from (paper, Table 5).

    A search begins with the jobs that wait behind the one that gets processors. Points show how many are left after each
    condition, and in grey the place of the chosen one among the last. Means over searches that ended with a match; lines are 95 %
    intervals over {units} samples{diamonds}.
    """
    found = rows_of(
        connection, "intervals_printed", metrics=list(FILTERS), workloads=list(LADDER), policies=["l-u1", "l-u2", "l-r"]
    )
    for row in found:
        row |= {bound: row["value"] for bound in ("low", "high") if row[bound] is None}
    found.sort(key=lambda row: LADDER.index(row["workload"]))
    if not found:
        raise charts.NoData("No pair was formed at this scale.")
    return funnel(found, "Jobs", FILTERS)


def estimates_and_measurements(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Slowdowns by the two formulas, as estimated and as measured (paper, Table 2).

    Two applications run beside each other; both communicate for a part of their time, in messages of so many bytes. Slowdowns
    are by the formula as printed, with the unshared parts counted, as the paper estimates (diamonds) and as it measured (the
    slower of the two). Where only one formula is visible both agree. The printed one misses the estimates where the two
    communicate unequally long.
    """
    found = _table_2(connection)
    colours = {"printed formula": "#d98c00", "unshared parts counted": ACCENT, "measured": NEUTRAL}
    x_scale, axis = alt.Scale(zero=False, nice=True, padding=12), alt.Axis(title="Slowdown", tickCount=6)
    y = alt.Y("pair:N", sort=charts.in_order(found, "pair"), title=None, axis=alt.Axis(grid=True, labelLimit=290))
    hover = charts.tips(("pair", "Applications"), ("which", "Slowdown"), ("value", "is", ".3~r"))
    marks = (
        alt.Chart()
        .transform_filter("isValid(datum.which)")
        .mark_point(size=60, filled=True)
        .encode(
            x=alt.X("value:Q", scale=x_scale, axis=axis),
            y=y,
            color=tint("which", colours, legend=alt.Legend(symbolType="circle")),
            tooltip=hover,
        )
    )
    quoted = printed_marks(alt.X("printed:Q", scale=x_scale, axis=axis), y)
    return charts.titled(alt.layer(marks, quoted).properties(height=alt.Step(22)), found)


def gains_by_formula(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """The gain against the load, by slowdown formula (readings).

    How much L-R saves of the times of PSS, under W1 to W3 and at a tenth of the printed loads. Lines are 95 % intervals over
    {units} samples{diamonds}, drawn at the loads that W1 and W3 have here, because the loads of the paper are not known. If
    unshared parts count, pairs are slower and less is saved.
    """
    readings = ["printed", "offered", "unshared", "unshared-offered"]
    found = pooled(rows_of(connection, "lomarc_formulas", readings=readings, workloads=LADDER, metrics=list(TIMES)))
    if len({row["formula"] for row in found}) < 2:
        raise charts.NoData("No reading with another slowdown formula takes part at this scale.")
    for row in found:
        row["panel"] = f"Saved {TIMES[row['metric']]} (%)"
    shown = charts.in_order(found, "formula")
    colour = tint("formula", {name: colour for name, colour in FORMULAS.items() if name in shown})
    x = alt.X("load:Q", title="Offered load", scale=alt.Scale(zero=False, nice=True), axis=alt.Axis(tickCount=6))
    scale, axis = alt.Scale(zero=True, nice=True), alt.Axis(title=None, tickCount=5)
    hover = charts.tips(("formula", "Formula"), ("workload_label", "Workload"), ("load", "Offered load", ".2f"),
                        ("value", "Saved (%)", ".3~r", "low", "high"))  # fmt: skip
    base = alt.Chart().encode(x=x, color=colour, tooltip=hover)
    bounds = base.mark_rule(strokeWidth=2).encode(y=alt.Y("low:Q", scale=scale, axis=axis), y2="high:Q")
    line = base.mark_line(point={"size": 50}).encode(y=alt.Y("value:Q", scale=scale, axis=axis))
    quoted = printed_marks(x, alt.Y("printed:Q", scale=scale, axis=axis))
    chart = alt.layer(bounds, line, quoted).properties(height=190)
    panels = charts.small_multiples(chart, found, "panel", columns=2)
    return charts.titled(panels, found)


def _gains(connection: duckdb.DuckDBPyConnection, metrics: Sequence[str], workloads: Sequence[str]) -> alt.Chart:
    """Draw what strategies gain over PSS by some metrics, a panel per metric and workload."""
    words = TIMES | {"makespan": "makespan", "utilisation_efficiency": "utilisation efficiency"}
    found = pooled(rows_of(connection, "lomarc_gains", metrics=list(metrics), workloads=list(workloads)))
    for row in found:
        row["panel"] = f"{row['workload_label']}: {words[row['metric']]}"
    return _about_zero(connection, found)


def _about_zero(connection: duckdb.DuckDBPyConnection, found: list[charts.Row]) -> alt.Chart:
    """Draw ``value`` with ``low`` to ``high`` about zero, a row per strategy, a panel per value of ``panel``."""
    known = charts.policies_of(connection, found)
    scale, axis = alt.Scale(zero=False, nice=True, padding=10), alt.Axis(title=SAVED, tickCount=4, format=",~r")
    hover = charts.tips(("policy_label", "Strategy"), ("value", SAVED, ".3~r", "low", "high"),
                        ("printed", "Printed", ".3~r"))  # fmt: skip
    y, colour = charts.policy_axis(known), charts.policy_colour(known, legend=False)
    base = alt.Chart().encode(y=y, color=colour, tooltip=hover)
    x, sure = alt.X("value:Q", scale=scale, axis=axis), "datum.low > 0 || datum.high < 0"
    layers = [no_difference(0), *with_intervals(base, x, 55, sure=sure)]
    if any(row.get("printed") is not None for row in found):
        layers.append(printed_marks(alt.X("printed:Q", scale=scale, axis=axis), y))
    chart = alt.layer(*layers).properties(height=alt.Step(20))
    panels = charts.small_multiples(chart, found, "panel", columns=3)
    return charts.titled(charts.own_rows(panels, found, "panel", x="independent"), found)


def _values(
    connection: duckdb.DuckDBPyConnection, metrics: dict[str, str], divisor: float, log: bool = True
) -> alt.Chart:
    """Draw strategies by some metrics with their intervals, a panel per metric and workload."""
    asked = {"metrics": list(metrics), "workloads": LADDER, "policies": None}
    found = rows_of(connection, "intervals_printed", **asked)
    several = len(metrics) > 1
    for row in found:
        row |= {name: row[name] / divisor for name in ("value", "low", "high") if row[name] is not None}
        row["panel"] = f"{row['workload_label']}: {metrics[row['metric']]}" if several else row["workload_label"]
    if log:
        charts.on_log_axis(found, "panel")
    title = None if several else next(iter(metrics.values()))
    known = charts.policies_of(connection, found)
    scale = alt.Scale(type="log", nice=False, padding=12) if log else alt.Scale(zero=False, nice=True, padding=10)
    axis = alt.Axis(title=title, tickCount=4, format=",~r")
    hover = charts.tips(("policy_label", "Strategy"), ("value", title or "Value", ",.4~r", "low", "high"))
    base = alt.Chart().encode(
        y=charts.policy_axis(known), color=charts.policy_colour(known, legend=False), tooltip=hover
    )
    x, low = alt.X("value:Q", scale=scale, axis=axis), "drawn_low" if log else "low"
    marks = with_intervals(base, x, 60, low=low, shape=charts.policy_shape(known))
    chart = alt.layer(*marks).properties(height=alt.Step(20))
    panels = charts.small_multiples(chart, found, "panel", columns=3)
    return charts.titled(panels.resolve_scale(x="independent"), found)


def _weeks(connection: duckdb.DuckDBPyConnection) -> str:
    """Return the mean makespan of PSS under W1 in weeks."""
    row = connection.execute(
        "SELECT avg(value) / 604800 FROM run_values WHERE (workload, policy, metric) = ('lomarc-w1', 'pss', 'makespan')"
    ).fetchone()
    return "–" if row is None or row[0] is None else f"{row[0]:.3g}"


def _table_2(connection: duckdb.DuckDBPyConnection) -> list[charts.Row]:
    """Return the cells of Table 2: by each formula and as measured, and apart from these the printed estimates."""
    query = """
        SELECT
            e.scope, regexp_extract(e.scope, '^([0-9.]+)', 1)::DOUBLE AS f,
            regexp_extract(e.scope, ' & ([0-9.]+)', 1)::DOUBLE AS g,
            e.printed, greatest(m.printed, n.printed) AS measured
        FROM printed_values AS e
        JOIN printed_values AS m USING (scope)
        JOIN printed_values AS n USING (scope)
        WHERE e.metric = 'table_2_estimate' AND m.metric = 'table_2_row' AND n.metric = 'table_2_column'
        ORDER BY f, g, e.scope DESC"""
    found: list[charts.Row] = []
    for scope, f, g, estimate, measured in connection.execute(query).fetchall():
        parts = [one.split("/") for one in scope.split(" & ")]
        pair = " beside ".join(f"{100 * float(part):.0f} % in {int(size):,} B" for part, size in parts)
        shared = min(f, g) + min(1 - f, 1 - g)
        slowdowns = {"printed formula": 2 * shared, "unshared parts counted": 1 + shared, "measured": measured}
        found += [{"pair": pair, "which": which, "value": round(value, 6)} for which, value in slowdowns.items()]
        found.append({"pair": pair, "which": None, "value": None, "printed": estimate, "place": "Table 2"})
    if not found:
        raise charts.NoData("The printed numbers are not at hand.")
    return found
