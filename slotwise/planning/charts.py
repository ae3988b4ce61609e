"""The charts of a what-if page, as Altair charts and as pictures for a page that opens from disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt
import numpy as np
import polars as pl

from reports.draw.drawing import described
from reports.draw.theme import DEALT, INK, SHAPES, SOFT, PolicyLook, looks
from slotwise.decisions.gantt import svg_of
from slotwise.planning.simulations import WhatIf
from slotwise.planning.waits import WEEK_US, with_enough_jobs

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 380, 190
"""The size of a chart: half of a page, of which a phone shows all."""
RECORDED = PolicyLook("recorded", "recorded", INK["light"], SHAPES[-1])
"""How recorded values are drawn, on every chart."""

BASELINE = DEALT[1]
"""The colour of the baseline, which is far from all others that policies take first."""

LEGEND = 66
"""How many characters stand in a row of a legend."""

WAIT = "mean wait (h), log above 1 h"

TICKS_H = (0, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Hours at which an axis of mean waits has ticks."""

QUEUES = (0, 5, 10, 20, 50, *(digit * 10**power for power in range(2, 7) for digit in (1, 2, 5)))
"""Ticks of an axis of waiting jobs."""

HOURS = (1 / 60, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Ticks of a logarithmic axis of waits."""

FINE_RATIOS = (0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 1, 1.2, 1.5, 2, 3, 5, 10)
COARSE_RATIOS = (0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000)
"""Ticks of an axis of ratios, up to a span of :data:`WIDE` and beyond."""

WIDE = 6
LEAST_RATIO = 0.01
"""The lower end of an interval on a logarithmic axis, which has no 0."""

AS_CHANGE = (
    "datum.value >= 2 ? '×' + datum.value : datum.value == 1 ? '0' : format(100 * datum.value - 100, '+.0f') + ' %'"
)
"""Writes a ratio on an axis as tables write it: a change in percent, a multiple from twice."""

LONG_US = 40 * WEEK_US
"""Longer logs have months on their axis, shorter ones days."""


LINES = "split(replace(datum.label, ' from ', ', from '), ', ')"
"""Splits the label of a scenario into lines: one for each change, and one for the hours in which a queue is closed."""

LINE = 13
"""The height of a line of such a label."""


def lines(label: str) -> int:
    """Return into how many lines :data:`LINES` splits a label."""
    return len(label.replace(" from ", ", from ", 1).split(", "))


def waits() -> alt.Y:
    """Return the axis of mean waits: straight up to an hour, logarithmic above."""
    return alt.Y(
        "wait_h:Q",
        title=WAIT,
        scale=alt.Scale(type="symlog", constant=1),
        axis=alt.Axis(values=list(TICKS_H), labelExpr="format(datum.value, '~g')"),
    )


def picture(chart: Any, title: str) -> str:
    """Return a chart as SVG text with a name for readers who do not see it."""
    return described(svg_of(chart), title)


def rows(table: pl.DataFrame) -> alt.Data:
    """Return a table as the data of a chart."""
    return alt.Data(values=table.to_dicts())


def looks_of(found: WhatIf) -> dict[str, PolicyLook]:
    """Return how the baseline, each scenario and what the log recorded are drawn, by label: alike on the whole page."""
    results = [found.tuned_result, *found.results] if found.tuned_result else found.results
    labels = [found.baseline.label, *(one.label for one in results), *(one.label for one in found.growth)]
    stated = {found.baseline.label: BASELINE}
    return {look.label: look for look in (*looks({name: name for name in labels}, stated), RECORDED)}


def coloured(found: WhatIf, names: Sequence[str], shown: bool = True) -> alt.Color:
    """Return a colour by ``series`` for labels in their order, with a legend if it is to be ``shown``."""
    scale = alt.Scale(domain=list(names), range=[looks_of(found)[name].colour for name in names])
    legend = alt.Legend(columns=max(LEGEND // (4 + max(map(len, names), default=0)), 1)) if shown else None
    return alt.Color("series:N", scale=scale, sort=list(names), title=None, legend=legend)


def shaped(found: WhatIf, names: Sequence[str]) -> alt.Shape:
    """Return a shape by ``series``, with the legend of the colours."""
    scale = alt.Scale(domain=list(names), range=[looks_of(found)[name].shape for name in names])
    return alt.Shape("series:N", scale=scale, sort=list(names), title=None)


def time_axis(found: WhatIf, title: str = "week") -> alt.X:
    """Return the axis of weeks: dates if the log says when it began, else numbers."""
    if "clock" in found.workload.provenance:
        span_us = found.workload.jobs["submit_us"][-1] - found.workload.jobs["submit_us"][0]
        dates, ticks = ("%b %Y", 4) if span_us > LONG_US else ("%d %b", 6)
        return alt.X(
            "time:T",
            title=title,
            axis=alt.Axis(format=dates, grid=False, tickCount=ticks, labelOverlap="parity", labelSeparation=8),
        )
    return alt.X("time:Q", title=f"{title}, from the first", axis=alt.Axis(grid=False))


def timed(table: pl.DataFrame, found: WhatIf) -> pl.DataFrame:
    """Return a table of weeks with the column ``time`` of :func:`time_axis`."""
    clock = found.workload.provenance.get("clock")
    if clock is None:
        return table.with_columns(time=pl.col("week"))
    seconds = pl.col("week") * (WEEK_US // 1_000_000) + clock["start_s"] + clock["utc_offset_s"]
    return table.with_columns(time=seconds * 1000)


def weekly_lines(table: pl.DataFrame, found: WhatIf, y: alt.Y) -> Any | None:
    """Return a value of weeks as lines: columns ``week, series`` and that of ``y``; None for fewer than two weeks."""
    if table["week"].n_unique() < 2:
        return None
    names = table["series"].unique(maintain_order=True).to_list()
    return (
        alt.Chart(rows(timed(table, found)), width=WIDTH, height=HEIGHT)
        .mark_line(strokeWidth=1.6)
        .encode(x=time_axis(found), y=y, color=coloured(found, names))
    )


def trust(found: WhatIf) -> Any | None:
    """Return the recorded weekly mean waits beside those of the baseline; None without recorded ones."""
    known = found.validation.groups if found.validation else {}
    if "week" not in known:
        return None
    weeks = with_enough_jobs(known["week"])
    named = (("recorded_h", RECORDED.label), ("simulated_h", found.baseline.label))
    return weekly_lines(pl.concat(part_of(weeks, *one) for one in named), found, waits())


def part_of(weeks: pl.DataFrame, column: str, name: str) -> pl.DataFrame:
    """Return ``week, wait_h, series``: a column of weekly mean waits under the name of its series."""
    return weeks.select("week", wait_h=column, series=pl.lit(name))


def weeks(found: WhatIf) -> Any | None:
    """Return weekly mean waits before and after the change that the page looks at, with the recorded ones where known."""
    shown = found.shown
    if "week" not in shown.effect.groups:
        return None
    table = with_enough_jobs(shown.effect.groups["week"])
    parts = [part_of(table, "before_h", found.baseline.label), part_of(table, "after_h", shown.label)]
    known = found.validation.groups if found.validation else {}
    if "week" in known:
        parts.append(part_of(with_enough_jobs(known["week"]), "recorded_h", RECORDED.label))
    return weekly_lines(pl.concat(parts), found, waits())


def use(found: WhatIf) -> Any | None:
    """Return the utilisation of each week; None for fewer than two weeks."""
    y = alt.Y("utilisation:Q", title="utilisation", axis=alt.Axis(format="%"), scale=alt.Scale(domainMin=0))
    return weekly_state(found, y)


def queue(found: WhatIf) -> Any | None:
    """Return the mean number of waiting jobs of each week; None for fewer than two weeks."""
    y = alt.Y(
        "queue:Q",
        title="waiting jobs, log above 10",
        scale=alt.Scale(type="symlog", constant=10),
        axis=alt.Axis(values=list(QUEUES), format=",d"),
    )
    return weekly_state(found, y)


def weekly_state(found: WhatIf, y: alt.Y) -> Any | None:
    """Return a line by week for the log, the baseline, and the change that the page looks at if it keeps the load."""
    shown, base = found.shown, found.baseline
    series = [(base.label, base.weeks)]
    series += [(shown.label, shown.weeks)] if shown.scenario.load == base.scenario.load else []
    series += [] if found.recorded is None else [(RECORDED.label, found.recorded)]
    return weekly_lines(pl.concat(weeks.with_columns(series=pl.lit(name)) for name, weeks in series), found, y)


def hours(found: WhatIf) -> Any | None:
    """Return the mean waits by hour of submission, before and after; None when the log does not say when it began."""
    names = [found.baseline.label, found.shown.label]
    if "hour" not in found.shown.effect.groups:
        return None
    table = found.shown.effect.groups["hour"].select("hour", "before_h", "after_h")
    named = zip(("before_h", "after_h"), names, strict=True)
    long = pl.concat(table.select("hour", wait_h=column, series=pl.lit(name)) for column, name in named)
    x = alt.X("hour:O", title="hour of submission", axis=alt.Axis(labelAngle=0, values=list(range(0, 24, 3))))
    y = alt.Y("wait_h:Q", title="mean wait (h)", scale=alt.Scale(zero=True))
    joined = alt.Chart(rows(table)).mark_rule(color=SOFT["light"]).encode(x=x, y=alt.Y("before_h:Q"), y2="after_h:Q")
    dots = (
        alt.Chart(rows(long))
        .mark_point(filled=True, size=60)
        .encode(x=x, y=y, color=coloured(found, names), shape=shaped(found, names))
    )
    return alt.layer(joined, dots).properties(width=WIDTH, height=HEIGHT)


def ratios(found: WhatIf) -> Any | None:
    """Return the change of the mean wait under each scenario, with its interval; None when no job waits in the baseline."""
    table = pl.DataFrame(
        [
            {
                "series": one.label,
                "ratio": ratio.ratio,
                "low": ratio.low and max(ratio.low, LEAST_RATIO),
                "high": ratio.high,
            }
            for one in found.results
            if (ratio := one.effect.ratios["wait_h"]).ratio
        ],
        schema={"series": pl.String, "ratio": pl.Float64, "low": pl.Float64, "high": pl.Float64},
    )
    if table.is_empty():
        return None
    order = table["series"].to_list()
    ends = pl.concat([table["low"], table["high"], table["ratio"]]).drop_nulls().to_numpy()
    ticks = COARSE_RATIOS if ends.max() > WIDE * ends.min() else FINE_RATIOS
    x = alt.X(
        "ratio:Q",
        title=f"change of the mean wait against {found.baseline.label} (logarithmic)",
        scale=alt.Scale(type="log", nice=False, padding=20),
        axis=alt.Axis(values=list(ticks), labelOverlap="greedy", labelExpr=AS_CHANGE),
    )
    raised = {"condition": {"test": "true", "expr": f"{-LINE / 2} * (length({LINES}) - 1)"}, "value": 0}
    y = alt.Y("series:N", sort=order, title=None, axis=alt.Axis(labelLimit=160, labelExpr=LINES, labelOffset=raised))
    base = alt.Chart(rows(table)).encode(color=coloured(found, order, shown=False))
    line = alt.Chart(alt.Data(values=[{"one": 1}])).mark_rule(color=SOFT["light"], strokeDash=[4, 3]).encode(x="one:Q")
    spans = base.mark_rule(strokeWidth=2).encode(x=x, x2="high:Q", y=y).transform_calculate(ratio="datum.low")
    dots = base.mark_point(filled=True, size=70).encode(x=x, y=y)
    step = max(32, LINE * (max(map(lines, order)) + 1))
    return alt.layer(line, spans, dots).properties(width=WIDTH - 110, height=step * max(table.height, 2))


def growth(found: WhatIf) -> Any | None:
    """Return the mean wait of each policy over the load; None where there is no load to change."""
    if not found.growth:
        return None
    table = pl.DataFrame(
        [
            {"series": one.label, "load": round(100 * (one.load - 1), 3), "wait_h": one.mean_wait_h}
            for one in found.growth
            if one.processors == found.baseline.scenario.processors
        ]
    ).unique(maintain_order=True)
    names = table["series"].unique(maintain_order=True).to_list()
    base = alt.Chart(rows(table), width=WIDTH, height=HEIGHT).encode(
        x=alt.X(
            "load:Q", title="change of the load (%)", axis=alt.Axis(values=table["load"].unique().sort().to_list())
        ),
        y=waits(),
        color=coloured(found, names),
        shape=shaped(found, names),
    )
    return base.mark_line() + base.mark_point(filled=True, size=45)


def users(found: WhatIf) -> Any | None:
    """Return the mean wait of each user before and after, on logarithmic axes; None when jobs have no users."""
    shown = found.shown
    if "user" not in shown.effect.groups:
        return None
    least = 1 / 60
    table = shown.effect.groups["user"].with_columns(
        before_h=pl.col("before_h").clip(least), after_h=pl.col("after_h").clip(least)
    )
    both = np.concatenate([table["before_h"].to_numpy(), table["after_h"].to_numpy()])
    low, high = float(both.min()) / 1.2, float(both.max()) * 1.2
    scale = alt.Scale(type="log", domain=[low, high], nice=False)
    marks = alt.Axis(values=list(HOURS), labelExpr="datum.value < 0.02 ? '1 min' : format(datum.value, '~g') + ' h'")
    line = alt.Chart(alt.Data(values=[{"x": low, "y": low}, {"x": high, "y": high}])).mark_line(
        color=SOFT["light"], strokeDash=[4, 3], strokeWidth=1
    )
    dots = alt.Chart(rows(table.select("before_h", "after_h", "jobs"))).mark_point(
        filled=True, opacity=0.55, color=looks_of(found)[shown.label].colour
    )
    return alt.layer(
        line.encode(x=alt.X("x:Q", scale=scale), y=alt.Y("y:Q", scale=scale)),
        dots.encode(
            x=alt.X("before_h:Q", scale=scale, axis=marks, title=f"mean wait of a user under {found.baseline.label}"),
            y=alt.Y("after_h:Q", scale=scale, axis=marks, title=f"under {shown.label}"),
            size=alt.Size("jobs:Q", scale=alt.Scale(range=[15, 500]), legend=None),
        ),
    ).properties(width=WIDTH - 30, height=WIDTH - 60)
