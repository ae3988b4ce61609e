"""Drawings of chapter 6 of the thesis on adaptive SCOJO: what they are computed from."""

import pytest

from studies.scojo_gang.figures_drawings import PROCESSORS, QUEUE, RUN, backfilled, cells, speedup


def test_jobs_6_and_8_are_backfilled_and_nothing_overflows():
    after, placed = backfilled(RUN, QUEUE)
    assert placed == ["J6", "J8"]
    assert all(sum(size for _, size in slot) <= PROCESSORS for slot in after)
    assert {(row["slot"], row["job"]) for row in cells(after, placed) if row["what"] == "backfilled"} == {
        ("T0", "J6"),
        ("T1", "J8"),
    }


@pytest.mark.parametrize(("size", "expected"), [(4, 3.2), (6, 4.2), (8, 5.2), (12, 6.6), (16, 8.0)])
def test_speed_up_goes_through_the_three_points(size, expected):
    assert speedup(size) == pytest.approx(expected)
