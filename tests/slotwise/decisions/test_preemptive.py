"""Runs of preemptive policies: their pictures, where two of them part, and the command."""

import json

import pytest
from hypothesis import given

import slotwise as sw
from scheduler_core.runs.simulation import simulate
from slotwise.decisions.divergence import diverge
from slotwise.decisions.gantt import svg_of
from slotwise.decisions.picture import wait_chart
from tests.paths import PROJECT
from tests.profiles import searching
from tests.scheduler_core.decisions.preemptive.test_explanation import FILE, ROWS, Turns
from tests.scheduler_core.preemptive import preemptive_policies
from tests.slotwise.cli.command import refused, run
from tests.slotwise.planning.small_jobs import SECOND_US, jobs, workload

SHORTEST = preemptive_policies.shortest_remaining

THREE = ((0, 10, 1), (2, 4, 1), (3, 1, 1))


def test_a_picture_shows_the_pieces_of_a_job_and_who_took_its_place():
    """Job 1 runs from 0 to 2 and from 7 to 15; job 2 takes its place, and job 3 that of job 2."""
    log = workload(jobs(*THREE), 1)
    made = sw.simulate(log, SHORTEST)
    chart = wait_chart(made, made.explain(1, alternatives=False))
    strip, below = chart.to_dict()["vconcat"]
    assert [(row["role"], row["begin"], row["until"]) for row in strip["data"]["values"]] == [
        ("job 1", 0, 2),
        ("suspended", 2, 7),
        ("job 1", 7, 7.7),  # a tenth of what is shown follows the last resumption
    ]
    assert strip["title"] == "job 1 runs and is suspended"
    rows = below["layer"][1]["data"]["values"]
    assert {row["job"]: row["role"] for row in rows} == {
        1: "job 1",
        2: "overtook it or took its place",
        3: "overtook it or took its place",
    }
    assert svg_of(chart).startswith("<svg")


def test_a_suspension_in_one_run_alone_is_told_by_hand():
    log = workload(jobs(*THREE), 1)
    found = diverge(sw.simulate(log, "fcfs"), sw.simulate(log, SHORTEST), 1)
    assert str(found).splitlines() == [
        "The runs first differ on day 0, 00:00:02: B starts job 2 and suspends job 1, and A does not.",
        "Job 1 starts on day 0, 00:00 in both.",
        "It finishes on day 0, 00:00:10 in A and on day 0, 00:00:15 in B, 5 s later.",
    ]
    assert found.waiting == (2, "A")
    same = str(diverge(sw.simulate(log, SHORTEST), sw.simulate(log, SHORTEST), 1))
    assert same == "Both runs start every job at the same time, and suspend and resume it at the same times."


def test_a_job_that_only_one_run_suspends_waits_there():
    """One policy suspends job 1 at 4 s and resumes it at 6 s, with no other job in the way."""

    @sw.preemptive
    def resting(now, waiting, running, free):
        if now == 4:
            return [*map(sw.Suspend, running), sw.CallAgain(6)]
        return waiting[:1]

    log = workload(jobs((0, 10, 1), (4, 1, 2)), 2)
    made, plain = sw.simulate(log, resting), sw.simulate(log, "fcfs")
    found = diverge(made, plain, 1)
    assert (found.first.at_us, found.first.suspended) == (4 * SECOND_US, ([1], []))
    assert (diverge(made, plain, 1).waiting, diverge(plain, made, 1).waiting) == ((1, "A"), (1, "B"))


def decisions(schedule):
    """Return the starts, suspensions and resumptions of a schedule."""
    rows = schedule.allocations.select("job", "begin_us", "end_us").rows()
    first = {job: min(begin for other, begin, _ in rows if other == job) for job, *_ in rows}
    last = {job: max(end for other, _, end in rows if other == job) for job, *_ in rows}
    begins = {(begin, job, "starts" if begin == first[job] else "resumes") for job, begin, _ in rows}
    return begins | {(end, job, "suspends") for job, _, end in rows if end < last[job]}


@given(ROWS.map(sorted))
@searching(20)
def test_runs_part_at_the_first_decision_that_differs(rows):
    log = workload(jobs(*rows), 4)
    a, b = simulate(log, SHORTEST), simulate(log, Turns)
    only = [decisions(a) - decisions(b), decisions(b) - decisions(a)]
    found = diverge(a, b, 1)
    if found.first is None:
        assert only == [set(), set()]
        return
    at = min(now for now, *_ in only[0] | only[1])
    assert found.first.at_us == at
    told = zip(("starts", "suspends", "resumes"), zip(*sides_of(found.first), strict=True), strict=True)
    for verb, sides in told:
        for side, jobs_ in zip(only, sides, strict=True):
            assert set(jobs_) == {job for now, job, did in side if (now, did) == (at, verb)}
    assert found.waiting is not None


def sides_of(first):
    """Return what A alone and B alone do: starts, suspensions, resumptions."""
    return [(first.only_a, first.suspended[0], first.resumed[0]), (first.only_b, first.suspended[1], first.resumed[1])]


@pytest.fixture(scope="module")
def ten(tmp_path_factory):
    """Return a folder with the ten jobs of the tutorial under a preemptive policy and under EASY."""
    folder = tmp_path_factory.mktemp("ten")
    for name, policy in (("shortest", f"{FILE}:shortest_remaining"), ("easy", "easy")):
        words = ("simulate", PROJECT / "docs/examples/ten.swf", "--policy", policy, "--out", folder / name)
        assert run(*words) == 0
    return folder


def test_the_command_tells_draws_and_compares(ten, capsys, tmp_path):
    words = ("explain", ten / "shortest", "--job", 2)
    capsys.readouterr()
    assert run(*words, "--compare", ten / "easy", "--picture", tmp_path / "wait.svg") == 0
    said = capsys.readouterr().out
    assert said.startswith("Job 2 started at once, and was suspended once, for 10 min.\n")
    assert "It finishes on day 0, 00:35 in A and on day 0, 00:25 in B, 10 min earlier." in said
    assert "Job 3 waits longer in B:\nJob 3 waited 10 min" in said
    assert "took its place" in (tmp_path / "wait.svg").read_text()
    assert run(*words, "--compare", ten / "easy", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    (one,) = found["suspensions"]
    assert (one["begin_us"], one["end_us"], one["started"]) == (900 * SECOND_US, 1500 * SECOND_US, [3])
    assert found["divergence"]["first"]["suspended"] == [[2], []]
    assert "the run has no job 11; its 10 jobs are numbered 1 to 10" in refused(capsys, *words[:2], "--job", 11)
