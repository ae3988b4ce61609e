"""Why a job in slices of classes started when it did: from its schedule, its slices, promises and groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from scheduler_core.checker.slices.evidence import class_of_job, class_time
from scheduler_core.common.units import NEVER_US
from scheduler_core.decisions.alternatives import tried
from scheduler_core.decisions.causes import ROOM, UNTOLD, Step, causes_of
from scheduler_core.decisions.slices.explained import Membership, Promise, SlicesExplanation, Start
from scheduler_core.decisions.slices.turns import SWITCHING, Rooms, rooms_of, turns_of
from scheduler_core.decisions.waits import facts_of, fitting, others_of

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload


def explanation_of(
    workload: Workload, schedule: Schedule, job: dict[str, Any], *, alternatives: bool
) -> SlicesExplanation:
    """Return why a job in slices started when it did; ``job`` is its row (:func:`~scheduler_core.decisions.waits.row_of`)."""
    return SlicesExplanation(**slices_of(schedule, job), **tried(workload, schedule, job, alternatives))


def slices_of(schedule: Schedule, job: dict[str, Any], since: int = 0) -> dict[str, Any]:
    """Return what a schedule and its tables tell of a job's wait on its cluster; it could not start before ``since``."""
    submit, start, number = job["submit_us"], job["start_us"], job["job"]
    clusters = [cluster.processors for cluster in schedule.machine.clusters]
    first = sum(clusters[: job["cluster"]])
    processors = range(first, first + clusters[job["cluster"]])
    here = pl.col("cluster") == job["cluster"]
    parameters = schedule.run["policy"]["parameters"]
    jobs = others_of(schedule, job).filter(here)
    jobs = jobs.with_columns(kind=class_of_job(parameters, jobs))
    kind = class_of_job(parameters, schedule.jobs)
    own_kind = schedule.jobs.filter(pl.col("job") == number).select(kind=kind)["kind"][0]
    allocations = schedule.allocations.filter(here)
    held = allocations.filter(pl.col("job") != number)
    slices = schedule.tables["slices"].filter(here)
    worked = slices.select(
        "end_us", begin_us=pl.col("begin_us") + pl.col("overhead_us"), kind=pl.col("class").to_physical().cast(pl.Int64)
    ).filter(pl.col("begin_us") < pl.col("end_us"))
    firsts = allocations.sort("begin_us", maintain_order=True).unique("job", keep="first", maintain_order=True)
    started = jobs.join(firsts.select("job", "slot", "processor_ids"), on="job", how="inner", maintain_order="left")
    kept = started.filter(pl.col("kind") == own_kind).select("processor_ids", begin_us="start_us", end_us="finish_us")
    rooms = rooms_of(held, kept, worked, processors, max(submit, since), start)
    at_edges = [rooms_of(held, kept, worked, processors, edge, edge + 1) for edge in (submit, start)]
    at_start = held.filter((pl.col("begin_us") < start) & (pl.col("end_us") > start))
    facts = facts_of(schedule, job, jobs, pl.col("kind") == own_kind)
    turn = int(at_edges[0].kind[0])
    own_slice = worked.filter((pl.col("begin_us") <= start) & (pl.col("end_us") > start))
    starts = {
        row["job"]: Start(row["job"], row["kind"], row["start_us"], row["slot"])
        for row in started.filter(pl.col("job").is_in(facts["overtook"])).to_dicts()
    }
    own = firsts.filter(pl.col("job") == number)
    return {
        **facts,
        "processors": len(processors),
        **fitting(rooms.at, rooms.until, (rooms.room >= job["size"]) & (rooms.kind != SWITCHING)),
        "causes": causes_of(steps_of_wait(rooms, own_kind, job["size"], parameters)),
        "kind": own_kind,
        "cluster": job["cluster"] if len(clusters) > 1 else None,
        "turn_at_submission": None if turn == SWITCHING else turn,
        "free_at_submission": int(at_edges[0].free[0]),
        "free_at_start": len(processors) - int(at_start["processors"].sum()),
        "turns": turns_of(rooms, held, worked, job["size"]),
        "overtakings": [starts[one] for one in facts["overtook"] if one in starts],
        "own": Start(number, own_kind, start, own["slot"][0]),
        "own_begin_us": own_slice["begin_us"][0],
        "promises": promises_of(schedule, job, own_kind, slices, allocations),
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


def promises_of(
    schedule: Schedule, job: dict[str, Any], kind: int, slices: pl.DataFrame, allocations: pl.DataFrame
) -> list[Promise]:
    """Return the promises made to a job, and its latest start by each, as the slices came."""
    rows = schedule.tables["promises"].filter(pl.col("job") == job["job"])
    time = class_time(
        schedule.jobs, allocations, schedule.machine.processors, slices, schedule.run["policy"]["parameters"]
    )
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
