"""How pairs run: work to the microsecond, ends of one of the two, partners that come and go, suspension."""

from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import simulate
from scheduler_core.contracts import Schedule
from scheduler_core.coscheduling.work import WHOLE, kernel_time_needed, kernel_work_done, time_needed, work_done
from tests.from_python import from_python
from tests.profiles import searching
from tests.scheduler_core.coscheduling.pair_cases import workload
from tests.scheduler_core.scenario import us

millionths = st.integers(1, 4_000_000)


@searching(200)
@given(length=st.integers(0, 10**14), share=st.integers(1, WHOLE), slowdown=millionths)
def test_work_is_the_time_at_the_speed_and_takes_its_time(length: int, share: int, slowdown: int) -> None:
    speed = Fraction(share, slowdown)
    assert work_done(length, share, slowdown) == int(length * speed)
    assert time_needed(length, share, slowdown) == -int(-length / speed // 1)
    assert work_done(time_needed(length, share, slowdown), share, slowdown) >= length


@pytest.mark.parametrize("numbers", [(10**12, 1000, 10**9), (10**14 + 7, 999_999, 1_000_001), (0, 5, 7), (1, 1, 3)])
def test_kernels_do_the_same_arithmetic(numbers: tuple[int, int, int]) -> None:
    assert from_python(kernel_work_done)(*numbers) == work_done(*numbers)
    assert from_python(kernel_time_needed)(*numbers) == time_needed(*numbers)


def rows(schedule: Schedule, job: int) -> list[tuple[float, float, float, int]]:
    """Return the rows of a job: begin, end (s), slowdown, place."""
    found = schedule.allocations.filter(pl.col("job") == job).sort("begin_us")
    columns = (pl.col("begin_us") / 1e6, pl.col("end_us") / 1e6, pl.col("slowdown_ppm") / 1e6, "slot")
    return found.select(*columns).rows()


def pair(first_s: float, second_s: float, **columns: list[object]) -> Schedule:
    """Let two jobs that slow each other down to 1.4 times run together; the first has four processors, the second three."""
    half = {
        "cpu": [0.5, 0.5],
        "disk": [0.3, 0.2],
        "network": [0.2, 0.3],
        "cpu_phase": [0.1, 0.2],
        "kind": ["cpu", "disk"],
    }
    # c x 0.5 + 2 x 0.2 + 2 x 0.2 with c = 1.2
    jobs = workload(4, (0, first_s, first_s, 4), (0, second_s, second_s, 3), **{**half, **columns})
    return simulate(jobs, "lomarc_fm(weak_load=0.0, short_limit_s=0.0, medium_limit_s=0.0, shared_compatible=1.2)")


def test_equal_jobs_end_at_once() -> None:
    schedule = pair(100, 100)
    assert rows(schedule, 1) == [(0, 140, 1.4, 0)]
    assert rows(schedule, 2) == [(0, 140, 1.4, 1)]


def test_work_of_all_rows_is_the_work_asked_though_speeds_do_not_divide() -> None:
    jobs = workload(
        4,
        *((k * 0.37, 11.1 + k * 0.771, 13 + k, 1 + k % 4) for k in range(40)),
        cpu_phase=[(k * 0.31) % 1 for k in range(40)],
        cpu=[0.61 - 0.3 * (k % 2) for k in range(40)],
        disk=[0.39 + 0.3 * (k % 2) for k in range(40)],
    )
    schedule = simulate(jobs, "lomarc_u1(short_limit_s=0.0)")
    done = schedule.allocations.group_by("job").agg(pl.col("work_us").sum()).sort("job")["work_us"]
    assert schedule.tables["matches"].height > 5
    assert done.to_list() == jobs.jobs["runtime_us"].to_list()


def test_job_whose_partner_has_ended_takes_another_at_once() -> None:
    jobs = workload(
        2,
        (0, 100, 100, 2),
        (0, 20, 20, 2),
        (1, 30, 30, 2),
        kind=["cpu", "disk", "disk"],
        cpu=[1.0, 0.0, 0.0],
        disk=[0.0, 1.0, 1.0],
    )
    schedule = simulate(jobs, "lomarc_u1(weak_load=0.0, short_limit_s=0.0)")
    assert rows(schedule, 2) == [(0, 20, 1.0, 1)]
    assert rows(schedule, 3) == [(20, 50, 1.0, 1)]
    assert rows(schedule, 1) == [(0, 20, 1.0, 0), (20, 50, 1.0, 0), (50, 100, 1.0, 0)]


def test_pair_that_is_slower_than_believed_is_broken_up_and_the_partner_goes_on_later() -> None:
    jobs = workload(
        2,
        (0, 100, 100, 2),
        (0, 100, 100, 2),
        (10, 1000, 1000, 1),
        error_phase=[0.75, 0.75, 0.0],
        kind=["cpu", "disk", "cpu"],
        cpu=[1.0, 0.0, 1.0],
        disk=[0.0, 1.0, 0.0],
    )
    call = "lomarc_u1(weak_load=0.0, short_limit_s=0.0, model_error=1.0, error_side='slower', preempt_above={})"
    together = simulate(jobs, call.format(1.5))
    assert rows(together, 1)[0][:3] == (0, 150, 1.5)
    apart = simulate(jobs, call.format(1.4))
    assert rows(apart, 1) == [(0, 10, 1.5, 0), (10, 10 + 100 - 6.666666, 1.0, 0)]
    assert rows(apart, 2)[0] == (0, 10, 1.5, 1)
    assert rows(apart, 2)[1][0] == rows(apart, 1)[1][1]
    assert apart.jobs["preemptions"].to_list() == [0, 1, 0]
    assert apart.run["counters"]["suspended"] == 1
    assert apart.jobs["start_us"][2] > us(10)  # it joins neither while they are broken up


def test_sharing_kills_no_job_that_is_done_in_its_estimate_alone() -> None:
    schedule = pair(5400, 3600)
    assert schedule.jobs["outcome"].to_list() == ["finished", "finished"]
    assert (schedule.jobs["finish_us"] - schedule.jobs["start_us"] > schedule.jobs["estimate_us"]).all()
