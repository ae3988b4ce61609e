"""The slot clock: the time every slot has had its turn, and the levels that drive it (see LEVELS_COLUMNS)."""

from __future__ import annotations

import math

from scheduler_core.gang.state import (
    Matrix,
    Rows,
    Rules,
)
from scheduler_core.kernel.jit import kernel, kernel_entry


@kernel
def share_of(level: int, rules: Rules) -> float:
    """Return each slot's part of the time while ``level`` slots take turns."""
    if level == 0:
        return 0.0
    if level > 1 and rules.switch_slows:
        return 1.0 / (level * (1.0 + rules.switch_cost))
    return 1.0 / level


@kernel
def slot_clock(time: int, matrix: Matrix, rules: Rules) -> int:
    """Read the slot clock at a time not before the current row of ``levels``."""
    clock = matrix.clock
    share = share_of(clock.level, rules)
    return clock.row_clock + math.floor((time - clock.row_begin) * share)


@kernel
def time_of(reading: int, matrix: Matrix, rules: Rules) -> int:
    """Return the first microsecond at which the slot clock has reached ``reading``, if the level stays."""
    clock = matrix.clock
    share = share_of(clock.level, rules)
    needed = reading - clock.row_clock
    if needed <= 0:
        return clock.row_begin
    length = math.ceil(needed / share)
    while math.floor(length * share) < needed:
        length += 1
    while math.floor((length - 1) * share) >= needed:
        length -= 1
    return clock.row_begin + length


@kernel
def boundary(time: int, matrix: Matrix) -> int:
    """Return the first slice boundary at or after a time."""
    clock = matrix.clock
    if clock.slice == 0 or time <= clock.phase:
        return max(time, clock.phase)
    slices = (time - clock.phase + clock.slice - 1) // clock.slice
    return clock.phase + slices * clock.slice


@kernel_entry
def slice_at(level: int, rules: Rules) -> int:
    """Return the length of a slice while ``level`` slots take turns."""
    return rules.slice_us * rules.level // max(1, level) if rules.scaled else rules.slice_us


@kernel
def end_row(time: int, matrix: Matrix, rules: Rules, rows: Rows) -> None:
    """Write the current row of ``levels``, if a job had started when it began."""
    clock = matrix.clock
    if 0 <= clock.first_start <= clock.row_begin < time:
        row = clock.level_rows
        rows.levels[row].begin = clock.row_begin
        rows.levels[row].end = time
        rows.levels[row].level = clock.level
        rows.levels[row].share = share_of(clock.level, rules)
        clock.level_rows += 1


@kernel
def update_level(now: int, matrix: Matrix, rules: Rules, rows: Rows, before: int) -> None:
    """Let as many slots take turns as there are; a new length of the slice counts its boundaries from now.

    ``before`` is the slot clock now.
    """
    clock = matrix.clock
    if clock.slots == clock.level:
        return
    end_row(now, matrix, rules, rows)
    clock.row_begin = now
    clock.row_clock = before
    clock.level = clock.slots
    length = slice_at(clock.level, rules)
    if length != clock.slice:
        clock.slice = length
        clock.phase = now
