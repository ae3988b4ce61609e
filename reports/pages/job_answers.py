"""Why jobs of the windows on the page of schedules started when they did, told when the page is written.

An explanation costs some milliseconds and, with the words that it shares with others, a few hundred bytes. So scales that take
minutes explain the jobs of the schedules that a viewer shows first; a reader asks for the others with ``slotwise explain``.
Scales that take an hour explain every job.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from scheduler_core.common.files import read_json
from scheduler_core.contracts import Machine, Schedule, Workload
from scheduler_core.contracts.workload import companion_path
from scheduler_core.decisions.explained import asked
from scheduler_core.decisions.explanation import explained
from scheduler_core.decisions.history import History
from scheduler_core.declarations.families import SITE_TABLES, family

Context = dict[str, Any]

LINES = 6
"""The most sentences after the answer."""


VARYING = re.compile(
    r"day \d+, \d\d:\d\d(?::\d\d)?"  # an instant
    r"|\d(?:[\d.,]*\d)?(?:e[+-]\d+)? (?:h|min|s)\b(?: \d+ (?:min|s)\b)?"  # a length of time
    r"|\d(?:[\d.,]*\d)?(?:, \d(?:[\d.,]*\d)?)*"  # a number, or several
    r"|#"  # in the name of a policy; in a text it would stand for a slot
)
"""What differs between sentences of the same words."""

SLOT = "#"
"""Stands in a text for what varies."""


class Texts:
    """The texts of a window, each once: sentences with a :data:`SLOT` for all that varies."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}

    def written(self, job: int, sentences: Iterable[str]) -> str:
        """Return sentences about a job, parted by ``;``: the place of its text, then what fills the slots, parted by ``|``.

        Nothing fills a slot with the number of the job.
        """
        return ";".join(self.parted(str(job), one) for one in sentences)

    def parted(self, job: str, sentence: str) -> str:
        """Return a sentence as the place of its text and what fills the slots."""
        fills = ["" if found == job else found for found in VARYING.findall(sentence)]
        place = self.places.setdefault(VARYING.sub(SLOT, sentence), len(self.places))
        return "|".join([str(place), *fills])


def add_answers(contexts: Sequence[Context], home: Path, *, every_job: bool = False) -> None:
    """Add to windows why jobs started when they did: in each schedule that a viewer shows first, or in all of them.

    ``home`` is the folder of the runs. A window gets ``texts`` (:class:`Texts`), and a policy ``why``: by job the answer and the
    sentences that matter most. A run without its workload's file gets none.
    """
    for context in contexts:
        file = home.parent / "workloads" / f"{context['workload']}.parquet"
        windows = context.get("workflows", [context])  # a grid has one for each workflow
        histories: dict[str, History] = {}
        for window in windows if every_job else windows[:1]:
            texts = Texts()
            policies = window["policies"]
            shown = policies if every_job else [policies[place] for place in dict.fromkeys(window.get("opens", []))]
            for policy in shown if file.is_file() else ():
                name = policy["policy"]
                if name not in histories:
                    schedule = read_schedule(home / context["workload"] / name)
                    histories[name] = History(read_workload(file, schedule), schedule)
                policy["why"] = answers(histories[name], window["jobs"], policy["fates"], texts)
            window["texts"] = list(texts.places)


def answers(
    history: History, jobs: Sequence[Sequence[Any]], fates: Mapping[str, Sequence[Any]], texts: Texts
) -> dict[int, str]:
    """Return what is told of the jobs of a window that started, by their numbers; ``jobs`` and ``fates`` are its data."""
    started = [jobs[int(place)][0] for place, (start, *_) in fates.items() if start is not None]
    return {job: texts.written(job, told(history, job)) for job in started}


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
    found = explained(history, job)
    answer, *more = (one for one in found.brief() if one != asked(found))
    return [answer, *more[:LINES]]
