"""What readers of dumps share: their options, what they return, and clusters."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeVar

from scheduler_core.common.errors import LogError, ParameterError
from scheduler_core.declarations.words import counted
from traces.dumps.attempt import Attempt, Unreadable
from traces.dumps.rules import Ledger
from traces.dumps.separated import Row, delimiter_of, names_of

Fields = TypeVar("Fields")


@dataclass(frozen=True)
class ImportOptions:
    """How to read a dump.

    ``timezone`` names the zone of local times; empty is UTC. ``dates`` says how dates with slashes are written, ``day-first`` or
    ``month-first``; empty finds out by the numbers above 12. ``cluster`` chooses one of several; ``partitions`` keeps the jobs of
    some. ``processors`` and ``nodes`` are those of the machine; 0 derives the processors from the log and leaves out the nodes.
    ``gpus`` takes the GPUs of a job as its size, and leaves out jobs without.
    ``delimiter`` separates columns; None is that of the header. ``columns`` says what the columns of other formats hold
    (``submit=col,start=col,...``). ``anonymous`` leaves every name and every quotation of the dump out of the log and its
    accounting.
    """

    timezone: str = ""
    dates: str = ""
    cluster: str = ""
    partitions: Sequence[str] = ()
    processors: int = 0
    nodes: int = 0
    gpus: bool = False
    delimiter: str | None = None
    columns: str = ""
    anonymous: bool = False


@dataclass
class Reading:
    """The attempts of a dump, the name of its cluster, and what a person should know of its columns."""

    attempts: Iterable[Attempt]
    cluster: str = ""
    ignored: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def gpus_of(number: int) -> int:
    """Return the GPUs of a job; raise :class:`Unreadable` for 0, which ``--gpus`` leaves out."""
    if not number:
        raise Unreadable("no_gpus", "")
    return number


def attempts_of(
    rows: Iterable[tuple[int, Fields]], read: Callable[[int, Fields], Attempt], ledger: Ledger
) -> Iterator[Attempt]:
    """Yield what ``read`` makes of each line; put the lines of which it raises :class:`Unreadable` down in the ledger."""
    for line, fields in rows:
        try:
            yield read(line, fields)
        except Unreadable as error:
            ledger.put(line, error.rule, error.found)


class Heading(NamedTuple):
    """The line that names the columns, what separates them, and their names."""

    line: str
    delimiter: str
    names: list[str]

    def unused(self, used: Iterable[str]) -> tuple[list[str], list[str]]:
        """Return the columns that are not ``used``, and the note on them, if there are any."""
        known = {name.casefold() for name in used}
        ignored = [name for name in self.names if name.casefold() not in known]
        return ignored, [f"columns that are not used: {', '.join(ignored)}"] if ignored else []


def heading_of(path: Path, lines: Sequence[str], options: ImportOptions) -> Heading:
    """Return the heading of separated columns; raise :class:`LogError` when two columns have one name."""
    line = next((line for line in lines if line.strip()), "")
    delimiter = options.delimiter or delimiter_of(line)
    names = names_of(line, delimiter) if delimiter else [line.strip()]
    twice = [name for name, number in Counter(name.casefold() for name in names).items() if number > 1]
    if twice:
        raise LogError(f"{path}: the header names {', '.join(twice)} twice; give every column a name of its own")
    return Heading(line, delimiter, names)


def times_of(table: Iterable[tuple[int, Row]], columns: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield what some columns hold in each row, with its line."""
    return ((line, row.get(name, "")) for line, row in table for name in columns)


def chosen_cluster(path: Path, table: Iterable[tuple[int, Row]], wanted: str) -> str:
    """Return the cluster whose jobs are imported; raise when there are several and none is chosen."""
    found = Counter(row.get("cluster", "").strip() for _, row in table)
    found.pop("", None)
    counts = ", ".join(f"{name} ({counted(lines, 'line')})" for name, lines in sorted(found.items()))
    if wanted and wanted not in found:
        raise ParameterError(
            f"{path}: no line is of the cluster {wanted!r}; the dump has {counts or 'no column Cluster'}"
        )
    if not wanted and len(found) > 1:
        raise LogError(f"{path}: this is a dump of {len(found)} clusters, {counts}; choose one with --cluster NAME")
    return wanted or next(iter(found), "")


def of_cluster(table: Iterable[tuple[int, Row]], cluster: str, ledger: Ledger) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a cluster, and those without a cluster."""
    for line, row in table:
        if row.get("cluster", "").strip() not in ("", cluster):
            ledger.put(line, "other_cluster")
        else:
            yield line, row
