"""Coscheduling: its oracles, and how a schedule is compared with theirs and with what was worked out by hand."""

from dataclasses import dataclass, field
from typing import Any

import polars as pl

from scheduler_core.contracts import Schedule
from scheduler_core.coscheduling.family import FAMILY
from tests.oracles.coscheduling.lomarc import Match
from tests.oracles.coscheduling.machine import Row
from tests.oracles.coscheduling.offers import Offer
from tests.oracles.coscheduling.oracle import Result, simulate_lomarc, simulate_shares
from tests.scheduler_core.examples import Case
from tests.scheduler_core.scenario import Times, us
from tests.scheduler_core.subjects import Ways

ELSEWHERE: frozenset[str] = frozenset()
"""Policies and parameters that need not be shown by a scenario: there are none."""

Stretch = tuple[Any, ...]
"""A row of allocations: begin and end in seconds, processors as digits; then place, share and slowdown unless 0, 1 and 1."""


def by_oracle(case: Case) -> Result:
    """Let the oracle of the policy schedule an example."""
    if case.policy.name == "scojo_shares":
        return simulate_shares(case.policy, case.jobs, case.processors, case.slowdowns)
    return simulate_lomarc(case.policy, case.jobs, case.processors, case.memory, case.slowdowns)


def in_form(case: Case, schedule: Schedule) -> Result:
    """Put an engine's schedule into the oracle's form."""
    for name, table in schedule.tables.items():
        assert table.schema == pl.Schema(FAMILY.tables[name].columns)
    held = schedule.allocations
    assert held.select((pl.col("rate") == pl.col("share_ppm") / pl.col("slowdown_ppm")).all()).item() or not held.height
    assert (held["processors"] == held["processor_ids"].list.len()).all()
    columns = ("job", "begin_us", "end_us", "slot", "processor_ids", "share_ppm", "slowdown_ppm", "work_us")
    rows = [Row(*row[:4], tuple(row[4]), *row[5:]) for row in held.select(columns).rows()]
    jobs = {
        job: None if outcome == "rejected" else (start, finish, preemptions)
        for job, start, finish, preemptions, outcome in schedule.jobs.select(
            "job", "start_us", "finish_us", "preemptions", "outcome"
        ).rows()
    }
    matches = [Match(*row) for row in schedule.tables["matches"].rows()]
    offers = [Offer(*row) for row in schedule.tables["offers"].rows()]
    return Result(jobs, sorted(rows), matches, offers, dict(schedule.run["counters"]))


WAYS = Ways(by_oracle, in_form)


def times(found: Result) -> Times:
    """Return start and finish of each job."""
    return {job: ran and ran[:2] for job, ran in found.jobs.items()}


@dataclass(frozen=True)
class Worked:
    """What was worked out by hand, times in seconds; what is None was not.

    ``times`` are start and finish of every job, None for a rejected one; ``held`` the rows of some jobs; ``pairs`` the first that
    were formed: (time, job searched for, partner, where it was found); of these in order ``profits``, to six decimals,
    ``survivors``, how many were looked at and were left after each test, and ``ranks``, the partner's place among the last of
    these; ``offers`` all that were made; ``counters`` some of them.
    """

    times: tuple[tuple[float, float] | None, ...] | None = None
    held: dict[int, tuple[Stretch, ...]] = field(default_factory=dict)
    pairs: tuple[tuple[float, int, int, str], ...] | None = None
    profits: tuple[float, ...] = ()
    survivors: tuple[tuple[int, ...], ...] = ()
    ranks: tuple[int, ...] = ()
    offers: tuple[Stretch, ...] | None = None
    counters: dict[str, int] = field(default_factory=dict)


def assert_worked(case: Case, found: Result, worked: Worked) -> None:
    """Hold a schedule against what was worked out by hand."""
    if worked.times is not None:
        expected = [ran and (us(ran[0]), us(ran[1])) for ran in worked.times]
        assert [times(found)[job.job] for job in case.jobs] == expected
    for job, stretches in worked.held.items():
        rows = [stretch_of(*stretch) for stretch in stretches]
        assert [tuple(row[1:-1]) for row in found.rows if row.job == job] == rows
    if worked.pairs is not None:
        formed = [(m.begin, m.job, m.partner, m.among) for m in found.matches]
        expected_pairs = [(us(time), *pair) for time, *pair in worked.pairs]
        assert formed[: len(worked.pairs) or None] == expected_pairs
    assert [round(m.profit, 6) for m in found.matches[: len(worked.profits)]] == list(worked.profits)
    assert tuple(tuple(m[5:11]) for m in found.matches[: len(worked.survivors)]) == worked.survivors
    assert tuple(m.rank for m in found.matches[: len(worked.ranks)]) == worked.ranks
    if worked.offers is not None:
        assert found.offers == [offer_of(*offer) for offer in worked.offers]
    assert {name: found.counters[name] for name in worked.counters} == worked.counters


def offer_of(job: int, number: int, made: float, start: float, share: float, slowdown: float, taken: str) -> Offer:
    """Return a row of offers."""
    return Offer(job, number, us(made), us(start), us(share), us(slowdown), taken)


def stretch_of(
    begin: float, end: float, processors: str, slot: int = 0, share: float = 1, slowdown: float = 1
) -> tuple[Any, ...]:
    """Return a row of allocations without its job and its work."""
    return (us(begin), us(end), slot, tuple(map(int, processors)), us(share), us(slowdown))
