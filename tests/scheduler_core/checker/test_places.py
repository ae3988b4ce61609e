"""Places taken twice: parts of any size find what comparing all pairs finds."""

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.checker import places as module
from scheduler_core.checker.places import explode_places, parts, taken_twice

Row = tuple[list[int], int, int, int]

ROWS = st.lists(
    st.tuples(st.lists(st.integers(0, 3), max_size=4), st.sampled_from([0, 4]), st.integers(0, 12), st.integers(0, 5)),
    max_size=12,
)


def by_pairs(rows: list[Row]) -> list[tuple[int, int, int]]:
    """Return place, later and earlier row of each place taken before the row before it has left, by place and time."""
    taken = sorted(
        (offset + processor, begin, begin + length, row)
        for row, (processors, offset, begin, length) in enumerate(rows)
        for processor in processors
    )
    return [
        (place, late, early)
        for (other, _, until, early), (place, begin, _, late) in pairwise(taken)
        if place == other and begin < until
    ]


@pytest.mark.parametrize("part", [1, 3, 1 << 15])
@given(rows=ROWS)
def test_parts_find_what_pairs_find(part: int, rows: list[Row]) -> None:
    """Every place taken twice is found once, wherever one part ends and the next begins."""
    listed = pl.Series("processor_ids", [row[0] for row in rows], pl.List(pl.Int32))
    offset, begin, length = np.array([row[1:] for row in rows], np.int64).reshape(-1, 3).T
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PART", part)
        found = taken_twice(explode_places(listed.to_frame()), np.arange(len(rows)), offset, begin, begin + length)
    assert list(zip(*(each.tolist() for each in found), strict=True)) == by_pairs(rows)


@given(count=st.lists(st.integers(0, 5), max_size=20))
def test_parts_cover_the_rows(count: list[int]) -> None:
    """Parts follow each other, and without its last row a part lists fewer processors than its bound."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PART", 4)
        found = list(parts(np.array(count, np.int64)))
    assert [row for low, high in found for row in range(low, high)] == list(range(len(count)))
    assert all(sum(count[low : high - 1]) <= 4 + max(count) for low, high in found)


def test_an_allocation_of_another_machine_is_found() -> None:
    """Processors below the first and above the last are outside; an allocation that names none is not."""
    listed = pl.Series("processor_ids", [[2, 3], None, [1, 2], [3, 4], [2]], pl.List(pl.Int32))
    outside = explode_places(listed.to_frame()).outside(np.full(5, 2), np.full(5, 2))
    assert outside.tolist() == [False, False, True, True, False]
