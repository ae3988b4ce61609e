"""What a schedule can reach is held against int64 when a workload is made, and the jobs are named."""

from dataclasses import replace

import polars as pl
import pytest

from scheduler_core import simulate
from scheduler_core.common.errors import ContractError
from scheduler_core.common.units import MICROSECONDS, NEVER_US
from scheduler_core.contracts import COMPANIONS, WORKLOAD_COLUMNS, Machine, Workload


def workload(*rows, processors=128):
    """Make a workload of rows (submission, run time, estimate, size), in microseconds."""
    table = [(number, *row) for number, row in enumerate(rows, 1)]
    return Workload(pl.DataFrame(table, schema=WORKLOAD_COLUMNS, orient="row"), Machine(processors))


def test_full_machine_jobs_of_three_hundred_years_do_not_start_at_negative_times():
    century = 9_999_999_999 * MICROSECONDS
    with pytest.raises(
        ContractError, match=r"one after the other, reach 9,999,999,999,000 s.* job 1 \(9,999,999,999 s\)"
    ):
        workload(*[(0, century, century, 128)] * 1000)
    assert len(workload(*[(0, century, century, 128)] * 7)) == 7


def test_time_is_held_to_the_microsecond():
    assert len(workload((0, NEVER_US - 3, 1, 1), (1, 1, 1, 1))) == 2
    with pytest.raises(ContractError, match=r"most of it have job 1 \(4,611,686,018,427 s\), job 2"):
        workload((0, NEVER_US - 2, 1, 1), (1, 1, 1, 1))
    with pytest.raises(ContractError, match="one after the other"):
        workload((NEVER_US - 5, 4, 5, 1))


def beside_others(runtime_us, *, slowdown=1.0, share=None):
    """Make a workload of two jobs with measured slowdowns, and with shares where one is given."""
    rows = [(0, runtime_us, runtime_us, 1)] * 2
    behaviour = [(job, "cpu", 1.0, *[0.0] * 7, 0) for job in (1, 2)]
    shares = [(job, "long", share, 0.9, "local", "nothing", 0) for job in (1, 2)]
    told = {"behaviour": behaviour, "slowdowns": [(0, 0, slowdown)], **({"shares": shares} if share else {})}
    columns = {name: dict(COMPANIONS[name].columns) for name in told}
    tables = {name: pl.DataFrame(rows, schema=columns[name], orient="row") for name, rows in told.items()}
    return replace(workload(*rows), companions=tables)


def test_jobs_that_slow_each_other_down_reach_further():
    assert len(beside_others(NEVER_US // 19)) == 2
    with pytest.raises(ContractError, match="one after the other, and each slowed down by up to 9, reach"):
        beside_others(NEVER_US // 17)
    with pytest.raises(ContractError, match="each slowed down by up to 100, reach"):
        beside_others(NEVER_US // 199, slowdown=100.0)
    assert len(beside_others(NEVER_US // 201, slowdown=100.0)) == 2
    with pytest.raises(ContractError, match="each slowed down by up to 1000, reach"):
        beside_others(NEVER_US // 1999, slowdown=100.0, share=0.1)


def test_estimates_count_as_run_times_do():
    with pytest.raises(ContractError, match="run times or estimates"):
        workload((0, 1, NEVER_US - 1, 1), (0, 1, NEVER_US - 1, 1))


def test_work_is_held_against_int64():
    assert len(workload((0, 2**40, 2**40, 2**22), (0, 2**40, 2**40, 2**22 - 1))) == 2
    with pytest.raises(ContractError, match=r"run times x sizes, added up, reach"):
        workload((0, 2**40, 2**40, 2**22), (0, 2**40, 2**40, 2**22))


def test_the_area_of_a_job_is_held_against_int64_as_orders_multiply_it():
    assert len(workload((0, 1, 2**40, 2**22))) == 1
    with pytest.raises(ContractError, match=r"the estimate \(or run time\) x size of a job reach .* job 1"):
        workload((0, 1, 2**41, 2**22))


def test_idle_time_that_cannot_be_counted_is_refused_and_not_wrapped():
    two_months = 5_000_000 * MICROSECONDS
    alone = workload((0, two_months, two_months, 1), processors=2_000_000)
    with pytest.raises(
        ContractError, match=r"gang counts busy and idle processor-time, and 2,000,000 processors x 5,000,000 s"
    ):
        simulate(alone, "gang", name_processors=False)
    assert simulate(alone.on_machine(1_000_000), "gang", name_processors=False).run["counters"]["idle_us"] > 0
    assert simulate(alone, "easy").jobs.height == 1


def test_a_large_log_is_far_from_the_limits():
    rows = [(second * MICROSECONDS, 50_000 * MICROSECONDS, 86_400 * MICROSECONDS, 500) for second in range(1000)]
    assert len(workload(*rows, processors=93_312)) == 1000
