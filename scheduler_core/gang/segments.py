"""Segments: intervals in which a job's slots, processors and rate do not change, and the rows that record them."""

import math

import numpy as np

from scheduler_core.common.speed_up import rate_on
from scheduler_core.gang.state import RIGID, Rows, World
from scheduler_core.kernel.jit import kernel, kernel_step
from scheduler_core.kernel.processor_sets import copy
from scheduler_core.kernel.records import Record

_rate_on = kernel(rate_on)


@kernel
def rate_at(processors: int, asked: Record) -> float:
    """Return a job's rate on ``processors`` processors."""
    if asked.flexibility == RIGID:
        return 1.0
    return _rate_on(processors, int(asked.size_min), int(asked.best_size), int(asked.size_max))


@kernel
def predict_end(state: Record, asked: Record) -> None:
    """Set the slot clock at which a job's segment ends it, by its work and by its estimate."""
    rate = state.rate * state.places
    begin = state.begin_slot_time + state.stall
    estimated = asked.estimate - (asked.work - state.left)
    state.end_slot_time = begin + math.ceil(state.left / rate)
    state.expected_slot_time = begin + math.ceil(estimated / rate)


@kernel
def write_row(slot: int, mask: np.ndarray, work: int, state: Record, rows: Rows, clock: Record) -> None:
    """Write a row of ``allocations`` for a job's segment; the caller sets job, end, turn and overhead."""
    row = rows.held[clock.rows]
    row.begin = state.begin
    row.slot = slot
    row.processors = state.held
    row.rate = state.rate
    row.work = work
    copy(rows.mask[clock.rows], mask)
    clock.rows += 1


@kernel_step
def write_segment(job: int, end: int, slot_time: int, work: int, overhead: int, world: World) -> None:
    """Write the rows of a segment that ends at a time and slot clock: one per slot of the job, sharing its work evenly."""
    state, clock, rows = world.state[job], world.clock, world.rows
    if end <= state.begin:
        return
    written = clock.rows
    if len(world.copy_slot) == 0:
        write_row(state.slot, world.mask[job], work, state, rows, clock)
    else:
        for k in range(state.places):
            place = state.copy_begin + k
            part = work // state.places + (1 if k < work % state.places else 0)
            write_row(world.copy_slot[place], world.copy_mask[place], part, state, rows, clock)
    for k in range(written, clock.rows):
        row = rows.held[k]
        row.job, row.end, row.turn, row.overhead = job, end, slot_time - state.begin_slot_time, overhead


@kernel_step
def break_segment(job: int, world: World) -> None:
    """End a job's segment now, before the job ends; the next segment begins with the remaining work and stall."""
    state, clock = world.state[job], world.clock
    passed = clock.slot_time - state.begin_slot_time
    stalled = min(state.stall, passed)
    worked = math.floor(state.rate * state.places * (passed - stalled))
    worked = min(worked, state.left - 1)  # rounding must not end a job that has not ended
    write_segment(job, clock.now, clock.slot_time, worked, stalled, world)
    state.left -= worked
    state.stall -= stalled
    state.begin = clock.now
    state.begin_slot_time = clock.slot_time
