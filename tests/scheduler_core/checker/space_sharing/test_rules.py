"""The rules of space sharing, on broken schedules of few jobs."""

from dataclasses import replace

import polars as pl
import pytest

from scheduler_core import simulate
from scheduler_core.checker import check
from scheduler_core.common.errors import ContractError
from scheduler_core.contracts import Cluster, Machine
from tests.scheduler_core.checker.broken_schedules import IDS, broken_rules, held, in_two, jobs, of_job
from tests.scheduler_core.checker.space_sharing.mutations import SECOND, made, workload_of


def test_a_new_allocation_is_no_preemption_and_a_gap_is_one():
    workload, schedule = made("easy")
    rule = "start and finish agree with the allocations"
    assert rule not in broken_rules(workload, in_two(schedule, 1))
    suspended = in_two(schedule, 1, gap_us=1)
    assert rule in broken_rules(workload, suspended)
    assert rule not in broken_rules(workload, of_job(suspended, schedule.allocations["job"][1], preemptions=1))


def test_all_rules_are_applied_to_all_jobs_that_ran():
    assert check(*made("easy")).allocations == 5


def test_slots_share_no_processor_in_space_sharing():
    workload = workload_of([(1, 0, 10, 10, 8), (2, 0, 10, 10, 8)])
    at_once = held(simulate(workload, "fcfs"), begin_us=0, end_us=10 * SECOND)
    rule = "no more processors than the machine has"
    assert rule in broken_rules(workload, at_once)
    assert rule in broken_rules(workload, held(at_once, slot=pl.int_range(pl.len(), dtype=pl.Int32)))


@pytest.mark.parametrize(
    ("clusters", "processor_ids", "broken"),
    [
        ((0, 1), ([0, 1, 2], [3, 4, 5, 6]), set()),
        ((0, 0), ([0, 1, 2], None), {"no more processors than the machine has", "no processor is given twice"}),
        ((0, 2), ([0, 1, 2], None), {"no more processors than the machine has"}),
        ((0, 1), ([1, 2, 3], [3, 4, 5, 6]), {"no processor is given twice"}),
        ((1, 1), ([3, 4, 5], [3, 4, 5, 6]), {"no more processors than the machine has", "no processor is given twice"}),
    ],
)
def test_each_cluster_has_processors_of_its_own(clusters, processor_ids, broken):
    asked = workload_of([(1, 0, 10, 10, 3), (2, 0, 10, 10, 4), (3, 0, 5, 5, 5)])
    made = simulate(asked, "fcfs")
    workload = replace(asked, machine=Machine(clusters=(Cluster(3), Cluster(4))))
    rejected = of_job(made, 3, outcome="rejected", processors=0, start_us=None, finish_us=None)
    rows = made.allocations.filter(pl.col("job") != 3).with_columns(
        cluster=pl.Series(clusters, dtype=pl.Int16), processor_ids=pl.Series(processor_ids, dtype=IDS)
    )
    on = pl.Series([*clusters, 0], dtype=pl.Int16)
    assert broken_rules(workload, jobs(replace(rejected, held=rows), cluster=pl.lit(on))) == broken


@pytest.mark.parametrize("job", [1, 3])
def test_a_job_names_the_cluster_that_it_ran_on(job):
    asked = workload_of([(1, 0, 10, 10, 3), (2, 0, 10, 10, 4), (3, 0, 5, 5, 5)], 4)
    made = simulate(asked, "fcfs")
    assert broken_rules(asked, made) == set()
    assert broken_rules(asked, of_job(made, job, cluster=7)) == {"start and finish agree with the allocations"}


def test_a_table_without_a_column_is_refused():
    workload, schedule = made("easy")
    with pytest.raises(ContractError, match="column 'finish_us' is missing"):
        check(workload, replace(schedule, jobs=schedule.jobs.drop("finish_us")))


def test_violations_are_described_with_their_job():
    workload, schedule = made("easy")
    late = of_job(schedule, 2, start_us=pl.col("start_us") + 1)
    assert "job 2" in check(workload, late).describe()
