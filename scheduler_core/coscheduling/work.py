"""Work in whole microseconds at a share of the processors and a slowdown: the arithmetic of all coscheduling.

Share and slowdown are in millionths. Products stay within 64 bits: the time is divided first. For kernels the same functions are
:data:`kernel_work_done` and :data:`kernel_time_needed`.
"""

from scheduler_core.kernel.jit import kernel

WHOLE = 1_000_000
"""A share of all, or no slowdown, in millionths."""


def work_done(length_us: int, share: int, slowdown: int) -> int:
    """Return the work done in a time: its length x share / slowdown, rounded down."""
    whole = length_us // slowdown
    return whole * share + (length_us - whole * slowdown) * share // slowdown


def time_needed(work_us: int, share: int, slowdown: int) -> int:
    """Return the time that work needs: work x slowdown / share, rounded up."""
    whole = work_us // share
    return whole * slowdown + ((work_us - whole * share) * slowdown + share - 1) // share


kernel_work_done = kernel(work_done)
kernel_time_needed = kernel(time_needed)
