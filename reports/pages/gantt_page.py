"""The diagrams of the machine shared in space on the report's page of schedules: a day of each workload under two policies."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from reports.diagrams.gantt import Window, rectangles, windows
from reports.draw.charts import NoData
from reports.pages.diagram_page import Context, DiagramPage

if TYPE_CHECKING:
    import duckdb

POLICIES = 6
"""Policies of a workload the viewer offers at most."""

RECTANGLES = 6000
"""Blocks a schedule of the viewer may have; a busier window is left to a narrower machine."""


def gantt_contexts(connection: duckdb.DuckDBPyConnection, names: Sequence[str]) -> list[Context]:
    """Return a window of each workload of the studies ``names`` under its policies: the day around the longest queue."""
    found: dict[str, Window] = {}
    for name in names:
        try:
            chosen = windows(connection, name)
        except NoData:
            continue
        for window in chosen:
            found.setdefault(window.workload, window)
    return [shown for window in found.values() if (shown := window_context(connection, window))["policies"]]


def window_context(connection: duckdb.DuckDBPyConnection, window: Window) -> Context:
    """Return the rectangles of a window under its policies, columns named once."""
    columns: list[str] = []
    shown = []
    for policy, label in list(window.policies.items())[:POLICIES]:
        blocks = rectangles(connection, window, policy)
        if not blocks or len(blocks) > RECTANGLES:
            continue
        columns = columns or list(blocks[0])
        rows = [[rounded(block[column]) for column in columns] for block in blocks]
        shown.append({"policy": policy, "label": label, "rows": rows})
    return {
        "label": window.label,
        "processors": window.processors,
        "under": window.queue_under,
        "begin": window.begin_h,
        "end": window.begin_h + window.hours,
        "columns": columns,
        "policies": shown,
    }


def rounded(value: Any) -> Any:
    """Round hours to a fifth of a second or so: enough for a picture, and the page stays small."""
    return round(value, 5) if isinstance(value, float) else value


PAGE = DiagramPage(gantt_contexts, json.dumps, "gantt.html", ("schedule.js",))
