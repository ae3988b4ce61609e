"""Workloads: the jobs for a machine, and the companion tables some of them carry; their files and digests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from scheduler_core.common.errors import ContractError, require
from scheduler_core.common.files import remove
from scheduler_core.contracts.companions import COMPANIONS, check_companions, following, longest_stretch, unordered
from scheduler_core.contracts.machine import Machine
from scheduler_core.contracts.reach import check_reach
from scheduler_core.contracts.tables import (
    check_columns,
    check_rules,
    digest_columns,
    numbered,
    of_replication,
    read_parquet,
    write_parquet,
)
from scheduler_core.contracts.workflows import NO_TASKS, check_home, longest_transfers, slowest_run, whole_workflows

WORKLOAD_VERSION = "workload/v2"
REPLICATIONS_VERSION = f"{WORKLOAD_VERSION}/replications"

JobClass = pl.Enum(("short", "medium", "long"))
"""A job's class by run time, if a workload states it."""

Flexibility = pl.Enum(("rigid", "moldable", "malleable"))
"""Who fixes a job's size, and when: the user (rigid), the scheduler at its start (moldable) or at any time (malleable)."""

WORKLOAD_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,  # number of the job, unique; the log's own number where it has one
    "submit_us": pl.Int64,  # submission, since the workload's origin
    "runtime_us": pl.Int64,  # work asked: run time on `size` dedicated processors, > 0
    "estimate_us": pl.Int64,  # known to the scheduler; a job that still runs then is killed
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
    "memory_kb": pl.Int64,  # memory per processor, requested or else used; null when unknown
    "credit_us": pl.Int64,  # waiting time that the order of submission credits the job with, as for its queue; may be negative
    "home": pl.Int16,  # cluster the job is submitted to, from 0; null for tasks of workflows, which come to the grid
    "class": JobClass,  # class by run time, as the model or the study states it
    "flexibility": Flexibility,  # rigid if the column is missing
    "size_min": pl.Int32,  # fewest processors a moldable or malleable job runs on; `size` is its optimum
    "size_max": pl.Int32,  # most processors it runs on; size_min <= size <= size_max
    "after_job": pl.Int64,  # SWF preceding job (field 17), null when none
    "think_us": pl.Int64,  # SWF think time after the preceding job (field 18), null when none
    "interactive": pl.Boolean,  # the Lublin-Feitelson model's job type
    "phase": pl.Enum(("warm_up", "measured", "cool_down")),  # part of a window the job belongs to
}
"""Columns a reader or model adds when it knows them; columns with other names decide nothing."""

LONGEST_CREDIT_US = 10**16
"""About 317 years."""

DECIDING_COLUMNS = ("class", "flexibility", "size_min", "size_max", "memory_kb", "home", "credit_us")
"""Optional columns that a schedule may depend on; its ``jobs`` table carries those of its workload."""


CREDIT_BROKEN = {
    "credit_us is null": pl.col("credit_us").is_null(),
    "credit_us is beyond 317 years": pl.col("credit_us").abs() > LONGEST_CREDIT_US,
}
"""What no job's credit may be."""


NONE: Mapping[str, pl.DataFrame] = {}
"""No companion tables."""


@dataclass(frozen=True)
class Workload:
    """Jobs for one machine, sorted by submission and then by job number.

    Raise :class:`ContractError` when a column is missing or has another type, an invariant is broken, or times or work could
    exceed int64.

    Parameters
    ----------
    jobs
        A row per job: :data:`WORKLOAD_COLUMNS`, then any optional columns.
    machine
        The machine the jobs were submitted to.
    provenance
        Where the jobs come from: source, sha256, model and seed, and every transformation applied, in order.
    companions
        Tables beside the jobs, of :data:`scheduler_core.contracts.companions.COMPANIONS`, by name; usually none.
    """

    jobs: pl.DataFrame
    machine: Machine
    provenance: dict[str, Any] = field(default_factory=dict)
    companions: Mapping[str, pl.DataFrame] = field(default_factory=dict)

    def __post_init__(self) -> None:
        clusters = self.machine.clusters
        check_workload(self.jobs)
        check_companions(self.jobs, self.companions, len(clusters))
        check_home(self.jobs, self.companions, len(clusters))
        slowest = slowest_run(self.jobs, self.companions, min(cluster.speed for cluster in clusters))
        check_reach(self.jobs, slowest * longest_stretch(self.companions), longest_transfers(self.companions))

    def __len__(self) -> int:
        return self.jobs.height

    def column(self, name: str) -> np.ndarray:
        """Return a column as a contiguous read-only numpy array."""
        column = np.ascontiguousarray(self.jobs[name].to_numpy()).view()
        column.flags.writeable = False
        return column

    def transformed(
        self,
        jobs: pl.DataFrame,
        step: dict[str, Any],
        machine: Machine | None = None,
        companions: Mapping[str, pl.DataFrame] = NONE,
    ) -> Workload:
        """Return the workload with other jobs, and ``step`` appended to its recorded transformations.

        Companion tables keep the rows of the remaining jobs, and wanted starts move with submissions; so ``jobs`` must keep their
        numbers. ``companions`` are added to them, or replace them. An incomplete workflow is left out whole, and the step counts
        these.
        """
        jobs, broken = whole_workflows(jobs, self.companions.get("tasks", NO_TASKS))
        step = {**step, "workflows_left_out": broken} if broken else step
        steps = [*self.provenance.get("transformations", []), step]
        provenance = {**self.provenance, "transformations": steps}
        kept = following(self.companions, self.jobs, jobs)
        return Workload(jobs, machine or self.machine, provenance, {**kept, **companions})

    def first(self, count: int) -> Workload:
        """Return the workload of the first ``count`` jobs."""
        return self.transformed(self.jobs.head(count), {"step": "first", "jobs": count})

    def on_machine(self, processors: int) -> Workload:
        """Return the same jobs on a machine of one cluster with ``processors`` processors."""
        step = {"step": "machine", "processors": processors}
        return self.transformed(self.jobs, step, self.machine.altered(processors=processors))

    def homes(self) -> np.ndarray:
        """Return the cluster each job is submitted to, and -1 for tasks of workflows, which are submitted to the grid.

        Raise :class:`ContractError` when the machine has several clusters and the jobs have no homes.
        """
        if "home" in self.jobs.columns:
            return self.jobs["home"].fill_null(-1).to_numpy()
        if len(self.machine.clusters) > 1:
            raise ContractError(
                f"workload: the machine {self.machine.name or 'without a name'} has {len(self.machine.clusters)} clusters, and "
                "the jobs have no column 'home' that says which of them each is submitted to; have the jobs distributed "
                "(`clusters` in a study, `--clusters` on the command line)"
            )
        task = pl.col("job").is_in(self.companions.get("tasks", NO_TASKS)["job"].implode())
        return self.jobs.select(pl.when(task).then(-1).otherwise(0).cast(pl.Int16)).to_series().to_numpy()

    @property
    def offered_load(self) -> float:
        """Work asked over capacity between first and last submission (NaN for fewer than two instants).

        A processor of speed 2 has the capacity of two.
        """
        submit = self.jobs["submit_us"]
        span = (submit[-1] - submit[0]) if len(self) else 0
        if span == 0:
            return float("nan")
        work = float((self.jobs["runtime_us"].cast(pl.Float64) * self.jobs["size"]).sum())
        return work / (float(span) * sum(cluster.processors * cluster.speed for cluster in self.machine.clusters))

    @cached_property
    def companion_digests(self) -> dict[str, str]:
        """sha256 of each companion table; that of closed hours covers the queues of jobs, too."""
        seeds = {name: [name] for name in sorted(self.companions)}
        if "closed_hours" in seeds and "queue" in self.jobs.columns:
            seeds["closed_hours"].append(digest_columns(self.jobs, {"queue": WORKLOAD_OPTIONAL["queue"]}))
        return {
            name: digest_columns(self.companions[name], COMPANIONS[name].columns, *words)
            for name, words in seeds.items()
        }

    @cached_property
    def digest(self) -> str:
        """sha256 of everything a schedule may depend on: see :func:`workload_digest`."""
        return workload_digest(self.jobs, self.machine, self.companion_digests)

    def write(self, path: Path | str) -> None:
        """Write the workload as parquet, and its companion tables beside it as ``<stem>.<table>.parquet``."""
        write_jobs(Path(path), [self], {"table": WORKLOAD_VERSION, "provenance": as_json(self.provenance)})

    @staticmethod
    def read(path: Path | str) -> Workload:
        """Read a workload that :meth:`write` wrote.

        Raise :class:`ContractError` when the file is not a workload of this version, or a companion table is not the one it
        was written with.
        """
        read = read_replications(path)
        if len(read) != 1:
            raise ContractError(f"{path}: expected one workload, found {len(read)} replications of one")
        return read[0]


def asked_columns(jobs: pl.DataFrame) -> list[str]:
    """List the columns of a table of jobs that belong to the request."""
    return [*WORKLOAD_COLUMNS, *(name for name in DECIDING_COLUMNS if name in jobs.columns)]


def check_workload(jobs: pl.DataFrame) -> None:
    """Raise :class:`ContractError` when a jobs table breaks a column or an invariant of the workload contract."""
    check_columns(jobs, WORKLOAD_COLUMNS, "workload")
    for name, kind in WORKLOAD_OPTIONAL.items():
        if name in jobs.columns and jobs.schema[name] != kind:
            raise ContractError(f"workload: column '{name}' must be {kind}, found {jobs.schema[name]}")
    check_rules(
        jobs,
        {
            "a required value is null": pl.any_horizontal(pl.col(c).is_null() for c in WORKLOAD_COLUMNS),
            "runtime_us is not positive": pl.col("runtime_us") <= 0,
            "estimate_us is not positive": pl.col("estimate_us") <= 0,
            "size is below 1": pl.col("size") < 1,
            "submit_us is negative": pl.col("submit_us") < 0,
            "jobs are not in the order of submission, then job number": unordered("submit_us", "job"),
            **(CREDIT_BROKEN if "credit_us" in jobs.columns else {}),
        },
        "workload",
    )


def workload_digest(jobs: pl.DataFrame, machine: Machine, companions: Mapping[str, str]) -> str:
    """Return the sha256 of everything a schedule may depend on.

    It covers the columns every workload has and its :data:`DECIDING_COLUMNS`; of each cluster processors, processors per node,
    memory and speed; and the digests of the companion tables. Names (of machine and clusters), provenance and the other
    optional columns decide nothing and are left out.
    """
    kinds = {**WORKLOAD_COLUMNS, **WORKLOAD_OPTIONAL}
    columns = {name: kinds[name] for name in asked_columns(jobs)}
    return digest_columns(jobs, columns, WORKLOAD_VERSION, as_json(machine.deciding()), as_json(dict(companions)))


def as_json(value: Any) -> str:
    """Return a value as JSON with sorted keys, for the metadata of files."""
    return json.dumps(value, sort_keys=True)


def write_replications(path: Path | str, workloads: list[Workload]) -> None:
    """Write replications of one workload as one parquet file with the column ``replication`` (0, 1, ...) in front.

    Companion tables go beside it as ``<stem>.<table>.parquet``, likewise.

    Raise :class:`ContractError` when there is no replication, or the replications differ in their machine or in the names of
    their companion tables.
    """
    if not workloads:
        raise ContractError(f"{path}: a workload has at least one replication; found none")
    if any(w.machine != workloads[0].machine or set(w.companions) != set(workloads[0].companions) for w in workloads):
        raise ContractError(f"{path}: replications are for one machine and have the same tables; found different ones")
    provenance = as_json([w.provenance for w in workloads])
    write_jobs(Path(path), workloads, {"table": REPLICATIONS_VERSION, "provenance": provenance})


def write_jobs(path: Path, workloads: list[Workload], metadata: dict[str, str]) -> None:
    """Write the companion tables of workloads, then their jobs with the digests of all tables beside them."""
    together = numbered if metadata["table"] == REPLICATIONS_VERSION else pl.concat
    digests = {name: file_digest(workloads, name) for name in sorted(workloads[0].companions)}
    for name in COMPANIONS:
        remove(companion_path(path, name))  # of an earlier workload of this name
        if name in digests:
            table = together([w.companions[name] for w in workloads])
            write_parquet(companion_path(path, name), table, {"table": f"{WORKLOAD_VERSION}/{name}"})
    more = {"machine": as_json(workloads[0].machine.as_dict()), "companions": as_json(digests)}
    write_parquet(path, together([w.jobs for w in workloads]), {**metadata, **more})


def file_digest(workloads: list[Workload], name: str) -> str:
    """Return the sha256 of a companion table of all replications."""
    return hashlib.sha256(" ".join(w.companion_digests[name] for w in workloads).encode()).hexdigest()


def companion_path(path: Path, name: str) -> Path:
    """Return the path of a companion table of the workload in ``path``."""
    return path.with_name(f"{path.stem}.{name}.parquet")


def read_replications(path: Path | str) -> list[Workload]:
    """Read the replications of a workload; a file of a single workload counts as one replication.

    Raise :class:`ContractError` when the file is not a workload of this version, or a companion table is not the one it was
    written with.
    """
    table, metadata = read_parquet(path, "the workload")
    version = metadata.get("table", "another table")
    if version not in (WORKLOAD_VERSION, REPLICATIONS_VERSION):
        raise ContractError(
            f"{path}: expected a workload ({WORKLOAD_VERSION}), found {version}; "
            "make one with `slotwise ingest` or `slotwise generate`"
        )
    try:
        return parse_replications(Path(path), table, metadata)
    except ContractError as error:
        raise ContractError(str(error) if str(path) in str(error) else f"{path}: {error}") from error
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError, pl.exceptions.PolarsError) as error:
        raise ContractError(
            f"{path}: what the file says of machine, provenance and tables is not as slotwise writes it "
            f"({type(error).__name__}: {error}); make it again with `slotwise ingest` or `slotwise generate`"
        ) from error


def parse_replications(path: Path, table: pl.DataFrame, metadata: Mapping[str, str]) -> list[Workload]:
    """Return the workloads in a file's table and metadata."""
    machine, provenance = Machine.from_dict(json.loads(metadata["machine"])), json.loads(metadata["provenance"])
    digests = json.loads(metadata["companions"])
    companions = {
        name: read_parquet(companion_path(path, name), f"the table of {name}, which belongs to {path.name}")[0]
        for name in digests
    }
    if metadata["table"] == WORKLOAD_VERSION:
        read = [Workload(table, machine, provenance, companions)]
    else:
        read = []
        for number, own in enumerate(provenance):
            beside = {name: of_replication(rows, number) for name, rows in companions.items()}
            read.append(Workload(of_replication(table, number), machine, own, beside))
    for name, expected in digests.items():
        if file_digest(read, name) != expected:
            raise ContractError(
                f"{companion_path(path, name)}: it is not the table that {path.name} was written with; make both again"
            )
    return read


def replication_in(path: Path, count: int, asked: int | None) -> int:
    """Return the number of the replication ``asked`` for, of the ``count`` that a workload file or the folder of a run has.

    Raise :class:`ContractError` when there is no such replication, or there are several and none is asked for.
    """
    if asked is None and count > 1:
        raise ContractError(f"{path}: holds {count} replications; choose one with --replication, 0 to {count - 1}")
    number = asked or 0
    if not 0 <= number < count:
        raise ContractError(f"{path}: there is no replication {number}; the first is 0, the last {count - 1}")
    return number


def require_workload(given: object) -> None:
    """Raise :class:`ContractError` unless an argument is a workload."""
    require(given, Workload, "a workload, as read_log and generate return it")
