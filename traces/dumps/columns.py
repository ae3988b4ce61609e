"""Reading separated columns of any names, by a mapping of what each column holds."""

import shlex
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from scheduler_core.common.errors import LogError, ParameterError, nearest
from traces.dumps.attempt import CANCELLED, COMPLETED, FAILED, UNSTATED, Attempt
from traces.dumps.reading import ImportOptions, Reading, attempts_of, chosen_cluster, heading_of, of_cluster, times_of
from traces.dumps.rules import Ledger
from traces.dumps.separated import Row, Rows
from traces.dumps.slurm import count, status_of
from traces.dumps.times import NO_LIMIT, NUMBER, Clock, duration, whole_seconds

MEANINGS: dict[str, str] = {
    "submit": "time of the submission",
    "start": "time of the start; empty for a job whose status says that it never started",
    "wait": "time from submission to start, written as the run time; in place of the start",
    "end": "time of the end",
    "runtime": "run time, in seconds, as D-HH:MM:SS or with units, such as 1d 3h",
    "processors": "processors that the job held; or its nodes, where jobs get whole nodes",
    "requested": "processors that it requested",
    "limit": "run time that it requested, written as the run time",
    "memory": "memory per processor that it requested, in kB",
    "status": "0, 1 or 5 of the Standard Workload Format, or a state of SLURM; leave out a column of other words",
    "job": "number or name of the job",
    "user": "user",
    "group": "group or account",
    "queue": "queue",
    "partition": "partition",
    "executable": "program",
    "cluster": "cluster",
}
"""What a column may hold."""

NEEDED = (("submit",), ("start", "wait"), ("end", "runtime"), ("processors", "requested"))
"""What a log needs, each with what serves as well."""

TIMES = ("submit", "start", "end")

STATUSES = {"0": FAILED, "1": COMPLETED, "5": CANCELLED, "": UNSTATED, "-1": UNSTATED}


def mapping(text: str) -> dict[str, str]:
    """Return the columns of a text ``submit=col,start=col,...`` by what they hold; raise :class:`ParameterError` for another.

    A name with a comma stands in double quotes.
    """
    found: dict[str, str] = {}
    for part in parts_of(text):
        key, equals, column = (word.strip() for word in part.partition("="))
        if not (equals and column):
            raise ParameterError(
                f"--columns: expected meaning=column, such as submit=submitted; found {part.strip()!r}"
            )
        if key not in MEANINGS:
            raise ParameterError(f"--columns: no column can hold {key!r}; {nearest(key, MEANINGS)}")
        if key in found:
            raise ParameterError(f"--columns: {key} is given twice; leave one of the two out")
        found[key] = column
    if "start" in found and "wait" in found:
        raise ParameterError("--columns: start and wait both say when jobs start; leave one of the two out")
    missing = [" or ".join(ways) for ways in NEEDED if not any(way in found for way in ways)]
    if missing:
        raise ParameterError(f"--columns: a log needs {', '.join(missing)}, too; name their columns")
    return found


def parts_of(text: str) -> list[str]:
    """Return the parts of a text that commas separate, without the quotes around some of them."""
    words = shlex.shlex(text, posix=True)
    words.whitespace, words.whitespace_split, words.quotes, words.escape, words.commenters = ",", True, '"', "", ""
    try:
        return list(words)
    except ValueError:
        raise ParameterError(f"--columns: expected a second quote after the name of a column; found {text!r}") from None


def read(path: Path, lines: Sequence[str], options: ImportOptions, clock: Clock, ledger: Ledger) -> Reading:
    """Return the attempts of lines of separated columns; every line is a job of its own."""
    columns = mapping(options.columns)
    heading = heading_of(path, lines, options)
    known = {name.casefold() for name in heading.names}
    missing = [column for column in columns.values() if column.casefold() not in known]
    if missing:
        raise LogError(f"{path}: no column {', '.join(missing)}; the first line names {', '.join(heading.names)}")
    ignored, notes = heading.unused(columns.values())
    if "limit" not in columns:
        notes.append("no limit among --columns: requested times are unknown, and simulations take run times")
    table = [(line, meant(row, columns)) for line, row in Rows(lines, heading.line, heading.delimiter, ledger)]
    clock.learn_dates(path, times_of(table, TIMES))
    cluster = chosen_cluster(path, table, options.cluster)
    rows = of_cluster(table, cluster, ledger)
    return Reading(attempts_of(rows, partial(read_row, clock), ledger), cluster, ignored, notes)


def meant(row: Row, columns: Mapping[str, str]) -> Row:
    """Return the fields of a row by what they hold."""
    return {key: row[column.casefold()].strip() for key, column in columns.items()}


def read_row(clock: Clock, line: int, row: Row) -> Attempt:
    """Return the attempt of a row; raise :class:`Unreadable` when a field cannot be read."""
    submit, start, end = (clock.read(row.get(name, "")) for name in TIMES)
    status, wait = row.get("status", ""), seconds(row.get("wait", ""))
    waited = None if submit[0] is None or wait is None else tuple(time + wait for time in submit[0])
    return Attempt(
        line=line,
        key=(str(line),),
        job=row.get("job", ""),
        submit=submit[0],
        start=waited if start[0] is None else start[0],
        end=end[0],
        elapsed=seconds(row.get("runtime", "")),
        allocated=number(row.get("processors", "")),
        requested=number(row.get("requested", "")),
        limit=None if row.get("limit", "").casefold() in NO_LIMIT else seconds(row["limit"]),
        memory_kb=number(row.get("memory", "")),
        status=STATUSES[status] if status in STATUSES else status_of(status),
        user=row.get("user", ""),
        group=row.get("group", ""),
        queue=row.get("queue", ""),
        partition=row.get("partition", ""),
        executable=row.get("executable", ""),
        local=start[1] and end[1],
        repairs=("skipped_time",) if submit[2] or start[2] or end[2] else (),
    )


def seconds(text: str) -> int | None:
    """Return a duration in seconds, written as one or as a number of seconds."""
    return whole_seconds(text) if NUMBER.fullmatch(text) else duration(text)


def number(text: str) -> int | None:
    """Return a whole number, which a spreadsheet may write with a decimal comma: ``16,0``; None where there is nothing."""
    return count(text.replace(",", ".") if NUMBER.fullmatch(text) else text)
