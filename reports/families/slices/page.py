"""The diagrams of slices on the page of schedules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from reports.diagrams.allocations import is_of, last_finish
from reports.diagrams.windows import MOST, telling_window
from reports.families.slices.diagram import CLASSES, SlicesWindow, group_changes, read_window
from reports.pages.diagram_page import (
    Context,
    DiagramPage,
    ShownRun,
    cells_of,
    examples_of,
    run_contexts,
    seconds,
    window_context,
)

if TYPE_CHECKING:
    import duckdb

SMALL = 60
"""The most allocations of a schedule that is shown whole."""


def contexts(connection: duckdb.DuckDBPyConnection, names: Sequence[str]) -> list[Context]:
    """Return a window of each workload, examples included, under its policies with slices."""
    cells = [*cells_of(connection, names), *examples_of(connection)]
    return run_contexts(connection, cells, partial(is_of, family_name="slices"), workload_context)


def workload_context(shown: Sequence[ShownRun]) -> Context | None:
    """Return one workload's window; None where no policy has jobs in it."""
    window = window_of([run.folder for run in shown])
    if window is None:
        return None
    read = [(run, read_window(run.folder, *window)) for run in shown]
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


def policy_context(window: SlicesWindow, place: dict[int, int]) -> Context:
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


PAGE = DiagramPage(contexts, ("viewer_drawing", "viewer"))
