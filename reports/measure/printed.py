"""Numbers that sources print: read from the folders of the studies, loaded into the store.

A file ``printed_values.csv`` has the columns :data:`COLUMNS`. ``printed`` is the number as it stands in the source, so that its
last digit is known; ``unit`` is one of :data:`SCALES`, which bring it to the unit of the store; ``draws`` is of how many draws of
its own it is the mean. They are quoted, not computed; figures draw them as marks of their own and claims compare with them.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.measure.queries import insert
from scheduler_core.common.errors import StudyError, nearest
from scheduler_core.common.inputs import read_study_text

if TYPE_CHECKING:
    import duckdb

COLUMNS = ("source", "place", "workload", "policy", "metric", "scope", "printed", "unit", "draws")
SCALES = {"": Decimal(1), "s": Decimal(1), "min": Decimal(60), "h": Decimal(3600), "%": Decimal("0.01")}
"""What a printed unit is in the unit of the store."""


def read_printed_values(
    path: Path, policies: Collection[str], workloads: Collection[str] | None = None
) -> list[tuple[Any, ...]]:
    """Read the numbers a source prints: rows of the table ``printed_values``.

    Parameters
    ----------
    path
        The file.
    policies, workloads
        Ids of the study; a row of a characteristic of a workload names no policy, and one of arithmetic
        neither. Without workloads these are not checked.

    Raises
    ------
    StudyError
        Naming file, line and column.
    """
    with io.StringIO(read_study_text(path), newline="") as text:
        lines = csv.reader(text)
        header = tuple(next(lines, ()))
        if header != COLUMNS:
            raise StudyError(f"{path}: line 1: expected the columns {','.join(COLUMNS)}; found {','.join(header)}")
        found = []
        for line in lines:
            where = f"{path}: line {lines.line_num}"
            if len(line) != len(COLUMNS):
                raise StudyError(f"{where}: expected {len(COLUMNS)} values; found {len(line)}")
            row = dict(zip(COLUMNS, line, strict=True))
            for column, known in (("policy", policies), ("workload", workloads)):
                if row[column] and known is not None and row[column] not in known:
                    hint = nearest(row[column], known)
                    raise StudyError(f"{where}: {column}: there is no '{row[column]}' in this study; {hint}")
            found.append(printed_value(where, row))
    return found


def printed_value(where: str, row: dict[str, str]) -> tuple[Any, ...]:
    """Return a row of ``printed_values``."""
    if row["unit"] not in SCALES:
        raise StudyError(
            f"{where}: unit: expected one of {', '.join(filter(None, SCALES))} or nothing; found {row['unit']!r}"
        )
    if not row["draws"].isdigit() or int(row["draws"]) < 1:
        raise StudyError(f"{where}: draws: expected a whole number from 1; found {row['draws']!r}")
    try:
        printed = Decimal(row["printed"])
    except InvalidOperation as error:
        raise StudyError(f"{where}: printed: expected a number; found {row['printed']!r}") from error
    scale, decimals = SCALES[row["unit"]], len(row["printed"].partition(".")[2])
    names = (row[name] for name in COLUMNS[:6])
    return *names, float(printed * scale), float(printed), decimals, row["unit"], float(scale), int(row["draws"])


def load_printed_values(connection: duckdb.DuckDBPyConnection, studies: list[dict[str, Any]]) -> None:
    """Fill ``printed_values`` from all studies."""
    insert(connection, "printed_values", [row for study in studies for row in study.get("printed_values") or []])
