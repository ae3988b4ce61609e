"""What packings promise about the number of slots (da Silva 2000, chapter 5; first fit decreasing also section 4.5)."""

from itertools import combinations

import pytest
from hypothesis import given

from tests.oracles.gang import fluid
from tests.profiles import searching
from tests.scheduler_core.gang.theory.drawn import Batch, Stream, batches, streams
from tests.scheduler_core.gang.theory.runs import (
    FIRST_FIT_DECREASING,
    PACKINGS,
    Arrival,
    at_once,
    first_period,
    run,
    slots_at_arrivals,
)


@pytest.mark.parametrize("name", PACKINGS)
@searching(40)
@given(drawn=streams())
def test_theorem_6_no_packing_needs_fewer_slots_than_the_sizes_fill(name: str, drawn: Stream) -> None:
    arrivals, processors = drawn
    found = slots_at_arrivals(run(arrivals, processors, **PACKINGS[name]))
    ratios = [slots / fluid.area_slots(sizes, processors) for slots, sizes in found]
    assert min(ratios) >= 1
    assert sum(ratios) / len(ratios) >= 1


def test_theorem_6_is_reached_by_a_job_alone() -> None:
    ((slots, sizes),) = slots_at_arrivals(run(at_once([(8, 3)]), 8, packing="first_fit"))
    assert slots == fluid.area_slots(sizes, 8) == 1


REPACKED = [name for name in PACKINGS if name.startswith("first fit decreasing") or "migration" in name]


@pytest.mark.parametrize("name", REPACKED)
@searching(100)
@given(drawn=streams(powers_of_two=True))
def test_re_packing_leaves_no_gap_when_sizes_divide_one_another(name: str, drawn: Stream) -> None:
    """Section 4.5 says it of first fit decreasing; it holds for first fit and best fit in any order.

    A job that opens a slot is larger than what every slot has left, so the slots' free processors, written in binary, have
    their ones in different places, and together they are less than a slot.
    """
    arrivals, processors = drawn
    found = slots_at_arrivals(run(arrivals, processors, **PACKINGS[name]))
    assert [slots for slots, _ in found] == [fluid.area_slots(sizes, processors) for _, sizes in found]


@pytest.mark.parametrize("packing", ["first_fit", "best_fit"])
def test_without_migration_departures_leave_gaps(packing: str) -> None:
    """Three slots of two halves lose a half each; the next job finds them so, though two would do."""
    halves = [Arrival(0, 2, time) for _ in range(3) for time in (9, 1)]
    found = slots_at_arrivals(run([*halves, Arrival(4, 1, 1)], 4, packing=packing))
    assert [(slots, fluid.area_slots(sizes, 4)) for slots, sizes in found] == [(3, 3), (3, 2)]


@searching(200)
@given(drawn=batches(most=9))
def test_first_fit_decreasing_is_within_eleven_ninths_of_the_fewest_slots(drawn: Batch) -> None:
    jobs, processors = drawn
    fewest = fluid.fewest_slots([size for size, _ in jobs], processors)
    slots = len(first_period(run(at_once(jobs), processors, **FIRST_FIT_DECREASING)))
    assert fewest <= slots <= 11 / 9 * fewest + 1


@searching(150)
@given(drawn=batches())
def test_corollary_1_the_shorter_period_idles_less(drawn: Batch) -> None:
    jobs, processors = drawn
    sizes = [size for size, _ in jobs]
    once = ("first fit", "best fit", "first fit decreasing", "one job a slot")
    periods = [first_period(run(at_once(jobs), processors, **PACKINGS[name])) for name in once]
    for period in periods:
        assert sorted(job for slot in period for job in slot) == list(range(len(jobs)))
    for one, other in combinations(periods, 2):
        idle = [fluid.idling_ratio(period, sizes, processors) for period in (one, other)]
        assert (len(one) < len(other)) == (idle[0] < idle[1])
        assert (len(one) == len(other)) == (idle[0] == idle[1])


@searching(60)
@given(drawn=batches())
def test_corollary_1_says_nothing_once_slots_are_filled(drawn: Batch) -> None:
    """Filling leaves the period as long as it was, and idles no more."""
    jobs, processors = drawn
    sizes = [size for size, _ in jobs]
    bare, full = (
        first_period(run(at_once(jobs), processors, **FIRST_FIT_DECREASING, fill=fill)) for fill in (False, True)
    )
    assert len(bare) == len(full)
    idle = [fluid.idling_ratio(period, sizes, processors) for period in (bare, full)]
    assert idle[1] <= idle[0]
