"""Small workloads of grids for tests: local jobs and workflows, written in seconds."""

from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from scheduler_core.contracts import WORKLOAD_COLUMNS, Cluster, Machine, Workload
from scheduler_core.contracts.workflows import EDGES_COLUMNS, RUN_TIMES_COLUMNS, TASKS_COLUMNS, TRANSFERS_COLUMNS

S = 1_000_000

FIVE_TASKS = ((1, 2), (1, 3), (1, 4), (2, 5), (3, 5), (4, 5))
"""The edges of the workflow of the thesis: one task, three beside one another, one."""

Asked = tuple[float, float, int]
"""Run time, estimate and size of a task."""


def us(seconds: float) -> int:
    return round(seconds * S)


def grid_of(*sizes: int, speeds: Sequence[float] = ()) -> Machine:
    """Return a machine of clusters of some sizes."""
    fast = speeds or [1.0] * len(sizes)
    return Machine(clusters=tuple(Cluster(n, speed=speed) for n, speed in zip(sizes, fast, strict=True)))


def workload_of(
    machine: Machine,
    local: Iterable[tuple[float, float, float, int, int]] = (),
    workflows: Iterable[tuple[float, Sequence[Asked], Mapping[tuple[int, int], float]]] = (),
    transfers: Mapping[tuple[int, int, int], Sequence[Sequence[float]]] | None = None,
    run_times: Mapping[tuple[int, int], Sequence[float]] | None = None,
) -> Workload:
    """Return a workload.

    Parameters
    ----------
    machine
        The clusters.
    local
        Local jobs: submission, run time, estimate, size, home.
    workflows
        Workflows 1, 2, ...: submission, tasks, edges with the time of their transfer.
    transfers
        The time between every two clusters, by workflow and edge.
    run_times
        The run time on every cluster, by workflow and task.
    """
    rows: list[list[object]] = [[us(t), us(run), us(estimate), n, home, None] for t, run, estimate, n, home in local]
    edges = []
    for number, (submit, tasks, joined) in enumerate(workflows, start=1):
        rows += [
            [us(submit), us(run), us(estimate), n, None, (number, task)]
            for task, (run, estimate, n) in enumerate(tasks, start=1)
        ]
        edges += [(number, *edge, 0, us(time)) for edge, time in sorted(joined.items())]
    rows.sort(key=lambda row: row[0])
    jobs = [(job, *row[:4], row[4]) for job, row in enumerate(rows, start=1)]
    tasks = sorted((*row[5], job) for job, row in enumerate(rows, start=1) if row[5])
    numbers = {(workflow, task): job for workflow, task, job in tasks}
    companions = {
        "tasks": pl.DataFrame(
            [(job, workflow, task) for workflow, task, job in tasks], schema=TASKS_COLUMNS, orient="row"
        ),
        "edges": pl.DataFrame(edges, schema=EDGES_COLUMNS, orient="row"),
    }
    if transfers:
        times = [
            (*edge, p, q, us(time))
            for edge, matrix in sorted(transfers.items())
            for p, row in enumerate(matrix)
            for q, time in enumerate(row)
        ]
        companions["transfers"] = pl.DataFrame(times, schema=TRANSFERS_COLUMNS, orient="row")
    if run_times:
        there = sorted((numbers[task], p, us(time)) for task, row in run_times.items() for p, time in enumerate(row))
        companions["run_times"] = pl.DataFrame(there, schema=RUN_TIMES_COLUMNS, orient="row")
    table = pl.DataFrame(jobs, schema={**WORKLOAD_COLUMNS, "home": pl.Int16}, orient="row")
    return Workload(table, machine, companions=companions)
