"""The diagrams of slices of the report's page of schedules: a window of each workload under its policies with slices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from reports.diagrams.allocations import is_of, runs_beside
from reports.diagrams.windows import MOST, telling_window
from reports.families.slices.charts import last_finish
from reports.families.slices.diagram import CLASSES, SliceWindow, group_changes, read_slices
from reports.pages.diagram_page import (
    Context,
    DiagramPage,
    ShownRun,
    cells_of,
    examples_of,
    runs_by_workload,
    seconds,
    window_context,
)

if TYPE_CHECKING:
    import duckdb

SMALL = 60
"""Stretches of processors up to which a schedule is shown whole."""


def slice_contexts(connection: duckdb.DuckDBPyConnection, names: Sequence[str]) -> list[Context]:
    """Return the diagrams of slices of the studies ``names``, a workload each: logs, models at their heaviest load, examples."""
    cells = [*cells_of(connection, names), *examples_of(connection)]
    shown = runs_by_workload(cells, runs_beside(connection), partial(is_of, family_name="slices"))
    contexts = (workload_context(runs) for runs in shown)
    return [context for context in contexts if context is not None]


def workload_context(shown: Sequence[ShownRun]) -> Context | None:
    """Return one workload's window under its policies."""
    window = window_of([run.folder for run in shown])
    if window is None:
        return None
    read = [(run, read_slices(run.folder, *window)) for run in shown]
    kept = [(run, window) for run, window in read if window.allocations.height]
    if not kept:
        return None
    return window_context(kept, ("class", "size"), ("outcome", "group", "place"), policy_context)


def window_of(folders: Sequence[Path]) -> tuple[int, int] | None:
    """Choose the window: the whole schedule where all are small, else one in which groups are formed or end."""
    stretches = [
        pl.scan_parquet(folder / "allocations.parquet").filter(pl.col("replication") == 0).select(pl.len())
        .collect().item() for folder in folders
    ]  # fmt: skip
    if max(stretches) > SMALL:
        return telling_window(folders, group_changes)
    end = max(last_finish(folder) for folder in folders)
    return (0, end) if end else None


def policy_context(window: SliceWindow, place: dict[int, int]) -> Context:
    """Return a policy's stretches, slices and groups; times in seconds since the window began."""
    zero = window.begin_us
    held = window.allocations.head(MOST).select(
        "job", pl.col("class").to_physical(), "begin_us", "end_us", "processors", "lent", "runs"
    )
    return {
        "held": [
            [place[job], kind, seconds(begin - zero), seconds(end - zero), size, int(lent), runs]
            for job, kind, begin, end, size, lent, runs in held.rows()
        ],
        "slices": [
            [CLASSES.index(kind), *(seconds(edge - zero) for edge in edges)] for kind, *edges in window.slices.rows()
        ],
        "groups": [
            [group, kind, seconds(formed - zero), seconds(ended - zero), jobs]
            for group, kind, formed, ended, jobs in window.groups.sort("formed_us", "group").rows()
        ],
    }


PAGE = DiagramPage(slice_contexts, ("viewer_drawing", "viewer"))
