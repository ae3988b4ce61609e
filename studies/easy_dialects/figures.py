"""Figures of the study of EASY's dialects: each switch turned alone, against the default on the same jobs."""

import bisect

import altair as alt
import duckdb

from reports.draw import charts
from reports.draw.marks import tint
from reports.draw.theme import ACCENT

rows_of = charts.queries_of(__file__)

LIMITS = (1.25, 2.5)
CHANGES = ("small changes", "larger changes", "changes by a factor")
"""Ratios, or their inverses, that separate options that change little, more and most, and the names of these groups."""
MEASURES = {"mean_wait": "Mean wait", "mean_bounded_slowdown_10": "Mean bounded slowdown (10 s)"}


def cost_of_each_choice(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """What each option costs: paired ratio to the default.

    Each row changes one option of EASY and leaves the others at their defaults. A mark is the ratio to the default on
    the same jobs, with its 95 % interval ({units} batches a log). Right of the dashed line the option costs, left of it
    it gains. A hollow mark may be chance, because its interval contains 1. {sure} of {pairs} ratios differ from 1; about
    one in twenty would by chance alone. Options are grouped by how much they change a mean on some log: by less than a
    quarter, by more, or by a factor.
    The panels of a group share an axis.
    """
    found = rows_of(connection, "dialect_ratios")
    reach = dict.fromkeys(charts.in_order(found, "policy"), 1.0)
    for row in found:
        reach[row["policy"]] = max(reach[row["policy"]], row["ratio"], 1 / row["ratio"])
    place = {policy: bisect.bisect(LIMITS, most) for policy, most in reach.items()}
    found.sort(key=lambda row: place[row["policy"]])
    for row in found:
        row["measure"] = MEASURES[row["metric"]]
        row["change"] = CHANGES[place[row["policy"]]]
    charts.on_log_axis(found, "change", "ratio", "ratio_low")
    colour = tint("measure", dict(zip(MEASURES.values(), (ACCENT, "#d98c00"), strict=True)))
    offset = alt.YOffset("measure:N", sort=[*MEASURES.values()])
    hover = charts.tips(("policy_label", "Option"), ("measure", "Measure"),
                        ("ratio", "Ratio", ".4~r", "ratio_low", "ratio_high"))  # fmt: skip
    parts = []
    for change in CHANGES:
        alike = [row for row in found if row["change"] == change]
        labels = charts.in_order(alike, "policy_label")
        y = alt.Y("policy_label:N", sort=labels, title=None)
        for log in charts.in_order(alike, "workload_label"):
            part = charts.ratio(y, colour, "Ratio to the default (log scale)", hover, alike, offset=offset)
            part = part.transform_filter((alt.datum.change == change) & (alt.datum.workload_label == log))
            parts.append(part.properties(height=alt.Step(14), title=[log, change]))
    sure = sum(row["ratio_low"] > 1 or row["ratio_high"] < 1 for row in found)
    units = sorted({row["units"] for row in found})
    facets = charts.panels(parts, columns=2)
    return charts.titled(facets, found, units=" or ".join(map(str, units)), sure=sure, pairs=len(found))


def starts_that_change(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Jobs that start at another time.

    The share of jobs whose start differs from the default's, by option. An option may move many starts and change no
    mean, because one job gains what another loses. [[Hover for how many start earlier or later, and by how much.]]
    """
    found = rows_of(connection, "dialect_starts")
    labels = charts.in_order(found, "policy_label")
    base = alt.Chart().encode(
        y=alt.Y("policy_label:N", sort=labels, title=None),
        tooltip=charts.tips(("policy_label", "Option"), ("changed", "Starts changed (%)", ".2f"),
                            ("earlier", "earlier (%)", ".2f"), ("later", "later (%)", ".2f"),
                            ("shift", "Median shift of those (h)", ",.3~r")),
    )  # fmt: skip
    bar = base.mark_bar(color=ACCENT, height=10).encode(x=alt.X("changed:Q", title="Starts that change (%)"))
    text = base.mark_text(align="left", dx=4).encode(x="changed:Q", text=alt.Text("changed:Q", format=".1f"))
    chart = (bar + text).properties(height=alt.Step(20))
    return charts.titled(charts.small_multiples(chart, found, "workload_label"), found)
