"""Names of the general figures, read without loading what draws them."""

from __future__ import annotations

import ast
from pathlib import Path

GENERAL = Path(__file__).parent / "general"

MODULES = ("measures", "loads", "waits", "classes", "machine", "fairness")
"""Modules of ``general/`` with figures of studies, in the order of a page."""


def general_names() -> list[str]:
    """List the names of the general figures in the order of a page: the functions that declare what they need."""
    trees = (ast.parse((GENERAL / f"{module}.py").read_text(encoding="utf-8")) for module in MODULES)
    return [n.name for tree in trees for n in tree.body if isinstance(n, ast.FunctionDef) and n.decorator_list]
