"""A minute of `make fuzz`: a few inputs of every kind, always the same."""

import pytest

from tests.fuzz.__main__ import fuzz
from tests.fuzz.inputs import MAKERS


@pytest.mark.slow
def test_no_hostile_input_ends_in_a_traceback_a_hang_or_silence():
    assert fuzz(first=0, most=3 * len(MAKERS), minutes=0) == []
