"""The report's page of schedules for a store that a fixture has written."""

from __future__ import annotations

from pathlib import Path

from reports.draw.drawing import open_store
from reports.pages import contexts, render


def write_schedules_page(store: Path, study: str) -> Path:
    """Write the page of schedules of a study beside its store; return it."""
    out = store.parent / "report"
    with open_store(store) as connection:
        render.write_assets(out / "assets")
        context = contexts.schedules(connection, [study], out)
        render.write_page(render.environment(), out, [], "schedules.html", "schedules.html", context)
    return out / "schedules.html"
