"""Why a job started when it did."""

import json
from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.common.errors import ContractError
from scheduler_core.contracts.companions import COMPANIONS, OUT_OF_USE_COLUMNS
from scheduler_core.decisions.explanation import explain
from scheduler_core.runs.simulation import simulate
from tests.profiles import searching
from tests.scheduler_core.decisions.counting import assert_told, whole
from tests.slotwise.cli.command import refused, run
from tests.slotwise.planning.small_jobs import SECOND_US, jobs, workload

ROWS = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 30), st.integers(1, 4)), min_size=1, max_size=14).map(
    sorted
)


def test_a_job_behind_a_wide_one_is_explained_by_hand():
    """Job 1 holds half the machine until 100. Job 2 wants all of it. Job 3 is long and waits for both; job 4 is backfilled."""
    log = workload(jobs((0, 100, 2), (10, 50, 4), (20, 200, 2), (30, 60, 2)), 4)
    found = explain(log, simulate(log, "easy"), 3)
    assert (found.submit_us, found.start_us) == (20 * SECOND_US, 150 * SECOND_US)
    assert (found.free_at_submission, found.running, found.ahead, found.ahead_size) == (2, [1], [2], 4)
    assert found.overtook == [4]
    assert (found.fitted_first_us, found.fitting_us) == (20 * SECOND_US, (10 + 10) * SECOND_US)
    assert (found.ended, found.free_at_start) == ([2], 4)
    assert {one.change: one.start_us for one in found.alternatives} == {
        "no later job had been submitted": 150 * SECOND_US,
        "all estimates were exact": 150 * SECOND_US,
        "it asked for 1 processor": 150 * SECOND_US,
    }
    said = list(found.sentences())
    assert (
        said[0]
        == "Job 3 waited 2 min 10 s: 1 min 50 s because fewer than 2 processors were free, and 20 s behind the reservation of "
        "job 2."
    )
    assert said[2] == (
        "Submitted on day 0, 00:00:20: 2 of 4 processors are free, 1 job running (1), 1 job ahead in the queue (2), which asks "
        "for 4 processors."
    )
    assert "Meanwhile 1 later job overtook it (4)." in said
    assert (
        said[-1]
        == "It would have started at the same time if no later job had been submitted, if all estimates were exact, "
        "or if it asked for 1 processor."
    )


def test_changes_with_the_same_effect_are_told_together():
    """Job 4 is backfilled by the long estimate of job 1, and keeps two processors from job 3, which wants all four."""
    table = jobs((0, 100, 2), (0, 50, 2), (1, 10, 4), (2, 80, 2))
    log = workload(table.with_columns(estimate_us=pl.Series([200, 50, 10, 80]) * SECOND_US), 4)
    found = explain(log, simulate(log, "easy"), 3)
    assert (found.start_us, found.overtook) == (130 * SECOND_US, [4])
    assert str(found).endswith(
        "It would have started 30 s earlier if no later job had been submitted or if all estimates were exact, and 1 min 20 s "
        "earlier if it asked for 2 processors."
    )


def told(log, policy, job):
    """Return the sentences of an explanation without alternatives."""
    return whole(explain(log, simulate(log, policy), job, alternatives=False))


def test_each_rule_of_backfilling_is_told_with_what_it_depends_on():
    """Jobs 1 and 2 hold three of six processors until 100 and 300. Job 3 wants five: its shadow time is 100."""
    log = workload(jobs((0, 100, 2), (0, 300, 1), (10, 50, 5), (20, 50, 3), (30, 80, 2), (40, 300, 1), (45, 30, 2)), 6)
    schedule = simulate(log, "easy")
    assert schedule.jobs["start_us"].to_list() == [second * SECOND_US for second in (0, 0, 100, 20, 150, 150, 70)]
    found = explain(log, schedule, 3, alternatives=False)
    rules = {one.job: (one.reason.rule, one.reason.head, one.reason.extra) for one in found.overtakings}
    assert rules == {4: ("ends_before", 3, 0), 7: ("ends_before", 3, 0)}


def test_extra_processors_are_told():
    log = workload(jobs((0, 100, 3), (10, 50, 3), (20, 500, 1)), 4)
    found = explain(log, simulate(log, "easy"), 2, alternatives=False)
    assert [(one.reason.rule, one.reason.extra, one.reason.reservation_us) for one in found.overtakings] == [
        ("extra", 1, 100 * SECOND_US)
    ]
    assert (
        "Job 3 started on day 0, 00:00:20: by backfilling; it takes 1 of 1 extra processor beside the reservation of job 2 on "
        "day 0, 00:01:40." in str(found)
    )
    assert "From day 0, 00:00:10 it held a reservation, for day 0, 00:01:40." in str(found)
    assert str(found).endswith("with 3 processors free: it is the first in the order (by submission).")


def test_an_order_a_wait_behind_the_head_and_several_reservations_are_told():
    log = workload(jobs((0, 100, 3), (10, 90, 2), (20, 80, 2), (30, 20, 1)), 4)
    assert "Job 3 started on day 0, 00:01:40: it stands before job 2 in the order (shortest first)." in told(
        workload(jobs((0, 100, 3), (10, 90, 3), (20, 80, 3)), 4), "sjf", 2
    )
    assert "it fits and job 2, the head of the queue, does not" in told(
        log, 'list(order="fcfs", when_blocked="skip")', 2
    )
    assert "it delays no reservation, such as job 2's on day 0, 00:01:40" in told(log, "easy(reservations=2)", 2)
    assert "it delays no reservation" in told(log, "conservative", 2)
    again = explain(log, simulate(log, "conservative"), 2)
    assert "it delays no reservation, such as job 2's on day 0, 00:01:40" in whole(again)


def test_standstills_and_credits_of_the_workload_are_told():
    table = jobs((0, 10, 4), (5, 10, 4), (6, 10, 4), credit_us=[0, 0, 60 * SECOND_US])
    still = pl.DataFrame({"begin_us": [8 * SECOND_US], "end_us": [50 * SECOND_US]})
    log = replace(workload(table, 4), companions={"standstills": still})
    said = told(log, "easy", 2)
    assert (
        "A standstill of the machine, from day 0, 00:00:08 to day 0, 00:00:50, takes 42 s of it: no job starts then."
        in said
    )
    assert "Job 3 started on day 0, 00:00:50: it stands before job 2 in the order (by submission and credit)." in said
    assert "The order of submission takes it as submitted 1 min earlier: its credit." in told(log, "easy", 3)
    assert "standstill" not in told(workload(table, 4), "easy", 2)


def test_processors_out_of_use_are_told():
    """Job 1 holds two of four processors until 20, and the others are out of use from 1 to 30."""
    out = pl.DataFrame([(SECOND_US, 30 * SECOND_US, 2)], schema=OUT_OF_USE_COLUMNS, orient="row")
    log = replace(workload(jobs((0, 20, 2), (5, 10, 2)), 4), companions={"out_of_use": out})
    assert "For 15 s of it a part of the machine was out of use, at most 2 processors." in told(log, "easy", 2)
    assert explain(log, simulate(log, "easy"), 2).to_dict()["free_at_submission"] == 0
    assert "out of use" not in told(workload(jobs((0, 20, 2), (5, 10, 2)), 4), "easy", 2)


def test_a_job_that_starts_at_once_needs_no_reasons():
    log = workload(jobs((0, 100, 2)), 4)
    found = explain(log, simulate(log, "easy"), 1)
    assert (found.wait_us, found.alternatives) == (0, [])
    assert found.answer() == "Job 1 started at once."


def test_a_job_that_overtakes_as_it_comes_is_told_by_which_rule():
    log = workload(jobs((0, 100, 2), (10, 90, 3), (20, 80, 2)), 4)
    said = list(explain(log, simulate(log, "easy"), 3).sentences())
    assert (said[0], said[-1]) == (
        "Job 3 started at once.",
        "It overtook job 2: by backfilling; its estimate of 1 min 20 s ends on day 0, 00:01:40, no later than the start of the "
        "reservation of job 2 on day 0, 00:01:40.",
    )


@given(ROWS, st.sampled_from(["fcfs", "easy", "conservative", "sjf"]))
@searching(60)
def test_what_is_told_is_what_a_count_second_by_second_finds(rows, policy):
    log = workload(jobs(*rows), 4)
    schedule = simulate(log, policy)
    runs = {row["job"]: row for row in schedule.jobs.to_dicts()}
    for number, job in runs.items():
        found = explain(log, schedule, number, alternatives=False)
        assert_told(found)
        begin, start = job["submit_us"] // SECOND_US, job["start_us"] // SECOND_US
        held = [
            sum(
                other["size"]
                for other in runs.values()
                if other is not job and other["start_us"] <= second * SECOND_US < other["finish_us"]
            )
            for second in range(begin, start)
        ]
        fitting = [begin + place for place, used in enumerate(held) if used + job["size"] <= 4]
        assert found.fitting_us == len(fitting) * SECOND_US
        assert found.fitted_first_us == (fitting[0] * SECOND_US if fitting else None)
        earlier = [
            n for n, other in runs.items() if n != number and (other["submit_us"], n) < (job["submit_us"], number)
        ]
        assert set(found.ahead) == {n for n in earlier if runs[n]["start_us"] > job["submit_us"]}
        assert set(found.overtook) == {
            n for n, other in runs.items() if n != number and n not in earlier and other["start_us"] < job["start_us"]
        }


def test_alternatives_are_simulations_of_the_changed_jobs():
    rows = [(0, 100, 3), (5, 80, 4), (10, 40, 4), (20, 30, 2), (25, 30, 1)]
    table = jobs(*rows).with_columns(estimate_us=jobs(*rows)["estimate_us"] * 3)
    log = workload(table, 4)
    found = explain(log, simulate(log, "easy"), 4)
    exact = workload(table.with_columns(estimate_us=table["runtime_us"]), 4)
    starts = {one.change: one.start_us for one in found.alternatives}
    assert starts["all estimates were exact"] == simulate(exact, "easy").jobs.sort("job")["start_us"][3]
    earlier = workload(table.head(4), 4)
    assert starts["no later job had been submitted"] == simulate(earlier, "easy").jobs.sort("job")["start_us"][3]
    assert set(starts) == {
        *("no later job had been submitted", "its own estimate were exact", "all estimates were exact"),
        "it asked for 1 processor",
    }


def test_a_policy_of_ones_own_given_as_a_function_is_explained_without_running_it_again():
    def narrow_first(now, waiting, running, free):
        return [job for job in sorted(waiting, key=lambda job: job.size)[:1] if job.size <= free]

    log = workload(jobs((0, 10, 4), (1, 10, 4)), 4)
    found = explain(log, simulate(log, narrow_first), 2)
    assert found.answer() == "Job 2 waited 9 s because fewer than 4 processors were free."
    assert found.alternatives == []
    assert "The policy was not run on changed jobs: " in str(found)


def test_what_cannot_be_explained_is_refused():
    log = workload(jobs((0, 10, 2), (1, 10, 8)), 4)
    schedule = simulate(log, "easy")
    with pytest.raises(ContractError, match="the run has no job 7; its 2 jobs are numbered 1 to 2"):
        explain(log, schedule, 7)
    with pytest.raises(ContractError, match="job 2 never started: it is rejected"):
        explain(log, schedule, 2)
    foreign = replace(schedule, family=replace(schedule.family, name="other", label="Other sharing"))
    with pytest.raises(ContractError, match="there are no explanations of other sharing"):
        explain(log, foreign, 1)


def test_the_command_tells_a_run_in_words_and_as_json(tmp_path, capsys):
    assert run("simulate", "drawn", "--first", 2000, "--policy", "easy", "--out", tmp_path / "run") == 0
    capsys.readouterr()
    assert run("explain", tmp_path / "run", "--job", 1500) == 0
    assert capsys.readouterr().out.startswith("Job 1500 started at once.\nIt asks for ")
    assert run("explain", tmp_path / "run", "--job", 1500, "--log", "drawn", "--json") == 0
    assert json.loads(capsys.readouterr().out)["job"] == 1500
    assert run("explain", tmp_path / "run") == 0
    table = pl.read_parquet(tmp_path / "run" / "jobs.parquet")
    waits = table.select("job", wait=pl.col("start_us") - pl.col("submit_us"))
    longest = waits.filter(pl.col("wait") == pl.col("wait").max())["job"].min()
    assert capsys.readouterr().out.startswith(f"Job {longest} has the longest wait.\nJob {longest} waited ")
    assert "no job 99999" in refused(capsys, "explain", tmp_path / "run", "--job", 99_999)
    assert "no replication 3" in refused(capsys, "explain", tmp_path / "run", "--job", 1, "--replication", 3)


@pytest.mark.parametrize(
    ("table", "rows", "asks", "words"),
    [
        ("standstills", (8, 50), "name the workload with --log", ["standstill", "takes 42 s of it: no job starts then"]),
        ("closed_hours", (1, 0, 8, 50), "slotwise ingest LOG --closed-hours",
         ["losed hours kept it", "Closed hours kept it for 42 s", "because hours were closed to it"]),
    ],
)  # fmt: skip
def test_the_command_takes_what_a_site_does_from_the_workload_and_asks_for_it(
    tmp_path, capsys, table, rows, asks, words
):
    """Job 2 waits for room until 10, then until 50: for jobs to start again, or for its queue to open."""
    *whom, begin, end = rows
    site = pl.DataFrame([(*whom, begin * SECOND_US, end * SECOND_US)], schema=COMPANIONS[table].columns, orient="row")
    log = replace(workload(jobs((0, 10, 4), (5, 10, 4), queue=[2, 1]), 4), companions={table: site})
    log.write(tmp_path / "w.parquet")
    assert run("simulate", tmp_path / "w.parquet", "--policy", "easy", "--out", tmp_path / "run") == 0
    capsys.readouterr()
    assert run("explain", tmp_path / "run", "--job", 2) == 0
    without = capsys.readouterr()
    assert asks in without.err
    assert words[0] not in without.out
    assert run("explain", tmp_path / "run", "--job", 2, "--log", tmp_path / "w.parquet") == 0
    given = capsys.readouterr()
    assert all(word in given.out for word in words)
    assert not given.err
