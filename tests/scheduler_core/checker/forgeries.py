"""Forged schedules: one value of a column or one counter is not what it was, or rows of a table are left out."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import polars as pl

from scheduler_core.contracts import ALLOCATIONS_COLUMNS, JOBS_COLUMNS, Schedule
from scheduler_core.declarations.families import Family
from tests.scheduler_core.checker.broken_schedules import with_counters


def names_of(family: Family) -> list[str]:
    """List the tables of a family (``offers``), their columns (``jobs.start_us``) and its counters (``counters.passes``)."""
    tables = {
        "jobs": JOBS_COLUMNS,
        "allocations": {**ALLOCATIONS_COLUMNS, **family.allocation_columns},
        **{name: table.columns for name, table in family.tables.items()},
        "counters": dict.fromkeys(family.counters),
    }
    columns = [f"{table}.{column}" for table, columns in tables.items() for column in columns]
    return [*family.tables, *columns]


def forged(schedule: Schedule, name: str) -> Iterator[Schedule]:
    """Yield forged schedules; none if the schedule has no rows or does not count.

    A counter or a column has another value, a column in the first, middle or last row. A table lacks such a row, or all.
    """
    table, _, column = name.partition(".")
    if table == "counters":
        stated = schedule.run["counters"]
        for value in other_values(pl.Int64, stated[column]) if column in stated else ():
            yield with_counters(schedule, **{column: value})
        return
    rows = {"jobs": schedule.jobs, "allocations": schedule.allocations, **schedule.tables}[table]
    if not rows.height:
        return
    places = sorted({rows.height // 2, 0, rows.height - 1})
    if not column:
        yield with_table(schedule, table, rows.clear())
        for place in places:
            yield with_table(schedule, table, pl.concat([rows[:place], rows[place + 1 :]]))
        return
    kind, values = rows.schema[column], rows[column].to_list()
    for place in places:
        for value in other_values(kind, values[place]):
            changed = pl.Series(column, [*values[:place], value, *values[place + 1 :]], dtype=kind)
            yield with_table(schedule, table, rows.with_columns(changed))


def other_values(kind: Any, value: Any) -> list[Any]:
    """List values of a type that are near another one."""
    if kind == pl.Boolean:
        return [not value]
    if isinstance(kind, pl.Enum):
        return [other for other in kind.categories.to_list() if other != value][:2]
    if isinstance(kind, pl.List):
        return [[0]] if value is None else [[each + 1 for each in value], None]
    if kind.is_float():
        return [1.0 if value is None else value * 1.01 + 0.001]
    return [1] if value is None else [value + 1, value - 1]


def with_table(schedule: Schedule, name: str, rows: pl.DataFrame) -> Schedule:
    """Return a schedule with other rows of a table."""
    if name == "jobs":
        return replace(schedule, jobs=rows)
    if name == "allocations":
        return replace(schedule, held=rows)
    return replace(schedule, tables={**schedule.tables, name: rows})
