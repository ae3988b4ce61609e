"""Ways to break a schedule of any family: its jobs, allocations, tables, parameters and counters; and which rules say so.

A family's ``mutations.py`` has ``MUTATIONS``: by the rule that must catch them and the kind of schedule, the changes by name. A
change takes a schedule, or workload and schedule where both change. A value that is no expression is written as it is.
"""

import inspect
from dataclasses import replace

import polars as pl

from scheduler_core.checker import check

IDS = pl.List(pl.Int32)


def by_name(*tables):
    """Return mutations by name: the rule, the kind of schedule, the change."""
    return {
        name: (rule, kind, change)
        for table in tables
        for (rule, kind), changes in table.items()
        for name, change in changes.items()
    }


def broken(change, workload, schedule):
    """Apply a mutation; return workload and schedule."""
    needed = [each for each in inspect.signature(change).parameters.values() if each.default is each.empty]
    return change(workload, schedule) if len(needed) == 2 else (workload, change(schedule))


def broken_rules(workload, schedule):
    return {finding.rule for finding in check(workload, schedule).findings if finding.violations}


def written(rows, values):
    """Return values as expressions of the types that the columns have."""
    return {
        name: value if isinstance(value, pl.Expr) else pl.lit(value, rows.schema[name])
        for name, value in values.items()
    }


def where(condition, rows, values):
    """Return the columns changed where a condition holds."""
    return {
        name: pl.when(condition).then(value).otherwise(pl.col(name)) for name, value in written(rows, values).items()
    }


# Jobs and allocations


def jobs(schedule, **columns):
    return replace(schedule, jobs=schedule.jobs.with_columns(**written(schedule.jobs, columns)))


def of_job(schedule, number, **columns):
    """Change what the table of jobs says of a job."""
    return jobs(schedule, **where(pl.col("job") == number, schedule.jobs, columns))


def held(schedule, **columns):
    return replace(schedule, held=schedule.allocations.with_columns(**written(schedule.allocations, columns)))


def held_by(schedule, number, **columns):
    """Change the allocations of a job."""
    return held(schedule, **where(pl.col("job") == number, schedule.allocations, columns))


def with_allocation(schedule, row, **columns):
    """Change an allocation."""
    return held(schedule, **where(pl.int_range(pl.len()) == row, schedule.allocations, columns))


def with_processors(schedule, row, processor_ids):
    return with_allocation(schedule, row, processor_ids=named(processor_ids))


def named(processor_ids):
    return pl.lit(pl.Series([processor_ids], dtype=IDS)).first()


def shifted_work(schedule, row, by):
    """Move work from the allocation before to this one; the job's sum stays."""
    first = with_allocation(schedule, row, work_us=pl.col("work_us") + by)
    return with_allocation(first, row - 1, work_us=pl.col("work_us") - by)


def in_two(schedule, row, gap_us=0):
    """Cut an allocation in two, with its work, and leave a gap between them."""
    rows = schedule.allocations
    one = rows[row]
    begin, end, work = (one[name][0] for name in ("begin_us", "end_us", "work_us"))
    cut = (begin + end) // 2
    done = work * (cut - begin) // (end - begin)
    first = one.with_columns(**written(rows, {"end_us": cut, "work_us": done}))
    second = one.with_columns(**written(rows, {"begin_us": cut + gap_us, "work_us": work - done}))
    return replace(schedule, held=pl.concat([rows[:row], first, second, rows[row + 1 :]]))


def one_job(schedule, *conditions):
    """Return the first of the jobs whose rows fulfil the conditions."""
    return schedule.jobs.filter(*conditions)["job"][0]


# Tables


def table(schedule, name, rows=None, **columns):
    """Change columns of one of the family's tables, or give it other rows."""
    rows = schedule.tables[name] if rows is None else rows
    return replace(schedule, tables={**schedule.tables, name: rows.with_columns(**written(rows, columns))})


def first_row(rows, *conditions, nth=0):
    """Return the number of the first row that fulfils the conditions, or of another one of them."""
    return rows.with_row_index("at").filter(*conditions)["at"][nth]


def said(schedule, name, *conditions, nth=0, **columns):
    """Change columns of the first row that fulfils the conditions, or of another one of them."""
    rows = schedule.tables[name]
    here = pl.int_range(pl.len()) == first_row(rows, *conditions, nth=nth)
    return table(schedule, name, **where(here, rows, columns))


def changed(schedule, name, column, by, *conditions):
    """Add to a column of the first row that fulfils the conditions."""
    return said(schedule, name, *conditions, **{column: pl.col(column) + by})


def without(schedule, name, *conditions, nth=0):
    """Leave out the first row that fulfils the conditions, or another one of them."""
    rows = schedule.tables[name]
    row = first_row(rows, *conditions, nth=nth)
    return table(schedule, name, pl.concat([rows[:row], rows[row + 1 :]]))


def again(schedule, name):
    """Write the last row twice."""
    return table(schedule, name, pl.concat([schedule.tables[name], schedule.tables[name].tail(1)]))


# The note of the run


def parameters(schedule, **values):
    policy = schedule.run["policy"]
    policy = {**policy, "parameters": {**policy["parameters"], **values}}
    return replace(schedule, run={**schedule.run, "policy": policy})


def with_counters(schedule, **values):
    return replace(schedule, run={**schedule.run, "counters": {**schedule.run["counters"], **values}})


def counters(schedule, **changes):
    """Add to counters."""
    stated = schedule.run["counters"]
    return with_counters(schedule, **{name: stated[name] + by for name, by in changes.items()})
