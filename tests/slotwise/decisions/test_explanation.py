"""Why a job started when it did."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.common.errors import ContractError
from scheduler_core.runs.simulation import simulate
from slotwise.decisions.explained import sentences
from slotwise.decisions.explanation import explain
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
        "all estimates were exact": 150 * SECOND_US,
        "it asked for 1 processors": 150 * SECOND_US,
    }
    said = list(sentences(found))
    assert said[1] == (
        "Submitted on day 0, 00:00:20: 2 of 4 processors are free, 1 job running (1), 1 job ahead in the queue (2), which ask "
        "for 4 processors."
    )
    assert "Meanwhile 1 later job overtook it (4)." in said
    assert said[-1] == "If it asked for 1 processors, it would have started at the same time."


def test_a_job_that_starts_at_once_needs_no_reasons():
    log = workload(jobs((0, 100, 2)), 4)
    found = explain(log, simulate(log, "easy"), 1)
    assert (found.wait_us, found.alternatives) == (0, [])
    assert list(sentences(found))[-1] == "It starts at once."


@given(ROWS, st.sampled_from(["fcfs", "easy", "conservative", "sjf"]))
@settings(max_examples=60)
def test_what_is_told_is_what_a_count_second_by_second_finds(rows, policy):
    log = workload(jobs(*rows), 4)
    schedule = simulate(log, policy)
    runs = {row["job"]: row for row in schedule.jobs.to_dicts()}
    for number, job in runs.items():
        found = explain(log, schedule, number, alternatives=False)
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
    assert set(starts) == {"its own estimate were exact", "all estimates were exact", "it asked for 1 processors"}


def test_what_cannot_be_explained_is_refused():
    log = workload(jobs((0, 10, 2), (1, 10, 8)), 4)
    schedule = simulate(log, "easy")
    with pytest.raises(ContractError, match="the run has no job 7; its 2 jobs are numbered 1 to 2"):
        explain(log, schedule, 7)
    with pytest.raises(ContractError, match="job 2 never started: it is rejected"):
        explain(log, schedule, 2)
    with pytest.raises(ContractError, match="explanations are of space sharing; this is a schedule of gang scheduling"):
        explain(log, simulate(log, "gang"), 1)


def test_the_command_tells_a_run_in_words_and_as_json(tmp_path, capsys):
    assert run("simulate", "drawn", "--first", 2000, "--policy", "easy", "--out", tmp_path / "run") == 0
    capsys.readouterr()
    assert run("explain", tmp_path / "run", "--job", 1500) == 0
    assert capsys.readouterr().out.startswith("Job 1500 asks for ")
    assert run("explain", tmp_path / "run", "--job", 1500, "--log", "drawn", "--json") == 0
    assert json.loads(capsys.readouterr().out)["job"] == 1500
    assert "no job 99999" in refused(capsys, "explain", tmp_path / "run", "--job", 99_999)
    assert "no replication 3" in refused(capsys, "explain", tmp_path / "run", "--job", 1, "--replication", 3)
