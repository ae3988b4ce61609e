"""Legal schedules of clusters in slices under one clock, without workflows: schedules of single machines, put side by side."""

import polars as pl

from scheduler_core.contracts import JOBS_COLUMNS, WORKLOAD_OPTIONAL, Machine, Schedule, Workload
from scheduler_core.contracts.machine import Cluster
from scheduler_core.declarations.policy import get_policy
from scheduler_core.grid.family import FAMILY, TABLES
from tests.scheduler_core.checker.slices.random_slices import SMALL, random_slices, random_workload

SIZES = (16, 8, 12)
SHARES = {"share_medium": 0.3, "share_long": 0.7}  # of the grid, which differ from those of a single machine


def on_cluster(table, number, first_job, **columns):
    """Say of rows of a single machine that they are of a cluster, whose jobs have other numbers."""
    moved = {"job": pl.col("job") + first_job} if "job" in table.columns else {}
    cluster = {"cluster": pl.lit(number, pl.Int16)} if "cluster" in table.columns else {}
    return table.with_columns(**moved, **cluster, **columns)


def random_clusters(seed, jobs=40, gap_s=25, **parameters):
    """Draw a workload of local jobs on three clusters, and a legal schedule of it."""
    asked, became, held, tables, first = [], [], [], {"slices": [], "promises": []}, 0
    counters = dict.fromkeys(FAMILY.counters, 0)
    for number, processors in enumerate(SIZES):
        alone = random_workload(10 * seed + number, jobs, processors, gap_s)
        made = random_slices(alone, 10 * seed + number, **SHARES, **parameters)
        home = {"home": pl.lit(number, WORKLOAD_OPTIONAL["home"])}
        asked.append(on_cluster(alone.jobs, number, 1000 * number, **home))
        became.append(on_cluster(made.jobs, number, 1000 * number, **home))
        places = pl.col("processor_ids").list.eval(pl.element() + first)
        held.append(on_cluster(made.allocations, number, 1000 * number, processor_ids=places))
        for name, rows in tables.items():
            rows.append(on_cluster(made.tables[name], number, 1000 * number))
        counters |= {name: counters[name] + by for name, by in made.run["counters"].items()}
        first += processors
    machine = Machine(clusters=tuple(Cluster(processors) for processors in SIZES))
    workload = Workload(pl.concat(asked).sort("submit_us", "job"), machine)
    grid = get_policy(
        "grid", reservations="rebooked", **SMALL, **parameters
    )  # the one way in which clusters promise, too
    policy = {"name": "grid", "parameters": grid.values()}
    empty = {name: pl.DataFrame(schema=dict(kind.columns)) for name, kind in TABLES.items()}
    whole = {name: pl.concat([empty[name], *rows]) for name, rows in tables.items()}
    jobs_table = workload.jobs.select("job").join(pl.concat(became), on="job", maintain_order="left")
    return workload, Schedule(
        jobs_table.select(*JOBS_COLUMNS, "class", "home"),
        pl.concat(held),
        machine,
        {"policy": policy, "counters": counters},
        FAMILY,
        tables={**empty, **whole},
    )
