"""The checker's own reading of coscheduling, by hand; and schedules it must pass."""

import dataclasses
import random
from contextlib import suppress

import numpy as np
import polars as pl
import pytest

from scheduler_core import simulate
from scheduler_core.checker import check
from scheduler_core.checker.coscheduling.evidence import CoschedulingEvidence, distinct, effective
from scheduler_core.checker.coscheduling.rates import done_in, time_of
from scheduler_core.checker.coscheduling.sharing import largest_within
from scheduler_core.checker.coscheduling.slowdown import FULL
from scheduler_core.checker.evidence import gather
from scheduler_core.common.errors import ContractError
from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload
from scheduler_core.contracts.companions import COMPANIONS
from scheduler_core.coscheduling.family import FAMILY
from scheduler_core.declarations.policy import get_policy
from tests.scheduler_core.checker.broken_schedules import broken_rules, table
from tests.scheduler_core.checker.by_hand import schedule_of
from tests.scheduler_core.checker.coscheduling.mutations import made
from tests.scheduler_core.checker.coscheduling.shared_processors import S, random_workload


def test_work_and_time_go_together_beyond_what_fits_in_a_product():
    length, share, slow = (
        np.array([3 * 10**15, 7, 1]),
        np.array([400_000, 333_333, 1]),
        np.array([1_300_000, 999_999, 3]),
    )
    work = done_in(length, share, slow)
    exact = [int(d) * int(s) // int(by) for d, s, by in zip(length, share, slow, strict=True)]
    assert work.tolist() == exact
    times = [-(-int(w) * int(by) // int(s)) for w, s, by in zip(exact, share, slow, strict=True)]
    assert time_of(work, share, slow).tolist() == times
    assert (time_of(work, share, slow) <= length).all()


def test_effective_shares_are_rounded_up_and_at_most_all():
    shares = effective(np.array([400_000, 333_333, 900_000]), np.array([1_200_000, 1_000_001, 1_300_000]))
    assert shares.tolist() == [480_000, 333_334, FULL]


def test_the_largest_within_ranges():
    draw = np.random.default_rng(1)
    values = draw.integers(0, 50, 37)
    first = draw.integers(0, 36, 200)
    last = np.array([draw.integers(low + 1, 38) for low in first])
    expected = [values[low:high].max() for low, high in zip(first, last, strict=True)]
    assert largest_within(values, first, last).tolist() == expected


def test_numbers_are_told_apart_and_counted():
    assert [each.tolist() for each in distinct(np.array([3, 1, 3, 3, 2, 1]))] == [[1, 2, 3], [2, 1, 3]]
    assert [each.tolist() for each in distinct(np.zeros(0, np.int64))] == [[], []]


# A pair by hand: job 1 (4 processors, 5,400 s) and job 2 (3 processors, 3,600 s) start together, at a slowdown of 1.4;
# job 2 ends after 5,040 s, job 1 has done 3,600 s by then and goes on alone. Job 3 takes the two processors that are left.
ROWS = [
    (1, 0, 5040, 4, (0, 1, 2, 3), 0, 1_400_000, 3600),
    (1, 5040, 6840, 4, (0, 1, 2, 3), 0, FULL, 1800),
    (2, 0, 5040, 3, (0, 1, 2), 1, 1_400_000, 3600),
    (3, 10, 110, 2, (4, 5), 0, FULL, 100),
]
JOBS = [(1, 0, 5400, 4), (2, 0, 3600, 3), (3, 10, 100, 2)]


def by_hand(rows=ROWS, pairs=((0, 1, 2, "waiting"),), processors=6, **parameters):
    """Return the workload of the jobs above, and a schedule of these rows."""
    asked = [(job, submit * S, run * S, run * S, size) for job, submit, run, size in JOBS]
    jobs = pl.DataFrame(asked, schema=WORKLOAD_COLUMNS, orient="row")
    kinds = ["cpu", "disk", "network"]
    fractions = [(0.7, 0.0, 0.3), (0.3, 0.0, 0.7), (0.2, 0.6, 0.2)]  # 2 x 0.3 + 2 x 0.3 is 1.2; with 1.4 / 1.2 it errs
    told = [(n + 1, kinds[n], *fractions[n], 0.0, 0.0, 0.0, 0.4, 0.5, 0) for n in range(3)]
    table = pl.DataFrame(told, schema=COMPANIONS["behaviour"].columns, orient="row")
    cells = pl.DataFrame([(0, 0, 1.4)], schema=COMPANIONS["slowdowns"].columns, orient="row")
    workload = Workload(jobs, Machine(processors), companions={"behaviour": table, "slowdowns": cells})
    held = [
        (job, begin * S, end * S, size, list(ids), 0, place, FULL / slow, work * S, FULL, slow)
        for job, begin, end, size, ids, place, slow, work in rows
    ]
    matches = [
        (at * S, job, other, among, False, 1, 1, 1, 1, 1, 1, 1, 1.0, 1_400_000) for at, job, other, among in pairs
    ]
    policy = get_policy("lomarc", slowdown="table", **parameters)
    run, tables = ("lomarc", policy.values()), {"matches": matches}
    return workload, schedule_of(workload, FAMILY, run, held, tables, {}, preemptions=pl.lit(0))


def test_a_pair_by_hand_is_legal():
    certificate = check(*by_hand())
    assert certificate.legal, certificate.describe()


def test_who_meets_whom_is_read_from_the_processors():
    workload, schedule = by_hand()
    evidence = gather(CoschedulingEvidence, workload, schedule, get_policy("lomarc", slowdown="table"))
    assert evidence.meetings.select("job", "other_job", "share").rows() == [(1, 2, 3), (2, 1, 3)]
    pair = evidence.pairs.row(0, named=True)
    assert (pair["holder"], pair["partner"], pair["formed_us"], pair["until_us"]) == (1, 2, 0, 5040 * S)


@pytest.mark.parametrize(
    ("row", "value", "rule"),
    [
        (3, (3, 10, 110, 2, (3, 4), 0, FULL, 100), "no more jobs share a processor than may"),
        (3, (3, 10, 110, 2, (5, 4), 0, FULL, 100), None),  # in which order they are named says nothing
        (2, (2, 0, 5040, 3, (0, 1, 3), 1, 1_400_000, 3600), "the lowest processors are given"),
        (2, (2, 0, 5040, 3, (1, 2, 4), 1, 1_400_000, 3600), "a partner's processors are the holder's"),
        (1, (1, 5041, 6841, 4, (0, 1, 2, 3), 0, FULL, 1800), "start and finish agree with the allocations"),
        (1, (1, 5040, 6840, 4, (0, 1, 2, 4), 0, FULL, 1800), "a job keeps its processors"),
        (0, (1, 0, 5040, 4, (0, 1, 2, 3), 0, 1_399_999, 3600), "work done is work asked"),
        (0, (1, 0, 5000, 4, (0, 1, 2, 3), 0, 1_400_000, 3600), "rows that share processors begin and end together"),
    ],
)
def test_a_row_changed_by_hand(row, value, rule):
    rows = [*ROWS[:row], value, *ROWS[row + 1 :]]
    found = broken_rules(*by_hand(rows))
    assert rule in found if rule else not found


def test_a_third_job_beside_the_holder_is_too_many_though_no_processor_has_three():
    rows = [*ROWS[:3], (3, 10, 110, 1, (3,), 1, FULL, 100)]
    assert "no more jobs share a processor than may" in broken_rules(*by_hand(rows))


@pytest.mark.parametrize(
    "pairs", [(), ((0, 2, 1, "waiting"),), ((1, 1, 2, "waiting"),), ((0, 1, 3, "waiting"), (0, 1, 2, "waiting"))]
)
def test_the_table_of_matches_has_just_the_pairs(pairs):
    assert "pairs and matches agree" in broken_rules(*by_hand(pairs=pairs))


def test_a_partner_found_among_the_running_seeks_itself():
    assert check(*by_hand(pairs=((0, 2, 1, "running"),))).legal


def test_slowdowns_that_were_not_measured_before_limit_nothing():
    workload = random_workload(12, jobs=70)
    learned = simulate(workload, "scojo_shares", at_once=3, slowdown="table", learns=True, slowdown_limit=1.35)
    note = learned.run["policy"]
    known = {**learned.run, "policy": {**note, "parameters": {**note["parameters"], "learns": False}}}
    rule = "no coscheduled job is slowed down beyond the limit"
    assert rule in broken_rules(workload, dataclasses.replace(learned, run=known))


@pytest.mark.parametrize("word", ["lomarc_u1", "lomarc_pss", "scojo_c3"])
def test_no_broken_schedule_stops_the_checker(word):
    workload, draw = random_workload(3, jobs=50), random.Random(word)
    made = simulate(workload, word)
    for _ in range(60):
        table = draw.choice((made.allocations, made.jobs, *made.tables.values()))
        if table.is_empty():
            continue
        column = draw.choice([name for name, kind in table.schema.items() if kind.is_numeric()])
        value = draw.choice(
            (pl.col(column) + 1, -pl.col(column), pl.lit(0), pl.lit(2**30), pl.col(column).shift(1).fill_null(0))
        )
        here = pl.int_range(pl.len()) == draw.randrange(table.height)
        changed = pl.when(here).then(value).otherwise(pl.col(column)).cast(table.schema[column], strict=False)
        broken = with_table(made, table, table.with_columns(changed.alias(column)))
        with suppress(ContractError):  # what does not fit into a column is no value
            check(workload, broken)


def with_table(schedule, table, other):
    if table is schedule.allocations:
        return dataclasses.replace(schedule, held=other)
    if table is schedule.jobs:
        return dataclasses.replace(schedule, jobs=other)
    tables = {name: other if each is table else each for name, each in schedule.tables.items()}
    return dataclasses.replace(schedule, tables=tables)


@pytest.mark.parametrize("name", ["matches", "offers"])
def test_both_tables_are_needed(name):
    workload, schedule = made("response")
    with pytest.raises(ContractError, match=f"{name} table: column 'slowdown_ppm' is missing"):
        check(workload, table(schedule, name, schedule.tables[name].drop("slowdown_ppm")))
