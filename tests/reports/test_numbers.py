"""Numbers in front of readers have the digits that tell something, and no more."""

import re

import pytest

from reports.draw.verdicts import VERDICT_LOOKS
from reports.draw.vocabulary import measured
from tests.paths import PROJECT

STYLES = PROJECT / "reports" / "pages" / "assets" / "report.css"


@pytest.mark.parametrize(
    ("value", "low", "high", "told"),
    [
        (1.00483, 1.0003, 1.0098, ("1.005", "1.000 to 1.010")),
        (12.345, 9.87, 14.82, ("12.3", "9.9 to 14.8")),
        (1234.5, 1100.0, 1369.0, ("1,234", "1,100 to 1,369")),
        (0.00348, None, None, ("0.00348", "–")),
        (-0.0004, -0.03, 0.03, ("0.000", "−0.030 to 0.030")),
        (None, None, None, ("–", "–")),
        (7.0, 7.0, 7.0, ("7.00", "7.00 to 7.00")),
        (float("inf"), None, None, ("∞", "–")),
    ],
)
def test_decimals_follow_the_interval(value, low, high, told):
    assert measured(value, low, high) == told


def test_a_difference_is_not_written_finer_than_what_it_is_a_difference_of():
    assert measured(0.00348, 0.001, 0.006, most=2) == ("0.00", "0.00 to 0.01")


@pytest.mark.parametrize(
    ("value", "low", "high", "told"),
    [
        (1.00031, None, None, ("1.0003", "–")),
        (1.0, None, None, ("1.00", "–")),
        (1.05, 1.0004, 1.1, ("1.0500", "1.0004 to 1.1000")),
        (1.0004, 0.9, 1.1, ("1.00", "0.90 to 1.10")),
    ],
)
def test_what_decides_looks_different_from_the_limit(value, low, high, told):
    assert measured(value, low, high, limit=1.0) == told


def test_verdicts_have_the_colours_of_the_style_sheet():
    papers = re.findall(r":root[^{]*\{([^}]*)\}", STYLES.read_text())
    light, dark = (dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", paper)) for paper in papers[:2])
    for look in VERDICT_LOOKS.values():
        assert (light[look.style], dark[look.style]) == (look.light, look.dark)
    assert len({look.sign for look in VERDICT_LOOKS.values()}) == len(VERDICT_LOOKS)
