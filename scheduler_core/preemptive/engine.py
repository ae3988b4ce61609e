"""The engine of preemptive and moldable policies: it calls the function and makes the schedule."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from scheduler_core.kernel.tables import allocations_table, in_table_order
from scheduler_core.preemptive.family import FAMILY
from scheduler_core.preemptive.own_policy import is_marked
from scheduler_core.preemptive.world import Held, PreemptiveWorld, Shape
from scheduler_core.space_sharing.own_engine import no_report, promises_table, run_in_python
from scheduler_core.stepping.engine_shell import Became, Shell

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.declarations.policy import Progress
    from scheduler_core.preemptive.own_policy import PreemptivePolicy
    from scheduler_core.space_sharing.own_policy import Choose

SHAPE_COLUMNS = ("flexibility", "size_min", "size_max")

ROW = np.dtype([("job", np.int64), ("begin", np.int64), ("end", np.int64), ("slot", np.int32)])
"""An allocation; the job is its position."""


def run(policy: PreemptivePolicy, workload: Workload, progress: Progress | None = None) -> Schedule:
    """Simulate a workload; raise :class:`PolicyError` when the function fails, or returns what cannot be done."""
    shell = Shell(FAMILY, policy, workload)
    choose = policy.choose()
    kind = partial(PreemptiveWorld, suspends=is_marked(choose, "preemptive"), shapes=shapes_of(shell, policy, choose))
    world = run_in_python(choose, shell, progress or no_report, kind)
    rows = np.array([(one.position, one.begin_us, one.end_us, 0) for one in world.ran], ROW)
    rows, places = in_table_order(rows)
    ran = [world.ran[at] for at in places]
    begins = np.flatnonzero(np.diff(rows["job"], prepend=-1))
    ends = np.flatnonzero(np.diff(rows["job"], append=-1))
    became = Became(
        rows["begin"][begins],
        rows["end"][ends],
        processors=np.array([ran[begin].size for begin in begins], np.int64),
        preemptions=ends - begins,
    )
    tables = promises_table(shell, world.outcome)
    return shell.schedule(became, {"passes": world.calls}, allocations_of(shell, rows, ran), tables=tables)


def shapes_of(shell: Shell, policy: PreemptivePolicy, choose: Choose) -> list[Shape]:
    """Return on how many processors each job may run, and how fast, for a policy that chooses; nothing for another.

    Jobs without a flexibility are rigid. By default a flexible job runs on half its size to double its size.
    """
    if not is_marked(choose, "moldable"):
        return []
    table, processors = shell.jobs, shell.workload.machine.processors
    size = pl.col("size").cast(pl.Int64)
    known = {name: pl.col(name) if name in table.columns else pl.lit(None) for name in SHAPE_COLUMNS}
    kind = known["flexibility"].cast(pl.String).fill_null("rigid")
    fewest = pl.coalesce(known["size_min"], pl.max_horizontal(size // 2, 1))
    most = pl.min_horizontal(pl.coalesce(known["size_max"], 2 * size), processors)
    rows = table.select(
        pl.when(kind == "rigid").then(size).otherwise(fewest).alias("fewest"),
        size.alias("best"),
        pl.when(kind == "rigid").then(size).otherwise(most).alias("most"),
        (kind != "malleable").alias("kept"),
    )
    return [
        Shape(fewest, best, most, kept, policy.rate_of(fewest, best, most))
        for fewest, best, most, kept in rows.iter_rows()
    ]


def allocations_of(shell: Shell, rows: np.ndarray, ran: list[Held]) -> pl.DataFrame:
    """Return the allocations of jobs, with the processors that the policy gave them if it named any."""
    columns = {
        "processors": np.array([one.size for one in ran], np.int64),
        "processor_ids": pl.Series([one.places for one in ran], dtype=pl.List(pl.Int32)),
        "rate": np.array([one.rate for one in ran]),
        "work_us": np.array([one.work_us for one in ran], np.int64),
    }
    return allocations_table(rows, shell.column("job"), columns)
