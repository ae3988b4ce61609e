"""The figures of a study: which there are, and all of them drawn."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from pathlib import Path
from typing import TYPE_CHECKING

from reports.draw.drawing import draw_figure, open_store
from scheduler_core.files import write_json

if TYPE_CHECKING:
    from reports.draw.drawing import Figure


def figures_of(study: str) -> list[Figure]:
    """List the figures of a study: the public functions of ``reports/figures/<study>.py`` in source order.

    Those it imports from modules beside it whose names begin with its own (``<study>_...``) follow. A study without such a
    module has no figures.
    """
    name = f"reports.figures.{study.replace('-', '_')}"
    if importlib.util.find_spec(name) is None:
        return []
    module = importlib.import_module(name)
    found = [f for n, f in inspect.getmembers(module, inspect.isfunction) if not n.startswith("_")]
    own = [f for f in found if f.__module__ == name or f.__module__.startswith(f"{name}_")]
    return sorted(own, key=lambda function: (function.__module__, function.__code__.co_firstlineno))


def draw_study(store: Path | str, study: str, out: Path | str) -> None:
    """Write every figure of a study to the folder ``out``.

    A figure becomes ``<figure>.json`` (Vega-Lite with its data), ``.svg``, ``.pdf`` and ``.csv``; ``figures.json``
    lists name, title and caption of each in order. A figure without data has no files: its entry says why (``absent``).

    Raises
    ------
    StudyError
        When the store does not exist.
    """
    with open_store(store) as connection:
        entries = [draw_figure(connection, figure, Path(out)) for figure in figures_of(study)]
    write_json(Path(out) / "figures.json", entries)
