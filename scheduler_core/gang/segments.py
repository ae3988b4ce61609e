"""Segments: intervals in which a job's slots, processors and rate stay as they are, and the rows they leave behind."""

from __future__ import annotations

import math

import numpy as np

from scheduler_core.gang.state import RIGID, Jobs, Matrix, Rows
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.processor_sets import copy


@kernel
def rate_at(job: int, processors: int, jobs: Jobs) -> float:
    """Return the rate of a job on ``processors`` processors, from the three-point speed-up curve (Huang 2004, section 6.6)."""
    best, least, most = int(jobs.asked[job].best_size), int(jobs.asked[job].size_min), int(jobs.asked[job].size_max)
    if processors == best or jobs.asked[job].flexibility == RIGID:
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
    rate = matrix.state[job].rate * matrix.state[job].places
    begin = matrix.state[job].begin_clock + matrix.state[job].stall
    left = matrix.state[job].left
    estimated = jobs.asked[job].estimate - (jobs.asked[job].work - left)
    matrix.state[job].end_clock = begin + math.ceil(left / rate)
    matrix.state[job].expected_clock = begin + math.ceil(estimated / rate)


@kernel
def write_row(
    job: int, slot: int, mask: np.ndarray, end: int, reading: int, work: int, overhead: int, matrix: Matrix, rows: Rows
) -> None:
    """Write one row of ``allocations``."""
    row = matrix.clock.rows
    rows.held[row].job = job
    rows.held[row].begin = matrix.state[job].begin
    rows.held[row].end = end
    rows.held[row].slot = slot
    rows.held[row].processors = matrix.state[job].held
    rows.held[row].rate = matrix.state[job].rate
    rows.held[row].work = work
    rows.held[row].turn = reading - matrix.state[job].begin_clock
    rows.held[row].overhead = overhead
    copy(rows.mask[row], mask)
    matrix.clock.rows += 1


@kernel_step
def write_segment(job: int, end: int, reading: int, work: int, overhead: int, matrix: Matrix, rows: Rows) -> None:
    """Write the rows of a segment: one per slot the job runs in, its work shared among them evenly."""
    if end <= matrix.state[job].begin:
        return
    places = matrix.state[job].places
    if len(matrix.copy_slot) == 0:
        write_row(job, matrix.state[job].slot, matrix.mask[job], end, reading, work, overhead, matrix, rows)
        return
    first = matrix.state[job].copy_begin
    for k in range(places):
        part = work // places + (1 if k < work % places else 0)
        write_row(
            job, matrix.copy_slot[first + k], matrix.copy_mask[first + k], end, reading, part, overhead, matrix, rows
        )


@kernel_step
def break_segment(job: int, now: int, reading: int, matrix: Matrix, rows: Rows) -> None:
    """End a job's segment before the job ends; the next begins now, with the work and the stall that are left."""
    passed = reading - matrix.state[job].begin_clock
    stalled = min(matrix.state[job].stall, passed)
    worked = math.floor(matrix.state[job].rate * matrix.state[job].places * (passed - stalled))
    worked = min(worked, matrix.state[job].left - 1)  # rounding must not end a job that has not ended
    write_segment(job, now, reading, worked, stalled, matrix, rows)
    matrix.state[job].left -= worked
    matrix.state[job].stall -= stalled
    matrix.state[job].begin = now
    matrix.state[job].begin_clock = reading
