"""Segments: intervals in which a job's slots, processors and rate stay as they are, and the rows they leave behind."""

from __future__ import annotations

import math

import numpy as np

from scheduler_core.gang.processors import copy
from scheduler_core.gang.state import RIGID, ROWS, Jobs, Matrix, Rows
from scheduler_core.kernel.jit import kernel, kernel_step


@kernel
def rate_at(job: int, processors: int, jobs: Jobs) -> float:
    """Give the rate of a job on ``processors`` processors, from the three-point speed-up curve (Huang 2004, section 6.6)."""
    best, least, most = int(jobs.size[job]), int(jobs.size_min[job]), int(jobs.size_max[job])
    if processors == best or jobs.flexibility[job] == RIGID:
        return 1.0
    if processors < best:
        span = best - least
        speed = 80 * least * span + (65 * best - 80 * least) * (processors - least)
    else:
        span = most - best
        speed = 65 * best * span + (50 * most - 65 * best) * (processors - best)
    return speed / (65 * best * span)


@kernel
def predict_end(job: int, jobs: Jobs, matrix: Matrix) -> None:
    """Set the slot clock at which the segment ends the job, in truth and by its estimate."""
    rate = matrix.rate[job] * matrix.places[job]
    begin = matrix.begin_clock[job] + matrix.stall[job]
    left = matrix.left[job]
    estimated = jobs.estimate[job] - (jobs.work[job] - left)
    matrix.end_clock[job] = begin + int(math.ceil(left / rate))
    matrix.expected_clock[job] = begin + int(math.ceil(estimated / rate))


@kernel
def write_row(
    job: int, slot: int, mask: np.ndarray, end: int, reading: int, work: int, overhead: int, matrix: Matrix, rows: Rows
) -> None:
    """Write one row of ``allocations``."""
    row = matrix.clock[ROWS]
    rows.job[row] = job
    rows.begin[row] = matrix.begin[job]
    rows.end[row] = end
    rows.slot[row] = slot
    rows.processors[row] = matrix.held[job]
    rows.rate[row] = matrix.rate[job]
    rows.work[row] = work
    rows.turn[row] = reading - matrix.begin_clock[job]
    rows.overhead[row] = overhead
    copy(rows.mask[row], mask)
    matrix.clock[ROWS] += 1


@kernel_step
def write_segment(job: int, end: int, reading: int, work: int, overhead: int, matrix: Matrix, rows: Rows) -> None:
    """Write the rows of a segment: one a slot the job runs in, its work shared among them evenly."""
    if end <= matrix.begin[job]:
        return
    places = matrix.places[job]
    if len(matrix.copy_begin) == 0:
        write_row(job, matrix.slot[job], matrix.mask[job], end, reading, work, overhead, matrix, rows)
        return
    first = matrix.copy_begin[job]
    for k in range(places):
        part = work // places + (1 if k < work % places else 0)
        write_row(
            job, matrix.copy_slot[first + k], matrix.copy_mask[first + k], end, reading, part, overhead, matrix, rows
        )


@kernel_step
def break_segment(job: int, now: int, reading: int, matrix: Matrix, rows: Rows) -> None:
    """End a job's segment before the job ends; the next begins now, with the work and the stall that are left."""
    passed = reading - matrix.begin_clock[job]
    stalled = min(matrix.stall[job], passed)
    worked = int(math.floor(matrix.rate[job] * matrix.places[job] * (passed - stalled)))
    worked = min(worked, matrix.left[job] - 1)  # rounding must not end a job that has not ended
    write_segment(job, now, reading, worked, stalled, matrix, rows)
    matrix.left[job] -= worked
    matrix.stall[job] -= stalled
    matrix.begin[job] = now
    matrix.begin_clock[job] = reading
