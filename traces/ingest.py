"""Reading job logs: a file becomes a workload and an account of every line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scheduler_core.common.errors import ContractError, LogError, ParameterError, found_words
from scheduler_core.common.units import unboxed
from traces.accounting import EXAMPLES, REPAIRS, SIZE_KEYS, Accounting, IngestOptions

if TYPE_CHECKING:
    from scheduler_core.contracts import Machine, Workload
    from traces.swf import SwfTable
    from traces.swf_file import LogText
    from traces.swf_jobs import Judged


@dataclass(frozen=True)
class Ingested:
    """The workload of a log, and what became of every line."""

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
    """Return the workload of a log in the Standard Workload Format, and what became of its lines.

    Submission times stay on the log's clock, whose zero is the header's ``UnixStartTime``. Jobs are sorted by submission,
    then by number. A job without a unique number gets a new one, above every number of the log.

    Raise :class:`LogError` when the file cannot be read, is not a job log, has another digest, does not state the size of the
    machine, has no usable job, or has run times whose sum is too large for a schedule. Raise :class:`ParameterError` when
    ``processors`` is not a whole number of at least 1.

    Parameters
    ----------
    path
        The file, plain or gzip.
    options
        What to do with lines that are not jobs as written.
    processors
        Size of the machine; by default the header's ``MaxProcs``, else its ``MaxNodes``.
    name
        Name of the log in the provenance; by default the file name without ``.swf`` and ``.gz``.
    expected_sha256
        Digest the unpacked text must have.
    """
    # the reader needs numba, polars and numpy; listing the options does not
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
    except ContractError as error:  # each line is valid, but their sums exceed 64 bits
        raise LogError(f"{path}: {error}") from error


def read_log(
    path: Path | str, *, processors: int | None = None, options: IngestOptions | None = None, **values: Any
) -> Workload:
    """Return the workload of a job log, by its path or its name in the catalogue.

    ``workload.provenance["accounting"]`` counts the lines kept, repaired and rejected, by rule.

    Raise :class:`LogError` when the log is missing or cannot be read; see :func:`ingest`. Raise :class:`ParameterError` for an
    unknown option or value.

    Parameters
    ----------
    path
        The file; or, if there is no such file, the name, file name or label of a log in the catalogue (``SDSC-SP2``).
    processors
        Size of the machine; by default that of the log's header.
    options, values
        Ingest options, as an object or by name (``overrun="kill"``).
    """
    options = IngestOptions.build({**(options.values() if options else {}), **values})
    return ingest_log(path, options, processors=processors).workload


def ingest_log(log: Path | str, options: IngestOptions | None = None, *, processors: int | None = None) -> Ingested:
    """Return the workload of a job log, as :func:`read_log`, and its accounting."""
    from traces.catalog import get_log, known_log
    from traces.fetch import locate

    if not isinstance(log, str | Path):
        raise LogError(f"expected the path or name of a log; found {found_words(log)}")
    word = str(log)
    entry = None if Path(log).exists() else known_log(word)
    if entry is None and not Path(log).exists() and "/" not in word and "." not in word:
        get_log(word)  # not a path: raises, with the nearest name
    if entry is None:
        return ingest(log, options, processors=processors)
    found = Path(locate(entry, require=True)["path"])
    return ingest(found, options, processors=processors, name=entry.name, expected_sha256=entry.sha256)


def find_machine(table: SwfTable, processors: int | None) -> Machine:
    """Return the log's machine, of ``processors`` processors where that is given."""
    from scheduler_core.contracts import Machine
    from traces import swf_header as header

    values, processors = table.header.values, unboxed(processors)
    if processors is not None:
        if type(processors) is not int or processors < 1:
            raise ParameterError(f"processors must be a whole number of at least 1; found {processors!r}")
        return Machine(processors, header.machine_name(values))
    found = header.machine_processors(values)
    if found is None:
        raise LogError(
            f"{table.text.path}: the header does not say how large the machine is (expected a comment "
            f"'; MaxProcs: 128' or '; MaxNodes: 128' before the first job{unused(table)}); say it with --procs (in "
            f"Python: processors=128){held_words(table)}"
        )
    return Machine(found, header.machine_name(values), header.processors_per_node(values))


def held_words(table: SwfTable) -> str:
    """Return how many processors the jobs of a log held at most for nearly all of its time, as text; empty if that is unknown.

    Clocks that disagree let jobs overlap for the rest.
    """
    from scheduler_core.contracts.machine import MOST_PROCESSORS
    from traces.shape.recorded import Recorded, time_quantiles
    from traces.swf_jobs import judge

    jobs = judge(table, IngestOptions(), MOST_PROCESSORS).jobs
    if "recorded_wait_us" not in jobs.columns or jobs["recorded_wait_us"].drop_nulls().is_empty():
        return ""
    recorded = Recorded(jobs.drop_nulls("recorded_wait_us"), MOST_PROCESSORS)
    return f"; jobs held at most {time_quantiles(recorded.used, recorded.lengths)['0.999']:,.0f} for 99.9% of the time"


def unused(table: SwfTable) -> str:
    """Return which header lines should give the size of the machine and cannot be used, as text."""
    found = [
        f"; line {example['line']} has '{example['found']}'"
        for rule in table.header.accounting.rejected
        for example in table.header.accounting.examples[rule]
        if example["found"].startswith(SIZE_KEYS)
    ]
    return "".join(found)


def account(table: SwfTable, judged: Judged) -> Accounting:
    """Return what became of every line, with the first examples of each rule."""
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
    """Return the first of some lines as text, numbered from 1."""
    return [{"line": line + 1, "found": table.line(line)} for line in lines[:EXAMPLES]]


def describe_source(text: LogText, table: SwfTable, options: IngestOptions, name: str | None) -> dict[str, Any]:
    """Return the provenance: name and digest of the file, the options, and the values of the header."""
    from traces.swf_file import log_name
    from traces.swf_header import clock

    file = text.path.name
    return {
        "kind": "log",
        "source": name or log_name(file),
        "file": file,
        "sha256": text.sha256,
        "format": "Standard Workload Format",
        "options": options.values(),
        "header": table.header.values,
        "clock": clock(table.header.values),
    }
