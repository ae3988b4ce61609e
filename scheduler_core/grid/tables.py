"""The tables of a schedule, from the records of clusters and grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from scheduler_core.contracts import ALLOCATIONS_COLUMNS
from scheduler_core.grid.coordination import FREED_ENTRIES
from scheduler_core.grid.family import TABLES
from scheduler_core.grid.rars_heft import BOOKED_ENTRIES, CANDIDATE_ENTRIES

if TYPE_CHECKING:
    from array import array
    from collections.abc import Mapping, Sequence

    from scheduler_core.contracts import Machine
    from scheduler_core.grid.coordination import Coordination
    from scheduler_core.grid.rars_heft import Placement
    from scheduler_core.grid.workflow import Workflow
    from scheduler_core.stepping.local_scheduler import Record


def entries(noted: array[int], names: Sequence[str]) -> dict[str, np.ndarray]:
    """Return what was noted one after the other as columns."""
    rows = np.frombuffer(noted, np.int64).reshape(-1, len(names)) if noted else np.zeros((0, len(names)), np.int64)
    return {name: rows[:, k] for k, name in enumerate(names)}


def table(name: str, columns: Mapping[str, Any]) -> pl.DataFrame:
    """Make a table of the family."""
    return pl.DataFrame(
        [pl.Series(column, columns[column]).cast(kind) for column, kind in TABLES[name].columns.items()]
    )


def on_cluster(rows: pl.DataFrame, cluster: int) -> pl.DataFrame:
    """Return rows of a cluster with its number."""
    return rows.with_columns(pl.lit(cluster, pl.Int16).alias("cluster"))


def of_clusters(name: str, records: Sequence[Record]) -> pl.DataFrame:
    """Make a table of those that clusters have in their own families, one cluster after the other."""
    declared = dict(TABLES[name].columns)
    parts = [
        on_cluster(record.tables[name], cluster).select(list(declared))
        for cluster, record in enumerate(records)
        if name in record.tables
    ]
    return pl.concat([pl.DataFrame(schema=declared), *parts])


def grid_allocations(records: Sequence[Record], machine: Machine, places: pl.DataFrame) -> pl.DataFrame:
    """Make the ``allocations`` table; ``places`` has each job's row in the workload (``job``, ``place``)."""
    parts, first = [], 0
    for number, (cluster, record) in enumerate(zip(machine.clusters, records, strict=True)):
        held = on_cluster(record.allocations, number)
        if first:
            held = held.with_columns(pl.col("processor_ids").list.eval(pl.element() + first))
        parts.append(held)
        first += cluster.processors
    whole = pl.concat(parts).join(places, on="job", how="left", maintain_order="left")
    return whole.sort("place", "begin_us", maintain_order=True).select(
        pl.col(name).cast(kind) for name, kind in ALLOCATIONS_COLUMNS.items()
    )


def grid_tables(
    records: Sequence[Record], placement: Placement, coordination: Coordination, workflows: Sequence[Workflow]
) -> dict[str, pl.DataFrame]:
    """Make the tables a schedule has beside ``jobs`` and ``allocations``."""
    asked = entries(placement.candidates, CANDIDATE_ENTRIES)
    chosen = np.zeros(len(asked["job"]), bool)
    chosen[np.frombuffer(placement.chosen, np.int64) if placement.chosen else []] = True
    booked = {**entries(placement.booked, BOOKED_ENTRIES), "rank": np.array(placement.ranks, np.float64)}
    freed = pl.DataFrame(entries(coordination.freed, FREED_ENTRIES))
    reservations = pl.DataFrame(booked).join(freed, on="job", how="left", maintain_order="left")
    return {
        "slices": of_clusters("slices", records),
        "promises": of_clusters("promises", records),
        "reservations": table("reservations", reservations.to_dict()),
        "candidates": table("candidates", {**asked, "chosen": chosen}),
        "slides": pl.concat([record.slides for record in records]),
        "arrivals": arrivals(workflows if coordination.way != "independent" else []),
    }


def arrivals(workflows: Sequence[Workflow]) -> pl.DataFrame:
    """Make the table of transfers of workflows whose tasks are done."""
    rows = []
    for workflow in sorted(workflows, key=lambda workflow: workflow.number):
        edges = [edge for task in workflow.tasks for edge in task.after]
        for edge in sorted(edges, key=lambda edge: (edge.source.number, edge.target.number)):
            source, target = edge.source, edge.target
            sent, where = source.finish_us, (source.cluster, target.cluster)
            rows.append((workflow.number, source.number, target.number, *where, sent, sent + edge.time(*where)))
    return pl.DataFrame(rows, schema=dict(TABLES["arrivals"].columns), orient="row")
