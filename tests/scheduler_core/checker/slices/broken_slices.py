"""Ways to break a schedule in slices of classes, beside those of any schedule."""

from dataclasses import replace

import polars as pl

from tests.scheduler_core.checker.broken_schedules import first_row, held_by, in_two, named, of_job, with_allocation

CLASS = pl.col("class").cast(pl.String)


def runs(schedule):
    """Return the allocations beside the class of their slice and whether it is the job's first or last."""
    number = pl.int_range(pl.len()).over("job")
    return schedule.allocations.with_columns(number=number, of=pl.len().over("job"))


def later_run(schedule):
    return first_row(runs(schedule), pl.col("number") > 0, pl.col("processors") < 8)


def without_run(schedule, row):
    """Leave out an allocation, and let work, preemptions and start say so."""
    table, job = schedule.allocations, schedule.allocations["job"][row]
    kept = pl.concat([table[:row], table[row + 1 :]])
    fewer = of_job(schedule, job, preemptions=pl.col("preemptions") - 1)
    return replace(fewer, held=kept)


def run_in_two(schedule, row):
    """Write a stretch as two, and count it as a preemption."""
    job = schedule.allocations["job"][row]
    return of_job(in_two(schedule, row), job, preemptions=pl.col("preemptions") + 1)


def on_the_processors_of_another(schedule):
    """Give a job the processors of one of its class that is suspended while it begins."""
    first = runs(schedule).filter(pl.col("number") == 0).join(schedule.jobs.select("job", "finish_us"), on="job")
    pairs = first.join(first, on="slot", suffix="_later").filter(
        pl.col("begin_us_later").is_between("begin_us", "finish_us", closed="none"),
        pl.col("job") != pl.col("job_later"),
    )
    return held_by(schedule, pairs["job_later"][0], processor_ids=named(pairs["processor_ids"][0].to_list()))


def alone(schedule):
    """Return the first run of a job that starts after its submission in a slice in which no other job runs then."""
    asked = schedule.jobs.select("job", "submit_us")
    rows = runs(schedule).join(asked, on="job", maintain_order="left").with_row_index("row")
    waited = rows.filter(pl.col("number") == 0, pl.col("begin_us") > pl.col("submit_us"))
    for row in waited.iter_rows(named=True):
        if rows.filter(pl.col("begin_us") <= row["begin_us"], pl.col("end_us") > row["begin_us"]).height == 1:
            return row["row"]
    raise AssertionError


def other_slot(schedule, row):
    return with_allocation(schedule, row, slot=(pl.col("slot") + 1) % 3)
