"""The effect a study is about, under every reading of its source."""

import json
from typing import Any

import altair as alt
import duckdb

from reports.draw.charts import in_order, panels, study_rows, tips, titled
from reports.draw.marks import with_intervals
from reports.draw.theme import NEUTRAL
from reports.draw.verdicts import VERDICT_LOOKS
from reports.draw.vocabulary import printed_number
from reports.figures.general.needs import needs
from reports.measure.verdict_words import NOT_TESTABLE

ROW = 17
"""Height of a row of choices, in pixels."""


@needs(curve=True, always=True)
def specification_curve(connection: duckdb.DuckDBPyConnection, study: str) -> alt.ConcatChart:
    """The effect under every reading.

    {claim}: above, the value under each reading of the source, sorted, with its 95 % interval; below, the choices of each
    reading, faint where the headline makes the same. {lines} Brackets mark the headline, on which verdicts rest. If the
    marks move as the dots change rows, that choice decides the result. Intervals are wide where few draws were run. After
    Simonsohn, Simmons and Nelson, "Specification curve analysis", Nature Human Behaviour 4 (2020); the readings are a
    multiverse as Steegen, Tuerlinckx, Gelman and Vanpaemel have it, Perspectives on Psychological Science 11 (2016).
    """
    found = study_rows(connection, study, "specification_curve")
    for row in found:
        text = row.pop("printed_text")
        row["printed"] = printed_number(text, row["unit"]) if row["printed"] is None else row["printed"]
    first = found[0]
    rows = [chosen for row in found for chosen in choices_of(row, deciding(found))]
    own = {row["option"] for row in rows if row["headline"]}
    for row in rows:
        row["as_headline"] = row["option"] in own
    hover = tips(("reading", "Reading"), ("verdict", "Verdict"), ("value", "Value", ",.3~r", "low", "high"),
                 ("draws", "Draws"))  # fmt: skip
    title = f"Value ({first['unit']})" if first["unit"] else "Value"
    chart = panels([effect(rows, title, hover), grid(rows, hover)], columns=1)
    return titled(chart, rows, claim=first["claim_headline"], lines=lines_in_words(first))


def deciding(found: list[dict[str, Any]]) -> list[str]:
    """List the choices in which the readings differ."""
    stated = [json.loads(row["choices"] or "{}") for row in found]
    return [name for name in stated[0] if len({one.get(name) for one in stated}) > 1]


def choices_of(row: dict[str, Any], names: list[str]) -> list[dict[str, Any]]:
    """Return a row for each choice in which readings differ; the first carries the effect."""
    stated = json.loads(row["choices"] or "{}")
    kept = {key: value for key, value in row.items() if key not in ("choices", "reading_label")}
    kept["reading"] = f"[{row['reading_label']}]" if row["headline"] else row["reading_label"]
    options = [(name, f"{name}: {stated.get(name, 'not said')}") for name in names] or [("", "")]
    return [
        {**kept, "choice": name, "option": option, "first": place == 0} for place, (name, option) in enumerate(options)
    ]


def effect(rows: list[dict[str, Any]], title: str, hover: list[alt.Tooltip]) -> alt.LayerChart:
    """Draw the effect under each reading, with the printed value and the value of no effect."""
    looks = {name: look for name, look in VERDICT_LOOKS.items() if name in in_order(rows, "verdict")}
    colour = alt.Scale(
        domain=list(looks), range=[NEUTRAL if name == NOT_TESTABLE else look.light for name, look in looks.items()]
    )
    shape = alt.Scale(domain=list(looks), range=[look.shape for look in looks.values()])
    across = alt.X("reading:N", sort=in_order(rows, "reading"), title=None, axis=alt.Axis(labels=False, ticks=False))
    tint = alt.Color("verdict:N", scale=colour, legend=alt.Legend(title=None))
    bare = alt.Chart().transform_filter("datum.first").encode(x=across, color=tint, tooltip=hover)
    y = alt.Y("value:Q", title=title, scale=alt.Scale(zero=False))
    marks = with_intervals(bare, y, 80, rule={"strokeCap": "round"}, shape=alt.Shape("verdict:N", scale=shape))
    layers: list[Any] = []
    for column, dash in (("no_effect", [3, 3]), ("printed", [1, 0])):
        value = rows[0][column]
        if value is not None:
            layers.append(alt.Chart().mark_rule(color=NEUTRAL, strokeDash=dash).encode(y=alt.datum(value)))
    return alt.layer(*layers, *marks).properties(height=220)


def grid(rows: list[dict[str, Any]], hover: list[alt.Tooltip]) -> alt.Chart:
    """Draw the choices of each reading: a dot in the row of its option."""
    stated = in_order(rows, "choice")
    places = {row["option"]: (stated.index(row["choice"]), not row["as_headline"]) for row in rows}
    options = sorted(places, key=lambda option: places[option])
    axis = alt.Axis(labelAngle=-40, labelLimit=230, labelOverlap=False)
    below = alt.X("reading:N", sort=in_order(rows, "reading"), title=None, axis=axis)
    across = alt.Y("option:N", sort=options, title=None, axis=alt.Axis(grid=True, labelLimit=340))
    marks = alt.Chart().transform_filter("datum.option !== ''").mark_point(size=60, filled=True, color=NEUTRAL)
    faint = alt.when("datum.as_headline").then(alt.value(0.3)).otherwise(alt.value(1))
    return marks.encode(x=below, y=across, opacity=faint, tooltip=hover).properties(height=ROW * len(options))


def lines_in_words(row: dict[str, Any]) -> str:
    """Return what the lines across the upper panel are, in words."""
    solid = "the solid line across is what the source prints" if row["printed"] is not None else ""
    dashed = "the dashed line means no effect" if row["no_effect"] is not None else ""
    words = ", ".join(filter(None, (solid, dashed)))
    return f"{words[0].upper()}{words[1:]}." if words else ""
