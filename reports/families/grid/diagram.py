"""The diagram of a workflow on a grid: its tasks in their time frames, and the clusters they run on.

The upper part has a row per task: the frame of its reservation, the places of its slot, the arrival of its data and its run.
Lines from task to task are transfers of data. The lower part shows the processors of each cluster against time; the tasks of
the workflow stand out from local jobs and from other workflows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from reports.diagrams.allocations import AllocationWindow, Tables, overlaps, place, tables_of_run
from reports.families.slices.diagram import described
from scheduler_core.common.errors import SlotwiseError
from scheduler_core.common.files import read_json
from scheduler_core.contracts import Machine

CAUSES = {
    "booked": "as booked",
    "room": "others left early",
    "freed": "may start earlier",
    "not_ready": "reached before its data were there",
    "slid_down": "slid down",
    "recalculated": "the plan was made anew",
}
"""Why a slot moved to its place, in words."""
NO_MEMBERS = pl.DataFrame(schema={"job": pl.Int64, "group": pl.Int64, "place": pl.Int64})


@dataclass(frozen=True, kw_only=True)
class GridWindow(AllocationWindow):
    """The time of one workflow, in one replication of a schedule of a grid.

    Attributes
    ----------
    workflow, submit_us
        Which workflow, and when it was submitted.
    clusters
        The clusters that are shown: ``cluster, name, first`` (its first processor) and ``processors``.
    jobs
        A row per job that holds processors of these clusters in the window, or is a task of the workflow: what it asked and
        what became of it, its ``class``, and ``workflow`` and ``task``, null for a local job.
    allocations
        A row per stretch in which a job runs on these clusters; their ``slot`` is the cluster.
    tasks
        The tasks in order of number: ``task, job, cluster, ready_us, start_us, finish_us``, and where they were booked, else
        null, ``rank, earliest_us, planned_start_us, planned_finish_us, latest_us, expected_us, freed_us``.
    places
        The successive places of the slots of booked tasks, in order of time: ``task, at_us, start_us, finish_us, cause``.
    asked
        The clusters asked for a task, in that order: ``task, cluster, start_us, finish_us, latest_us, chosen``.
    transfers
        The edges: ``from_task, to_task, from_cluster, to_cluster, sent_us, arrived_us``.
    slices
        Slices of these clusters that meet the window: ``cluster, class, begin_us, work_us, end_us``.
    """

    workflow: int
    submit_us: int
    clusters: pl.DataFrame
    tasks: pl.DataFrame
    places: pl.DataFrame
    asked: pl.DataFrame
    transfers: pl.DataFrame
    slices: pl.DataFrame


def read_window(
    folder: Path, workflow: int, window: tuple[int, int] | None = None, clusters: Sequence[int] | None = None
) -> GridWindow:
    """Return a workflow of a run, by its number.

    ``window`` is begin and end in microseconds; by default, the time from its submission to its last finish, with a margin.
    ``clusters`` are the numbers of those to show; by default, those on which a task ran. Raises :class:`SlotwiseError` when the
    run is not one of a grid, or the workflow did not run in it.
    """
    return window_of(tables_of_run(folder, "grid"), workflow, window, clusters)


def window_of(
    tables: Tables, workflow: int, window: tuple[int, int] | None = None, clusters: Sequence[int] | None = None
) -> GridWindow:
    """Return a workflow from the tables of one replication; see :func:`read_window`."""
    jobs = tables.table("jobs").filter(pl.col("start_us").is_not_null())
    tasks = tasks_of(tables, jobs, workflow)
    if not tasks.height:
        raise SlotwiseError(f"workflow {workflow} did not run in this schedule")
    begin_us, end_us = window or around(tasks)
    shown = list(clusters) if clusters is not None else sorted(tasks["cluster"].unique().to_list())
    drawn = shown_clusters(tables.machine, shown)
    held = tables.within("allocations", begin_us, end_us).filter(pl.col("cluster").is_in(shown)).sort("begin_us", "job")
    held = held.with_columns(pl.col("cluster").cast(pl.Int32).alias("slot"))
    runs, named = placed(held, drawn, tables.processors)
    present = pl.concat([held["job"], tasks["job"]]).unique()
    asked = jobs.filter(pl.col("job").is_in(present.implode())).collect()
    of_workflows = tables.table("candidates").select("job", "workflow", "task").unique().collect()
    own = pl.col("workflow") == workflow
    slots = tables.table("slides").collect().join(tasks.select("job", "task"), on="job", maintain_order="left")
    slices = tables.table("slices").filter(pl.col("cluster").is_in(shown) & overlaps(begin_us, end_us)).collect()
    return GridWindow(
        workflow=workflow,
        submit_us=int(tasks["submit_us"].min()),  # type: ignore[arg-type]
        **tables.of_window(begin_us, end_us),
        clusters=drawn,
        jobs=described(asked, NO_MEMBERS, tables.parameters)
        .drop("group", "place")
        .join(of_workflows, on="job", how="left", maintain_order="left"),
        allocations=held.with_columns(runs).select("job", "slot", "begin_us", "end_us", "processors", "runs"),
        tasks=tasks,
        places=slots.sort("at_us", maintain_order=True).select("task", "at_us", "start_us", "finish_us", "cause"),
        asked=tables.table("candidates").filter(own)
        .select("task", "cluster", "start_us", "finish_us", "latest_us", "chosen").collect(),
        transfers=tables.table("arrivals").filter(own).collect()
        .select("from_task", "to_task", "from_cluster", "to_cluster", "sent_us", "arrived_us"),
        slices=slices.sort("cluster", "begin_us").select(
            "cluster", "class", "begin_us", (pl.col("begin_us") + pl.col("overhead_us")).alias("work_us"), "end_us"
        ),
        named=named,
    )  # fmt: skip


def machine_of(folder: Path) -> Machine:
    """Return the machine of a run."""
    return Machine.from_dict(read_json(folder / "run.json")["machine"])


def tasks_of(tables: Tables, jobs: pl.LazyFrame, workflow: int) -> pl.DataFrame:
    """Return the tasks of a workflow that ran: where and when, when their data were there, and their frames."""
    own = pl.col("workflow") == workflow
    numbers = tables.table("candidates").filter(own).select("job", "task").unique()
    ran = numbers.join(jobs.select("job", "cluster", "submit_us", "start_us", "finish_us"), on="job")
    ready = tables.table("arrivals").filter(own).group_by("to_task").agg(pl.col("arrived_us").max().alias("ready_us"))
    booked = tables.table("reservations").filter(own).select(
        "task", "rank", "earliest_us", pl.col("start_us").alias("planned_start_us"),
        pl.col("finish_us").alias("planned_finish_us"), "latest_us", "expected_us", "freed_us",
    )  # fmt: skip
    return (
        ran.join(ready, left_on="task", right_on="to_task", how="left")
        .with_columns(pl.col("ready_us").fill_null(pl.col("submit_us")))
        .join(booked, on="task", how="left")
        .sort("task")
        .collect()
    )


def around(tasks: pl.DataFrame) -> tuple[int, int]:
    """Return the time of a workflow, from its submission to its last finish or end of a frame, with a margin."""
    first = int(tasks["submit_us"].min())  # type: ignore[arg-type]
    last = max(int(tasks[name].max() or 0) for name in ("finish_us", "latest_us"))  # type: ignore[arg-type]
    margin = max(1, (last - first) // 40)
    return max(0, first - margin), last + margin


def shown_clusters(machine: Machine, numbers: Sequence[int]) -> pl.DataFrame:
    """Return the clusters of these numbers, with the name and the processors of each."""
    own = [machine.clusters[number] for number in numbers]
    columns = {
        "cluster": list(numbers),
        "name": [cluster.name or str(number + 1) for number, cluster in zip(numbers, own, strict=True)],
        "first": [sum(before.processors for before in machine.clusters[:number]) for number in numbers],
        "processors": [cluster.processors for cluster in own],
    }
    return pl.DataFrame(
        columns, schema={"cluster": pl.Int32, "name": pl.String, "first": pl.Int32, "processors": pl.Int32}
    )


def placed(held: pl.DataFrame, clusters: pl.DataFrame, processors: int) -> tuple[pl.Series, bool]:
    """Return the runs of processors of each allocation, numbered through the machine, and whether the schedule names them."""
    runs, named = place(held, processors)
    if named:
        return runs, True
    # counted from 0 on each cluster
    first = dict(clusters.select("cluster", "first").rows())
    moved = [[edge + first[at] for edge in edges] for at, edges in zip(held["slot"], runs.to_list(), strict=True)]
    return pl.Series("runs", moved, dtype=pl.List(pl.Int32)), False


def lateness(row: dict[str, Any]) -> int:
    """Return by how many microseconds a task ended after its frame; 0 where it did not, or was not booked."""
    return max(0, row["finish_us"] - row["latest_us"]) if row["latest_us"] is not None else 0
