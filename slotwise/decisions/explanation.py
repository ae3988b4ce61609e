"""Why a job of space sharing started when it did: from its schedule, and by running the policy again on changed jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from scheduler_core.common.errors import ContractError
from scheduler_core.declarations.policy import rebuild
from scheduler_core.runs.simulation import simulate
from slotwise.decisions.explained import Alternative, Explanation, Held, Overtaking
from slotwise.decisions.passes import Reason, Scene, held_from, is_retold, limits_users, words_of
from slotwise.decisions.words import SHOWN

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.declarations.policy import Policy

MOST = 200
"""The most overtaking jobs whose rules are found."""


def explain(workload: Workload, schedule: Schedule, number: int, *, alternatives: bool = True) -> Explanation:
    """Return why a job of a schedule started when it did.

    Raise :class:`ContractError` when the schedule is not one of space sharing, has no such job, or the job never started.

    Parameters
    ----------
    workload
        The jobs that were scheduled, for ``alternatives``.
    number
        The number of the job.
    alternatives
        Whether to run the policy again on changed jobs: the job narrower, its estimate exact, all estimates exact.
    """
    if schedule.family.name != "space_sharing":
        raise ContractError(f"explanations are of space sharing; this is a schedule of {schedule.family.label.lower()}")
    job = row_of(schedule, number)
    started = schedule.jobs.with_row_index("place").filter(pl.col("start_us").is_not_null())
    others = started.filter(pl.col("job") != number)
    submit, start = job["submit_us"], job["start_us"]
    running = others.filter((pl.col("start_us") <= submit) & (pl.col("finish_us") > submit))
    before = (pl.col("submit_us") < submit) | ((pl.col("submit_us") == submit) & (pl.col("place") < job["place"]))
    ahead = others.filter(before & (pl.col("start_us") > submit))
    overtook = others.filter(~before & (pl.col("start_us") < start))
    fitting, first = fitting_of(others, job, schedule.machine.processors)
    at_start = others.filter((pl.col("start_us") < start) & (pl.col("finish_us") > start))
    return Explanation(
        job=number,
        policy=str(schedule.run["policy"].get("title", schedule.run["policy"]["name"])),
        processors=schedule.machine.processors,
        size=job["size"],
        runtime_us=job["runtime_us"],
        estimate_us=job["estimate_us"],
        submit_us=submit,
        start_us=start,
        free_at_submission=schedule.machine.processors - int(running["processors"].sum()),
        running=running["job"].to_list(),
        ahead=ahead["job"].to_list(),
        ahead_size=int(ahead["size"].sum()),
        overtook=overtook.sort("start_us", "place")["job"].to_list(),
        fitting_us=fitting,
        fitted_first_us=first,
        ended=others.filter(pl.col("finish_us") == start)["job"].to_list(),
        free_at_start=schedule.machine.processors - int(at_start["processors"].sum()),
        alternatives=alternatives_of(workload, schedule, job) if alternatives and start > submit else [],
        **rules_of(workload, schedule, job, overtook.sort("start_us", "place")["job"].to_list()),
    )


def rules_of(workload: Workload, schedule: Schedule, job: dict[str, Any], overtook: list[int]) -> dict[str, Any]:
    """Return what the policy's rules did in the wait of a job: overtakings, reservations, standstills and its credit."""
    policy, submit, start = rebuild(schedule.run["policy"]), job["submit_us"], job["start_us"]
    still = standstills_within(workload, submit, start)
    scene = Scene(schedule, policy)
    conservative = scene.words.get("backfill") == "conservative" and not limits_users(policy)
    held: list[Held] = []
    own: Overtaking | None = None
    reasons: dict[int, Reason] = {}
    if conservative and start > submit:
        first = promised(workload, schedule, policy, job["job"], submit)
        held = [Held(submit, start, first, start)]
        for number in overtook[:SHOWN]:
            at = scene.start_of(number)
            reasons[number] = Reason("plan", job["job"], promised(workload, schedule, policy, job["job"], at))
        own = overtaking_of(scene, job["job"], Reason("reserved"))
    elif is_retold(policy):
        shown = overtook[: MOST if scene.holders < 2 else SHOWN]
        made = {at: scene.make_pass(at).starts for at in {start, *(scene.start_of(number) for number in shown)}}
        every = {number: made[scene.start_of(number)].get(number) for number in shown}
        reasons = {number: reason for number, reason in every.items() if reason}
        if reason := made[start].get(job["job"]):
            own = overtaking_of(scene, job["job"], reason)
        for first, last in held_from(scene, job["job"], dict(still)) if scene.holders else ():
            times = [scene.make_pass(at).reservations.get(job["job"], at) for at in (first, last)]
            held.append(Held(first, last, *times))
    return {
        "order": "credited" if scene.order == "fcfs" and scene.credit.any() else scene.order,
        "retold": conservative or is_retold(policy),
        "overtakings": [overtaking_of(scene, number, reason) for number, reason in reasons.items()],
        "own": own,
        "held": held,
        "standstills": still,
        "credit_us": job.get("credit_us", 0),
    }


def overtaking_of(scene: Scene, number: int, reason: Reason) -> Overtaking:
    """Return the overtaking of a job by its number."""
    row = scene.row(number)
    begin = int(scene.start[row])
    return Overtaking(number, begin, begin + scene.tested(row), int(scene.size[row]), reason)


def standstills_within(workload: Workload, submit: int, start: int) -> list[tuple[int, int]]:
    """Return begin and end of each standstill of a workload that lasted during a wait."""
    table = workload.companions.get("standstills")
    rows = [] if table is None else table.select("begin_us", "end_us").rows()
    return [(begin, end) for begin, end in rows if begin < start and end > submit]


def promised(workload: Workload, schedule: Schedule, policy: Policy, number: int, now: int) -> int:
    """Return the begin of a job's reservation in the plan of conservative backfilling at an instant.

    Reservations move only when jobs end early. So it is the start of the job if no further job is submitted, and all jobs that
    run or wait take as long as the plan counts on.
    """
    jobs = workload.jobs
    if words_of(policy).get("plan_by") != "runtime":
        later = jobs.select("job").join(
            schedule.jobs.select("job", "finish_us"), on="job", how="left", maintain_order="left"
        )
        goes_on = (later["finish_us"] > now).fill_null(True)
        longer = pl.when(goes_on).then(pl.max_horizontal("runtime_us", "estimate_us")).otherwise("runtime_us")
        jobs = jobs.with_columns(runtime_us=longer)
    known = workload.transformed(jobs.filter(pl.col("submit_us") <= now), {"step": "explained"})
    return int(simulate(known, policy).jobs.filter(pl.col("job") == number)["start_us"][0])


def row_of(schedule: Schedule, number: int) -> dict[str, Any]:
    """Return the row of a job that started."""
    found = schedule.jobs.with_row_index("place").filter(pl.col("job") == number)
    if found.is_empty():
        numbers = schedule.jobs["job"].sort()
        known = (
            f"its {len(numbers):,} jobs are numbered {numbers[0]} to {numbers[-1]}" if len(numbers) else "it has none"
        )
        raise ContractError(f"the run has no job {number}; {known}")
    row = found.row(0, named=True)
    if row["start_us"] is None:
        raise ContractError(f"job {number} never started: it is {row['outcome']}")
    return row


def fitting_of(others: pl.DataFrame, job: dict[str, Any], processors: int) -> tuple[int, int | None]:
    """Return how long a job waited although it would have fitted, and when that was first so."""
    submit, start = job["submit_us"], job["start_us"]
    near = others.filter((pl.col("start_us") < start) & (pl.col("finish_us") > submit))
    changes = pl.concat(
        [
            near.select(at=pl.col("start_us").clip(submit), change=pl.col("processors").cast(pl.Int64)),
            near.filter(pl.col("finish_us") < start).select(
                at="finish_us", change=-pl.col("processors").cast(pl.Int64)
            ),
            pl.DataFrame({"at": [submit], "change": [0]}, schema={"at": pl.Int64, "change": pl.Int64}),
        ]
    )
    steps = changes.group_by("at").agg(pl.col("change").sum()).sort("at").with_columns(used=pl.col("change").cum_sum())
    fits = steps.with_columns(until=pl.col("at").shift(-1, fill_value=start)).filter(
        (processors - pl.col("used") >= job["size"]) & (pl.col("until") > pl.col("at"))
    )
    return int((fits["until"] - fits["at"]).sum()), fits["at"].first() if fits.height else None  # type: ignore[return-value]


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
        changes[f"it asked for {half} processors"] = {
            "size": pl.when(this).then(pl.lit(half, pl.Int32)).otherwise("size")
        }
    found = []
    for words, columns in changes.items():
        changed = workload.transformed(workload.jobs.with_columns(**columns), {"step": "explained"})
        again = simulate(changed, policy).jobs.filter(this)["start_us"]
        found.append(Alternative(words, again[0]))
    return found
