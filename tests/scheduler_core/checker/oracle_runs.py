"""Schedules of Concurrent Gang that its oracle makes, as runs of an engine are."""

import polars as pl

from scheduler_core.concurrent_gang.family import FAMILY
from scheduler_core.contracts import ALLOCATIONS_COLUMNS, JOBS_COLUMNS, Schedule
from tests.oracles.concurrent_gang import oracle


def by_oracle(case):
    """Return the workload of an example and the oracle's schedule of it."""
    workload, told = case.workload, oracle.schedule(case.policy, case.jobs, case.processors)
    became = [(job, *rest) for job, rest in told.jobs.items()]
    columns = {name: JOBS_COLUMNS[name] for name in ("job", "start_us", "finish_us", "processors", "outcome")}
    jobs = workload.jobs.join(pl.DataFrame(became, schema=columns, orient="row"), on="job", maintain_order="left")
    jobs = jobs.with_columns(cluster=pl.lit(0, pl.Int16), preemptions=pl.lit(0, pl.Int32)).select(*JOBS_COLUMNS)
    held = [
        (job, begin, end, len(places), list(places), 0, slot or 0, work / (end - begin), work)
        for job, slot, begin, end, places, work in told.allocations
    ]
    tables = {
        name: pl.DataFrame(getattr(told, name), schema=dict(table.columns), orient="row")
        for name, table in FAMILY.tables.items()
    }
    counters = {**dict.fromkeys(FAMILY.counters, 0), **told.counters}
    note = {"policy": {"name": case.policy.name, "parameters": case.policy.values()}, "counters": counters}
    allocations = pl.DataFrame(held, schema=ALLOCATIONS_COLUMNS, orient="row")
    return workload, Schedule(jobs, allocations, workload.machine, note, FAMILY, tables=tables)
