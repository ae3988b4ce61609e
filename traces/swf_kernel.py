"""The compiled part of the SWF reader: it splits text into lines, and lines into numbers, byte by byte.

Numbers come out as int64 counts of millionths, so that ``489.00`` and ``0.000001`` are exact. A line that is not simply
18 plain numbers is *odd*; :mod:`traces.swf` finds what is wrong with it.
"""

import numpy as np

from scheduler_core.kernel.jit import kernel, kernel_entry

FIELDS = 18
"""Fields of a line of the Standard Workload Format."""

COMMENT, BLANK, PLAIN, ODD = 0, 1, 2, 3
"""Kinds of line; a plain line is 18 numbers."""

MILLION = 1_000_000
LARGEST = 9_000_000_000_000
"""Largest whole part that still fits an int64 when counted in millionths."""

NEWLINE, SEMICOLON, POINT, PLUS, MINUS, ZERO = 10, 59, 46, 43, 45, 48


@kernel
def is_space(byte: int) -> bool:
    """Return whether a byte is white space inside a line: blank, tab, vertical tab, form feed, carriage return."""
    return byte == 32 or byte == 9 or 11 <= byte <= 13


@kernel_entry
def count_lines(text: np.ndarray) -> tuple[int, int]:
    """Return the number of lines, and of lines that are neither comments nor blank; the last needs no newline."""
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


@kernel
def digit(text: np.ndarray, position: int) -> int:
    """Return the digit at a position, or -1 when there is none (or the text ends)."""
    if position >= text.size:
        return -1
    value = int(text[position]) - ZERO
    return value if 0 <= value <= 9 else -1


@kernel
def parse_number(text: np.ndarray, position: int) -> tuple[int, int]:
    """Return the plain number at ``position`` in millionths, and the position after it.

    That position is -1 unless it is a plain number with at most six decimals that fits.
    """
    negative = text[position] == MINUS
    if negative or text[position] == PLUS:
        position += 1
    begin, whole, value = position, 0, digit(text, position)
    while value >= 0 and whole < LARGEST:
        whole = whole * 10 + value
        position += 1
        value = digit(text, position)
    digits, millionths = position - begin, whole * MILLION
    if position < text.size and text[position] == POINT:
        position += 1
        unit, value = MILLION // 10, digit(text, position)
        while value >= 0 and unit > 0:
            millionths += value * unit
            unit //= 10
            digits += 1
            position += 1
            value = digit(text, position)
    follows = text[position] if position < text.size else NEWLINE
    if digits == 0 or whole >= LARGEST or not (follows == NEWLINE or is_space(follows)):
        return 0, -1
    return (-millionths if negative else millionths), position


@kernel
def parse_line(text: np.ndarray, begin: int, values: np.ndarray, row: int) -> tuple[int, int]:
    """Read the numbers of the line at ``begin`` into ``values[:, row]``; return its kind and its end."""
    position, count = begin, 0
    while True:
        byte = text[position] if position < text.size else NEWLINE
        if byte == NEWLINE:
            kind = PLAIN if count == FIELDS else BLANK if count == 0 else ODD
            return kind, position
        if is_space(byte):
            position += 1
            continue
        if count == 0 and byte == SEMICOLON:
            return COMMENT, end_of_line(text, position)
        value, after = parse_number(text, position)
        if after < 0 or count == FIELDS:
            return ODD, end_of_line(text, position)
        values[count, row] = value
        position = after
        count += 1


@kernel
def end_of_line(text: np.ndarray, position: int) -> int:
    """Return the position of the newline that ends a line, or the end of the text."""
    while position < text.size and text[position] != NEWLINE:
        position += 1
    return position


@kernel_entry
def parse_lines(
    text: np.ndarray, kinds: np.ndarray, begins: np.ndarray, values: np.ndarray, numbers: np.ndarray
) -> None:
    """Split the text (uint8) into lines and the lines into numbers.

    ``kinds`` and ``begins`` have an entry per line, for its kind and its first byte. ``values`` has a column of 18 millionths for
    each line that is neither comment nor blank, undefined for odd lines; ``numbers`` gets the line of each, counted from 0.
    """
    begin = line = row = 0
    while begin < text.size:
        kind, end = parse_line(text, begin, values, row)
        begins[line] = begin
        kinds[line] = kind
        if kind >= PLAIN:
            numbers[row] = line
            row += 1
        line += 1
        begin = end + 1
