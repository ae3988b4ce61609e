"""How two schedules of the same jobs differ: who starts at the same time, who differs first, how the metrics move."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from scheduler_core.errors import ContractError
from scheduler_core.family import Wait
from scheduler_core.runs import read_run, title_of
from scheduler_core.summary import WAIT_WORDS, summarise, wait_of, with_processor_time
from scheduler_core.units import MICROSECONDS


@dataclass(frozen=True)
class Side:
    """One side of a comparison: a ``jobs`` table and what is known of it.

    ``title`` says what it is, ``wait`` how wait is defined in it, ``accounting`` what became of the lines of the jobs' log,
    if they come from one.
    """

    jobs: pl.DataFrame
    processors: int
    title: str
    wait: Wait
    accounting: dict[str, Any] | None = None


def read_sides(a: Path, b: Path, replication: int = 0) -> tuple[Side, Side]:
    """Read both sides; a CSV takes what was asked from the run on the other side.

    Raises
    ------
    ContractError
        When neither is a run, a CSV lacks a column or holds something that is no number, or speaks of unknown jobs.
    """
    foreign = [path.suffix.lower() == ".csv" for path in (a, b)]
    if all(foreign):
        raise ContractError(f"{a} and {b} are both CSV; one side must be a run, which knows what the jobs asked for")
    own = {path: read_side(path, replication) for path, is_csv in zip((a, b), foreign, strict=True) if not is_csv}
    known = next(iter(own.values()))
    sides = [own[path] if path in own else read_foreign(path, known) for path in (a, b)]
    return sides[0], sides[1]


def read_side(folder: Path, replication: int) -> Side:
    """Read one replication of a run."""
    finished = read_run(folder)
    if not 0 <= replication < len(finished.schedules):
        raise ContractError(f"{folder}: there is no replication {replication}; it has {len(finished.schedules)}")
    schedule = finished.schedules[replication]
    note = finished.note["replications"][replication]
    jobs, title = with_processor_time(schedule), f"{folder}: {title_of(finished.note)}"
    return Side(jobs, schedule.machine.processors, title, wait_of(finished.note), note.get("accounting"))


def read_foreign(path: Path, known: Side) -> Side:
    """Read a foreign schedule: a CSV with the columns job, start, end (seconds since the workload's origin)."""
    try:
        table = pl.read_csv(path, infer_schema=False)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise ContractError(f"{path}: cannot read it as CSV ({error})") from error
    table = table.rename({name: name.strip().lower() for name in table.columns})
    for name in ("job", "start", "end"):
        if name not in table.columns:
            raise ContractError(f"{path}: expected the columns job, start, end; found {', '.join(table.columns)}")
    numbers = table.select(
        pl.col("job").str.strip_chars().cast(pl.Int64, strict=False),
        *[
            (pl.col(name).str.strip_chars().cast(pl.Float64, strict=False) * MICROSECONDS)
            .round()
            .cast(pl.Int64, strict=False)
            .alias(f"{name}_us")
            for name in ("start", "end")
        ],
    )
    odd = numbers.with_row_index("line", offset=2).filter(pl.any_horizontal(pl.all().is_null()))
    if odd.height:
        line = odd["line"][0]
        raise ContractError(
            f"{path}, line {line}: expected three numbers; found {', '.join(map(str, table.row(line - 2)))}"
        )
    unknown = numbers.join(known.jobs, on="job", how="anti")
    if unknown.height:
        raise ContractError(f"{path}: {unknown.height:,} jobs are not in the run, the first is {unknown['job'][0]}")
    twice = numbers.filter(pl.col("job").is_duplicated())
    if twice.height:
        raise ContractError(f"{path}: job {twice['job'][0]} appears more than once")
    asked = known.jobs.drop("start_us", "finish_us", "processor_us", strict=False)
    jobs = asked.join(numbers.rename({"end_us": "finish_us"}), on="job", how="inner", maintain_order="left")
    return Side(jobs, known.processors, f"{path}: a foreign schedule", known.wait, known.accounting)


def compare(a: Side, b: Side, first: int = 5) -> dict[str, Any]:
    """Compare two schedules of the same jobs.

    Returns
    -------
    dict
        ``jobs_in_both``, ``only_a``, ``only_b``, ``same_start``; ``first_differences`` (job, starts in seconds and their
        difference, the earliest ``first``); ``largest`` shift; ``metrics`` by name: a, b and difference, over the jobs
        that are in both; ``sides``: title and definition of wait of each;
        ``accounting``: what became of the lines of the log, for a side that comes from one.
    """
    common = a.jobs.select("job", a_us="start_us").join(b.jobs.select("job", b_us="start_us"), on="job")
    differing = (
        common.filter(~pl.col("a_us").eq_missing(pl.col("b_us")))
        .with_columns(earliest=pl.min_horizontal("a_us", "b_us"), shift=pl.col("b_us") - pl.col("a_us"))
        .sort("earliest", "job")
    )
    largest = differing.filter(pl.col("shift").is_not_null()).sort(
        pl.col("shift").abs(), "job", descending=[True, False]
    )
    metrics_a = summarise(a.jobs.join(common, on="job", how="semi"), a.processors, wait=a.wait)
    metrics_b = summarise(b.jobs.join(common, on="job", how="semi"), b.processors, wait=b.wait)
    return {
        "sides": {"a": describe_side(a), "b": describe_side(b)},
        "accounting": {"a": a.accounting, "b": b.accounting},
        "jobs_in_both": common.height,
        "only_a": a.jobs.height - common.height,
        "only_b": b.jobs.height - common.height,
        "same_start": common.height - differing.height,
        "first_differences": [describe_shift(row) for row in differing.head(first).iter_rows(named=True)],
        "largest": describe_shift(largest.row(0, named=True)) if largest.height else None,
        "metrics": {
            name: {"a": value, "b": metrics_b[name], "difference": difference(value, metrics_b[name])}
            for name, value in metrics_a.items()
        },
    }


def describe_side(side: Side) -> dict[str, str]:
    """Return what a side is, and how wait is defined in it."""
    return {"title": side.title, "wait": WAIT_WORDS[side.wait]}


def describe_shift(row: dict[str, Any]) -> dict[str, Any]:
    """Give a job's two starts and their difference in seconds."""
    values = {"start_a_s": row["a_us"], "start_b_s": row["b_us"], "difference_s": row["shift"]}
    return {
        "job": row["job"],
        **{name: None if us is None else us / MICROSECONDS for name, us in values.items()},
    }


def difference(a: float | None, b: float | None) -> float | None:
    """Give b - a, None when one of them is."""
    return None if a is None or b is None else b - a
