"""Random lengths and partners of applications: functions of numbers alone, as the family's page specifies."""

import math
from itertools import pairwise
from typing import Any

import numpy as np

from scheduler_core.kernel.jit import kernel

PARTS = 4096
"""Equally probable values of the exponential distribution."""

UNIT_BITS = 20
"""Values are in units of 2^-20 of the mean."""


def exponential_values() -> np.ndarray:
    """Return the means of the equally probable parts of the exponential distribution of mean 1, in units of 2^-20."""
    within = [part / PARTS for part in range(PARTS, -1, -1)]  # probabilities of exceeding the borders of the parts
    sums = [1.0, *(v - v * math.log(v) for v in within[1:-1]), 0.0]  # integral of the values up to each
    return np.array([round(PARTS * (a - b) * (1 << UNIT_BITS)) for a, b in pairwise(sums)])


EXPONENTIAL = exponential_values()
"""Mean of each part, the least first."""

BURSTS, REQUESTS, SENDERS, RECEIVERS, WORK, SHARES, SHIFTS, PHASES, BALANCE = range(9)
"""Streams of draws: bursts stands for all lengths of which a task computes one after the other."""

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
BITS_27, BITS_30, BITS_31, BITS_32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
BITS_44, BITS_52 = np.uint64(44), np.uint64(52)


@kernel
def mix(z: np.uint64) -> np.uint64:
    """Scatter the bits of a number."""
    z = (z ^ (z >> BITS_30)) * FIRST
    z = (z ^ (z >> BITS_27)) * SECOND
    return z ^ (z >> BITS_31)


@kernel
def stream_base(seed: int, stream: int, task: int) -> np.uint64:
    """Return the state from which all draws of a task from a stream are computed."""
    of_stream = mix(np.uint64(seed) + GOLDEN * np.uint64(stream + 1))
    return mix(of_stream + GOLDEN * np.uint64(task + 1))


@kernel
def drawn(base: np.uint64, index: int) -> np.uint64:
    """Return a draw of 64 bits, from the state of its stream and task."""
    return mix(base + GOLDEN * np.uint64(index + 1))


@kernel
def one_of(count: int, draw: np.uint64) -> int:
    """Choose one of so many (fewer than 2^31), with equal probabilities."""
    chosen: Any = np.int64(((draw >> BITS_32) * np.uint64(count)) >> BITS_32)
    return int(chosen)


@kernel
def length(mean: int, constant: int, draw: np.uint64) -> int:
    """Return a length of a mean of up to 2^38."""
    if constant != 0:
        return mean
    return max(1, (mean * EXPONENTIAL[np.int64(draw >> BITS_52)] + (1 << 19)) >> UNIT_BITS)


@kernel
def shared(work: int, imbalance: int, draw: np.uint64) -> int:
    """Return a task's part of a superstep's work: max(1, work + (work V (2u - 2^20) >> 40)), V the imbalance, rounded down.

    The product of the three has up to 80 bits, so it is computed from two halves of the work, with the same result.
    """
    tilt = imbalance * (2 * np.int64(draw >> BITS_44) - (1 << UNIT_BITS))
    high, low = work >> UNIT_BITS, work & ((1 << UNIT_BITS) - 1)
    more: Any = (high * tilt + ((low * tilt) >> UNIT_BITS)) >> UNIT_BITS
    return int(max(1, work + more))
