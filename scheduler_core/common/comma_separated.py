"""CSV files that people open in a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from typing import Any


def comma_separated(values: list[dict[str, Any]]) -> str:
    """Return rows as CSV under the union of their columns; a spreadsheet takes no text for a formula (:func:`cell`)."""
    columns = list(dict.fromkeys(column for row in values for column in row))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([cell(column) for column in columns])
    writer.writerows([cell(row.get(column, "")) for column in columns] for row in values)
    return text.getvalue()


FORMULA = re.compile(r"[=+\-@\t\r]")
"""How a text begins that spreadsheets take for a formula; ``assets/claims_written.js`` has the same rule."""

NUMBER = re.compile(r"[+-]?(\d[\d,]*\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)


def cell(value: Any) -> Any:
    """Return a value of a CSV: a text that spreadsheets would take for a formula gets an apostrophe; numbers stay as they are."""
    formula = isinstance(value, str) and FORMULA.match(value) and not NUMBER.fullmatch(value)
    return f"'{value}" if formula else value
