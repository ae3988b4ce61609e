"""The tables that everything else reads: columns, types, units, invariants and their version.

A **workload** is a parquet file with a row a job; the machine and the provenance ride in its metadata.
A **schedule** is two parquet tables (``jobs`` and ``allocations``), a third where slots take turns (``levels``), five more
where the machine belongs to one class of jobs at a time (:data:`SLICE_TABLES`), and a note (``run.json``).

Every time is an int64 count of microseconds since the workload's origin, and its name ends in ``_us``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from scheduler_core.errors import ContractError
from scheduler_core.files import reading, replacing

WORKLOAD_VERSION = "workload/v1"
JOBS_VERSION = "schedule-jobs/v1"
ALLOCATIONS_VERSION = "allocations/v1"
LEVELS_VERSION = "levels/v1"
SLICE_TABLES_VERSION = "slices/v1"

OUTCOMES = ("finished", "killed", "rejected")
"""What can become of a job: it ran to its end; it was killed at its estimate; the machine is too small for it."""

Outcome = pl.Enum(OUTCOMES)

JobClass = pl.Enum(("short", "medium", "long"))
"""A job's class by run time, where a workload states it."""

Flexibility = pl.Enum(("rigid", "moldable", "malleable"))
"""Who fixes a job's size, and when: the user (rigid), the scheduler at its start (moldable) or at any time (malleable)."""

WORKLOAD_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,  # number of the job, unique; the log's own number where it has one
    "submit_us": pl.Int64,  # submission, since the workload's origin
    "runtime_us": pl.Int64,  # work asked: run time on `size` dedicated processors, > 0
    "estimate_us": pl.Int64,  # what the scheduler is told; a job still running then is killed
    "size": pl.Int32,  # processors asked, >= 1
}
"""Columns every workload has, in this order."""

WORKLOAD_OPTIONAL: dict[str, Any] = {
    "user": pl.Int32,  # number of the user, null when unknown
    "group": pl.Int32,  # number of the group, null when unknown
    "executable": pl.Int32,  # number of the executable, null when unknown
    "queue": pl.Int32,  # number of the queue, null when unknown
    "partition": pl.Int32,  # number of the partition, null when unknown
    "status": pl.Int32,  # SWF status (field 11), null when unknown
    "recorded_wait_us": pl.Int64,  # wait the log recorded, null when unknown
    "memory_kb": pl.Int64,  # memory a processor, requested or else used; null when unknown
    "class": JobClass,  # class by run time, as the model or the study states it
    "flexibility": Flexibility,  # rigid where the column is missing
    "size_min": pl.Int32,  # fewest processors a moldable or malleable job runs on; `size` is its optimum
    "size_max": pl.Int32,  # most processors it runs on; size_min <= size <= size_max
    "after_job": pl.Int64,  # SWF preceding job (field 17), null when none
    "think_us": pl.Int64,  # SWF think time after the preceding job (field 18), null when none
    "interactive": pl.Boolean,  # the Lublin-Feitelson model's job type
    "phase": pl.Enum(("warm_up", "measured", "cool_down")),  # part of a window the job belongs to
}
"""Columns a reader or model adds when it knows them. A family of schedulers may define more."""

SHARING_COLUMNS = ("class", "flexibility", "size_min", "size_max", "memory_kb")
"""Optional columns that a schedule may depend on; its ``jobs`` table carries those its workload has."""

JOBS_COLUMNS: dict[str, Any] = {
    **WORKLOAD_COLUMNS,
    "start_us": pl.Int64,  # begin of the first allocation; null when rejected
    "finish_us": pl.Int64,  # end of the last allocation; null when rejected
    "processors": pl.Int32,  # processors of the first allocation; 0 when rejected
    "cluster": pl.Int16,  # cluster the job ran on; 0 on a single machine
    "preemptions": pl.Int32,  # how often it was taken off its processors and put back
    "outcome": Outcome,
}
"""A schedule's ``jobs`` table: what was asked (the workload's columns, with any of :data:`SHARING_COLUMNS` it has) and
what became of it, a row a job."""

ALLOCATIONS_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,
    "begin_us": pl.Int64,
    "end_us": pl.Int64,
    "processors": pl.Int32,
    "processor_ids": pl.List(pl.Int32),  # the processors by number; null where a policy only counts them
    "cluster": pl.Int16,
    "slot": pl.Int32,  # row of the Ousterhout matrix, or slice; 0 in space sharing
    "rate": pl.Float64,  # speed at which the job's work proceeds; 1 on dedicated processors
    "work_us": pl.Int64,  # work done in the interval; |work - rate x length| <= 1 microsecond
}
"""A schedule's ``allocations`` table: an interval in which a job holds processors at a constant rate."""

TURN_COLUMNS: dict[str, Any] = {
    "turn_us": pl.Int64,  # time within the interval in which its slot had its turns: slot clock at end less at begin
    "overhead_us": pl.Int64,  # part of turn_us that did no work: the job was being reconfigured
}
"""What ``allocations`` has besides where slots take turns (the schedule has ``levels``).

There ``rate`` is the speed while the slot has its turn: |work - rate x (turn - overhead)| <= 1 + rate microseconds. A job
that fills idle slots has several intervals at one time, each in another slot.
"""

LEVELS_COLUMNS: dict[str, Any] = {
    "cluster": pl.Int16,
    "begin_us": pl.Int64,
    "end_us": pl.Int64,
    "level": pl.Int32,  # slots that take turns: the multiprogramming level in force; 0 while nothing runs
    "share": pl.Float64,  # part of the time each slot gets: 1 / level, less where switching slows progress; 0 at level 0
}
"""A schedule's ``levels`` table: without gaps from the first start to the last finish, a row an interval of equal level
and share (neighbours differ).

It defines each cluster's **slot clock**, the time every slot of it has had its turn: it stands at 0 when the first row
begins and advances by floor(length x share) over a row; within a row, at time t, by floor((t - begin) x share).
"""

SLICES_COLUMNS: dict[str, Any] = {
    "cluster": pl.Int16,
    "begin_us": pl.Int64,
    "end_us": pl.Int64,
    "class": JobClass,  # the class of jobs the machine belongs to; `slot` of an allocation is its number: 0, 1, 2
    "overhead_us": pl.Int64,  # from begin_us on, in which nobody runs: the machine is being switched
}
"""The slices of a machine that belongs to one class of jobs at a time; in intervals without any job there are none.

They define each class's **class clock**, the time the slices of the class have worked: at time t the sum of
max(0, min(t, end) - begin - overhead) over the class's slices.
"""

PROMISES_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,
    "cluster": pl.Int16,
    "made_us": pl.Int64,  # when the promise was made; it holds until another is made to the job
    "group": pl.Int64,  # the group whose formation or end renewed the promise; 0: made at submission
    "clock_us": pl.Int64,  # class clock at which the job starts at the latest
    "finish_us": pl.Int64,  # time at which it finishes at the latest
}
"""What a scheduler that keeps reservations promised its waiting jobs, in the order in which it did."""

GROUPS_COLUMNS: dict[str, Any] = {
    "cluster": pl.Int16,
    "group": pl.Int64,  # 1, 2, ... in the order of formation
    "class": JobClass,
    "formed_us": pl.Int64,
    "ended_us": pl.Int64,  # the last finish of all where it was open still
    "jobs": pl.Int64,
    "long_wide": pl.Int64,  # long-wide jobs the first level ordered; 0: it was not needed
    "orders": pl.Int64,  # orders the second level generated, over all parts of the group
    "tree_nodes": pl.Int64,  # nodes of its search trees
    "pruned": pl.Int64,  # tree nodes cut above the leaves
    "pruned_leaves": pl.Int64,
    "placements": pl.Int64,  # jobs scheduled virtually, for all purposes
    "heuristic_slowdown": pl.Float64,  # total estimated slowdown of the heuristic's own order
    "slowdown": pl.Float64,  # of the order that was chosen
}
"""Groups of jobs whose order was optimised together."""

MEMBERS_COLUMNS: dict[str, Any] = {
    "cluster": pl.Int16,
    "group": pl.Int64,
    "place": pl.Int64,  # 1, 2, ... in the order that was chosen
    "job": pl.Int64,
}
"""The jobs of each group."""

IMPROVEMENTS_COLUMNS: dict[str, Any] = {
    "cluster": pl.Int16,
    "group": pl.Int64,
    "part": pl.Int64,  # part of a group that was split, 0 or 1
    "orders": pl.Int64,  # orders generated so far in this part
    "slowdown": pl.Float64,  # least total estimated slowdown found so far, the part's predecessors included
}
"""How each search went: a row whenever it found a better schedule, the heuristic's own first."""

SLICE_TABLES: dict[str, dict[str, Any]] = {
    "slices": SLICES_COLUMNS,
    "promises": PROMISES_COLUMNS,
    "groups": GROUPS_COLUMNS,
    "members": MEMBERS_COLUMNS,
    "improvements": IMPROVEMENTS_COLUMNS,
}
"""The tables a schedule has besides where the machine belongs to one class of jobs at a time: all of them, or none."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The parallel machine: ``processors`` identical processors in all.

    ``processors_per_node`` is how many of them share a node; ``name`` is what the log or the model calls the machine;
    ``memory_kb`` is the memory of each processor, 0 where no scheduler may run out of it.
    """

    processors: int
    name: str = ""
    processors_per_node: int = 1
    memory_kb: int = 0

    def __post_init__(self) -> None:
        if self.processors < 1:
            raise ContractError(f"a machine has at least one processor; found {self.processors}")


@dataclass(frozen=True)
class Workload:
    """Jobs for one machine, sorted by submission and then by job number.

    Parameters
    ----------
    jobs
        A row a job: :data:`WORKLOAD_COLUMNS`, then any optional columns.
    machine
        The machine the jobs were submitted to.
    provenance
        Where the jobs come from: source, sha256, model and seed, and every transformation applied, in order.

    Raises
    ------
    ContractError
        When a column is missing or retyped, or an invariant does not hold.
    """

    jobs: pl.DataFrame
    machine: Machine
    provenance: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_workload(self.jobs)

    def __len__(self) -> int:
        return self.jobs.height

    def column(self, name: str) -> np.ndarray:
        """Give a column as a contiguous read-only numpy array."""
        column = np.ascontiguousarray(self.jobs[name].to_numpy()).view()
        column.flags.writeable = False
        return column

    def transformed(self, jobs: pl.DataFrame, step: dict[str, Any], machine: Machine | None = None) -> Workload:
        """Give the workload with other jobs, and ``step`` added to the transformations it records."""
        steps = [*self.provenance.get("transformations", []), step]
        provenance = {**self.provenance, "transformations": steps}
        return Workload(jobs, machine or self.machine, provenance)

    def first(self, count: int) -> Workload:
        """Give the workload of the first ``count`` jobs."""
        return self.transformed(self.jobs.head(count), {"step": "first", "jobs": count})

    def on_machine(self, processors: int) -> Workload:
        """Give the same jobs on a machine of ``processors`` processors."""
        machine = replace(self.machine, processors=processors, name=self.machine.name)
        return self.transformed(self.jobs, {"step": "machine", "processors": processors}, machine)

    @property
    def offered_load(self) -> float:
        """Work asked over capacity between first and last submission (NaN for fewer than two instants)."""
        submit = self.jobs["submit_us"]
        span = (submit[-1] - submit[0]) if len(self) else 0
        if span == 0:
            return float("nan")
        work = float((self.jobs["runtime_us"].cast(pl.Float64) * self.jobs["size"]).sum())
        return work / (float(span) * self.machine.processors)

    @cached_property
    def digest(self) -> str:
        """sha256 of the machine size and of the columns a schedule depends on."""
        kinds = {**WORKLOAD_COLUMNS, **WORKLOAD_OPTIONAL}
        columns = {name: kinds[name] for name in asked_columns(self.jobs)}
        return digest_columns(self.jobs, columns, f"{WORKLOAD_VERSION} {self.machine.processors}")

    def write(self, path: Path | str) -> None:
        """Write the workload as parquet, under a temporary name until it is whole."""
        metadata = {
            "table": WORKLOAD_VERSION,
            "machine": json.dumps(asdict(self.machine), sort_keys=True),
            "provenance": json.dumps(self.provenance, sort_keys=True),
        }
        with replacing(path) as temporary:
            self.jobs.write_parquet(temporary, metadata=metadata, compression="zstd", compression_level=1)

    @staticmethod
    def read(path: Path | str) -> Workload:
        """Read a workload that :meth:`write` wrote.

        Raises
        ------
        ContractError
            When the file is not a workload of this version.
        """
        try:
            metadata = pl.read_parquet_metadata(reading(path))
            jobs = pl.read_parquet(path)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise ContractError(f"{path}: not a readable parquet file ({error})") from error
        if metadata.get("table") != WORKLOAD_VERSION:
            raise ContractError(
                f"{path}: expected a workload ({WORKLOAD_VERSION}), found {metadata.get('table', 'another table')}; "
                "make one with `slotwise ingest` or `slotwise generate`"
            )
        return Workload(jobs, Machine(**json.loads(metadata["machine"])), json.loads(metadata["provenance"]))


@dataclass(frozen=True)
class Schedule:
    """What became of a workload: who held which processors when.

    ``jobs`` keeps :data:`JOBS_COLUMNS`, ``allocations`` keeps :data:`ALLOCATIONS_COLUMNS` (``held`` is that table, or
    makes it when somebody asks: in space sharing it follows from ``jobs``); ``levels`` keeps :data:`LEVELS_COLUMNS` where
    slots take turns, and is None in space sharing; ``tables`` has :data:`SLICE_TABLES` by name where the machine belongs to
    one class of jobs at a time, and is empty otherwise; ``run`` is the note that goes with them (policy, parameters, counters).
    ``timing`` holds seconds measured on the wall, which are no part of the result: the same inputs give the same tables
    and the same ``run``, not the same timing.
    """

    jobs: pl.DataFrame
    held: pl.DataFrame | Callable[[], pl.DataFrame]
    machine: Machine
    run: dict[str, Any]
    timing: dict[str, float] = field(default_factory=dict)
    levels: pl.DataFrame | None = None
    tables: dict[str, pl.DataFrame] = field(default_factory=dict)

    @cached_property
    def allocations(self) -> pl.DataFrame:
        """The intervals in which each job held processors."""
        return self.held if isinstance(self.held, pl.DataFrame) else self.held()

    @cached_property
    def digest(self) -> str:
        """sha256 of the tables: equal digests mean equal schedules."""
        kinds = ALLOCATIONS_COLUMNS if self.levels is None else {**ALLOCATIONS_COLUMNS, **TURN_COLUMNS}
        columns = {name: kind for name, kind in kinds.items() if name != "processor_ids"}
        held = digest_columns(self.allocations, columns, "")
        if self.levels is not None:
            held = digest_columns(self.levels, LEVELS_COLUMNS, LEVELS_VERSION, held)
        for name, table in self.tables.items():
            held = digest_columns(table, SLICE_TABLES[name], f"{SLICE_TABLES_VERSION} {name}", held)
        return digest_columns(self.jobs, JOBS_COLUMNS, JOBS_VERSION, held)


def check_columns(table: pl.DataFrame, required: dict[str, Any], what: str) -> None:
    """Raise :class:`ContractError` when a required column is missing or has another type."""
    for name, kind in required.items():
        if name not in table.columns:
            raise ContractError(f"{what}: column '{name}' is missing; found {', '.join(table.columns)}")
        if table.schema[name] != kind:
            raise ContractError(f"{what}: column '{name}' must be {kind}, found {table.schema[name]}")


def asked_columns(jobs: pl.DataFrame) -> list[str]:
    """List the columns of a table of jobs that say what was asked."""
    return [*WORKLOAD_COLUMNS, *(name for name in SHARING_COLUMNS if name in jobs.columns)]


def check_workload(jobs: pl.DataFrame) -> None:
    """Raise :class:`ContractError` when a jobs table breaks a column or an invariant of the workload contract."""
    check_columns(jobs, WORKLOAD_COLUMNS, "workload")
    for name, kind in WORKLOAD_OPTIONAL.items():
        if name in jobs.columns and jobs.schema[name] != kind:
            raise ContractError(f"workload: column '{name}' must be {kind}, found {jobs.schema[name]}")
    submit, job = pl.col("submit_us"), pl.col("job")
    later = (submit > submit.shift(1)) | ((submit == submit.shift(1)) & (job > job.shift(1)))
    broken = jobs.select(
        **{
            "a required value is null": pl.any_horizontal(pl.col(c).is_null() for c in WORKLOAD_COLUMNS).sum(),
            "runtime_us is not positive": (pl.col("runtime_us") <= 0).sum(),
            "estimate_us is not positive": (pl.col("estimate_us") <= 0).sum(),
            "size is below 1": (pl.col("size") < 1).sum(),
            "submit_us is negative": (submit < 0).sum(),
            "jobs are not in the order of submission, then job number": (~later).sum(),
        }
    ).row(0, named=True)
    for rule, count in broken.items():
        if count:
            raise ContractError(f"workload: {rule} in {count} of {jobs.height} rows")


def digest_columns(table: pl.DataFrame, columns: dict[str, Any], *seeds: str) -> str:
    """Give the sha256 of the named columns' values, in order; nulls and enumerations count as integers."""
    digest = hashlib.sha256(" ".join(seeds).encode())
    for name, kind in columns.items():
        column = table[name]
        if isinstance(kind, pl.Enum):
            column = column.to_physical()
        if column.null_count():
            column = column.fill_null(-1)
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(column.to_numpy()).data)
    return digest.hexdigest()


def write_replications(path: Path | str, workloads: list[Workload]) -> None:
    """Write replications of one workload as one parquet file with the column ``replication`` (0, 1, ...) in front."""
    frames = [
        w.jobs.select(pl.lit(number, dtype=pl.Int16).alias("replication"), pl.all())
        for number, w in enumerate(workloads)
    ]
    metadata = {
        "table": WORKLOAD_VERSION + "/replications",
        "machine": json.dumps(asdict(workloads[0].machine), sort_keys=True),
        "provenance": json.dumps([w.provenance for w in workloads], sort_keys=True),
    }
    with replacing(path) as temporary:
        pl.concat(frames).write_parquet(temporary, metadata=metadata, compression="zstd", compression_level=1)


def read_replications(path: Path | str) -> list[Workload]:
    """Read the replications of a workload; a file of a single workload counts as one replication."""
    try:
        metadata = pl.read_parquet_metadata(reading(path))
    except (OSError, pl.exceptions.PolarsError) as error:
        raise ContractError(f"{path}: not a readable parquet file ({error})") from error
    if metadata.get("table") != WORKLOAD_VERSION + "/replications":
        return [Workload.read(path)]
    machine = Machine(**json.loads(metadata["machine"]))
    table = pl.read_parquet(path)
    return [
        Workload(table.filter(pl.col("replication") == number).drop("replication"), machine, provenance)
        for number, provenance in enumerate(json.loads(metadata["provenance"]))
    ]
