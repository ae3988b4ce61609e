"""The figures of a study: its own, and the general ones that its data allow; all of them drawn."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.draw.charts import show
from reports.draw.drawing import draw_figure, open_store
from reports.figures.forms.policies import unfinished_words
from reports.figures.names import MODULES, general_names
from reports.measure.comparable import of_ended_jobs
from reports.measure.readings import under_headline
from scheduler_core.errors import StudyError, nearest
from scheduler_core.files import write_json

if TYPE_CHECKING:
    import duckdb

    from reports.draw.drawing import Figure
    from reports.figures.general.needs import GeneralFigure


def general_figures() -> dict[str, GeneralFigure]:
    """Return the general figures by name, in the order of a page."""
    modules = [importlib.import_module(f"reports.figures.general.{module}") for module in MODULES]
    known = {name: figure for module in modules for name, figure in vars(module).items() if hasattr(figure, "needs")}
    return {name: known[name] for name in general_names()}


def figures_of(connection: duckdb.DuckDBPyConnection, study: str) -> list[Figure]:
    """List the figures of a study: the general ones it lists, or all whose needs are met, then its own.

    Raises
    ------
    StudyError
        When there is no general figure of a listed name.
    """
    row = connection.execute("SELECT figures FROM studies WHERE study = $1", [study]).fetchone()
    listed, known = row[0] if row else None, general_figures()
    show(connection, study)
    wanted = {name: figure.needs for name, figure in known.items()}  # type: ignore[attr-defined]
    if listed is None:
        listed = [name for name, needs in wanted.items() if needs.met(connection)]
    else:
        listed = [
            *(n for n, needs in wanted.items() if needs.always and n not in listed and needs.met(connection)),
            *listed,
        ]
    for name in listed:
        if name not in known:
            raise StudyError(f"study '{study}': figures: there is no general figure '{name}'; {nearest(name, known)}")
    return [*(of_study(known[name], study) for name in listed), *own_figures(study)]


def of_study(figure: GeneralFigure, study: str) -> Figure:
    """Bind a general figure to a study; name and words stay.

    Where it draws times of jobs, and runs ended before their jobs had, its caption says of which jobs these are.
    """

    @functools.wraps(figure)
    def drawn(connection: duckdb.DuckDBPyConnection) -> Any:
        chart = figure(connection, study)
        if any(map(of_ended_jobs, figure.needs.metrics)):  # type: ignore[attr-defined]
            told = (chart.usermeta["further"], unfinished_words(connection))
            chart.usermeta["further"] = " ".join(filter(None, told))
        return chart

    return drawn


def own_figures(study: str) -> list[Figure]:
    """List the public functions of ``reports/figures/<study>.py`` in source order.

    Those it imports from modules beside it whose names begin with its own (``<study>_...``) follow. A study without such a
    module has none.
    """
    name = f"reports.figures.{study.replace('-', '_')}"
    if importlib.util.find_spec(name) is None or not (Path(__file__).parent / f"{name.split('.')[-1]}.py").is_file():
        return []
    module = importlib.import_module(name)
    found = [f for n, f in inspect.getmembers(module, inspect.isfunction) if not n.startswith("_")]
    own = [f for f in found if (f.__module__ == name and takes_a_store(f)) or f.__module__.startswith(f"{name}_")]
    return sorted(own, key=lambda function: (function.__module__, function.__code__.co_firstlineno))


def takes_a_store(function: Any) -> bool:
    """Say whether a function asks for a connection and nothing else, as a figure does."""
    return list(inspect.signature(function).parameters) == ["connection"]


def draw_study(store: Path | str, study: str, out: Path | str) -> None:
    """Write every figure of a study to the folder ``out``.

    A figure becomes ``<figure>.json`` (Vega-Lite with its data), ``.svg``, ``.pdf`` and ``.csv``; ``figures.json``
    lists name, title and caption of each in order. A figure without data has no files: its entry says why (``absent``).

    Raises
    ------
    StudyError
        When the store does not exist, or there is no figure of a listed name.
    """
    with open_store(store) as connection, under_headline(connection, study):
        entries = [draw_figure(connection, figure, Path(out)) for figure in figures_of(connection, study)]
    write_json(Path(out) / "figures.json", entries)
