"""The diagrams of space sharing on the page of schedules: a day of each workload under two policies."""

import duckdb
import polars as pl

from reports.diagrams.allocations import AllocationWindow, runs_beside
from reports.draw.charts import NoData
from reports.families.space_sharing.diagram import Window, read_day, windows
from reports.pages.diagram_page import Context, DiagramPage, ShownRun, seconds, study_names, window_context

POLICIES = 6
"""The most policies of a workload that the viewer offers."""

BLOCKS = 6000
"""The most blocks of a schedule that the viewer draws."""


def contexts(connection: duckdb.DuckDBPyConnection) -> list[Context]:
    """Return the day around the longest queue of each workload under its policies.

    The diagram of coscheduling shows a workload with one policy of space sharing and others of coscheduling.
    """
    found: dict[str, Window] = {}
    for name in study_names(connection):
        try:
            chosen = windows(connection, name)
        except NoData:
            continue
        for window in chosen:
            if len(window.policies) > 1 or not connection.execute(SHARED, [window.workload]).fetchone():
                found.setdefault(window.workload, window)
    contexts = (workload_context(connection, window) for window in found.values())
    return [context for context in contexts if context is not None]


SHARED = "SELECT 1 FROM base JOIN families USING (family) WHERE workload = $1 AND family = 'coscheduling' LIMIT 1"


def workload_context(connection: duckdb.DuckDBPyConnection, window: Window) -> Context | None:
    """Return one workload's window; None where no policy has jobs in it, or all have too many."""
    home = runs_beside(connection) / window.workload
    drawn = [
        (ShownRun(window.workload, window.label, policy, label, home / policy), read_day(connection, window, policy))
        for policy, label in list(window.policies.items())[:POLICIES]
    ]
    shown = [(run, day) for run, day in drawn if 0 < day.allocations["runs"].list.len().sum() // 2 <= BLOCKS]
    context = window_context(shown, ("size",), ("outcome",), policy_context)
    around = f"{window.around} under {window.queue_under}"
    return context and {**context, "around": around, "opens": above_and_below(context, window.queue_under)}


def above_and_below(context: Context, under: str) -> list[int]:
    """Return the places of the policies that are shown first: below the one with the longest queue, above another one."""
    labels = [policy["label"] for policy in context["policies"]]
    second = min(1, len(labels) - 1)
    below = max(labels.index(under) if under in labels else 0, second)
    return [second if below == 0 else 0, below]


def policy_context(day: AllocationWindow, place: dict[int, int]) -> Context:
    """Return the processors that each job holds under a policy, and from when to when if it is suspended in between."""
    times = day.jobs.select("job", "start_us", "finish_us")
    held = day.allocations.select("job", "processors", "runs", "begin_us", "end_us").join(
        times, "job", maintain_order="left"
    )
    zero = day.begin_us
    suspended = day.jobs.filter(pl.col("suspended_us") > 0).select("job", "suspended_us").rows()
    return {
        "suspended": {place[job]: seconds(length) for job, length in suspended},
        "held": [
            [
                place[job], size, runs,
                *(() if (begin, end) == (start, finish) else (seconds(begin - zero), seconds(end - zero))),
            ]
            for job, size, runs, begin, end, start, finish in held.rows()
        ]
    }  # fmt: skip


PAGE = DiagramPage(contexts, "Space sharing", 10)
