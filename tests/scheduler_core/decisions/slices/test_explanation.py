"""Why a job in slices of classes started when it did, counted from the oracle's schedules."""

from collections import Counter
from dataclasses import replace

import pytest

from scheduler_core.decisions.alternatives import foreseen
from scheduler_core.decisions.explanation import explain
from scheduler_core.decisions.waits import row_of
from scheduler_core.runs.simulation import simulate
from tests.oracles.slices.oracle import simulate as by_oracle
from tests.scheduler_core.all_subjects import seeded
from tests.scheduler_core.decisions.counting import assert_counted, assert_queue, pieces, whole
from tests.scheduler_core.examples import SeededChooser
from tests.scheduler_core.slices.subjects import SUBJECTS
from tests.slotwise.planning.small_jobs import SECOND_US, jobs, workload

CLASSES = ("short", "medium", "long")


def class_of(case, job):
    """Return the number of a job's class."""
    if job.job_class:
        return CLASSES.index(job.job_class)
    limits = (case.policy.short_limit_s, case.policy.medium_limit_s)
    return sum(job.estimate >= round(limit * SECOND_US) for limit in limits)


@pytest.mark.parametrize("name", SUBJECTS)
def test_what_is_told_is_what_a_count_of_the_oracles_schedule_finds(name):
    seen = Counter()
    for seed in range(6):
        case, oracle = seeded(f"slices-{name}", seed)
        schedule = simulate(case.workload, case.policy)
        kinds = [class_of(case, job) for job in case.jobs]
        times = {place: one[:2] for place, one in enumerate(oracle.jobs) if one.start is not None}
        slices = [(begin + overhead, end, CLASSES.index(kind)) for _, begin, end, kind, overhead in oracle.slices]
        held = oracle.allocations
        edges = [edge for one in held for edge in (one.begin, one.end)] + [edge for one in slices for edge in one[:2]]
        for own, (start, _) in times.items():
            found = explain(case.workload, schedule, case.jobs[own].job, alternatives=False)
            submit, kind, size = case.jobs[own].submit, kinds[own], case.jobs[own].size
            assert (found.kind, found.start_us) == (kind, start)
            assert_queue(found, case.jobs, times, own, {place for place in times if kinds[place] == kind})
            names = {one.position: one.processors for one in held}
            fits, most = [], Counter()
            for begin, end in pieces(edges, submit, start):
                busy = {number for one in held if one.begin <= begin < one.end for number in one.processors}
                kept = {
                    number
                    for place, (first, last) in times.items()
                    if kinds[place] == kind and first <= begin < last
                    for number in names[place]
                }
                turn = next((one for one in slices if one[0] <= begin < one[1]), None)
                if turn is None:
                    continue
                most[turn] = max(most[turn], case.processors - len(busy))
                if case.processors - len(busy | kept) >= size:
                    fits.append((begin, end))
            assert_counted(found, fits)
            assert str(found)
            assert [(turn.kind, turn.begin_us, turn.end_us, turn.most_free) for turn in found.turns] == [
                (one[2], max(one[0], submit), min(one[1], start), most[one])
                for one in sorted(slices)
                if max(one[0], submit) < min(one[1], start)
            ]
            first = next(one for one in sorted(held, key=lambda one: one.begin) if one.position == own)
            assert found.own.turn == first.slot
            lent = {case.jobs[one.position].job for one in held if one.begin == times[one.position][0]}
            lent &= {case.jobs[one.position].job for one in held if one.slot != kinds[one.position]}
            assert {one.job for one in found.overtakings if one.lent} <= lent
            seen.update(
                turns=bool(found.turns),
                fits=bool(fits),
                lent=found.own.lent,
                promised=bool(found.promises),
                waits=start > submit,
            )
    assert all(seen[what] for what in ("turns", "fits", "waits"))


def latest_start(oracle, kind, promise):
    """Return the last instant until which the slices of a class, piece by piece, have worked for no longer than promised."""
    left = promise.ahead_us
    for _, begin, end, word, overhead in sorted(oracle.slices, key=lambda row: row[1]):
        first = max(begin + overhead, promise.made_us)
        if word != kind or first >= end:
            continue
        if left < end - first:
            return first + left
        left -= end - first
    return None


@pytest.mark.parametrize("name", SUBJECTS)
def test_promises_are_kept_by_the_instant_that_is_told(name):
    """The clock of a class reaches a promise when its slices, piece by piece, have worked for it."""
    told = 0
    for seed in range(6):
        case, oracle = seeded(f"slices-{name}", seed)
        schedule = simulate(case.workload, case.policy)
        for own in {row[0] for row in oracle.promises}:
            found = explain(case.workload, schedule, case.jobs[own].job, alternatives=False)
            kind = CLASSES[found.kind]
            rows = [row for row in oracle.promises if row[0] == own]
            assert [(one.made_us, one.finish_us) for one in found.promises] == [(row[2], row[5]) for row in rows]
            for one in found.promises:
                assert one.start_us == latest_start(oracle, kind, one)
                told += one.start_us is not None
            assert found.start_us <= (found.promises[-1].start_us or found.start_us)
    assert told or name not in ("plain", "groups")


@pytest.mark.parametrize("name", ["plain", "groups"])
def test_what_was_foreseen_is_what_the_oracle_does_with_what_was_known(name):
    for seed in range(6):
        case = SUBJECTS[name].draw(SeededChooser(seed), False)
        schedule = simulate(case.workload, case.policy)
        finish = dict(schedule.jobs.select("job", "finish_us").iter_rows())
        for own, job in enumerate(case.jobs):
            if finish[job.job] is None:
                continue
            known = [
                other if finish[other.job] is None or finish[other.job] <= job.submit
                else replace(other, runtime=max(other.runtime, other.estimate))
                for other in case.jobs
                if other.submit <= job.submit
            ]  # fmt: skip
            expected = by_oracle(known, case.processors, case.policy).jobs[own].start
            assert foreseen(case.workload, schedule, row_of(schedule, job.job)) == expected


def test_a_wait_for_the_next_turn_is_told_by_hand():
    """A medium job comes while the long slice has its turn and a long job holds the machine."""
    log = workload(jobs((0, 40, 4), (5, 8, 4), (6, 20, 1)), 4)
    limits = "short_limit_s=4, medium_limit_s=9"
    policy = f"pect(interval_s=20, switch_s=1, short_slice_s=2, share_medium=0.5, share_long=0.5, {limits})"
    schedule = simulate(log, policy)
    found = explain(log, schedule, 2)
    said = whole(found)
    assert (found.start_us, found.own.lent) == (21 * SECOND_US, False)
    assert "as a medium job: the medium slice has its turn, 0 of 4 processors are free" in said
    assert "Its class had its turn 1 time meanwhile, for 5 s; other classes had theirs for 9 s." in said
    assert "At no time of its wait were enough processors free, and not held by its class." in said
    assert "It started on day 0, 00:00:21 in the medium slice, as its work began, with 4 processors free." in said
    assert "It would have started at the same time if no later job had been submitted" in said
    assert said.endswith("or if it asked for 2 processors.")
