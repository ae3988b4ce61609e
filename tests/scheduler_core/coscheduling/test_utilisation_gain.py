"""What pairs gain in the use of processors."""

import pytest

from scheduler_core.coscheduling import response_impact
from tests.from_python import all_from_python

KERNELS = all_from_python(response_impact)


def printed(larger: int, smaller: int, slowdown: float) -> float:
    """Return the gain by the formula as it is printed (LOMARC, section 5.2)."""
    shared, rest = smaller * (2 / slowdown - 1), (larger - smaller) * (1 - 1 / slowdown)
    return (shared - rest) / larger


@pytest.mark.parametrize(
    ("larger", "smaller", "time", "other_time", "slowdown", "gain_1", "gain_2"),
    [
        (32, 32, 3600, 3600, 1.0, 1.0, 1.0),
        (32, 32, 3600, 3600, 1.5, 1 / 3, 1 / 3),
        (32, 32, 3600, 1800, 1.5, 1 / 6, 1 / 3),
        (32, 16, 3600, 3600, 1.5, 0.0, 0.0),
        (32, 16, 7200, 3600, 1.4, 0.035714, 0.071429),
        (64, 8, 3600, 3600, 1.4, -0.196429, -0.196429),
        (32, 32, 100, 100, 2.0, 0.0, 0.0),
        (32, 20, 100, 100, 1.6, 0.015625, 0.015625),
        (32, 19, 100, 100, 1.6, -0.003906, -0.003906),
        (32, 24, 7200, 5400, 1.25, 0.3, 0.4),
    ],
)
def test_gain_is_that_of_the_printed_formula(
    larger: int, smaller: int, time: int, other_time: int, slowdown: float, gain_1: float, gain_2: float
) -> None:
    millionths = round(slowdown * 1e6)
    found_2 = KERNELS.gain_2(larger, smaller, millionths)
    found_1 = KERNELS.gain_1(larger, smaller, millionths, time, other_time)
    assert (found_1, found_2) == (pytest.approx(gain_1, abs=1e-6), pytest.approx(gain_2, abs=1e-6))
    assert found_2 == pytest.approx(printed(larger, smaller, slowdown), abs=1e-12)


def test_no_gain_is_exactly_none() -> None:
    assert KERNELS.gain_2(32, 16, 1_500_000) == 0.0
    assert KERNELS.gain_2(10, 3, 1_300_000) == 0.0  # by the printed formula a tenth of a millionth of a millionth
