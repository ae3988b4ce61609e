"""The engine of preemptive policies: it calls the function and makes the schedule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from scheduler_core.kernel.tables import allocations_table, table_order
from scheduler_core.preemptive.family import FAMILY
from scheduler_core.preemptive.world import PreemptiveWorld
from scheduler_core.space_sharing.own_engine import no_report, promises_table, run_in_python
from scheduler_core.stepping.engine_shell import Became, Shell

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.declarations.policy import Progress
    from scheduler_core.preemptive.own_policy import PreemptivePolicy

ROW = np.dtype([("job", np.int64), ("begin", np.int64), ("end", np.int64), ("slot", np.int32)])
"""An allocation; the job is its position."""


def run(policy: PreemptivePolicy, workload: Workload, progress: Progress | None = None) -> Schedule:
    """Simulate a workload; raise :class:`PolicyError` when the function fails, or returns what cannot be done."""
    shell = Shell(FAMILY, policy, workload)
    world = run_in_python(policy.choose(), shell, progress or no_report, PreemptiveWorld)
    rows = np.array([(*row[:3], 0) for row in world.allocations], ROW)
    order = table_order(rows)
    held = allocations_of(shell, rows[order], [world.allocations[row][3] for row in order])
    begins = np.flatnonzero(np.diff(rows["job"][order], prepend=-1))
    ends = np.flatnonzero(np.diff(rows["job"][order], append=-1))
    became = Became(rows["begin"][order][begins], rows["end"][order][ends], preemptions=ends - begins)
    return shell.schedule(became, {"passes": world.calls}, held, tables=promises_table(shell, world.outcome))


def allocations_of(shell: Shell, rows: np.ndarray, places: list[tuple[int, ...] | None]) -> pl.DataFrame:
    """Return the allocations of jobs, with the processors that the policy gave them if it named any."""
    columns = {
        "processors": shell.column("size")[rows["job"]],
        "processor_ids": pl.Series(places, dtype=pl.List(pl.Int32)),
        "rate": np.ones(len(rows)),
        "work_us": rows["end"] - rows["begin"],
    }
    return allocations_table(rows, shell.column("job"), columns)
