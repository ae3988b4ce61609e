"""Names of figures, read without importing the modules that draw them."""

import ast
from functools import cache
from pathlib import Path

from scheduler_core.common.errors import StudyError
from scheduler_core.common.inputs import read_study_text

GENERAL = Path(__file__).parent / "general"

MODULES = (
    "readings",
    "measures",
    "loads",
    "waits",
    "classes",
    "machine",
    "coscheduling",
    "grid",
    "concurrent_gang",
    "fairness",
)
"""Modules of ``general/`` with figures of studies, in the order of a page."""


def general_names() -> list[str]:
    """List the names of the general figures in the order of a page."""
    return [name for _, name in general_places()]


def own_names(study: Path) -> list[str]:
    """List the names of the figures in the folder of a study."""
    return [name for _, name in own_places(study)]


@cache
def general_places() -> list[tuple[str, str]]:
    """List the module and the name of each general figure: the functions that declare what they need."""
    return [(m, f.name) for m in MODULES for f in functions(GENERAL / f"{m}.py") if f.decorator_list]


def own_places(study: Path) -> list[tuple[str, str]]:
    """List the module and the name of each figure of a study: the public functions in ``figures*.py`` that take only a store."""
    found = [(file.stem, f) for file in sorted(study.glob("figures*.py")) for f in functions(file)]
    return [(module, f.name) for module, f in found if f.name[0] != "_" and arguments(f) == ["connection"]]


def functions(file: Path) -> list[ast.FunctionDef]:
    """List the functions that a module defines, in source order."""
    try:
        return [n for n in ast.parse(read_study_text(file)).body if isinstance(n, ast.FunctionDef)]
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        raise StudyError(f"{file}: {f'line {line}: ' if line else ''}this is no Python ({error})") from error


def arguments(function: ast.FunctionDef) -> list[str]:
    """List the names of a function's arguments."""
    return [argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)]


def figure_names(study: Path) -> list[str]:
    """List the names of the figures that a study's page may show: the general ones, then those of its folder."""
    return [*general_names(), *own_names(study)]
