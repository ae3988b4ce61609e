"""Gang scheduling that counts processors instead of naming them."""

from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import simulate
from tests.profiles import searching
from tests.scheduler_core.gang.draws import FAMILIES
from tests.scheduler_core.gang.features import repacks
from tests.scheduler_core.gang.subjects import SUBJECTS


@pytest.mark.parametrize("family", [name for name in FAMILIES if name != "memory"])
@searching(50)
@given(data=st.data())
def test_counting_processors_instead_of_naming_them_changes_nothing_else(family: str, data: st.DataObject) -> None:
    case = data.draw(SUBJECTS[family].strategy)
    named, counted = (simulate(case.workload, replace(case.policy, name_processors=named)) for named in (True, False))
    assert counted.jobs.equals(named.jobs)
    assert counted.tables["levels"].equals(named.tables["levels"])
    assert counted.run["counters"] == named.run["counters"]
    if repacks(case) == "never":
        # A job re-packed to other processors of its slot begins a segment only where processors have names.
        assert rows_of(counted.allocations) == rows_of(named.allocations)


def rows_of(allocations: pl.DataFrame) -> list[tuple[Any, ...]]:
    """Return the allocations in an order of their own, without the processors' numbers."""
    return sorted(allocations.drop("processor_ids").rows())
