"""By what pairs slow each other down: the formulas of LOMARC, section 4.1, and the estimates its Table 2 prints."""

import numpy as np
import pytest

from scheduler_core.coscheduling import slowdown as slowdown_module
from scheduler_core.kernel.records import Record
from tests.from_python import all_from_python
from tests.scheduler_core.coscheduling.pair_cases import APART, MEMORY, TOGETHER, behaves, rules

KERNELS = all_from_python(slowdown_module)
NOTHING_MEASURED = np.zeros((0, 0))


def believed(call: str, one: Record, other: Record) -> float:
    """Return the slowdown that a policy expects of a pair, the same for both."""
    found = KERNELS.believed_slowdown(one, other, NOTHING_MEASURED, rules(call))
    assert found == KERNELS.believed_slowdown(other, one, NOTHING_MEASURED, rules(call))
    return found / 1e6


def pair(phases: tuple[float, float]) -> tuple[Record, Record]:
    """Return a job that computes most of its time and one that reads half of it."""
    return behaves(0.6, 0.25, 0.15, phase=phases[0]), behaves(0.3, 0.2, 0.5, kind="disk", phase=phases[1])


@pytest.mark.parametrize(
    ("model", "phases", "expected"),
    [
        ("printed_raw", TOGETHER, 1.12),
        ("printed_raw", APART, 1.30),
        ("unshared_counted", TOGETHER, 1.47),
        ("unshared_counted", APART, 1.65),
    ],
)
def test_pair_of_a_computing_and_a_reading_job(model: str, phases: tuple[float, float], expected: float) -> None:
    assert believed(f"lomarc(slowdown='{model}')", *pair(phases)) == pytest.approx(expected)


def test_on_standard_processors_computing_of_two_always_takes_twice_as_long() -> None:
    assert believed("lomarc(cpu='standard')", *pair(TOGETHER)) == pytest.approx(1.30)


@pytest.mark.parametrize(("model", "expected"), [("printed_raw", 1e-6), ("printed", 1.0), ("unshared_counted", 1.0)])
def test_jobs_that_share_nothing(model: str, expected: float) -> None:
    jobs = behaves(1.0, 0.0, 0.0), behaves(0.0, 0.0, 1.0, kind="disk")
    assert believed(f"lomarc(slowdown='{model}')", *jobs) == pytest.approx(expected)


@pytest.mark.parametrize("model", ["printed", "printed_raw", "unshared_counted"])
@pytest.mark.parametrize("fractions", [(1.0, 0.0, 0.0), (0.5, 0.3, 0.2), (0.25, 0.25, 0.5)])
def test_jobs_that_are_the_same_take_turns(model: str, fractions: tuple[float, float, float]) -> None:
    same = (behaves(*fractions, phase=phase) for phase in APART)
    assert believed(f"lomarc(slowdown='{model}')", *same) == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("communicates", "other", "expected", "without_cpu"),
    [(0.4, 0.4, 2.0, 1.4), (0.4, 0.6, 1.8, 1.4), (0.6, 0.6, 2.0, 1.6)],
)
def test_estimates_that_table_2_prints_count_what_is_not_shared(
    communicates: float, other: float, expected: float, without_cpu: float
) -> None:
    jobs = [
        behaves(1 - part, part, 0.0, kind="network", phase=phase)
        for part, phase in zip((communicates, other), TOGETHER, strict=True)
    ]
    counted = "lomarc(slowdown='unshared_counted', shared_compatible={})"
    assert believed(counted.format(2.0), *jobs) == pytest.approx(expected)
    assert believed(counted.format(1.0), *jobs) == pytest.approx(without_cpu)


def test_time_in_which_a_job_uses_two_resources_counts_with_both_and_no_slowdown_passes_two() -> None:
    jobs = [behaves(0.9, 0.9, 0.2), behaves(0.8, 0.9, 0.3)]
    assert believed("lomarc(slowdown='unshared_counted')", *jobs) == 2.0
    assert believed("lomarc(slowdown='printed')", *jobs) == 2.0


@pytest.mark.parametrize(("conflict", "expected"), [("additive", 3.62), ("replace", 2.5), ("excess", 2.62)])
def test_paging_of_jobs_that_do_not_fit_into_memory(conflict: str, expected: float) -> None:
    one, other = pair(TOGETHER)
    one.memory, other.memory = 6 * MEMORY // 10, 4 * MEMORY // 10
    call = f"lomarc(memory_conflict='{conflict}')"
    assert believed(call, one, other) == pytest.approx(1.12)
    other.memory += 1
    assert believed(call, one, other) == pytest.approx(expected)


def test_compatible_phases_add_up_to_less_than_the_share_beyond_whole_numbers() -> None:
    set_by = rules()
    for first, second, expected in (
        (0.1, 0.2, True),
        (0.1, 0.23, False),
        (0.9, 0.4, True),
        (0.9, 0.45, False),
        (0.5, 0.5, True),
    ):
        one, other = behaves(1.0, 0.0, 0.0, phase=first), behaves(1.0, 0.0, 0.0, phase=second)
        assert KERNELS.are_compatible(one, other, set_by) == expected
        assert KERNELS.are_compatible(other, one, set_by) == expected


def test_measured_slowdown_is_that_of_the_worse_of_the_two() -> None:
    measured = np.array([[1.5, 0.9], [1.2, 1.7]])
    one, other = behaves(1.0, 0.0, 0.0, application=0), behaves(1.0, 0.0, 0.0, application=1)
    set_by = rules("lomarc(slowdown='table')")
    assert KERNELS.believed_slowdown(one, other, measured, set_by) == 1_200_000
    assert KERNELS.believed_slowdown(one, one, measured, set_by) == 1_500_000


@pytest.mark.parametrize(
    ("side", "phases", "expected"),
    [
        ("both", (0.25, 0.25), 1.4),  # an error of nothing
        ("both", (0.5, 0.25), 1.4 * 1.15),
        ("both", (0.0, 0.0), 1.0),  # 1.4 * 0.7, but no pair runs faster than alone
        ("slower", (0.0, 0.0), 1.4),
        ("slower", (0.75, 0.5), 1.4 * 1.075),
    ],
)
def test_actual_slowdown_errs_by_the_phases_of_both(side: str, phases: tuple[float, float], expected: float) -> None:
    one, other = (behaves(1.0, 0.0, 0.0, error_phase=phase) for phase in phases)
    set_by = rules(f"lomarc(model_error=0.3, error_side='{side}')")
    assert KERNELS.actual_slowdown(1_400_000, one, other, set_by) == pytest.approx(expected * 1e6, abs=1)


def test_without_error_the_actual_slowdown_is_the_believed_one_though_below_one() -> None:
    one, other = behaves(1.0, 0.0, 0.0), behaves(1.0, 0.0, 0.0)
    assert KERNELS.actual_slowdown(900_000, one, other, rules()) == 900_000
