"""Why a job under gang scheduling started when it did, counted from the oracles' schedules."""

from collections import Counter, defaultdict
from dataclasses import replace

import pytest

from scheduler_core.decisions.alternatives import foreseen
from scheduler_core.decisions.explanation import explain
from scheduler_core.decisions.waits import row_of
from scheduler_core.runs.simulation import simulate
from tests.oracles.gang.parts import PartsSchedule
from tests.scheduler_core.all_subjects import seeded
from tests.scheduler_core.decisions.counting import assert_counted, assert_queue, pieces, whole
from tests.scheduler_core.gang.subjects import SUBJECTS
from tests.scheduler_core.gang.ways import by_oracle
from tests.slotwise.planning.small_jobs import SECOND_US, jobs, workload

COUNTED = [name for name in SUBJECTS if name not in ("filling", "dhc", "static", "partitions")]
"""Subjects in which slots decide: no copies, no parts."""


def least(case, job):
    """Return the least size with which a job may start."""
    facts = case.policy.facts()
    if not facts.resizes_at_start or job.flexibility == "rigid":
        return job.size
    return max(1, job.size // 2) if job.size_min is None else job.size_min


@pytest.mark.parametrize("name", COUNTED)
def test_what_is_told_is_what_a_count_of_the_oracles_schedule_finds(name):
    seen = Counter()
    for seed in range(8):
        case, oracle = seeded(f"gang-{name}", seed)
        if isinstance(oracle, PartsSchedule) or case.policy.facts().in_several_slots or case.policy.facts().partitions:
            continue
        schedule = simulate(case.workload, case.policy)
        numbers = {job.job: place for place, job in enumerate(case.jobs)}
        times = {numbers[job]: one[:2] for job, one in oracle.jobs.items() if one is not None}
        edges = [edge for one in oracle.segments for edge in (one.begin, one.end)]
        for own, (start, _) in times.items():
            job, most = case.jobs[own], case.policy.facts().most_slots
            found = explain(case.workload, schedule, job.job, alternatives=False)
            fits, free_at = [], defaultdict(list)
            for begin, end in pieces(edges, job.submit, start):
                used = Counter()
                for one in oracle.segments:
                    if one.job != job.job and one.begin <= begin < one.end:
                        used[one.slot] += len(one.processors)
                for slot in used:
                    free_at[slot].append(case.processors - used[slot])
                opens = most is None or len(used) < most
                if opens or any(case.processors - count >= least(case, job) for count in used.values()):
                    fits.append((begin, end))
            assert_counted(found, fits)
            assert str(found)
            for room in found.rooms:
                whole = len(free_at[room.number]) == len(list(pieces(edges, job.submit, start)))
                assert room.most_free == max(free_at[room.number]) if whole else case.processors
            first = [one for one in oracle.segments if one.job == job.job and one.begin == start]
            assert found.slots == sorted({one.slot for one in first})
            beside = {one.job for one in oracle.segments if one.begin <= start < one.end and one.slot in found.slots}
            assert set(found.beside) == beside - {job.job}
            ended = set(found.ended)
            found = found.__class__(**{**vars(found), "ended": [one for one in ended if oracle.jobs[one][1] == start]})
            assert_queue(found, case.jobs, times, own)
            seen.update(
                fits=bool(fits), waits=start > job.submit, rooms=bool(found.rooms), overtaken=bool(found.overtakings)
            )
    assert all(seen[what] for what in ("fits", "waits", "rooms"))


@pytest.mark.parametrize("name", ["packing", "memory", "adaptation", "equipartition"])
def test_a_job_starts_in_the_pass_that_acts_on_the_ends_that_are_told(name):
    """No pass lies between an end that is told and the start: in between, no job starts and no other end is acted on."""
    told = 0
    for seed in range(6):
        case, oracle = seeded(f"gang-{name}", seed)
        schedule = simulate(case.workload, case.policy)
        starts = sorted(one[0] for one in oracle.jobs.values() if one is not None)
        for job, one in oracle.jobs.items():
            if one is None:
                continue
            for other in explain(case.workload, schedule, job, alternatives=False).ended:
                end = oracle.jobs[other][1]
                assert end <= one[0]
                assert not [start for start in starts if end <= start < one[0]]
                told += 1
    assert told


@pytest.mark.parametrize("name", ["packing", "adaptation", "dhc", "equipartition"])
def test_what_was_foreseen_is_what_the_oracle_does_with_what_was_known(name):
    for seed in range(4):
        case, _ = seeded(f"gang-{name}", seed)
        schedule = simulate(case.workload, case.policy)
        finish = dict(schedule.jobs.select("job", "finish_us").iter_rows())
        for job in case.jobs:
            if finish[job.job] is None:
                continue
            known = [
                replace(other, runtime=max(other.runtime, other.estimate))
                if finish[other.job] is not None and finish[other.job] > job.submit
                else other
                for other in case.jobs
                if other.submit <= job.submit
            ]
            expected = by_oracle(replace(case, jobs=known)).jobs[job.job][0]
            assert foreseen(case.workload, schedule, row_of(schedule, job.job)) == expected


def test_a_free_part_that_is_large_enough_is_counted():
    """Parts of two processors: job 3 fits a part only when one is empty, although a processor of each is free."""
    log = workload(jobs((0, 10, 1), (0, 20, 1), (5, 5, 2)), 4)
    schedule = simulate(log, "static_partitioning(partitions=2)")
    found = explain(log, schedule, 3)
    assert (found.start_us, found.fitted_first_us, found.slots) == (10 * SECOND_US, None, [0])
    said = str(found)
    assert (
        "Submitted on day 0, 00:00:05: 2 parts are in use (there may be 2), 2 jobs in them (1, 2), 0 jobs ahead" in said
    )
    assert "It started on day 0, 00:00:10 when 1 job ended (1), in part 0." in said


def test_slots_priority_and_boundaries_are_told_by_hand():
    """Two slots: the medium job 3 waits for one, and the short job 4 stands before it by priority."""
    log = workload(jobs((0, 10, 4), (1, 500, 4)), 4)
    policy = 'gang(level=2, slice_s=2, slice="fixed", queue="priority", short_limit_s=100)'
    schedule = simulate(log, policy)
    one = explain(log, schedule, 2)
    assert one.slots == [1]
    assert "Jobs start as a time slice begins, here at most every 2 s." in whole(one)
    log = workload(jobs((0, 10, 4), (0, 30, 4), (3, 500, 4), (4, 20, 4)), 4)
    schedule = simulate(log, policy)
    two = explain(log, schedule, 3)
    said = whole(two)
    assert "2 slots are in use (there may be 2), with 0 and 0 of 4 processors free, 2 jobs in them (1, 2)" in said
    assert (
        "Job 4 started on day 0, 00:00:20 in slot 0: it stands before it in the order of the queue, by priority."
        in said
    )
    assert [(one.job, one.rule) for one in two.overtakings] == [(4, "priority")]


def test_copies_are_not_taken_for_room():
    log = workload(jobs((0, 100, 2), (1, 100, 4), (2, 100, 2), (3, 100, 3)), 4)
    found = explain(log, simulate(log, "gang(level=2, fill=True)"), 4, alternatives=False)
    assert not found.told_room
    assert "The schedule does not tell where it would have fitted" in str(found)


def test_jobs_that_leave_for_an_overdue_one_are_told():
    log = workload(jobs((0, 4000, 4), (10, 50, 4)), 4)
    found = explain(log, simulate(log, "lazy_gang(short_wait_s=60, run_s_per_mb=0)"), 2, alternatives=False)
    assert (found.suspended, found.start_us) == ([1], 70 * SECOND_US)
    assert "1 job (1) left processors then and went on later." in str(found)
