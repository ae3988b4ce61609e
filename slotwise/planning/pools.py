"""Pools of a machine: parts with jobs and processors of their own, simulated one by one and shown together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from scheduler_core.common.errors import ParameterError, naming_key
from scheduler_core.contracts import ALLOCATIONS_COLUMNS, Workload
from scheduler_core.declarations.policy import get_policy
from slotwise.planning.changes import told_by_number
from traces.shape.selection import counting_left_out, only, usable

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule
    from scheduler_core.declarations.policy import Policy

Pools = Mapping[str, Workload]
"""The jobs of each pool by its name, such as ``partition 1``; the whole machine has the name ``""``."""

BETWEEN = " | "
"""Separates policies where each pool has its own."""

COLUMNS = ("partition", "queue")


@dataclass(frozen=True)
class PoolAsked:
    """A pool as it is written: ``partition=1:120``, ``queue=2,5:8`` or ``partition=2:8:conservative``."""

    column: str
    numbers: tuple[int, ...]
    processors: int
    policy: str = ""

    @property
    def name(self) -> str:
        """Its name on the page."""
        return f"{self.column} {', '.join(map(str, self.numbers))}"


def a_pool(text: str) -> PoolAsked:
    """Return a pool as it is written; raise :class:`ParameterError` for anything else."""
    column, _, rest = text.partition("=")
    numbers, _, rest = rest.partition(":")
    processors, _, policy = rest.partition(":")
    words = [*numbers.split(","), processors]
    if column not in COLUMNS or not all(word.isascii() and word.isdecimal() and len(word) < 10 for word in words):
        raise ParameterError(
            f"--pool: expected the numbers of partitions or queues, and the processors of a pool, such as partition=1:120 or "
            f"queue=2,5:8:conservative; found {text!r}; {told_by_number(column if column in COLUMNS else COLUMNS[0])}"
        )
    if not int(processors):
        raise ParameterError(f"--pool: {text} has no processors; expected at least 1")
    return PoolAsked(column, tuple(map(int, words[:-1])), int(processors), policy)


def pools_of(log: Workload, asked: Sequence[PoolAsked]) -> Pools:
    """Return the jobs of each pool on its processors; the whole log, if no pools are asked for.

    A job wider than its pool takes all of it. Raise :class:`ParameterError` when a pool has no jobs or more processors than the
    machine, or when a job is in two pools.
    """
    if not asked:
        return {"": log}
    pools = {}
    for pool in asked:
        with naming_key("--pool"):
            pools[pool.name] = usable(only(log, pool.column, pool.numbers), pool.processors)
    jobs_of_pools = pl.concat(pool.jobs["job"] for pool in pools.values())
    if len(pools) < len(asked) or jobs_of_pools.n_unique() < len(jobs_of_pools):
        raise ParameterError("--pool: some jobs are in two pools; give each partition or queue to one pool")
    return pools


def baseline_of(asked: Sequence[PoolAsked], baseline: str) -> str:
    """Return the policy of the baseline: ``baseline``, or the pools' own ones if they differ."""
    policies = [pool.policy or baseline for pool in asked] or [baseline]
    for policy in policies:
        get_policy(policy)
    return policies[0] if len(set(policies)) == 1 else BETWEEN.join(policies)


def policies_in(policy: str, pools: int) -> list[str]:
    """Return the policy of each of some pools."""
    policies = policy.split(BETWEEN)
    return policies if len(policies) == pools else policies * pools


def log_of(log: Workload, pools: Pools) -> Workload:
    """Return the jobs of a log that are in pools, on the processors of all of them."""
    if list(pools) == [""]:
        return log
    sizes = {name: pool.machine.processors for name, pool in pools.items()}
    step = {"step": "pools", "processors": sizes, "of": log.machine.processors}
    steps = [*log.provenance.get("transformations", []), step]
    return counting_left_out(log, united(list(pools.values()), {**log.provenance, "transformations": steps}))


def united(workloads: Sequence[Workload], provenance: Mapping[str, object] | None = None) -> Workload:
    """Return the jobs of several workloads on one machine with the processors of all of them."""
    if len(workloads) == 1:
        return workloads[0]
    jobs = pl.concat(one.jobs for one in workloads).sort("submit_us", "job")
    processors = sum(one.machine.processors for one in workloads)
    return Workload(jobs, workloads[0].machine.altered(processors=processors), dict(provenance or {}))


def together(schedules: Sequence[Schedule]) -> Schedule:
    """Return the schedules of several pools as one of all their jobs and processors, the pools side by side."""
    first = schedules[0]
    if len(schedules) == 1:
        return first
    processors = sum(one.machine.processors for one in schedules)
    return replace(
        first,
        jobs=pl.concat(one.jobs for one in schedules).sort("submit_us", "job"),
        held=lambda: pl.concat(one.allocations.select(*ALLOCATIONS_COLUMNS) for one in schedules),
        machine=first.machine.altered(processors=processors),
        run={},
        tables={},
    )


def schedule_of(
    pools: Pools,
    policies: Sequence[Policy],
    simulate: Callable[[Workload, Policy], Schedule],
    change: Callable[[Workload], Workload] = lambda jobs: jobs,
) -> Schedule:
    """Return the schedule of all pools together, each after a change and under its policy."""
    pairs = zip(pools.values(), policies, strict=True)
    return together([simulate(change(jobs), policy) for jobs, policy in pairs])
