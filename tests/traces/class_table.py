"""A workload summed up by run-time class, as publications print it."""

import polars as pl

from scheduler_core.common.units import MICROSECONDS
from scheduler_core.contracts import Workload
from traces.shape.classes import RunTimeClass, run_time_classes


def class_table(workload: Workload, name: str, by: str = "runtime") -> pl.DataFrame:
    """Sum a workload up by run-time class.

    Returns
    -------
    polars.DataFrame
        A row per class, all three: ``run_time_class``, ``jobs``, ``share`` (of the jobs), ``work_share`` (of the work),
        ``mean_size`` (processors), ``mean_runtime_s``; means are null and shares 0 for a class without jobs.
    """
    work = (pl.col("runtime_us").cast(pl.Float64) * pl.col("size")).alias("work")
    jobs = workload.jobs.select(run_time_classes(name).expression(by), work, "size", "runtime_us")
    found = jobs.group_by("run_time_class").agg(
        jobs=pl.len().cast(pl.Int64),
        work=pl.col("work").sum(),
        mean_size=pl.col("size").mean(),
        mean_runtime_s=pl.col("runtime_us").mean() / MICROSECONDS,
    )
    classes = pl.DataFrame({"run_time_class": RunTimeClass.categories.cast(RunTimeClass)})
    table = classes.join(found, on="run_time_class", how="left", maintain_order="left")
    return table.select(
        "run_time_class",
        pl.col("jobs").fill_null(0),
        share=(pl.col("jobs").fill_null(0) / max(len(workload), 1)),
        work_share=(pl.col("work").fill_null(0) / max(float(jobs["work"].sum()), 1.0)),
        mean_size="mean_size",
        mean_runtime_s="mean_runtime_s",
    )
