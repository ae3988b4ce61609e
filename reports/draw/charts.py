"""What the figures share: rows from SQL, policy encodings, and the few forms that recur."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import altair as alt
import duckdb

from reports.draw.marks import no_difference, with_intervals
from reports.draw.theme import ACCENT, PolicyLook, looks
from reports.draw.ticks import duration_axis, extent, number_axis
from reports.measure.bounds import first_rows
from scheduler_core.common.errors import SlotwiseError
from scheduler_core.common.inputs import read_study_text

Row = dict[str, Any]

MAX_ROWS = 5000
"""Rows a figure may carry; SQL aggregates down to it."""

QUERIES = Path(__file__).parents[1] / "figures" / "sql"


class NoData(SlotwiseError):
    """A figure has nothing to show; the text says why and stands in its place."""


def fetch(connection: duckdb.DuckDBPyConnection, sql: str, **parameters: Any) -> list[Row]:
    """Return all rows of a query as dictionaries, none included."""
    names, found = first_rows(connection, sql, parameters, "a figure")
    return [dict(zip(names, map(plain, values), strict=True)) for values in found]


def rows(connection: duckdb.DuckDBPyConnection, sql: str, **parameters: Any) -> list[Row]:
    """Return the rows of a figure's query as dictionaries.

    Raises
    ------
    NoData
        When there is no row.
    SlotwiseError
        When there are more than :data:`MAX_ROWS`.
    """
    found = fetch(connection, sql, **parameters)
    if not found:
        raise NoData("No run of this study has the data for this figure.")
    if len(found) > MAX_ROWS:
        raise SlotwiseError(f"a figure carries at most {MAX_ROWS} rows; its query gave {len(found)}: aggregate further")
    return found


def study_rows(connection: duckdb.DuckDBPyConnection, study: str, query: str | Path, **parameters: Any) -> list[Row]:
    """Run a query on what a study shows: the tables ``shown`` and, of them, ``base``.

    The query is a path, or the name of one that several studies share in ``reports/figures/sql/``.
    """
    show(connection, study)
    path = query if isinstance(query, Path) else QUERIES / f"{query}.sql"
    return rows(connection, read_study_text(path), **parameters)


def queries_of(file: str) -> Callable[..., list[Row]]:
    """Return the function by which figures in a ``file`` of a study run a query: ``(connection, name, **parameters)``.

    The name is that of a query in ``figures/`` beside the file or, without one, in ``reports/figures/sql/``.
    """
    folder = Path(file).resolve().parent

    def rows_of(connection: duckdb.DuckDBPyConnection, query: str, **parameters: Any) -> list[Row]:
        own = folder / "figures" / f"{query}.sql"
        return study_rows(connection, folder.name, own if own.is_file() else query, **parameters)

    return rows_of


def show(connection: duckdb.DuckDBPyConnection, study: str) -> None:
    """Make the temporary tables ``shown`` (what the study shows) and ``base`` (logs, and models at the heaviest load)."""
    sql = (QUERIES / "shown.sql").read_text(encoding="utf-8")
    connection.execute(f"CREATE OR REPLACE TEMP TABLE shown AS {sql}", {"study": study})
    connection.execute("CREATE OR REPLACE TEMP VIEW base AS SELECT * FROM shown WHERE is_base")


def plain(value: Any) -> Any:
    """Return a value JSON can carry: no NaN or infinity; floats to seven significant digits."""
    if isinstance(value, float):
        return float(f"{value:.7g}") if math.isfinite(value) else None
    return value


def policies_of(connection: duckdb.DuckDBPyConnection, found: Sequence[Row]) -> list[PolicyLook]:
    """Return the looks of the policies in ``found`` (columns ``policy`` and ``policy_label``), in the store's order.

    A policy looks the same in every figure and table of a study: the look depends on all policies of the shown study.
    """
    query = """
        SELECT policy, label, colour FROM policies
        WHERE policy IN (SELECT policy FROM cells WHERE study = (SELECT any_value(study) FROM shown))
        ORDER BY position, policy"""
    known = connection.execute(query).fetchall()
    every = looks({policy: label for policy, label, _ in known}, {p: colour for p, _, colour in known if colour})
    shown = {row["policy"] for row in found}
    return [look for look in every if look.policy in shown]


def reference_of(connection: duckdb.DuckDBPyConnection) -> tuple[str, str] | None:
    """Return id and label of the policy that the shown study compares the others with; None when it names none."""
    row = connection.execute(
        """
        SELECT policy, label FROM studies JOIN policies ON versus = policy
        WHERE study = (SELECT any_value(study) FROM shown)"""
    ).fetchone()
    return None if row is None else (str(row[0]), str(row[1]))


def in_order(found: Sequence[Row], column: str) -> list[Any]:
    """List the distinct values of a column in the order they come."""
    return list(dict.fromkeys(row[column] for row in found))


def span(found: Sequence[Row], column: str) -> str:
    """Return the least and the greatest value of a column in words."""
    least, most = min(row[column] for row in found), max(row[column] for row in found)
    return f"{least}" if least == most else f"{least} to {most}"


def titled(chart: Any, found: Sequence[Row], **values: Any) -> Any:
    """Attach the rows to a chart, and the values its caption speaks of; ``units`` and ``diamonds`` are read from the rows."""
    # as a tuple: each step of building a chart makes a copy of every list in it
    printed = any(row.get("printed") is not None for row in found)
    told = {"diamonds": ", diamonds the values the source prints" if printed else "", **values}
    counted = [row for row in found if row.get("units") is not None]
    if counted and "units" not in told:
        told["units"] = span(counted, "units")
    further = " ".join(filter(None, (single_words(found), cut_words(found))))
    # set here: the method `properties` copies a chart of layers, and every chart in it, several times
    chart.data, chart.usermeta = alt.Data(values=tuple(found)), {"caption": told, "further": further}
    return chart


def also(chart: Any, **values: Any) -> Any:
    """Add values that the caption of a chart with rows speaks of, and return the chart."""
    chart.usermeta["caption"] |= values
    return chart


def single_words(found: Sequence[Row]) -> str:
    """Say that marks of one unit have no interval, where there are such marks."""
    return "A mark of one unit alone has no interval." if any(row.get("units") == 1 for row in found) else ""


FARTHEST = 20
"""Times that a bound may be below the least value of its panel and still be drawn on a logarithmic axis."""


def on_log_axis(
    found: Sequence[Row],
    panel: str = "",
    value: str = "value",
    low: str = "low",
    *,
    high: str = "",
    farthest: float = FARTHEST,
) -> None:
    """Add to rows the column ``drawn_<low>``: where a logarithmic axis draws the lower bound of an interval.

    Most often this is the bound itself. A bound that is zero, negative or far below every value of its panel has no place on
    the axis: it is drawn at the axis' edge, a little left of all that the panel shows. The bounds in the data stay.
    With ``high``, ``drawn_<high>`` is the same of upper bounds that are far above every value.

    Parameters
    ----------
    panel
        Column of which each value has an axis of its own; empty where all rows share one.
    value, low
        Columns of values and of their lower bounds, which may be missing.
    high
        Column of the upper bounds; empty where all of them are drawn.
    farthest
        Times that a bound may be below the least value, or above the greatest, and still be drawn.
    """
    drawn = f"drawn_{low}"
    for name in in_order(found, panel) if panel else [None]:
        here = [row for row in found if not panel or row[panel] == name]
        values = [row[value] for row in here if row[value] is not None and row[value] > 0]
        if not values:
            continue
        least, most = min(values) / farthest, farthest * max(values)
        shown = [row[low] for row in here if row[low] is not None and row[low] >= least]
        edge = plain(min(values + shown) / 1.15)
        for row in here:
            row[drawn] = edge if row[low] is not None and row[low] < least else row[low]
        if high:
            within = [row[high] for row in here if row[high] is not None and row[high] <= most]
            right = plain(max(values + within) * 1.15)
            for row in here:
                row[f"drawn_{high}"] = right if row[high] is not None and row[high] > most else row[high]


def cut_words(found: Sequence[Row]) -> str:
    """Say how many intervals have bounds that a logarithmic axis does not show; nothing where it shows all."""
    bounds = [name for name in (found[0] if found else ()) if name.startswith("drawn_")]
    cut = sum(any(row.get(name) != row[name.removeprefix("drawn_")] for name in bounds) for row in found)
    if not cut:
        return ""
    many = f"{cut} intervals extend" if cut > 1 else "1 interval extends"
    whose = "Their lines end" if cut > 1 else "Its line ends"
    return f"{many} beyond the logarithmic axis, which has no zero. {whose} at the edge."


def policy_colour(known: Sequence[PolicyLook], legend: bool = True) -> alt.Color:
    """Encode the policy as colour."""
    scale = alt.Scale(domain=[look.label for look in known], range=[look.colour for look in known])
    shape = alt.Legend(title=None, symbolOpacity=1) if legend else None
    return alt.Color("policy_label:N", scale=scale, legend=shape, title="Policy")


def policy_shape(known: Sequence[PolicyLook], legend: bool = False) -> alt.Shape:
    """Encode the policy as shape, repeating its colour."""
    scale = alt.Scale(domain=[look.label for look in known], range=[look.shape for look in known])
    return alt.Shape("policy_label:N", scale=scale, legend=alt.Legend(title=None, symbolOpacity=1) if legend else None)


def policy_dash(known: Sequence[PolicyLook]) -> alt.StrokeDash:
    """Encode the policy as dash, for lines that share a colour.

    By the column ``policy``: legends of equal values are merged, and that of the dashes is missing.
    """
    scale = alt.Scale(domain=[look.policy for look in known], range=[list(look.dash) or [1, 0] for look in known])
    return alt.StrokeDash("policy:N", scale=scale, legend=None)


def policy_axis(known: Sequence[PolicyLook]) -> alt.Y:
    """Encode the policy as rows in the one order."""
    return alt.Y("policy_label:N", sort=[look.label for look in known], title=None)


def faded(picked: alt.Parameter) -> Any:
    """Fade what a click in the legend did not pick."""
    return alt.when(picked).then(alt.value(1)).otherwise(alt.value(0.12))


def pick_policy() -> alt.Parameter:
    """Let a click in the legend pick policies."""
    return alt.selection_point(fields=["policy_label"], bind="legend")


def tips(*fields: tuple[str, ...]) -> list[alt.Tooltip]:
    """Return hover values: ``(field, title)``, ``(field, title, format)`` for numbers, and with two more columns its interval."""
    told = []
    for name, title, *more in fields:
        form, *ends = more or [""]
        told.append((name, title, form))
        told += [(end, word, form) for end, word in zip(ends, ("from", "to"), strict=bool(ends))]
    return [
        alt.Tooltip(f"{name}:Q", title=title, format=form) if form else alt.Tooltip(f"{name}:N", title=title)
        for name, title, form in told
    ]


ROUND = {"strokeCap": "round"}
"""The ends of the lines of intervals beside policies."""


def measured(
    known: Sequence[PolicyLook], found: Sequence[Row], title: str, hover: list[alt.Tooltip], duration: bool
) -> alt.LayerChart:
    """Draw each policy's ``value`` with its interval ``drawn_low`` to ``high`` on a logarithmic axis; see :func:`on_log_axis`.

    The axis has room for all rows of ``found``, so that panels which are given the same rows have the same axis.
    """
    shown = extent(found, "value", "drawn_low", "high")
    axis = duration_axis(title, shown) if duration else number_axis(title, shown)
    x = alt.X("value:Q", scale=log_scale(shown), axis=axis)
    base = alt.Chart().encode(y=policy_axis(known), color=policy_colour(known, legend=False), tooltip=hover)
    return alt.layer(*with_intervals(base, x, 70, low="drawn_low", rule=ROUND, shape=policy_shape(known)))


def log_scale(shown: tuple[float, float] | None) -> alt.Scale:
    """Return a logarithmic scale from the least to the greatest of ``shown``, with room for marks at its ends."""
    return alt.Scale(type="log", nice=False, padding=12, domain=list(shown) if shown else alt.Undefined)


def ratio(
    y: alt.Y,
    colour: Any,
    title: str,
    hover: list[alt.Tooltip],
    found: Sequence[Row],
    *,
    offset: Any = alt.Undefined,
    equal: int = 1,
) -> alt.LayerChart:
    """Draw paired ratios, intervals from ``drawn_ratio_low`` on; hollow without an interval that leaves out ``equal``.

    The axis has room for all rows of ``found``, as in :func:`measured`. ``offset`` sets marks of one row apart.
    """
    shown = extent([*found, {"ratio": equal}], "ratio", "drawn_ratio_low", "ratio_high")
    x = alt.X("ratio:Q", scale=log_scale(shown), axis=number_axis(title, shown))
    base = alt.Chart().transform_filter("isValid(datum.ratio)").encode(y=y, yOffset=offset, color=colour, tooltip=hover)
    # In the browser null < 1 is true: a missing end must not look like a significant difference.
    above = f"(isValid(datum.ratio_low) && datum.ratio_low > {equal})"
    below = f"(isValid(datum.ratio_high) && datum.ratio_high < {equal})"
    ends = {"low": "drawn_ratio_low", "high": "ratio_high"}
    marks = with_intervals(base, x, 70, **ends, sure=f"{above} || {below}", rule=ROUND)
    return alt.layer(no_difference(equal), *marks)


def panels(parts: Sequence[Any], columns: int) -> alt.ConcatChart:
    """Set charts side by side; narrow screens set them one below the other."""
    return alt.concat(*parts, columns=columns, spacing={"row": 16, "column": 28})


def small_multiples(chart: Any, found: Sequence[Row], column: str, columns: int = 3) -> Any:
    """Repeat a chart for each value of ``column``, in the order of the rows ``found``."""
    order = in_order(found, column)
    # "workload: measure" goes on two lines, so that narrow panels have room for it; others then begin with an empty line, as a
    # panel starts below its own label
    lines, long = "split(datum.label, ': ')", [": " in str(one) for one in order]
    if any(long) and not all(long):
        lines = f"indexof(datum.label, ': ') < 0 ? ['', datum.label] : {lines}"
    header = alt.Header(labelAnchor="start", labelExpr=lines)
    facet = alt.Facet(f"{column}:N", title=None, sort=order, header=header)
    wide = 2 if len(order) == 4 and columns > 2 else min(columns, max(1, len(order)))
    return chart.facet(facet=facet, columns=wide, data=alt.Data(values=[]))


def own_rows(chart: Any, found: Sequence[Row], panel: str, **scales: str) -> Any:
    """Restrict each panel to the rows of its own policies, where panels have not all the same; ``scales`` as for Altair."""
    shown = {
        name: frozenset(row["policy_label"] for row in found if row[panel] == name) for name in in_order(found, panel)
    }
    if len(set(shown.values())) > 1:
        scales["y"] = "independent"
    return chart.resolve_scale(**scales) if scales else chart


def lines(
    known: Sequence[PolicyLook], x: alt.X, y: alt.Y, hover: list[alt.Tooltip], band: tuple[str, str] | None = None
) -> alt.LayerChart:
    """Draw a line per policy, with its interval as a band when there is one; the legend picks policies."""
    picked = pick_policy()
    base = alt.Chart().encode(x=x, color=policy_colour(known))
    shape = policy_shape(known, legend=True)
    layers = []
    if band:
        shade = alt.when(picked).then(alt.value(0.18)).otherwise(alt.value(0.02))
        low = alt.Y(f"{band[0]}:Q", scale=alt.Scale(type="log", nice=False))
        layers.append(base.mark_area().encode(y=low, y2=f"{band[1]}:Q", opacity=shade, tooltip=hover))
    line = base.mark_line().encode(y=y, opacity=faded(picked), strokeDash=policy_dash(known))
    layers.append(line.add_params(picked))
    dots = base.mark_point(size=45, filled=True).encode(y=y, opacity=faded(picked), shape=shape)
    layers.append(dots.encode(tooltip=hover) if hover else some_of(dots, x.shorthand))
    return alt.layer(*layers)


def some_of(dots: alt.Chart, along: str) -> alt.Chart:
    """Leave about eight marks of each policy's line, the first among them: they say whose line it is."""
    column = along.partition(":")[0]
    ranked = dots.transform_window(
        place="row_number()", sort=[alt.SortField(column)], groupby=["policy_label"], frame=[None, 0]
    ).transform_joinaggregate(points="count()", groupby=["policy_label"])
    return ranked.transform_filter("(datum.place - 1) % ceil(datum.points / 8) === 0")


def bars(x: alt.X, y: alt.Y, hover: list[alt.Tooltip]) -> alt.Chart:
    """Draw plain bars in the accent colour."""
    return alt.Chart().mark_bar(color=ACCENT).encode(x=x, y=y, tooltip=hover).properties(height=200)
