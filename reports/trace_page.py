"""The trace diagrams of the report's page of schedules: a window of each time-shared workload under its policies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from reports.charts import show
from reports.gantt import runs_beside, takes_turns
from reports.trace_diagram import Trace, read_trace, telling_stretch
from reports.trace_layout import gathered
from reports.trace_windows import MOST_SLOTS, colour_jobs, drawable, telling_window
from scheduler_core.units import us_to_seconds

if TYPE_CHECKING:
    import duckdb

Context = dict[str, Any]

POLICIES = 12
"""Policies of a workload the viewer offers at most."""


def trace_contexts(connection: duckdb.DuckDBPyConnection, names: Sequence[str]) -> list[Context]:
    """Give the trace diagrams of the studies ``names``, a workload each: logs, and models at their heaviest load."""
    found: dict[str, list[Context]] = {}
    home = runs_beside(connection)
    for name in names:
        show(connection, name)
        cells = connection.execute(
            "SELECT workload, workload_label, policy, policy_label FROM base ORDER BY position"
        ).fetchall()
        for workload, workload_label, policy, label in cells:
            shown = found.setdefault(workload, [])
            folder = home / workload / policy
            if takes_turns(folder) and policy not in [one["policy"] for one in shown] and len(shown) < POLICIES:
                shown.append({"policy": policy, "label": label, "folder": folder, "workload_label": workload_label})
    contexts = (workload_context(shown) for shown in found.values() if shown)
    return [context for context in contexts if context is not None]


def workload_context(shown: Sequence[Context]) -> Context | None:
    """Give one workload's window under its policies: jobs once, and of each policy what it made of them."""
    drawn = [one for one in shown if drawable(one["folder"])]
    window = telling_window([one["folder"] for one in drawn])
    if window is None:
        return None
    read = [(one, read_trace(one["folder"], *window)) for one in drawn]
    kept = [(one, trace) for one, trace in read if trace.slots <= 2 * MOST_SLOTS and trace.intervals.height]
    if not kept:
        return None
    traces = [trace for _, trace in kept]
    missing = [one["label"] for one in shown if one["policy"] not in {other["policy"] for other, _ in kept}]
    colours = colour_jobs(traces)
    jobs = pl.concat([trace.jobs for trace in traces]).unique("job", keep="first", maintain_order=True)
    place = {job: number for number, job in enumerate(jobs["job"].to_list())}
    asked = jobs.select("job", "class", "flexibility", "size", "size_min", "size_max", "submit_us", "runtime_us",
                        "estimate_us").rows()  # fmt: skip
    begin_us, end_us = window
    return {
        "label": shown[0]["workload_label"],
        "processors": traces[0].processors,
        "begin": seconds(begin_us),
        "length": seconds(end_us - begin_us),
        "missing": missing,
        "jobs": [
            [*row[:6], seconds(row[6] - begin_us), seconds(row[7]), seconds(row[8]), colours[row[0]]] for row in asked
        ],
        "policies": [
            {"policy": one["policy"], "label": one["label"], **policy_context(trace, place)} for one, trace in kept
        ],
    }


def policy_context(trace: Trace, place: dict[int, int]) -> Context:
    """Give a policy's intervals, levels and the fates of the jobs; times in seconds since the window began.

    An interval's last value are its processors gathered (:func:`reports.trace_layout.gathered`), 0 where they are the same.
    """
    zero = trace.begin_us
    held = trace.intervals.select(
        "job", "slot", "begin_us", "end_us", "rate", "overhead_us", "change", "processors", "runs"
    )
    together = gathered(trace).intervals["runs"].to_list()
    fates = trace.jobs.select("job", "start_us", "finish_us", "outcome").rows()
    settings = trace.policy.get("parameters", {})
    return {
        "named": trace.named,
        "slots": trace.slots,
        "most": settings.get("level", ""),
        "slice": settings.get("slice_s", 0),
        "scaled": settings.get("slice") == "scaled",
        "held": [
            [place[job], slot, seconds(begin - zero), seconds(end - zero), round(rate, 4), seconds(stall, 6), change,
             size, runs, close if close != runs else 0]
            for (job, slot, begin, end, rate, stall, change, size, runs), close in zip(held.rows(), together, strict=True)
        ],
        "phases": [
            [seconds(p.begin_us - zero), seconds(p.end_us - zero), p.level, round(p.share, 6), seconds(p.slice_us, 6),
             seconds(p.origin_us - zero, 6), list(p.slots)]
            for p in trace.phases
        ],
        "fates": {
            str(place[job]): [seconds(start - zero), seconds(finish - zero), outcome]
            for job, start, finish, outcome in fates
        },
        "stretch": [seconds(edge - zero) for edge in telling_stretch(trace)],
    }  # fmt: skip


def seconds(microseconds: int, digits: int = 3) -> float:
    """Give seconds, rounded: enough for a picture, and the page stays small."""
    return round(us_to_seconds(microseconds), digits)
