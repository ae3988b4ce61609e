"""Simulated waits beside recorded ones, and grades."""

from dataclasses import replace

import polars as pl
import pytest

import slotwise as sw
from scheduler_core.contracts.companions import CLOSED_HOURS_COLUMNS
from scheduler_core.declarations.policy import get_policy
from scheduler_core.runs.simulation import simulate
from slotwise.planning.validation import Agreement, grade_of, unexplained, validate
from tests.scheduler_core.space_sharing.own_policies import fcfs
from tests.slotwise.planning.small_jobs import HOUR_US, jobs, workload
from traces.ingest import read_log
from traces.shape.selection import only, usable

GOOD = Agreement(
    jobs=1000, weeks=30, recorded_h=4.0, simulated_h=4.0, weekly=0.9, by_job=0.5, covered=0.5, exceeded=0.5
)


@pytest.mark.parametrize(
    ("weekly", "simulated_h", "letter"),
    [
        (0.8, 4.0, "A"),
        (0.8, 5.0, "A"),
        (0.8, 5.1, "B"),
        (0.79, 4.0, "B"),
        (0.5, 8.0, "B"),
        (0.49, 4.0, "C"),
        (0.9, 8.1, "C"),
        (0.9, 1.9, "C"),
        (None, 4.0, "C"),
    ],
)
def test_grades_follow_correlation_and_ratio(weekly, simulated_h, letter):
    found = replace(GOOD, weekly=weekly, simulated_h=simulated_h)
    grade = grade_of(found, found)
    assert grade.letter == letter
    assert grade.licence
    assert grade.name in ("Grade A", "Grade B", "Grade C", "No grade")


def test_hours_are_not_read_where_they_hang_on_a_single_processor():
    assert grade_of(GOOD, replace(GOOD, simulated_h=5.1)).letter == "B"
    assert grade_of(GOOD, replace(GOOD, simulated_h=5.0)).letter == "A"


def test_waits_for_something_else_than_processors_are_not_graded_by_chance_agreement():
    assert (grade_of(GOOD, GOOD, 0.2).letter, grade_of(GOOD, GOOD, 0.21).letter) == ("A", "C")
    assert (
        "21% of the recorded waiting passed while every waiting job would have fitted"
        in grade_of(GOOD, GOOD, 0.21).reason
    )
    far = replace(GOOD, weekly=0.1)
    assert grade_of(far, far, 0.9) == grade_of(far, far)


def waiting_for_nothing(**header):
    """Return a log whose jobs wait for 60 s beside an idle machine."""
    log = workload(
        jobs(*[(100 * number, 10, 1) for number in range(20)], recorded_wait_us=[60 * 10**6] * 20, user=[1] * 20), 4
    )
    return replace(log, provenance={**log.provenance, "header": header})


@pytest.mark.parametrize(
    ("policy", "header", "share"),
    [
        ("easy", {}, 1.0),
        ("easy(user_jobs=1)", {}, 0.0),
        ("easy(user_processor_h=2)", {}, 0.0),
        ("easy(user_jobs=1)", {"GPUJobs": 5}, 1.0),
    ],
)
def test_ceilings_explain_idle_processors_unless_jobs_have_gpus(policy, header, share):
    assert unexplained([waiting_for_nothing(**header)], [get_policy(policy)]) == share


def test_closed_hours_explain_idle_processors():
    log = waiting_for_nothing()
    closed = pl.DataFrame([(1, 0, 0, 10**9)], schema=CLOSED_HOURS_COLUMNS, orient="row")
    queued = log.transformed(log.jobs.with_columns(queue=pl.lit(1, pl.Int32)), {"step": "queue"})
    assert unexplained([replace(queued, companions={"closed_hours": closed})], [get_policy("easy")]) == 0


def test_a_few_weeks_give_no_grade():
    short = replace(GOOD, weeks=9, weekly=None)
    assert grade_of(short, short).letter == ""
    assert "9 weeks" in grade_of(short, short).reason


def test_a_simulation_in_which_nobody_waits_is_no_matter_of_a_short_log():
    """On a machine that is far too large all weekly means are 0, so they have no rank correlation."""
    log = read_log("drawn", processors=100_000)
    grade = validate(log, get_policy("easy"), simulate).grade
    assert grade.letter == "C"
    assert "mean wait 0.00 h simulated" in grade.reason
    assert "rank correlation of weekly means none, as all are equal" in grade.reason


def test_the_policy_that_made_the_waits_of_a_log_is_graded_best():
    """The drawn log was scheduled by EASY in two partitions; fields that its odd lines damage are all that differs."""
    log = usable(only(read_log("drawn"), "partition", [1]), 120)
    found = {name: validate(log, get_policy(name), simulate) for name in ("easy", "fcfs")}
    assert found["easy"].grade.letter == "A"
    assert found["easy"].agreement.by_job > 0.9
    assert found["easy"].agreement.covered > 0.85
    assert found["fcfs"].grade.letter == "C"
    assert found["easy"].ceiling.by_job > found["easy"].agreement.by_job


def test_a_simulation_of_its_own_waits_agrees_wholly():
    table = jobs(*[(number * 1800, 7200, 3) for number in range(400)])
    waits = simulate(workload(table, 4), "easy").jobs.sort("job")
    recorded = table.with_columns(recorded_wait_us=waits["start_us"] - waits["submit_us"])
    agreement = validate(workload(recorded, 4), get_policy("easy"), simulate).agreement
    assert (agreement.ratio, agreement.by_job, agreement.covered, agreement.exceeded) == pytest.approx((1, 1, 1, 0))


def test_a_policy_of_the_user_is_validated_as_what_it_does():
    table = jobs(*[(number * 1800, 7200, 3) for number in range(400)], recorded_wait_us=[HOUR_US] * 400)
    own, ours = (sw.validate(workload(table, 4), policy) for policy in (fcfs, "fcfs"))
    assert own.agreement == ours.agreement


def test_groups_are_means_of_their_jobs():
    table = jobs((0, 3600, 4), (0, 3600, 4), (0, 3600, 4), recorded_wait_us=[0, HOUR_US, 0], user=[1, 1, 2])
    found = validate(workload(table, 4), get_policy("fcfs"), simulate)
    assert found.groups["user"].rows() == [(1, 2, 0.5, 0.5), (2, 1, 0.0, 2.0)]
    assert "queue" not in found.groups
    assert "hour" not in found.groups  # no header says when the log began
