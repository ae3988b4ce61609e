"""Drawing the jobs of the Lublin-Feitelson model: one loop over the jobs, compiled."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numba import njit

from scheduler_core.common.units import MICROSECONDS
from traces.models import jobs_table
from traces.models.lublin_published import CYCLE_BEGIN, HALF_HOURS, LONGEST_LOG_GAP, LONGEST_LOG_RUNTIME, Published

HALF_HOUR_S = 1800
HALF_HOUR_US = HALF_HOUR_S * MICROSECONDS

CONSTANTS = (
    *("serial_probability", "power_of_two_probability", "u_low", "u_med", "u_high", "u_probability"),
    *("a1", "b1", "a2", "b2", "pa", "pb", "a_arrival", "b_arrival"),
)
"""Constants of a stream that the kernel reads; ``a_arrival`` has the arrival ratio applied."""

STREAM = np.dtype([*((name, np.float64) for name in CONSTANTS), ("weights", np.float64, (HALF_HOURS,))])
"""A stream of jobs as the kernel sees it: its constants and the weight of each half hour of the day."""


def draw(
    constants: Sequence[Published], processors: int, jobs: int, generator: np.random.Generator
) -> tuple[pl.DataFrame, np.ndarray]:
    """Draw ``jobs`` jobs of one or two streams; return them, and for each whether it is of the second stream."""
    streams = np.array([stream_row(stream) for stream in constants], dtype=STREAM)
    submit = np.empty(jobs, np.int64)
    runtime = np.empty(jobs, np.int64)
    size = np.empty(jobs, np.int32)
    second = np.zeros(jobs, np.bool_)
    draw_jobs(streams, processors, submit, runtime, size, second, generator)
    return jobs_table(submit, runtime, size), second


def stream_row(stream: Published) -> tuple[Any, ...]:
    """Return a stream as a row of :data:`STREAM`."""
    values = {name: getattr(stream, name) for name in CONSTANTS}
    values["a_arrival"] = stream.a_arrival * stream.arrival_ratio
    return (*values.values(), daily_weights(stream.a_daily, stream.b_daily))


def daily_weights(shape: float, scale: float) -> np.ndarray:
    """Return each half hour's share of the day's arrivals, from midnight, scaled to mean 1.

    The gamma distribution's mass around the whole number ``i`` belongs to half hour ``(i - 1) mod 48``, for ``i`` from
    11 to 58.
    """
    from scipy.special import gammainc

    number = np.arange(CYCLE_BEGIN, CYCLE_BEGIN + HALF_HOURS)
    mass = gammainc(shape, (number + 0.5) / scale) - gammainc(shape, (number - 0.5) / scale)
    weights = np.empty(HALF_HOURS)
    weights[(number - 1) % HALF_HOURS] = mass
    return weights / weights.mean()


@njit(cache=True, nogil=True)
def draw_jobs(
    streams: np.ndarray,
    processors: int,
    submit: np.ndarray,
    runtime: np.ndarray,
    size: np.ndarray,
    second: np.ndarray,
    generator: np.random.Generator,
) -> None:
    """Fill the columns in the order of arrival; ``second`` marks the jobs of the second of two streams."""
    half_hour = np.zeros(2, np.int64)
    points = np.zeros(2)
    arrival = np.full(2, np.iinfo(np.int64).max)
    for kind in range(len(streams)):
        arrival[kind] = next_arrival(streams[kind], kind, half_hour, points, generator)
    for job in range(len(submit)):
        kind = 1 if arrival[1] < arrival[0] else 0
        stream = streams[kind]
        submit[job] = arrival[kind]
        second[job] = kind == 1
        size[job] = draw_size(stream, processors, generator)
        runtime[job] = draw_runtime(stream, size[job], generator)
        arrival[kind] = next_arrival(stream, kind, half_hour, points, generator)


@njit(cache=True, nogil=True)
def next_arrival(
    stream: np.void, kind: int, half_hour: np.ndarray, points: np.ndarray, generator: np.random.Generator
) -> int:
    """Return the next arrival of a stream, in microseconds since midnight of the first day.

    ``half_hour`` (since the beginning) and ``points`` (spent in it) are the position of the stream; both advance.
    """
    weights = stream["weights"]
    gap = draw_below(stream["a_arrival"], stream["b_arrival"], LONGEST_LOG_GAP, generator)
    left = points[kind] + math.exp(gap) / HALF_HOUR_S
    number = half_hour[kind]
    while left > weights[number % HALF_HOURS]:
        left -= weights[number % HALF_HOURS]
        number += 1
    half_hour[kind] = number
    points[kind] = left
    return number * HALF_HOUR_US + round(HALF_HOUR_US * left / weights[number % HALF_HOURS])


@njit(cache=True, nogil=True)
def draw_size(stream: np.void, processors: int, generator: np.random.Generator) -> int:
    """Draw the number of processors of a job."""
    kind = generator.random()
    if kind <= stream["serial_probability"]:
        return 1
    low, high = stream["u_low"], stream["u_med"]
    if generator.random() > stream["u_probability"]:
        low, high = stream["u_med"], stream["u_high"]
    exponent = low + (high - low) * generator.random()
    if kind <= stream["serial_probability"] + stream["power_of_two_probability"]:
        exponent = min(math.floor(exponent + 0.5), math.floor(math.log2(processors)))
    return min(int(2.0**exponent + 0.5), processors)


@njit(cache=True, nogil=True)
def draw_runtime(stream: np.void, size: int, generator: np.random.Generator) -> int:
    """Draw the run time of a job of ``size`` processors, in microseconds: whole seconds, at least one."""
    first = min(1.0, max(0.0, stream["pa"] * size + stream["pb"]))
    logarithm = LONGEST_LOG_RUNTIME + 1.0
    while logarithm > LONGEST_LOG_RUNTIME:
        if generator.random() <= first:
            logarithm = stream["b1"] * generator.standard_gamma(stream["a1"])
        else:
            logarithm = stream["b2"] * generator.standard_gamma(stream["a2"])
    return max(1, int(math.exp(logarithm))) * MICROSECONDS


@njit(cache=True, nogil=True)
def draw_below(shape: float, scale: float, most: float, generator: np.random.Generator) -> float:
    """Draw from a gamma distribution; draw again while the value is above ``most``."""
    value = scale * generator.standard_gamma(shape)
    while value > most:
        value = scale * generator.standard_gamma(shape)
    return value
