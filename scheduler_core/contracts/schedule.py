"""Schedules: the outcome of a workload's jobs, and which processors they held when."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import polars as pl

from scheduler_core.common.errors import require
from scheduler_core.contracts.machine import Machine
from scheduler_core.contracts.tables import digest_columns
from scheduler_core.contracts.workload import DECIDING_COLUMNS, WORKLOAD_COLUMNS, WORKLOAD_OPTIONAL
from scheduler_core.declarations.families import Family

JOBS_VERSION = "schedule-jobs/v2"
ALLOCATIONS_VERSION = "allocations/v2"

OUTCOMES = ("finished", "killed", "rejected", "unfinished")
"""A job's outcome: it ran to its end; it was killed at its estimate; the machine is too small for it; the run ended before it
did, under a policy that ends runs at a given time."""

Outcome = pl.Enum(OUTCOMES)

JOBS_COLUMNS: dict[str, Any] = {
    **WORKLOAD_COLUMNS,
    "start_us": pl.Int64,  # begin of the first allocation; null when rejected, or unfinished and never placed
    "finish_us": pl.Int64,  # end of the last allocation; null when rejected or unfinished
    "processors": pl.Int32,  # processors of the first allocation; 0 when rejected, or unfinished and never placed
    "cluster": pl.Int16,  # cluster the job ran on; 0 on a single machine and when rejected
    "preemptions": pl.Int32,  # how often it was suspended; a change of rate is no preemption
    "outcome": Outcome,
}
"""A schedule's ``jobs`` table, a row per job: its request (the workload's columns, with any of
:data:`~scheduler_core.contracts.workload.DECIDING_COLUMNS` it has) and its outcome."""

ALLOCATIONS_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,
    "begin_us": pl.Int64,
    "end_us": pl.Int64,
    "processors": pl.Int32,
    "processor_ids": pl.List(pl.Int32),  # the processors by number; null if a policy only counts them
    "cluster": pl.Int16,
    "slot": pl.Int32,  # row of the Ousterhout matrix, or class of the slice; 0 in space sharing
    "rate": pl.Float64,  # speed at which the job's work proceeds; 1 on dedicated processors
    "work_us": pl.Int64,  # work done in the allocation, to the microsecond
}
"""A schedule's ``allocations`` table: a row per time in which a job holds processors at a constant rate.

The family declares the meaning of a row, its further columns, and whether jobs may share processors.
"""


@dataclass(frozen=True)
class Schedule:
    """The schedule of a workload: which jobs held which processors when.

    Parameters
    ----------
    jobs
        The table :data:`JOBS_COLUMNS`.
    held
        The table :data:`ALLOCATIONS_COLUMNS` with the columns its family adds, or a function that makes it on demand (in space
        sharing it follows from ``jobs``).
    machine
        The machine of the workload.
    run
        The note of the tables: ``policy`` (its ``name`` and ``parameters``) and ``counters``.
    family
        The family, which defines what the tables mean.
    timing
        Wall times in seconds. They are no part of the result: equal inputs give equal tables and notes, but other timings.
    tables
        The tables the family declares, by name.
    """

    jobs: pl.DataFrame
    held: pl.DataFrame | Callable[[], pl.DataFrame]
    machine: Machine
    run: dict[str, Any]
    family: Family
    timing: dict[str, float] = field(default_factory=dict)
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)

    @cached_property
    def allocations(self) -> pl.DataFrame:
        """Which jobs held which processors when."""
        return self.held if isinstance(self.held, pl.DataFrame) else self.held()

    @cached_property
    def digest(self) -> str:
        """sha256 of all tables with all their columns: equal digests mean equal schedules."""
        asked = {name: WORKLOAD_OPTIONAL[name] for name in DECIDING_COLUMNS if name in self.jobs.columns}
        held = {**ALLOCATIONS_COLUMNS, **self.family.allocation_columns}
        digest = digest_columns(self.allocations, held, ALLOCATIONS_VERSION, self.family.name)
        for name, table in self.family.tables_among(self.tables).items():
            digest = digest_columns(self.tables[name], table.columns, name, table.version, digest)
        return digest_columns(self.jobs, {**JOBS_COLUMNS, **asked}, JOBS_VERSION, digest)


def require_schedule(given: object) -> None:
    """Raise :class:`ContractError` unless an argument is a schedule."""
    require(given, Schedule, "a schedule, as simulate returns it")
