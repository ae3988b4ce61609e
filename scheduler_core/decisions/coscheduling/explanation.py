"""Why a job under coscheduling started when it did: from its schedule, its pairs and its offers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import polars as pl

from scheduler_core.common.units import MICROSECONDS, seconds_to_us
from scheduler_core.decisions.alternatives import lacking, tried
from scheduler_core.decisions.causes import UNTOLD, Step, causes_of, pieces
from scheduler_core.decisions.coscheduling.explained import CoschedulingExplanation, Offered, Pairing, Passed, Tested
from scheduler_core.decisions.coscheduling.sharing import TESTS, alone_within, failed_tests, holdings_of, sharings_of
from scheduler_core.decisions.space_sharing.passes import Scene
from scheduler_core.decisions.waits import counts_of, facts_of, fitting, others_of
from scheduler_core.declarations.policy import rebuild

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.coscheduling.facts import CoschedulingFacts
    from scheduler_core.coscheduling.policies.lomarc import Lomarc


def explanation_of(
    workload: Workload, schedule: Schedule, job: dict[str, Any], *, alternatives: bool
) -> CoschedulingExplanation:
    """Return why a job started when it did; ``job`` is its row (:func:`~scheduler_core.decisions.waits.row_of`)."""
    submit, start, number = job["submit_us"], job["start_us"], job["job"]
    policy = cast("Lomarc", rebuild(schedule.run["policy"]))
    facts: CoschedulingFacts = policy.facts()
    holdings = holdings_of(schedule.jobs, schedule.allocations)
    others = holdings.filter(pl.col("job") != number)
    common = facts_of(schedule, job, others_of(schedule, job))
    at, used = used_of(others, schedule.machine.processors, submit, start, by_jobs=facts.shares)
    room = facts.jobs_at_once - 1 if facts.shares else schedule.machine.processors - job["size"]
    first = schedule.allocations.filter(pl.col("job") == number).row(0, named=True)
    tested = facts.matches is not None and not lacking(workload, schedule)
    free = [
        schedule.machine.processors - int(used_of(others, schedule.machine.processors, edge, edge + 1)[1][0])
        for edge in (submit, start)
    ]
    alone = alone_of(workload, schedule, job, facts, others) if tested and start > submit else []
    again = tried(workload, schedule, job, alternatives)
    values = policy.values()
    if values.get("profit") == "response" and values["future"] != "none" and values["future_from"] == "workload":
        # The policy knows the means of all jobs, so that a run without the later ones is not by what it knew.
        again.pop("foreseen_us", None)
    return CoschedulingExplanation(
        **common,
        **fitting(at, np.append(at, start)[1:], used <= room),
        **again,
        causes=causes_of(steps_of_wait(schedule, policy, job, at, used <= room)),
        free_at_submission=free[0],
        free_at_start=free[1],
        shares=facts.shares,
        at_once=facts.jobs_at_once,
        tested=tested,
        alone=alone,
        pairs=pairs_of(workload, schedule, job) if tested else [],
        pairing=pairing_of(schedule, job),
        joined=joined_of(schedule, common["overtook"]),
        sharings=sharings_of(holdings, number),
        offers=[
            Offered(row["start_us"], row["share_ppm"] / MICROSECONDS, row["taken"])
            for row in schedule.tables["offers"].filter(pl.col("job") == number).to_dicts()
        ],
        share=first["share_ppm"] / MICROSECONDS,
        slowdown=first["slowdown_ppm"] / MICROSECONDS,
    )


def steps_of_wait(
    schedule: Schedule, policy: Lomarc, job: dict[str, Any], at: np.ndarray, fits: np.ndarray
) -> Iterator[Step]:
    """Yield the wait of a job in steps, each with the rule that kept it from starting; ``fits`` tells of steps from ``at`` on."""
    scene, facts = Scene(schedule, policy), policy.facts()
    own = scene.row(job["job"])
    for begin, end in pieces([*at, *scene.submit], job["submit_us"], job["start_us"]):
        head = None
        if not fits[np.searchsorted(at, begin, side="right") - 1]:
            rule = "at_once" if facts.shares else "unpaired" if facts.matches else "alone"
        elif facts.shares:
            rule = "beside"
        else:
            waiting = np.flatnonzero((scene.submit <= begin) & (scene.start > begin))
            first = scene.sorted(waiting, "priority", begin)[0]
            rule, head = (UNTOLD, None) if first == own else ("reservation", int(scene.job[first]))
        yield Step(begin, end, rule, head)


def used_of(
    holdings: pl.DataFrame, processors: int, low: int, high: int, *, by_jobs: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Return when steps begin from ``low`` until ``high``, and how many processors, or with ``by_jobs`` jobs, are in use."""
    near = holdings.filter((pl.col("begin_us") < high) & (pl.col("end_us") > low))
    at = np.unique(np.concatenate([[low], near["begin_us"].to_numpy(), near["end_us"].to_numpy()]))
    at = at[(at >= low) & (at < high)]
    if by_jobs:
        begin, end = near["begin_us"].to_numpy(), near["end_us"].to_numpy()
        return at, ((begin <= at[:, None]) & (end > at[:, None])).sum(axis=1)
    return at, (counts_of(near, at, range(processors)) > 0).sum(axis=1)


def alone_of(
    workload: Workload, schedule: Schedule, job: dict[str, Any], facts: CoschedulingFacts, others: pl.DataFrame
) -> list[Tested]:
    """Return the jobs that the job might have joined during its wait, each with the test that the pair fails."""
    parameters = schedule.run["policy"]["parameters"]
    short = job["estimate_us"] <= seconds_to_us(parameters["short_limit_s"])
    if facts.matches is None or not facts.matches.running or (short and facts.matches.filters):
        return []
    found = alone_within(others, job["submit_us"], job["start_us"])
    joining = [job["job"]] * len(found)
    failed = failed_tests(schedule.jobs, workload.companions, schedule, found, joining, holder_looked_at=True)
    return [Tested(one, test) for one, test in zip(found, failed, strict=True)]


def pairs_of(workload: Workload, schedule: Schedule, job: dict[str, Any]) -> list[Passed]:
    """Return the pairs whose partner was found among the waiting jobs while the job waited."""
    number, begin = job["job"], pl.col("begin_us")
    rows = schedule.tables["matches"].filter(
        (begin >= job["submit_us"]) & (begin < job["start_us"]) & (pl.col("among").cast(pl.String) == "waiting")
    )
    holders, instead = rows["job"].to_list(), [number] * rows.height
    failed = failed_tests(schedule.jobs, workload.companions, schedule, holders, instead, holder_looked_at=False)
    pairs = rows.select("begin_us", "job", "partner").iter_rows()
    return [Passed(at, holder, partner, test) for (at, holder, partner), test in zip(pairs, failed, strict=True)]


def pairing_of(schedule: Schedule, job: dict[str, Any]) -> Pairing | None:
    """Return the pair with which a job started; None if it started alone."""
    number = job["job"]
    mine = (pl.col("job") == number) | ((pl.col("partner") == number) & (pl.col("among").cast(pl.String) == "waiting"))
    rows = schedule.tables["matches"].filter(mine & (pl.col("begin_us") == job["start_us"]))
    if rows.is_empty():
        return None
    row = rows.row(0, named=True)
    searched = row["job"] == number
    return Pairing(
        row["partner"] if searched else row["job"],
        searched,
        row["among"],
        row["backfilling"],
        [row["looked_at"], *(row[name] for name in TESTS)],
        row["rank"],
        row["profit"],
        row["slowdown_ppm"] / MICROSECONDS,
    )


def joined_of(schedule: Schedule, jobs: list[int]) -> dict[int, int]:
    """Return with whom jobs started in a pair, by job."""
    rows = {row["job"]: row for row in schedule.jobs.filter(pl.col("job").is_in(jobs)).to_dicts()}
    pairs = {number: pairing_of(schedule, rows[number]) for number in jobs}
    return {number: pair.other for number, pair in pairs.items() if pair}
