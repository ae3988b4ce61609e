"""The tables of a schedule, from the world at the end of a run."""

from typing import Any

import numpy as np
import polars as pl

from scheduler_core.common.units import NS_PER_US
from scheduler_core.concurrent_gang import family, state
from scheduler_core.concurrent_gang.state import World
from scheduler_core.kernel.records import records
from scheduler_core.kernel.tables import allocations_table

Columns = dict[str, Any]
HELD_ROW = np.dtype([(name, np.int64) for name in ("job", "begin", "end", "slot")])
BY_ACTIVITY = {
    "compute_ns": [state.ACT_COMPUTE],
    "message_ns": [state.ACT_SEND, state.ACT_RECEIVE],
    "spin_ns": [state.ACT_SPIN],
    "switch_ns": [state.ACT_SWITCH],
    "blocked_ns": [state.ACT_BLOCKED],
    "empty_ns": [state.ACT_EMPTY],
    "local_ns": [state.SUM_LOCAL],
    "disk_ns": [state.SUM_DISK],
}
"""Columns of sums, and of which times they are."""


def held_processors(numbers: np.ndarray, world: World) -> pl.DataFrame:
    """Return the table of allocations: a row per job that was placed."""
    placed = np.flatnonzero(world.jobs["start"] >= 0)
    jobs, sums = world.jobs[placed], world.job_sums[placed]
    rows = records(len(placed), HELD_ROW)
    end = np.where(jobs["finish"] < 0, world.clock.now, jobs["finish"])
    rows["job"], rows["slot"] = placed, jobs["row"]
    rows["begin"], rows["end"] = jobs["start"] // NS_PER_US, -(-end // NS_PER_US)
    useful = sums[:, [state.ACT_COMPUTE, state.ACT_SEND, state.ACT_RECEIVE, state.SUM_DISK]].sum(axis=1)
    work_us = useful // (NS_PER_US * jobs["width"])
    held = world.tasks["processor"]
    ids = [held[first : first + size] for first, size in zip(jobs["first"], jobs["width"], strict=True)]
    columns = {
        "processors": jobs["width"],
        "processor_ids": pl.Series("processor_ids", ids, dtype=pl.List(pl.Int32)),
        "rate": work_us / (rows["end"] - rows["begin"]),
        "work_us": work_us,
    }
    return allocations_table(rows, numbers, columns)


def family_tables(numbers: np.ndarray, world: World) -> dict[str, pl.DataFrame]:
    """Return the tables that the family declares."""
    columns = {
        "processor_activity": processor_activity(world),
        "job_activity": job_activity(numbers, world),
        "trace": traced_rows(numbers, world),
        "trace_disks": traced_disks(numbers, world),
        "trace_messages": traced_messages(numbers, world),
        "trace_barriers": traced_barriers(numbers, world),
        "trace_slices": traced_slices(numbers, world),
        "trace_memberships": traced_memberships(numbers, world),
    }
    schemas = {name: table.columns for name, table in family.TABLES.items()}
    return {
        name: pl.DataFrame({column: columns[name][column] for column in schema}, schema=schema)
        for name, schema in schemas.items()
    }


def processor_activity(world: World) -> Columns:
    """Return the columns of the sums of processors by period; the last may be cut."""
    periods, processors = int(world.clock.period), int(world.rules.processors)
    sums = world.periods[:periods].reshape(periods * processors, state.SUMS)
    begin = np.arange(periods) * world.rules.sums
    end = np.minimum(begin + world.rules.sums, world.clock.now)
    return {
        "processor": np.tile(np.arange(processors), periods),
        "begin_us": np.repeat(begin // NS_PER_US, processors),
        "end_us": np.repeat(end // NS_PER_US, processors),
        **{name: sums[:, of].sum(axis=1) for name, of in BY_ACTIVITY.items()},
    }


def job_activity(numbers: np.ndarray, world: World) -> Columns:
    """Return the columns of the sums of jobs that were placed."""
    placed = np.flatnonzero(world.jobs["start"] >= 0)
    counted = ("messages", "barriers", "requests", "blocked", "local_runs")
    return {
        "job": numbers[placed],
        **{name: world.job_sums[placed][:, of].sum(axis=1) for name, of in BY_ACTIVITY.items()},
        **{name: world.jobs[name][placed] for name in counted},
    }


def named(tasks: np.ndarray, numbers: np.ndarray, world: World) -> dict[str, pl.Series]:
    """Return the job and the number within it of tasks; null where there is none."""
    none = tasks < 0
    jobs, task = np.zeros(len(tasks), np.int64), np.zeros(len(tasks), np.int32)
    jobs[~none] = numbers[world.tasks["job"][tasks[~none]]]
    task[~none] = world.tasks["number"][tasks[~none]]
    there = pl.Series(~none)
    both = pl.select(
        pl.when(there).then(pl.Series(jobs)).alias("job"), pl.when(there).then(pl.Series(task)).alias("task")
    )
    return {"job": both["job"], "task": both["task"]}


def until_end(times: np.ndarray, world: World) -> pl.Series:
    """Return times, null where they do not come before the run ends."""
    return pl.select(pl.when(pl.Series(times <= world.clock.now)).then(pl.Series(times))).to_series()


def words(kind: pl.Enum, numbers: np.ndarray) -> pl.Series:
    """Return the words of an Enum by their numbers."""
    return pl.Series(kind.categories, dtype=kind).gather(pl.Series(numbers.astype(np.int64)))


def traced_rows(numbers: np.ndarray, world: World) -> Columns:
    """Return the columns of what processors did."""
    rows = world.trace.rows[: world.clock.rows_traced]
    rows = rows[np.lexsort((rows["begin"], rows["processor"]))]
    by = pl.when(pl.Series(rows["task"] >= 0)).then(words(family.By, rows["local"]))
    return {
        "processor": rows["processor"],
        "begin_ns": rows["begin"],
        "end_ns": rows["end"],
        "activity": words(family.Activity, rows["activity"]),
        **named(rows["task"], numbers, world),
        "by": pl.select(by).to_series(),
    }


def traced_disks(numbers: np.ndarray, world: World) -> Columns:
    """Return the columns of requests."""
    rows = world.trace.disks[: world.clock.disks_traced]
    rows = rows[np.argsort(rows["processor"], kind="stable")]
    return {
        "processor": rows["processor"],
        **named(rows["task"], numbers, world),
        **{f"{name}_ns": rows[name] for name in ("issued", "begin", "end")},
    }


def traced_messages(numbers: np.ndarray, world: World) -> Columns:
    """Return the columns of messages."""
    rows = world.trace.messages[: world.clock.messages_traced]
    rows = rows[np.lexsort((rows["number"], world.tasks["job"][rows["sender"]]))]
    return {
        "job": named(rows["sender"], numbers, world)["job"],
        "message": rows["number"],
        "sender": world.tasks["number"][rows["sender"]],
        "receiver": world.tasks["number"][rows["receiver"]],
        "sent_ns": rows["sent"],
        "arrived_ns": rows["sent"] + world.rules.latency,
        "received_ns": until_end(rows["received"], world),
    }


def traced_barriers(numbers: np.ndarray, world: World) -> Columns:
    """Return the columns of arrivals at barriers."""
    rows = world.trace.barriers[: world.clock.barriers_traced]
    tasks = world.tasks[rows["task"]]
    rows = rows[np.lexsort((tasks["number"], rows["barrier"], tasks["job"]))]
    return {
        **named(rows["task"], numbers, world),
        "barrier": rows["barrier"],
        "arrived_ns": rows["arrived"],
        "released_ns": until_end(rows["released"], world),
    }


def traced_slices(numbers: np.ndarray, world: World) -> Columns:
    """Return the columns of owners."""
    rows = world.trace.slices[: world.clock.slices_traced]
    turn = pl.select(pl.when(pl.Series(rows["row"] >= 0)).then(pl.Series(rows["row"]))).to_series()
    return {
        "begin_ns": rows["begin"],
        "row": turn,
        "processor": rows["processor"],
        **named(rows["task"], numbers, world),
    }


def traced_memberships(numbers: np.ndarray, world: World) -> Columns:
    """Return the columns of what was learned."""
    rows = world.trace.memberships[: world.clock.memberships_traced]
    rows = rows[np.lexsort((rows["task"], rows["at"]))]
    seen = ("io_seen", "communication_seen")
    measured = [name for name in rows.dtype.fields or () if name not in ("at", "task", *seen)]
    return {
        "at_ns": rows["at"],
        **named(rows["task"], numbers, world),
        **{name: rows[name] != 0 for name in seen},
        **{f"{name}_ppm": rows[name] for name in measured},
    }
