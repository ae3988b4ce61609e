"""Measurements of a single family, and how the store finds them.

``reports/families/<family>/measures.py`` defines ``MEASURING``, a :class:`Measuring`. Two files beside it are SQL:
``tables.sql`` makes the family's tables, ``metrics.sql`` adds to ``measurements``. The store runs them in that order and
knows no family by name.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from scheduler_core.declarations.families import declared_by, families

FAMILIES = Path(__file__).parents[1] / "families"

Cell = tuple[str, str]
"""Ids of a workload and a policy."""

Load = Callable[["duckdb.DuckDBPyConnection", Path, Sequence[Cell], Sequence[Cell]], None]
"""Fills a family's tables from the files under a folder: (connection, folder, the family's cells, all cells).

The tables of all families, such as ``jobs``, are filled already.
"""


@dataclass(frozen=True)
class Measuring:
    """How the tables of a family are filled, and measurements that SQL alone cannot make.

    Parameters
    ----------
    load
        Fills its tables. Every store has the tables of all families; without runs they are empty.
    record
        Adds measurements after all SQL has run: (connection, folder that holds ``runs/``).
    """

    load: Load
    record: Callable[[duckdb.DuckDBPyConnection, Path], None] | None = None


def measuring_of(family: str) -> Measuring | None:
    """Return the measurements of a family beyond those of all families, or None."""
    return declared_by("reports.families", family, "measures", "MEASURING", Measuring)


def all_measuring() -> dict[str, Measuring]:
    """Return the measurements of single families, by family."""
    found = {name: measuring_of(name) for name in families()}
    return {name: measuring for name, measuring in found.items() if measuring is not None}
