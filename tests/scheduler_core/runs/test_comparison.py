"""Comparing two schedules of the same jobs, one of which may be a foreign one."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from scheduler_core import simulate
from scheduler_core.checker import check
from scheduler_core.common.errors import ContractError
from scheduler_core.declarations.words import counted
from scheduler_core.runs.comparison import compare, read_sides
from scheduler_core.runs.folder import write_run
from scheduler_core.runs.summary import summarise_schedule, with_processor_time
from slotwise.cli.main import main
from tests.reports.families.coscheduling import fixture as made
from tests.reports.families.coscheduling.fixture import PAIRS
from traces.shape.applications import Applications, with_applications


def written(folder, workload, policy="easy", name="w", **parameters):
    schedule = simulate(workload, policy, **parameters)
    write_run(folder, [workload], [schedule], [check(workload, schedule)], name)
    return folder


@pytest.fixture
def runs(small_workload, tmp_path):
    for policy in ("fcfs", "easy"):
        written(tmp_path / policy, small_workload, policy)
    return tmp_path


@pytest.fixture
def of_tasks(small_workload):
    return with_applications(small_workload, Applications(mix="Emb"), np.random.default_rng(1))


def write_csv(path, jobs):
    jobs.select("job", start=pl.col("start_us") / 1e6, end=pl.col("finish_us") / 1e6).write_csv(path)
    return path


def own_jobs(folder):
    return pl.read_parquet(folder / "jobs.parquet")


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


def test_jobs_that_only_one_run_ended_are_told(of_tasks, tmp_path, capsys):
    for until_s in (120, 2000):
        written(tmp_path / str(until_s), of_tasks, "cg_gang", until_s=until_s)
    found = compare(*read_sides(tmp_path / "120", tmp_path / "2000"))
    assert found["ended"]["a"] == found["ended"]["both"] < found["ended"]["b"] == 6
    assert main(["compare", str(tmp_path / "120"), str(tmp_path / "2000")]) == 0
    assert "NOTE: metrics of times cover the jobs that ended" in capsys.readouterr().out
    assert main(["compare", str(tmp_path / "120"), str(tmp_path / "120")]) == 0
    assert "NOTE" not in capsys.readouterr().out


def test_jobs_that_only_one_run_started_or_neither_are_not_counted_as_equal(of_tasks, tmp_path, capsys):
    started = {}
    for until_s in (5, 25, 2000):
        folder = written(tmp_path / str(until_s), of_tasks, "cg_gang", until_s=until_s)
        started[until_s] = own_jobs(folder)["start_us"].count()
    few, some, every = started.values()
    assert 0 < few < some < every == 6
    found = compare(*read_sides(tmp_path / "5", tmp_path / "25"))
    assert (found["same_start"], found["started_only_a"], found["started_only_b"]) == (few, 0, some - few)
    assert found["started_in_neither"] == 6 - some
    assert found["metrics"]["did_not_run"] == {"a": 6 - few, "b": 6 - some, "difference": few - some}
    assert main(["compare", str(tmp_path / "5"), str(tmp_path / "25")]) == 0
    said = capsys.readouterr().out
    assert f"{few} of 6 jobs ({few / 6:.2%}) start at the same time in A and B\n" in said
    assert f"{counted(some - few, 'job')} started in B only\n" in said
    assert f"{counted(6 - some, 'job')} started in neither A nor B\n" in said
    assert "largest shift" not in said
    assert main(["compare", str(tmp_path / "2000"), str(tmp_path / "25")]) == 0
    assert f"{counted(6 - some, 'job')} started in A only\n" in capsys.readouterr().out


def test_a_foreign_schedule_is_one_side(runs, tmp_path):
    path = write_csv(tmp_path / "foreign.csv", own_jobs(runs / "easy"))
    for pair in ((path, runs / "easy"), (runs / "easy", path)):
        found = compare(*read_sides(*pair))
        assert found["same_start"] == 6
        assert found["metrics"]["mean_response_s"]["difference"] == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("job,begin,end\n1,0,1\n", "expected the columns job, start, end; found job, begin, end"),
        ("job,start,end\n1,0,1\n2,soon,3\n", "line 3: expected .*; found 2, soon, 3"),
        ("job,start,end\n77,0,1\n", "1 job is not in the run; the first is 77"),
        ("job,start,end\n1,0,inf\n", "line 2: expected .*; found 1, 0, inf"),
        ("job,start,end\n1,nan,1\n", "line 2: expected .*; found 1, nan, 1"),
        ("job,start,end\n1,0,1e11\n", "line 2: expected .*; found 1, 0, 1e11"),
        ("job,start,end\n1.5,0,1\n", "line 2: expected .*; found 1.5, 0, 1"),
        ("job,start,end\n1,,1\n", "line 2: expected .*; found 1, nothing, 1"),
        ("job,start,end\n1,2\n", "line 2: expected .*; found 1, 2, nothing|cannot be read as CSV"),
        ("job,start,end\n", "there is no row under the columns"),
        ("", "cannot be read as CSV"),
        ("job;start;end\n1;0;1\n", "expected the columns job, start, end; found job;start;end"),
        ("job,Job,start,end\n1,1,0,1\n", "cannot be read as CSV"),
        ("job,start,end\n1,0,1\n1,0,1\n", "job 1 has more than one row"),
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


def test_a_run_that_ends_before_its_jobs_is_summed_up_over_its_length_and_by_the_jobs_that_ended(of_tasks):
    whole = simulate(of_tasks, "cg_gang", switch_us=0.0)
    end = whole.jobs["finish_us"].sort()[2] / 1e6  # three jobs have ended then
    part = simulate(of_tasks, "cg_gang", switch_us=0.0, until_s=end)
    found, of_whole = summarise_schedule(part), summarise_schedule(whole)
    assert (found["jobs"], found["unfinished"], found["did_not_run"]) == (3, 3, 0)
    assert (of_whole["jobs"], of_whole["unfinished"]) == (6, 0)
    assert found["makespan_s"] is None
    ended = part.jobs.filter(pl.col("outcome") != "unfinished")
    assert found["mean_response_s"] == pytest.approx((ended["finish_us"] - ended["submit_us"]).mean() / 1e6)
    work = (whole.jobs["size"] * whole.jobs["runtime_us"]).sum() / 1e6
    length = whole.tables["processor_activity"]["end_us"].max() / 1e6
    assert of_whole["utilisation"] == pytest.approx(work / (8 * length))
    computed = part.tables["job_activity"]["compute_ns"].sum() / 1e9
    assert found["utilisation"] == pytest.approx(
        computed / (8 * part.tables["processor_activity"]["end_us"].max() / 1e6)
    )


def test_shared_processors_are_busy_once_and_parted_among_their_jobs():
    used = dict(with_processor_time(made.schedule(PAIRS)).select("job", "processor_us").rows())
    # job 1 has six processors for 127 s; four of them it shares with job 2 for 75 s, two with job 5 for 32 s
    assert used[1] == (6 * 127 - 4 * 75 / 2 - 2 * 32 / 2) * made.SECOND
    assert used[2] == 4 * 75 / 2 * made.SECOND
    assert summarise_schedule(made.schedule(PAIRS))["utilisation"] == pytest.approx(1452 / 1570)
    assert summarise_schedule(made.schedule(made.SHARES))["utilisation"] == pytest.approx(1)
    # the efficiency counts work in time alone, not the processor time that it took
    sums = summarise_schedule(made.schedule(PAIRS))
    asked = (
        made.schedule(PAIRS)
        .jobs.select(pl.min_horizontal("runtime_us", "estimate_us").dot(pl.col("processors")))
        .item()
    )
    assert sums["utilisation_efficiency"] == pytest.approx(asked / (10 * sums["makespan_s"] * made.SECOND))


def broken_rules(side):
    return {finding.rule: finding.examples for finding in side.broken}


def test_a_legal_schedule_from_outside_keeps_every_rule(runs, tmp_path):
    path = write_csv(tmp_path / "legal.csv", own_jobs(runs / "easy"))
    _, side = read_sides(runs / "fcfs", path)
    assert side.findings
    assert not side.broken
    assert not side.warnings


def test_missing_jobs_break_a_rule_and_are_said(runs, tmp_path, capsys):
    part = write_csv(tmp_path / "part.csv", own_jobs(runs / "easy").head(2))
    for known in (runs / "fcfs", runs / "easy"):
        side = read_sides(known, part)[1]
        assert broken_rules(side) == {"every job appears once": tuple(f"job {job} has no row" for job in (3, 4, 5))}
    assert main(["compare", str(runs / "easy"), str(part)]) == 1
    said = capsys.readouterr().out
    assert "WARNING: B: 4 of 6 jobs are missing: the metrics of both sides are over the 2 jobs given" in said
    assert "every job appears once: broken 4 times of 6" in said


def test_jobs_larger_than_the_machine_need_no_row(small_workload, tmp_path):
    small = small_workload.on_machine(4)
    ran = own_jobs(written(tmp_path / "run", small)).filter(pl.col("start_us").is_not_null())
    assert 0 < ran.height < 6
    side = read_sides(tmp_path / "run", write_csv(tmp_path / "ran.csv", ran))[1]
    assert not side.broken
    assert not side.warnings


def test_times_of_another_clock_are_said_loudly(runs, tmp_path, capsys):
    unix = own_jobs(runs / "easy").with_columns(pl.col("start_us", "finish_us") + 10**15)
    path = write_csv(tmp_path / "unix.csv", unix)
    assert main(["compare", str(runs / "easy"), str(path)]) == 0
    assert "WARNING: B: its first start is 31.7 years after the first submission" in capsys.readouterr().out


def test_runs_of_different_jobs_are_not_compared(small_workload, runs, tmp_path, capsys):
    jobs = small_workload.jobs
    moved = jobs.with_columns(submit_us=pl.when(job=6).then(pl.col("submit_us") + 500_000).otherwise("submit_us"))
    wider = jobs.with_columns(size=pl.when(job=6).then(8).otherwise("size").cast(jobs.schema["size"]))
    for other in (moved, wider):
        folder = written(tmp_path / "other", replace(small_workload, jobs=other), name="v.swf")
        assert main(["compare", str(runs / "easy"), str(folder)]) == 2
        said = capsys.readouterr().err
        assert "A is of w (6 jobs), B of v.swf (6 jobs); 1 job of one number with another submission" in said
        assert "the first job 6: in A submitted at" in said
    folder = written(tmp_path / "part", small_workload.first(4))
    with pytest.raises(ContractError, match=r"A is of w \(6 jobs\), B of w \(4 jobs\); 2 jobs in one of them alone"):
        compare(*read_sides(runs / "easy", folder))


def test_runs_of_the_same_jobs_with_other_estimates_or_machines_are_compared(small_workload, runs, tmp_path):
    longer = small_workload.jobs.with_columns(pl.col("estimate_us") * 2)
    for number, other in enumerate((replace(small_workload, jobs=longer), small_workload.on_machine(16))):
        folder = written(tmp_path / str(number), other)
        assert compare(*read_sides(runs / "easy", folder))["jobs_in_both"] == 6


def test_jobs_that_start_before_they_are_submitted_are_found(runs, tmp_path):
    early = own_jobs(runs / "easy").with_columns(pl.col("start_us", "finish_us") - 30_000_000)
    _, side = read_sides(runs / "easy", write_csv(tmp_path / "early.csv", early))
    (rule, examples), *_ = broken_rules(side).items()
    assert rule == "no job starts before its submission"
    assert examples[0] == "job 1, submit 0 s, begin -30 s"


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"finish_us": pl.col("start_us")}, "allocations are sound"),
        ({"finish_us": pl.col("finish_us") + 1_000_000}, "work done is work asked"),
        ({"start_us": pl.lit(60_000_000), "finish_us": 60_000_000 + pl.col("runtime_us")}, "no more processors than"),
    ],
)
def test_other_rules_of_the_checker_apply_too(runs, tmp_path, change, rule):
    path = write_csv(tmp_path / "odd.csv", own_jobs(runs / "easy").with_columns(**change))
    assert any(name.startswith(rule) for name in broken_rules(read_sides(runs / "easy", path)[1]))


def test_beside_gang_scheduling_jobs_may_be_stretched(small_workload, runs, tmp_path):
    written(tmp_path / "gang", small_workload, "gang")
    stretched = own_jobs(tmp_path / "gang").with_columns(pl.col("finish_us") + 5_000_000)
    assert not read_sides(tmp_path / "gang", write_csv(tmp_path / "stretched.csv", stretched))[1].broken
    early = stretched.with_columns(pl.col("start_us") - 1_000_000_000)
    side = read_sides(tmp_path / "gang", write_csv(tmp_path / "early.csv", early))[1]
    assert list(broken_rules(side)) == ["no job starts before its submission"]
