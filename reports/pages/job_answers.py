"""Why jobs of the windows on the page of schedules started when they did, told when the page is written.

An explanation costs some milliseconds and a few hundred bytes. So of each diagram some schedules are explained, whole windows
at a time; a reader asks for all other jobs with ``slotwise explain``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import polars as pl

from scheduler_core.common.files import read_json
from scheduler_core.contracts import Machine, Schedule, Workload
from scheduler_core.contracts.workload import companion_path
from scheduler_core.decisions.explanation import explained
from scheduler_core.decisions.history import History
from scheduler_core.declarations.families import family

Context = dict[str, Any]

JOBS = 250
"""The most jobs of a diagram that are explained."""

LINES = 6
"""The most sentences after the answer."""


def add_answers(contexts: Sequence[Context], home: Path, most: int = JOBS) -> None:
    """Add to windows why their jobs started when they did, for up to ``most`` jobs; ``home`` is the folder of the runs.

    The first policy of each window comes first, then the second, and so on; a schedule with too many jobs is left out. A policy
    gets ``why``: by job the answer and the sentences that matter most.
    """
    workloads: dict[Path, Workload] = {}
    for window, policy in schedules_of(contexts):
        file = home.parent / "workloads" / f"{window['workload']}.parquet"
        jobs = [window["jobs"][int(place)][0] for place, fate in policy["fates"].items() if fate[0] is not None]
        if len(jobs) > most or not file.is_file():
            continue
        most -= len(jobs)
        schedule = read_schedule(home / window["workload"] / policy["policy"])
        if file not in workloads:
            workloads[file] = read_workload(file, schedule)
        history = History(workloads[file], schedule)
        policy["why"] = {job: told(history, job) for job in jobs}


def schedules_of(contexts: Sequence[Context]) -> Iterator[tuple[Context, Context]]:
    """Yield the windows with their schedules: the first schedule of each window, then the second of each."""
    windows = [window for context in contexts for window in context.get("workflows", [context])]
    for policies in zip_longest(*(window["policies"] for window in windows)):
        yield from ((window, policy) for window, policy in zip(windows, policies, strict=True) if policy is not None)


def read_workload(path: Path, schedule: Schedule) -> Workload:
    """Return replication 0 of a workload, with the companion tables by which schedules like this one are explained."""
    names = (*schedule.family.companions, "standstills", "closed_hours")
    files = {name: companion_path(path, name) for name in names}
    tables = {name: table_of(file) for name, file in files.items() if file.is_file()}
    return Workload(table_of(path), schedule.machine, {}, companions=tables)


def read_schedule(folder: Path) -> Schedule:
    """Return replication 0 of a run."""
    note = read_json(folder / "run.json")
    kind = family(note["family"])
    present = [name for name in kind.optional_tables if (folder / f"{name}.parquet").is_file()]
    tables = {name: table_of(folder / f"{name}.parquet") for name in kind.tables_among(present)}
    tables = {name: table for name, table in tables.items() if name in kind.tables or table.height}
    run = {"policy": note["policy"], "counters": {}}
    jobs, held = (table_of(folder / f"{name}.parquet") for name in ("jobs", "allocations"))
    return Schedule(jobs, held, Machine.from_dict(note["machine"]), run, kind, tables=tables)


def table_of(path: Path) -> pl.DataFrame:
    """Return the rows of replication 0 of a table."""
    table = pl.scan_parquet(path)
    if "replication" in table.collect_schema():
        table = table.filter(pl.col("replication") == 0).drop("replication")
    return table.collect()


def told(history: History, job: int) -> list[str]:
    """Return the answer and the sentences that matter most, without the one that says what the job asks for."""
    answer, _, *more = explained(history, job).brief()
    return [answer, *more[:LINES]]
