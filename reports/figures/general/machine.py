"""What the machine does: utilisation, lost capacity, the queue, and which jobs hold which processors when."""

import altair as alt
import duckdb

from reports.draw import charts
from reports.draw.theme import RAMP
from reports.draw.ticks import number_axis
from reports.families.space_sharing.diagram import busiest_window, window_rows
from reports.figures.forms.policies import left_out, length_words, over_time, shares_of_capacity, utilisation_span
from reports.figures.general.needs import needs

WINDOW_SHOWS = "the picture has room for four policies, of those whose jobs hold their processors alone"


@needs(metrics=("steady_utilisation", "loss_of_capacity"))
def utilisation_and_loss(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Utilisation and loss of capacity.

    Utilisation is the share of capacity in use between the first and the last submission, so the drain at the end does
    not count. Loss of capacity is the share left idle while jobs waited. Lines are 95 % intervals over replications; a
    log is a single history and has none. At a load that every policy can carry, utilisation equals the offered load and
    says little; loss of capacity still differs. {left_out}
    """
    found = charts.study_rows(connection, study, "shares", metrics=["steady_utilisation", "loss_of_capacity"])
    missing = left_out(connection, found, "neither is measured for them")
    return charts.also(shares_of_capacity(connection, found, "Share of the capacity (%)"), left_out=missing)


@needs(metrics=("utilisation", "effective_utilisation", "utilisation_efficiency"))
def utilisation(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Utilisation over the whole run.

    Processor time in use over the machine's capacity {span} Where slots take turns, effective utilisation subtracts the
    cost of switching and reconfiguration. Where jobs share processors, utilisation efficiency is the work done over the
    same capacity, which shows what sharing gains or costs. Lines are 95 % intervals over replications; a log is a single
    history and has none. A policy that leaves jobs to the end has a long tail up to the last finish, and so a lower
    utilisation.
    """
    found = charts.study_rows(
        connection, study, "shares", metrics=["utilisation", "effective_utilisation", "utilisation_efficiency"]
    )
    chart = shares_of_capacity(connection, found, "Utilisation (%)")
    return charts.also(chart, span=utilisation_span(connection))


@needs(series="utilisation", legend=True)
def utilisation_over_time(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Utilisation over time.

    Mean share of busy processors in bins of {bin} (the longest bin used), from the first submission on. Policies that
    keep up with the load coincide; a line below the others wastes capacity there. [[Click a policy in the legend to single
    it out.]] {left_out}
    """
    y = alt.Y("utilisation:Q", title="Utilisation (%)")
    return over_time(connection, study, "utilisation", y)


@needs(series="queued_jobs", legend=True)
def queue_over_time(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """Queue length over time.

    Mean number of waiting jobs in bins of {bin} (the longest bin used), on a logarithmic axis; below one job the line is
    drawn at one. Policies differ at the peaks: compare which queue grows and which one drains. {left_out}
    """
    scale = alt.Scale(type="log", domainMin=1, nice=False)
    y = alt.Y("queue:Q", scale=scale, axis=number_axis("Waiting jobs (log scale)"))
    return over_time(connection, study, "queue", y)


@needs(family="space_sharing")
def schedule_window(connection: duckdb.DuckDBPyConnection, study: str) -> alt.Chart:
    """The machine hour by hour: who holds which processors.

    {workload} around its longest queue under {policy} ({hours} hours, from hour {begin} after the first submission). Time
    runs to the right; each row of pixels is a processor, each block a job, coloured by how long it waited: each colour has
    about a fifth of the jobs. Empty space is idle capacity: compare how policies leave it. These policies only count processors;
    the picture gives each job the lowest-numbered free ones. {left_out}
    """
    window = busiest_window(connection, study)
    found = window_rows(connection, window, limit=1200)
    # equal numbers of jobs: around a long queue most waits are alike, and would have one colour on a scale of hours
    classes = wait_classes([row["wait"] for row in found])
    for row in found:
        row["waited"] = next(words for edge, words in classes if row["wait"] <= edge)
    scale = alt.Scale(domain=[words for _, words in classes], range=RAMP["dark"][-len(classes) :])
    chart = (
        alt.Chart(height=max(160, min(320, window.processors)))
        .mark_rect(stroke="#ffffff", strokeWidth=0.3)
        .encode(
            x=alt.X("begin:Q", scale=alt.Scale(nice=False, zero=False),
                    axis=alt.Axis(title="Hours since the first submission", tickCount=5)),
            x2="end:Q",
            y=alt.Y("first:Q", title="Processors", scale=alt.Scale(domain=[0, window.processors], nice=False)),
            y2="last:Q",
            color=alt.Color("waited:N", title="Wait", scale=scale),
            tooltip=charts.tips(("job", "Job"), ("size", "Processors"), ("wait", "Wait (h)", ".2f"),
                                ("run", "Run time (h)", ".2f"), ("estimate", "Estimate (h)", ".2f")),
        )
    )  # fmt: skip
    values = {
        "workload": window.label,
        "hours": f"{window.hours:g}",
        "begin": f"{window.begin_h:,.0f}",
        "policy": window.queue_under,
        "left_out": left_out(connection, found, WINDOW_SHOWS),
    }
    facets = charts.small_multiples(chart, found, "policy_label", columns=2)
    return charts.titled(facets, found, **values)


def wait_classes(waits: list[float]) -> list[tuple[float, str]]:
    """Return up to five classes with about as many waits (in hours) each: the longest wait of a class, and its words."""
    ordered = sorted(waits)
    share = len(RAMP["dark"])
    edges = list(dict.fromkeys(ordered[(part * len(ordered) - 1) // share] for part in range(1, share + 1)))
    return [(edge, f"up to {length_words(3600 * edge)}") for edge in edges]
