"""Why a job under coscheduling started when it did: from its schedule, its pairs and its offers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from scheduler_core.checker.coscheduling.slowdown import Behaviour
from scheduler_core.common.units import MICROSECONDS, seconds_to_us
from scheduler_core.decisions.alternatives import lacking, tried
from scheduler_core.decisions.causes import UNTOLD, Step, causes_of, pieces, runs_of
from scheduler_core.decisions.coscheduling.explained import CoschedulingExplanation, Offered, Pairing, Passed, Tested
from scheduler_core.decisions.coscheduling.sharing import TESTS, alone_stretches, failed_tests, holdings_of, sharings_of
from scheduler_core.decisions.space_sharing.passes import Scene
from scheduler_core.decisions.waits import Holdings, facts_of, fitting, met_by

if TYPE_CHECKING:
    from scheduler_core.coscheduling.facts import CoschedulingFacts
    from scheduler_core.decisions.history import History


CHUNK = 4096
"""Steps whose processors are counted together."""


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


def explanation_of(history: History, job: dict[str, Any], *, alternatives: bool) -> CoschedulingExplanation:
    """Return why a job started when it did; ``job`` is its row (:func:`~scheduler_core.decisions.waits.row_of`)."""
    submit, start, number, schedule = job["submit_us"], job["start_us"], job["job"], history.schedule
    facts, holdings, processors = history.facts, history.once(holdings_in), schedule.machine.processors
    common = facts_of(schedule, job, met_by(history, job))
    at, used = history.once(timeline_of)
    first, end = np.searchsorted(at, submit, side="right") - 1, np.searchsorted(at, start)
    at, used = (np.append(submit, at[first + 1 : end]), used[first:end]) if start > submit else (at[:0], used[:0])
    room = facts.jobs_at_once - 1 if facts.shares else processors - job["size"]
    own = history.once(first_allocations)[number]
    tested = facts.matches is not None and not history.once(lacks_tables)
    free = [processors - held_beside(history, number, edge) for edge in (submit, start)]
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
            for row in history.once(offers_by_job).get(number, [])
        ],
        share=own["share_ppm"] / MICROSECONDS,
        slowdown=own["slowdown_ppm"] / MICROSECONDS,
    )


def steps_of_wait(history: History, job: dict[str, Any], at: np.ndarray, fits: np.ndarray) -> Iterator[Step]:
    """Yield the wait of a job in steps, each with the rule that kept it from starting; ``fits`` tells of steps from ``at`` on."""
    scene, facts = history.once(scene_of), history.facts
    no_room = "at_once" if facts.shares else "unpaired" if facts.matches else "alone"
    edges = np.append(at, job["start_us"])
    for first, last in runs_of(fits):
        begin, end = int(edges[first]), int(edges[last])
        if not fits[first] or facts.shares:
            yield Step(begin, end, "beside" if fits[first] else no_room)
            continue
        for low, high in pieces(np.concatenate([at, scene.submit]), begin, end):
            head = history.once(head_at, low)
            yield Step(low, high, UNTOLD) if head == job["job"] else Step(low, high, "reservation", head)


def used_of(
    holdings: pl.DataFrame, processors: int, low: int, high: int, *, by_jobs: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Return when steps begin from ``low`` until ``high``, and how many processors, or with ``by_jobs`` jobs, are in use."""
    near = Holdings(holdings.filter((pl.col("begin_us") < high) & (pl.col("end_us") > low)))
    at = near.edges(low, high)
    if by_jobs:
        return at, ((near.begin <= at[:, None]) & (near.end > at[:, None])).sum(axis=1)
    return at, (near.counts(np.arange(len(near.job)), at, range(processors)) > 0).sum(axis=1)


def timeline_of(history: History) -> tuple[np.ndarray, np.ndarray]:
    """Return when steps of the schedule begin, and how many processors, or where jobs request shares jobs, are in use in each."""
    holdings, by_jobs = history.once(holdings_in), history.facts.shares
    processors = history.schedule.machine.processors
    edges = np.unique(np.concatenate([holdings["begin_us"].to_numpy(), holdings["end_us"].to_numpy()]))
    low = min(int(edges[0]), int(history.schedule.jobs["submit_us"].min())) - 1  # type: ignore[arg-type]
    bounds = [low, *edges[CHUNK::CHUNK].tolist(), int(edges[-1]) + 1]
    parts = [used_of(holdings, processors, *part, by_jobs=by_jobs) for part in pairwise(bounds)]
    return np.concatenate([at for at, _ in parts]), np.concatenate([used for _, used in parts])


def edges_in(history: History) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return job, begin and end of each of the holdings."""
    holdings = history.once(holdings_in)
    return holdings["job"].to_numpy(), holdings["begin_us"].to_numpy(), holdings["end_us"].to_numpy()


def held_beside(history: History, number: int, now: int) -> int:
    """Return how many processors other jobs than one hold at an instant."""
    jobs, begins, ends = history.once(edges_in)
    there = np.flatnonzero((begins <= now) & (ends > now) & (jobs != number))
    numbers = history.once(numbers_in)
    return len(set[int]().union(*(numbers[row] for row in there)))


def first_allocations(history: History) -> dict[int, dict[str, Any]]:
    """Return the share and the slowdown of the first allocation of each job."""
    first = history.schedule.allocations.unique("job", keep="first", maintain_order=True)
    return {row["job"]: row for row in first.select("job", "share_ppm", "slowdown_ppm").iter_rows(named=True)}


def lacks_tables(history: History) -> bool:
    """Return whether the workload lacks companion tables that the policy reads."""
    return bool(lacking(history.workload, history.schedule))


def offers_by_job(history: History) -> dict[int, list[dict[str, Any]]]:
    """Return the offers that each job got."""
    found: dict[int, list[dict[str, Any]]] = {}
    for row in history.schedule.tables["offers"].iter_rows(named=True):
        found.setdefault(row["job"], []).append(row)
    return found


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
    number, (at, every_holder, every_partner) = job["job"], history.once(pairs_among_waiting)
    rows = slice(*np.searchsorted(at, [job["submit_us"], job["start_us"]]))
    holders = every_holder[rows].tolist()
    if not holders:
        return []
    instead = [number] * len(holders)
    failed = failed_tests(history.once(behaviour_in), holders, instead, holder_looked_at=False)
    pairs = zip(at[rows].tolist(), holders, every_partner[rows].tolist(), failed, strict=True)
    return [Passed(*pair) for pair in pairs]


def pairs_among_waiting(history: History) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the pairs whose partner was found among the waiting jobs, in order of time: instant, holder, partner."""
    rows = history.schedule.tables["matches"].filter(pl.col("among").cast(pl.String) == "waiting")
    at, holders, partners = (rows[name].to_numpy() for name in ("begin_us", "job", "partner"))
    order = np.argsort(at, kind="stable")
    return at[order], holders[order], partners[order]


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
