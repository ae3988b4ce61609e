"""The one way in for job logs: a file becomes a workload and an account of every line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scheduler_core.common.errors import ContractError, LogError, ParameterError
from traces.accounting import EXAMPLES, REPAIRS, SIZE_KEYS, Accounting
from traces.ingest_options import IngestOptions

if TYPE_CHECKING:
    from scheduler_core.contracts import Machine, Workload
    from traces.swf import SwfTable
    from traces.swf_file import LogText
    from traces.swf_jobs import Judged


@dataclass(frozen=True)
class Ingested:
    """A log read: its workload, and what became of every line."""

    workload: Workload
    accounting: Accounting


def ingest(
    path: Path | str,
    options: IngestOptions | None = None,
    *,
    processors: int | None = None,
    name: str | None = None,
    expected_sha256: str | None = None,
) -> Ingested:
    """Read a job log in the Standard Workload Format.

    Submission times stay on the log's own clock (its zero is the header's ``UnixStartTime``). Jobs come sorted by
    submission, then number. A job without a number of its own gets a fresh one, above every number of the log.

    Parameters
    ----------
    path
        The file, plain or gzip.
    options
        What to do with lines that are no jobs as they stand.
    processors
        Size of the machine; by default the header's ``MaxProcs``, else its ``MaxNodes``.
    name
        What to call the log in the provenance; by default the file's name without ``.swf`` and ``.gz``.
    expected_sha256
        Digest the unpacked text must have.

    Raises
    ------
    LogError
        When the file cannot be read, is no job log, has another digest, does not say how large the machine is, when not
        one job is left, or when their run times add up to more than a schedule can count.
    ParameterError
        When ``processors`` is not a whole number of at least 1.
    """
    # the reader needs numba, polars and numpy; listing options must not
    from scheduler_core.contracts import Workload
    from traces.swf import parse_swf
    from traces.swf_file import read_text
    from traces.swf_jobs import judge

    options = options or IngestOptions()
    text = read_text(path)
    text.check(expected_sha256)
    table = parse_swf(text)
    machine = find_machine(table, processors)
    judged = judge(table, options, machine.processors)
    accounting = account(table, judged)
    if not accounting.jobs:
        raise LogError(f"{path}: not one job is left of {accounting.summary()}; see the ingest options")
    provenance = {**describe_source(text, table, options, name), "accounting": accounting.counts}
    try:
        return Ingested(Workload(judged.jobs, machine, provenance), accounting)
    except ContractError as error:  # each line is possible, and all together are not: sums beyond 64 bits
        raise LogError(f"{path}: {error}") from error


def read_log(
    path: Path | str, *, processors: int | None = None, options: IngestOptions | None = None, **values: Any
) -> Workload:
    """Read a job log from a path, or by its name in the catalogue, as a workload.

    The workload's provenance says under ``accounting`` how many lines were kept, repaired and rejected, by rule.

    Parameters
    ----------
    path
        The file; or, where there is no such file, the catalogue's name, file name or label of a log (``SDSC-SP2``).
    processors
        Size of the machine; by default as the log's header says.
    options, values
        Ingest options, as an object or by name (``overrun="kill"``).

    Raises
    ------
    LogError
        When the log cannot be had or read; see :func:`ingest`.
    ParameterError
        For an option that does not exist, or a value it cannot take.
    """
    options = IngestOptions.build({**(options.values() if options else {}), **values})
    return ingest_log(path, options, processors=processors).workload


def ingest_log(log: Path | str, options: IngestOptions | None = None, *, processors: int | None = None) -> Ingested:
    """Read a job log from a path or by its name in the catalogue, as :func:`read_log`, with its accounting."""
    from traces.catalog import get_log, known_log
    from traces.fetch import locate

    word = str(log)
    entry = None if Path(log).exists() else known_log(word)
    if entry is None and not Path(log).exists() and "/" not in word and "." not in word:
        get_log(word)  # no path by its looks: raises, with the nearest name
    if entry is None:
        return ingest(log, options, processors=processors)
    found = Path(locate(entry, require=True)["path"])
    return ingest(found, options, processors=processors, name=entry.name, expected_sha256=entry.sha256)


def find_machine(table: SwfTable, processors: int | None) -> Machine:
    """Return the log's machine, of ``processors`` processors where that is given."""
    from scheduler_core.contracts import Machine
    from traces import swf_header as header

    values = table.header.values
    if processors is not None:
        if type(processors) is not int or processors < 1:
            raise ParameterError(f"processors must be a whole number of at least 1; found {processors!r}")
        return Machine(processors, header.machine_name(values))
    found = header.machine_processors(values)
    if found is None:
        raise LogError(
            f"{table.text.path}: the header does not say how large the machine is (expected a comment "
            f"'; MaxProcs: 128' or '; MaxNodes: 128' before the first job{unused(table)}); pass the number of processors"
        )
    return Machine(found, header.machine_name(values), header.processors_per_node(values))


def unused(table: SwfTable) -> str:
    """Say which lines of a header meant to give the size of the machine and could not be used."""
    found = [
        f"; line {example['line']} has '{example['found']}'"
        for rule in table.header.accounting.rejected
        for example in table.header.accounting.examples[rule]
        if example["found"].startswith(SIZE_KEYS)
    ]
    return "".join(found)


def account(table: SwfTable, judged: Judged) -> Accounting:
    """Count what became of every line, with the first examples for each rule."""
    import numpy as np

    from traces.swf_kernel import BLANK, COMMENT

    lines: dict[str, list[int]] = {}
    for line, rule in table.unreadable.items():
        lines.setdefault(rule, []).append(line)
    rejected = {rule: len(found) for rule, found in lines.items()}
    for rule, rows in judged.rejected.items():
        rejected[rule] = rejected.get(rule, 0) + len(rows)
        lines[rule] = sorted([*lines.get(rule, [])[:EXAMPLES], *table.numbers[rows[:EXAMPLES]].tolist()])
    repaired, free = {}, np.ones(len(judged.accepted), bool)
    for rule in (rule for rule in REPAIRS if rule in judged.repairs):
        mask = judged.repairs[rule]
        lines[rule] = table.numbers[judged.accepted[np.flatnonzero(mask)[:EXAMPLES]]].tolist()
        if count := int(np.count_nonzero(mask & free)):
            repaired[rule] = count
        free &= ~mask
    blank = int(np.count_nonzero(table.kinds == BLANK))
    return Accounting(
        file=table.text.path.name,
        sha256=table.text.sha256,
        bytes=len(table.text.data),
        lines=len(table.kinds),
        comments=int(np.count_nonzero(table.kinds == COMMENT)) + blank,
        blank=blank,
        kept=int(np.count_nonzero(free)),
        repaired=repaired,
        rejected=rejected,
        repairs_applied={rule: int(np.count_nonzero(mask)) for rule, mask in judged.repairs.items()},
        examples={rule: examples(table, found) for rule, found in sorted(lines.items())},
        header=table.header.text,
        header_lines=table.header.accounting,
    )


def examples(table: SwfTable, lines: list[int]) -> list[dict[str, Any]]:
    """Quote the first of some lines, numbered from 1."""
    return [{"line": line + 1, "found": table.line(line)} for line in lines[:EXAMPLES]]


def describe_source(text: LogText, table: SwfTable, options: IngestOptions, name: str | None) -> dict[str, Any]:
    """Return the provenance: the file by name and digest, the options, and what the header says of the log."""
    from traces.swf_header import clock

    file = text.path.name
    return {
        "kind": "log",
        "source": name or file.removesuffix(".gz").removesuffix(".swf"),
        "file": file,
        "sha256": text.sha256,
        "format": "Standard Workload Format",
        "options": options.values(),
        "header": table.header.values,
        "clock": clock(table.header.values),
    }
