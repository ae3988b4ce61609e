"""The checker's own reading of slices of classes, by hand; and schedules it must pass."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from scheduler_core.checker import check
from scheduler_core.checker.slices.evidence import LONG, MEDIUM, SHORT, class_time, covered
from scheduler_core.checker.slices.layout import is_night, shares
from scheduler_core.checker.slices.promises import least_slices, worst_finish
from scheduler_core.common.errors import ContractError, ParameterError
from scheduler_core.contracts import ALLOCATIONS_COLUMNS, Machine, Workload
from scheduler_core.declarations.policy import get_policy
from scheduler_core.slices.family import SLICES_COLUMNS, TABLES
from tests.scheduler_core.checker.broken_schedules import said, table
from tests.scheduler_core.checker.slices.mutations import made
from tests.scheduler_core.checker.slices.random_slices import ASKED, GROUPS, SMALL, S, random_slices, random_workload

HOUR = 3600 * S


def time_of(slices=(), asked=(), runs=(), **parameters):
    """Read slices (class, begin, work, end), jobs and runs (job, begin, end, class) in seconds."""
    rows = [(0, begin * S, end * S, kind, (work - begin) * S) for kind, begin, work, end in slices]
    jobs = [(job, submit * S, run * S, run * S, size, None) for job, submit, run, size in asked]
    held = [(job, begin * S, end * S, 1, [0], 0, slot, 1.0, (end - begin) * S) for job, begin, end, slot in runs]
    return class_time(
        pl.DataFrame(jobs, schema=ASKED, orient="row"),
        pl.DataFrame(held, schema=ALLOCATIONS_COLUMNS, orient="row"),
        8,
        pl.DataFrame(rows, schema=SLICES_COLUMNS, orient="row"),
        get_policy("pect", **{**SMALL, **parameters}).values(),
    )


TWO_INTERVALS = [
    ("short", 0, 3, 13),
    ("medium", 13, 16, 40),
    ("long", 40, 43, 120),
    ("medium", 240, 243, 270),
    ("long", 270, 273, 360),
]


def test_class_clocks_stand_still_outside_the_work_of_their_slices():
    time = time_of(TWO_INTERVALS)
    instants = np.array([0, 3, 5, 13, 16, 40, 100, 243, 250, 270, 400]) * S
    clocks = [time.clock(np.full(len(instants), kind), instants) // S for kind in (SHORT, MEDIUM, LONG)]
    assert clocks[SHORT].tolist() == [0, 0, 2, 10, 10, 10, 10, 10, 10, 10, 10]
    assert clocks[MEDIUM].tolist() == [0, 0, 0, 0, 0, 24, 24, 24, 31, 51, 51]
    assert clocks[LONG].tolist() == [0, 0, 0, 0, 0, 0, 57, 77, 77, 77, 164]


def test_a_clock_is_first_reached_where_its_slice_worked_last():
    time = time_of(TWO_INTERVALS)
    clocks = np.array([1, 24, 25, 51, 52]) * S
    reached = time.time_of(np.full(5, MEDIUM), clocks)
    assert (reached[:4] // S).tolist() == [17, 40, 244, 270]
    assert reached[4] == 2**62


def test_a_slice_works_until_before_its_end():
    time = time_of(TWO_INTERVALS)
    instants = np.array([15, 16, 39, 40, 243]) * S
    assert time.works_at(np.full(5, MEDIUM), instants).tolist() == [False, True, True, False, True]


def test_what_a_job_has_run_counts_its_runs_up_to_an_instant():
    asked = [(1, 0, 90, 1), (2, 0, 60, 1), (3, 0, 9, 9)]
    time = time_of(TWO_INTERVALS, asked, [(2, 16, 40, 1), (2, 243, 250, 1), (1, 3, 13, 0)])
    instants = np.array([0, 16, 20, 40, 100, 245, 300]) * S
    done = time.done(np.full(7, time.column("job").tolist().index(2)), instants) // S
    assert done.tolist() == [0, 0, 4, 24, 24, 26, 31]
    assert time.column("job").tolist() == [1, 2]  # the third is larger than the machine
    first = time.done(np.full(3, time.column("job").tolist().index(1)), np.array([3, 7, 99]) * S) // S
    assert first.tolist() == [0, 4, 10]


def test_ranges_are_covered_once():
    assert covered(np.array([5, 1, 2, 9]), np.array([6, 3, 2, 8])).tolist() == [1, 2, 3, 5, 6]
    assert covered(np.array([4]), np.array([3])).tolist() == []


@pytest.mark.parametrize(
    ("begins", "ends", "hours"), [(20, 6, [20, 21, 22, 23, 0, 1, 2, 3, 4, 5]), (1, 4, [1, 2, 3]), (22, 0, [22, 23])]
)
def test_the_night_may_go_over_midnight(begins, ends, hours):
    time = time_of(night_share_medium=0.5, night_share_long=0.25, night_begins_h=begins, night_ends_h=ends)
    day = np.arange(24)
    assert day[is_night(time, 48 * HOUR + day * HOUR)].tolist() == sorted(hours)
    medium, long = shares(time, np.array([hours[0], 12]) * HOUR)
    assert (medium.tolist(), long.tolist()) == ([500_000, 265_000], [250_000, 730_000])


def test_the_least_of_an_interval_is_the_lesser_of_day_and_night():
    # 120 s less three switches of 3 s and 30 s of short jobs leave 81 s: 54 s and 27 s by night, 27 s and 54 s by day
    shares = {"share_medium": 0.25, "share_long": 0.5, "night_share_medium": 0.5, "night_share_long": 0.25}
    length, offset = least_slices(time_of(**shares))
    assert (length // S).tolist() == [30, 27, 27]
    assert (offset // S).tolist() == [3, 36, 93]


@pytest.mark.parametrize(
    ("kind", "made", "clock", "finish"),
    [
        # In the interval that is laid out: the medium slice works from 16 s to 40 s.
        (MEDIUM, 1, 20, 36),
        (MEDIUM, 1, 24, 40),
        # One second is left for the worst case: in the next interval medium jobs get 27 s from 36 s on.
        (MEDIUM, 1, 25, 120 + 36 + 1),
        (MEDIUM, 1, 24 + 27, 120 + 36 + 27),
        (MEDIUM, 1, 24 + 28, 240 + 36 + 1),
        (LONG, 1, 77 + 55, 240 + 66 + 1),
        (SHORT, 1, 10 + 61, 360 + 3 + 1),
        # Made as an interval begins that is not laid out yet.
        (MEDIUM, 0, 1, 36 + 1),
        (SHORT, 0, 30, 33),
    ],
)
def test_the_worst_case_by_hand(kind, made, clock, finish):
    time = time_of(TWO_INTERVALS[:3], share_medium=0.25, share_long=0.5)
    promises = pl.DataFrame({"made_us": [made * S], "kind": [kind], "clock_us": [(clock - 1) * S], "estimate_us": [S]})
    assert worst_finish(time, promises, laid_out=False).tolist() == [finish * S]


SETTINGS = {
    "own slices only": ("pect", {"smart": False}),
    "lent": ("pect", {}),
    "without guard": ("pect", {"guard": False}),
    "easy": ("pect", {"backfilling": "easy"}),
    "no switch": ("pect", {"switch_s": 0.0}),
    "nights": ("pect", {"night_share_medium": 0.6, "night_share_long": 0.2, "night_begins_h": 0, "night_ends_h": 1}),
    "groups": ("pect_o", {"select": "slowdown"}),
    "groups, placed": ("pect_o", {"smart": False}),
    "groups, own slices only": ("pect_o", {"smart": False, "dynamic": False}),
    "groups, first level, no switch": ("pect_o", {"second_level": False, "switch_s": 0.0}),
}


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("seed", range(6))
def test_whatever_a_policy_may_do_is_legal(name, seed):
    policy, parameters = SETTINGS[name]
    workload = random_workload(seed, gap_s=(10, 25, 60)[seed % 3])
    certificate = check(workload, random_slices(workload, seed, policy, **parameters))
    assert certificate.legal, certificate.describe()


def test_a_run_of_no_jobs_is_legal():
    empty = random_workload(0, jobs=0)
    assert check(empty, random_slices(empty)).legal
    rejected = Workload(pl.DataFrame([(1, 0, S, S, 17, None)], schema=ASKED, orient="row"), Machine(16))
    assert check(rejected, random_slices(rejected, name="pect_o", **GROUPS)).legal


@pytest.mark.parametrize("name", TABLES)
def test_all_tables_are_needed(name):
    workload, schedule = made("own")
    tables = {other: rows for other, rows in schedule.tables.items() if other != name}
    with pytest.raises(ContractError, match=f"the table '{name}' is missing; found"):
        check(workload, replace(schedule, tables=tables))


@pytest.mark.parametrize("name", TABLES)
def test_tables_without_a_column_or_a_value_are_refused(name):
    workload, schedule = made("groups")
    column = list(TABLES[name].columns)[-1]
    with pytest.raises(ContractError, match=f"{name} table: column '{column}' is missing"):
        check(workload, table(schedule, name, schedule.tables[name].drop(column)))
    with pytest.raises(ContractError, match=f"{name} table: column '{column}' has no value in 1 of"):
        check(workload, said(schedule, name, **{column: None}))


def test_a_note_without_the_parameters_is_refused():
    workload, schedule = made("own")
    policy = {"name": "pect", "parameters": {}}
    with pytest.raises(ParameterError, match=r"gives every parameter of pect; missing: .*short_limit_s"):
        check(workload, replace(schedule, run={**schedule.run, "policy": policy}))
