"""DHC, partitioning, partitions and sizing by efficiency against their oracles: every table agrees in every value.

``SLOTWISE_EXAMPLES`` asks for another number of examples, drawn anew in each run.
"""

from __future__ import annotations

import os

import pytest
from background_cases import SUBJECTS, cases, draw_case
from gang_cases import Case, SeededChooser
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

EXAMPLES = "SLOTWISE_EXAMPLES"


def assert_agreement(name: str, case: Case) -> None:
    """Hold the engine's schedule of an example against the oracle's, in every value."""
    found, expected = SUBJECTS[name].by_engine(case), SUBJECTS[name].by_oracle(case)
    assert found.jobs == expected.jobs
    assert found.segments == expected.segments
    assert found.levels == expected.levels
    assert found.counters == expected.counters


@pytest.mark.parametrize("name", SUBJECTS)
@settings(
    max_examples=int(os.environ.get(EXAMPLES, 100)),
    derandomize=EXAMPLES not in os.environ,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(data=st.data())
def test_engine_agrees_with_oracle(name: str, data: st.DataObject) -> None:
    case = data.draw(cases(name))
    note(f"{case.processors} processors of {case.memory} kB, {case.policy!r}")
    assert_agreement(name, case)


@pytest.mark.parametrize("name", SUBJECTS)
@pytest.mark.parametrize("seed", range(6))
def test_engine_agrees_with_oracle_on_more_jobs_and_processors(name: str, seed: int) -> None:
    assert_agreement(name, draw_case(SeededChooser(seed), name, large=True))
