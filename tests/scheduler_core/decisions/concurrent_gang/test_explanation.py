"""Why a job under Concurrent Gang was placed when it was, counted from the oracle's schedules and its matrix."""

from collections import Counter

import pytest

from scheduler_core.decisions.concurrent_gang.rows import rows_of
from scheduler_core.decisions.explanation import explain
from scheduler_core.runs.simulation import simulate
from tests.oracles.concurrent_gang import oracle as by_hand
from tests.oracles.concurrent_gang.front_end import Matrix
from tests.scheduler_core.all_subjects import seeded
from tests.scheduler_core.concurrent_gang.subjects import SUBJECTS
from tests.scheduler_core.decisions.counting import assert_counted, assert_queue, pieces


@pytest.mark.parametrize("name", SUBJECTS)
def test_what_is_told_is_what_a_count_of_the_oracles_schedule_finds(name):
    seen = Counter()
    for seed in range(6):
        case, oracle = seeded(f"concurrent_gang-{name}", seed)
        schedule = simulate(case.workload, case.policy)
        times = {
            place: oracle.jobs[job.job][:2]
            for place, job in enumerate(case.jobs)
            if oracle.jobs[job.job][3] != "rejected"
        }
        most_rows = None if case.policy.level == "unlimited" else case.policy.level
        most_tasks = None if case.policy.tasks_per_processor == "unlimited" else case.policy.tasks_per_processor
        held = {row[0]: row[2:5] for row in oracle.allocations}
        edges = [edge for begin, end, _ in held.values() for edge in (begin, end)]
        rows = rows_of(schedule.allocations)
        for own, (start, _) in times.items():
            if start is None:
                continue
            job = case.jobs[own]
            found = explain(case.workload, schedule, job.job, alternatives=False)
            recent = found.ended
            assert all(start - found.slice_us < oracle.jobs[one][1] <= start for one in recent)
            found = found.__class__(**{**vars(found), "ended": [one for one in recent if oracle.jobs[one][1] == start]})
            assert_queue(found, case.jobs, times, own)
            assert str(found)
            seen.update(told=found.told_rows, waits=start > job.submit)
            if not found.told_rows:
                continue
            fits = []
            for begin, end in pieces(edges, job.submit, start):
                there = {
                    one: set(ids)
                    for one, (first, last, ids) in held.items()
                    if one != job.job and first <= begin < last
                }
                tasks = Counter(number for ids in there.values() for number in ids)
                eligible = {
                    number for number in range(case.processors) if most_tasks is None or tasks[number] < most_tasks
                }
                used = {rows[one] for one in there}
                rooms = [eligible - set().union(*(there[one] for one in there if rows[one] == row)) for row in used]
                opens = len(eligible) >= job.size and (most_rows is None or len(used) < most_rows)
                if opens or any(len(room) >= job.size for room in rooms):
                    fits.append((begin, end))
            assert_counted(found, fits)
            seen.update(fits=bool(fits))
    assert seen["waits"]
    assert name == "controllers" or (seen["told"] and seen["fits"])


@pytest.mark.parametrize("name", SUBJECTS)
def test_the_rows_that_are_followed_are_those_of_the_oracles_matrix(name, monkeypatch):
    """The oracle's matrix keeps the list of a row as long as the row is there."""
    told = 0
    place = Matrix.place
    for seed in range(12):
        case, _ = seeded(f"concurrent_gang-{name}", seed)
        if case.policy.front != "matrix" or case.policy.free_on_task_end:
            continue
        lists = {}

        def placing(self, member, lists=lists):
            place(self, member)
            lists[member.job.job] = self.rows[member.row]

        monkeypatch.setattr(Matrix, "place", placing)
        by_hand.schedule(case.policy, case.jobs, case.processors)
        found = rows_of(simulate(case.workload, case.policy).allocations)
        if found is None:
            continue
        assert found.keys() == lists.keys()
        for one in found:
            for other in found:
                assert (found[one] == found[other]) == (lists[one] is lists[other])
        told += len(found)
    assert told or name == "controllers"
