"""Fixed partitions: gang scheduling within each part of the machine (da Silva 2000, section 3.4.4)."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from scheduler_core.common.errors import ParameterError
from scheduler_core.contracts import Schedule, Workload
from scheduler_core.gang import engine
from scheduler_core.gang.family import FAMILY
from scheduler_core.gang.policy import equal_parts

if TYPE_CHECKING:
    from scheduler_core.declarations.policy import Progress
    from scheduler_core.gang.policies.gang import Gang
    from scheduler_core.gang.policy import Setting


def run(policy: Gang, workload: Workload, progress: Progress | None = None) -> Schedule:
    """Return the schedule of a workload; a row's cluster is its partition, where the machine is cut."""
    machine, partitions = workload.machine, policy.partitions
    if partitions == 1:
        return engine.run(policy, workload, progress)
    if partitions > machine.processors:
        raise ParameterError(
            f"gang: {partitions} partitions need as many processors; found {machine.processors}; give fewer partitions"
        )
    parts = tuple(equal_parts(machine.processors, partitions))
    where = pl.Series(partition_of(workload, policy.setting(machine.processors), parts))
    schedules = []
    for part, processors in enumerate(parts):
        jobs = workload.jobs.filter(where == part)
        own = workload.transformed(jobs, {"step": "partition", "number": part}, machine.altered(processors=processors))
        schedules.append(engine.run(policy, own, shifted(progress, int((where < part).sum()), len(workload))))
    return merged(schedules, workload, list(accumulate(parts, initial=0)))


def partition_of(workload: Workload, setting: Setting, parts: tuple[int, ...]) -> np.ndarray:
    """Return each job's partition: in turn among those large enough; the first (and largest) rejects jobs that fit nowhere."""
    chosen = np.zeros(len(workload), np.int64)
    fits = engine.fitting(workload, replace(setting, parts=parts))
    following, count = 0, len(parts)
    for position, size in zip(np.flatnonzero(fits).tolist(), workload.column("size")[fits].tolist(), strict=True):
        while parts[following] < size:
            following = (following + 1) % count
        chosen[position] = following
        following = (following + 1) % count
    return chosen


def shifted(progress: Progress | None, before: int, total: int) -> Progress | None:
    """Return a progress callback for a partition that also counts the jobs of earlier partitions."""
    if progress is None:
        return None
    return lambda done, _: progress(before + done, total)


def merged(schedules: list[Schedule], workload: Workload, first: list[int]) -> Schedule:
    """Return the schedules of partitions as one; ``first`` is each partition's first processor on the machine."""

    def together(tables: list[pl.DataFrame], *order: str) -> pl.DataFrame:
        numbered = [t.with_columns(pl.lit(part, pl.Int16).alias("cluster")) for part, t in enumerate(tables)]
        return pl.concat(numbered).sort(*order, maintain_order=True)

    held = [
        schedule.allocations.with_columns(
            pl.col("processor_ids").list.eval(pl.element() + pl.lit(first[part], pl.Int32))
        )
        for part, schedule in enumerate(schedules)
    ]
    counters = [schedule.run["counters"] for schedule in schedules]
    note = {**schedules[0].run, "counters": {name: sum(c[name] for c in counters) for name in counters[0]}}
    timing = {name: sum(schedule.timing[name] for schedule in schedules) for name in schedules[0].timing}
    levels = together([s.tables["levels"] for s in schedules], "cluster", "begin_us")
    table = together([s.jobs for s in schedules], "submit_us", "job")
    return Schedule(
        table, together(held, "job", "begin_us", "slot"), workload.machine, note, FAMILY, timing, {"levels": levels}
    )
