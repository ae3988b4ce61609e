"""The compiled part of the SWF reader: splits text into lines, and lines into numbers, a byte at a time.

Numbers come out as int64 counts of millionths, so that ``489.00`` and ``0.000001`` are exact. A line that is not simply
18 plain numbers is called *odd* and left to :mod:`traces.swf`, which says what is wrong with it.
"""

from __future__ import annotations

import numpy as np
from numba import njit

FIELDS = 18
"""Fields of a line of the Standard Workload Format."""

COMMENT, BLANK, PLAIN, ODD = 0, 1, 2, 3
"""Kinds of line; a plain line is 18 numbers."""

MILLION = 1_000_000
LARGEST = 9_000_000_000_000
"""Largest whole part that still fits an int64 when counted in millionths."""

NEWLINE, SEMICOLON, POINT, PLUS, MINUS, ZERO, NINE = 10, 59, 46, 43, 45, 48, 57


@njit(cache=True, nogil=True)
def is_space(byte: int) -> bool:
    """Tell white space inside a line: blank, tab, vertical tab, form feed, carriage return."""
    return byte == 32 or byte == 9 or 11 <= byte <= 13


@njit(cache=True, nogil=True)
def count_lines(text: np.ndarray) -> tuple[int, int]:
    """Count the lines, and those that are neither comments nor blank; a last line needs no newline."""
    lines = others = 0
    first = -1  # first byte of the line that is no white space
    for position in range(text.size):
        byte = text[position]
        if byte == NEWLINE:
            lines += 1
            others += first >= 0 and first != SEMICOLON
            first = -1
        elif first < 0 and not is_space(byte):
            first = byte
    if text.size > 0 and text[text.size - 1] != NEWLINE:
        lines += 1
        others += first >= 0 and first != SEMICOLON
    return lines, others


@njit(cache=True, nogil=True)
def parse_number(text: np.ndarray, position: int, end: int) -> tuple[int, int]:
    """Read a plain number that starts at ``position``.

    Returns
    -------
    (millionths, next position)
        The position is -1 when it is no plain number of at most six decimals that fits.
    """
    negative = text[position] == MINUS
    if negative or text[position] == PLUS:
        position += 1
    whole = digits = 0
    while position < end and ZERO <= text[position] <= NINE and whole < LARGEST:
        whole = whole * 10 + (int(text[position]) - ZERO)
        digits += 1
        position += 1
    value = whole * MILLION
    if position < end and text[position] == POINT:
        position += 1
        unit = MILLION // 10
        while position < end and ZERO <= text[position] <= NINE and unit > 0:
            value += (int(text[position]) - ZERO) * unit
            unit //= 10
            digits += 1
            position += 1
    if digits == 0 or whole >= LARGEST or (position < end and not is_space(text[position])):
        return 0, -1
    return (-value if negative else value), position


@njit(cache=True, nogil=True)
def parse_fields(text: np.ndarray, begin: int, end: int, values: np.ndarray, row: int) -> bool:
    """Read the 18 numbers of a line into ``values[:, row]``; false when the line is odd."""
    position = begin
    count = 0
    while True:
        while position < end and is_space(text[position]):
            position += 1
        if position == end:
            return count == FIELDS
        if count == FIELDS:
            return False
        value, position = parse_number(text, position, end)
        if position < 0:
            return False
        values[count, row] = value
        count += 1


@njit(cache=True, nogil=True)
def parse_lines(
    text: np.ndarray, kinds: np.ndarray, begins: np.ndarray, values: np.ndarray, numbers: np.ndarray
) -> None:
    """Split the text into lines and the lines into numbers.

    Parameters
    ----------
    text
        The log, uint8.
    kinds, begins
        A place a line, filled with its kind and its first byte.
    values
        (18, lines neither comment nor blank), filled with millionths; undefined where the line is odd.
    numbers
        The lines those columns stand for, counted from 0.
    """
    begin = line = row = 0
    size = text.size
    while begin < size:
        first = begin
        while first < size and text[first] != NEWLINE and is_space(text[first]):
            first += 1
        end = first
        while end < size and text[end] != NEWLINE:
            end += 1
        begins[line] = begin
        if first == end:
            kinds[line] = BLANK
        elif text[first] == SEMICOLON:
            kinds[line] = COMMENT
        else:
            kinds[line] = PLAIN if parse_fields(text, first, end, values, row) else ODD
            numbers[row] = line
            row += 1
        line += 1
        begin = end + 1
