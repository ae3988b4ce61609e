"""How two schedules of the same jobs differ: equal starts, first differences, and metrics."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from scheduler_core.checker.certificate import Finding
from scheduler_core.common.errors import ContractError, require
from scheduler_core.common.units import MICROSECONDS, unboxed
from scheduler_core.contracts import Schedule, Workload, asked_columns, replication_in
from scheduler_core.contracts.schedule import require_schedule
from scheduler_core.declarations.families import WAIT_WORDS
from scheduler_core.declarations.words import counted
from scheduler_core.runs.folder import read_run, title_of
from scheduler_core.runs.foreign import read_foreign
from scheduler_core.runs.summary import length_of, summarise, tasks_placed, with_processor_time

SAME = ("submit_us", "size", "runtime_us")
"""Columns in which a job must agree to be compared across two runs; estimates may differ, because that may be the question."""


@dataclass(frozen=True)
class Side:
    """One side of a comparison: a schedule, its name, and its checks.

    ``accounting`` says what became of the lines of the jobs' log, if they come from one. ``findings`` are those of the rules that
    apply to a foreign schedule (a run was checked when it was made). ``warnings`` are what a reader must know before the numbers.
    ``companions`` are the digests of the companion tables that a run was made with.
    """

    workload: Workload
    schedule: Schedule
    title: str
    accounting: dict[str, Any] | None = None
    findings: tuple[Finding, ...] = ()
    warnings: tuple[str, ...] = ()
    name: str = ""
    companions: Mapping[str, str] = field(default_factory=dict)

    @property
    def broken(self) -> list[Finding]:
        """The broken rules."""
        return [finding for finding in self.findings if finding.violations]

    def metrics(
        self, common: pl.DataFrame, *, sharing: bool, tasks: pl.DataFrame | None, unfinished: bool
    ) -> dict[str, float | int | None]:
        """Return the metrics of the jobs in both schedules; with ``sharing``, those of shared processors too.

        ``unfinished`` adds how many jobs a run ended before; ``tasks`` says which jobs are tasks of workflows, as either side
        knows it.
        """
        jobs = with_processor_time(self.schedule).join(common, on="job", how="semi")
        return summarise(self.schedule, jobs, tasks, sharing=sharing, unfinished=unfinished)

    def describe(self) -> dict[str, Any]:
        """Return this side's title, definition of wait and checked rules, as plain data."""
        rules = [{**asdict(finding), "examples": list(finding.examples)} for finding in self.findings]
        wait = WAIT_WORDS[self.schedule.family.wait]
        return {"title": self.title, "wait": wait, "rules": rules, "warnings": list(self.warnings)}


def read_sides(a: Path, b: Path, replication: int = 0) -> tuple[Side, Side]:
    """Return both sides; a CSV takes the jobs' requests from the run on the other side, so one side must be a run."""
    foreign = [path.suffix.lower() == ".csv" and not path.is_dir() for path in (a, b)]
    if all(foreign):
        raise ContractError(f"{a} and {b} are both CSV; one side must be a run, which knows what the jobs asked for")
    own = {path: read_side(path, replication) for path, is_csv in zip((a, b), foreign, strict=True) if not is_csv}
    known = next(iter(own.values()))
    sides = [own[path] if path in own else read_outside(path, known) for path in (a, b)]
    return sides[0], sides[1]


def read_side(folder: Path, replication: int) -> Side:
    """Return one replication of a run."""
    finished = read_run(folder)
    replication_in(folder, len(finished.schedules), replication)
    entry = finished.note["replications"][replication]
    pair = finished.workloads[replication], finished.schedules[replication]
    title, name = f"{folder}: {title_of(finished.note)}", str(finished.note["workload"])
    return Side(*pair, title, entry.get("accounting"), name=name, companions=entry.get("companions", {}))


def refuse_other_jobs(a: Side, b: Side) -> None:
    """Raise :class:`ContractError` for two runs of different jobs: equal numbers alone do not make them the same."""
    if a.workload.digest == b.workload.digest:
        return
    both = a.workload.jobs.join(b.workload.jobs, on="job", suffix="_b", maintain_order="left")
    other = both.filter(pl.any_horizontal(pl.col(name).ne_missing(pl.col(f"{name}_b")) for name in SAME))
    if len(a.workload) == len(b.workload) == both.height and other.is_empty():
        return
    found = [f"A is of {a.name} ({counted(len(a.workload), 'job')}), B of {b.name} ({counted(len(b.workload), 'job')})"]
    if only := len(a.workload) + len(b.workload) - 2 * both.height:
        found.append(f"{counted(only, 'job')} in one of them alone")
    if other.height:
        first = other.row(0, named=True)
        asked = [asked_words(first, end) for end in ("", "_b")]
        found.append(
            f"{counted(other.height, 'job')} of one number with another submission, size or run time, the first job "
            f"{first['job']}: in A {asked[0]}, in B {asked[1]}"
        )
    raise ContractError(
        f"the runs are of different jobs, which cannot be compared one by one: {'; '.join(found)}; "
        "simulate both on the same jobs"
    )


def asked_words(row: dict[str, Any], end: str) -> str:
    """Return a job's request in one of two runs, in words."""
    submit_us, size, runtime_us = (row[f"{name}{end}"] for name in SAME)
    return f"submitted at {submit_us / MICROSECONDS:,.10g} s, {counted(size, 'processor')}, {runtime_us / MICROSECONDS:,.10g} s"


def read_outside(path: Path, known: Side) -> Side:
    """Return a foreign schedule of a run's jobs."""
    foreign = read_foreign(path, known.workload, known.schedule)
    title = f"{path}: a foreign schedule"
    return Side(known.workload, foreign.schedule, title, known.accounting, foreign.findings, foreign.warnings)


def side_of(one: Side | Schedule) -> Side:
    """Return a schedule as a side of a comparison; the schedule itself knows its jobs and machine."""
    if isinstance(one, Side):
        return one
    require_schedule(one)
    title = title_of(one.run)
    workload = Workload(one.jobs.select(asked_columns(one.jobs)), one.machine, {})
    return Side(workload, one, title, name=title)


def compare(one: Side | Schedule, other: Side | Schedule, first: int = 5) -> dict[str, Any]:
    """Compare two schedules of the same jobs, A and B: schedules, or runs that :func:`read_sides` read from their folders.

    Returns ``sides``: title, definition of wait, rules and warnings of each (:meth:`Side.describe`); ``accounting``: what became
    of the lines of the log, for a side with one; ``jobs_in_both``, ``only_a``, ``only_b``. Of the jobs in both: ``same_start``,
    how many start in both at the same time, ``started_only_a``, ``started_only_b`` and ``started_in_neither``;
    ``first_differences``: job, starts in seconds and their difference, the earliest ``first`` of them; ``largest`` shift of a job
    that starts in both, None without one; ``metrics`` by name: a, b and difference; ``ended``: how many ended in a, in b, and in
    both. Metrics of times cover the jobs that ended, which may differ between the sides if a run ends before its jobs. Raise
    :class:`ContractError` when the schedules are of different jobs.
    """
    require(unboxed(first), int, "two schedules and, after them, how many differences to list")
    a, b = side_of(one), side_of(other)
    refuse_other_jobs(a, b)
    starts_a, starts_b = (side.schedule.jobs.select("job", "start_us") for side in (a, b))
    common = starts_a.rename({"start_us": "a_us"}).join(starts_b.rename({"start_us": "b_us"}), on="job")
    differing = (
        common.filter(~pl.col("a_us").eq_missing(pl.col("b_us")))
        .with_columns(earliest=pl.min_horizontal("a_us", "b_us"), shift=pl.col("b_us") - pl.col("a_us"))
        .sort("earliest", "job")
    )
    largest = differing.filter(pl.col("shift").is_not_null()).sort(
        pl.col("shift").abs(), "job", descending=[True, False]
    )
    none_a, none_b = pl.col("a_us").is_null(), pl.col("b_us").is_null()
    starts = common.select(
        same_start=(pl.col("a_us") == pl.col("b_us")).sum(),
        started_only_a=(~none_a & none_b).sum(),
        started_only_b=(none_a & ~none_b).sum(),
        started_in_neither=(none_a & none_b).sum(),
    ).row(0, named=True)
    sharing = any(side.schedule.family.sharing == "jobs" for side in (a, b))
    known = [tasks for side in (a, b) if (tasks := tasks_placed(side.schedule)) is not None]
    tasks = pl.concat(known).unique() if known else None
    unfinished = any(length_of(side.schedule) is not None for side in (a, b))
    metrics_a, metrics_b = (
        side.metrics(common, sharing=sharing, tasks=tasks, unfinished=unfinished) for side in (a, b)
    )
    ended = [side.schedule.jobs.join(common, on="job", how="semi").drop_nulls("finish_us") for side in (a, b)]
    return {
        "sides": {"a": a.describe(), "b": b.describe()},
        "accounting": {"a": a.accounting, "b": b.accounting},
        "jobs_in_both": common.height,
        "only_a": starts_a.height - common.height,
        "only_b": starts_b.height - common.height,
        **starts,
        "ended": {
            "a": ended[0].height,
            "b": ended[1].height,
            "both": ended[0].join(ended[1], on="job", how="semi").height,
        },
        "first_differences": [describe_shift(row) for row in differing.head(first).iter_rows(named=True)],
        "largest": describe_shift(largest.row(0, named=True)) if largest.height else None,
        "metrics": {
            name: {"a": value, "b": metrics_b[name], "difference": difference(value, metrics_b[name])}
            for name, value in metrics_a.items()
        },
    }


def describe_shift(row: dict[str, Any]) -> dict[str, Any]:
    """Return a job's two starts and their difference, in seconds."""
    values = {"start_a_s": row["a_us"], "start_b_s": row["b_us"], "difference_s": row["shift"]}
    return {"job": row["job"], **{name: None if us is None else us / MICROSECONDS for name, us in values.items()}}


def difference(a: float | None, b: float | None) -> float | None:
    """Return b - a; None when either is None."""
    return None if a is None or b is None else b - a
