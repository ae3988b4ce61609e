"""A workload summed up by run-time class, as publications print it."""

import polars as pl

from scheduler_core.common.units import MICROSECONDS
from scheduler_core.contracts import JobClass, Workload
from traces.shape.classes import run_time_class


def class_table(workload: Workload, name: str) -> pl.DataFrame:
    """Return a row per class, all three: jobs, shares of jobs and work, mean size and run time (s).

    Means are null and shares 0 for a class without jobs.
    """
    work = (pl.col("runtime_us").cast(pl.Float64) * pl.col("size")).alias("work")
    jobs = workload.jobs.select(run_time_class(name), work, "size", "runtime_us")
    found = jobs.group_by("class").agg(
        jobs=pl.len().cast(pl.Int64),
        work=pl.col("work").sum(),
        mean_size=pl.col("size").mean(),
        mean_runtime_s=pl.col("runtime_us").mean() / MICROSECONDS,
    )
    classes = pl.DataFrame({"class": JobClass.categories.cast(JobClass)})
    table = classes.join(found, on="class", how="left", maintain_order="left")
    return table.select(
        "class",
        pl.col("jobs").fill_null(0),
        share=(pl.col("jobs").fill_null(0) / max(len(workload), 1)),
        work_share=(pl.col("work").fill_null(0) / max(float(jobs["work"].sum()), 1.0)),
        mean_size="mean_size",
        mean_runtime_s="mean_runtime_s",
    )
