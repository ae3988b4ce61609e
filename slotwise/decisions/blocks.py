"""Gantt charts in characters, for terminals."""

from __future__ import annotations

import numpy as np
import polars as pl

from scheduler_core.common.units import MICROSECONDS
from scheduler_core.decisions.words import unit_of

MOST_ROWS = 24

LEAST_COLUMNS = 20
"""Columns of the time axis in a terminal that is narrower than any chart."""

GLYPHS = "█▒▓░"
"""What fills the characters of a job; jobs that touch have different ones if four are enough."""

IDLE = "·"

FREE = -1


def blocks(shown: pl.DataFrame, processors: int, low_us: int, high_us: int, columns: int, title: str) -> str:
    """Return rectangles ``job, start_us, finish_us, first, end`` in characters; each shows the job that holds its middle.

    The lowest-numbered processors are at the bottom. A dot is an idle processor. A job's number is written into it where there
    is room.
    """
    rows = min(processors, MOST_ROWS)
    margin = len(str(processors - 1))
    wide = max(LEAST_COLUMNS, columns - margin - 2)
    held = cells(shown, processors, low_us, high_us, rows, wide)
    lines = written(held)
    numbers = [str(int((row + 0.5) * processors / rows)).rjust(margin) for row in range(rows)]
    body = [f"{numbers[row]} │{lines[row]}" for row in reversed(range(rows))]
    return "\n".join([title, *body, *axis(low_us, high_us, margin, wide)])


def cells(shown: pl.DataFrame, processors: int, low_us: int, high_us: int, rows: int, columns: int) -> np.ndarray:
    """Return the job that holds the middle of each cell, :data:`FREE` if none does."""
    held = np.full((rows, columns), FREE, dtype=np.int64)
    times = low_us + (np.arange(columns) + 0.5) * (high_us - low_us) / columns
    places = (np.arange(rows) + 0.5) * processors / rows
    for job, start, finish, first, end in shown.select("job", "start_us", "finish_us", "first", "end").iter_rows():
        left, right = np.searchsorted(times, (start, finish))
        bottom, top = np.searchsorted(places, (first, end))
        held[bottom:top, left:right] = job
    return held


def written(held: np.ndarray) -> list[str]:
    """Return the cells as lines: a glyph per job, and its number where there is room."""
    text = np.full(held.shape, IDLE)
    chosen: dict[int, int] = {}
    edged = np.pad(held, 1, constant_values=FREE)
    jobs, firsts = np.unique(held, return_index=True)
    for job in jobs[np.argsort(firsts)]:
        if job == FREE:
            continue
        own = edged == job
        beside = np.zeros_like(own)
        for axis_, step in ((0, 1), (0, -1), (1, 1), (1, -1)):
            beside |= np.roll(own, step, axis_)
        taken = {chosen[other] for other in np.unique(edged[beside]) if other in chosen}
        chosen[job] = next((place for place in range(len(GLYPHS)) if place not in taken), len(chosen) % len(GLYPHS))
        text[held == job] = GLYPHS[chosen[job]]
        write_number(text, held == job, f" {job} ")
    return ["".join(line) for line in text]


def write_number(text: np.ndarray, own: np.ndarray, number: str) -> None:
    """Write a job's number into its middle row, if there is room, where the row has most of its cells side by side."""
    rows = np.flatnonzero(own.any(axis=1))
    row = rows[len(rows) // 2]
    columns = np.flatnonzero(own[row])
    longest = max(np.split(columns, np.flatnonzero(np.diff(columns) > 1) + 1), key=len)
    first = longest[0] + (len(longest) - len(number)) // 2
    if len(longest) > len(number):
        text[row, first : first + len(number)] = list(number)


def axis(low_us: int, high_us: int, margin: int, columns: int) -> list[str]:
    """Return the time axis: a line with ticks, and a line with their times."""
    unit, length = unit_of((high_us - low_us) / MICROSECONDS)
    ticks = [round(place * (columns - 1) / 4) for place in range(5)]
    line = "".join("┬" if column in ticks else "─" for column in range(columns))
    times = [(low_us + (high_us - low_us) * place / 4) / (MICROSECONDS * length) for place in range(5)]
    row = [" "] * (margin + 2 + columns)
    for tick, time in zip(ticks, times, strict=True):
        word = f"{time:.4g}"
        begin = min(margin + 2 + tick, len(row) - len(word))
        row[begin : begin + len(word)] = word
    return [f"{' ' * margin} └{line}", f"{''.join(row).rstrip()}", f"time, {unit}".rjust(margin + 2 + columns)]
