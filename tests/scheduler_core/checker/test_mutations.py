"""The checker itself is tested with broken schedules: for each rule, mutations that must be caught."""

import dataclasses

import polars as pl
import pytest

from scheduler_core import simulate
from scheduler_core.checker import check
from scheduler_core.checker.space_sharing.rules import RULES
from scheduler_core.common.errors import ContractError
from scheduler_core.contracts import WORKLOAD_COLUMNS, Cluster, JobClass, Machine, Outcome, Workload
from tests.scheduler_core.checker.broken_schedules import broken_rules, for_job

SECOND = 1_000_000


def make_workload(rows, processors=8):
    columns = ("job", "submit_us", "runtime_us", "estimate_us", "size")
    table = pl.DataFrame([dict(zip(columns, row, strict=True)) for row in rows], schema=WORKLOAD_COLUMNS, orient="row")
    times = [name for name in columns if name.endswith("_us")]
    return Workload(table.with_columns(pl.col(times) * SECOND), Machine(processors))


@pytest.fixture(scope="module")
def workload():
    # job, submit, run time, estimate, size: job 4 outruns its estimate, job 5 is too large
    return make_workload(
        [(1, 0, 10, 12, 4), (2, 1, 20, 20, 4), (3, 2, 5, 5, 2), (4, 3, 9, 6, 8), (5, 4, 3, 3, 9), (6, 5, 7, 7, 1)]
    )


@pytest.fixture(scope="module")
def schedule(workload):
    return simulate(workload, "easy")


def mutated(schedule, *, jobs=None, allocations=None):
    return dataclasses.replace(
        schedule,
        jobs=schedule.jobs if jobs is None else schedule.jobs.with_columns(**jobs),
        held=schedule.allocations if allocations is None else schedule.allocations.with_columns(**allocations),
    )


def in_two_parts(schedule, gap_us=0):
    """Cut the allocation of job 2 in two: without a gap they follow each other as a change of rate would have them."""
    one = schedule.allocations.filter(pl.col("job") == 2)
    cut, whole = one["begin_us"][0] + SECOND, one["work_us"][0]
    parts = [
        one.with_columns(end_us=pl.lit(cut, pl.Int64), work_us=pl.lit(SECOND, pl.Int64)),
        one.with_columns(begin_us=pl.lit(cut + gap_us, pl.Int64), work_us=pl.lit(whole - SECOND, pl.Int64)),
    ]
    return dataclasses.replace(schedule, held=pl.concat([schedule.allocations.filter(pl.col("job") != 2), *parts]))


def test_a_new_allocation_is_no_preemption_and_a_gap_is_one(workload, schedule):
    rule = "start and finish agree with the allocations"
    assert rule not in broken_rules(workload, in_two_parts(schedule))
    suspended = in_two_parts(schedule, gap_us=1)
    assert rule in broken_rules(workload, suspended)
    counted = mutated(suspended, jobs={"preemptions": for_job(2, "preemptions", pl.lit(1, pl.Int32))})
    assert rule not in broken_rules(workload, counted)


def test_the_unbroken_schedule_is_legal(workload, schedule):
    certificate = check(workload, schedule)
    assert certificate.legal
    assert certificate.allocations == 5
    assert all(finding.checked > 0 for finding in certificate.findings if "given twice" not in finding.rule)


MUTATIONS = {
    "a job is left out": (
        "every job appears once",
        lambda s: dataclasses.replace(s, jobs=s.jobs.filter(pl.col("job") != 3)),
    ),
    "a job appears twice": (
        "every job appears once",
        lambda s: dataclasses.replace(s, jobs=pl.concat([s.jobs, s.jobs.head(1)])),
    ),
    "a job that was not submitted": (
        "every job appears once",
        lambda s: mutated(s, jobs={"job": for_job(3, "job", 33)}),
    ),
    "a shorter job is served": (
        "what was asked is unchanged",
        lambda s: mutated(s, jobs={"runtime_us": pl.col("runtime_us") - 1}),
    ),
    "submission is moved": (
        "what was asked is unchanged",
        lambda s: mutated(s, jobs={"submit_us": for_job(2, "submit_us", pl.lit(0, pl.Int64))}),
    ),
    "a class that is none of the workload's": (
        "what was asked is unchanged",
        lambda s: mutated(s, jobs={"class": pl.lit("short", JobClass)}),
    ),
    "the killed job is called finished": (
        "finished, killed and rejected jobs are the right ones",
        lambda s: mutated(s, jobs={"outcome": for_job(4, "outcome", pl.lit("finished", Outcome))}),
    ),
    "a job that fits is called rejected": (
        "finished, killed and rejected jobs are the right ones",
        lambda s: mutated(s, jobs={"outcome": for_job(1, "outcome", pl.lit("rejected", Outcome))}),
    ),
    "a job that finished is called unfinished": (
        "finished, killed and rejected jobs are the right ones",
        lambda s: mutated(s, jobs={"outcome": for_job(1, "outcome", pl.lit("unfinished", Outcome))}),
    ),
    "a start before submission": (
        "no job starts before its submission",
        lambda s: mutated(s, allocations={"begin_us": for_job(2, "begin_us", pl.lit(0, pl.Int64))}),
    ),
    "the start is not the first allocation's begin": (
        "start and finish agree with the allocations",
        lambda s: mutated(s, jobs={"start_us": pl.col("start_us") + 1}),
    ),
    "the finish is not the last allocation's end": (
        "start and finish agree with the allocations",
        lambda s: mutated(s, jobs={"finish_us": for_job(1, "finish_us", pl.col("finish_us") - 1)}),
    ),
    "a job that runs in two parts": ("a job runs at once to its end", in_two_parts),
    "a preemption that never was": (
        "start and finish agree with the allocations",
        lambda s: mutated(s, jobs={"preemptions": for_job(1, "preemptions", pl.lit(1, pl.Int32))}),
    ),
    "a job without an allocation": (
        "start and finish agree with the allocations",
        lambda s: dataclasses.replace(s, held=s.allocations.filter(pl.col("job") != 6)),
    ),
    "an allocation of no length": (
        "allocations are sound",
        lambda s: mutated(s, allocations={"end_us": for_job(1, "end_us", pl.col("begin_us"))}),
    ),
    "an allocation of an unknown job": (
        "allocations are sound",
        lambda s: mutated(s, allocations={"job": for_job(6, "job", 66)}),
    ),
    "a job runs twice at once": (
        "allocations are sound",
        lambda s: dataclasses.replace(s, held=pl.concat([s.allocations, s.allocations.filter(pl.col("job") == 6)])),
    ),
    "fewer processors than asked": (
        "a rigid job keeps its size",
        lambda s: mutated(s, allocations={"processors": for_job(1, "processors", pl.lit(3, pl.Int32))}),
    ),
    "the table states another size": (
        "a rigid job keeps its size",
        lambda s: mutated(s, jobs={"processors": for_job(1, "processors", pl.lit(5, pl.Int32))}),
    ),
    "a rejected job holds processors": (
        "a rigid job keeps its size",
        lambda s: mutated(s, jobs={"processors": for_job(5, "processors", pl.lit(9, pl.Int32))}),
    ),
    "work is lost": (
        "work done is work asked",
        lambda s: mutated(s, allocations={"work_us": for_job(3, "work_us", pl.col("work_us") - 1)}),
    ),
    "the rate does not give the work": (
        "work done is work asked",
        lambda s: mutated(s, allocations={"rate": for_job(3, "rate", 0.5)}),
    ),
    "a job runs past its kill": (
        "work done is work asked",
        lambda s: mutated(
            s, allocations={name: for_job(4, name, pl.col(name) + 3 * SECOND) for name in ("end_us", "work_us")}
        ),
    ),
    "a node is given twice": (
        "no processor is given twice",
        lambda s: mutated(s, allocations={"processor_ids": pl.int_ranges(0, "processors", dtype=pl.Int32)}),
    ),
    "a node the machine does not have": (
        "no processor is given twice",
        lambda s: mutated(
            s, allocations={"processor_ids": for_job(1, "processor_ids", pl.lit([5, 6, 7, 8], pl.List(pl.Int32)))}
        ),
    ),
    "fewer processor_ids than processors": (
        "no processor is given twice",
        lambda s: mutated(
            s, allocations={"processor_ids": for_job(1, "processor_ids", pl.lit([0, 1], pl.List(pl.Int32)))}
        ),
    ),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_mutation_is_caught(workload, schedule, name):
    rule, mutate = MUTATIONS[name]
    assert rule in broken_rules(workload, mutate(schedule))


def test_too_many_processors_are_caught_even_by_one_tick():
    workload = make_workload([(1, 0, 10, 10, 5), (2, 0, 10, 10, 4)])
    schedule = simulate(workload, "fcfs")
    early = {name: for_job(2, name, pl.col(name) - 1) for name in ("begin_us", "end_us")}
    assert broken_rules(workload, mutated(schedule, allocations=early)) >= {"no more processors than the machine has"}


def test_slots_share_no_processor_in_space_sharing():
    workload = make_workload([(1, 0, 10, 10, 8), (2, 0, 10, 10, 8)])
    schedule = simulate(workload, "fcfs")
    at_once = {name: pl.lit(value, pl.Int64) for name, value in (("begin_us", 0), ("end_us", 10 * SECOND))}
    rule = "no more processors than the machine has"
    assert rule in broken_rules(workload, mutated(schedule, allocations=at_once))
    two_slots = mutated(schedule, allocations={**at_once, "slot": pl.int_range(pl.len(), dtype=pl.Int32)})
    assert rule in broken_rules(workload, two_slots)


@pytest.mark.parametrize(
    ("clusters", "processor_ids", "broken"),
    [
        ((0, 1), ([0, 1, 2], [3, 4, 5, 6]), set()),
        ((0, 0), ([0, 1, 2], None), {"no more processors than the machine has"}),
        ((0, 2), ([0, 1, 2], None), {"no more processors than the machine has"}),
        ((0, 1), ([1, 2, 3], [3, 4, 5, 6]), {"no processor is given twice"}),
        ((1, 1), ([3, 4, 5], [3, 4, 5, 6]), {"no more processors than the machine has", "no processor is given twice"}),
    ],
)
def test_each_cluster_has_processors_of_its_own(clusters, processor_ids, broken):
    asked = make_workload([(1, 0, 10, 10, 3), (2, 0, 10, 10, 4), (3, 0, 5, 5, 5)])
    made = simulate(asked, "fcfs")
    workload = dataclasses.replace(asked, machine=Machine(clusters=(Cluster(3), Cluster(4))))
    rejected = made.jobs.with_columns(
        outcome=for_job(3, "outcome", pl.lit("rejected", Outcome)),
        processors=for_job(3, "processors", pl.lit(0, pl.Int32)),
        **{name: for_job(3, name, None) for name in ("start_us", "finish_us")},
    )
    held = made.allocations.filter(pl.col("job") != 3).with_columns(
        cluster=pl.Series(clusters, dtype=pl.Int16), processor_ids=pl.Series(processor_ids, dtype=pl.List(pl.Int32))
    )
    assert broken_rules(workload, dataclasses.replace(made, jobs=rejected, held=held)) == broken


def test_every_rule_has_a_mutation():
    covered = {rule for rule, _ in MUTATIONS.values()} | {"no more processors than the machine has"}
    assert covered == set(RULES)


def test_a_table_without_a_column_is_refused(workload, schedule):
    with pytest.raises(ContractError, match="column 'finish_us' is missing"):
        check(workload, dataclasses.replace(schedule, jobs=schedule.jobs.drop("finish_us")))


def test_violations_are_described_with_their_job(workload, schedule):
    late = mutated(schedule, jobs={"start_us": for_job(2, "start_us", pl.col("start_us") + 1)})
    assert "job 2" in check(workload, late).describe()
