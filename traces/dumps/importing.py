"""Importing a dump: a file becomes the text of a log and an account of every line."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from scheduler_core.common.errors import LogError, ParameterError
from scheduler_core.declarations.words import counted
from traces.dumps import columns, lsf, pbs, slurm
from traces.dumps.attempt import Attempt, Job
from traces.dumps.judge import judge
from traces.dumps.reading import ImportOptions
from traces.dumps.recognise import COLUMNS, LSF, PBS, PROGRAMS, SLURM, SWF, format_of
from traces.dumps.rules import LONGEST_LINE, REJECTIONS, DumpAccounting, Ledger
from traces.dumps.times import Clock, zone_of
from traces.dumps.writing import Source, Written, most_held, write
from traces.swf_file import UTF8_MARK, LogText, decode, read_text

EXPECTED = "expected accounting of SLURM (sacct -P), of PBS or Torque, or of LSF (lsb.acct)"

READERS = {SLURM: slurm.read, PBS: pbs.read, LSF: lsf.read, COLUMNS: columns.read}

UTC_NAME = "UTC"

MOST_EARLY = 0.01
"""The most jobs submitted after their start, as a share of all, that do not speak of a wrong clock."""


MOST_EARLIER = 0.01
"""The most earlier attempts, as a share of the jobs, that need not be told."""

EARLIEST_LIKELY = 315_532_800
"""The beginning of 1980, in seconds since 1970: earlier times are more likely other numbers."""


@dataclass(frozen=True)
class Imported:
    """The log of a dump, and what became of every line; ``notes`` are sentences for a person.

    ``met_local`` says whether the dump has local times, whose zone matters.
    """

    log: Written
    accounting: DumpAccounting
    notes: list[str] = field(default_factory=list)
    met_local: bool = True


def import_dump(path: Path | str, options: ImportOptions | None = None) -> Imported:
    """Return the log of a dump of accounting, plain or gzip.

    Equal texts and options give equal logs. Jobs are numbered in the order of submission.

    Raise :class:`LogError` when the file cannot be read, is no dump, lacks necessary columns, has several clusters and none is
    chosen, or has no job. Raise :class:`ParameterError` for an unknown time zone, or a cluster or partition that the dump does
    not have.
    """
    options = options or ImportOptions()
    clock = Clock(zone_of(options.timezone or UTC_NAME), options.dates)
    if Path(path).is_dir():
        raise LogError(
            f"{path}: this is a folder; join its files first: cat {shlex.quote(str(path))}/* > accounting.txt"
        )
    text = read_text(path, EXPECTED)
    kind = recognised(text, bool(options.columns))
    if options.gpus and kind not in (SLURM, PBS):
        raise ParameterError(
            f"--gpus: GPUs are counted in accounting of SLURM and PBS; found {PROGRAMS[kind]}. Leave the option out; "
            "of separated columns, --columns processors=COLUMN may name that of the GPUs"
        )
    lines = lines_of(text.data)
    ledger = Ledger()
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST_LINE:
            ledger.put(number, "line_too_long", f"{len(line):,} characters, at most {LONGEST_LINE:,}")
    reading = READERS[kind](text.path, lines, options, clock, ledger)
    attempts = in_partitions(reading.attempts, options.partitions, ledger, text.path)
    jobs = judge(attempts, ledger, zone_known=bool(options.timezone))
    accounting = ledger.accounting(text, kind, len(lines), reading.ignored)
    if not jobs:
        raise LogError(f"{path}: not one job is left of {accounting.summary()}{first_rejection(accounting)}")
    if not options.timezone and clock.met_local:
        reading.notes.append(summer_note(accounting))
    torn = accounting.rejected.get("wrong_fields", 0)
    if kind in (SLURM, COLUMNS) and torn > len(jobs):
        raise LogError(
            f"{path}: {torn:,} lines do not have as many fields as the header has columns, and only "
            f"{counted(len(jobs), 'job')} could be read{first_rejection(accounting)}"
        )
    source = Source(
        program=PROGRAMS[kind],
        computer="" if options.anonymous else reading.cluster,
        named=not options.anonymous,
        zone=clock.zone,
        zone_name=options.timezone or UTC_NAME,
        zone_given=bool(options.timezone),
        processors=options.processors,
        nodes=options.nodes,
        gpus=options.gpus,
        gpu_jobs=0 if options.gpus else sum(job.attempt.gpus for job in jobs),
    )
    accounting = accounting.anonymous() if options.anonymous else accounting
    notes = (
        *reading.notes,
        limit_note(jobs, kind),
        short_limit_note(jobs),
        distant_note(jobs),
        attempts_note(accounting),
        gpu_note(source.gpu_jobs),
        early_note(jobs, clock.zone),
        wide_note(jobs, options.processors),
    )
    return Imported(write(jobs, source), accounting, list(filter(None, notes)), clock.met_local)


def limit_note(jobs: Sequence[Job], kind: str) -> str:
    """Return a note if jobs that ran have no limit; readers of columns say themselves that all have none, by what is missing."""
    ran = [job for job in jobs if job.runtime >= 0]
    without = sum(not job.attempt.limit for job in ran)
    if not without or (without == len(ran) and kind in (SLURM, COLUMNS)):
        return ""
    return f"{counted(without, 'job')} without a run limit: simulations take the run time"


def short_limit_note(jobs: Sequence[Job]) -> str:
    """Return a note if most jobs ran over twice their limit, as when it is in hours and read in seconds."""
    ran = [job for job in jobs if job.runtime >= 0 and job.attempt.limit]
    over = sum(job.runtime > 2 * (job.attempt.limit or 0) for job in ran)
    if 2 * over <= len(ran):
        return ""
    return (
        f"{over:,} of {counted(len(ran), 'job')} ran over twice as long as their limit, so its unit is probably another. A plain "
        "number counts seconds, 90m minutes, 2h hours; simulations take the run time of these jobs as the limit"
    )


def distant_note(jobs: Sequence[Job]) -> str:
    """Return a note if times are of the first years after 1970, when no batch system kept such accounting."""
    first = jobs[0].submit
    if first >= EARLIEST_LIKELY:
        return ""
    return (
        f"the first job was submitted on {datetime.fromtimestamp(first, UTC):%Y-%m-%d}: plain numbers count seconds since 1970. "
        "A spreadsheet counts days; show its times as dates, such as 2024-01-31 08:00:00, before you export them"
    )


def attempts_note(accounting: DumpAccounting) -> str:
    """Return a note if many attempts of requeued or preempted jobs are left out (:data:`MOST_EARLIER`)."""
    earlier = accounting.others.get("earlier_attempt", 0)
    if earlier <= MOST_EARLIER * accounting.jobs:
        return ""
    return (
        f"{counted(earlier, 'attempt')} of jobs that were preempted or requeued: only the last attempt of a job is simulated. "
        "The processors that the others held seem free, and the wait counts from the last submission"
    )


def gpu_note(jobs: int) -> str:
    """Return a note on jobs with GPUs that are not counted; empty if there are none."""
    if not jobs:
        return ""
    return (
        f"{counted(jobs, 'job')} with GPUs: simulations schedule processors only, so they do not explain waits for "
        "GPUs. --gpus makes a log of these jobs in which their GPUs are the processors; if they have a partition or queue of "
        "their own, --partition chooses it, or the others"
    )


def summer_note(accounting: DumpAccounting) -> str:
    """Return a note if a clock without a zone changed during jobs, as for summer time."""
    changed = sum(accounting.repairs_applied.get(rule, 0) for rule in ("clock_went_back", "clock_went_forward"))
    if not changed:
        return ""
    return (
        f"{counted(changed, 'job')} lasted an hour more or less than from start to end: the local clock was changed, as for "
        "summer time. Times between two changes are an hour off; --timezone reads them rightly"
    )


def early_note(jobs: Sequence[Job], zone: tzinfo) -> str:
    """Return a note if so many jobs were submitted after they started that a clock was wrong (:data:`MOST_EARLY`)."""
    early = [job for job in jobs if "submit_after_start" in job.repairs]
    if len(early) <= MOST_EARLY * len(jobs):
        return ""
    first, last = (f"{datetime.fromtimestamp(job.submit, zone):%Y-%m-%d}" for job in (early[0], early[-1]))
    return (
        f"submitted after they started: {counted(len(early), 'job')}, from {first} to {last}. One of two clocks was wrong: these "
        "waits count as zero, and others of that time may be too short"
    )


def wide_note(jobs: Sequence[Job], processors: int) -> str:
    """Return a note if jobs held more processors than the machine is said to have (0: its size is derived from the jobs)."""
    widest, held = max(job.allocated for job in jobs), most_held(jobs)
    if not processors or held <= processors:
        return ""
    if widest <= processors:
        return (
            f"jobs held up to {held:,} processors at once, more than the {processors:,} of --processors; does it name the whole "
            "machine?"
        )
    wide = sum(job.allocated > processors for job in jobs)
    return (
        f"{counted(wide, 'job')} held more than the {processors:,} processors of --processors, up to {widest:,}, and will be "
        "rejected by simulations; does it name the whole machine?"
    )


def recognised(text: LogText, mapped: bool) -> str:
    """Return the format of a dump, that of columns if they are ``mapped``; raise :class:`LogError` for a text that is no dump."""
    if text.binary:
        raise LogError(f"{text.binary}; {EXPECTED}")
    kind = format_of(text.data)
    if kind == SWF:
        raise LogError(
            f"{text.path}: this is a job log in the Standard Workload Format already; use it as it is: "
            f"slotwise fit {text.path}, or slotwise whatif {text.path}"
        )
    if mapped:
        return COLUMNS
    if kind == COLUMNS:
        first = next((line for line in lines_of(text.data[:10_000]) if line.strip()), "")
        raise LogError(
            f"{text.path}: the first line neither names columns of sacct nor is a record of PBS or LSF, but begins "
            f"{first.strip()[:40]!r}{slurm.what_is_wrong(first)}; {EXPECTED}. For SLURM: {slurm.CALL}. For other columns, say "
            "with --columns what they hold"
        )
    return kind


def lines_of(data: bytes) -> list[str]:
    """Return the lines of a text: UTF-8 if it is valid, else Latin-1; lines end in a line feed or in both marks of Windows."""
    lines = decode(data.removeprefix(UTF8_MARK)).split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def in_partitions(attempts: Iterable[Attempt], wanted: Sequence[str], ledger: Ledger, path: Path) -> list[Attempt]:
    """Return the attempts in some partitions, or all if none is wanted.

    Raise :class:`ParameterError` for a partition that no attempt names.
    """
    found = list(attempts)
    if not wanted:
        return found
    names = [{name.strip() for name in attempt.partition.split(",")} for attempt in found]
    known = set().union(*names) - {""}
    for name in wanted:
        if name not in known:
            raise ParameterError(
                f"{path}: no job is of the partition {name!r}; the dump has {', '.join(sorted(known)) or 'none'}"
            )
    for attempt, its in zip(found, names, strict=True):
        if not its & set(wanted):
            ledger.put(attempt.line, "other_partition")
    return [attempt for attempt, its in zip(found, names, strict=True) if its & set(wanted)]


def first_rejection(accounting: DumpAccounting) -> str:
    """Return the first rejected line with the reason, as the end of a message; empty when none was rejected."""
    rejected = [(one["line"], one["found"], rule) for rule in accounting.rejected for one in accounting.examples[rule]]
    if not rejected:
        return ""
    line, found, rule = min(rejected)
    return f"; line {line} is rejected ({REJECTIONS[rule]}{f'; found {found}' if found else ''})"
