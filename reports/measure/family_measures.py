"""What a family's own module of this room measures, and how it is found.

A family that has more to measure than the metrics of all families names a module of this room
(:attr:`scheduler_core.family.Family.measuring`). The module defines ``MEASURING``, a :class:`Measuring`: its tables, how they
are loaded, and its files of ``sql/``. The store runs them at their time and knows no family by name.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scheduler_core.errors import ContractError
from scheduler_core.family import Family, families

if TYPE_CHECKING:
    import duckdb

Cell = tuple[str, str]
"""Ids of a workload and a policy."""

Load = Callable[["duckdb.DuckDBPyConnection", Path, Sequence[Cell], Sequence[Cell]], None]
"""Fills a family's tables from the files under a folder: (connection, folder, the family's cells, all cells).

The tables that only repeat what the files of any run say, ``jobs`` among them, are there already.
"""


@dataclass(frozen=True)
class Measuring:
    """What is measured of a family's runs beside the metrics of all families.

    Parameters
    ----------
    tables
        The file of ``sql/`` that makes its tables; every store has them, so that a query finds them empty, not missing.
    load
        Fills its tables.
    metrics
        Files of ``sql/`` that add to ``metrics``, in order; they find the metrics of all families there.
    units
        Files of ``sql/`` that add to ``unit_metrics``, in order.
    record
        Measures in the end what SQL alone cannot.
    """

    tables: str
    load: Load
    metrics: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    record: Callable[[duckdb.DuckDBPyConnection, Path], None] | None = None


def measuring_of(family: Family) -> Measuring | None:
    """Return what a family's own module measures, if it names one.

    Raises
    ------
    ContractError
        When there is no such module, or it defines no ``MEASURING``.
    """
    if family.measuring is None:
        return None
    name = f"reports.measure.{family.measuring}"
    where = f"family {family.name}: measuring '{family.measuring}'"
    if importlib.util.find_spec(name) is None:
        raise ContractError(f"{where}: there is no module {name}; write it, or name no module")
    found = getattr(importlib.import_module(name), "MEASURING", None)
    if not isinstance(found, Measuring):
        raise ContractError(
            f"{where}: {name} defines no MEASURING; expected a reports.measure.family_measures.Measuring"
        )
    return found


def all_measuring() -> dict[str, Measuring]:
    """Return what the families' own modules measure, by family."""
    found = {name: measuring_of(family) for name, family in families().items()}
    return {name: measuring for name, measuring in found.items() if measuring is not None}
