"""The diagrams of shared processors on the page of schedules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from reports.diagrams.allocations import is_of
from reports.diagrams.windows import MOST, WANTED, telling_window
from reports.families.coscheduling.diagram import WHOLE, CoschedulingWindow, comparable, pair_changes, read_window
from reports.pages.diagram_page import (
    Context,
    DiagramPage,
    ShownRun,
    cells_of,
    run_contexts,
    seconds,
    window_context,
)

if TYPE_CHECKING:
    import duckdb


def contexts(connection: duckdb.DuckDBPyConnection, names: Sequence[str]) -> list[Context]:
    """Return a window of each workload under its policies of coscheduling, and of space sharing for comparison."""
    return run_contexts(connection, cells_of(connection, names), comparable, workload_context)


def workload_context(shown: Sequence[ShownRun]) -> Context | None:
    """Return one workload's window; None where no run is one of coscheduling, or none has jobs in the window."""
    if not any(is_of(run.folder, "coscheduling") for run in shown):
        return None
    window = window_of([run.folder for run in shown])
    if window is None:
        return None
    read = [(run, read_window(run.folder, *window)) for run in shown]
    kept = [(run, window) for run, window in read if window.allocations.height]
    if not kept:
        return None
    return window_context(kept, ("kind", "size"), ("outcome", "preemptions"), policy_context)


def window_of(folders: Sequence[Path]) -> tuple[int, int] | None:
    """Choose the window: the whole schedule where all are small, else one in which many pairs are formed."""
    rows = [
        pl.scan_parquet(folder / "allocations.parquet").filter(pl.col("replication") == 0)
        .select(pl.len().alias("rows"), pl.col("end_us").max()).collect().row(0) for folder in folders
    ]  # fmt: skip
    if max(count for count, _ in rows) > WANTED:
        return telling_window(folders, pair_changes)
    end = max((end for _, end in rows if end is not None), default=0)
    return (0, end) if end else None


def policy_context(window: CoschedulingWindow, place: dict[int, int]) -> Context:
    """Return who has which parts of which processors under a policy; times in seconds since the window began."""
    zero = window.begin_us
    columns = ("begin_us", "end_us", "processors", "share_ppm", "slowdown_ppm", "suspended", "runs", "bands", "alone")
    held = window.allocations.head(MOST).select("job", "beside", *columns)
    return {
        "stacked": window.stacked,
        "held": [
            [
                place[job], seconds(begin - zero), seconds(end - zero), size, round(share / WHOLE, 4), round(slowdown / WHOLE, 4),
                int(suspended), runs, *([round(edge, 3) for edge in parts] for parts in (bands, alone)),
                [place[other] for other in beside],
            ]
            for job, beside, begin, end, size, share, slowdown, suspended, runs, bands, alone in held.rows()
        ],
    }  # fmt: skip


PAGE = DiagramPage(contexts, ("viewer_drawing", "viewer"))
