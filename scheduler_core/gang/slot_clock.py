"""The slot clock: the time every slot has had its turn, and the levels that drive it (see LEVELS_COLUMNS)."""

import math

import numpy as np

from scheduler_core.kernel.jit import kernel, kernel_entry
from scheduler_core.kernel.records import Record


@kernel
def share_of(level: int, rules: Record) -> float:
    """Return each slot's part of the time while ``level`` slots take turns."""
    if level == 0:
        return 0.0
    if level > 1 and rules.switch_slows:
        return 1.0 / (level * (1.0 + rules.switch_cost))
    return 1.0 / level


@kernel
def slot_time_at(time: int, clock: Record, rules: Record) -> int:
    """Return the slot clock at a time not before the current row of ``levels``."""
    share = share_of(clock.level, rules)
    return clock.row_slot_time + math.floor((time - clock.row_begin) * share)


@kernel
def time_at(slot_time: int, clock: Record, rules: Record) -> int:
    """Return the first microsecond at which the slot clock has reached ``slot_time``, if the level stays."""
    share = share_of(clock.level, rules)
    needed = slot_time - clock.row_slot_time
    if needed <= 0:
        return clock.row_begin
    length = math.ceil(needed / share)
    while math.floor(length * share) < needed:
        length += 1
    while math.floor((length - 1) * share) >= needed:
        length -= 1
    return clock.row_begin + length


@kernel
def boundary(time: int, clock: Record) -> int:
    """Return the first slice boundary at or after a time."""
    if clock.slice == 0 or time <= clock.phase:
        return max(time, clock.phase)
    slices = (time - clock.phase + clock.slice - 1) // clock.slice
    return clock.phase + slices * clock.slice


@kernel_entry
def slice_at(level: int, rules: Record) -> int:
    """Return the length of a slice while ``level`` slots take turns."""
    return rules.slice_us * rules.level // max(1, level) if rules.scaled else rules.slice_us


@kernel
def end_row(time: int, clock: Record, rules: Record, levels: np.ndarray) -> None:
    """Write the current row of ``levels``, if a job had started when it began."""
    if 0 <= clock.first_start <= clock.row_begin < time:
        row = levels[clock.level_rows]
        row.begin, row.end = clock.row_begin, time
        row.level, row.share = clock.level, share_of(clock.level, rules)
        clock.level_rows += 1


@kernel
def update_level(clock: Record, rules: Record, levels: np.ndarray) -> None:
    """Set the level to the number of slots; if that changes the slice, count boundaries from now."""
    if clock.slots == clock.level:
        return
    end_row(clock.now, clock, rules, levels)
    clock.row_begin, clock.row_slot_time = clock.now, clock.slot_time
    clock.level = clock.slots
    length = slice_at(clock.level, rules)
    if length != clock.slice:
        clock.slice = length
        clock.phase = clock.now
