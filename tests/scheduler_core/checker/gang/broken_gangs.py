"""Ways to break a schedule of gangs, beside those of any schedule."""

from dataclasses import replace

import polars as pl

from tests.scheduler_core.checker.broken_schedules import of_job, with_processors


def rows_of(schedule, *conditions):
    """Return the numbers of the allocations that fulfil the conditions, beside what their job asked."""
    asked = schedule.jobs.select("job", "size", "flexibility", "size_min", "size_max")
    table = schedule.allocations.with_row_index("row").join(asked, on="job", maintain_order="left")
    before = {f"{name}_before": pl.col(name).shift(1).over("job") for name in ("processors", "processor_ids", "slot")}
    return table.with_columns(**before).filter(*conditions)["row"].to_list()


def resized(schedule, condition=lambda now, before: now != before):
    """Return the first allocation whose size and the job's size before fulfil a condition."""
    return rows_of(schedule, condition(pl.col("processors"), pl.col("processors_before")))[0]


def moved(schedule, row):
    """Give an allocation one processor that its job did not hold before, in the place of one it had."""
    own, before = (schedule.allocations["processor_ids"][number].to_list() for number in (row, row - 1))
    free = min(set(range(schedule.machine.processors)) - {*own, *before})
    return with_processors(schedule, row, [free, *own[1:]])


def grown_elsewhere(schedule, row):
    """Let a job that grows give up one of the processors it had."""
    own, before = (schedule.allocations["processor_ids"][number].to_list() for number in (row, row - 1))
    free = min(set(range(schedule.machine.processors)) - set(own))
    return with_processors(schedule, row, [free, *(number for number in own if number != before[0])])


def called_moldable(workload, schedule):
    """Call a job that is resized moldable, in workload and schedule alike."""
    changed = of_job(schedule, schedule.allocations["job"][resized(schedule)], flexibility="moldable")
    flexibility = changed.jobs.select("job", "flexibility")
    return replace(workload, jobs=workload.jobs.drop("flexibility").join(flexibility, on="job")), changed
