"""Schedules with slices as worked by hand from the docstrings of the policies: the examples of the thesis."""

from pathlib import Path

import numpy as np
import polars as pl

from scheduler_core.contracts import ALLOCATIONS_COLUMNS, JOBS_COLUMNS, JobClass, Machine, Schedule
from scheduler_core.slices.family import FAMILY, TABLES
from tests.reports.families import stores
from tests.scheduler_core.slices import thesis_examples as worked
from tests.scheduler_core.slices.thesis_examples import GROUP, SLICES, Example
from traces.models import get_model

SECOND = 1_000_000
CLASSES = ("short", "medium", "long")


def schedule(example: Example, switch_s: int = 0, named: bool = True) -> Schedule:
    """Make the schedule of an example from what was worked by hand; ``switch_s`` only draws some switching into it."""
    model = get_model("slice_examples", example=example.name)
    asked = model.generate(model.published_jobs, np.random.default_rng(1)).jobs
    later = example.later * SECOND
    held = sorted(example.runs, key=lambda run: (run.begin, run.job))
    rows = [
        (run.job, run.begin * SECOND + later, run.end * SECOND + later, len(run.processor_ids),
         list(run.processor_ids) if named else None, 0, run.slot, 1.0, (run.end - run.begin) * SECOND)
        for run in held
    ]  # fmt: skip
    allocations = pl.DataFrame(rows, schema=ALLOCATIONS_COLUMNS, orient="row")
    fates = allocations.group_by("job").agg(
        pl.col("begin_us").min().alias("start_us"), pl.col("end_us").max().alias("finish_us"),
        pl.col("processors").first(), (pl.len() - 1).cast(pl.Int32).alias("preemptions"),
    )  # fmt: skip
    jobs = asked.join(fates, on="job", maintain_order="left").with_columns(
        pl.lit(0, dtype=pl.Int16).alias("cluster"), pl.lit("finished", dtype=JOBS_COLUMNS["outcome"]).alias("outcome")
    )
    tables = {name: pl.DataFrame(schema=declared.columns) for name, declared in TABLES.items()}
    tables["slices"] = pl.DataFrame(
        [
            (0, b * SECOND + later, e * SECOND + later, CLASSES[kind], switch_s * SECOND)
            for kind, b, e in example.slices
        ],
        schema=TABLES["slices"].columns,
        orient="row",
    )
    if example is GROUP:
        group = {
            "cluster": 0,
            "group": 1,
            "class": "medium",
            "formed_us": 132 * SECOND,
            "ended_us": 384 * SECOND,
            "jobs": 5,
        }
        whole = {name: group.get(name, 0) for name in TABLES["groups"].columns}
        tables["groups"] = pl.DataFrame([whole], schema=TABLES["groups"].columns)
        members = [(0, 1, place + 1, job) for place, (job, _) in enumerate(worked.PLAN)]
        tables["members"] = pl.DataFrame(members, schema=TABLES["members"].columns, orient="row")
    note = {"policy": {"name": example.policy, "parameters": example.parameters, "source": "by hand"}, "counters": {}}
    table = jobs.select(*JOBS_COLUMNS, pl.col("class").cast(JobClass))
    return Schedule(table, allocations, Machine(10), note, FAMILY, tables=tables)


def write_store(root: Path, shown: bool = True) -> Path:
    """Write a store of both examples; with ``shown=False`` the second is in no table of the study."""
    runs = {
        ("example", "pect"): schedule(SLICES),
        ("group", "pect_o"): schedule(GROUP),
        ("group", "switching"): schedule(GROUP, switch_s=1, named=False),
    }
    return stores.write_store(root, "sliced", runs, lambda workload: shown or workload == "example")
