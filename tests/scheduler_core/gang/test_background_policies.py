"""Background systems on the matrix engine: schedules worked by hand, and what must hold of any."""

from __future__ import annotations

import random
from typing import Any

import polars as pl
import pytest

from scheduler_core import simulate
from scheduler_core.checker import check
from scheduler_core.contracts import WORKLOAD_COLUMNS, WORKLOAD_OPTIONAL, Machine, Schedule, Workload
from scheduler_core.errors import ParameterError
from scheduler_core.policy import get_policy

SECOND = 1_000_000
OPTIONAL = {name: WORKLOAD_OPTIONAL[name] for name in ("flexibility", "size_min", "size_max", "class", "memory_kb")}
ROUNDING_US = 3


def asked(submit: float, runtime: float, size: int, flexibility: str = "rigid", **more: Any) -> dict[str, Any]:
    """Describe a job in seconds."""
    times = {"submit_us": round(submit * SECOND), "runtime_us": round(runtime * SECOND)}
    return {**times, "size": size, "flexibility": flexibility, **more}


def workload_of(processors: int, *jobs: dict[str, Any]) -> Workload:
    """Number jobs from 1; a job's estimate is its run time where none is given."""
    rows = [{"job": k, "estimate_us": job["runtime_us"], **job} for k, job in enumerate(jobs, start=1)]
    return Workload(pl.DataFrame(rows, schema={**WORKLOAD_COLUMNS, **OPTIONAL}), Machine(processors))


def legal(workload: Workload, call: str) -> Schedule:
    """Simulate, and let the checker prove the schedule."""
    schedule = simulate(workload, call)
    certificate = check(workload, schedule)
    assert certificate.legal, [finding for finding in certificate.findings if finding.violations]
    return schedule


def times(schedule: Schedule) -> list[tuple[float, float] | None]:
    """Give start and finish of every job in seconds, None for a rejected one."""
    rows = schedule.jobs.sort("job").select("start_us", "finish_us").rows()
    return [None if start is None else (start / SECOND, finish / SECOND) for start, finish in rows]


def agree(found: list[tuple[float, float] | None], worked: list[tuple[float, float] | None]) -> bool:
    """Whether times agree but for the rounding of work to whole microseconds."""
    close = ROUNDING_US / SECOND
    return len(found) == len(worked) and all(
        one == other
        if one is None or other is None
        else max(abs(a - b) for a, b in zip(one, other, strict=True)) < close
        for one, other in zip(found, worked, strict=True)
    )


def drawing(schedule: Schedule, processors: int, instant: float) -> list[str]:
    """Draw the rows just after an instant: a row a slot, a column a processor, the job's number where it is."""
    time = round(instant * SECOND)
    there = schedule.allocations.filter((pl.col("begin_us") <= time) & (time < pl.col("end_us")))
    rows = [["."] * processors for _ in range(int(there["slot"].max()) + 1)]  # type: ignore[arg-type]
    for job, slot, nodes in there.select("job", "slot", "nodes").rows():
        for node in nodes:
            rows[slot][node] = str(job)
    return ["".join(row) for row in rows]


def sizes(schedule: Schedule, job: int) -> list[tuple[float, int]]:
    """Give when a job's intervals begin, in seconds rounded to the millisecond, and how many processors it then has."""
    rows = schedule.allocations.filter(pl.col("job") == job).sort("begin_us").select("begin_us", "processors").rows()
    return [(round(begin / SECOND, 3), processors) for begin, processors in rows]


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
    # Job 1 needs more than half of 4 processors and so goes to the root, job 2 to the leaf that nobody uses. The cycle
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
    held = dict(schedule.allocations.unique("job").select("job", "nodes").rows())
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


def test_equipartition_shares_and_stalls():
    # Alone job 1 has 8 processors, rate 20/13: 20 s of work by 13 s. Then job 2 takes 4: a stall of 4 x 0.25 s, 9 s of
    # work by 23 s. Then 8 again: a stall of 1 s, and 11 s of work in 7.15 s.
    jobs = (asked(0, 40, 4, "malleable", size_min=2, size_max=8), asked(13, 10, 4))
    schedule = legal(workload_of(8, *jobs), "equipartition(reconfiguration_cost_s=0.25)")
    assert agree(times(schedule), [(0, 31.15), (13, 23)])
    assert sizes(schedule, 1) == [(0, 8), (13, 4), (23, 8)]
    assert schedule.run["counters"]["resizings"] == 2
    assert schedule.run["counters"]["resized_processors"] == 8


def test_equipartition_divides_unevenly_admits_by_the_fewest_and_leaves_moldable_jobs_alone():
    any_size = {"size_min": 1, "size_max": 8}
    jobs = (*(asked(0, 100, 4, "malleable", **any_size) for _ in range(3)), asked(1, 5, 6), asked(1, 5, 1))
    schedule = legal(workload_of(8, *jobs), "equipartition")
    assert [sizes(schedule, job)[0] for job in (1, 2, 3)] == [(0, 3), (0, 3), (0, 2)]
    assert times(schedule)[3][0] > 1  # 1 + 1 + 1 + 6 processors are not there
    assert times(schedule)[4][0] >= times(schedule)[3][0]  # nobody overtakes
    moldable = asked(0, 100, 2, "moldable", size_min=1, size_max=4)
    schedule = legal(
        workload_of(8, moldable, asked(1, 10, 4, "malleable", **any_size), asked(2, 10, 2)), "equipartition"
    )
    assert [sizes(schedule, job)[:2] for job in (1, 2, 3)] == [[(0, 4)], [(1, 4), (2, 2)], [(2, 2)]]


def test_folding_halves_the_largest_partition_and_unfolds():
    # 8; 4 and 4; 2, 4 and 2. Job 4 needs 3: half of the largest is 2, so it waits until job 3 (7 s of work at 7/13) is
    # done: then 2 are free and job 2 gives 1. Job 2 ends at 28 s (14 s of work by 15 s, then 10/13): job 1 doubles to 4
    # and takes the last processor too. Job 4 ends at 35 s: job 1 has all.
    any_size = {"size_min": 1, "size_max": 8}
    jobs = (
        asked(0, 40, 4, "malleable", **any_size),
        asked(1, 24, 4, "malleable", **any_size),
        asked(2, 7, 4, "malleable", **any_size),
        asked(3, 20, 3),
    )
    schedule = legal(workload_of(8, *jobs), "folding(reconfiguration_cost_s=0.0)")
    assert sizes(schedule, 1) == [(0, 8), (1, 4), (2, 2), (28, 5), (35, 8)]
    assert sizes(schedule, 2) == [(1, 4), (15, 3)]
    assert agree(times(schedule)[2:], [(2, 15), (15, 35)])


def test_compression_makes_room_and_nobody_grows():
    # Job 3 needs 3: job 1 gives half, job 2 the one that lacks. Job 4 asks for 4 and would take 2: only 1 could be
    # given, so it waits for job 3; then 3 are free and job 2 gives 1.
    jobs = (
        asked(0, 100, 4, "malleable", size_min=2, size_max=8),
        asked(0, 100, 4, "malleable", size_min=1, size_max=8),
        asked(1, 9, 3),
        asked(2, 10, 4, "moldable", size_min=2, size_max=8),
    )
    schedule = legal(workload_of(8, *jobs), "compression")
    assert [sizes(schedule, job) for job in (1, 2, 3, 4)] == [
        [(0, 4), (1, 2)],
        [(0, 4), (1, 3), (10, 2)],
        [(1, 3)],
        [(10, 4)],
    ]


def test_compression_of_a_job_just_scheduled_costs_nothing():
    jobs = (asked(0, 10, 6, "moldable", size_min=2, size_max=8), asked(0, 10, 4))
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
    named = dict(schedule.allocations.unique("job").select("job", "nodes").rows())
    assert named == {1: [0, 1, 2], 2: [0, 1, 2], 3: [3], 4: [0], 6: [3, 4]}
    assert schedule.levels is not None
    level = schedule.levels.select("cluster", "begin_us", "level").rows()
    assert level == [(0, 0, 2), (0, 8 * SECOND, 1), (1, 0, 1), (1, SECOND, 2), (1, 3 * SECOND, 1)]


@pytest.mark.parametrize(
    ("efficiency", "size"), [(0.5, 8), (0.59, 5), (0.6, 4), (0.65, 4), (0.7, 2), (0.71, 1), (0.8, 1), (0.9, 1)]
)
def test_sizing_by_efficiency(efficiency, size):
    # S(N) / N of a job of 4 on 1 to 8: 0.80, 0.70, 0.667, 0.65, 0.59, 0.55, 0.521, 0.50.
    jobs = (asked(0, 4, 4, "moldable", size_min=1, size_max=8), asked(0, 4, 3))
    schedule = legal(workload_of(8, *jobs), f"gang(sizing='efficiency', efficiency={efficiency}, slice_s=0.0)")
    assert schedule.jobs["processors"].to_list() == [size, 3]


@pytest.mark.parametrize(
    "call",
    [
        "gang(sizing='efficiency', adapt=True)",
        "gang(sizing='efficiency', partitions=2)",
        "gang(partitions=2, eliminate_fragmentation=True)",
    ],
)
def test_settings_that_do_not_go_together_are_refused(call):
    with pytest.raises(ParameterError, match="goes with n"):
        get_policy(call)


@pytest.mark.parametrize("call", ["gang(partitions=5)", "static_partitioning(partitions=5)"])
def test_more_partitions_than_processors_are_refused(call):
    with pytest.raises(ParameterError, match="give fewer partitions"):
        simulate(workload_of(4, asked(0, 1, 1)), call)


def lazy(jobs: tuple[dict[str, Any], ...], **more: float) -> Schedule:
    """Run lazy gang scheduling on 4 processors: short jobs wait 2 s at most, medium ones 5, long ones 100."""
    waits = {"short_wait_s": 2.0, "medium_wait_s": 5.0, "long_wait_s": 100.0, **more}
    return legal(workload_of(4, *jobs), f"lazy_gang({', '.join(f'{name}={value}' for name, value in waits.items())})")


def classed(kind: str, megabytes: int, *times_and_size: float) -> dict[str, Any]:
    """Describe a job of a class that needs memory."""
    submit, runtime, size = times_and_size
    return asked(submit, runtime, int(size), memory_kb=1024 * megabytes, **{"class": kind})


def test_lazy_gang_preempts_the_lowest_priority_when_somebody_has_waited_too_long():
    # Job 3 has waited 2 s at 3 s. Both running jobs may be preempted: the long one goes, with 3 s of its 10 done. It
    # takes up the processors again when job 3 is done, before job 4, which came earlier but stands behind it.
    jobs = (
        classed("medium", 0, 0, 9, 2),
        classed("long", 0, 0, 10, 2),
        classed("short", 0, 1, 4, 2),
        classed("medium", 0, 2, 1, 2),
    )
    schedule = lazy(jobs, medium_wait_s=90.0)
    assert times(schedule) == [(0, 9), (0, 14), (3, 7), (9, 10)]
    assert schedule.jobs["preemptions"].to_list() == [0, 1, 0, 0]
    assert schedule.allocations.filter(pl.col("job") == 2)["work_us"].to_list() == [3 * SECOND, 7 * SECOND]


def test_lazy_gang_lets_a_job_run_in_proportion_to_its_memory():
    # Job 1 may be preempted from 6 s on: job 2, overdue at 2 s, waits until then. Then job 2 runs for at least 8 s, and
    # job 1, short itself and overdue at 8 s, for job 2 to be preemptable at 14 s.
    jobs = (classed("short", 6, 0, 20, 3), classed("short", 8, 0, 20, 3))
    schedule = lazy(jobs)
    assert [
        row[:2] for row in schedule.allocations.select("begin_us", "end_us", "job").sort("begin_us").rows()[:4]
    ] == [
        (0, 6 * SECOND),
        (6 * SECOND, 14 * SECOND),
        (14 * SECOND, 20 * SECOND),
        (20 * SECOND, 28 * SECOND),
    ]
    halved = lazy(jobs, run_s_per_mb=0.5)
    assert halved.allocations.sort("begin_us")["end_us"].to_list()[:2] == [3 * SECOND, 7 * SECOND]


def test_lazy_gang_preempts_nobody_in_vain_and_the_last_placed_among_equals():
    # Job 3 needs 3: job 1 is preemptable only from 9 s on, job 2 alone gives 2. So nothing happens before 9 s, and
    # job 4, which would fit beside nobody, waits behind. At 9 s job 2 (placed last) goes first, then job 1.
    jobs = (
        classed("long", 9, 0, 20, 2),
        classed("long", 0, 0, 20, 2),
        classed("short", 100, 1, 5, 3),
        classed("long", 0, 1, 1, 1),
    )
    schedule = lazy(jobs)
    assert times(schedule)[2] == (9, 14)
    assert schedule.jobs["preemptions"].to_list() == [1, 1, 0, 0]
    # At 9 s job 1, preempted last, heads the queue and does not fit beside job 3: nobody else starts.
    assert times(schedule) == [(0, 25), (0, 25), (9, 14), (25, 26)]


def test_lazy_gang_takes_the_class_from_the_estimate_where_none_is_given():
    jobs = (asked(0, 50, 4), asked(0, 10, 4), asked(0, 1, 4))
    schedule = lazy(jobs, short_s=2.0, medium_s=20.0)
    # Job 3 is short: it preempts the long job at 2 s; job 1 heads the queue, job 2 is medium and overdue at 5 s.
    assert times(schedule) == [(0, 61), (5, 15), (2, 3)]
    assert schedule.jobs["preemptions"].to_list() == [2, 0, 0]


CALLS = (
    "dhc",
    "dhc(slice_s=0.0, selective_disabling=False)",
    "dhc(slice_s=7.0, alternative=False)",
    "equipartition",
    "equipartition(reconfiguration_cost_s=3.0)",
    "folding",
    "folding(reconfiguration_cost_s=3.0)",
    "compression",
    "compression(reconfiguration_cost_s=3.0)",
    "static_partitioning",
    "static_partitioning(partitions=3, cut='halves')",
    "lazy_gang",
    "lazy_gang(short_wait_s=5.0, medium_wait_s=20.0, long_wait_s=60.0)",
    "lazy_gang(short_wait_s=0.5, medium_wait_s=0.5, long_wait_s=0.5, run_s_per_mb=0.0, medium_s=181.0)",
    "gang(partitions=3, level=2)",
    "gang(partitions=2, level=3, backfill='head', name_processors=False)",
    "gang(partitions=2, packing='first_fit_decreasing', level='unlimited', slice='fixed', fill=True)",
    "gang(sizing='efficiency', level=2, backfill='all')",
)


def drawn(seed: int) -> Workload:
    """Draw a workload of all kinds of jobs on a machine of 4 to 40 processors."""
    draw = random.Random(seed)
    machine = draw.choice((4, 7, 13, 16, 40))
    jobs, submit = [], 0.0
    for _ in range(draw.randint(1, 50)):
        submit += draw.choice((0, 0, draw.random() * 30, draw.random() * 400))
        size = draw.randint(1, machine + (draw.random() < 0.1))
        runtime = draw.random() * 200 + 0.01
        bounds = {"size_min": draw.randint(1, size), "size_max": draw.randint(size, max(size, machine))}
        estimate = round(runtime * draw.choice((0.7, 1, 1.5)) * SECOND)
        flexibility = draw.choice(("rigid", "moldable", "malleable"))
        jobs.append(
            asked(submit, runtime, size, flexibility, estimate_us=estimate, memory_kb=draw.randint(0, 60), **bounds)
        )
    return workload_of(machine, *jobs)


@pytest.mark.parametrize("call", CALLS)
def test_drawn_schedules_are_legal(call):
    for seed in range(25):
        legal(drawn(seed), call)


def instants(schedule: Schedule) -> list[pl.DataFrame]:
    """Give the intervals in force from each instant on at which one begins."""
    held = schedule.allocations
    begins = held["begin_us"].unique().sort()
    return [held.filter((pl.col("begin_us") <= begin) & (begin < pl.col("end_us"))) for begin in begins]


def test_no_two_malleable_jobs_are_more_than_a_processor_apart_under_equipartition():
    compared = 0
    for seed in range(20):
        workload = drawn(seed)
        malleable = workload.jobs.filter(pl.col("flexibility") == "malleable").select("job", "size_min", "size_max")
        for held in instants(legal(workload, "equipartition")):
            rows = held.join(malleable, on="job").select("processors", "size_min", "size_max").rows()
            free = workload.machine.processors - held["processors"].sum()
            for size, _, most in rows:
                limit = min(most, workload.machine.processors)
                assert size == limit or free == 0
                compared += len(rows) - 1
                assert size == limit or all(other <= size + 1 or other == fewest for other, fewest, _ in rows)
    assert compared > 100


def test_lazy_gang_preempts_only_jobs_that_have_run_their_time_for_jobs_that_have_waited_theirs():
    preempted = 0
    for seed in range(30):
        workload = drawn(seed)
        schedule = legal(
            workload, "lazy_gang(short_wait_s=5.0, medium_wait_s=20.0, long_wait_s=60.0, run_s_per_mb=40.0)"
        )
        memory = dict(workload.jobs.select("job", "memory_kb").rows())
        finish = dict(schedule.jobs.select("job", "finish_us").rows())
        starts = set(schedule.allocations["begin_us"])
        for job, begin, end in schedule.allocations.select("job", "begin_us", "end_us").rows():
            if end != finish[job]:
                preempted += 1
                assert end - begin >= round(memory[job] / 1024 * 40 * SECOND)
                assert end in starts
        ran = schedule.allocations.filter(pl.col("end_us") != pl.col("job").replace_strict(finish))["job"].n_unique()
        assert ran == (schedule.jobs["preemptions"] > 0).sum()
    assert preempted > 50


def test_dhc_gangs_begin_a_block_and_no_processor_idles_that_a_job_could_use_in_a_row():
    filled = 0
    for seed in range(20):
        workload = drawn(seed)
        for held in instants(legal(workload, "dhc")):
            rows: dict[int, set[int]] = {}
            jobs: dict[int, set[int]] = {}
            for job, slot, nodes in held.select("job", "slot", "nodes").rows():
                assert nodes == list(range(nodes[0], nodes[0] + len(nodes)))
                assert nodes[0] % (1 << (len(nodes) - 1).bit_length()) == 0
                rows.setdefault(slot, set()).update(nodes)
                jobs[job] = set(nodes)
            assert sorted(rows) == list(range(len(rows)))
            filled += held.height - len(jobs)
            assert all(taken & nodes for taken in rows.values() for nodes in jobs.values())
    assert filled > 100
