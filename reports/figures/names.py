"""Names of figures, read without importing the modules that draw them."""

from __future__ import annotations

import ast
from pathlib import Path

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
    """List the names of the general figures in the order of a page: the functions that declare what they need."""
    trees = (ast.parse((GENERAL / f"{module}.py").read_text(encoding="utf-8")) for module in MODULES)
    return [n.name for tree in trees for n in tree.body if isinstance(n, ast.FunctionDef) and n.decorator_list]


def own_names(study: Path) -> list[str]:
    """List the names of a study's own figures: the functions in its folder's ``figures*.py`` that take only a store."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in sorted(study.glob("figures*.py"))]
    return [
        n.name
        for tree in trees
        for n in tree.body
        if isinstance(n, ast.FunctionDef) and not n.name.startswith("_") and arguments(n) == ["connection"]
    ]


def arguments(function: ast.FunctionDef) -> list[str]:
    """List the names of a function's arguments."""
    return [argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)]


def figure_names(study: Path) -> list[str]:
    """List the names of the figures that a study's page may show: the general ones, then those of its folder."""
    return [*general_names(), *own_names(study)]
