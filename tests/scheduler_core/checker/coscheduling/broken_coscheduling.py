"""Ways to break a schedule of jobs that share processors, beside those of any schedule; each also says what was asked."""

import dataclasses

import polars as pl

from tests.scheduler_core.checker.broken_schedules import at_row, for_job, held, jobs, parameters, with_allocation
from tests.scheduler_core.checker.slices.broken_slices import first_row, table

IDS = pl.List(pl.Int32)


def of_schedule(change):
    """Let a change of the schedule alone be one of workload and schedule."""
    return lambda workload, schedule: (workload, change(schedule))


def setting(**values):
    """Let the note of the run name another policy than the schedule was made by."""
    return of_schedule(lambda schedule: parameters(schedule, **values))


def entry(name, value, *conditions, of="matches"):
    """Change a column of the first row of a table that fulfils the conditions."""
    return of_schedule(
        lambda schedule: table(schedule, of, **{name: at_row(first_row(schedule.tables[of], *conditions), name, value)})
    )


def without_entry(*conditions, of="matches"):
    def change(schedule):
        rows = schedule.tables[of]
        row = first_row(rows, *conditions)
        return table(schedule, of, pl.concat([rows[:row], rows[row + 1 :]]))

    return of_schedule(change)


def companion(name, *numbers, **values):
    """Change what a companion table of the workload says of some jobs; a number may be found in the schedule."""

    def change(workload, schedule):
        chosen = [number(schedule) if callable(number) else number for number in numbers]
        table = workload.companions[name]
        there = pl.col("job").is_in(chosen)
        told = {
            column: pl.when(there).then(value if isinstance(value, pl.Expr) else pl.lit(value, table.schema[column]))
            for column, value in values.items()
        }
        changed = table.with_columns(**{column: value.otherwise(pl.col(column)) for column, value in told.items()})
        return dataclasses.replace(workload, companions={**workload.companions, name: changed}), schedule

    return change


def both(first, second):
    """Make one change after another."""
    return lambda workload, schedule: second(*first(workload, schedule))


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


def cut_in_two(schedule, number):
    """Let a row at full speed end where nothing happens, and go on at once."""
    found = schedule.allocations
    one = found[number]
    middle = (one["begin_us"][0] + one["end_us"][0]) // 2
    parts = [one.with_columns(end_us=pl.lit(middle, pl.Int64)), one.with_columns(begin_us=pl.lit(middle, pl.Int64))]
    parts = [part.with_columns(work_us=pl.col("end_us") - pl.col("begin_us")) for part in parts]
    return dataclasses.replace(schedule, held=pl.concat([found[:number], *parts, found[number + 1 :]]))


def moved(schedule, number, processor_ids):
    """Let a job have other processors in all its rows."""
    given = pl.lit(pl.Series([processor_ids], dtype=IDS)).first()
    return held(schedule, processor_ids=for_job(number, "processor_ids", given))


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
    later = jobs(schedule, finish_us=for_job(job, "finish_us", pl.col("finish_us") + by))
    return with_allocation(later, number, end_us=pl.col("end_us") + by)


def shifted_work(schedule, number):
    """Let a row do a microsecond more of the job's work, and the next one less."""
    more = with_allocation(schedule, number, work_us=pl.col("work_us") + 1)
    return with_allocation(more, number + 1, work_us=pl.col("work_us") - 1)


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
    at = {"begin_us": pl.lit(paired["begin_us"]), "end_us": pl.lit(paired["end_us"])}
    return held(there, **{name: for_job(job, name, value) for name, value in at.items()})


def resumed_later(schedule, by=1):
    """Let a partner that was suspended go on later."""
    before = pl.col("end_us").shift(1).over("job")
    number = first_row(schedule.allocations.with_columns(before=before), pl.col("begin_us") > pl.col("before"))
    return with_allocation(longer(schedule, number, by), number, begin_us=pl.col("begin_us") + by)


def asked_for(name, value, number):
    """Change what a job asks for, in workload and schedule alike."""

    def change(workload, schedule):
        job = number(schedule)
        changed = for_job(job, name, pl.lit(value))
        kind = workload.jobs.schema[name]
        wanted = workload.jobs.with_columns(changed.cast(kind).alias(name))
        return dataclasses.replace(workload, jobs=wanted), jobs(schedule, **{name: changed.cast(kind)})

    return change
