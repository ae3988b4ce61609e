"""Ways to break a schedule, a column, a row, a parameter, a counter at a time; and which rules say so."""

import dataclasses

import polars as pl

from scheduler_core.checker import check


def broken_rules(workload, schedule):
    return {finding.rule for finding in check(workload, schedule).findings if finding.violations}


def jobs(schedule, **columns):
    return dataclasses.replace(schedule, jobs=schedule.jobs.with_columns(**columns))


def held(schedule, **columns):
    return dataclasses.replace(schedule, held=schedule.allocations.with_columns(**columns))


def levels(schedule, **columns):
    return with_levels(schedule, schedule.tables["levels"].with_columns(**columns))


def with_levels(schedule, table):
    return dataclasses.replace(schedule, tables={**schedule.tables, "levels": table})


def parameters(schedule, **values):
    policy = schedule.run["policy"]
    policy = {**policy, "parameters": {**policy["parameters"], **values}}
    return dataclasses.replace(schedule, run={**schedule.run, "policy": policy})


def counters(schedule, **changes):
    stated = schedule.run["counters"]
    changed = {name: stated[name] + by for name, by in changes.items()}
    return dataclasses.replace(schedule, run={**schedule.run, "counters": {**stated, **changed}})


def at_row(row, column, value):
    """Replace one row's value of a column."""
    here = pl.int_range(pl.len()) == row
    return pl.when(here).then(value).otherwise(pl.col(column)).alias(column)


def one_job(schedule, *conditions):
    """Return the first of the jobs whose rows fulfil the conditions."""
    return schedule.jobs.filter(*conditions)["job"][0]


def for_job(number, column, value):
    return pl.when(pl.col("job") == number).then(value).otherwise(pl.col(column))


def rows_of(schedule, *conditions):
    """Return the numbers of the allocations that fulfil the conditions, beside what their job asked."""
    asked = schedule.jobs.select("job", "size", "flexibility", "size_min", "size_max")
    table = schedule.allocations.with_row_index("row").join(asked, on="job", maintain_order="left")
    before = {f"{name}_before": pl.col(name).shift(1).over("job") for name in ("processors", "processor_ids", "slot")}
    return table.with_columns(**before).filter(*conditions)["row"].to_list()


def with_allocation(schedule, row, **values):
    """Return the schedule with a changed allocation."""
    return held(schedule, **{name: at_row(row, name, value) for name, value in values.items()})


def with_row_in_two(schedule, row, gap_us):
    """Cut an allocation in two and leave a gap between them."""
    table = schedule.allocations
    one = table[row]
    cut = one["begin_us"][0] + (one["end_us"][0] - one["begin_us"][0]) // 2
    parts = [one.with_columns(end_us=pl.lit(cut, pl.Int64)), one.with_columns(begin_us=pl.lit(cut + gap_us, pl.Int64))]
    return dataclasses.replace(schedule, held=pl.concat([table[:row], *parts, table[row + 1 :]]))


def resized(schedule, condition):
    return rows_of(schedule, condition(pl.col("processors"), pl.col("processors_before")))[0]


def with_processors(schedule, row, processor_ids):
    return with_allocation(
        schedule, row, processor_ids=pl.lit(pl.Series([processor_ids], dtype=pl.List(pl.Int32))).first()
    )


def moved(schedule, row):
    """Return an allocation other processors than its job held before, by name and of the same number."""
    processor_ids = schedule.allocations["processor_ids"][row].to_list()
    free = sorted(
        set(range(schedule.machine.processors))
        - set(processor_ids)
        - set(schedule.allocations["processor_ids"][row - 1])
    )
    return with_processors(schedule, row, [free[0], *processor_ids[1:]])


def grown_elsewhere(schedule, row):
    """Let a job that grows give up one of the processors it had."""
    before = schedule.allocations["processor_ids"][row - 1].to_list()
    processor_ids = schedule.allocations["processor_ids"][row].to_list()
    free = sorted(set(range(schedule.machine.processors)) - set(processor_ids))
    return with_processors(schedule, row, [free[0], *(number for number in processor_ids if number != before[0])])


def jobs_called(schedule, flexibility, row):
    """Call the job of an allocation moldable, in workload and schedule alike (see :func:`asked_again`)."""
    number = schedule.allocations["job"][row]
    kind = schedule.jobs.schema["flexibility"]
    return jobs(schedule, flexibility=for_job(number, "flexibility", pl.lit(flexibility, kind)))


def shifted_work(schedule, row, by):
    """Move work from the allocation before to this one; the job's sum stays."""
    first = with_allocation(schedule, row, work_us=pl.col("work_us") + by)
    return with_allocation(first, row - 1, work_us=pl.col("work_us") - by)


def asked_again(workload, schedule):
    """Let the workload ask for the flexibility the schedule speaks of, where a mutation changed both."""
    flexibility = schedule.jobs.select("job", "flexibility")
    return dataclasses.replace(workload, jobs=workload.jobs.drop("flexibility").join(flexibility, on="job"))
