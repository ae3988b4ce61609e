"""Which jobs a policy serves well: by class, size, estimate and user."""

import altair as alt
import duckdb

from reports.draw import charts
from reports.draw.ticks import duration_axis, extent, number_axis
from reports.figures.forms.policies import class_dots, wait_words
from reports.figures.general.needs import needs

WAIT = alt.Scale(type="log", nice=False, padding=12)


@needs(metrics=("mean_bounded_slowdown_10",), scope=" ", legend=True)
def job_classes(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Bounded slowdown by class of job.

    A job is short below ten minutes of run time, medium below three hours, and long otherwise. It is narrow up to a
    tenth of the machine, medium up to half of it, and wide otherwise. The axis is logarithmic: equal distances are equal
    factors. A row shows which policy serves a class best; a colour shows which class pays under a policy.
    """
    found = charts.study_rows(connection, study, "job_classes")
    chart = class_dots(charts.policies_of(connection, found), found)
    return charts.titled(charts.small_multiples(chart, found, "workload_label"), found)


@needs(metrics=("mean_bounded_slowdown_10",), legend=True)
def slowdown_by_size(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Bounded slowdown by requested processors.

    Mean bounded slowdown (bound 10 s) by requested processors, in classes that end at powers of two. Classes with fewer
    than {least} jobs are left out. Where a line rises, wide jobs pay: they need many processors free at once.
    """
    return _by_class(connection, study, "slowdown_by_size", "Processors requested")


@needs(metrics=("mean_bounded_slowdown_10",), legend=True)
def slowdown_by_estimate(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Bounded slowdown by requested run time.

    Mean bounded slowdown (bound 10 s) by the user's estimate. Classes with fewer than {least} jobs are left out.
    Schedulers see estimates, not run times, and backfilling finds room for jobs that request little. The line shows what
    a short request is worth.
    """
    return _by_class(connection, study, "slowdown_by_estimate", "Requested run time")


@needs(users=True)
def users(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Mean wait of users.

    Mean wait of each of the {users} users with at least ten jobs. The bar spans the middle half of the users, the mark
    is the median user, and the line ends where a twentieth of the users wait longer. The axis is logarithmic. {wait} A
    short bar means that the policy treats users alike. A few users may pay for a policy's mean gain. Waits below one
    second are drawn at one second.
    """
    found = charts.study_rows(connection, study, "user_waits")
    known = charts.policies_of(connection, found)
    axis = duration_axis("Mean wait of a user (log scale)", extent(found, "q25", "q95"), labelBound=True)
    base = alt.Chart().encode(
        y=charts.policy_axis(known),
        color=charts.policy_colour(known, legend=False),
        tooltip=charts.tips(("policy_label", "Policy"), ("q25", "A quarter wait less than (s)", ",.0f"),
                            ("q50", "Median (s)", ",.0f"), ("q75", "A quarter wait more than (s)", ",.0f"),
                            ("q95", "A twentieth waits more than (s)", ",.0f"), ("users", "Users")),
    )  # fmt: skip
    line = base.mark_rule(strokeWidth=1.5).encode(x=alt.X("q25:Q", scale=WAIT, axis=axis), x2="q95:Q")
    half = base.mark_bar(height=7, opacity=0.45).encode(x=alt.X("q25:Q", scale=WAIT, axis=axis), x2="q75:Q")
    dots = base.mark_point(size=70, filled=True).encode(
        x=alt.X("q50:Q", scale=WAIT, axis=axis), shape=charts.policy_shape(known)
    )
    counts = sorted({row["users"] for row in found})
    if counts[-1] < 2:
        raise charts.NoData("Only one user has ten jobs, so users cannot be compared.")
    facets = charts.small_multiples(line + half + dots, found, "workload_label")
    counted = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return charts.titled(
        charts.own_rows(facets, found, "workload_label"), found, users=counted, wait=wait_words(connection)
    )


def _by_class(connection: duckdb.DuckDBPyConnection, study: str, query: str, title: str) -> alt.Chart:
    """Draw the ``slowdown`` of classes of jobs in the order of their ``top``, a line per policy.

    Raise :class:`NoData` when no workload has two classes, which a line could join.
    """
    found = charts.study_rows(connection, study, query)
    if len({(row["workload_label"], row["label"]) for row in found}) == len({row["workload_label"] for row in found}):
        raise charts.NoData("Only one class has enough jobs, so classes cannot be compared.")
    known = charts.policies_of(connection, found)
    hover = charts.tips(("policy_label", "Policy"), ("label", title), ("slowdown", "Mean bounded slowdown", ",.3~r"),
                        ("jobs", "Jobs", ","))  # fmt: skip
    order = charts.in_order(sorted(found, key=lambda row: row["top"]), "label")
    x = alt.X("label:O", sort=order, title=title, axis=alt.Axis(title=title, labelAngle=-40, labelOverlap=False))
    axis = number_axis("Mean bounded slowdown (log scale)", extent(found, "slowdown"))
    y = alt.Y("slowdown:Q", scale=alt.Scale(type="log", nice=False), axis=axis)
    picked = charts.pick_policy()
    base = alt.Chart().encode(x=x, y=y, color=charts.policy_colour(known), opacity=charts.faded(picked), tooltip=hover)
    chart = alt.layer(
        base.mark_line().encode(strokeDash=charts.policy_dash(known)).add_params(picked),
        base.mark_point(size=45, filled=True).encode(shape=charts.policy_shape(known, legend=True)),
    ).properties(height=220)
    facets = charts.small_multiples(chart, found, "workload_label")
    return charts.titled(facets.resolve_scale(x="independent"), found, least=found[0]["least"])
