"""Partitions of the machine, equal, folded, compressed or fixed: schedules worked by hand, and what must hold of any."""

import pytest

from scheduler_core import simulate
from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.policy import get_policy
from tests.scheduler_core.gang.background_schedules import agree, drawing, legal, sizes, times, workload_of
from tests.scheduler_core.scenario import SECOND, asked


def test_equipartition_shares_and_stalls():
    # Alone job 1 has 8 processors, rate 20/13: 20 s of work by 13 s. Then job 2 takes 4: a stall of 4 x 0.25 s, 9 s of
    # work by 23 s. Then 8 again: a stall of 1 s, and 11 s of work in 7.15 s.
    jobs = (asked(0, 40, 4, flexibility="malleable", size_min=2, size_max=8), asked(13, 10, 4))
    schedule = legal(workload_of(8, *jobs), "equipartition(reconfiguration_cost_s=0.25)")
    assert agree(times(schedule), [(0, 31.15), (13, 23)])
    assert sizes(schedule, 1) == [(0, 8), (13, 4), (23, 8)]
    assert schedule.run["counters"]["resizings"] == 2
    assert schedule.run["counters"]["resized_processors"] == 8


def test_equipartition_divides_unevenly_admits_by_the_fewest_and_leaves_moldable_jobs_alone():
    any_size = {"size_min": 1, "size_max": 8}
    jobs = (*(asked(0, 100, 4, flexibility="malleable", **any_size) for _ in range(3)), asked(1, 5, 6), asked(1, 5, 1))
    schedule = legal(workload_of(8, *jobs), "equipartition")
    assert [sizes(schedule, job)[0] for job in (1, 2, 3)] == [(0, 3), (0, 3), (0, 2)]
    assert times(schedule)[3][0] > 1  # 1 + 1 + 1 + 6 processors are not there
    assert times(schedule)[4][0] >= times(schedule)[3][0]  # no job overtakes
    moldable = asked(0, 100, 2, flexibility="moldable", size_min=1, size_max=4)
    schedule = legal(
        workload_of(8, moldable, asked(1, 10, 4, flexibility="malleable", **any_size), asked(2, 10, 2)), "equipartition"
    )
    assert [sizes(schedule, job)[:2] for job in (1, 2, 3)] == [[(0, 4)], [(1, 4), (2, 2)], [(2, 2)]]


def test_folding_halves_the_largest_partition_and_unfolds():
    # 8; 4 and 4; 2, 4 and 2. Job 4 needs 3: half of the largest is 2, so it waits until job 3 (7 s of work at 7/13) is
    # done: then 2 are free and job 2 gives 1. Job 2 ends at 28 s (14 s of work by 15 s, then 10/13): job 1 doubles to 4
    # and takes the last processor too. Job 4 ends at 35 s: job 1 has all.
    any_size = {"size_min": 1, "size_max": 8}
    jobs = (
        asked(0, 40, 4, flexibility="malleable", **any_size),
        asked(1, 24, 4, flexibility="malleable", **any_size),
        asked(2, 7, 4, flexibility="malleable", **any_size),
        asked(3, 20, 3),
    )
    schedule = legal(workload_of(8, *jobs), "folding(reconfiguration_cost_s=0.0)")
    assert sizes(schedule, 1) == [(0, 8), (1, 4), (2, 2), (28, 5), (35, 8)]
    assert sizes(schedule, 2) == [(1, 4), (15, 3)]
    assert agree(times(schedule)[2:], [(2, 15), (15, 35)])


def test_compression_makes_room_and_no_job_grows():
    # Job 3 needs 3: job 1 gives half, job 2 the one that lacks. Job 4 asks for 4 and would take 2: only 1 could be
    # given, so it waits for job 3; then 3 are free and job 2 gives 1.
    jobs = (
        asked(0, 100, 4, flexibility="malleable", size_min=2, size_max=8),
        asked(0, 100, 4, flexibility="malleable", size_min=1, size_max=8),
        asked(1, 9, 3),
        asked(2, 10, 4, flexibility="moldable", size_min=2, size_max=8),
    )
    schedule = legal(workload_of(8, *jobs), "compression")
    assert [sizes(schedule, job) for job in (1, 2, 3, 4)] == [
        [(0, 4), (1, 2)],
        [(0, 4), (1, 3), (10, 2)],
        [(1, 3)],
        [(10, 4)],
    ]


def test_compression_of_a_job_just_scheduled_costs_nothing():
    jobs = (asked(0, 10, 6, flexibility="moldable", size_min=2, size_max=8), asked(0, 10, 4))
    schedule = legal(workload_of(8, *jobs), "compression(reconfiguration_cost_s=9.0)")
    assert [sizes(schedule, job) for job in (1, 2)] == [[(0, 4)], [(0, 4)]]
    assert schedule.allocations["overhead_us"].sum() == 0
    assert schedule.run["counters"]["resizings"] == 0


def test_static_partitioning_takes_the_smallest_free_part():
    jobs = (asked(0, 4, 2), asked(0, 4, 2), asked(0, 4, 1), asked(0, 4, 5), asked(0, 4, 1))
    schedule = legal(workload_of(8, *jobs), "static_partitioning(cut='halves', partitions=3)")
    assert drawing(schedule, 8, 1) == ["3...1122"]
    assert times(schedule) == [(0, 4), (0, 4), (0, 4), None, (4, 8)]
    equal = legal(workload_of(8, asked(0, 4, 3), asked(0, 4, 1), asked(0, 4, 2)), "static_partitioning(partitions=2)")
    assert drawing(equal, 8, 1) == ["111.2..."]
    assert times(equal) == [(0, 4), (0, 4), (4, 8)]


def test_gang_scheduling_in_fixed_partitions():
    # Parts of 3 and 2 processors. Jobs 1 and 2 fit the first only, job 3 comes to the second, job 4 to the first, where
    # two slots are taken. Each part has its own turns: job 3 is alone in its own.
    jobs = (asked(0, 4, 3), asked(0, 4, 3), asked(0, 4, 1), asked(0, 4, 1), asked(0, 4, 5), asked(1, 1, 2))
    schedule = legal(workload_of(5, *jobs), "gang(partitions=2, level=2, slice_s=0.0)")
    assert times(schedule) == [(0, 8), (0, 8), (0, 5), (8, 12), None, (1, 3)]
    assert schedule.jobs["cluster"].to_list() == [0, 0, 1, 0, 0, 1]
    named = dict(schedule.allocations.unique("job").select("job", "processor_ids").rows())
    assert named == {1: [0, 1, 2], 2: [0, 1, 2], 3: [3], 4: [0], 6: [3, 4]}
    level = schedule.tables["levels"].select("cluster", "begin_us", "level").rows()
    assert level == [(0, 0, 2), (0, 8 * SECOND, 1), (1, 0, 1), (1, SECOND, 2), (1, 3 * SECOND, 1)]


@pytest.mark.parametrize(
    ("efficiency", "size"), [(0.5, 8), (0.59, 5), (0.6, 4), (0.65, 4), (0.7, 2), (0.71, 1), (0.8, 1), (0.9, 1)]
)
def test_sizing_by_efficiency(efficiency, size):
    # S(N) / N of a job of 4 on 1 to 8: 0.80, 0.70, 0.667, 0.65, 0.59, 0.55, 0.521, 0.50.
    jobs = (asked(0, 4, 4, flexibility="moldable", size_min=1, size_max=8), asked(0, 4, 3))
    call = f"scojo(sizing='efficiency', efficiency={efficiency}, slice_s=0.0, eliminate_fragmentation=False)"
    schedule = legal(workload_of(8, *jobs), call)
    assert schedule.jobs["processors"].to_list() == [size, 3]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("gang(packing='memory_fit', fill=True)", "goes with neither re-packing nor fill"),
        ("gang(packing='memory_fit', repack='changes', level='unlimited', slice='fixed')", "goes with neither"),
        ("gang(repack='changes', level=2)", "re-packing needs level='unlimited'"),
        ("gang(level='unlimited')", "slice='scaled' needs a level"),
        ("gang(packing='one_job', backfill='head')", "is defined for first_fit and best_fit"),
        ("gang(short_limit_s=2.0, medium_limit_s=1.0)", "gang: short_limit_s must not exceed medium_limit_s"),
        ("scojo(short_limit_s=2.0, medium_limit_s=1.0)", "scojo: short_limit_s must not exceed medium_limit_s"),
        ("lazy_gang(short_limit_s=2.0, medium_limit_s=1.0)", "lazy_gang: short_limit_s must not exceed medium_limit_s"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(call, words):
    with pytest.raises(ParameterError, match=words):
        get_policy(call)


@pytest.mark.parametrize("call", ["gang(partitions=5)", "static_partitioning(partitions=5)"])
def test_more_partitions_than_processors_are_refused(call):
    with pytest.raises(ParameterError, match="give fewer partitions"):
        simulate(workload_of(4, asked(0, 1, 1)), call)
