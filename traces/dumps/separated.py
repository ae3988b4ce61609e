"""Lines of separated columns under a header that names them."""

import csv
from collections.abc import Iterator, Mapping, Sequence

from traces.dumps.rules import Ledger

DELIMITERS = "|\t;,"
"""What may separate columns, the first choice first."""

Row = Mapping[str, str]


def split(line: str, delimiter: str) -> list[str]:
    """Return the fields of a line; quotes count only where the delimiter is also used in texts (``,`` and ``;``)."""
    if '"' in line and delimiter in ",;":
        return next(csv.reader([line], delimiter=delimiter), [])
    return line.split(delimiter)


def delimiter_of(header: str) -> str:
    """Return what separates the columns of a header line: the most frequent delimiter; empty if there is none."""
    found = max(DELIMITERS, key=header.count)
    return found if found in header else ""


def names_of(header: str, delimiter: str) -> list[str]:
    """Return the names of the columns; a delimiter at the end of the line names none."""
    names = [name.strip() for name in split(header, delimiter)]
    return names[:-1] if names and not names[-1] else names


def rows(lines: Sequence[str], header: str, delimiter: str, ledger: Ledger) -> Iterator[tuple[int, Row]]:
    """Yield each line with as many fields as the header, as (line number from 1, fields by lower-case name).

    Empty lines, repetitions of the header (of joined dumps) and lines with other numbers of fields are put down in the ledger.
    """
    names = [name.casefold() for name in names_of(header, delimiter)]
    width = len(names)
    for number, line in ledger.unread(lines):
        if line == header:
            ledger.put(number, "header")
            continue
        fields = split(line, delimiter)
        if len(fields) == width + 1 and not fields[-1]:
            fields.pop()
        if len(fields) != width:
            more = len(fields) > width and delimiter in ",;"
            hint = (
                f"; a value that holds '{delimiter}' needs quotes, and `sacct -P` separates columns by |"
                if more
                else ""
            )
            ledger.put(number, "wrong_fields", f"{len(fields)} fields, expected {width}{hint}")
            continue
        yield number, dict(zip(names, fields, strict=True))
