"""Nanoseconds and microseconds in schedules of Concurrent Gang, and the ticks of its clock."""

from __future__ import annotations

import polars as pl

NS_PER_US = 1000


def up_to_us(time_ns: int) -> int:
    """Return a time in microseconds, rounded up."""
    return -(-time_ns // NS_PER_US)


def tick_by(name: str, slice_ns: int) -> pl.Expr:
    """Return the last tick at or before the time of a column of microseconds, which are rounded up."""
    return pl.col(name) * NS_PER_US // slice_ns * slice_ns


def tick_from(name: str, slice_ns: int) -> pl.Expr:
    """Return the first tick at or after the time of a column of microseconds, which are rounded up."""
    return (pl.col(name) * NS_PER_US - (NS_PER_US - 1) + slice_ns - 1) // slice_ns * slice_ns
