"""Why a job in slices of classes started when it did: from its schedule, its slices, promises and groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from scheduler_core.checker.slices.evidence import ClassTime, class_of_job, class_time
from scheduler_core.common.units import NEVER_US
from scheduler_core.decisions.alternatives import tried
from scheduler_core.decisions.causes import ROOM, UNTOLD, Step, causes_of
from scheduler_core.decisions.slices.explained import Membership, Promise, SlicesExplanation, Start
from scheduler_core.decisions.slices.turns import SWITCHING, Rooms, rooms_of, turns_of
from scheduler_core.decisions.waits import accepted, facts_of, fitting, others_of

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule
    from scheduler_core.decisions.history import History


@dataclass(frozen=True)
class Cluster:
    """A cluster: the numbers of its processors, its jobs that started with class and first allocation, and its tables.

    ``worked`` are the slices from the begin of their work; ``time`` has the clocks of the classes.
    """

    processors: range
    started: pl.DataFrame
    allocations: pl.DataFrame
    worked: pl.DataFrame
    time: ClassTime


def cluster_of(history: History, number: int) -> Cluster:
    """Return a cluster by its number."""
    schedule, parameters = history.schedule, history.schedule.run["policy"]["parameters"]
    sizes = [cluster.processors for cluster in schedule.machine.clusters]
    first = sum(sizes[:number])
    here = pl.col("cluster") == number
    allocations, slices = schedule.allocations.filter(here), schedule.tables["slices"].filter(here)
    worked = slices.select(
        "end_us", begin_us=pl.col("begin_us") + pl.col("overhead_us"), kind=pl.col("class").to_physical().cast(pl.Int64)
    ).filter(pl.col("begin_us") < pl.col("end_us"))
    firsts = allocations.sort("begin_us", maintain_order=True).unique("job", keep="first", maintain_order=True)
    jobs = history.once(accepted).filter(here)
    jobs = jobs.with_columns(kind=class_of_job(parameters, jobs))
    started = jobs.join(firsts.select("job", "slot", "processor_ids"), on="job", how="inner", maintain_order="left")
    time = class_time(schedule.jobs, allocations, schedule.machine.processors, slices, parameters)
    return Cluster(range(first, first + sizes[number]), started, allocations, worked.sort("begin_us"), time)


def explanation_of(history: History, job: dict[str, Any], *, alternatives: bool) -> SlicesExplanation:
    """Return why a job in slices started when it did; ``job`` is its row (:func:`~scheduler_core.decisions.waits.row_of`)."""
    again = tried(history.workload, history.schedule, job, alternatives)
    return SlicesExplanation(**slices_of(history, job), **again)


def slices_of(history: History, job: dict[str, Any], since: int = 0) -> dict[str, Any]:
    """Return what a schedule and its tables tell of a job's wait on its cluster; it could not start before ``since``."""
    submit, start, number = job["submit_us"], job["start_us"], job["job"]
    schedule, cluster = history.schedule, history.once(cluster_of, job["cluster"])
    processors, worked = cluster.processors, cluster.worked
    parameters = schedule.run["policy"]["parameters"]
    jobs = others_of(history, job).filter(pl.col("cluster") == job["cluster"])
    jobs = jobs.with_columns(kind=class_of_job(parameters, jobs))
    own = cluster.started.row(by_predicate=pl.col("job") == number, named=True)
    own_kind = own["kind"]
    near = (pl.col("begin_us") <= start) & (pl.col("end_us") > submit)
    held = cluster.allocations.filter((pl.col("job") != number) & near)
    started = cluster.started.filter((pl.col("job") != number) & (pl.col("start_us") <= start))
    kept = started.filter((pl.col("kind") == own_kind) & (pl.col("finish_us") > submit)).select(
        "processor_ids", begin_us="start_us", end_us="finish_us"
    )
    rooms = rooms_of(held, kept, worked, processors, max(submit, since), start)
    waits = start > submit >= since
    at_submission = rooms if waits else rooms_of(held, kept, worked, processors, submit, submit + 1)
    at_start = held.filter((pl.col("begin_us") < start) & (pl.col("end_us") > start))
    facts = facts_of(schedule, job, jobs, pl.col("kind") == own_kind)
    turn = int(at_submission.kind[0])
    own_slice = worked.filter((pl.col("begin_us") <= start) & (pl.col("end_us") > start))
    starts = {
        row["job"]: Start(row["job"], row["kind"], row["start_us"], row["slot"])
        for row in started.filter(pl.col("job").is_in(facts["overtook"])).to_dicts()
    }
    return {
        **facts,
        "processors": len(processors),
        **fitting(rooms.at, rooms.until, (rooms.room >= job["size"]) & (rooms.kind != SWITCHING)),
        "causes": causes_of(steps_of_wait(rooms, own_kind, job["size"], parameters)),
        "kind": own_kind,
        "cluster": job["cluster"] if len(schedule.machine.clusters) > 1 else None,
        "turn_at_submission": None if turn == SWITCHING else turn,
        "free_at_submission": int(at_submission.free[0]),
        "free_at_start": len(processors) - int(at_start["processors"].sum()),
        "turns": turns_of(rooms, held, worked, job["size"]),
        "overtakings": [starts[one] for one in facts["overtook"] if one in starts],
        "own": Start(number, own_kind, start, own["slot"]),
        "own_begin_us": own_slice["begin_us"][0],
        "promises": promises_of(history, job, own_kind),
        "membership": membership_of(schedule, number),
    }


def steps_of_wait(rooms: Rooms, kind: int, size: int, parameters: dict[str, Any]) -> Iterator[Step]:
    """Yield the wait of a job in steps, each with the rule that kept it from starting, by the parameters of its policy."""
    backfilling, groups = parameters.get("backfilling"), "group_max_long" in parameters
    own = "search" if "tree_nodes" in parameters else "plan"
    if not groups:
        own = {"easy": "class_head", "first_fit": UNTOLD}.get(str(backfilling), own)
    for begin, end, turn, room in zip(rooms.at, rooms.until, rooms.kind, rooms.room, strict=True):
        if turn == SWITCHING:
            rule = "switch"
        elif turn == kind:
            rule = own if room >= size else ROOM
        elif room >= size:
            rule = "loan" if parameters["smart"] else "unlent"
        else:
            rule = "turn"
        yield Step(int(begin), int(end), rule)


def promises_of(history: History, job: dict[str, Any], kind: int) -> list[Promise]:
    """Return the promises made to a job, and its latest start by each, as the slices came."""
    rows = history.schedule.tables["promises"].filter(pl.col("job") == job["job"])
    time = history.once(cluster_of, job["cluster"]).time
    kinds, made, clock = np.full(rows.height, kind), rows["made_us"].to_numpy(), rows["clock_us"].to_numpy()
    ahead = clock - time.clock(kinds, made)
    reached = np.maximum(made, time.time_of(kinds, clock))
    # A clock that is reached as a slice ends stands still until the next one works: the job may start then.
    begins = np.append(np.sort(time.work[(time.kind == kind) & (time.work < time.end)]), NEVER_US)
    after = begins[np.minimum(np.searchsorted(begins, reached), len(begins) - 1)]
    latest = np.where(time.works_at(kinds, reached), reached, after)
    return [
        Promise(row["made_us"], row["group"], int(more), None if at >= NEVER_US else int(at), row["finish_us"])
        for row, more, at in zip(rows.to_dicts(), ahead, latest, strict=True)
    ]


def membership_of(schedule: Schedule, number: int) -> Membership | None:
    """Return the last group that a job was a member of; None without one."""
    if "members" not in schedule.tables:
        return None
    rows = schedule.tables["members"].filter(pl.col("job") == number)
    if rows.is_empty():
        return None
    row = rows.join(schedule.tables["groups"], on=["cluster", "group"], maintain_order="left").row(-1, named=True)
    return Membership(row["group"], row["formed_us"], row["place"], row["jobs"])
