"""Comparing two schedules of the same jobs, one of which may be a foreign one."""

import polars as pl
import pytest

from scheduler_core import simulate
from scheduler_core.checker import check
from scheduler_core.comparison import compare, read_sides
from scheduler_core.errors import ContractError
from scheduler_core.runs import write_run
from scheduler_core.summary import summarise_schedule


@pytest.fixture
def runs(small_workload, tmp_path):
    for policy in ("fcfs", "easy"):
        schedule = simulate(small_workload, policy)
        write_run(tmp_path / policy, [small_workload], [schedule], [check(small_workload, schedule)], "w")
    return tmp_path


def test_a_run_against_itself_is_the_same(runs):
    found = compare(*read_sides(runs / "easy", runs / "easy"))
    assert found["same_start"] == found["jobs_in_both"] == 6
    assert found["first_differences"] == []
    assert found["largest"] is None
    assert all(metric["difference"] == 0 for metric in found["metrics"].values())


def test_what_differs_first_and_most(runs):
    # FCFS starts job 1 at 0, 2 at 100, then 3 to 6 at 150; EASY lets 3 (until 80 <= 120) overtake job 2.
    found = compare(*read_sides(runs / "fcfs", runs / "easy"))
    first = found["first_differences"][0]
    assert first == {"job": 3, "start_a_s": 150.0, "start_b_s": 20.0, "difference_s": -130.0}
    assert found["same_start"] < 6
    assert found["metrics"]["mean_wait_s"]["difference"] < 0


def test_a_foreign_schedule_is_one_side(runs, tmp_path):
    own = pl.read_parquet(runs / "easy" / "jobs.parquet")
    path = tmp_path / "foreign.csv"
    own.select("job", start=pl.col("start_us") / 1e6, end=pl.col("finish_us") / 1e6).write_csv(path)
    for pair in ((path, runs / "easy"), (runs / "easy", path)):
        found = compare(*read_sides(*pair))
        assert found["same_start"] == 6
        assert found["metrics"]["mean_response_s"]["difference"] == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("job,begin,end\n1,0,1\n", "expected the columns job, start, end; found job, begin, end"),
        ("job,start,end\n1,0,1\n2,soon,3\n", "line 3: expected three numbers; found 2, soon, 3"),
        ("job,start,end\n77,0,1\n", "1 jobs are not in the run, the first is 77"),
        ("job,start,end\n1,0,1\n1,0,1\n", "job 1 appears more than once"),
    ],
)
def test_a_foreign_schedule_with_errors(runs, tmp_path, text, words):
    path = tmp_path / "foreign.csv"
    path.write_text(text)
    with pytest.raises(ContractError, match=words):
        read_sides(runs / "easy", path)


def test_two_foreign_schedules_are_one_too_many(tmp_path):
    with pytest.raises(ContractError, match="one side must be a run"):
        read_sides(tmp_path / "a.csv", tmp_path / "b.csv")


def test_only_part_of_the_jobs(runs, tmp_path):
    path = tmp_path / "foreign.csv"
    path.write_text("job, start, end\n1, 0, 100\n2, 100.5, 150.5\n")
    found = compare(*read_sides(runs / "fcfs", path))
    assert (found["jobs_in_both"], found["only_a"], found["only_b"]) == (2, 4, 0)
    assert found["largest"] == {"job": 2, "start_a_s": 100.0, "start_b_s": 100.5, "difference_s": 0.5}


def test_processors_held_in_turns_are_not_counted_twice(small_workload):
    # A job that waits for the turn of its slot holds nothing: the machine is never more than full.
    shared = simulate(small_workload, "gang", slice_s=0.0)
    assert shared.tables["levels"]["level"].max() > 1
    summary = summarise_schedule(shared)
    asked = (small_workload.jobs["size"] * small_workload.jobs["runtime_us"]).sum() / 1e6
    assert summary["utilisation"] * summary["makespan_s"] * 8 == pytest.approx(asked)
