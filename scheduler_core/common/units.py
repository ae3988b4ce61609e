"""Time inside the core is an int64 count of microseconds; conversions at its borders."""

from typing import Any

MICROSECONDS = 1_000_000
"""Microseconds in a second."""

HOUR_US = 3600 * MICROSECONDS
DAY_US = 24 * HOUR_US
WEEK_US = 7 * DAY_US

NS_PER_US = 1000

NEVER_US = 2**62
"""A time that never comes."""


def seconds_to_us(seconds: float) -> int:
    """Convert seconds to whole microseconds, rounding half to even."""
    return round(seconds * MICROSECONDS)


def us_to_seconds(microseconds: int) -> float:
    """Convert microseconds to seconds."""
    return microseconds / MICROSECONDS


def unboxed(value: Any) -> Any:
    """Return a number of numpy as Python's own, and anything else as it is."""
    return value.item() if type(value).__module__ == "numpy" and getattr(value, "shape", None) == () else value


LEAST_SLOWDOWN, MOST_SLOWDOWN = 0.001, 1000.0
"""Bounds of the slowdown of a job beside others, so that millionths fit into 32 bits."""
