"""The columns of tables that engines share."""

from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.kernel import tables
from scheduler_core.kernel.tables import in_table_order, named_processors


@given(st.lists(st.sets(st.integers(0, 129), min_size=1), max_size=20), st.integers(1, 25))
def test_sets_of_processors_become_ascending_lists(sets: list[set[int]], at_once: int) -> None:
    """Bits of three words are listed as numbers, the first and the last of a word too, however many sets are listed at once."""
    bits = np.zeros((len(sets), 192), np.uint8)
    for row, processors in enumerate(sets):
        bits[row, list(processors)] = 1
    masks = np.packbits(bits, axis=1, bitorder="little").view("<u8")
    with patch.object(tables, "AT_ONCE", at_once):
        listed = named_processors(masks).to_list()
    assert listed == [sorted(each) for each in sets]


def test_sets_that_are_only_counted_name_nothing() -> None:
    """A set of no words is null."""
    assert named_processors(np.zeros((2, 0), np.uint64)).to_list() == [None, None]


ROW = np.dtype([("slot", np.int64), ("job", np.int64), ("begin", np.int64)])


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 3)), max_size=20), st.booleans())
def test_allocations_stand_by_job_begin_and_slot(rows: list[tuple[int, int, int]], written_in_order: bool) -> None:
    """The order is that of the contract, whether or not a job's rows were written in it; rows know where they stood."""
    if written_in_order:
        rows = sorted(rows, key=lambda row: (row[2], row[0]))
    written = np.array(rows, ROW)
    ordered, places = in_table_order(written)
    assert ordered.tolist() == sorted(rows, key=lambda row: (row[1], row[2], row[0]))
    assert (written[places] == ordered).all()
