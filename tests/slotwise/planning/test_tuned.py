"""Tuning finds the option that is clearly best, and says so when nothing helps."""

import numpy as np
import pytest
import yaml

import slotwise as sw
from scheduler_core.common.errors import ParameterError
from slotwise.planning.scenarios import Scenario, run_scenario
from slotwise.planning.simulations import what_if
from slotwise.planning.tuned import Setting, tune
from slotwise.planning.words import answer_sentences, tuned_sentences
from tests.slotwise.cli.command import run
from tests.slotwise.planning.small_jobs import jobs, workload
from tests.traces.swf_lines import line

HOUR = 3600
WEEK = 7 * 24 * HOUR
WEEKS, BURST = 24, 20
PROCESSORS = 4


def silent(text):
    """Say nothing."""


def bursts(run_hours, **columns):
    """Return jobs of the whole machine, a burst at the beginning of each week: ``run_hours(week)`` are their run times."""
    rows = [(week * WEEK + place, int(HOUR * hours), 4) for week in range(WEEKS) for place, hours in run_hours(week)]
    return workload(jobs(*rows, **columns), PROCESSORS)


def drawn(week):
    return enumerate(np.random.default_rng(week).uniform(1, 8, BURST))


def equal(week):
    return enumerate([5.0] * BURST)


def tuned(log, metric="mean_wait", policy="easy"):
    base = Scenario(policy)
    return tune(log, {"": log}, run_scenario(log, base).schedule, base, metric, silent)


@pytest.mark.parametrize("metric", ["mean_wait", "mean_bounded_slowdown"])
@pytest.mark.parametrize("policy", ["easy", "fcfs"])
def test_the_order_that_is_clearly_best_is_found(metric, policy):
    """Every job takes the whole machine and states its run time, so only the order counts: the shortest first is optimal."""
    found = tuned(bursts(drawn), metric, policy)
    assert found.setting == Setting('easy(order="shortest")')
    assert found.sure
    assert found.even[metric].high < 0.95


def test_equal_jobs_gain_nothing_from_any_option():
    log = bursts(equal)
    found = tuned(log)
    assert (found.setting, found.sure, found.outcome) == (None, False, None)
    page = what_if(log, "log", Scenario("easy"), [Scenario("fcfs")], silent, "mean_wait")
    assert list(tuned_sentences(page)) == [
        f"Of {found.tried} settings tried, none has a lower mean wait than EASY on odd weeks, so nothing helps."
    ]


def test_a_gain_of_odd_weeks_alone_is_no_answer():
    """Jobs differ in odd weeks only, so the order that they prefer changes nothing in even ones."""
    log = bursts(lambda week: drawn(week) if week % 2 else equal(week))
    page = what_if(log, "log", Scenario("easy"), [Scenario("fcfs")], silent, "mean_wait")
    assert page.tuned.setting == Setting('easy(order="shortest")')
    assert not page.tuned.sure
    (said,) = tuned_sentences(page)
    assert "Even weeks do not confirm it" in said
    assert said not in list(answer_sentences(page))


def test_a_queue_of_short_jobs_is_credited():
    """Estimates are all alike, so only the queue tells short jobs from long ones."""
    log = bursts(lambda week: enumerate([9.0] * 8 + [1.0] * 8), queue=([1] * 8 + [2] * 8) * WEEKS)
    log = log.transformed(log.jobs.with_columns(estimate_us=log.jobs["runtime_us"].max()), {"step": "alike"})
    found = tuned(log)
    credit = dict(found.setting.credit)
    assert found.setting.policy == "easy"
    assert credit.get(2, 0) > credit.get(1, 0)
    assert found.sure


def test_a_log_of_one_week_cannot_be_tuned():
    page = what_if(bursts(drawn).first(BURST), "log", Scenario("easy"), [Scenario("fcfs")], silent, "mean_wait")
    assert list(tuned_sentences(page)) == ["Tuning needs jobs in odd and in even weeks; this log has too few weeks."]


def test_an_unknown_metric_is_refused():
    with pytest.raises(ParameterError, match="--tune: expected mean_wait or mean_bounded_slowdown; found 'mean'"):
        tuned(bursts(equal), "mean")


@pytest.fixture
def log(tmp_path):
    """Return a log whose jobs take the whole machine, recorded as shortest first would not have it."""
    rows = [(week * WEEK + place, int(HOUR * hours)) for week in range(WEEKS) for place, hours in drawn(week)]
    lines = [
        line(job=number, submit=submit, wait=-1, runtime=length, allocated=4, requested=4, estimate=length)
        for number, (submit, length) in enumerate(rows, 1)
    ]
    path = tmp_path / "bursts.swf"
    path.write_text("; MaxProcs: 4\n" + "\n".join(lines) + "\n")
    return path


def test_the_page_and_the_answer_have_what_even_weeks_confirm(log, tmp_path, capsys):
    study = ("--study", tmp_path / "bursts")
    words = ("--try", "fcfs", "--tune", "mean_wait", "--out", tmp_path / "page.html", *study)
    assert run("whatif", log, *words) == 0
    confirmed = "On even weeks, which the search did not see, it keeps its lead: mean wait −"
    assert capsys.readouterr().out.count(confirmed) == 1  # in the answer
    page = (tmp_path / "page.html").read_text()
    assert page.count(confirmed) == 2
    assert "No schedule without preemption is below" in page
    assert "Who gains, who pays: EASY (order: shortest) instead of EASY" in page
    assert "Odd weeks chose these options. What follows is of all weeks" in page
    tuned_policy = yaml.safe_load((tmp_path / "bursts" / "study.yaml").read_text())["policies"]["easy-order-shortest"]
    assert tuned_policy == {"uses": "easy", "label": "EASY (order: shortest)", "order": "shortest"}
    answer = sw.whatif(log, ["fcfs"], tune="mean_wait")
    assert any(confirmed in sentence for sentence in answer.sentences)
