"""Why jobs of the windows on the page of schedules started when they did, told when the page is written.

An explanation costs some milliseconds and a few hundred bytes. So only jobs that waited longest are explained, in the schedules
that a viewer shows first; a reader asks for all other jobs with ``slotwise explain``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from scheduler_core.common.files import read_json
from scheduler_core.contracts import Machine, Schedule, Workload
from scheduler_core.contracts.workload import companion_path
from scheduler_core.decisions.explanation import explained
from scheduler_core.decisions.history import History
from scheduler_core.declarations.families import SITE_TABLES, family

Context = dict[str, Any]

JOBS = 6
"""The most jobs of a schedule that are explained."""

LINES = 6
"""The most sentences after the answer."""


def add_answers(contexts: Sequence[Context], home: Path, most: int = JOBS) -> None:
    """Add to windows why jobs started when they did: of each schedule that a viewer shows first, the jobs that waited longest.

    ``home`` is the folder of the runs, ``most`` the number of jobs. A policy gets ``why``: by job the answer and the sentences
    that matter most. A run without its workload's file gets none.
    """
    for context in contexts:
        file = home.parent / "workloads" / f"{context['workload']}.parquet"
        window = context["workflows"][0] if "workflows" in context else context  # of a grid, the first workflow
        for place in dict.fromkeys(window.get("opens", []) if file.is_file() else []):
            policy = window["policies"][place]
            schedule = read_schedule(home / context["workload"] / policy["policy"])
            history = History(read_workload(file, schedule), schedule)
            jobs = longest_waits(window["jobs"], policy["fates"], most)
            policy["why"] = {job: told(history, job) for job in jobs}


def longest_waits(jobs: Sequence[Sequence[Any]], fates: Mapping[str, Sequence[Any]], most: int) -> list[int]:
    """Return the jobs that waited longest, by their numbers; a preempted job waits while it does not run, too.

    ``jobs`` are those of a window, which end with submission, run time, estimate and colour; ``fates`` begin with start and
    finish.
    """
    waits = []
    for place, (start, finish, *_) in fates.items():
        job, (submit, run, estimate) = jobs[int(place)][0], jobs[int(place)][-4:-1]
        if start is not None:
            waits.append((submit + min(run, estimate) - finish if finish is not None else submit - start, job))
    return [job for _, job in sorted(waits)[:most]]


def read_workload(path: Path, schedule: Schedule) -> Workload:
    """Return replication 0 of a workload, with the companion tables by which schedules like this one are explained."""
    names = (*schedule.family.companions, *SITE_TABLES)
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
