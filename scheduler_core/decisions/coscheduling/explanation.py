"""Why a job under coscheduling started when it did: from its schedule, its pairs and its offers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import polars as pl

from scheduler_core.checker.coscheduling.slowdown import Behaviour
from scheduler_core.common.units import MICROSECONDS, seconds_to_us
from scheduler_core.decisions.alternatives import lacking, tried
from scheduler_core.decisions.causes import UNTOLD, Step, causes_of, pieces
from scheduler_core.decisions.coscheduling.explained import CoschedulingExplanation, Offered, Pairing, Passed, Tested
from scheduler_core.decisions.coscheduling.sharing import TESTS, alone_stretches, failed_tests, holdings_of, sharings_of
from scheduler_core.decisions.space_sharing.passes import Scene
from scheduler_core.decisions.waits import counts_of, facts_of, fitting, others_of

if TYPE_CHECKING:
    from scheduler_core.coscheduling.facts import CoschedulingFacts
    from scheduler_core.coscheduling.policies.lomarc import Lomarc
    from scheduler_core.decisions.history import History


def scene_of(history: History) -> Scene:
    """Return the jobs, by which the state at any instant is read."""
    return Scene(history.schedule, history.policy)


def holdings_in(history: History) -> pl.DataFrame:
    """Return which processors each job holds from start to finish."""
    return holdings_of(history.schedule.jobs, history.schedule.allocations)


def head_at(history: History, now: int) -> int:
    """Return the job that is the head of the queue after an instant at which a job waits."""
    scene = history.once(scene_of)
    waiting = np.flatnonzero((scene.submit <= now) & (scene.start > now))
    return int(scene.job[scene.sorted(waiting, "priority", now)[0]])


def alone_in(history: History, number: int) -> list[tuple[int, int]]:
    """Return begin and end of each stretch in which a job holds its processors alone."""
    return alone_stretches(history.once(holdings_in), history.once(numbers_in), number)


def numbers_in(history: History) -> list[set[int]]:
    """Return the processors of each of the holdings."""
    return [set(numbers) for numbers in history.once(holdings_in)["processor_ids"].to_list()]


def alone_within(history: History, low: int, high: int) -> list[int]:
    """Return the jobs that held their processors alone for some time from ``low`` until ``high``."""
    near = history.once(holdings_in).filter((pl.col("begin_us") < high) & (pl.col("end_us") > low))["job"].to_list()
    return [job for job in near if any(begin < high and end > low for begin, end in history.once(alone_in, job))]


def behaviour_in(history: History) -> Behaviour:
    """Return the behaviour of the jobs, by which pairs are tested."""
    schedule = history.schedule
    parameters = schedule.run["policy"]["parameters"]
    return Behaviour(schedule.jobs, history.workload.companions, schedule.machine, parameters)


def facts_of_policy(history: History) -> CoschedulingFacts:
    """Return what the policy's parameters mean."""
    return cast("Lomarc", history.policy).facts()


def explanation_of(history: History, job: dict[str, Any], *, alternatives: bool) -> CoschedulingExplanation:
    """Return why a job started when it did; ``job`` is its row (:func:`~scheduler_core.decisions.waits.row_of`)."""
    submit, start, number, schedule = job["submit_us"], job["start_us"], job["job"], history.schedule
    facts, holdings = history.once(facts_of_policy), history.once(holdings_in)
    others = holdings.filter(pl.col("job") != number)
    common = facts_of(schedule, job, others_of(history, job))
    at, used = used_of(others, schedule.machine.processors, submit, start, by_jobs=facts.shares)
    room = facts.jobs_at_once - 1 if facts.shares else schedule.machine.processors - job["size"]
    first = schedule.allocations.filter(pl.col("job") == number).row(0, named=True)
    tested = facts.matches is not None and not lacking(history.workload, schedule)
    free = [
        schedule.machine.processors - int(used_of(others, schedule.machine.processors, edge, edge + 1)[1][0])
        for edge in (submit, start)
    ]
    alone = alone_of(history, job, facts) if tested and start > submit else []
    again = tried(history.workload, schedule, job, alternatives)
    values = history.values
    if values.get("profit") == "response" and values["future"] != "none" and values["future_from"] == "workload":
        # The policy knows the means of all jobs, so that a run without the later ones is not by what it knew.
        again.pop("foreseen_us", None)
    return CoschedulingExplanation(
        **common,
        **fitting(at, np.append(at, start)[1:], used <= room),
        **again,
        causes=causes_of(steps_of_wait(history, job, at, used <= room)),
        free_at_submission=free[0],
        free_at_start=free[1],
        shares=facts.shares,
        at_once=facts.jobs_at_once,
        tested=tested,
        alone=alone,
        pairs=pairs_of(history, job) if tested else [],
        pairing=pairing_of(history, number, start),
        joined=joined_of(history, common["overtook"]),
        sharings=sharings_of(holdings, history.once(numbers_in), number),
        offers=[
            Offered(row["start_us"], row["share_ppm"] / MICROSECONDS, row["taken"])
            for row in schedule.tables["offers"].filter(pl.col("job") == number).to_dicts()
        ],
        share=first["share_ppm"] / MICROSECONDS,
        slowdown=first["slowdown_ppm"] / MICROSECONDS,
    )


def steps_of_wait(history: History, job: dict[str, Any], at: np.ndarray, fits: np.ndarray) -> Iterator[Step]:
    """Yield the wait of a job in steps, each with the rule that kept it from starting; ``fits`` tells of steps from ``at`` on."""
    scene, facts = history.once(scene_of), history.once(facts_of_policy)
    for begin, end in pieces(np.concatenate([at, scene.submit]), job["submit_us"], job["start_us"]):
        head = None
        if not fits[np.searchsorted(at, begin, side="right") - 1]:
            rule = "at_once" if facts.shares else "unpaired" if facts.matches else "alone"
        elif facts.shares:
            rule = "beside"
        else:
            first = history.once(head_at, begin)
            rule, head = (UNTOLD, None) if first == job["job"] else ("reservation", first)
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


def alone_of(history: History, job: dict[str, Any], facts: CoschedulingFacts) -> list[Tested]:
    """Return the jobs that the job might have joined during its wait, each with the test that the pair fails."""
    short = job["estimate_us"] <= seconds_to_us(history.values["short_limit_s"])
    if facts.matches is None or not facts.matches.running or (short and facts.matches.filters):
        return []
    found = alone_within(history, job["submit_us"], job["start_us"])
    joining = [job["job"]] * len(found)
    failed = failed_tests(history.once(behaviour_in), found, joining, holder_looked_at=True)
    return [Tested(one, test) for one, test in zip(found, failed, strict=True)]


def pairs_of(history: History, job: dict[str, Any]) -> list[Passed]:
    """Return the pairs whose partner was found among the waiting jobs while the job waited."""
    number, begin = job["job"], pl.col("begin_us")
    rows = history.schedule.tables["matches"].filter(
        (begin >= job["submit_us"]) & (begin < job["start_us"]) & (pl.col("among").cast(pl.String) == "waiting")
    )
    holders, instead = rows["job"].to_list(), [number] * rows.height
    failed = failed_tests(history.once(behaviour_in), holders, instead, holder_looked_at=False)
    pairs = rows.select("begin_us", "job", "partner").iter_rows()
    return [Passed(at, holder, partner, test) for (at, holder, partner), test in zip(pairs, failed, strict=True)]


def matches_by_job(history: History) -> dict[tuple[int, int], dict[str, Any]]:
    """Return the first pair that each job was in at each instant at which it started, as rows of ``matches``."""
    found: dict[tuple[int, int], dict[str, Any]] = {}
    for row in history.schedule.tables["matches"].iter_rows(named=True):
        for number in (row["job"], row["partner"]) if row["among"] == "waiting" else (row["job"],):
            found.setdefault((number, row["begin_us"]), row)
    return found


def pairing_of(history: History, number: int, start: int) -> Pairing | None:
    """Return the pair with which a job started; None if it started alone."""
    row = history.once(matches_by_job).get((number, start))
    if row is None:
        return None
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


def joined_of(history: History, jobs: list[int]) -> dict[int, int]:
    """Return with whom jobs started in a pair, by job."""
    scene = history.once(scene_of)
    pairs = {number: pairing_of(history, number, scene.start_of(number)) for number in jobs}
    return {number: pair.other for number, pair in pairs.items() if pair}
