"""What gang scheduling does to the makespan of jobs that are all there at time 0 (da Silva 2000, chapter 4).

Each statement is held against the engine and, where fractions can be exact, against the fluid reference.
"""

from fractions import Fraction

import pytest
from hypothesis import given

from tests.oracles.gang import fluid
from tests.profiles import searching
from tests.scheduler_core.gang.theory.drawn import Batch, batches
from tests.scheduler_core.gang.theory.runs import (
    FIRST_FIT_DECREASING,
    PACKINGS,
    Arrival,
    at_once,
    finishes,
    makespan,
    run,
)

MICROSECONDS = 1e-9
"""Tolerance of the engine, in ticks: a thousand microseconds for the whole ones it counts in."""

SMALL_CASES = [
    # jobs as (size, time); processors; makespan without filling, with filling; lower bound
    ([(3, 1)] * 4 + [(1, 4)], 4, 7, 4, 4),
    ([(3, 1)] * 4 + [(1, 3)], 4, 6, 4, Fraction(15, 4)),
    ([(5, 1)] * 8 + [(1, 5)], 8, 12, 8, Fraction(45, 8)),
    ([(3, 2), (2, 2), (2, 1), (1, 4)], 4, 6, 5, 4),
]


def equal_halves(processors: int) -> list[tuple[int, int]]:
    """Return as many jobs as processors, each one processor more than half of the machine (section 4.5)."""
    return [(processors // 2 + 1, 1)] * processors


def long_thin(processors: int, blocks: int) -> list[tuple[int, int]]:
    """Return ``blocks`` jobs of just over half the machine, and one of one processor as long as the area bound."""
    return [(processors // 2 + 1, processors)] * blocks + [(1, blocks * (processors // 2 + 1))]


def tall_and_thin(processors: int, blocks: int) -> list[tuple[int, int]]:
    """Return ``blocks`` jobs of all processors but one, and one of one processor that fits beside each of them."""
    return [(processors - 1, 1)] * blocks + [(1, blocks)]


def ratio(jobs: list[tuple[int, int]], processors: int, fill: bool) -> float:
    """Return the engine's makespan under first fit decreasing over the lower bound."""
    found = makespan(run(at_once(jobs), processors, **FIRST_FIT_DECREASING, fill=fill))
    return found / float(fluid.lower_bound(jobs, processors))


@pytest.mark.parametrize("fill", [True, False])
@pytest.mark.parametrize("packing", ["first_fit_decreasing", "first_fit", "best_fit", "one_job"])
@searching(60)
@given(drawn=batches())
def test_engine_completes_jobs_when_the_fluid_reference_does(packing: str, fill: bool, drawn: Batch) -> None:
    jobs, processors = drawn
    repack = "never" if packing == "one_job" else "changes"
    found = run(at_once(jobs), processors, packing=packing, repack=repack, fill=fill and packing != "one_job")
    expected = fluid.completions(jobs, processors, packing, fill and packing != "one_job")
    assert finishes(found) == pytest.approx([float(finish) for finish in expected], abs=MICROSECONDS)


@pytest.mark.parametrize(("fill", "factor"), [(True, 2), (False, 3)])
@searching(300)
@given(drawn=batches())
def test_theorem_4_and_the_factor_without_filling(fill: bool, factor: int, drawn: Batch) -> None:
    jobs, processors = drawn
    assert ratio(jobs, processors, fill=fill) < factor
    assert fluid.makespan(jobs, processors, fill=fill) < factor * fluid.lower_bound(jobs, processors)


@pytest.mark.parametrize("processors", [2**power for power in range(2, 11)])
def test_adversary_forces_2n_over_n_plus_2(processors: int) -> None:
    jobs = equal_halves(processors)
    expected = Fraction(2 * processors, processors + 2)
    assert fluid.makespan(jobs, processors) / fluid.lower_bound(jobs, processors) == expected
    assert ratio(jobs, processors, fill=True) == pytest.approx(float(expected), abs=1e-9)
    assert ratio(jobs, processors, fill=False) == pytest.approx(float(expected), abs=1e-9)


@pytest.mark.parametrize("case", SMALL_CASES)
def test_small_cases(case: tuple[list[tuple[int, int]], int, int, int, Fraction]) -> None:
    jobs, processors, bare, full, bound = case
    assert fluid.lower_bound(jobs, processors) == bound
    for fill, expected in ((False, bare), (True, full)):
        assert fluid.makespan(jobs, processors, fill=fill) == expected
        found = makespan(run(at_once(jobs), processors, **FIRST_FIT_DECREASING, fill=fill))
        assert found == pytest.approx(expected, abs=MICROSECONDS)


def test_factor_2_is_lost_without_filling() -> None:
    jobs = long_thin(processors=64, blocks=64)
    assert ratio(jobs, 64, fill=False) == pytest.approx(2.864, abs=0.001)
    assert ratio(jobs, 64, fill=True) == pytest.approx(1.910, abs=0.001)


def test_factor_3_is_nearly_reached_without_filling() -> None:
    jobs = long_thin(processors=1024, blocks=400)
    found = fluid.makespan(jobs, 1024, fill=False) / fluid.lower_bound(jobs, 1024)
    assert float(found) == pytest.approx(2.988, abs=0.001)


@pytest.mark.parametrize("blocks", [1, 2, 5, 20])
def test_filling_alone_makes_up_for_nearly_half_of_the_time(blocks: int) -> None:
    jobs = tall_and_thin(8, blocks)
    for fill, expected in ((True, blocks), (False, 2 * blocks - 1)):
        found = makespan(run(at_once(jobs), 8, **FIRST_FIT_DECREASING, fill=fill))
        assert found == pytest.approx(expected, abs=MICROSECONDS)


@searching(60)
@given(drawn=batches(most=7))
def test_nothing_beats_the_preemptive_optimum_nor_does_that_beat_the_bound(drawn: Batch) -> None:
    jobs, processors = drawn
    optimum = fluid.preemptive_optimum(jobs, processors)
    assert optimum >= float(fluid.lower_bound(jobs, processors)) * (1 - 1e-9)
    for name, parameters in PACKINGS.items():
        found = makespan(run(at_once(jobs), processors, **parameters))
        assert found >= optimum * (1 - 1e-9), name


@pytest.mark.parametrize("jobs", [1, 3, 16, 17, 33])
def test_simple_gang_takes_the_sum_of_all_times(jobs: int) -> None:
    """Section 4.3.2: m jobs of one processor and unit time take m, where ceil(m / n) would do."""
    unit = at_once([(1, 1)] * jobs)
    alone = makespan(run(unit, 16, packing="one_job"))
    assert alone == pytest.approx(jobs, abs=MICROSECONDS)
    partitioned = makespan(run(unit, 16, level=1))
    assert partitioned == pytest.approx(-(-jobs // 16), abs=MICROSECONDS)


def test_variable_partitioning_by_hand() -> None:
    """Appendix A.4: four jobs on four processors; the third waits for the first, the fourth does not overtake it."""
    arrivals = [Arrival(0, 3, 4), Arrival(1, 1, 9), Arrival(2, 2, 3), Arrival(3, 1, 1)]
    found = run(arrivals, 4, tick=1_000_000, level=1)
    assert found.jobs["start_us"].to_list() == [0, 1_000_000, 4_000_000, 4_000_000]
    assert found.jobs["finish_us"].to_list() == [4_000_000, 10_000_000, 7_000_000, 5_000_000]
    assert found.tables["levels"]["level"].to_list() == [1]
