"""Runs as folders of files: writing and reading them.

A folder holds ``jobs.parquet`` and ``allocations.parquet``, the further tables that the policy's family declares (all
replications, the column ``replication`` in front), ``run.json`` (family, policy, parameters, machine, digests, counters,
versions), ``certificate.json`` and ``timing.json``. ``run.json`` has a digest of every file except the timing, itself included,
so that any change is noticed.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from scheduler_core.common.errors import ContractError, IllegalScheduleError, MissingTableError
from scheduler_core.common.files import read_json, remove, target_file, target_folder, write_json
from scheduler_core.contracts import (
    ALLOCATIONS_COLUMNS,
    ALLOCATIONS_VERSION,
    JOBS_COLUMNS,
    JOBS_VERSION,
    OUTCOMES,
    Machine,
    Schedule,
    Workload,
    asked_columns,
    check_columns,
    read_parquet,
    workload_digest,
    write_parquet,
)
from scheduler_core.contracts.tables import numbered, of_replication
from scheduler_core.declarations.families import SITE_TABLES, Family, families, family
from scheduler_core.declarations.policy import OWN_MODULES, family_of, rebuild
from scheduler_core.declarations.words import counted

if TYPE_CHECKING:
    from scheduler_core.checker import Certificate

FIRST_TABLES = ("jobs", "allocations")
"""The tables of every family."""

NOTES = ("run.json", "certificate.json", "timing.json")

PACKAGES = ("slotwise", "numba", "numpy", "polars")


@dataclass(frozen=True)
class Run:
    """A finished run, read from its folder: a workload and a schedule per replication, and one note."""

    folder: Path
    workloads: list[Workload]
    schedules: list[Schedule]
    note: dict[str, Any]


def write_run(
    folder: Path | str, workloads: list[Workload], schedules: list[Schedule], certificates: list[Certificate], name: str
) -> None:
    """Write a run's files; the note comes last, so a folder with a ``run.json`` is complete.

    When a certificate has a violation, write only the certificate and raise :class:`IllegalScheduleError`.
    """
    out = Path(folder)
    check_folder(out)
    illegal = [number for number, certificate in enumerate(certificates) if not certificate.legal]
    found = [{"replication": number, **c.as_dict()} for number, c in enumerate(certificates)]
    remove(out / "run.json")  # of an earlier run: without it the folder counts as incomplete
    certificate = {"legal": not illegal, "replications": found}
    write_json(out / "certificate.json", certificate)
    if illegal:
        first = illegal[0]
        raise IllegalScheduleError(
            f"{out}: {title_of(schedules[first].run)} made an illegal schedule of {name}, replication {first}; "
            f"{certificates[first].describe()}\n{whose_error(schedules[first].run)}"
        )
    kind = schedules[0].family
    further = kind.tables_among(name for schedule in schedules for name in schedule.tables)
    for stale in table_names() - {*FIRST_TABLES, *further}:  # of an earlier run in the folder
        remove(out / f"{stale}.parquet")
    write_table(out / "jobs.parquet", [s.jobs for s in schedules], JOBS_VERSION)
    write_table(out / "allocations.parquet", [s.allocations for s in schedules], ALLOCATIONS_VERSION)
    for table, declared in further.items():
        none = pl.DataFrame(schema=dict(declared.columns))  # of a replication without an optional table
        write_table(out / f"{table}.parquet", [s.tables.get(table, none) for s in schedules], declared.version)
    write_json(out / "timing.json", {"replications": [schedule.timing for schedule in schedules]})
    write_json(out / "run.json", run_note(workloads, schedules, certificate, name))


def whose_error(run: dict[str, Any]) -> str:
    """Return whose error an illegal schedule is."""
    if run["policy"]["name"] in OWN_MODULES:
        return "Policies of your own may break the promises they make; any other broken rule is an error in slotwise."
    return "This is an error in slotwise, not in your workload."


def table_names() -> set[str]:
    """Return the names of the tables of all families."""
    declared = [(*one.tables, *one.optional_tables) for one in families().values()]
    return {*FIRST_TABLES, *(name for names in declared for name in names)}


def check_folder(folder: Path | str) -> None:
    """Raise :class:`OutputError`, before any work, when one of a run's files cannot be written into a folder."""
    target_folder(folder)
    for name in (*(f"{table}.parquet" for table in sorted(table_names())), *NOTES):
        if os.path.lexists(path := Path(folder) / name):
            target_file(path)


def run_note(
    workloads: list[Workload], schedules: list[Schedule], certificate: dict[str, Any], name: str
) -> dict[str, Any]:
    """Return the content of ``run.json``."""
    note = {
        "family": schedules[0].family.name,
        "policy": schedules[0].run["policy"],
        "workload": name,
        "machine": workloads[0].machine.as_dict(),
        "replications": [
            {"replication": number, **replication_note(*pair)}
            for number, pair in enumerate(zip(workloads, schedules, strict=True))
        ],
        "certificate_digest": digest_json(certificate),
        "versions": dict(versions()),
    }
    return {**note, "digest": digest_json(note)}


@functools.cache
def versions() -> Mapping[str, str]:
    """Return the versions of the packages that a run depends on."""
    return {package: version(package) for package in PACKAGES}


def digest_json(note: Mapping[str, Any]) -> str:
    """Return the sha256 of a JSON file's content, whatever its layout."""
    return hashlib.sha256(json.dumps(note, sort_keys=True, allow_nan=False).encode()).hexdigest()


def replication_note(workload: Workload, schedule: Schedule) -> dict[str, Any]:
    """Return one replication's entry of the note: its inputs and results."""
    accounting = workload.provenance.get("accounting")  # of the log the jobs come from
    return {
        "workload_digest": workload.digest,
        "schedule_digest": schedule.digest,
        "jobs": len(workload),
        **outcome_counts(schedule.jobs),
        "counters": schedule.run["counters"],
        **({"companions": workload.companion_digests} if workload.companions else {}),
        **({"accounting": accounting} if accounting else {}),
    }


def outcome_counts(jobs: pl.DataFrame) -> dict[str, int]:
    """Return how many jobs came to each outcome; runs that no job outlasts leave "unfinished" out."""
    counts = {outcome: int((jobs["outcome"] == outcome).sum()) for outcome in OUTCOMES}
    return {outcome: count for outcome, count in counts.items() if count or outcome != "unfinished"}


def title_of(run: dict[str, Any]) -> str:
    """Return the name of a run's policy: as requested if known, else the policy's own."""
    return str(run["policy"].get("title", run["policy"]["name"]))


def write_table(path: Path, tables: list[pl.DataFrame], version: str) -> None:
    """Write the tables of all replications as one parquet file."""
    write_parquet(path, numbered(tables), {"table": version})


def read_run(folder: Path | str) -> Run:
    """Return a run from its files alone.

    Raise :class:`ContractError` when a file is missing, changed or of another version, or has rows of a replication that the run
    does not have, and :class:`ParameterError` when the note names an unknown policy, or lacks some of its parameters.
    """
    home = Path(folder)
    try:
        return parse_run(home, read_note(home))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ContractError(
            f"{home}: run.json or certificate.json does not say what a run's says "
            f"({type(error).__name__}: {error}); run again"
        ) from error


def parse_run(home: Path, note: dict[str, Any]) -> Run:
    """Return a run from the tables that its note names, after comparing their digests."""
    kind, machine = family(note["family"]), Machine.from_dict(note["machine"])
    certificates = read_certificates(home, note)
    present = [name for name in kind.optional_tables if (home / f"{name}.parquet").is_file()]  # as the digests prove
    declared = declared_tables(kind, present)
    tables = {name: read_table(home / f"{name}.parquet", *columns) for name, columns in declared.items()}
    count = len(note["replications"])
    for name, table in tables.items():
        check_replications(home / f"{name}.parquet", table, count)
    workloads, schedules = [], []
    for number, entry in enumerate(note["replications"]):
        own = {name: of_replication(table, number) for name, table in tables.items()}
        check_rows(home / "jobs.parquet", number, own["jobs"], entry["jobs"], "run.json")
        stated = certificates[number]["allocations"]
        check_rows(home / "allocations.parquet", number, own["allocations"], stated, "certificate.json")
        jobs, held = own.pop("jobs"), own.pop("allocations")
        own = {table: rows for table, rows in own.items() if table in kind.tables or not rows.is_empty()}
        if (counts := outcome_counts(jobs)) != {outcome: entry[outcome] for outcome in OUTCOMES if outcome in entry}:
            raise ContractError(
                f"{home}/run.json: the jobs of replication {number} became {counts}; run.json says otherwise"
            )
        workload = Workload(jobs.select(asked_columns(jobs)), machine, {"run": str(home)})
        run = {"policy": note["policy"], "counters": entry["counters"]}
        schedule = Schedule(jobs, held, machine, run, kind, tables=own)
        asked = workload_digest(workload.jobs, machine, entry.get("companions", {}))
        refuse_other(home, f"workload of replication {number}", entry["workload_digest"], asked, ["jobs"])
        refuse_other(home, f"schedule of replication {number}", entry["schedule_digest"], schedule.digest, tables)
        workloads.append(workload)
        schedules.append(schedule)
    return Run(home, workloads, schedules, note)


def read_note(home: Path) -> dict[str, Any]:
    """Return ``run.json`` of a run; refuse one that was changed or cannot belong to a finished run."""
    if not (home / "run.json").is_file():
        raise ContractError(
            f"{home}: there is no run.json; expected the folder of a finished run (`slotwise simulate --out`)"
        )
    note: dict[str, Any] = read_json(home / "run.json")
    if not isinstance(note, dict) or "family" not in note or "digest" not in note:
        raise ContractError(f"{home}/run.json: it has no family or no digest, as notes of earlier versions; run again")
    stated = note["digest"]
    if digest_json({name: value for name, value in note.items() if name != "digest"}) != stated:
        raise ContractError(f"{home}/run.json: it is not as it was written; its sha256 is not the one it states")
    numbers = [entry["replication"] for entry in note["replications"]]
    if not numbers or numbers != list(range(len(numbers))):
        raise ContractError(f"{home}/run.json: expected replications 0, 1, ...; found {numbers or 'none'}")
    policy = rebuild(note["policy"])
    if family_of(type(policy)) != note["family"]:
        raise ContractError(
            f"{home}/run.json: the policy {policy.name} is of the family {family_of(type(policy))}; found {note['family']}"
        )
    return note


def read_certificates(home: Path, note: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the certificate of each replication; refuse one that is missing, changed, illegal or of another schedule."""
    path = home / "certificate.json"
    if not path.is_file():
        raise ContractError(f"{path}: there is no certificate; a finished run has one")
    certificate = read_json(path)
    found: list[dict[str, Any]] = certificate["replications"]
    refuse_other(home, "certificate", note["certificate_digest"], digest_json(certificate), [])
    certified = [(c["schedule_digest"], c["legal"]) for c in found]
    if certified != [(entry["schedule_digest"], True) for entry in note["replications"]]:
        raise ContractError(f"{path}: it does not certify the schedules that run.json speaks of")
    return found


def check_rows(path: Path, number: int, table: pl.DataFrame, stated: int, source: str) -> None:
    """Raise :class:`ContractError` when a table's rows of a replication differ in number from a note of the run."""
    if table.height != stated:
        raise ContractError(
            f"{path}: replication {number} has {table.height:,} rows, {source} says {stated:,}; "
            "the file was changed after the run"
        )


def refuse_other(home: Path, what: str, stated: str, found: str, tables: Iterable[str]) -> None:
    """Raise :class:`ContractError` when a part of a run, made of some tables, differs from its digest in ``run.json``."""
    if stated != found:
        files = ", ".join(f"{table}.parquet" for table in tables) or "certificate.json"
        raise ContractError(
            f"{home}: the {what} is not the one run.json speaks of: its sha256 is {found[:12]}…, expected "
            f"{stated[:12]}…; what was changed after the run is in {files}"
        )


def declared_tables(kind: Family, names: Iterable[str]) -> dict[str, tuple[dict[str, Any], str]]:
    """Return the columns and the version of each table of a family's runs, with the optional ones among some names."""
    return {
        "jobs": (JOBS_COLUMNS, JOBS_VERSION),
        "allocations": ({**ALLOCATIONS_COLUMNS, **kind.allocation_columns}, ALLOCATIONS_VERSION),
        **{name: (dict(table.columns), table.version) for name, table in kind.tables_among(names).items()},
    }


def read_table(path: Path, columns: dict[str, Any], version: str) -> pl.DataFrame:
    """Return one table of a run, after a check of its version and columns.

    An enumeration that was shorter when the table was written, as outcomes once were, is read as today's.
    """
    table, metadata = read_parquet(path, f"the {path.stem} table")
    if metadata.get("table", version) != version:
        raise ContractError(f"{path}: expected a table of version {version}, found {metadata['table']}")
    table = table.cast({name: kind for name, kind in columns.items() if is_longer(kind, table.schema.get(name))})
    check_columns(table, {"replication": pl.Int16, **columns}, f"{path}: {path.stem} table")
    return table


def is_longer(kind: Any, found: Any) -> bool:
    """Return whether a type is another one's enumeration with further words at its end."""
    if not (isinstance(kind, pl.Enum) and isinstance(found, pl.Enum)):
        return False
    words, earlier = kind.categories.to_list(), found.categories.to_list()
    return len(words) > len(earlier) and words[: len(earlier)] == earlier


def check_replications(path: Path, table: pl.DataFrame, count: int) -> None:
    """Raise :class:`ContractError` when a table has rows of a replication that the run does not have."""
    foreign = table.filter(~pl.col("replication").is_between(0, count - 1).fill_null(False))
    if foreign.height:
        raise ContractError(
            f"{path}: {counted(foreign.height, 'row')} of replication {foreign['replication'][0]}, and the run has "
            f"{count} (from 0 on); added after the run"
        )


def other_workloads(run: Run, given: list[Workload], source: str) -> list[str]:
    """Return, for each replication with another workload, what it was made of and what was given."""
    pairs = zip(run.note["replications"], given, strict=False)
    return [
        f"{run.folder}: this run was made of another workload: replication {entry['replication']} of {run.note['workload']}, "
        f"{counted(entry['jobs'], 'job')}, digest {entry['workload_digest'][:12]}…; found {source}, "
        f"{counted(len(workload), 'job')}, digest {workload.digest[:12]}…"
        for entry, workload in pairs
        if entry["workload_digest"] != workload.digest
    ]


def check_run(run: Run, workloads: list[Workload] | None = None) -> list[Certificate]:
    """Check every replication of a run that was read back.

    ``workloads``, the replications it was made of (:func:`scheduler_core.contracts.read_replications`), reveal jobs that were
    removed or moved; without them, the run is its own witness. Raise :class:`ContractError` when they have another number of
    replications, another machine, or another companion table.
    """
    from scheduler_core.checker import check

    given = run.workloads if workloads is None else workloads
    for table, words in SITE_TABLES.items():
        if workloads is None and any(table in entry.get("companions", {}) for entry in run.note["replications"]):
            raise MissingTableError(
                f"{run.folder}: the run was made of a workload with {words}, and a run does not keep them", [table]
            )
    if len(given) != len(run.schedules):
        raise ContractError(
            f"{run.folder}: the run has {len(run.schedules)} replications, and the workload {len(given)}; "
            "expected the workload the run was made of"
        )
    certificates = [check(*pair) for pair in zip(given, run.schedules, strict=True)]
    for number, (workload, certificate) in enumerate(zip(given, certificates, strict=True)):
        stated = run.note["replications"][number]["workload_digest"]
        if certificate.legal and workloads is not None and workload.digest != stated:
            raise ContractError(
                f"{run.folder}: replication {number} has the jobs of the workload, but was made for another machine or other "
                f"companion tables: the machine of the run is {run.note['machine']}, found {workload.machine.as_dict()}"
            )
    return certificates
