"""Why a job in slices of classes started when it did: from its schedule, its slices, promises and groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from scheduler_core.checker.slices.evidence import ClassTime, class_of_job, class_time
from scheduler_core.common.units import NEVER_US
from scheduler_core.decisions.alternatives import tried
from scheduler_core.decisions.causes import ROOM, UNTOLD, Step, causes_of, runs_of
from scheduler_core.decisions.slices.explained import Membership, Promise, SlicesExplanation, Start
from scheduler_core.decisions.slices.turns import SWITCHING, Rooms, rooms_of, turns_of
from scheduler_core.decisions.waits import Holdings, accepted, facts_of, fitting, met_by

if TYPE_CHECKING:
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

    @cached_property
    def held(self) -> Holdings:
        """The allocations as arrays."""
        return Holdings(self.allocations)

    @cached_property
    def kept(self) -> Holdings:
        """What each job that started holds until it finishes, as arrays."""
        return Holdings(self.started.select("job", "processor_ids", begin_us="start_us", end_us="finish_us"))

    @cached_property
    def kinds(self) -> dict[int, tuple[int, int]]:
        """Class, and slice of its start, of each job that started."""
        return {job: (kind, slot) for job, kind, slot in self.started.select("job", "kind", "slot").iter_rows()}

    @cached_property
    def own_kinds(self) -> np.ndarray:
        """The classes of the jobs that started, by row."""
        return self.started["kind"].to_numpy()

    @cached_property
    def sizes(self) -> np.ndarray:
        """The processors of each allocation."""
        return self.allocations["processors"].to_numpy()

    @cached_property
    def slices(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Begin, end and class of each of the slices, from the begin of their work."""
        begin, end, kind = (self.worked[name].to_numpy() for name in ("begin_us", "end_us", "kind"))
        return begin, end, kind


def kinds_of(history: History) -> np.ndarray:
    """Return the classes of all jobs that the machine is large enough for."""
    jobs = history.once(accepted)
    kinds: np.ndarray = (
        jobs.select(class_of_job(history.schedule.run["policy"]["parameters"], jobs)).to_series().to_numpy()
    )
    return kinds


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
    processors, parameters = cluster.processors, schedule.run["policy"]["parameters"]
    jobs, held, kept = met_by(history, job, of_cluster=True), cluster.held, cluster.kept
    own_kind, own_slot = cluster.kinds[number]
    near = np.flatnonzero((held.job != number) & (held.begin <= start) & (held.end > submit))
    same = np.flatnonzero(
        (kept.job != number) & (kept.begin <= start) & (cluster.own_kinds == own_kind) & (kept.end > submit)
    )
    rows = (held, near), (kept, same)
    rooms = rooms_of(*rows, cluster.slices, processors, max(submit, since), start)
    waits = start > submit >= since
    at_submission = rooms if waits else rooms_of(*rows, cluster.slices, processors, submit, submit + 1)
    at_start = near[(held.begin[near] < start) & (held.end[near] > start)]
    facts = facts_of(schedule, job, jobs, history.once(kinds_of)[jobs["row"]] == own_kind)
    turn = int(at_submission.kind[0])
    begins, ends, _ = cluster.slices
    own_slice = np.flatnonzero((begins <= start) & (ends > start))
    begun = dict(zip(jobs["job"].tolist(), jobs["start_us"].tolist(), strict=True))
    starts = {one: Start(one, cluster.kinds[one][0], begun[one], cluster.kinds[one][1]) for one in facts["overtook"]}
    ran = tuple(column[near] for column in (held.job, held.begin, held.end, cluster.sizes))
    return {
        **facts,
        "processors": len(processors),
        **fitting(rooms.at, rooms.until, (rooms.room >= job["size"]) & (rooms.kind != SWITCHING)),
        "causes": causes_of(steps_of_wait(rooms, own_kind, job["size"], parameters)),
        "kind": own_kind,
        "cluster": job["cluster"] if len(schedule.machine.clusters) > 1 else None,
        "turn_at_submission": None if turn == SWITCHING else turn,
        "free_at_submission": int(at_submission.free[0]),
        "free_at_start": len(processors) - int(cluster.sizes[at_start].sum()),
        "turns": turns_of(rooms, ran, cluster.slices, job["size"]),
        "overtakings": list(starts.values()),
        "own": Start(number, own_kind, start, own_slot),
        "own_begin_us": int(begins[own_slice[0]]),
        "promises": promises_of(history, job, own_kind),
        "membership": history.once(memberships).get(number),
    }


def steps_of_wait(rooms: Rooms, kind: int, size: int, parameters: dict[str, Any]) -> Iterator[Step]:
    """Yield the wait of a job in steps, each with the rule that kept it from starting, by the parameters of its policy."""
    backfilling, groups = parameters.get("backfilling"), "group_max_long" in parameters
    own = "search" if "tree_nodes" in parameters else "plan"
    if not groups:
        own = {"easy": "class_head", "first_fit": UNTOLD}.get(str(backfilling), own)
    edges, fits = np.append(rooms.at, rooms.until[-1:]).tolist(), rooms.room >= size
    for first, last in runs_of(2 * rooms.kind + fits):
        turn, fit = rooms.kind[first], fits[first]
        if turn == SWITCHING:
            rule = "switch"
        elif turn == kind:
            rule = own if fit else ROOM
        elif fit:
            rule = "loan" if parameters["smart"] else "unlent"
        else:
            rule = "turn"
        yield Step(edges[first], edges[last], rule)


def promises_of(history: History, job: dict[str, Any], kind: int) -> list[Promise]:
    """Return the promises made to a job, and its latest start by each, as the slices came."""
    rows = history.once(promises_by_job).get(job["job"])
    if rows is None:
        return []
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


def promises_by_job(history: History) -> dict[int, pl.DataFrame]:
    """Return the promises made to each job."""
    parts = history.schedule.tables["promises"].partition_by("job", as_dict=True)
    return {int(job): rows for (job,), rows in parts.items()}


def memberships(history: History) -> dict[int, Membership]:
    """Return the last group that each job was a member of."""
    tables = history.schedule.tables
    if "members" not in tables:
        return {}
    rows = tables["members"].join(tables["groups"], on=["cluster", "group"], maintain_order="left")
    columns = ("job", "group", "formed_us", "place", "jobs")
    return {job: Membership(*row) for job, *row in rows.select(columns).iter_rows()}
