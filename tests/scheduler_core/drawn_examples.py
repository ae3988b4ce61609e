"""How examples are drawn: by which choosers, and how many of them.

What is drawn is written once, as functions of a *chooser*: hypothesis draws the examples of a differential test by one,
and a seeded generator draws by another the examples over which the test counts how often each feature was at work.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from typing import TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

EXAMPLES = "SLOTWISE_EXAMPLES"

Value = TypeVar("Value")


def searching(examples: int) -> settings:
    """Give the settings of a search: the same examples each time, unless the environment asks for more."""
    return settings(
        max_examples=int(os.environ.get(EXAMPLES, examples)),
        derandomize=EXAMPLES not in os.environ,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )


class SeededChooser:
    """Chooses by a seeded generator."""

    def __init__(self, seed: int) -> None:
        self.generator = random.Random(seed)

    def integer(self, lowest: int, highest: int) -> int:
        """Choose a whole number."""
        return self.generator.randint(lowest, highest)

    def one_of(self, values: Sequence[Value]) -> Value:
        """Choose one of several values."""
        return self.generator.choice(values)


class HypothesisChooser:
    """Chooses by what hypothesis draws."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def integer(self, lowest: int, highest: int) -> int:
        """Choose a whole number."""
        return self.draw(st.integers(lowest, highest))

    def one_of(self, values: Sequence[Value]) -> Value:
        """Choose one of several values."""
        return self.draw(st.sampled_from(values))


Chooser = SeededChooser | HypothesisChooser
