"""Why a job under coscheduling started when it did, counted from the oracles' schedules."""

from collections import Counter
from itertools import permutations

import pytest

from scheduler_core.decisions.coscheduling.explanation import behaviour_in
from scheduler_core.decisions.coscheduling.sharing import TESTS, failed_tests
from scheduler_core.decisions.explanation import explain
from scheduler_core.decisions.history import History
from scheduler_core.runs.simulation import simulate
from tests.oracles.coscheduling.lomarc import Lomarc
from tests.oracles.coscheduling.machine import Machine
from tests.oracles.coscheduling.search import Search
from tests.oracles.coscheduling.slowdown import Slowdowns
from tests.scheduler_core.all_subjects import seeded
from tests.scheduler_core.coscheduling.subjects import SUBJECTS
from tests.scheduler_core.decisions.counting import assert_counted, assert_queue, pieces

SHARES = {"shares", "fillers", "reservations", "measured"}
"""Subjects in which jobs request shares."""


@pytest.mark.parametrize("name", SUBJECTS)
def test_what_is_told_is_what_a_count_of_the_oracles_schedule_finds(name):
    seen = Counter()
    for seed in range(5):
        case, oracle = seeded(f"coscheduling-{name}", seed)
        schedule = simulate(case.workload, case.policy)
        numbers = {job.job: place for place, job in enumerate(case.jobs)}
        times = {numbers[job]: one[:2] for job, one in oracle.jobs.items() if one is not None}
        holds = {job: (*times[numbers[job]], next(set(row.processors) for row in oracle.rows if row.job == job))
                 for job, one in oracle.jobs.items() if one is not None}  # fmt: skip
        edges = [edge for begin, end, _ in holds.values() for edge in (begin, end)]
        for own, (start, finish) in times.items():
            job = case.jobs[own]
            found = explain(case.workload, schedule, job.job, alternatives=False)
            assert_queue(found, case.jobs, times, own)
            fits, alone = [], set()
            for begin, end in pieces(edges, job.submit, start):
                there = {one: held[2] for one, held in holds.items() if one != job.job and held[0] <= begin < held[1]}
                used = set().union(*there.values())
                room = len(there) < case.policy.at_once if name in SHARES else case.processors - len(used) >= job.size
                if room:
                    fits.append((begin, end))
                alone |= {one for one in there if not any(there[one] & there[other] for other in there if other != one)}
            assert_counted(found, fits)
            beside = {
                (other, max(begin, start), min(end, finish))
                for other, (begin, end, held) in holds.items()
                if other != job.job and begin < finish and end > start and held & holds[job.job][2]
            }
            assert {(one.job, one.begin_us, one.end_us) for one in found.sharings} == beside
            if found.alone:
                assert {one.job for one in found.alone} == alone
            formed = [one for one in oracle.matches if one.begin == start and job.job in (one.job, one.partner)]
            formed = [one for one in formed if one.job == job.job or one.among == "waiting"]
            assert (found.pairing is None) == (not formed)
            if formed:
                assert found.pairing.left == list(formed[0][5:11])
                assert found.pairing.other == ({formed[0].job, formed[0].partner} - {job.job}).pop()
            seen.update(fits=bool(fits), beside=bool(beside), alone=bool(found.alone), paired=bool(formed))
            seen.update(offers=bool(found.offers), pairs=bool(found.pairs))
            assert str(found)
    assert seen["fits"] or name in SHARES
    assert seen["beside"]
    assert name in SHARES or (seen["alone"] and seen["paired"] and seen["pairs"])
    assert name != "reservations" or seen["offers"]


@pytest.mark.parametrize("name", sorted(set(SUBJECTS) - SHARES))
def test_the_test_that_says_no_is_the_oracles(name):
    told = Counter()
    for seed in range(8):
        case, _ = seeded(f"coscheduling-{name}", seed)
        if case.policy.match == "none":
            continue
        schedule = simulate(case.workload, case.policy)
        state = Lomarc(
            case.policy, Machine(case.processors), Slowdowns(case.policy, case.memory, case.slowdowns), list(case.jobs)
        )
        search = Search(state, lambda job: True, False)
        pairs = list(permutations(case.jobs, 2))
        behaviour = behaviour_in(History(case.workload, schedule))
        for holder_looked_at in (True, False):
            failed = failed_tests(
                behaviour,
                *([one.job for one in side] for side in zip(*pairs, strict=True)),
                holder_looked_at=holder_looked_at,
            ) if pairs else []  # fmt: skip
            for (holder, partner), test in zip(pairs, failed, strict=True):
                passed = search.tests(holder if holder_looked_at else partner, holder, partner)
                assert test == (TESTS[passed.index(False)] if False in passed else "")
                told[test] += 1
    assert set(told) >= {"", "medium_long", "size_fits", "types_match"}


def test_the_behaviour_of_jobs_is_asked_for_where_the_workload_lacks_it():
    """A run keeps no companion tables, without which no pair can be tested and the policy cannot run again."""
    drawn = (seeded("coscheduling-filters", seed) for seed in range(20))
    case, waited = next(
        (case, job)
        for case, oracle in drawn
        for job in case.jobs
        if case.policy.companions == ("behaviour",) and oracle.jobs[job.job] and oracle.jobs[job.job][0] > job.submit
    )
    schedule = simulate(case.workload, case.policy)
    bare = case.workload.__class__(case.workload.jobs, case.workload.machine, {})
    found = explain(bare, schedule, waited.job)
    assert (found.tested, found.alternatives, found.lacking) == (False, [], ["behaviour"])
    assert "that needs the table behaviour of the workload (--log WORKLOAD)" in str(found)
    whole = explain(case.workload, schedule, waited.job)
    assert whole.alternatives
    knows_later_jobs = case.policy.profit == "response" and case.policy.future != "none"
    assert (whole.foreseen_us is None) == (knows_later_jobs and case.policy.future_from == "workload")
