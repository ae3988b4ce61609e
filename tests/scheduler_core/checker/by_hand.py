"""Schedules made of rows: of allocations, and of the tables of a family."""

import polars as pl

from scheduler_core.contracts import ALLOCATIONS_COLUMNS, JOBS_COLUMNS, Schedule

GAPS = (pl.col("begin_us") > pl.col("end_us").shift(1)).sum()
"""Preemptions where allocations of a job may follow each other without a gap."""


def schedule_of(workload, family, policy, rows, tables, counters, preemptions=GAPS):
    """Make a schedule; what became of the jobs follows from their allocations, and ``policy`` is a name and its parameters.

    Counters that are not given are 0; without any, the schedule counts nothing.
    """
    counted = {**dict.fromkeys(family.counters, 0), **counters} if counters else {}
    held = pl.DataFrame(rows, schema={**ALLOCATIONS_COLUMNS, **family.allocation_columns}, orient="row")
    held = held.sort("job", "begin_us", "slot")
    became = held.group_by("job", maintain_order=True).agg(
        start_us=pl.col("begin_us").min(),
        finish_us=pl.col("end_us").max(),
        processors=pl.col("processors").first(),
        cluster=pl.col("cluster").first(),
        preemptions=preemptions,
    )
    killed = pl.when(pl.col("runtime_us") > pl.col("estimate_us")).then(pl.lit("killed")).otherwise(pl.lit("finished"))
    jobs = workload.jobs.join(became, on="job", how="left", maintain_order="left").with_columns(
        pl.col("processors", "cluster", "preemptions").fill_null(0),
        outcome=pl.when(pl.col("start_us").is_null()).then(pl.lit("rejected")).otherwise(killed),
    )
    more = [name for name in workload.jobs.columns if name not in JOBS_COLUMNS]
    return Schedule(
        jobs.select(*JOBS_COLUMNS, *more).cast(JOBS_COLUMNS),
        held,
        workload.machine,
        {"policy": dict(zip(("name", "parameters"), policy, strict=True)), "counters": counted},
        family,
        tables={
            name: pl.DataFrame(tables.get(name, ()), schema=dict(kind.columns), orient="row")
            for name, kind in family.tables.items()
        },
    )
