"""The beginning of `make fuzz`: an input of every kind, or a few, always the same."""

import pytest

from tests.fuzz.__main__ import fuzz
from tests.fuzz.inputs import MAKERS
from tests.profiles import PROFILE


@pytest.mark.slow
def test_no_hostile_input_ends_in_a_traceback_a_hang_or_silence():
    assert fuzz(first=0, most=len(MAKERS) * (3 if PROFILE == "thorough" else 1), minutes=0) == []
