"""What the oracle of slices promises holds in its own schedules, and these are legal."""

from collections import Counter

import pytest

from tests.oracles.slices.oracle import Result
from tests.scheduler_core.all_subjects import seeded
from tests.scheduler_core.examples import Case
from tests.scheduler_core.slices.subjects import SUBJECTS


@pytest.mark.parametrize("family", SUBJECTS)
def test_promises_are_kept(family: str) -> None:
    """What the oracle promises holds in its own schedules, until another promise is made to the job."""
    kept = 0
    for seed in range(300):
        case, found = seeded(f"slices-{family}", seed)
        last = {row[0]: row for row in found.promises}
        for position, (*_, clock, finish) in last.items():
            job = found.jobs[position]
            assert job.finish is not None
            assert job.finish <= finish, (seed, position)
            assert class_clock(found, case, position) <= clock, (seed, position)
            kept += 1
    assert kept > 0 or family == "search"


def class_clock(found: Result, case: Case, position: int) -> int:
    """Return the clock of a job's class when it started."""
    start = found.jobs[position].start
    assert start is not None
    kind = case.jobs[position].job_class or class_by_estimate(case, position)
    works = [(begin + overhead, end) for _, begin, end, name, overhead in found.slices if name == kind]
    return sum(max(0, min(start, end) - begin) for begin, end in works)


def class_by_estimate(case: Case, position: int) -> str:
    """Return the class of a job for which none is stated."""
    estimate = case.jobs[position].estimate
    if estimate < round(case.policy.short_limit_s * 1_000_000):
        return "short"
    return "medium" if estimate < round(case.policy.medium_limit_s * 1_000_000) else "long"


@pytest.mark.parametrize("family", SUBJECTS)
def test_schedules_of_the_oracle_are_legal(family: str) -> None:
    """No job runs outside the work of slices, on another job's processors, or on others than at first."""
    for seed in range(300):
        case, found = seeded(f"slices-{family}", seed)
        works = [(begin + overhead, end) for _, begin, end, _, overhead in found.slices]
        ran: Counter[int] = Counter()
        for held in found.allocations:
            assert any(begin <= held.begin < held.end <= end for begin, end in works)
            assert held.processors == next(h.processors for h in found.allocations if h.position == held.position)
            ran[held.position] += held.end - held.begin
        for position, job in enumerate(case.jobs):
            stays = job.stay if job.size <= case.processors else 0
            assert ran[position] == stays
        for one in found.allocations:
            for other in found.allocations:
                if one is not other and set(one.processors) & set(other.processors):
                    assert one.end <= other.begin or other.end <= one.begin
