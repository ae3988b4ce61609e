"""Pools are simulated one by one and shown together."""

import polars as pl
import pytest

import slotwise as sw
from scheduler_core.common.errors import ParameterError, StudyError
from scheduler_core.runs.simulation import simulate
from slotwise.planning.pools import PoolAsked, a_pool, baseline_of, log_of, pools_of
from slotwise.planning.scenarios import Scenario, run_pools
from slotwise.planning.simulations import what_if
from slotwise.planning.waits import waits_of
from slotwise.planning.words import site_sentences
from tests.slotwise.cli.command import refused
from tests.slotwise.planning.small_jobs import jobs, workload
from traces.ingest import read_log
from traces.shape.closing import with_closing
from traces.shape.selection import only, usable


def silent(text):
    """Say nothing."""


@pytest.fixture(scope="module")
def drawn():
    return read_log("drawn")


@pytest.fixture(scope="module")
def pools(drawn):
    return pools_of(drawn, [a_pool("partition=1:120"), a_pool("partition=2:8")])


def test_a_pool_is_read_as_it_is_written():
    assert a_pool("partition=1:120") == PoolAsked("partition", (1,), 120)
    assert a_pool("queue=2,5:8:easy(reservations=4)") == PoolAsked("queue", (2, 5), 8, "easy(reservations=4)")
    assert a_pool("queue=2,5:8").name == "queue 2, 5"


@pytest.mark.parametrize(
    "text", ["", "partition", "partition=1", "partition=:8", "user=1:8", "partition=1:", "partition=1,:8", "queue=x:8"]
)
def test_anything_else_is_refused(text):
    with pytest.raises(
        ParameterError, match="--pool: expected the numbers of partitions or queues, and the processors"
    ):
        a_pool(text)


def test_a_name_is_answered_by_where_its_number_stands():
    with pytest.raises(
        ParameterError, match=r"found 'queue=long:8'; the top of an imported log tells .*'; Queue: 1 NAME'"
    ):
        a_pool("queue=long:8")


def test_every_job_waits_as_in_its_pool_alone(drawn, pools):
    outcome = run_pools(pools, Scenario("easy"))
    alone = [simulate(usable(only(drawn, "partition", [one]), size), "easy") for one, size in ((1, 120), (2, 8))]
    waits = pl.concat(waits_of(schedule) for schedule in alone).sort("job")
    assert waits_of(outcome.schedule).sort("job").equals(waits)
    assert outcome.schedule.machine.processors == 128
    assert outcome.certificate.count("legal") == 2


def test_a_machine_grows_in_every_pool(pools):
    outcome = run_pools(pools, Scenario("easy", processors=1.25))
    assert [part.workload.machine.processors for part in outcome.pools] == [150, 10]
    assert outcome.workload.machine.processors == 160


def test_queues_close_in_the_pools_that_have_them(drawn):
    pools = pools_of(drawn, [a_pool("queue=2:40"), a_pool("queue=0,1,3:88")])
    outcome = run_pools(pools, Scenario("easy", closing=(("2", "workdays:8-18"),)))
    assert [len(part.workload.companions.get("closed_hours", ())) > 0 for part in outcome.pools] == [True, False]
    alone = simulate(with_closing(usable(only(drawn, "queue", [2]), 40), {"2": "workdays:8-18"}), "easy")
    assert outcome.pools[0].schedule.jobs["start_us"].equals(alone.jobs["start_us"])
    with pytest.raises(StudyError, match="--close: no job is of queue 7; found 2"):
        run_pools(pools, Scenario("easy", closing=(("7", "8-18"),)))


def test_each_pool_has_its_own_policy():
    """Two jobs of the whole pool and a small one that only list scheduling and EASY let pass."""
    table = jobs(*[(0, 3600, 2), (1, 3600, 4), (2, 1800, 2)] * 2, partition=[1] * 3 + [2] * 3).sort("submit_us", "job")
    asked = [a_pool("partition=1:4:fcfs"), a_pool("partition=2:4")]
    log = workload(table, 8)
    base = Scenario(baseline_of(asked, "easy"))
    assert base.label(base) == "FCFS / EASY"
    pools = pools_of(log, asked)
    waits = dict(waits_of(run_pools(pools, base).schedule).select("job", "wait_h").rows())
    assert waits[3] > 1
    assert waits[6] == 0
    found = what_if(log_of(log, pools), "log", base, [Scenario("fcfs")], silent, "mean_wait", pools=pools)
    assert found.results[0].mean_wait_h > found.baseline.mean_wait_h


def test_the_page_is_of_all_jobs(drawn, pools):
    answer = sw.whatif(drawn, ["conservative"], pools=["partition=1:120", "partition=2:8"])
    found = answer.found
    assert found.baseline.jobs == sum(len(jobs) for jobs in pools.values())
    assert found.validation.grade.letter == "A"
    brackets = [sw.whatif(jobs, ["fcfs"]).found for jobs in pools.values()]
    least = sum(one.bracket.least_wait_h * one.baseline.jobs for one in brackets) / found.baseline.jobs
    assert found.bracket.least_wait_h == pytest.approx(least)
    assert found.bracket.least_wait_h < found.bracket.reached_wait_h < found.baseline.mean_wait_h


def test_pools_that_overlap_are_told(drawn):
    """On real machines pools shared processors, so their sizes may add up to more than the machine."""
    for sizes, told in (((120, 8), 1), ((120, 20), 2)):
        found = pools_of(drawn, [a_pool(f"partition={number}:{size}") for number, size in enumerate(sizes, 1)])
        said = list(site_sentences(log_of(drawn, found), found))
        assert len(said) == told
    assert said[-1].startswith("The pools have 140 processors in all, more than the 128 of the machine")


def test_jobs_outside_all_pools_are_counted(drawn):
    pools = pools_of(drawn, [a_pool("partition=2:8")])
    assert log_of(drawn, pools).provenance["accounting"]["left_out"] == len(drawn) - len(pools["partition 2"])


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--pool", "partition=1:120", "--pool", "partition=1:8"), "--pool: some jobs are in two pools"),
        (("--pool", "partition=1:120", "--pool", "queue=1:8"), "--pool: some jobs are in two pools"),
        (("--pool", "partition=77:8"), "--pool: no job is of 77"),
        (("--pool", "partition=1:300"), "--pool: the machine has 128 processors; found 300"),
        (("--pool", "partition=1:0"), "--pool: partition=1:0 has no processors"),
        (("--pool", "partition=1:8:esay"), "did you mean 'easy'"),
        (("--pool", "partition=1:8", "--usable", "9"), "--usable is for a machine of one pool"),
        (("--pool", "queue=1:8", "--queue-credit", "2=5"), "--queue-credit: no job is of queue 2; found 1"),
    ],
)
def test_wrong_pools_are_refused(words, reason, tmp_path, capsys):
    assert reason in refused(capsys, "whatif", "drawn", "--first", 300, *words, "--out", tmp_path / "page.html")
