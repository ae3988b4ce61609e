"""Why a job on a grid of clusters started when it did: from its schedule, what clusters predicted, and what was booked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from scheduler_core.decisions.alternatives import tried
from scheduler_core.decisions.causes import Cause, Step, causes_of
from scheduler_core.decisions.grid.explained import Arrival, Booking, GridExplanation, Offer, Slide
from scheduler_core.decisions.history import History
from scheduler_core.decisions.slices.explained import SlicesExplanation
from scheduler_core.decisions.slices.explanation import slices_of
from scheduler_core.decisions.waits import facts_of, fitting, met_by, row_of, steps_of

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule

NO_TASK: dict[str, Any] = {"workflow": None, "task": None, "offers": [], "booking": None, "slides": [], "arrivals": []}
"""What tables say of a job that is no task."""

NO_TIMES = pl.DataFrame(schema={"job": pl.Int64, "cluster": pl.Int16, "runtime_us": pl.Int64})


def explanation_of(history: History, job: dict[str, Any], *, alternatives: bool) -> GridExplanation:
    """Return why a job started when it did; ``job`` is its row (:func:`~scheduler_core.decisions.waits.row_of`)."""
    submit, start, number, cluster = job["submit_us"], job["start_us"], job["job"], job["cluster"]
    workload, schedule = history.workload, history.schedule
    processors = schedule.machine.clusters[cluster].processors
    local = str(schedule.run["policy"]["parameters"]["local"])
    facts = {**facts_of(schedule, job, met_by(history, job, of_cluster=True)), "processors": processors}
    task = task_of(schedule, number, cluster) if number in history.once(tasks_in) else NO_TASK
    booking: Booking | None = task["booking"]
    since = max([submit, *(one.arrived_us for one in task["arrivals"])])
    if booking:
        since = max(since, booking.ready_us, booking.freed_us)
    held = history.once(held_on, cluster)
    held = {name: values[held["job"] != number] for name, values in held.items()}
    steps = steps_of(held, min(since, start), start)
    begins, ends, sizes = (held[name] for name in ("begin_us", "end_us", "processors"))
    free = [
        processors - int(sizes[first & (ends > at)].sum())
        for first, at in ((begins <= submit, submit), (begins < start, start))
    ]
    slices = None
    room = processors - steps.of_lane(0) >= job["size"]
    fits = fitting(steps.at, steps.until, room)
    rules = ["local" if one else "no_room" for one in room]
    causes = causes_of(map(Step, steps.at.tolist(), steps.until.tolist(), rules))
    if local == "pect":
        there = history.once(on_cluster, cluster)
        own = slices_of(there, row_of(there.schedule, number), min(since, start))
        slices = SlicesExplanation(**own, alternatives=[])
        fits = {"fitting_us": slices.fitting_us, "fitted_first_us": slices.fitted_first_us}
        causes = slices.causes
    missing = ["tasks", "edges"] if schedule.tables["candidates"].height and "tasks" not in workload.companions else []
    again = (
        {"alternatives": [], "lacking": missing}
        if missing and alternatives and start > submit
        else tried(workload, schedule, job, alternatives)
    )
    if workload.companions.get("run_times", NO_TIMES).height:
        # Estimates on clusters follow from run times there, so a job cannot be told to take its estimate.
        again.pop("foreseen_us", None)
    return GridExplanation(
        **facts,
        **fits,
        **again,
        **task,
        causes=with_early(job, task, min(since, start), causes),
        cluster=cluster,
        local=local,
        may_start_us=since,
        free_at_submission=free[0],
        free_at_start=free[1],
        slices=slices,
    )


def with_early(job: dict[str, Any], task: dict[str, Any], since: int, causes: list[Cause]) -> list[Cause]:
    """Return the causes of a wait whose rest, from ``since`` on, has the given ones: first came data, and the frame of a task."""
    submit = job["submit_us"]
    data = min(since, max([submit, *(one.arrived_us for one in task["arrivals"])]))
    early = causes_of([Step(submit, data, "data"), Step(data, since, "frame")])
    return sorted([*early, *causes], key=lambda cause: -cause.us)


def tasks_in(history: History) -> set[int]:
    """Return the jobs that are tasks of workflows."""
    return set(history.schedule.tables["candidates"]["job"].to_list())


def held_on(history: History, cluster: int) -> dict[str, np.ndarray]:
    """Return the allocations on a cluster as columns, in a single lane."""
    held = history.schedule.allocations.filter(pl.col("cluster") == cluster)
    columns = {name: held[name].to_numpy() for name in ("job", "begin_us", "end_us", "processors")}
    return {**columns, "lane": np.zeros(held.height, dtype=np.int64)}


def task_of(schedule: Schedule, number: int, cluster: int) -> dict[str, Any]:
    """Return what the tables say of a task: its workflow, offers, booking, slides and arrivals."""
    mine = pl.col("job") == number
    asked = schedule.tables["candidates"].filter(mine)
    workflow, task = asked.row(0, named=True)["workflow"], asked.row(0, named=True)["task"]
    booked = schedule.tables["reservations"].filter(mine)
    frame = ("made_us", "earliest_us", "start_us", "latest_us", "ready_us", "freed_us")
    arrivals = schedule.tables["arrivals"].filter(
        (pl.col("workflow") == workflow) & (pl.col("to_task") == task) & (pl.col("to_cluster") == cluster)
    )
    return {
        "workflow": workflow,
        "task": task,
        "offers": [
            Offer(*row)
            for row in asked.select(
                "cluster", "start_us", "finish_us", "earliest_us", "latest_us", "chosen"
            ).iter_rows()
        ],
        "booking": Booking(*booked.select(frame).row(0)) if booked.height else None,
        "slides": [
            Slide(*row)
            for row in schedule.tables["slides"]
            .filter(mine)
            .filter(pl.col("start_us").ne_missing(pl.col("start_us").shift(1)))
            .select("at_us", "start_us", pl.col("cause").cast(pl.String))
            .iter_rows()
        ],
        "arrivals": [
            Arrival(*row) for row in arrivals.select("from_task", "from_cluster", "sent_us", "arrived_us").iter_rows()
        ],
    }


def on_cluster(history: History, cluster: int) -> History:
    """Return the jobs with their estimates on a cluster, as the policy's docstring says; their classes follow from them."""
    schedule = history.schedule
    speed = schedule.machine.clusters[cluster].speed
    times = history.workload.companions.get("run_times", NO_TIMES).filter(pl.col("cluster") == cluster)
    there = dict(times.select("job", "runtime_us").iter_rows())
    estimates = [
        -(-estimate * there[job] // runtime) if job in there else int(-(-(estimate / speed) // 1))
        for job, runtime, estimate in schedule.jobs.select("job", "runtime_us", "estimate_us").iter_rows()
    ]
    jobs = schedule.jobs.with_columns(estimate_us=pl.Series(estimates, dtype=pl.Int64))
    return History(history.workload, replace(schedule, jobs=jobs))
