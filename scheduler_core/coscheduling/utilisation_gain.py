"""The relative utilisation gain of a pair (LOMARC, section 5.2)."""

from __future__ import annotations

from scheduler_core.coscheduling.work import WHOLE
from scheduler_core.kernel.jit import kernel


@kernel
def gain_2(larger: int, smaller: int, slowdown: int) -> float:
    """Return the gain while both run: sizes of the holder and its partner, and their slowdown in millionths.

    On the processors both have, work proceeds 2 / slowdown times as fast as that of one; on the others of the larger,
    1 / slowdown times. The sum of gain and loss is an integer, so that its sign is exact.
    """
    return (WHOLE * (larger + smaller) - larger * slowdown) / (larger * slowdown)


@kernel
def gain_1(larger: int, smaller: int, slowdown: int, time: int, other_time: int) -> float:
    """Return the gain weighted by the part of the longer time in which both run."""
    return gain_2(larger, smaller, slowdown) * (min(time, other_time) / max(time, other_time))
