"""The checker's own reading of grids, by hand; and schedules it must pass."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from scheduler_core import simulate
from scheduler_core.checker import check
from scheduler_core.checker.grid.predictions import time_to_come
from scheduler_core.checker.slices.evidence import LONG, MEDIUM, SHORT, class_time
from scheduler_core.common.errors import ContractError
from scheduler_core.contracts import ALLOCATIONS_COLUMNS
from scheduler_core.declarations.policy import get_policy
from scheduler_core.grid.family import TABLES
from scheduler_core.runs.folder import check_run, read_run, write_run
from scheduler_core.slices.family import SLICES_COLUMNS
from tests.scheduler_core.checker.broken_schedules import said
from tests.scheduler_core.checker.grid import chain_by_hand, grid_by_hand
from tests.scheduler_core.checker.grid.mutations import made
from tests.scheduler_core.checker.slices.random_slices import ASKED, SMALL, S, random_workload

THIRTY_SEVENTY = {"share_medium": 0.3, "share_long": 0.7}
WITHOUT_SHORT = [("medium", 0, 60, 1104), ("long", 1104, 1164, 3600)]
WITH_SHORT = [("short", 0, 60, 360), ("medium", 360, 420, 1356), ("long", 1356, 1416, 3600)]


def slices(rows):
    """Read slices (class, begin, begin of work, end), in seconds, under SCOJO-PECT with its own lengths."""
    table = [(0, begin * S, end * S, kind, (work - begin) * S) for kind, begin, work, end in rows]
    return class_time(
        pl.DataFrame(schema=ASKED),
        pl.DataFrame(schema=ALLOCATIONS_COLUMNS),
        128,
        pl.DataFrame(table, schema=SLICES_COLUMNS, orient="row"),
        get_policy("pect", **THIRTY_SEVENTY).values(),
    )


def at(second, kind, rows=(), *, laid_out=True):
    return time_to_come(slices(rows), np.array([second * S]), np.array([kind]), laid_out=laid_out)


@pytest.mark.parametrize(
    ("second", "kind", "rows", "laid_out", "length", "finish"),
    [
        # 1044 s of the interval in force, 846 s in the next (from 720 s of it on), 110 s in the one after that.
        (0, MEDIUM, WITHOUT_SHORT, True, 2000, 7200 + 720 + 110),
        (0, MEDIUM, WITHOUT_SHORT, True, 1044, 1104),
        (0, MEDIUM, WITHOUT_SHORT, True, 1045, 3600 + 720 + 1),
        (100, MEDIUM, WITHOUT_SHORT, True, 1004, 1104),
        (2000, MEDIUM, WITHOUT_SHORT, True, 846, 3600 + 720 + 846),
        # An interval that begins then and is not laid out goes by the least a class can get.
        (0, MEDIUM, (), False, 846, 720 + 846),
        (0, LONG, (), False, 1974, 3600),
        # One within which a job comes is laid out without a short slice.
        (10, MEDIUM, (), True, 1044, 1104),
        (10, LONG, (), True, 2436, 3600),
        (10, LONG, (), True, 2437, 3600 + 3600 - 1974 + 1),
        # Short jobs get nothing where there is no short slice.
        (10, SHORT, WITHOUT_SHORT, True, 30, 3600 + 60 + 30),
        (10, SHORT, WITH_SHORT, True, 300, 360),
        (10, SHORT, WITH_SHORT, True, 301, 3600 + 60 + 1),
        (400, LONG, WITH_SHORT, True, 2184, 3600),
    ],
)
def test_what_a_class_gets_by_hand(second, kind, rows, laid_out, length, finish):
    to_come = at(second, kind, rows, laid_out=laid_out)
    assert (to_come.reached(np.array([length * S])) // S).tolist() == [finish]
    assert to_come.gained(np.array([finish * S])).tolist() == [length * S]


@pytest.mark.parametrize(
    ("second", "kind", "length", "finish"),
    [
        # The mean of two intervals: 990 s for medium jobs, from 240 s on, and 2310 s for long ones until the end.
        (4000, MEDIUM, 936, 4956),
        (4000, MEDIUM, 936 + 990, 7200 + 240 + 990),
        (4000, MEDIUM, 936 + 990 + 1, 10_800 + 240 + 1),
        (7000, LONG, 200 + 2310, 10_800),
        (7000, LONG, 200 + 2311, 10_800 + 1290 + 1),
        # Before that the mean is that of the first one.
        (2000, MEDIUM, 1044, 3600 + 60 + 1044),
        (400, SHORT, 30, 3600 + 60 + 30),
    ],
)
def test_what_a_class_gets_by_the_mean(second, kind, length, finish):
    later = [(name, *(3600 + time for time in times)) for name, *times in WITH_SHORT]
    since = np.array([0])
    to_come = time_to_come(
        slices([*WITHOUT_SHORT, *later]), np.array([second * S]), np.array([kind]), laid_out=True, since=since
    )
    assert (to_come.reached(np.array([length * S])) // S).tolist() == [finish]


@pytest.mark.parametrize("name", chain_by_hand.RUNS)
def test_the_engine_makes_what_was_worked_by_hand(name):
    made, by_hand = simulate(chain_by_hand.workload(), chain_by_hand.POLICIES[name]), chain_by_hand.schedule(name)
    assert made.allocations.equals(by_hand.allocations)
    assert all(made.tables[table].equals(rows) for table, rows in by_hand.tables.items())
    counted = chain_by_hand.counted(name)
    assert {counter: made.run["counters"][counter] for counter in counted} == counted


def test_class_clocks_stand_still_between_their_slices():
    to_come = at(0, MEDIUM, WITHOUT_SHORT)
    gained = [
        int(to_come.gained(np.array([second * S]))[0]) // S
        for second in (0, 60, 61, 1104, 3600, 4320, 4330, 5166, 7000)
    ]
    assert gained == [0, 0, 1, 1044, 1044, 1044, 1054, 1890, 1890]


def test_a_run_of_a_machine_of_one_cluster_is_legal():
    workload = random_workload(1)
    assert check(workload, simulate(workload, "grid", **SMALL)).legal


def test_what_is_wrong_is_told_with_its_cluster_and_its_own_times():
    workload, schedule = made("own")
    late = said(schedule, "slices", nth=-1, begin_us=pl.col("begin_us") + 1)
    [finding] = [
        finding
        for finding in check(workload, late).findings
        if finding.rule == "slices follow from interval, switch and shares"
    ]
    begin = late.tables["slices"]["begin_us"][-1]
    assert any(f"cluster 2, begin {begin / 1e6:,.6f} s" in example for example in finding.examples), finding.examples


@pytest.mark.parametrize("name", TABLES)
def test_all_tables_are_needed(name):
    schedule = grid_by_hand.schedule()
    tables = {other: rows for other, rows in schedule.tables.items() if other != name}
    with pytest.raises(ContractError, match=f"the table '{name}' is missing; found"):
        check(grid_by_hand.workload(), replace(schedule, tables=tables))


def test_a_run_of_workflows_is_checked_with_its_workload(tmp_path):
    workload, schedule = grid_by_hand.workload(), grid_by_hand.schedule()
    write_run(tmp_path / "run", [workload], [schedule], [check(workload, schedule)], "by hand")
    run = read_run(tmp_path / "run")
    assert all(certificate.legal for certificate in check_run(run, [workload]))
    with pytest.raises(ContractError, match=r"workflows were placed, 1 of them, and the workload has no table 'tasks'"):
        check_run(run)
