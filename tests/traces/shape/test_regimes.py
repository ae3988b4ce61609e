"""Usable processors that change from some weeks on: how they are written, and what becomes of the jobs."""

from dataclasses import replace

import polars as pl
import pytest

from scheduler_core.checker import check
from scheduler_core.common.errors import ContractError, ParameterError
from scheduler_core.contracts.companions import OUT_OF_USE_COLUMNS
from scheduler_core.runs.simulation import simulate
from slotwise.planning.validation import narrower
from tests.slotwise.planning.small_jobs import jobs, workload
from traces.shape.load import multiply_load
from traces.shape.regimes import Usable, regime_words, usable_named
from traces.shape.selection import usable
from traces.shape.windows import WEEK_US, from_first_job

WEEK_S = WEEK_US // 10**6
FIRST, LATER = (10, 100, 4), (WEEK_S, 100, 4)
"""A job as wide as the machine in week 0, and one as week 1 begins: submission, run time, size."""


@pytest.mark.parametrize("text", ["124", "124,113@31", "124,113@31,120@40"])
def test_usable_processors_are_written_as_they_are_read(text):
    assert str(usable_named(text)) == text


@pytest.mark.parametrize(
    "text", ["", "0", "-1", "124,0@3", "124,113", "124,113@0", "124,113@8,120@8", "124@3", "12,3@x"]
)
def test_what_is_no_number_of_processors_is_refused_with_an_example(text):
    with pytest.raises(ParameterError, match="124,113@31 for 113 from week 31 on"):
        usable_named(text)


def test_a_job_takes_what_can_be_used_from_its_submission_on():
    """Fewer processors later also narrow earlier jobs, which may still wait then. More processors later do not."""
    log = workload(jobs(FIRST, LATER), 4)
    fewer, more = usable(log, 4, ((1, 3),)), usable(log, 3, ((1, 4),))
    assert (fewer.jobs["size"].to_list(), more.jobs["size"].to_list()) == ([3, 3], [3, 4])
    assert (fewer.machine.processors, more.machine.processors) == (4, 4)
    assert fewer.companions["out_of_use"].select("begin_us", "processors").rows() == [(WEEK_US, 1)]
    assert more.companions["out_of_use"].rows() == [(0, WEEK_US, 1)]
    assert more.provenance["transformations"][-1]["regimes"] == "3,4@1"
    with pytest.raises(ParameterError, match="the machine has 4 processors; found 5"):
        usable(log, 3, ((1, 5),))


def test_one_percent_fewer_processors_are_fewer_in_every_regime():
    """Without it, a job that takes all usable processors would never fit again."""
    log = usable(workload(jobs(FIRST, LATER), 4), 4, ((1, 3),))
    fewer = usable(log, narrower(4))
    assert fewer.jobs["size"].to_list() == [2, 2]
    assert simulate(fewer, "easy").jobs["start_us"].null_count() == 0
    assert simulate(log.on_machine(3), "easy").jobs["outcome"].to_list() == ["rejected", "rejected"]


@pytest.mark.parametrize("policy", ["easy", "conservative", "fcfs"])
def test_later_changes_decide_nothing_before_them(policy):
    log = workload(jobs(*((k * 5000, 9000, 1 + k % 3) for k in range(300))), 4)
    always, changing = usable(log, 3), usable(log, 3, ((1, 4),))
    made, also = (simulate(one, policy).jobs for one in (always, changing))
    before = pl.col("start_us") < WEEK_US
    assert made.filter(before)["start_us"].to_list() == also.filter(before)["start_us"].to_list()
    assert made["start_us"].sum() > also["start_us"].sum()
    assert check(changing, simulate(changing, policy)).legal


def test_changes_move_with_the_jobs():
    log = usable(workload(jobs((WEEK_S, 100, 4), (3 * WEEK_S, 100, 4)), 4), 3, ((2, 4),))
    begin, end = from_first_job(log).companions["out_of_use"].row(0)[:2]
    assert (begin, end) == (0, WEEK_US)
    assert multiply_load(log, 2).companions["out_of_use"]["end_us"].to_list() == [1.5 * WEEK_US]


def test_policies_that_do_not_know_them_refuse():
    log = usable(workload(jobs(FIRST, LATER), 4), 3, ((1, 4),))
    with pytest.raises(ParameterError, match="the workload has processors out of use, which it would not keep"):
        simulate(log, "gang")
    assert simulate(log, "easy").jobs.height == 2


def test_a_table_of_periods_is_in_order_and_without_overlap():
    log = workload(jobs(FIRST), 4)
    for rows in ([(5, 9, 1), (7, 12, 1)], [(5, 5, 1)], [(5, 9, 0)], [(-1, 9, 1)]):
        with pytest.raises(ContractError, match="out_of_use"):
            replace(log, companions={"out_of_use": pl.DataFrame(rows, schema=OUT_OF_USE_COLUMNS, orient="row")})


def test_regimes_are_told_in_percent_and_with_their_day():
    log = workload(jobs(FIRST), 128)
    told = "97 % of the machine can be used (124 of 128 processors), from week 31{} on 88 % (113)"
    assert regime_words(Usable(124, ((31, 113),)), log, 128) == told.format("")
    dated = replace(log, provenance={"clock": {"start_s": 893466664, "utc_offset_s": -25200, "zone": "UTC-7"}})
    assert regime_words(Usable(124, ((31, 113),)), dated, 128) == told.format(" (27 November 1998)")
