"""The diagrams of slices of the report's page of schedules: a window of each workload under its policies with slices."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from reports.charts import show
from reports.gantt import has_slices, runs_beside
from reports.slice_charts import last_finish
from reports.slice_diagram import CLASSES, SliceTrace, read_slices
from reports.trace_page import POLICIES, seconds
from reports.trace_windows import MOST, colour_jobs, telling_window

if TYPE_CHECKING:
    import duckdb

Context = dict[str, Any]

SMALL = 60
"""Stretches of processors up to which a schedule is shown whole."""


def slice_contexts(connection: duckdb.DuckDBPyConnection, names: Sequence[str]) -> list[Context]:
    """Give the diagrams of slices of the studies ``names``, a workload each: logs, models at their heaviest load, examples.

    Examples are the workloads of which a study shows nothing in its tables.
    """
    found: dict[str, list[Context]] = {}
    home = runs_beside(connection)
    for name in names:
        show(connection, name)
        cells = connection.execute(
            "SELECT workload, workload_label, policy, policy_label FROM base ORDER BY position"
        ).fetchall()
        add(found, cells, home)
    add(found, connection.execute(EXAMPLES).fetchall(), home)
    contexts = (workload_context(shown) for shown in found.values())
    return [context for context in contexts if context is not None]


EXAMPLES = """
    SELECT workload, workloads.label, policy, policies.label
    FROM runs JOIN workloads USING (workload) JOIN policies USING (policy)
    WHERE replication = 0 AND workload NOT IN (SELECT workload FROM cells)
    ORDER BY ALL"""


def add(found: dict[str, list[Context]], cells: Sequence[tuple[str, str, str, str]], home: Path) -> None:
    """Add the runs with slices to those of their workloads."""
    for workload, workload_label, policy, label in cells:
        folder = home / workload / policy
        shown = found.get(workload, [])
        if has_slices(folder) and policy not in [one["policy"] for one in shown] and len(shown) < POLICIES:
            one = {"policy": policy, "label": label, "folder": folder, "workload_label": workload_label}
            found.setdefault(workload, []).append(one)


def workload_context(shown: Sequence[Context]) -> Context | None:
    """Give one workload's window under its policies: jobs once, and of each policy what it made of them."""
    window = window_of([one["folder"] for one in shown])
    if window is None:
        return None
    read = [(one, read_slices(one["folder"], *window)) for one in shown]
    kept = [(one, trace) for one, trace in read if trace.intervals.height]
    if not kept:
        return None
    traces = [trace for _, trace in kept]
    colours = colour_jobs(traces)
    jobs = pl.concat([trace.jobs for trace in traces]).unique("job", keep="first", maintain_order=True)
    place = {job: number for number, job in enumerate(jobs["job"].to_list())}
    begin_us, end_us = window
    return {
        "label": shown[0]["workload_label"],
        "processors": traces[0].processors,
        "begin": seconds(begin_us),
        "length": seconds(end_us - begin_us),
        "jobs": [
            [job, kind, size, seconds(submit - begin_us), seconds(run), seconds(estimate), colours.get(job, 0)]
            for job, kind, size, submit, run, estimate in jobs.select(
                "job", "class", "size", "submit_us", "runtime_us", "estimate_us"
            ).rows()
        ],
        "policies": [
            {"policy": one["policy"], "label": one["label"], **policy_context(trace, place)} for one, trace in kept
        ],
    }


def window_of(folders: Sequence[Path]) -> tuple[int, int] | None:
    """Choose the window: the whole schedule where all are small, else one in which groups are formed or end."""
    stretches = [
        pl.scan_parquet(folder / "allocations.parquet").filter(pl.col("replication") == 0).select(pl.len())
        .collect().item() for folder in folders
    ]  # fmt: skip
    if max(stretches) > SMALL:
        return telling_window(folders)
    end = max(last_finish(folder) for folder in folders)
    return (0, end) if end else None


def policy_context(trace: SliceTrace, place: dict[int, int]) -> Context:
    """Give a policy's stretches, slices, groups and the fates of the jobs; times in seconds since the window began."""
    zero = trace.begin_us
    held = trace.intervals.head(MOST).select(
        "job", pl.col("class").to_physical(), "begin_us", "end_us", "processors", "lent", "runs"
    )
    fates = trace.jobs.select("job", "start_us", "finish_us", "outcome", "group", "place").rows()
    return {
        "named": trace.named,
        "held": [
            [place[job], kind, seconds(begin - zero), seconds(end - zero), size, int(lent), runs]
            for job, kind, begin, end, size, lent, runs in held.rows()
        ],
        "slices": [
            [CLASSES.index(kind), *(seconds(edge - zero) for edge in edges)] for kind, *edges in trace.slices.rows()
        ],
        "groups": [
            [group, kind, seconds(formed - zero), seconds(ended - zero), jobs]
            for group, kind, formed, ended, jobs in trace.groups.sort("formed_us", "group").rows()
        ],
        "fates": {
            str(place[job]): [seconds(start - zero), seconds(finish - zero), outcome, group, order]
            for job, start, finish, outcome, group, order in fates
        },
    }
