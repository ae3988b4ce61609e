"""Runs as folders of files: what a simulation leaves behind, and reading it back.

A folder holds ``jobs.parquet`` and ``allocations.parquet`` (all replications, the column ``replication`` in front),
``levels.parquet`` where slots take turns, ``slices.parquet`` and its companions where the machine belongs to one class,
``run.json`` (policy, parameters, digests, versions, counters), ``certificate.json`` and ``timing.json``.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from scheduler_core.contracts import (
    ALLOCATIONS_COLUMNS,
    ALLOCATIONS_VERSION,
    JOBS_COLUMNS,
    JOBS_VERSION,
    LEVELS_COLUMNS,
    LEVELS_VERSION,
    SLICE_TABLES,
    SLICE_TABLES_VERSION,
    TURN_COLUMNS,
    Machine,
    Schedule,
    Workload,
    asked_columns,
    check_columns,
)
from scheduler_core.errors import ContractError, IllegalScheduleError
from scheduler_core.files import read_json, remove, replacing, target_file, target_folder, write_json

if TYPE_CHECKING:
    from scheduler_core.checker import Certificate

FILES = (
    *("jobs.parquet", "allocations.parquet", "levels.parquet", *(f"{name}.parquet" for name in SLICE_TABLES)),
    *("run.json", "certificate.json", "timing.json"),
)
"""The files of a run."""

PACKAGES = ("slotwise", "numba", "numpy", "polars")


@dataclass(frozen=True)
class Run:
    """A finished run, read back from its folder: a workload and a schedule a replication, and the note of each."""

    folder: Path
    workloads: list[Workload]
    schedules: list[Schedule]
    note: dict[str, Any]


def write_run(
    folder: Path | str,
    workloads: list[Workload],
    schedules: list[Schedule],
    certificates: list[Certificate],
    name: str,
) -> None:
    """Write a run's files; the note comes last, so that a folder with a ``run.json`` is whole.

    Raises
    ------
    IllegalScheduleError
        When a certificate has a violation: only the certificate is written.
    """
    out = Path(folder)
    check_folder(out)
    illegal = [number for number, certificate in enumerate(certificates) if not certificate.legal]
    found = [{"replication": number, **c.as_dict()} for number, c in enumerate(certificates)]
    write_json(out / "certificate.json", {"legal": not illegal, "replications": found})
    if illegal:
        first = illegal[0]
        raise IllegalScheduleError(
            f"{out}: {title_of(schedules[first].run)} made an illegal schedule of {name}, replication {first}; "
            f"{certificates[first].describe()}\nThis is an error in slotwise, not in your workload."
        )
    write_table(out / "jobs.parquet", [s.jobs for s in schedules], JOBS_VERSION)
    write_table(out / "allocations.parquet", [s.allocations for s in schedules], ALLOCATIONS_VERSION)
    levels = [s.levels for s in schedules if s.levels is not None]
    remove(out / "levels.parquet")  # of an earlier run in the folder
    if levels:
        write_table(out / "levels.parquet", levels, LEVELS_VERSION)
    for table in SLICE_TABLES:
        remove(out / f"{table}.parquet")
        if schedules[0].tables:
            write_table(out / f"{table}.parquet", [s.tables[table] for s in schedules], SLICE_TABLES_VERSION)
    write_json(out / "timing.json", {"replications": [schedule.timing for schedule in schedules]})
    write_json(out / "run.json", run_note(workloads, schedules, name))


def check_folder(folder: Path | str) -> None:
    """Raise :class:`OutputError` when one of a run's files cannot be written into a folder, before work is put into them."""
    target_folder(folder)
    for name in FILES:
        target_file(Path(folder) / name)


def run_note(workloads: list[Workload], schedules: list[Schedule], name: str) -> dict[str, Any]:
    """Make the content of ``run.json``."""
    return {
        "policy": schedules[0].run["policy"],
        "workload": name,
        "machine": asdict(workloads[0].machine),
        "replications": [
            {"replication": number, **replication_note(*pair)}
            for number, pair in enumerate(zip(workloads, schedules, strict=True))
        ],
        "versions": {package: version(package) for package in PACKAGES},
    }


def replication_note(workload: Workload, schedule: Schedule) -> dict[str, Any]:
    """Say what was run and what came of it."""
    accounting = workload.provenance.get("accounting")  # of the log the jobs come from
    outcomes = schedule.jobs["outcome"].cast(pl.String)
    return {
        "workload_digest": workload.digest,
        "schedule_digest": schedule.digest,
        "jobs": len(workload),
        "finished": int((outcomes == "finished").sum()),
        "killed": int((outcomes == "killed").sum()),
        "rejected": int((outcomes == "rejected").sum()),
        "counters": schedule.run["counters"],
        **({"accounting": accounting} if accounting else {}),
    }


def title_of(run: dict[str, Any]) -> str:
    """Return what to call a run's policy: as it was asked for where that is known, else its name."""
    return str(run["policy"].get("title", run["policy"]["name"]))


def write_table(path: Path, tables: list[pl.DataFrame], kind: str) -> None:
    """Write the tables of all replications as one parquet file."""
    numbered = [
        table.select(pl.lit(number, dtype=pl.Int16).alias("replication"), pl.all())
        for number, table in enumerate(tables)
    ]
    with replacing(path) as temporary:
        pl.concat(numbered).write_parquet(temporary, metadata={"table": kind}, compression="zstd", compression_level=1)


def read_run(folder: Path | str) -> Run:
    """Read a run back from its files alone.

    Raises
    ------
    ContractError
        When a file is missing, is not of this version, or the digests in ``run.json`` do not fit the tables.
    """
    home = Path(folder)
    if not (home / "run.json").is_file():
        raise ContractError(
            f"{home}: there is no run.json; expected the folder of a finished run (`slotwise simulate --out`)"
        )
    note = read_json(home / "run.json")
    jobs = read_table(home / "jobs.parquet", JOBS_COLUMNS, "jobs table")
    shared = (home / "levels.parquet").is_file()
    held = {**ALLOCATIONS_COLUMNS, **TURN_COLUMNS} if shared else ALLOCATIONS_COLUMNS
    allocations = read_table(home / "allocations.parquet", held, "allocations table")
    levels = read_table(home / "levels.parquet", LEVELS_COLUMNS, "levels table") if shared else None
    sliced = (home / "slices.parquet").is_file()
    further = {
        name: read_table(home / f"{name}.parquet", columns, f"table of {name}")
        for name, columns in (SLICE_TABLES.items() if sliced else ())
    }
    machine = Machine(**note["machine"])
    workloads, schedules = [], []
    for entry in note["replications"]:
        own = pl.col("replication") == entry["replication"]
        table = jobs.filter(own).drop("replication")
        workload = Workload(table.select(asked_columns(table)), machine, {"run": str(home)})
        run = {"policy": note["policy"], "counters": entry["counters"]}
        own_levels = None if levels is None else levels.filter(own).drop("replication")
        own_tables = {name: rows.filter(own).drop("replication") for name, rows in further.items()}
        held_by = allocations.filter(own).drop("replication")
        schedule = Schedule(table, held_by, machine, run, levels=own_levels, tables=own_tables)
        for what, stated, found in (
            ("workload", entry["workload_digest"], workload.digest),
            ("schedule", entry["schedule_digest"], schedule.digest),
        ):
            if stated != found:
                raise ContractError(
                    f"{home}: the {what} of replication {entry['replication']} is not the one run.json speaks of: "
                    f"its sha256 is {found[:12]}…, expected {stated[:12]}…; the files were changed after the run"
                )
        workloads.append(workload)
        schedules.append(schedule)
    return Run(home, workloads, schedules, note)


def read_table(path: Path, columns: dict[str, Any], what: str) -> pl.DataFrame:
    """Read one table of a run and check its columns."""
    try:
        table = pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise ContractError(f"{path}: cannot read the {what} ({error})") from error
    check_columns(table, {"replication": pl.Int16, **columns}, f"{path}: {what}")
    return table
