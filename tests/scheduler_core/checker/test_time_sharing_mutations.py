"""Broken time-shared schedules: for each rule, mutations that must be caught, and by that rule."""

import dataclasses
from functools import cache

import polars as pl
import pytest
from broken_schedules import (
    asked_again,
    at_row,
    counters,
    for_job,
    grown_elsewhere,
    held,
    jobs,
    jobs_called,
    levels,
    moved,
    one_job,
    parameters,
    resized,
    rows_of,
    shifted_work,
    with_interval,
    with_row_in_two,
)
from random_gang import random_gang, random_workload

from scheduler_core.checker import check
from scheduler_core.checker.check import TIME_SHARING_RULES
from scheduler_core.contracts import Machine, Outcome
from scheduler_core.errors import ContractError

KINDS = {
    "plain": {},
    "fixed slices": {"slice": "fixed"},
    "slow switches": {"switch_slows": True},
    "adaptive": {"adapt": True, "reconfiguration_s": 20.0, "reconfiguration_cost_s": 0.01, "level": 4},
    "filling": {"fill": True, "level": 5},
    "memory": {"packing": "memory_fit", "level": 5},
}


@cache
def made(kind):
    """Give a workload and a legal schedule of it."""
    workload = random_workload(4, jobs=60, machine=Machine(16, memory_kb=50), gap_s=60)
    return workload, random_gang(workload, 4, **KINDS[kind])


def broken_rules(workload, schedule):
    return {finding.rule for finding in check(workload, schedule).findings if finding.violations}


FLEXIBILITY = pl.col("flexibility").cast(pl.String)
COPIED = pl.col("begin_us").is_duplicated().over("job")

MUTATIONS = {
    "a job is left out": (
        "every job appears once",
        "plain",
        lambda s: dataclasses.replace(s, jobs=s.jobs.filter(pl.col("job") != 3)),
    ),
    "bounds of a size are moved": (
        "what was asked is unchanged",
        "plain",
        lambda s: jobs(s, size_max=pl.col("size_max") + 1),
    ),
    "a flexible job is called rigid": (
        "what was asked is unchanged",
        "plain",
        lambda s: jobs(s, flexibility=pl.lit("rigid", s.jobs.schema["flexibility"])),
    ),
    "a column of what was asked is lost": (
        "what was asked is unchanged",
        "plain",
        lambda s: dataclasses.replace(s, jobs=s.jobs.drop("memory_kb")),
    ),
    "a job that needs too much memory is called finished": (
        "finished, killed and rejected jobs are the right ones",
        "memory",
        lambda s: jobs(
            s, outcome=for_job(one_job(s, pl.col("memory_kb") > 50), "outcome", pl.lit("finished", Outcome))
        ),
    ),
    "a start before submission": (
        "nobody starts before submission",
        "plain",
        lambda s: held(s, begin_us=for_job(5, "begin_us", pl.lit(0, pl.Int64))),
    ),
    "turn-taking counted as preemption": (
        "start and finish agree with the intervals",
        "plain",
        lambda s: jobs(s, preemptions=for_job(2, "preemptions", pl.lit(1, pl.Int32))),
    ),
    "a job is off its processors for a microsecond": (
        "start and finish agree with the intervals",
        "plain",
        lambda s: with_row_in_two(s, 3, gap_us=1),
    ),
    "a finish that is no interval's end": (
        "start and finish agree with the intervals",
        "plain",
        lambda s: jobs(s, finish_us=pl.col("finish_us") + 1),
    ),
    "an interval of no length": (
        "intervals are sound",
        "plain",
        lambda s: held(s, end_us=for_job(2, "end_us", pl.col("begin_us"))),
    ),
    "an interval of an unknown job": ("intervals are sound", "plain", lambda s: held(s, job=for_job(2, "job", 222))),
    "a job twice in a slot": ("intervals are sound", "filling", lambda s: with_row_in_two(s, 3, gap_us=-1)),
    "copies where the policy makes none": ("intervals are sound", "filling", lambda s: parameters(s, fill=False)),
    "a copy with fewer processors": (
        "a gang is whole",
        "filling",
        lambda s: with_interval(s, rows_of(s, COPIED)[0], processors=pl.col("processors") - 1),
    ),
    "fewer processors named than held": (
        "a gang is whole",
        "plain",
        lambda s: held(s, nodes=for_job(2, "nodes", pl.col("nodes").list.head(pl.col("nodes").list.len() - 1))),
    ),
    "a gap between levels": (
        "levels are without gaps and shares follow from them",
        "plain",
        lambda s: levels(s, begin_us=at_row(2, "begin_us", pl.col("begin_us") + 1)),
    ),
    "levels end before the last finish": (
        "levels are without gaps and shares follow from them",
        "plain",
        lambda s: dataclasses.replace(s, levels=s.levels[:-1]),
    ),
    "levels begin before the first start": (
        "levels are without gaps and shares follow from them",
        "plain",
        lambda s: levels(s, begin_us=at_row(0, "begin_us", pl.col("begin_us") - 1)),
    ),
    "no levels at all": (
        "levels are without gaps and shares follow from them",
        "plain",
        lambda s: dataclasses.replace(s, levels=s.levels.clear()),
    ),
    "neighbours of equal level": (
        "levels are without gaps and shares follow from them",
        "plain",
        lambda s: levels(
            s, level=at_row(1, "level", pl.col("level").shift(1)), share=at_row(1, "share", pl.col("share").shift(1))
        ),
    ),
    "a share that is too large": (
        "levels are without gaps and shares follow from them",
        "plain",
        lambda s: levels(s, share=at_row(1, "share", pl.col("share") + 1e-9)),
    ),
    "switches that ought to slow": (
        "levels are without gaps and shares follow from them",
        "plain",
        lambda s: parameters(s, switch_slows=True),
    ),
    "switches that ought not to slow": (
        "levels are without gaps and shares follow from them",
        "slow switches",
        lambda s: parameters(s, switch_slows=False),
    ),
    "more levels than the policy allows": (
        "levels are without gaps and shares follow from them",
        "plain",
        lambda s: parameters(s, level=2),
    ),
    "a slot that has no turn": (
        "no more slots are held than take turns",
        "plain",
        lambda s: levels(s, level=at_row(0, "level", pl.col("level") - 1)),
    ),
    "a turn for nobody": (
        "no more slots are held than take turns",
        "plain",
        lambda s: levels(s, level=pl.when(pl.col("level") == 0).then(1).otherwise(pl.col("level")).cast(pl.Int32)),
    ),
    "a job in a slot of its own": (
        "no more slots are held than take turns",
        "plain",
        lambda s: held(s, slot=for_job(2, "slot", pl.lit(9, pl.Int32))),
    ),
    "a start off the boundary, slices fixed": (
        "everything begins at a slice boundary",
        "fixed slices",
        lambda s: held(s, begin_us=for_job(7, "begin_us", pl.col("begin_us") + 1)),
    ),
    "a start off the boundary, slices scaled": (
        "everything begins at a slice boundary",
        "plain",
        lambda s: held(s, begin_us=for_job(7, "begin_us", pl.col("begin_us") + 1)),
    ),
    "a level that changes off the boundary": (
        "everything begins at a slice boundary",
        "fixed slices",
        lambda s: levels(s, begin_us=at_row(2, "begin_us", pl.col("begin_us") + 1)),
    ),
    "slices that ought not to grow": (
        "everything begins at a slice boundary",
        "plain",
        lambda s: parameters(s, slice="fixed", slice_s=6.5),
    ),
    "slices that ought to grow": (
        "everything begins at a slice boundary",
        "fixed slices",
        lambda s: parameters(s, slice="scaled"),
    ),
    "a rigid job grows": (
        "sizes are within what a job allows",
        "adaptive",
        lambda s: with_interval(s, rows_of(s, FLEXIBILITY == "rigid")[0], processors=pl.col("processors") + 1),
    ),
    "a moldable job is resized": (
        "sizes are within what a job allows",
        "adaptive",
        lambda s: jobs_called(s, "moldable", rows_of(s, pl.col("processors") != pl.col("processors_before"))[0]),
    ),
    "a job above its most processors": (
        "sizes are within what a job allows",
        "adaptive",
        lambda s: with_interval(
            s, rows_of(s, FLEXIBILITY == "malleable", pl.col("size_max") < 16)[0], processors=pl.lit(16, pl.Int32)
        ),
    ),
    "a job below its fewest processors": (
        "sizes are within what a job allows",
        "adaptive",
        lambda s: with_interval(
            s, rows_of(s, FLEXIBILITY == "malleable", pl.col("size_min") > 1)[0], processors=pl.lit(1, pl.Int32)
        ),
    ),
    "other sizes without adaptation": (
        "sizes are within what a job allows",
        "adaptive",
        lambda s: parameters(s, adapt=False),
    ),
    "the table states another size": (
        "sizes are within what a job allows",
        "adaptive",
        lambda s: jobs(s, processors=for_job(2, "processors", pl.col("processors") + 1)),
    ),
    "running jobs that ought to be left alone": (
        "sizes change only when the policy may resize",
        "adaptive",
        lambda s: parameters(s, resize_running=False),
    ),
    "adaptations too close to each other": (
        "sizes change only when the policy may resize",
        "adaptive",
        lambda s: parameters(s, reconfiguration_s=200.0),
    ),
    "a reconfiguration for nothing": (
        "a reconfiguration costs its stall",
        "adaptive",
        lambda s: held(s, overhead_us=pl.lit(0, pl.Int64)),
    ),
    "a stall nobody caused": (
        "a reconfiguration costs its stall",
        "plain",
        lambda s: held(s, overhead_us=for_job(2, "overhead_us", pl.lit(1, pl.Int64))),
    ),
    "a resizing not counted": ("resizings are counted", "adaptive", lambda s: counters(s, resizings=-1)),
    "processors resized not counted": (
        "resizings are counted",
        "adaptive",
        lambda s: counters(s, resized_processors=1),
    ),
    "a rate that is a trifle too high": (
        "rates follow sizes and speed-up",
        "adaptive",
        lambda s: held(s, rate=for_job(s.allocations["job"][20], "rate", pl.col("rate") * (1 + 1e-9))),
    ),
    "a rigid job that speeds up": (
        "rates follow sizes and speed-up",
        "plain",
        lambda s: held(s, rate=for_job(one_job(s, FLEXIBILITY == "rigid"), "rate", 1.5)),
    ),
    "a turn a microsecond too long": (
        "turns follow the slot clock",
        "plain",
        lambda s: held(s, turn_us=for_job(2, "turn_us", pl.col("turn_us") + 1)),
    ),
    "an interval that ends a slice later": (
        "turns follow the slot clock",
        "plain",
        lambda s: held(s, end_us=for_job(2, "end_us", pl.col("end_us") + 6_000_000)),
    ),
    "a stall longer than the turn": (
        "turns follow the slot clock",
        "adaptive",
        lambda s: held(s, overhead_us=for_job(2, "overhead_us", pl.col("turn_us") + 1)),
    ),
    "a stall below nothing": (
        "turns follow the slot clock",
        "adaptive",
        lambda s: held(s, overhead_us=for_job(2, "overhead_us", pl.lit(-1, pl.Int64))),
    ),
    "work is lost": (
        "work done is work asked",
        "adaptive",
        lambda s: held(s, work_us=for_job(2, "work_us", pl.col("work_us") - 1)),
    ),
    "work moves from one interval to another": (
        "work done is work asked",
        "adaptive",
        lambda s: shifted_work(s, rows_of(s, pl.col("processors") != pl.col("processors_before"))[0], by=3),
    ),
    "work goes on during the stall": (
        "work done is work asked",
        "adaptive",
        lambda s: held(s, overhead_us=pl.col("overhead_us") + 10),
    ),
    "busy time is missed": (
        "busy and idle processor-time add up",
        "plain",
        lambda s: counters(s, busy_us=-1, idle_us=1),
    ),
    "idle time is missed": ("busy and idle processor-time add up", "plain", lambda s: counters(s, idle_us=-1)),
    "time of high load is missed": ("times by load add up", "plain", lambda s: counters(s, high_us=-1)),
    "all in one slot": (
        "no more processors than the machine has",
        "plain",
        lambda s: held(s, slot=pl.lit(0, pl.Int32), nodes=pl.lit(None, pl.List(pl.Int32))),
    ),
    "a processor given twice in a slot": (
        "no processor is given twice",
        "plain",
        lambda s: held(s, slot=pl.lit(0, pl.Int32)),
    ),
    "a processor named twice": (
        "no processor is given twice",
        "plain",
        lambda s: held(
            s,
            nodes=pl.when(pl.col("processors") > 1)
            .then(pl.lit([1] * 16, pl.List(pl.Int32)).list.head("processors"))
            .otherwise("nodes"),
        ),
    ),
    "a processor the machine does not have": (
        "no processor is given twice",
        "plain",
        lambda s: held(s, nodes=for_job(2, "nodes", pl.col("nodes").list.eval(pl.element() + 16))),
    ),
    "a job changes its slot": (
        "nobody migrates",
        "adaptive",
        lambda s: with_interval(s, rows_of(s, pl.col("slot_before").is_not_null())[0], slot=pl.col("slot") + 1),
    ),
    "a job that shrinks goes elsewhere": (
        "nobody migrates",
        "adaptive",
        lambda s: moved(s, resized(s, lambda now, before: (now < before) & (before < 16))),
    ),
    "a job that grows leaves a processor": (
        "nobody migrates",
        "adaptive",
        lambda s: grown_elsewhere(s, resized(s, lambda now, before: (now > before) & (now < 16))),
    ),
    "a copy on other processors": (
        "nobody migrates",
        "filling",
        lambda s: moved(
            s, rows_of(s, COPIED, pl.col("processors_before") == pl.col("processors"), pl.col("processors") < 16)[0]
        ),
    ),
    "jobs need all the memory": (
        "no processor runs out of memory",
        "memory",
        lambda s: held(s, nodes=pl.int_ranges(0, "processors", dtype=pl.Int32)),
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_unbroken_schedules_are_legal(kind):
    certificate = check(*made(kind))
    assert certificate.legal, certificate.describe()
    idle = {finding.rule for finding in certificate.findings if not finding.checked}
    assert idle == ({"no processor runs out of memory"} if kind != "memory" else set())


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_mutation_is_caught(name):
    rule, kind, mutate = MUTATIONS[name]
    workload, schedule = made(kind)
    changed = mutate(schedule)
    if name == "a moldable job is resized":
        workload = asked_again(workload, changed)
    assert rule in broken_rules(workload, changed)


def test_every_rule_has_a_mutation():
    assert {rule for rule, _, _ in MUTATIONS.values()} == set(TIME_SHARING_RULES)


@pytest.mark.parametrize("column", ["turn_us", "overhead_us"])
def test_intervals_without_turns_are_refused(column):
    workload, schedule = made("plain")
    without = dataclasses.replace(schedule, held=schedule.allocations.drop(column))
    with pytest.raises(ContractError, match=f"schedule with levels: column '{column}' is missing"):
        check(workload, without)


def test_levels_without_a_share_are_refused():
    workload, schedule = made("plain")
    with pytest.raises(ContractError, match="levels table: column 'share' is missing"):
        check(workload, dataclasses.replace(schedule, levels=schedule.levels.drop("share")))


@pytest.mark.parametrize("change", [levels, held])
def test_values_that_are_missing_are_refused(change):
    workload, schedule = made("plain")
    gone = change(schedule, end_us=at_row(1, "end_us", None))
    with pytest.raises(ContractError, match="column 'end_us' has no value in 1 of"):
        check(workload, gone)
