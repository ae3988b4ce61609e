"""Ways to break a schedule in slices of classes, beside those of any schedule."""

import dataclasses

import polars as pl

from tests.scheduler_core.checker.broken_schedules import at_row, for_job, held, jobs, with_allocation

CLASS = pl.col("class").cast(pl.String)


def table(schedule, name, rows=None, **columns):
    """Change columns of one of the tables of slices, or give it other rows."""
    rows = schedule.tables[name].with_columns(**columns) if rows is None else rows
    return dataclasses.replace(schedule, tables={**schedule.tables, name: rows})


def first_row(table, *conditions):
    return table.with_row_index("row").filter(*conditions)["row"][0]


def changed(schedule, name, column, by, *conditions):
    """Add to a column of the first row that fulfils the conditions."""
    rows = schedule.tables[name]
    return table(schedule, name, **{column: at_row(first_row(rows, *conditions), column, pl.col(column) + by)})


def without(schedule, name, *conditions):
    """Leave out the first row that fulfils the conditions."""
    rows = schedule.tables[name]
    row = first_row(rows, *conditions)
    return table(schedule, name, pl.concat([rows[:row], rows[row + 1 :]]))


def again(schedule, name):
    return table(schedule, name, pl.concat([schedule.tables[name], schedule.tables[name].tail(1)]))


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
    fewer = jobs(schedule, preemptions=for_job(job, "preemptions", pl.col("preemptions") - 1))
    return dataclasses.replace(fewer, held=kept)


def run_in_two(schedule, row):
    table = schedule.allocations
    one = table[row]
    cut = (one["begin_us"][0] + one["end_us"][0]) // 2
    parts = [one.with_columns(end_us=pl.lit(cut, pl.Int64)), one.with_columns(begin_us=pl.lit(cut, pl.Int64))]
    parts = [part.with_columns(work_us=pl.col("end_us") - pl.col("begin_us")) for part in parts]
    twice = jobs(schedule, preemptions=for_job(one["job"][0], "preemptions", pl.col("preemptions") + 1))
    return dataclasses.replace(twice, held=pl.concat([table[:row], *parts, table[row + 1 :]]))


def on_the_processors_of_another(schedule):
    """Give a job the processors of one of its class that is suspended while it begins."""
    first = runs(schedule).filter(pl.col("number") == 0).join(schedule.jobs.select("job", "finish_us"), on="job")
    pairs = first.join(first, on="slot", suffix="_later").filter(
        pl.col("begin_us_later").is_between("begin_us", "finish_us", closed="none"),
        pl.col("job") != pl.col("job_later"),
    )
    processor_ids, number = pairs["processor_ids"][0].to_list(), pairs["job_later"][0]
    moved = pl.lit(pl.Series([processor_ids], dtype=pl.List(pl.Int32))).first()
    return held(schedule, processor_ids=for_job(number, "processor_ids", moved))


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
