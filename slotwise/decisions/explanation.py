"""Why a job of space sharing started when it did: from its schedule, and by running the policy again on changed jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from scheduler_core.common.errors import ContractError
from scheduler_core.declarations.policy import rebuild
from scheduler_core.runs.simulation import simulate
from slotwise.decisions.explained import Alternative, Explanation

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload


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
    )


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
