"""Replay: run a policy again with its recorded parameters, and compare every table and counter with the recorded ones.

A certificate proves a schedule feasible without the engines. A replay proves that the engine makes exactly this schedule; it
says nothing about the engine, which the tests compare with a second implementation.
"""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from scheduler_core.checker import Certificate, Replay
from scheduler_core.checker import check as prove
from scheduler_core.checker.check import describe_value
from scheduler_core.common.errors import ContractError
from scheduler_core.common.files import read_json
from scheduler_core.common.sources import digest
from scheduler_core.contracts import DECIDING_COLUMNS, WORKLOAD_OPTIONAL
from scheduler_core.contracts.schedule import require_schedule
from scheduler_core.contracts.tables import digest_columns
from scheduler_core.contracts.workload import require_workload
from scheduler_core.declarations.policy import get_policy, policy_names, rebuild
from scheduler_core.runs.cells import MADE_FROM
from scheduler_core.runs.folder import check_run, declared_tables
from scheduler_core.runs.simulation import simulate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.declarations.policy import Policy
    from scheduler_core.runs.folder import Run


def check(workload: Workload, schedule: Schedule, *, replay: bool = False) -> Certificate:
    """Return the certificate of a schedule: every rule of its family, applied to it (:func:`scheduler_core.checker.check`).

    With ``replay``, the policy also runs again on the workload, and the certificate says whether it gives the same schedule,
    byte for byte (:attr:`~scheduler_core.checker.Certificate.replay`). ``legal`` speaks of the rules alone.

    Raise :class:`ContractError` when a table of the family is missing or breaks its declaration, or when the workload lacks a
    companion table that the policy needs. Raise :class:`ParameterError` when the schedule's note names an unknown policy, or
    lacks some of its parameters.
    """
    require_workload(workload)
    require_schedule(schedule)
    certificate = prove(workload, schedule)
    return replace(certificate, replay=replay_of(workload, schedule)) if replay else certificate


def replay_run(run: Run, workloads: list[Workload] | None) -> list[Certificate]:
    """Check every replication of a run (:func:`scheduler_core.runs.folder.check_run`), and run its policy again on each."""
    given = run.workloads if workloads is None else workloads
    changed = tuple(changed_since(run))
    return [
        replace(certificate, replay=replace(replay_of(workload, schedule), changed_since=changed))
        for certificate, workload, schedule in zip(check_run(run, workloads), given, run.schedules, strict=True)
    ]


def replay_of(workload: Workload, schedule: Schedule) -> Replay:
    """Run the policy of a schedule again on its workload; compare the schedules table by table, and their counters."""
    policy = rebuild(schedule.run.get("policy", {}))
    policy.require_companions(workload)
    again = simulate(workload, policy)
    names = {*schedule.tables, *again.tables}
    columns = {name: declared for name, (declared, _) in declared_tables(schedule.family, names).items()}
    asked = {name: WORKLOAD_OPTIONAL[name] for name in DECIDING_COLUMNS if name in schedule.jobs.columns}
    columns["jobs"] = {**columns["jobs"], **asked}
    none = {name: pl.DataFrame(schema=dict(table.columns)) for name, table in schedule.family.optional_tables.items()}
    recorded, replayed = {**none, **tables_of(schedule)}, {**none, **tables_of(again)}
    absent = {name: pl.lit(None, kind) for name, kind in asked.items() if name not in again.jobs.columns}
    replayed["jobs"] = again.jobs.with_columns(**absent)  # another workload may lack what decided here
    differences = [
        f"{name}: {first_difference(recorded[name], replayed[name], declared)}"
        for name, declared in columns.items()
        if digest_columns(recorded[name], declared) != digest_columns(replayed[name], declared)
    ]
    differences += differing_counters(schedule.run.get("counters", {}), again.run["counters"])
    return Replay((*columns, "counters"), (*differences, *other_title(schedule.run["policy"], policy)))


def tables_of(schedule: Schedule) -> dict[str, pl.DataFrame]:
    """Return every table of a schedule by name."""
    return {"jobs": schedule.jobs, "allocations": schedule.allocations, **schedule.tables}


def first_difference(recorded: pl.DataFrame, replayed: pl.DataFrame, columns: Mapping[str, Any]) -> str:
    """Describe the first row in which two tables differ, with its first differing column and the row's key."""
    rows = min(recorded.height, replayed.height)
    first, column = rows, ""
    for name in columns:
        differs = differing(recorded[name].head(rows), replayed[name].head(rows))
        if differs.any() and (row := int(differs.arg_max() or 0)) < first:
            first, column = row, name
    counts = f"{recorded.height:,} rows recorded, {replayed.height:,} replayed"
    if not column:
        return f"{counts}; the first {rows:,} are the same"
    values = " and ".join(
        f"{word} {describe_value(column, table[column].to_list()[first])}"
        for word, table in (("recorded", recorded), ("replayed", replayed))
    )
    key = next(iter(columns))
    of = "" if column == key else f" ({describe_value(key, recorded[key][first])})"
    return f"row {first + 1:,}{of}: {values}" + ("" if recorded.height == replayed.height else f"; {counts}")


def differing(one: pl.Series, other: pl.Series) -> pl.Series:
    """Return in which rows two columns differ; numbers with a fraction are compared by their bits."""
    if one.dtype == pl.Float64:
        bits = [column.fill_null(0.0).to_numpy().view(np.int64) for column in (one, other)]
        return pl.Series(bits[0] != bits[1]) | (one.is_null() != other.is_null())
    return one.ne_missing(other)


def differing_counters(recorded: Mapping[str, Any], replayed: Mapping[str, Any]) -> Iterator[str]:
    """Describe each counter that differs or that only one side has."""
    for name in dict.fromkeys((*recorded, *replayed)):
        pair = [json.dumps(side[name]) if name in side else "nothing" for side in (recorded, replayed)]
        if pair[0] != pair[1]:
            yield f"counter {name}: recorded {pair[0]} and replayed {pair[1]}"


def other_title(note: Mapping[str, Any], policy: Policy) -> Iterator[str]:
    """Describe a recorded title that the policy has under none of its names."""
    names = (name for name, (kind, _, _) in policy_names().items() if kind is type(policy))
    titles = [get_policy(name, **policy.values()).title for name in names] or [policy.title]  # a user's own has no name
    if "title" in note and note["title"] not in titles:
        yield f"title: recorded '{note['title']}'; the policy is '{titles[0]}'"


def changed_since(run: Run) -> Iterator[str]:
    """Describe how packages, and the modules that made a run, differ from those of today.

    The run's folder has the digest of the modules if it belongs to a study; otherwise only versions are compared.
    """
    for package, before in run.note["versions"].items():
        try:
            now = version(package)
        except PackageNotFoundError:
            now = "none"
        if now != before:
            yield f"{package} {before} made the run, and {now} replayed it"
    try:
        before = read_json(run.folder / MADE_FROM)["sources"]
    except (ContractError, FileNotFoundError, KeyError, TypeError):
        return
    policy = rebuild(run.note["policy"])
    now = digest(type(policy).source_files())
    if now != before:
        yield f"modules of {policy.name} have the digest {now[:12]}…, and the run was made by {str(before)[:12]}…"
