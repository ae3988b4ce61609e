"""The figures of a study: its own, and the general ones that its data allow."""

from __future__ import annotations

import functools
import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from reports.draw.charts import show
from reports.draw.drawing import draw_figure, open_store
from reports.figures.forms.policies import unfinished_words
from reports.figures.names import general_places, own_places
from reports.measure.catalogue import metric
from reports.measure.readings import under_headline
from scheduler_core.common.errors import StudyError, nearest
from scheduler_core.common.files import write_json

if TYPE_CHECKING:
    import duckdb

    from reports.draw.drawing import Figure
    from reports.figures.general.needs import GeneralFigure


def general_figures() -> dict[str, GeneralFigure]:
    """Return the general figures by name, in the order of a page."""
    places = [(importlib.import_module(f"reports.figures.general.{module}"), name) for module, name in general_places()]
    return {name: getattr(module, name) for module, name in places}


def figures_of(connection: duckdb.DuckDBPyConnection, folder: Path) -> list[Figure]:
    """List the figures of the study in a folder: the general ones it lists, or all whose needs are met, then its own.

    Raises
    ------
    StudyError
        When there is no general figure of a listed name.
    """
    study = folder.name
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
    return [*(of_study(known[name], study) for name in listed), *own_figures(folder)]


def of_study(figure: GeneralFigure, study: str) -> Figure:
    """Return a general figure bound to a study, with its name and words.

    If it draws times of jobs and runs ended before their jobs, its caption says which jobs these are.
    """

    @functools.wraps(figure)
    def drawn(connection: duckdb.DuckDBPyConnection) -> Any:
        chart = figure(connection, study)
        if any(metric(name).of_ended_jobs for name in figure.needs.metrics):  # type: ignore[attr-defined]
            told = (chart.usermeta["further"], unfinished_words(connection))
            chart.usermeta["further"] = " ".join(filter(None, told))
        return chart

    return drawn


def own_figures(folder: Path) -> list[Figure]:
    """List the figures in the folder of a study: those of ``figures.py``, then those of each ``figures_*.py``."""
    return [getattr(module_of(folder, module), name) for module, name in own_places(folder)]


def module_of(folder: Path, name: str) -> ModuleType:
    """Import a module from the folder of a study, as ``studies.<study>.<name>``, wherever the folder is."""
    package = f"studies.{folder.name}"
    here = str(folder.resolve())
    if list(getattr(sys.modules.get(package), "__path__", [])) != [here]:
        for known in [module for module in sys.modules if f"{module}.".startswith(f"{package}.")]:
            del sys.modules[known]  # another folder had this name
        sys.modules[package] = ModuleType(package)
        sys.modules[package].__path__ = [here]
    return importlib.import_module(f"{package}.{name}")


def draw_study(store: Path | str, folder: Path | str, out: Path | str) -> None:
    """Write every figure of the study in ``folder``, which has the study's name, to the folder ``out``.

    A figure becomes ``<figure>.json`` (Vega-Lite with its data), ``.svg``, ``.pdf`` and ``.csv``; ``figures.json``
    lists name, title and caption of each in order. A figure without data has no files: its entry says why (``absent``).

    Raises
    ------
    StudyError
        When the store does not exist, or there is no figure of a listed name.
    """
    folder = Path(folder)
    with open_store(store) as connection, under_headline(connection, folder.name):
        entries = [draw_figure(connection, figure, Path(out)) for figure in figures_of(connection, folder)]
    write_json(Path(out) / "figures.json", entries)
