"""From a workload and a policy of shares to a schedule: its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import NEVER_US
from scheduler_core.contracts import ALLOCATIONS_COLUMNS
from scheduler_core.coscheduling.family import FAMILY, MATCHES_COLUMNS, OFFERS_COLUMNS, RATE_COLUMNS
from scheduler_core.coscheduling.share_event_loop import ShareScheduler
from scheduler_core.coscheduling.share_jobs import ShareRules, share_jobs
from scheduler_core.stepping.engine_shell import Became, Shell

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.coscheduling.policies.scojo_shares import ScojoShares
    from scheduler_core.coscheduling.share_event_loop import Row
    from scheduler_core.declarations.policy import Progress


def run(policy: ScojoShares, workload: Workload, progress: Progress | None = None) -> Schedule:
    """Simulate a workload under shares."""
    shell = Shell(FAMILY, policy, workload)
    rules = ShareRules(policy, workload.companions.get("slowdowns"))
    scheduler = ShareScheduler(rules, share_jobs(rules, shell))
    with shell.kernel():
        while not scheduler.finished:
            scheduler.advance()
            refuse_endless(policy, workload, scheduler.site.now)
            if progress is not None:
                progress(scheduler.submitted, len(scheduler.jobs))
    rows = sorted(scheduler.rows)
    numbers = shell.column("job")
    begin, finish = np.full(len(numbers), NEVER_US), np.zeros(len(numbers), np.int64)
    if rows:
        held = np.array([row[:3] for row in rows])
        np.minimum.at(begin, held[:, 0], held[:, 1])
        np.maximum.at(finish, held[:, 0], held[:, 2])
    tables = {"matches": pl.DataFrame(schema=MATCHES_COLUMNS), "offers": offers_table(scheduler.offers, numbers)}
    allocations = allocations_of(rows, numbers, shell.column("size"))
    return shell.schedule(Became(begin, finish), scheduler.counted(), allocations, tables=tables)


def refuse_endless(policy: ScojoShares, workload: Workload, now: int) -> None:
    """Raise :class:`ParameterError` when shares are so small, or slowdowns so large, that times can no longer be counted."""
    if now >= NEVER_US:
        job, share = workload.companions["shares"].sort("share_low", "job").select("job", "share_low").row(0)
        raise ParameterError(
            f"{policy.name}: the schedule would last beyond {NEVER_US:,} microseconds, to which times are counted; set smaller "
            f"slowdowns, or let jobs ask for more than job {job} does (a share of {share:g})"
        )


def allocations_of(rows: list[Row], numbers: np.ndarray, sizes: np.ndarray) -> pl.DataFrame:
    """Make the ``allocations`` table: a job holds the lowest-numbered processors."""
    positions, begin, end, place, work, share, slowdown = (
        np.array(column, np.int64) for column in (zip(*rows, strict=True) if rows else [()] * 7)
    )
    held = sizes[positions]
    schema = {**ALLOCATIONS_COLUMNS, **RATE_COLUMNS}
    columns = {
        "job": numbers[positions],
        "begin_us": begin,
        "end_us": end,
        "processors": held,
        "cluster": np.zeros(len(rows), np.int16),
        "slot": place,
        "rate": share / slowdown,
        "work_us": work,
        "share_ppm": share,
        "slowdown_ppm": slowdown,
    }
    table = pl.DataFrame(columns).with_columns(
        pl.int_ranges(0, pl.col("processors"), dtype=pl.Int32).alias("processor_ids")
    )
    return table.select(pl.col(name).cast(kind) for name, kind in schema.items())


def offers_table(rows: list[tuple[Any, ...]], numbers: np.ndarray) -> pl.DataFrame:
    """Make the ``offers`` table of rows that speak of jobs by their positions."""
    named = [(int(numbers[row[0]]), *row[1:]) for row in rows]
    return pl.DataFrame(named, schema=OFFERS_COLUMNS, orient="row")
