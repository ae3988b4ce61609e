"""How many examples hypothesis draws: the profiles ``ordinary``, for every day, and ``thorough``.

``HYPOTHESIS_PROFILE`` chooses one; ``make test-thorough`` sets it. In each profile the examples are the same on every machine.
``SLOTWISE_EXAMPLES`` asks every search for one number of examples instead, drawn anew in each run.
"""

import os

from hypothesis import HealthCheck, settings

EXAMPLES = "SLOTWISE_EXAMPLES"
PARTS = {"ordinary": 4, "thorough": 1}
"""The examples of a profile: all that a test asks for, or one of so many."""

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "ordinary")
LEAST = 20
"""Examples that every profile draws, if a test asks for that many."""

USUAL = 100
"""Examples of a test that does not say how many."""


def drawn(examples: int) -> int:
    """Return how many examples are drawn for a test that asks for so many."""
    if EXAMPLES in os.environ:
        return int(os.environ[EXAMPLES])
    return max(min(examples, LEAST), examples // PARTS[PROFILE])


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
