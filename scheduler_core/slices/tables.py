"""The tables of a schedule, from the rows of the event loop and the results of searches."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from scheduler_core.contracts import JobClass
from scheduler_core.kernel.tables import allocations_table, in_table_order, named_processors
from scheduler_core.slices.family import TABLES
from scheduler_core.slices.state import COUNTERS, NODE_SETS, Cluster
from scheduler_core.stepping.local_scheduler import Record, became_table, slides_table


@dataclass
class Searches:
    """The groups optimised so far, as rows of the tables ``groups``, ``members`` and ``improvements``."""

    groups: list[dict[str, Any]] = field(default_factory=list)
    members: list[np.ndarray] = field(default_factory=list)
    improvements: list[np.ndarray] = field(default_factory=list)


def class_names(kinds: np.ndarray) -> pl.Series:
    """Return numbers of classes as the contract names them."""
    return JobClass.categories.gather(kinds).cast(JobClass)


def slice_allocations(numbers: np.ndarray, cluster: Cluster) -> pl.DataFrame:
    """Make the ``allocations`` table; ``numbers`` are the jobs' numbers by position."""
    held = cluster.rows.held[: cluster.clock.held_rows]
    held, _ = in_table_order(held)
    ran, place = np.unique(held["job"], return_inverse=True)
    columns = {
        "processors": cluster.asked["processors"][held["job"]],
        "processor_ids": named_processors(cluster.sets[NODE_SETS + ran]).gather(place),
        "rate": np.ones(len(held)),
        "work_us": held["end"] - held["begin"],
    }
    return allocations_table(held, numbers, columns)


def slice_tables(numbers: np.ndarray, cluster: Cluster, searches: Searches) -> dict[str, pl.DataFrame]:
    """Make the family's further tables of a schedule."""
    slices = cluster.rows.slices[: cluster.clock.slice_rows]
    promises = cluster.rows.promises[: cluster.clock.promise_rows]
    columns: dict[str, dict[str, Any]] = {
        "slices": {
            "begin_us": slices["begin"],
            "end_us": slices["end"],
            "class": class_names(slices["slot"]),
            "overhead_us": np.full(len(slices), cluster.rules.switch, np.int64),
        },
        "promises": {
            "job": numbers[promises["job"]],
            "made_us": promises["made"],
            "group": promises["group"],
            "clock_us": promises["clock"],
            "finish_us": promises["finish"],
        },
        "groups": groups_columns(cluster, searches),
        "members": members_columns(numbers, searches),
        "improvements": improvements_columns(searches),
    }
    return {
        name: pl.DataFrame(values)
        .with_columns(cluster=pl.lit(0))
        .select(pl.col(column).cast(kind) for column, kind in TABLES[name].columns.items())
        for name, values in columns.items()
    }


def groups_columns(cluster: Cluster, searches: Searches) -> dict[str, Any]:
    """Return the columns of ``groups``; a group that is open when the last job finishes ends then."""
    numbers = np.arange(1, len(searches.groups) + 1)
    ended = cluster.rows.ended[numbers]
    columns: dict[str, Any] = {name: [row[name] for row in searches.groups] for name in GROUP_NOTES}
    columns["class"] = class_names(np.array(columns["class"], np.int64))
    return {"group": numbers, "ended_us": np.where(ended < 0, cluster.clock.last_finish, ended), **columns}


GROUP_NOTES = tuple(name for name in TABLES["groups"].columns if name not in ("cluster", "group", "ended_us"))
"""Columns of ``groups`` that are known when its order is."""


def members_columns(numbers: np.ndarray, searches: Searches) -> dict[str, Any]:
    """Return the columns of ``members``."""
    lengths = [len(jobs) for jobs in searches.members]
    jobs = np.concatenate([np.zeros(0, np.int64), *searches.members])
    places = [np.arange(1, length + 1) for length in lengths]
    return {
        "group": np.repeat(np.arange(1, len(lengths) + 1), lengths),
        "place": np.concatenate([np.zeros(0, np.int64), *places]),
        "job": numbers[jobs],
    }


def improvements_columns(searches: Searches) -> dict[str, Any]:
    """Return the columns of ``improvements``."""
    lengths = [len(rows) for rows in searches.improvements]
    rows = np.concatenate([np.zeros((0, 3)), *searches.improvements])
    return {
        "group": np.repeat(np.arange(1, len(lengths) + 1), lengths),
        "part": rows[:, 0].astype(np.int64),
        "orders": rows[:, 1].astype(np.int64),
        "slowdown": rows[:, 2],
    }


def record_of(cluster: Cluster, searches: Searches, numbers: np.ndarray) -> Record:
    """Return the history of a cluster so far; ``numbers`` are the jobs' numbers by position."""
    done = np.flatnonzero(cluster.state["finish"][: cluster.clock.known] >= 0)
    became = cluster.state[done]
    slides = cluster.rows.slides[: cluster.clock.slide_rows]
    counted = dict(zip(COUNTERS, cluster.counters.tolist(), strict=True))
    return Record(
        jobs=became_table(numbers[done], became["start"], became["finish"], (became["stretches"] - 1).astype(np.int32)),
        allocations=slice_allocations(numbers, cluster),
        slides=slides_table(numbers[slides["job"]], slides),
        tables=slice_tables(numbers, cluster, searches),
        counters={**counted, "lost_slots": int(cluster.clock.lost)},
    )
