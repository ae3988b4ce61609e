"""Tables with many rows: a file with all of them, and one that a page reads on request."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reports.draw.charts import Row
from scheduler_core.common.comma_separated import comma_separated
from scheduler_core.common.files import write_text


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table as its page shows it."""

    name: str
    title: str
    number: bool = False


def texts(**titles: str) -> tuple[Column, ...]:
    """Return columns of text with their titles."""
    return tuple(Column(name, title) for name, title in titles.items())


def numbers(**titles: str) -> tuple[Column, ...]:
    """Return columns of numbers with their titles."""
    return tuple(Column(name, title, number=True) for name, title in titles.items())


def hand_over(path: Path, file: str, data: Any) -> None:
    """Write data to ``path`` as a script that passes them to ``assets/files.js`` of a page that knows the script as ``file``."""
    written = json.dumps(data, separators=(",", ":"))
    write_text(path, f"slotwiseFiles.take({json.dumps(file)}, {written});\n")


def write_records(
    out: Path, name: str, rows: Sequence[Row], group: str, columns: Sequence[Column], every: Sequence[Row] | None = None
) -> Row:
    """Write a table below ``out``; return what the macro ``records`` needs to offer it.

    ``rows`` are those on the page, values as texts. The reader selects by the column ``group`` and sees ``columns``. ``every``
    are the rows of ``tables/<name>.csv``, by default the same.
    """
    groups: dict[str, list[list[str]]] = {}
    for row in rows:
        groups.setdefault(str(row[group]), []).append([str(row[column.name]) for column in columns])
    shown = [{"title": column.title, "number": column.number} for column in columns]
    file = f"tables/{name}.js"
    hand_over(out / file, file, {"columns": shown, "groups": groups})
    whole = rows if every is None else every
    write_text(out / f"tables/{name}.csv", comma_separated(list(whole)))
    written = {"file": file, "csv": f"tables/{name}.csv"}
    return {**written, "rows": f"{len(rows):,}", "written": f"{len(whole):,}"}
