"""Distributed Hierarchical Control on the matrix engine: schedules worked by hand, and what must hold of any."""

import pytest

from tests.scheduler_core.gang.background_schedules import drawing, legal, times, workload_of
from tests.scheduler_core.scenario import asked

GANG_OF_THREE = (asked(0, 4, 3), asked(0, 4, 1))


@pytest.mark.parametrize(
    ("call", "cycle", "finishes"),
    [
        ("dhc(slice_s=0.0)", ["1112", "1112"], [4, 4]),
        ("dhc(slice_s=0.0, selective_disabling=False)", ["1112", "1112"], [4, 4]),
        ("dhc(slice_s=0.0, alternative=False)", ["1112", "...2"], [6, 4]),
        ("dhc(slice_s=0.0, alternative=False, selective_disabling=False)", ["111.", "...2"], [8, 8]),
    ],
)
def test_dhc_leftover_processors_are_used_by_lower_controllers_and_in_alternative_rows(call, cycle, finishes):
    # Job 1 needs more than half of 4 processors and so goes to the root, job 2 to the leaf that no job uses. The cycle
    # is the root's row and a row for the leaf. At 4 s job 1 has had 1 row of 2, then it is alone.
    schedule = legal(workload_of(4, *GANG_OF_THREE), call)
    assert drawing(schedule, 4, 1) == cycle
    assert times(schedule) == [(0, finish) for finish in finishes]


def test_dhc_binds_by_load_and_repeats_the_shorter_half():
    # Job 3 finds both pairs with 1 job at most and 1 in the mean: the first. Node {2, 3} has only the leaf's row.
    schedule = legal(
        workload_of(4, asked(0, 4, 3), asked(0, 4, 1), asked(0, 4, 2)), "dhc(slice_s=0.0,alternative=False)"
    )
    assert drawing(schedule, 4, 1) == ["1112", "33.2"]
    assert times(schedule) == [(0, 8), (0, 4), (0, 8)]
    # One leaf with two jobs, one with one: the second leaf repeats its row.
    schedule = legal(workload_of(2, asked(0, 3, 1), asked(0, 3, 1), asked(0, 3, 1)), "dhc(slice_s=0.0)")
    assert drawing(schedule, 2, 1) == ["12", "32"]
    assert times(schedule) == [(0, 6), (0, 3), (0, 6)]


def test_dhc_prefers_the_smaller_mean_among_equal_maxima():
    # Job 1 is on 0 and 1; 2 on 2, 3 on 3, 4 on 0 (all have 1). Job 5 (size 2): {0, 1} 2 at most, {2, 3} 1. Job 6
    # (size 3) goes to the root. Job 7 (size 1): processors have 3, 2, 3, 2 jobs, so the leaf of 1. Job 8 (size 2): 3 at
    # most on either side, the means are 3 and 2.5: {2, 3}.
    sizes_asked = (2, 1, 1, 1, 2, 3, 1, 2)
    schedule = legal(workload_of(4, *(asked(0, 100, size) for size in sizes_asked)), "dhc(slice_s=0.0)")
    held = dict(schedule.allocations.unique("job").select("job", "processor_ids").rows())
    assert [held[job] for job in range(1, 9)] == [[0, 1], [2], [3], [0], [2, 3], [0, 1, 2], [1], [2, 3]]


def test_dhc_alternative_scheduling_goes_round():
    # Two root gangs, two jobs on the last leaf: row 0 takes job 3 in addition, row 1 goes on behind it and takes job 4,
    # row 2 job 1, row 3 job 2.
    jobs = (asked(0, 2, 3), asked(0, 2, 3), asked(0, 2, 1), asked(0, 2, 1))
    schedule = legal(workload_of(4, *jobs), "dhc(slice_s=0.0, selective_disabling=False)")
    assert drawing(schedule, 4, 1) == ["1113", "2224", "1113", "2224"]
    assert times(schedule) == [(0, 4)] * 4
    plain = legal(workload_of(4, *jobs), "dhc(slice_s=0.0, selective_disabling=False, alternative=False)")
    assert drawing(plain, 4, 1) == ["111.", "222.", "...3", "...4"]
    lower = legal(workload_of(4, *jobs), "dhc(slice_s=0.0, alternative=False)")
    assert drawing(lower, 4, 1) == ["1113", "2224", "...3", "...4"]


def test_dhc_on_a_machine_that_is_no_power_of_two():
    # The pair {2, 3} lacks a processor, so both pairs of jobs stand on {0, 1}; a job of 4 is rejected.
    jobs = (asked(0, 2, 2), asked(0, 2, 2), asked(0, 2, 1), asked(0, 2, 4))
    schedule = legal(workload_of(3, *jobs), "dhc(slice_s=0.0)")
    assert drawing(schedule, 3, 1) == ["113", "223"]
    assert times(schedule) == [(0, 4), (0, 4), (0, 2), None]


def test_dhc_acts_at_slice_boundaries():
    schedule = legal(workload_of(1, asked(0, 3, 1), asked(1, 1, 1)), "dhc")
    assert times(schedule) == [(0, 4), (2, 4)]
