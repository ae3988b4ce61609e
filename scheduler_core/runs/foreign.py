"""Schedules of other programs, as CSV with the columns job, start, end: read them, and check what they state.

Such a file lacks the jobs' requests, which come from a run of the same jobs. Beside a run of a family whose jobs hold their
processors for themselves, a foreign schedule counts as one of that family, and all rules of the family apply. In other families
jobs may be stretched, suspended, resized, or share processors, which start and end do not show. Then only the rules about
start and end apply, and the number of processors held at once is not checked. In every family, each job that runs in the run
must have a row.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from scheduler_core.checker.certificate import Finding
from scheduler_core.checker.check import EXAMPLES, apply_rules, rules_of
from scheduler_core.checker.common import allocations_are_sound, not_before_submission
from scheduler_core.checker.evidence import Evidence, Rule, gather
from scheduler_core.common.errors import ContractError
from scheduler_core.common.inputs import read_bytes
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.contracts import ALLOCATIONS_COLUMNS, JOBS_COLUMNS, Schedule, Workload, asked_columns
from scheduler_core.declarations.families import Family
from scheduler_core.declarations.policy import rebuild
from scheduler_core.declarations.words import counted
from scheduler_core.kernel.tables import dedicated_allocations

COLUMNS = ("job", "start", "end")

YEAR_US = 31_556_952 * MICROSECONDS

EVERY_JOB_ONCE = "every job appears once"

LATEST_S = 10**10
"""The latest time in seconds, about 317 years; a later number is no time."""

ANYWHERE: Mapping[str, Rule] = {
    "no job starts before its submission": not_before_submission,
    "allocations are sound": allocations_are_sound,
}
"""The rules that a start and an end alone can break, in every family."""


@dataclass(frozen=True)
class Foreign:
    """A foreign schedule of a run's jobs, the findings of the rules that apply, and warnings for the reader."""

    schedule: Schedule
    findings: tuple[Finding, ...]
    warnings: tuple[str, ...] = ()


def read_foreign(path: Path, workload: Workload, known: Schedule) -> Foreign:
    """Return a foreign schedule of a workload, checked; ``known`` is another schedule of the workload.

    Raise :class:`ContractError` when the file is no CSV, lacks a column, has no row, has a value that is no time, names unknown
    jobs, or names a job twice.
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
    """Return the jobs without a row that run in the known schedule; jobs that no machine can hold need none."""
    due = known.jobs.filter(pl.col("start_us").is_not_null())
    lacking = due.join(schedule.jobs, on="job", how="anti", maintain_order="left")["job"]
    examples = tuple(f"job {job} has no row" for job in lacking.head(EXAMPLES))
    return Finding(EVERY_JOB_ONCE, due.height, len(lacking), examples)


def warn_of_missing(missing: Finding) -> list[str]:
    """Return a warning of what the rules and metrics are worth when jobs are missing."""
    if not missing.violations:
        return []
    given = missing.checked - missing.violations
    return [
        f"{missing.violations:,} of {counted(missing.checked, 'job')} {'is' if missing.violations == 1 else 'are'} missing: the "
        f"metrics of both sides are over the {counted(given, 'job')} given, and the rules prove little of the processors, "
        "because the missing jobs hold some, too"
    ]


def warn_of_clock(schedule: Schedule, known: Schedule) -> list[str]:
    """Return a warning if all starts lie beyond the end of the known schedule: the times use another clock, such as Unix time."""
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
        f"its first start is {late} after the first submission, long after every job of the run is done; expected seconds "
        "since the log's begin, on the clock of the submissions; are these Unix times, or times of another clock?"
    ]


def read_times(path: Path) -> pl.DataFrame:
    """Return job, start and end of each row, the times in microseconds."""
    try:
        table = pl.read_csv(read_bytes(path), infer_schema=False)
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
    odd = times.with_row_index("line", offset=2).filter(
        pl.any_horizontal(pl.col(name).is_null() for name in times.columns)
    )
    if odd.height:
        line = odd["line"][0]
        found = ", ".join("nothing" if value is None else value for value in table.select(COLUMNS).row(line - 2))
        raise ContractError(
            f"{path}, line {line}: expected a job's number, its start and its end in seconds, each a number of at most "
            f"{LATEST_S:,}; found {found}"
        )
    return times


def microseconds(name: str) -> pl.Expr:
    """Return a column of seconds in microseconds; null for a value that is no time."""
    seconds = pl.col(name).str.strip_chars().cast(pl.Float64, strict=False)
    near = pl.when(seconds.abs() <= LATEST_S).then(seconds)  # null for NaN
    return (near * MICROSECONDS).round().cast(pl.Int64, strict=False)


def refuse_strangers(path: Path, times: pl.DataFrame, workload: Workload) -> None:
    """Raise :class:`ContractError` for unknown jobs, and for a job with two rows."""
    unknown = times.join(workload.jobs, on="job", how="anti")
    if unknown.height:
        jobs = "1 job is" if unknown.height == 1 else f"{unknown.height:,} jobs are"
        raise ContractError(f"{path}: {jobs} not in the run; the first is {unknown['job'][0]}")
    twice = times.filter(pl.col("job").is_duplicated())
    if twice.height:
        raise ContractError(f"{path}: job {twice['job'][0]} has more than one row")


def make_schedule(asked: pl.DataFrame, known: Schedule) -> Schedule:
    """Return a schedule in which every job holds the processors it asked for from its start to its end."""
    killed = pl.col("runtime_us") > pl.col("estimate_us")
    jobs = asked.with_columns(
        processors="size",
        cluster=pl.lit(0),
        preemptions=pl.lit(0),
        outcome=pl.when(killed).then(pl.lit("killed")).otherwise(pl.lit("finished")),
    )
    further = [name for name in asked_columns(jobs) if name not in JOBS_COLUMNS]
    return Schedule(
        jobs.select(*[pl.col(name).cast(kind) for name, kind in JOBS_COLUMNS.items()], *further),
        dedicated_allocations(jobs).select(pl.col(name).cast(kind) for name, kind in ALLOCATIONS_COLUMNS.items()),
        known.machine,
        {**known.run, "counters": {}},
        known.family,
    )


def check_foreign(workload: Workload, schedule: Schedule) -> tuple[Finding, ...]:
    """Return the findings of the rules that apply to a foreign schedule."""
    policy = rebuild(schedule.run["policy"])
    return apply_rules(foreign_rules(schedule.family), gather(Evidence, workload, schedule, policy))


def foreign_rules(family: Family) -> Mapping[str, Rule]:
    """Return the family's rules if its jobs hold their processors for themselves to the end; else those of any family."""
    if family.sharing != "none" or family.wait != "to_first_start":
        return ANYWHERE
    rules: Mapping[str, Rule] = rules_of(family).RULES
    return rules
