"""Schedules that other programs made, as CSV with the columns job, start, end: read, and checked as far as they say anything.

Such a file knows nothing of what the jobs asked for: that comes from a run of the same jobs. Compared with a run of a
family in which a job holds its processors for itself, a foreign schedule is taken for one, too, and keeps all rules of that
family or not. Elsewhere jobs may be stretched, suspended or resized, or share processors, which start and end do not tell:
only the rules about them alone apply, and how many processors are held at once is not checked. Every
job that runs in the run has a row, whatever the family.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from scheduler_core.checker.certificate import Finding
from scheduler_core.checker.check import EXAMPLES, apply_rules, rules_of
from scheduler_core.checker.common import allocations_are_sound, not_before_submission
from scheduler_core.checker.evidence import Evidence, Rule, gather
from scheduler_core.common.errors import ContractError
from scheduler_core.common.files import reading
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.contracts import ALLOCATIONS_COLUMNS, JOBS_COLUMNS, Schedule, Workload, asked_columns
from scheduler_core.declarations.families import Family
from scheduler_core.declarations.policy import rebuild
from scheduler_core.declarations.words import counted

COLUMNS = ("job", "start", "end")

YEAR_US = 31_556_952 * MICROSECONDS

EVERY_JOB_ONCE = "every job appears once"

LATEST_S = 10**10
"""Times beyond this, in seconds, are no times: about 317 years."""

ANYWHERE: Mapping[str, Rule] = {
    "no job starts before its submission": not_before_submission,
    "allocations are sound": allocations_are_sound,
}
"""The rules that a start and an end alone can break, whatever the family."""


@dataclass(frozen=True)
class Foreign:
    """A foreign schedule of jobs of a run, what was found of each rule that applies, and what a reader must know."""

    schedule: Schedule
    findings: tuple[Finding, ...]
    warnings: tuple[str, ...] = ()


def read_foreign(path: Path, workload: Workload, known: Schedule) -> Foreign:
    """Read a foreign schedule of a workload of which there is a schedule, and check it.

    Raises
    ------
    ContractError
        When the file is no CSV, lacks a column, has no row, holds something that is no time, or speaks of unknown jobs
        or of one job twice.
    """
    times = read_times(path)
    refuse_strangers(path, times, workload)
    asked = workload.jobs.select(asked_columns(workload.jobs)).join(times, on="job", how="inner", maintain_order="left")
    own = Workload(asked.drop("start_us", "finish_us"), workload.machine, workload.provenance)
    schedule = make_schedule(asked, known)
    missing = missing_jobs(schedule, known)
    rules = [finding for finding in check_foreign(own, schedule) if finding.rule != EVERY_JOB_ONCE]
    return Foreign(schedule, (missing, *rules), (*warn_of_missing(missing), *warn_of_clock(schedule, known)))


def missing_jobs(schedule: Schedule, known: Schedule) -> Finding:
    """Find the jobs that run in the known schedule and have no row; those that no machine holds need none."""
    due = known.jobs.filter(pl.col("start_us").is_not_null())
    lacking = due.join(schedule.jobs, on="job", how="anti", maintain_order="left")["job"]
    examples = tuple(f"job {job} has no row" for job in lacking.head(EXAMPLES))
    return Finding(EVERY_JOB_ONCE, due.height, len(lacking), examples)


def warn_of_missing(missing: Finding) -> list[str]:
    """Say what the rules and the metrics are worth where jobs are missing."""
    if not missing.violations:
        return []
    given = missing.checked - missing.violations
    return [
        f"{missing.violations:,} of {counted(missing.checked, 'job')} {'is' if missing.violations == 1 else 'are'} missing: the "
        f"metrics of both sides are over the {counted(given, 'job')} given, and the rules prove little of the processors, "
        "for the missing ones hold some, too"
    ]


def warn_of_clock(schedule: Schedule, known: Schedule) -> list[str]:
    """Say when all starts lie beyond the end of the known schedule: the times are of another clock, as Unix times are."""
    first_us, done_us = schedule.jobs["start_us"].min(), known.jobs["finish_us"].max()
    submitted_us = known.jobs["submit_us"].min()
    if (
        not (isinstance(first_us, int) and isinstance(done_us, int) and isinstance(submitted_us, int))
        or first_us <= done_us
    ):
        return []
    late_us = first_us - submitted_us
    late = f"{late_us / YEAR_US:,.1f} years" if late_us >= YEAR_US else f"{late_us / MICROSECONDS:,.0f} s"
    return [
        f"its first start is {late} after the first submission, when every job of the run is long done: expected are seconds "
        "since the log's begin, on the clock of the submissions; are these Unix times, or of another clock?"
    ]


def read_times(path: Path) -> pl.DataFrame:
    """Read job, start and end of each row, the times in microseconds."""
    try:
        table = pl.read_csv(reading(path), infer_schema=False)
        table = table.rename({name: name.strip("\ufeff \t").lower() for name in table.columns})
    except (OSError, pl.exceptions.PolarsError) as error:
        raise ContractError(f"{path}: cannot be read as CSV ({str(error).splitlines()[0]})") from error
    for name in COLUMNS:
        if name not in table.columns:
            raise ContractError(f"{path}: expected the columns job, start, end; found {', '.join(table.columns)}")
    if table.is_empty():
        raise ContractError(f"{path}: there is no row under the columns; expected a row per job")
    times = table.select(
        pl.col("job").str.strip_chars().cast(pl.Int64, strict=False),
        start_us=microseconds("start"),
        finish_us=microseconds("end"),
    )
    odd = times.with_row_index("line", offset=2).filter(pl.any_horizontal(pl.all().is_null()))
    if odd.height:
        line = odd["line"][0]
        found = ", ".join("nothing" if value is None else value for value in table.select(COLUMNS).row(line - 2))
        raise ContractError(
            f"{path}, line {line}: expected a job's number, its start and its end in seconds, each a number of at most "
            f"{LATEST_S:,}; found {found}"
        )
    return times


def microseconds(name: str) -> pl.Expr:
    """Read a column of seconds as microseconds; null where it is no time."""
    seconds = pl.col(name).str.strip_chars().cast(pl.Float64, strict=False)
    near = pl.when(seconds.abs() <= LATEST_S).then(seconds)  # not where it is NaN
    return (near * MICROSECONDS).round().cast(pl.Int64, strict=False)


def refuse_strangers(path: Path, times: pl.DataFrame, workload: Workload) -> None:
    """Raise :class:`ContractError` for jobs that the workload does not have, and for a job with two rows."""
    unknown = times.join(workload.jobs, on="job", how="anti")
    if unknown.height:
        jobs = "1 job is" if unknown.height == 1 else f"{unknown.height:,} jobs are"
        raise ContractError(f"{path}: {jobs} not in the run; the first is {unknown['job'][0]}")
    twice = times.filter(pl.col("job").is_duplicated())
    if twice.height:
        raise ContractError(f"{path}: job {twice['job'][0]} has more than one row")


def make_schedule(asked: pl.DataFrame, known: Schedule) -> Schedule:
    """Make a schedule in which every job holds the processors it asked for from its start to its end."""
    killed = pl.col("runtime_us") > pl.col("estimate_us")
    jobs = asked.with_columns(
        processors="size",
        cluster=pl.lit(0),
        preemptions=pl.lit(0),
        outcome=pl.when(killed).then(pl.lit("killed")).otherwise(pl.lit("finished")),
    )
    allocations = jobs.select(
        "job",
        "processors",
        "cluster",
        begin_us="start_us",
        end_us="finish_us",
        processor_ids=pl.lit(None),
        slot=pl.lit(0),
        rate=pl.lit(1.0),
        work_us=pl.col("finish_us") - pl.col("start_us"),
    )
    further = [name for name in asked_columns(jobs) if name not in JOBS_COLUMNS]
    return Schedule(
        jobs.select(*[pl.col(name).cast(kind) for name, kind in JOBS_COLUMNS.items()], *further),
        allocations.select(pl.col(name).cast(kind) for name, kind in ALLOCATIONS_COLUMNS.items()),
        known.machine,
        {**known.run, "counters": {}},
        known.family,
    )


def check_foreign(workload: Workload, schedule: Schedule) -> tuple[Finding, ...]:
    """Apply the rules that apply to a foreign schedule."""
    policy = rebuild(schedule.run["policy"])
    return apply_rules(rules_for(schedule.family), gather(Evidence, workload, schedule, policy))


def rules_for(family: Family) -> Mapping[str, Rule]:
    """Return the rules of a family whose jobs hold their processors for themselves, to the end; else those of any."""
    if family.sharing != "none" or family.wait != "to_first_start":
        return ANYWHERE
    rules: Mapping[str, Rule] = rules_of(family).RULES
    return rules
