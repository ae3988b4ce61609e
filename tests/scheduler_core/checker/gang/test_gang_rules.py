"""The checker's own reading of the slot clock, the slices and the speed-up, by hand; and schedules it must pass."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import simulate
from scheduler_core.checker import check
from scheduler_core.checker.gang.slot_clock import slot_clock
from scheduler_core.checker.sizes import EFFICIENCY, speed_up
from scheduler_core.common.errors import ContractError
from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload
from scheduler_core.gang.family import FAMILY, LEVELS_COLUMNS
from tests.scheduler_core.checker.broken_schedules import said, table, with_allocation
from tests.scheduler_core.checker.by_hand import schedule_of
from tests.scheduler_core.checker.gang.mutations import made
from tests.scheduler_core.checker.gang.random_gang import ASKED, parameters_of, random_gang, random_workload, rate_at

S = 1_000_000


def table_of_levels(*rows):
    return pl.DataFrame([(0, *row) for row in rows], schema=LEVELS_COLUMNS, orient="row")


def by_hand(asked, held, levels, processors=4, counters=None, **parameters):
    """Make a schedule from rows; an allocation is job, begin, end, processors by number, slot, rate, work, turn, stall."""
    workload = Workload(pl.DataFrame(asked, schema=ASKED, orient="row"), Machine(processors))
    rows = [(j, b, e, len(n), n, 0, slot, rate, work, turn, over) for j, b, e, n, slot, rate, work, turn, over in held]
    policy, tables = ("gang", parameters_of(**parameters)), {"levels": [(0, *level) for level in levels]}
    lasted = max(end for _, _, end, *_ in held) - min(begin for _, begin, *_ in held)
    counted = {"normal_us": lasted, **counters} if counters else {}
    return workload, schedule_of(workload, FAMILY, policy, rows, tables, counted)


def rigid(job, submit, runtime, size):
    return (job, submit, runtime, runtime, size, "rigid", size, size, None)


def found(pair):
    return {finding.rule for finding in check(*pair).findings if finding.violations}


TWO_SLOTS = {
    "asked": [rigid(1, 0, 10 * S, 4), rigid(2, 0, 4 * S, 4)],
    "held": [
        (1, 0, 14 * S, [0, 1, 2, 3], 0, 1.0, 10 * S, 10 * S, 0),
        (2, 0, 8 * S, [0, 1, 2, 3], 1, 1.0, 4 * S, 4 * S, 0),
    ],
    "levels": [(0, 8 * S, 2, 0.5), (8 * S, 14 * S, 1, 1.0)],
    "slice_s": 0.0,
}


def test_two_jobs_share_the_machine_until_one_is_done():
    # Both run at half speed for 8 s, in which the shorter does its 4 s; the longer has 6 s left and the machine to itself.
    certificate = check(*by_hand(**TWO_SLOTS, counters={"busy_us": 56 * S, "idle_us": 0}))
    assert certificate.legal, certificate.describe()


@pytest.mark.parametrize(("busy", "idle"), [(56 * S - 1, 0), (56 * S, 1), (40 * S, 16 * S)])
def test_every_processor_second_is_busy_or_idle(busy, idle):
    broken = by_hand(**TWO_SLOTS, counters={"busy_us": busy, "idle_us": idle})
    assert found(broken) == {"busy and idle processor-time add up"}


def test_the_machine_is_idle_as_a_whole_while_nothing_runs():
    pair = by_hand(
        asked=[rigid(1, 0, 3 * S, 1), rigid(2, 5 * S, S, 4)],
        held=[(1, 0, 3 * S, [2], 0, 1.0, 3 * S, 3 * S, 0), (2, 5 * S, 6 * S, [0, 1, 2, 3], 0, 1.0, S, S, 0)],
        levels=[(0, 3 * S, 1, 1.0), (3 * S, 5 * S, 0, 0.0), (5 * S, 6 * S, 1, 1.0)],
        counters={"busy_us": 7 * S, "idle_us": 17 * S},
        slice_s=0.0,
    )
    assert check(*pair).legal, check(*pair).describe()


def test_the_slot_clock_loses_what_is_no_whole_microsecond_at_every_change():
    levels = table_of_levels((100, 110, 3, 1 / 3), (110, 115, 0, 0.0), (115, 125, 2, 0.5))
    times = np.array([90, 100, 102, 103, 109, 110, 114, 115, 116, 117, 125, 200])
    assert slot_clock(levels, times).tolist() == [0, 0, 0, 1, 3, 3, 3, 3, 3, 4, 8, 8]


@pytest.mark.parametrize(
    ("slices", "begin", "allowed"),
    [
        # A slice is 2 s x 3 / 1 alone, and 2 s x 3 / 2 for two slots, counted from 12 s, when the second slot opened.
        ("scaled", 12, True),
        ("scaled", 15, True),
        ("scaled", 18, True),
        ("scaled", 14, False),
        ("scaled", 16, False),
        ("fixed", 14, True),
        ("fixed", 16, True),
        ("fixed", 15, False),
    ],
)
def test_slices_are_counted_from_where_their_length_changed(slices, begin, allowed):
    start, end = begin * S, 30 * S
    long = (1, 6 * S, end, [0, 1, 2], 0, 1.0, 15 * S, 15 * S, 0)
    second = (2, 12 * S, end, [0, 1, 2, 3], 1, 1.0, 9 * S, 9 * S, 0)
    third = (3, start, end, [3], 0, 1.0, (end - start) // 2, (end - start) // 2, 0)
    pair = by_hand(
        asked=[rigid(1, 0, 15 * S, 3), rigid(2, 6 * S, 9 * S, 4), rigid(3, 7 * S, (end - start) // 2, 1)],
        held=[long, second, third],
        levels=[(6 * S, 12 * S, 1, 1.0), (12 * S, end, 2, 0.5)],
        slice=slices,
    )
    assert found(pair) == (set() if allowed else {"everything begins at the boundary of a time slice"})


def test_a_shared_processor_has_memory_for_both_jobs():
    asked = [(1, 0, 4 * S, 4 * S, 2, "rigid", 2, 2, 30), (2, 0, 4 * S, 4 * S, 2, "rigid", 2, 2, 30)]
    held = [(job, 0, 8 * S, [0, 1], job - 1, 1.0, 4 * S, 4 * S, 0) for job in (1, 2)]
    workload, schedule = by_hand(asked, held, [(0, 8 * S, 2, 0.5)], packing="memory_best_fit", slice_s=0.0)
    rule = "no processor runs out of memory"
    for memory, fits in ((60, True), (59, False), (0, True)):
        machine = Machine(4, memory_kb=memory)
        assert (rule in found((Workload(workload.jobs, machine), schedule))) is not fits


@given(st.integers(1, 40), st.data())
def test_rates_are_the_fractions_of_the_curve(size, data):
    fewest, most = data.draw(st.integers(1, size)), data.draw(st.integers(size, 80))
    sizes = np.arange(fewest, most + 1)
    whole = np.full_like(sizes, 1)
    rates = speed_up(sizes, fewest * whole, size * whole, most * whole) / (EFFICIENCY * size)
    expected = [float(rate_at(int(held), fewest, size, most)) for held in sizes]
    assert rates.tolist() == pytest.approx(expected, rel=1e-14)


def test_the_curve_passes_its_three_points():
    points = speed_up(np.array([4, 8, 16]), *(np.full(3, value) for value in (4, 8, 16)))
    assert points.tolist() == [0.80 * 4 * 100, 0.65 * 8 * 100, 0.50 * 16 * 100]
    assert rate_at(4, 4, 8, 16) == Fraction(80 * 4, 65 * 8)


SETTINGS = {
    "several levels": {"level": 5},
    "at once": {"slice_s": 0.0},
    "fixed": {"slice": "fixed", "slice_s": 1.7},
    "slow switches": {"switch_slows": True, "level": 4},
    "adapting": {
        "sizing": "load",
        "reconfiguration_s": 0.0,
        "reconfiguration_cost_s": 0.01,
        "slice_s": 0.3,
        "switch_slows": True,
    },
    "adapting at starts": {"sizing": "load_at_start"},
    "filling": {"fill": True, "level": 6, "slice_s": 0.0},
    "memory": {"packing": "memory_best_fit", "level": 6},
}


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("seed", range(3))
def test_whatever_a_policy_may_do_is_legal(name, seed):
    workload = random_workload(seed, machine=Machine(16, memory_kb=50), gap_s=(30, 60, 120)[seed])
    certificate = check(workload, random_gang(workload, seed, **SETTINGS[name]))
    assert certificate.legal, certificate.describe()


def test_a_run_of_no_jobs_is_legal():
    workload = random_workload(0, jobs=0)
    assert check(workload, random_gang(workload)).legal
    workload = Workload(pl.DataFrame([(1, 0, S, S, 17)], schema=WORKLOAD_COLUMNS, orient="row"), Machine(16))
    assert check(workload, simulate(workload, "gang")).legal


@pytest.mark.parametrize("seed", range(4))
def test_processors_may_be_counted_instead_of_named(seed):
    workload = random_workload(seed, gap_s=(30, 60, 120, 300)[seed])
    counted = simulate(workload, "scojo", reconfiguration_s=10.0, name_processors=False)
    assert check(workload, counted).legal


@pytest.mark.parametrize("column", ["turn_us", "overhead_us"])
def test_allocations_without_turns_are_refused(column):
    workload, schedule = made("plain")
    with pytest.raises(ContractError, match=f"allocations table: column '{column}' is missing"):
        check(workload, replace(schedule, held=schedule.allocations.drop(column)))


def test_levels_without_a_share_are_refused():
    workload, schedule = made("plain")
    with pytest.raises(ContractError, match="levels table: column 'share' is missing"):
        check(workload, table(schedule, "levels", schedule.tables["levels"].drop("share")))


@pytest.mark.parametrize(
    "change", [lambda s: said(s, "levels", end_us=None), lambda s: with_allocation(s, 1, end_us=None)]
)
def test_values_that_are_missing_are_refused(change):
    workload, schedule = made("plain")
    with pytest.raises(ContractError, match="column 'end_us' has no value in 1 of"):
        check(workload, change(schedule))
