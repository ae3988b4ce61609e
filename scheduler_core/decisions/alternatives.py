"""When a job would have started if something had been different: the policy runs again on changed jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from scheduler_core.common.errors import ParameterError, PolicyError
from scheduler_core.contracts.workflows import NO_TASKS
from scheduler_core.decisions.explained import Alternative
from scheduler_core.declarations.policy import OWN_MODULES, rebuild
from scheduler_core.declarations.words import counted
from scheduler_core.runs.simulation import simulate

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.declarations.policy import Policy


def tried(workload: Workload, schedule: Schedule, job: dict[str, Any], asked: bool) -> dict[str, Any]:
    """Return ``alternatives`` and ``foreseen_us``, for a job that waited and if they are ``asked`` for."""
    if not asked or job["start_us"] == job["submit_us"]:
        return {"alternatives": []}
    if missing := lacking(workload, schedule):
        return {"alternatives": [], "lacking": missing}
    found = changed(workload, schedule, job)
    return found if "unrepeated" in found else {**found, "foreseen_us": foreseen(workload, schedule, job)}


def changed(workload: Workload, schedule: Schedule, job: dict[str, Any]) -> dict[str, Any]:
    """Return ``alternatives``; without any, ``unrepeated`` says why the policy of the user's own cannot run again."""
    try:
        if reason := unrepeated(workload, schedule):
            return {"alternatives": [], "unrepeated": reason}
        return {"alternatives": [without_later(workload, schedule, job), *alternatives_of(workload, schedule, job)]}
    except (ParameterError, PolicyError) as error:
        return {"alternatives": [], "unrepeated": str(error)}


def unrepeated(workload: Workload, schedule: Schedule) -> str:
    """Return why runs on changed jobs would not tell of this schedule; empty if they do, as those of all built-in policies."""
    policy = rebuild(schedule.run["policy"])
    if policy.name not in OWN_MODULES or simulate(workload, policy).digest == schedule.digest:
        return ""
    return (
        "on the same jobs it gives another schedule than this one; if it reads users, groups, queues, partitions or executables, "
        "name the log (--log LOG)"
    )


def lacking(workload: Workload, schedule: Schedule) -> list[str]:
    """Return the companion tables that the policy reads and the workload does not have."""
    needed = rebuild(schedule.run["policy"]).companions
    names = schedule.family.companions if needed is None else needed
    return [name for name in names if name not in workload.companions]


def alternatives_of(workload: Workload, schedule: Schedule, job: dict[str, Any]) -> list[Alternative]:
    """Return when the job would have started if it, or all estimates, had been different."""
    policy, number = rebuild(schedule.run["policy"]), job["job"]
    this = pl.col("job") == number
    exact = pl.min_horizontal("runtime_us", "estimate_us")
    changes = {}
    if job["estimate_us"] > job["runtime_us"]:
        changes["its own estimate were exact"] = {"estimate_us": pl.when(this).then(exact).otherwise("estimate_us")}
    changes["all estimates were exact"] = {"estimate_us": exact}
    if job["size"] > 1:
        half = -(-job["size"] // 2)
        narrow = {"size": pl.lit(half, pl.Int32)}
        if "size_min" in workload.jobs.columns:
            narrow["size_min"] = pl.min_horizontal("size_min", pl.lit(half, pl.Int32))
        changes[f"it asked for {counted(half, 'processor')}"] = {
            name: pl.when(this).then(value).otherwise(name) for name, value in narrow.items()
        }
    found = []
    for words, columns in changes.items():
        changed = workload.transformed(workload.jobs.with_columns(**columns), {"step": "explained"})
        again = simulate(changed, policy).jobs.filter(this)["start_us"]
        found.append(Alternative(words, again[0]))
    return found


def without_later(workload: Workload, schedule: Schedule, job: dict[str, Any]) -> Alternative:
    """Return when the job would have started if no later job had been submitted."""
    tasks = workload.companions.get("tasks", NO_TASKS)
    own = tasks.filter(pl.col("workflow").is_in(tasks.filter(pl.col("job") == job["job"])["workflow"].implode()))
    # A workflow comes whole.
    kept = workload.jobs.filter((pl.int_range(pl.len()) <= job["place"]) | pl.col("job").is_in(own["job"].implode()))
    again = simulate(workload.transformed(kept, {"step": "explained"}), rebuild(schedule.run["policy"]))
    start = again.jobs.filter(pl.col("job") == job["job"])["start_us"]
    return Alternative("no later job had been submitted", start[0])


def foreseen(workload: Workload, schedule: Schedule, job: dict[str, Any]) -> int | None:
    """Return when a job would have started by what was known at its submission: no later job, estimates for run times.

    None if such a run does not repeat the schedule up to then, as when a policy knows future jobs, or if it ends first.
    """
    now = job["submit_us"]
    again = known_at(workload, schedule, rebuild(schedule.run["policy"]), now).jobs
    both = schedule.jobs.select("job", "start_us").join(
        again.select("job", again_us="start_us"), on="job", how="left", maintain_order="left"
    )
    past = both.filter((pl.col("start_us") < now) | (pl.col("again_us") < now))
    if past["start_us"].ne_missing(past["again_us"]).any():
        return None
    start: int | None = again.filter(pl.col("job") == job["job"])["start_us"][0]
    return start


def known_at(workload: Workload, schedule: Schedule, policy: Policy, now: int) -> Schedule:
    """Return the schedule by what is known at an instant: no later job, and estimates for the jobs that run or wait.

    If a plan of ``policy`` counts on run times, these are known instead of estimates.
    """
    jobs = workload.jobs
    if policy.values().get("plan_by") != "runtime":
        ends = schedule.jobs.select("job", "finish_us")
        later = jobs.select("job").join(ends, on="job", how="left", maintain_order="left")
        goes_on = (later["finish_us"] > now).fill_null(True)
        longer = pl.when(goes_on).then(pl.max_horizontal("runtime_us", "estimate_us")).otherwise("runtime_us")
        jobs = jobs.with_columns(runtime_us=longer)
    known = workload.transformed(jobs.filter(pl.col("submit_us") <= now), {"step": "explained"})
    return simulate(known, policy)
