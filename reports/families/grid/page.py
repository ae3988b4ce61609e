"""The diagrams of workflows of the report's page of schedules: some workflows of each workload under its policies of a grid."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import polars as pl

from reports.diagrams.allocations import is_of, runs_beside
from reports.diagrams.windows import MOST
from reports.families.grid.choice import Chosen, telling_workflows
from reports.families.grid.diagram import CAUSES, WorkflowWindow, read_workflow
from reports.families.slices.diagram import CLASSES
from reports.pages.diagram_page import (
    Context,
    DiagramPage,
    ShownRun,
    cells_of,
    runs_by_workload,
    seconds,
    window_context,
)
from scheduler_core.common.files import read_json
from scheduler_core.common.units import us_to_seconds
from scheduler_core.contracts import Machine

if TYPE_CHECKING:
    import duckdb

WORKFLOWS = 3
"""Workflows of a workload that the page offers at most."""
ALLOCATIONS = 1000
"""Allocations the window of a workflow should have at most under any policy."""
POLICIES = 6
"""Policies of a workload under which they are shown at most; those that a study pictures come first."""


LONG_S = 10_000
"""Length of a window from which on its times are whole seconds."""


def workflow_contexts(connection: duckdb.DuckDBPyConnection, names: Sequence[str]) -> list[Context]:
    """Return the diagrams of workflows of the studies ``names``, a workload each: logs, and models at their heaviest load."""
    cells = sorted(cells_of(connection, names), key=lambda cell: cell[2] not in pictured(connection, names))
    shown = runs_by_workload(cells, runs_beside(connection), partial(is_of, family_name="grid"))
    contexts = (workload_context(runs[:POLICIES]) for runs in shown)
    return [context for context in contexts if context is not None]


def pictured(connection: duckdb.DuckDBPyConnection, names: Sequence[str]) -> set[str]:
    """Return the policies that the studies picture."""
    found = connection.execute("SELECT unnest(pictured) FROM studies WHERE study IN $names", {"names": list(names)})
    return {policy for (policy,) in found.fetchall()}


def workload_context(shown: Sequence[ShownRun]) -> Context | None:
    """Return some workflows of a workload, each with its window under every policy; None where none ran whole under all."""
    folders = [run.folder for run in shown]
    machine = Machine.from_dict(read_json(folders[0] / "run.json")["machine"])
    chosen = telling_workflows(folders, WORKFLOWS, len(machine.clusters), most=ALLOCATIONS)
    if not chosen:
        return None
    return {
        "workload": shown[0].workload,
        "label": shown[0].workload_label,
        "policies": [{"policy": run.policy, "label": run.label} for run in shown],
        "causes": list(CAUSES.values()),
        "workflows": [one_workflow(shown, one) for one in chosen],
    }


def one_workflow(shown: Sequence[ShownRun], chosen: Chosen) -> Context:
    """Return a workflow under every policy; times in seconds since the window began."""
    span = (chosen.begin_us, chosen.end_us)
    read = [(run, read_workflow(run.folder, chosen.workflow, span, chosen.clusters)) for run in shown]
    first = read[0][1]
    return {
        **window_context(read, ("class", "size", "workflow", "task"), ("outcome",), policy_context, digits_of(*span)),
        "workflow": chosen.workflow,
        "submitted": seconds(first.submit_us - first.begin_us),
        "clusters": [list(row) for row in first.clusters.rows()],
    }


def policy_context(window: WorkflowWindow, place: dict[int, int]) -> Context:
    """Return what a policy made of a workflow, and what else ran there; times in seconds since the window began."""
    zero, digits = window.begin_us, digits_of(window.begin_us, window.end_us)
    causes = list(CAUSES)

    def at(time_us: int | None) -> float | None:
        return None if time_us is None else seconds(time_us - zero, digits)

    planned = ("earliest_us", "planned_start_us", "planned_finish_us", "latest_us", "expected_us", "freed_us")
    return {
        "held": [
            [place[job], cluster, size, runs, [at(time) for pair in zip(begins, ends, strict=True) for time in pair]]
            for job, cluster, size, runs, begins, ends in together(window).rows()
        ],
        "tasks": [
            [
                row["task"], place[row["job"]], row["cluster"], at(row["ready_us"]),
                None if row["rank"] is None else [seconds(round(row["rank"]), digits), *(at(row[name]) for name in planned)],
            ]
            for row in window.tasks.iter_rows(named=True)
        ],
        "slots": [
            [task, at(when), at(start), at(finish), causes.index(why)]
            for task, when, start, finish, why in window.places.rows()
        ],
        "asked": [
            [task, cluster, at(start), at(finish), at(latest), int(chosen)]
            for task, cluster, start, finish, latest, chosen in window.asked.rows()
        ],
        "transfers": [[*ends, at(sent), at(arrived)] for *ends, sent, arrived in window.transfers.rows()],
        "slices": [
            [cluster, CLASSES.index(kind), at(begin), at(work), at(end)]
            for cluster, kind, begin, work, end in window.slices.rows()
        ],
    }  # fmt: skip


def together(window: WorkflowWindow) -> pl.DataFrame:
    """Return the allocations in which a job holds the same processors as one row, as it comes back to them: files are small."""
    held = window.allocations.head(MOST)
    return held.group_by("job", "slot", "processors", "runs", maintain_order=True).agg("begin_us", "end_us")


def digits_of(begin_us: int, end_us: int) -> int:
    """Return with how many digits times of a window are written: none where a second is far less than a pixel."""
    return 0 if us_to_seconds(end_us - begin_us) > LONG_S else 3


PAGE = DiagramPage(workflow_contexts, ("viewer_drawing", "viewer"))
