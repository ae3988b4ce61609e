"""Lazy gang scheduling on the matrix engine: schedules worked by hand, and what must hold of any."""

import polars as pl
import pytest

from scheduler_core.contracts import Schedule
from tests.scheduler_core.gang.background_schedules import drawn, legal, times, workload_of
from tests.scheduler_core.scenario import SECOND, Asked, asked


def lazy(jobs: tuple[Asked, ...], **more: float) -> Schedule:
    """Run lazy gang scheduling on 4 processors: short jobs wait 2 s at most, medium ones 5, long ones 100."""
    waits = {"short_wait_s": 2.0, "medium_wait_s": 5.0, "long_wait_s": 100.0, **more}
    return legal(workload_of(4, *jobs), f"lazy_gang({', '.join(f'{name}={value}' for name, value in waits.items())})")


def classed(kind: str, megabytes: int, *times_and_size: float) -> Asked:
    """Describe a job of a class that needs memory."""
    submit, runtime, size = times_and_size
    return asked(submit, runtime, int(size), memory=1024 * megabytes, job_class=kind)


def test_lazy_gang_preempts_the_lowest_priority_when_another_has_waited_too_long():
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
    ] == [(0, 6 * SECOND), (6 * SECOND, 14 * SECOND), (14 * SECOND, 20 * SECOND), (20 * SECOND, 28 * SECOND)]
    halved = lazy(jobs, run_s_per_mb=0.5)
    assert halved.allocations.sort("begin_us")["end_us"].to_list()[:2] == [3 * SECOND, 7 * SECOND]


def test_lazy_gang_preempts_no_job_in_vain_and_the_last_placed_among_equals():
    # Job 3 needs 3: job 1 is preemptable only from 9 s on, job 2 alone gives 2. So nothing happens before 9 s, and
    # job 4, which would fit beside no job, waits behind. At 9 s job 2 (placed last) goes first, then job 1.
    jobs = (
        classed("long", 9, 0, 20, 2),
        classed("long", 0, 0, 20, 2),
        classed("short", 100, 1, 5, 3),
        classed("long", 0, 1, 1, 1),
    )
    schedule = lazy(jobs)
    assert times(schedule)[2] == (9, 14)
    assert schedule.jobs["preemptions"].to_list() == [1, 1, 0, 0]
    # At 9 s job 1, preempted last, heads the queue and does not fit beside job 3: no other job starts.
    assert times(schedule) == [(0, 25), (0, 25), (9, 14), (25, 26)]


def test_lazy_gang_takes_the_class_from_the_estimate_where_none_is_given():
    jobs = (asked(0, 50, 4), asked(0, 10, 4), asked(0, 1, 4))
    schedule = lazy(jobs, short_limit_s=2.0, medium_limit_s=20.0)
    # Job 3 is short: it preempts the long job at 2 s; job 1 heads the queue, job 2 is medium and overdue at 5 s.
    assert times(schedule) == [(0, 61), (5, 15), (2, 3)]
    assert schedule.jobs["preemptions"].to_list() == [2, 0, 0]


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


@pytest.mark.parametrize(
    "call",
    [
        "lazy_gang",
        "lazy_gang(short_wait_s=5.0, medium_wait_s=20.0, long_wait_s=60.0)",
        "lazy_gang(short_wait_s=0.5, medium_wait_s=0.5, long_wait_s=0.5, run_s_per_mb=0.0, medium_limit_s=181.0)",
    ],
)
def test_drawn_schedules_of_lazy_gang_are_legal(call):
    for seed in range(25):
        legal(drawn(seed), call)
