"""The diagrams of workflows on the page of schedules."""

from collections.abc import Sequence
from functools import partial

import duckdb
import polars as pl

from reports.diagrams.allocations import Tables, is_of, tables_of_run
from reports.diagrams.windows import MOST
from reports.families.grid.choice import Chosen, telling_workflows
from reports.families.grid.diagram import CAUSES, GridWindow, window_of
from reports.families.slices.diagram import CLASSES
from reports.pages.diagram_page import Context, DiagramPage, ShownRun, cells_of, run_contexts, seconds, window_context
from scheduler_core.common.units import MICROSECONDS, us_to_seconds

WORKFLOWS = 3
"""The most workflows of a workload that the page offers."""
ALLOCATIONS = 1000
"""The most allocations that the window of a workflow should have under any policy."""
POLICIES = 6
"""The most policies of a workload that are shown."""


LONG_S = 10_000
"""Times are whole seconds in windows longer than this."""


def contexts(connection: duckdb.DuckDBPyConnection) -> list[Context]:
    """Return some workflows of each workload under its policies of a grid; pictured policies come first."""
    pictured = {policy for (policy,) in connection.execute("SELECT unnest(pictured) FROM studies").fetchall()}
    cells = sorted(cells_of(connection), key=lambda cell: cell[2] not in pictured)
    return run_contexts(connection, cells, partial(is_of, family_name="grid"), workload_context, POLICIES)


def workload_context(shown: Sequence[ShownRun]) -> Context | None:
    """Return some workflows of a workload, each with its window under every policy; None where none ran whole under all."""
    read = [(run, tables_of_run(run.folder, "grid")) for run in shown]
    clusters = len(read[0][1].machine.clusters)
    chosen = telling_workflows([run.folder for run in shown], WORKFLOWS, clusters, most=ALLOCATIONS)
    if not chosen:
        return None
    return {
        "workload": shown[0].workload,
        "label": shown[0].workload_label,
        "policies": [{"policy": run.policy, "label": run.label} for run in shown],
        "causes": list(CAUSES.values()),
        "workflows": [one_workflow(read, one) for one in chosen],
    }


def one_workflow(shown: Sequence[tuple[ShownRun, Tables]], chosen: Chosen) -> Context:
    """Return a workflow under every policy, from the tables of each run; times in seconds since the window began."""
    # from a whole second, so that times in whole seconds are points in time as explanations write them
    span = (chosen.begin_us - chosen.begin_us % MICROSECONDS, chosen.end_us)
    read = [(run, window_of(tables, chosen.workflow, span, chosen.clusters)) for run, tables in shown]
    first = read[0][1]
    asked = ("class", "size", "workflow", "task")
    context = window_context(read, asked, ("outcome",), policy_context, digits_of(*span))
    return {
        **(context or {}),
        "workflow": chosen.workflow,
        "submitted": seconds(first.submit_us - first.begin_us),
        "clusters": [list(row) for row in first.clusters.rows()],
    }


def policy_context(window: GridWindow, place: dict[int, int]) -> Context:
    """Return a workflow under a policy, and all that ran beside it; times in seconds since the window began."""
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


def together(window: GridWindow) -> pl.DataFrame:
    """Return one row for all allocations of a job on the same processors, which keeps files small."""
    held = window.allocations.head(MOST)
    return held.group_by("job", "slot", "processors", "runs", maintain_order=True).agg("begin_us", "end_us")


def digits_of(begin_us: int, end_us: int) -> int:
    """Return the digits of a window's times; 0 where a second is far less than a pixel."""
    return 0 if us_to_seconds(end_us - begin_us) > LONG_S else 3


PAGE = DiagramPage(contexts, "Workflows on a grid", 50, ("viewer_drawing", "viewer"))
