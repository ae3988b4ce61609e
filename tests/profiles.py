"""How much the tests try: the profiles ``ordinary``, for every day, and ``thorough``.

``HYPOTHESIS_PROFILE`` chooses one; ``make test-thorough`` sets it. In each profile the examples are the same on every machine.
``SLOTWISE_EXAMPLES`` asks every search for one number of examples instead, drawn anew in each run.

The ordinary profile draws a part of the examples and leaves out tests with the mark ``thorough``: those of which a smaller test
finds the same defects, and the cases of a test after the first of each kind (:func:`one_of_each`).
"""

import os
from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings

EXAMPLES = "SLOTWISE_EXAMPLES"
PARTS = {"ordinary": 8, "thorough": 1}
"""The examples of a profile: all that a test asks for, or one of so many."""

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "ordinary")
LEAST = 20
"""Examples that every profile draws, if a test asks for that many."""

USUAL = 100
"""Examples of a test that does not say how many."""


Case = TypeVar("Case")


def one_of_each(cases: Iterable[Case], kind: Callable[[Case], Hashable]) -> list[Any]:
    """Return the cases of a test: the first of each kind for every profile, the others for ``thorough``."""
    seen: set[Hashable] = set()
    found = []
    for case in cases:
        values = case if isinstance(case, tuple) else (case,)
        found.append(pytest.param(*values, marks=pytest.mark.thorough if kind(case) in seen else ()))
        seen.add(kind(case))
    return found


def drawn(examples: int) -> int:
    """Return how many examples are drawn for a test that asks for so many."""
    if EXAMPLES in os.environ:
        return int(os.environ[EXAMPLES])
    return max(min(examples, LEAST), examples // PARTS[PROFILE])


def seeds(count: int) -> range:
    """Return the seeds of a test that draws so many workloads itself: all, or one of so many and at least two."""
    return range(max(min(count, 2), count // PARTS[PROFILE]))


def searching(examples: int) -> settings:
    """Return the settings of a test that asks for so many examples."""
    return settings(max_examples=drawn(examples))


def load_profile() -> None:
    """Load the profile; it has no deadline, because kernels compile once."""
    settings.register_profile(
        PROFILE,
        max_examples=drawn(USUAL),
        derandomize=EXAMPLES not in os.environ,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile(PROFILE)
