"""The shell around every engine: it selects the jobs, times the kernels and makes the schedule.

An engine reads its jobs from a :class:`Shell`, runs its event loop inside :meth:`Shell.kernel`, and passes the outcome to
:meth:`Shell.schedule`. So outcomes, notes and timings mean the same in all families.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from scheduler_core.contracts import Outcome, Schedule, Workload, asked_columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scheduler_core.declarations.families import Family
    from scheduler_core.declarations.policy import Policy


class Became(NamedTuple):
    """The outcome of the jobs that took part: times in microseconds, one entry per job in the order of the workload.

    ``processors`` are those of the first allocation (None: the job's `size`); ``preemptions`` and ``cluster`` are 0 if None.
    ``unfinished`` marks the jobs that the run ended before (None: no job). Their finish does not count, and jobs that were never
    placed have a negative start.
    """

    start: np.ndarray
    finish: np.ndarray
    processors: np.ndarray | None = None
    preemptions: np.ndarray | None = None
    cluster: np.ndarray | None = None
    unfinished: np.ndarray | None = None


class Shell:
    """A run of an engine on a workload: its jobs, its timing, its schedule.

    ``fits`` says whether the machine is large enough for each job, by default in processors. Other jobs are rejected and take no
    part. A workload without a companion table that the policy needs is refused.
    """

    def __init__(self, family: Family, policy: Policy, workload: Workload, fits: np.ndarray | None = None) -> None:
        self.begun = time.perf_counter()
        policy.require_companions(workload)
        self.kernel_s = 0.0
        self.family, self.policy, self.workload = family, policy, workload
        self.fits = workload.column("size") <= workload.machine.processors if fits is None else fits
        self.all_fit = bool(self.fits.all())

    @property
    def jobs(self) -> pl.DataFrame:
        """The jobs that take part, in the order of the workload."""
        return self.workload.jobs if self.all_fit else self.workload.jobs.filter(pl.Series(self.fits))

    def column(self, name: str) -> np.ndarray:
        """Return a column of the jobs that take part."""
        whole = self.workload.column(name)
        return whole if self.all_fit else whole[self.fits]

    @property
    def run_us(self) -> np.ndarray:
        """For how long each job that takes part runs, in microseconds: no longer than its estimate."""
        return np.minimum(self.column("runtime_us"), self.column("estimate_us"))

    @contextmanager
    def kernel(self) -> Iterator[None]:
        """Add the wall time of the block, the event loop, to the kernels' time."""
        begun = time.perf_counter()
        yield
        self.kernel_s += time.perf_counter() - begun

    def schedule(
        self,
        became: Became,
        counters: Mapping[str, int],
        allocations: pl.DataFrame | Callable[[pl.DataFrame], pl.DataFrame],
        *,
        tables: Mapping[str, pl.DataFrame] | None = None,
        timing: Mapping[str, float] | None = None,
    ) -> Schedule:
        """Return the schedule of the run.

        ``counters`` are for the note. ``allocations`` is the table, or a function that makes it from the table of jobs on demand;
        ``tables`` are the family's further ones, by name. ``timing`` has further wall times in seconds.
        """
        table = self.jobs_table(became)
        held = allocations if isinstance(allocations, pl.DataFrame) else partial(allocations, table)
        note = {
            "policy": {"name": self.policy.name, "parameters": self.policy.values(), "source": self.policy.source},
            "counters": dict(counters),
        }
        wall = {"kernel_s": self.kernel_s, "wall_s": time.perf_counter() - self.begun, **(timing or {})}
        return Schedule(table, held, self.workload.machine, note, self.family, wall, dict(tables or {}))

    def jobs_table(self, became: Became) -> pl.DataFrame:
        """Return the schedule's ``jobs`` table: requests and outcomes."""
        asked = self.workload.jobs.select(asked_columns(self.workload.jobs))
        took_part = asked if self.all_fit else asked.filter(pl.Series(self.fits))
        killed = pl.col("runtime_us") > pl.col("estimate_us")
        table = took_part.with_columns(
            column("start_us", became.start, pl.Int64),
            column("finish_us", became.finish, pl.Int64),
            column("processors", became.processors, pl.Int32, pl.col("size")),
            column("cluster", became.cluster, pl.Int16),
            column("preemptions", became.preemptions, pl.Int32),
            pl.when(killed).then(pl.lit("killed", Outcome)).otherwise(pl.lit("finished", Outcome)).alias("outcome"),
        )
        if became.unfinished is not None and became.unfinished.any():
            table = with_unfinished(table, pl.lit(pl.Series(became.unfinished)))
        return table if self.all_fit else self.with_rejected(table, asked.filter(pl.Series(~self.fits)))

    def with_rejected(self, table: pl.DataFrame, rejected: pl.DataFrame) -> pl.DataFrame:
        """Return the ``jobs`` table with the rejected jobs too, in the order of the workload."""
        left_out = rejected.with_columns(
            pl.lit(None, pl.Int64).alias("start_us"),
            pl.lit(None, pl.Int64).alias("finish_us"),
            pl.lit(0, pl.Int32).alias("processors"),
            pl.lit(0, pl.Int16).alias("cluster"),
            pl.lit(0, pl.Int32).alias("preemptions"),
            pl.lit("rejected", Outcome).alias("outcome"),
        )
        places = np.concatenate([np.flatnonzero(self.fits), np.flatnonzero(~self.fits)])
        return pl.concat([table, left_out])[np.argsort(places)]


def with_unfinished(table: pl.DataFrame, left: pl.Expr) -> pl.DataFrame:
    """Return the ``jobs`` table without the finish of unfinished jobs and without the start of jobs never placed."""
    placed = ~left | (pl.col("start_us") >= 0)
    return table.with_columns(
        pl.when(placed).then("start_us"),
        pl.when(~left).then("finish_us"),
        pl.when(placed).then("processors").otherwise(pl.lit(0, pl.Int32)).alias("processors"),
        pl.when(left).then(pl.lit("unfinished", Outcome)).otherwise("outcome").alias("outcome"),
    )


def column(
    name: str, values: np.ndarray | None, kind: type[pl.DataType], otherwise: pl.Expr | None = None
) -> pl.Series | pl.Expr:
    """Return a column of outcomes; without values ``otherwise``, or zeros."""
    if values is None:
        return (pl.lit(0, kind) if otherwise is None else otherwise.cast(kind)).alias(name)
    return pl.Series(name, values).cast(kind)


def counted(names: Sequence[str], values: np.ndarray) -> dict[str, int]:
    """Return an event loop's counters by name."""
    return dict(zip(names, values.tolist(), strict=True))
