"""Where jobs share processors: how much is shared, and who shares with whom."""

import altair as alt
import duckdb

from reports.diagrams.parts import first_run
from reports.draw import charts
from reports.draw.theme import PALETTE
from reports.families.coscheduling.charts import coscheduling_figure
from reports.figures.forms.policies import shares_of_capacity
from reports.figures.general.needs import needs


@needs(metrics=("shared_share",))
def sharing(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """How much is shared.

    Share of the occupied processor time in which several jobs shared the processor, and share of the jobs that ever
    shared one. Lines are 95 % intervals over replications; a log is a single history and has none. More sharing is not
    better in itself: its gain depends on the pairs.
    """
    found = charts.study_rows(connection, study, "shares", metrics=["shared_share", "paired_share"])
    return shares_of_capacity(connection, found, "Part (%)")


@needs(metrics=("mean_pair_slowdown",))
def pairs_by_kind(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Who is paired with whom.

    Pairs by the dominant resource of their two jobs: computing (cpu), the network or the disk. [[Hover for their number,
    and for the slowdown that the scheduler predicts for them.]]
    """
    found = charts.study_rows(connection, study, "pairs_by_kind")
    kinds = sorted(charts.in_order(found, "kinds"))
    for row in found:
        row["place"] = kinds.index(row["kinds"])
    scale = alt.Scale(domain=kinds, range=list(PALETTE))
    hover = charts.tips(
        ("policy_label", "Policy"), ("kinds", "Kinds"), ("share", "Of all its pairs (%)", ".1f"), ("pairs", "Pairs", ","),
        ("slowdown", "Mean slowdown", ".3~r"),
    )  # fmt: skip
    chart = (
        alt.Chart()
        .mark_bar(height=13)
        .encode(
            y=charts.policy_axis(charts.policies_of(connection, found)),
            x=alt.X("share:Q", scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(title="Pairs (%)", tickCount=5)),
            color=alt.Color("kinds:N", title=None, scale=scale),
            order=alt.Order("place:Q"),
            tooltip=hover,
        )
        .properties(height=alt.Step(20))
    )
    facets = charts.small_multiples(chart, found, "workload_label")
    return charts.titled(charts.own_rows(facets, found, "workload_label"), found)


@needs(family="coscheduling")
def shared_window(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """The machine hour by hour: who shares processors with whom.

    {workload} under {policy}, {length} from {begin} after the first submission: {jobs} jobs, of which {sharing} share
    processors. Time runs to the right, processors upwards. Blocks with a heavy edge share processors and divide the
    height among them; the number behind the dot is the job's speed as a fraction of its speed alone. Faint strips are
    suspended jobs. Colours only tell jobs apart.
    """
    return first_run(connection, study, SHARED_MOST, coscheduling_figure)


SHARED_MOST = """
    SELECT workload, workload_label, policy, policy_label
    FROM base JOIN families USING (family) LEFT JOIN run_values USING (workload, policy)
    WHERE family = 'coscheduling' AND metric = 'shared_share' AND replication = 0
    ORDER BY min(position) OVER (PARTITION BY workload),
        list_position((SELECT pictured FROM studies WHERE study = base.study), policy) NULLS LAST, value DESC, position"""
"""Runs in which jobs may share processors, of the first workload: those that the study pictures, then those that share most."""
