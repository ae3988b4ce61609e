"""By what pairs slow each other down: the formulas of LOMARC, section 4.1, and the estimates its Table 2 prints."""

import numpy as np
import pytest

from scheduler_core.coscheduling import slowdown as slowdown_module
from scheduler_core.kernel.records import Record
from tests.from_python import all_from_python
from tests.scheduler_core.coscheduling.pair_cases import APART, TOGETHER, behaves, rules

KERNELS = all_from_python(slowdown_module)
NOTHING_MEASURED = np.zeros((0, 0))


def believed(call: str, one: Record, other: Record) -> float:
    """Return the slowdown that a policy expects of a pair, the same for both."""
    found = KERNELS.believed_slowdown(one, other, NOTHING_MEASURED, rules(call))
    assert found == KERNELS.believed_slowdown(other, one, NOTHING_MEASURED, rules(call))
    return found / 1e6


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


def test_without_error_the_actual_slowdown_is_the_believed_one_though_below_one() -> None:
    one, other = behaves(1.0, 0.0, 0.0), behaves(1.0, 0.0, 0.0)
    assert KERNELS.actual_slowdown(900_000, one, other, rules()) == 900_000
