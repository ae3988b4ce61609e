"""The diagrams of activities of the report's page of schedules: a traced window of each workload under its policies."""

from collections.abc import Sequence
from pathlib import Path

import duckdb
import polars as pl

from reports.diagrams.allocations import is_of, table_of
from reports.families.concurrent_gang.diagram import WORDS, ConcurrentGangWindow, extent, read_window, telling_slices
from reports.pages.diagram_page import (
    Context,
    DiagramPage,
    ShownRun,
    cells_of,
    examples_of,
    opening,
    run_contexts,
    window_context,
)

POLICIES = 6
"""The most policies of a workload that are shown."""


def contexts(connection: duckdb.DuckDBPyConnection) -> list[Context]:
    """Return a window of each traced workload, examples included."""
    cells = [*cells_of(connection), *examples_of(connection)]

    def context_of(runs: Sequence[ShownRun]) -> Context | None:
        return workload_context(runs, applications_of(connection, runs[0].workload))

    return run_contexts(connection, cells, traced, context_of, POLICIES)


def applications_of(connection: duckdb.DuckDBPyConnection, workload: str) -> dict[int, str]:
    """Return the application of every job of replication 0."""
    query = "SELECT job, application FROM job_applications WHERE workload = $1 AND replication = 0"
    return dict(connection.execute(query, [workload]).fetchall())


def traced(folder: Path) -> bool:
    """Return whether a run has a trace of replication 0."""
    if not is_of(folder, "concurrent_gang"):
        return False
    return extent(table_of(folder, "trace")) is not None


def workload_context(shown: Sequence[ShownRun], applications: dict[int, str]) -> Context | None:
    """Return one workload's window; None where nothing ran while it was traced.

    A run whose trace shares no slice with the runs before it is left out and named.
    """
    window, together = None, list[ShownRun]()
    for run in shown:
        common = telling_slices([*(other.folder for other in together), run.folder])
        if common is not None:
            window = common
            together.append(run)
    read = [(run, read_window(run.folder, window)) for run in together]
    context = window_context(read, ("size",), ("outcome",), policy_context)
    # The first policy under which local schedulers choose tasks.
    context = opening(context, lambda policy: any(local for *_, local in policy["who"]))
    return context and {
        **context,
        "applications": [applications.get(job) for job, *_ in context["jobs"]],
        "activities": list(WORDS),
        "aside": [run.label for run in shown if run not in together],
    }


def policy_context(window: ConcurrentGangWindow, place: dict[int, int]) -> Context:
    """Return what processors did under a policy; times in whole nanoseconds since the window began."""
    zero = window.begin_ns
    whose = (
        window.activity.filter(pl.col("job").is_not_null())
        .select("job", "task", "by")
        .unique(maintain_order=True)
        .rows()
    )
    number = {who: index for index, who in enumerate(whose)}
    activities = list(WORDS)
    lanes: list[list[int]] = [[] for _ in range(window.processors)]
    for processor, begin, end, activity, *who in window.activity.rows():
        lanes[processor] += [end - begin, activities.index(activity), number.get(tuple(who), -1)]

    def at(time: int | None) -> int | None:
        return None if time is None else time - zero

    known = pl.col("job").is_in(list(place))
    return {
        "who": [[place[job], task, int(by == "local")] for job, task, by in whose],
        "lanes": lanes,
        "bound": [[place[job], ids] for job, ids in window.allocations.select("job", "processor_ids").rows()],
        "slices": [
            [begin - zero, row, [-1 if job is None else place[job] for job in jobs], tasks]
            for begin, row, jobs, tasks in window.slices.group_by("begin_ns", maintain_order=True)
            .agg(pl.col("row").first(), "job", "task").rows()
        ],
        "disks": [
            [processor, place[job], task, *map(at, times)] for processor, job, task, *times in window.disks.filter(known).rows()
        ],
        "messages": [
            [place[job], message, sender, receiver, *map(at, times)]
            for job, message, sender, receiver, *times in window.messages.filter(known).rows()
        ],
        "barriers": [
            [place[job], barrier, at(released), tasks, [time - zero for time in arrived]]
            for job, barrier, tasks, arrived, released in window.barriers.filter(known)
            .group_by("job", "barrier", maintain_order=True)
            .agg("task", "arrived_ns", pl.col("released_ns").max()).rows()
        ],
        "learned": [
            [at(time), place[job], *told]
            for time, job, *told in window.memberships.filter(known)
            .select("at_ns", "job", "task", "io_ppm", "communication_ppm", "computation_ppm", "priority_ppm").rows()
        ],
    }  # fmt: skip


PAGE = DiagramPage(contexts, "Concurrent Gang: inside a time slice", 60, ("viewer_drawing", "viewer"))
