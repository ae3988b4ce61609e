"""Lines of separated columns under a header that names them."""

import csv
from array import array
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


class Rows:
    """The lines with as many fields as the header has, as (line number from 1, fields by lower-case name).

    Empty lines, repetitions of the header (of joined dumps) and lines with other numbers of fields are put down in the ledger.
    Each walk splits the lines again: kept as fields, they take ten times the memory of the text.
    """

    def __init__(self, lines: Sequence[str], header: str, delimiter: str, ledger: Ledger) -> None:
        self.lines, self.delimiter = lines, delimiter
        self.names = [name.casefold() for name in names_of(header, delimiter)]
        self.closed = len(split(header, delimiter)) > len(self.names)
        self.numbers = array("q")
        for number, line in ledger.unread(lines):
            if line == header:
                ledger.put(number, "header")
                continue
            count = len(self.fields(line))
            if count == len(self.names):
                self.numbers.append(number)
            else:
                ledger.put(number, "wrong_fields", f"{count} fields, expected {len(self.names)}{self.hint(count)}")

    def __iter__(self) -> Iterator[tuple[int, Row]]:
        for number in self.numbers:
            yield number, dict(zip(self.names, self.fields(self.lines[number - 1]), strict=True))

    def fields(self, line: str) -> list[str]:
        """Return the fields of a line; a delimiter behind the last one begins none, if the header has one there, too."""
        found = split(line, self.delimiter)
        if self.closed and len(found) == len(self.names) + 1 and not found[-1]:
            found.pop()
        return found

    def hint(self, count: int) -> str:
        """Return how fields may have become too many, as the end of a clause."""
        if count <= len(self.names):
            return ""
        if self.delimiter == "|":
            return "; a value holds '|', such as the name of a job: leave its column out"
        return f"; a value that holds '{self.delimiter}' needs quotes, and `sacct -P` separates columns by |"
