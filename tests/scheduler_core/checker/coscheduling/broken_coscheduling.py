"""Ways to break a schedule of jobs that share processors, beside those of any schedule; each also says what was asked."""

from dataclasses import replace

import polars as pl

from tests.scheduler_core.checker.broken_schedules import (
    broken,
    first_row,
    held,
    held_by,
    named,
    of_job,
    parameters,
    said,
    where,
    with_allocation,
)


def setting(**values):
    """Let the note of the run name another policy than the schedule was made by."""
    return lambda schedule: parameters(schedule, **values)


def entry(*conditions, of="matches", **columns):
    """Change columns of the first row of a table that fulfils the conditions."""
    return lambda schedule: said(schedule, of, *conditions, **columns)


def companion(name, *numbers, **values):
    """Change what a companion table of the workload says of some jobs; numbers may be found in the schedule."""

    def change(workload, schedule):
        found = [number(schedule) if callable(number) else number for number in numbers]
        chosen = [job for jobs in found for job in (jobs if isinstance(jobs, list) else [jobs])]
        rows = workload.companions[name]
        rows = rows.with_columns(**where(pl.col("job").is_in(chosen), rows, values))
        return replace(workload, companions={**workload.companions, name: rows}), schedule

    return change


def both(*changes):
    """Make one change after another."""

    def change(workload, schedule):
        for each in changes:
            workload, schedule = broken(each, workload, schedule)
        return workload, schedule

    return change


def rows_of(schedule):
    """Return the allocations with their number and count among those of the job, and whether other jobs are beside it."""
    beside = pl.struct("begin_us", "end_us").is_duplicated()
    return schedule.allocations.with_columns(
        number=pl.int_range(pl.len()).over("job"), of=pl.len().over("job"), beside=beside
    )


def row(schedule, *conditions):
    return first_row(rows_of(schedule), *conditions)


def alone(schedule):
    """Return the row of a job that runs alone from start to finish, and long enough to be cut in two."""
    return row(schedule, pl.col("of") == 1, ~pl.col("beside"), pl.col("end_us") - pl.col("begin_us") > 100)


def later_alone(schedule):
    """Return a row of a job that was beside another before."""
    return row(schedule, pl.col("number") > 0, ~pl.col("beside"))


def partner(schedule, *conditions):
    """Return the number of a job that joined another and had one row, beside it."""
    first = rows_of(schedule).filter(pl.col("slot") == 1, pl.col("of") == 1, "beside", *conditions)
    return first["job"][0]


def moved(schedule, number, processor_ids):
    """Let a job have other processors in all its rows."""
    return held_by(schedule, number, processor_ids=named(processor_ids))


def from_the_other_end(schedule):
    """Number all processors the other way round."""
    last = schedule.machine.processors - 1
    return held(schedule, processor_ids=pl.col("processor_ids").list.eval((last - pl.element()).cast(pl.Int32)))


def to_the_end_of_the_holder(schedule):
    """Let a partner have the highest of its holder's processors, where it ends no later."""
    joined = rows_of(schedule).filter(pl.col("slot") == 1, pl.col("of") == 1, "beside")
    pairs = joined.join(schedule.allocations, on=["begin_us", "end_us"], suffix="_of_holder")
    found = pairs.filter(pl.col("processors_of_holder") > pl.col("processors"), pl.col("slot_of_holder") == 0)
    one = found.filter(pl.col("processor_ids_of_holder").list.contains(pl.col("processor_ids").list.first())).row(
        0, named=True
    )
    return moved(schedule, one["job"], sorted(one["processor_ids_of_holder"])[-one["processors"] :])


def longer(schedule, number, by=1):
    """Let a job end later, and its last row with it."""
    job = schedule.allocations["job"][number]
    later = of_job(schedule, job, finish_us=pl.col("finish_us") + by)
    return with_allocation(later, number, end_us=pl.col("end_us") + by)


def half_the_share(schedule, number):
    """State half the share and half the slowdown, so that the speed is the same."""
    halves = {name: pl.col(name) // 2 for name in ("share_ppm", "slowdown_ppm")}
    return with_allocation(schedule, number, **halves)


def onto_the_processors_of_a_pair(schedule):
    """Let a job run on the processors of two others, at a time when it could not."""
    found = rows_of(schedule)
    paired = found.filter("beside", pl.col("slot") == 0).row(0, named=True)
    job = found.filter(pl.col("of") == 1, ~pl.col("beside"), pl.col("processors") <= paired["processors"])["job"][0]
    there = moved(schedule, job, sorted(paired["processor_ids"])[: found.filter(job=job)["processors"][0]])
    return held_by(there, job, begin_us=paired["begin_us"], end_us=paired["end_us"])


def resumed_later(schedule, by=1):
    """Let a partner that was suspended go on later."""
    before = pl.col("end_us").shift(1).over("job")
    number = first_row(schedule.allocations.with_columns(before=before), pl.col("begin_us") > pl.col("before"))
    return with_allocation(longer(schedule, number, by), number, begin_us=pl.col("begin_us") + by)


def asked_for(name, value, number):
    """Change what a job asks for, in workload and schedule alike."""

    def change(workload, schedule):
        job = number(schedule)
        wanted = where(pl.col("job") == job, workload.jobs, {name: value})
        return replace(workload, jobs=workload.jobs.with_columns(**wanted)), of_job(schedule, job, **{name: value})

    return change
