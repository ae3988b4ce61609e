"""The own names of users, groups, queues and partitions, which a log has as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from scheduler_core.common.comma_separated import FORMULA
from scheduler_core.common.errors import ParameterError
from slotwise.planning.waits import NUMBERED
from traces.shape.csv_lines import lines_of

if TYPE_CHECKING:
    from slotwise.planning.simulations import Result, WhatIf

Names = dict[str, dict[str, str]]
"""Name by number, as text, of each kind: ``user``, ``group``, ``queue``, ``partition``."""

COLUMNS = ("kind", "number", "name")


def read_names(path: Path) -> Names:
    """Return the names in a CSV with the columns kind, number and name, as ``slotwise import --names`` writes it.

    Rows of other kinds count for nothing. Raise :class:`ParameterError` for a missing file, other columns, a number that is
    none, or when nothing has a name.
    """
    names: Names = {kind: {} for kind in NUMBERED}
    for line, (kind, number, name) in lines_of(path, COLUMNS, "; `slotwise import --names` writes it"):
        if not number.isdecimal():
            raise ParameterError(f"{path}, line {line}: expected a number of the log; found {number!r}")
        if kind in names:
            names[kind][number] = name[1:] if name[:1] == "'" and FORMULA.match(name[1:]) else name
    if not any(names.values()):
        raise ParameterError(
            f"{path}: no line names a {', a '.join(NUMBERED)}; `slotwise import --names` writes such a file"
        )
    return names


def with_names(found: WhatIf, names: Names) -> WhatIf:
    """Return a what-if whose groups and pools have their own names; a number without a name stays."""
    results = [named_result(one, names) for one in found.results]
    tuned_result = found.tuned_result and named_result(found.tuned_result, names)
    validation = found.validation and replace(found.validation, groups=named(found.validation.groups, names))
    pools = {named_pool(pool, names): jobs for pool, jobs in found.pools.items()}
    return replace(found, results=results, tuned_result=tuned_result, validation=validation, pools=pools)


def named_pool(pool: str, names: Names) -> str:
    """Return a pool such as ``queue 2, 5`` with names behind its numbers: ``queue 2 (short), 5``."""
    kind, _, numbers = pool.partition(" ")
    known = names.get(kind, {})
    return (
        f"{kind} {', '.join(f'{one} ({known[one]})' if one in known else one for one in numbers.split(', '))}".strip()
    )


def named_result(result: Result, names: Names) -> Result:
    """Return a result whose groups have their own names."""
    return replace(result, effect=replace(result.effect, groups=named(result.effect.groups, names)))


def named(groups: Mapping[str, pl.DataFrame], names: Names) -> dict[str, pl.DataFrame]:
    """Return tables of groups, those of the kinds of :data:`Names` with names in place of numbers."""
    return {kind: shown(table, kind, names[kind]) if names.get(kind) else table for kind, table in groups.items()}


def shown(table: pl.DataFrame, kind: str, names: Mapping[str, str]) -> pl.DataFrame:
    """Return a table of groups with names in place of numbers, as text."""
    number = pl.col(kind).cast(pl.String)
    return table.with_columns(number.replace_strict(names, default=number))
