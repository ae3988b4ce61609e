"""Reader of the Standard Workload Format: text -> 18 columns of numbers, and what every line is.

The format is that of S. J. Chapin et al., "Benchmarks and standards for the evaluation of parallel job schedulers", Job
Scheduling Strategies for Parallel Processing, LNCS 1659, 1999, in version 2.2 of the Parallel Workloads Archive: a
line per job, 18 numbers separated by white space, -1 for what is not known; comments begin with a semicolon.

Good lines are read by compiled code (:mod:`traces.swf_kernel`); only odd lines come through Python, to be told what is
wrong with them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from functools import cached_property

import numpy as np

from scheduler_core.common.errors import LogError
from traces import swf_kernel
from traces.accounting import REJECTIONS
from traces.swf_file import EXPECTED, UTF8_MARK, LogText
from traces.swf_header import Header, read_header
from traces.swf_kernel import BLANK, COMMENT, FIELDS, MILLION, ODD

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
INFINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)
QUOTED = 160
"""Characters of a line that a message or an example quotes."""


@dataclass(frozen=True)
class SwfTable:
    """The lines of an SWF text.

    Parameters
    ----------
    text
        The log's text.
    kinds, begins
        Kind (:data:`traces.swf_kernel.COMMENT`, ...) and first byte of each line.
    values
        int64, shape (18, rows): the fields of the lines that could be read, in millionths; -1 000 000 is "unknown".
    numbers
        The line of each row, counted from 0.
    rounded
        Rows with a number of more than six decimals, now rounded.
    unreadable
        Line (counted from 0) -> the rule of :data:`traces.accounting.REJECTIONS` by which it could not be read.
    """

    text: LogText
    kinds: np.ndarray
    begins: np.ndarray
    values: np.ndarray
    numbers: np.ndarray
    rounded: np.ndarray
    unreadable: dict[int, str]

    def field(self, number: int) -> np.ndarray:
        """Return a field by its number in the format, 1 to 18, in millionths."""
        return self.values[number - 1]

    def line(self, number: int) -> str:
        """Quote a line (counted from 0), white space squeezed, cut when it is long."""
        return quote(raw_line(self.text.data, self.begins, number))

    @cached_property
    def header(self) -> Header:
        """What the comments before the first job say."""
        first = int(self.numbers[0]) if self.numbers.size else len(self.kinds)
        comments = np.flatnonzero(self.kinds[:first] == COMMENT)
        lines = ((int(n), decode(raw_line(self.text.data, self.begins, int(n))).strip()) for n in comments)
        return read_header(lines)


def raw_line(data: bytes, begins: np.ndarray, number: int) -> bytes:
    """Return the bytes of a line counted from 0, without its end."""
    begin = int(begins[number])
    end = data.find(b"\n", begin)
    return data[begin : end if end >= 0 else len(data)]


def decode(raw: bytes) -> str:
    """Decode a line: UTF-8 where it is that, else Latin-1, in which every byte means something."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def quote(raw: bytes) -> str:
    """Write a line on one line of printable characters, cut when it is long."""
    text = " ".join(decode(raw[: 8 * QUOTED]).split())
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return text if len(text) <= QUOTED else text[: QUOTED - 1] + "…"


def parse_swf(text: LogText) -> SwfTable:
    """Read the text of an SWF file.

    Raises
    ------
    LogError
        When not one line looks like a job.
    """
    data = np.frombuffer(text.data, np.uint8)
    if text.data.startswith(UTF8_MARK):
        data = data[len(UTF8_MARK) :]
    lines, rows = swf_kernel.count_lines(data)
    kinds, begins = np.empty(lines, np.uint8), np.empty(lines, np.int64)
    values, numbers = np.empty((FIELDS, rows), np.int64), np.empty(rows, np.int64)
    swf_kernel.parse_lines(data, kinds, begins, values, numbers)
    begins += len(text.data) - data.size
    odd = np.flatnonzero(kinds[numbers] == ODD)
    readable, rounded, unreadable = np.ones(rows, bool), np.zeros(rows, bool), {}
    for row in odd.tolist():
        line = int(numbers[row])
        rule = parse_odd(raw_line(text.data, begins, line), values[:, row])
        rounded[row] = rule == "rounded_time"
        if rule in REJECTIONS:
            readable[row], unreadable[line] = False, rule
    if unreadable:
        values, numbers, rounded = values[:, readable], numbers[readable], rounded[readable]
    table = SwfTable(text, kinds, begins, values, numbers, rounded, unreadable)
    if not numbers.size:
        raise LogError(no_job(table))
    return table


def parse_odd(raw: bytes, values: np.ndarray) -> str:
    """Read a line the compiled reader left: fill ``values`` and return "" or "rounded_time", or say why it cannot be read."""
    tokens = raw.split()
    if len(tokens) != FIELDS:
        return "too_few_fields" if len(tokens) < FIELDS else "too_many_fields"
    rules = set()
    for number, token in enumerate(tokens):
        value, rule = parse_millionths(token.decode("latin-1"))
        values[number] = value
        rules.add(rule)
    return next((rule for rule in REJECTIONS if rule in rules), max(rules))


def parse_millionths(token: str) -> tuple[int, str]:
    """Read a number exactly: (millionths, "" | "rounded_time"), or (0, the rule by which it is none)."""
    if not NUMBER.fullmatch(token):
        return 0, "not_finite" if INFINITE.fullmatch(token) else "not_a_number"
    try:
        exact = Decimal(token)
        if exact and exact.adjusted() > 12:
            return 0, "overflow"
        scaled = exact.scaleb(6, Context(prec=len(token) + 30))
        value = int(scaled.to_integral_value(ROUND_HALF_EVEN))
    except ArithmeticError:  # an exponent beyond what decimals can hold
        return 0, "overflow"
    if abs(value) >= swf_kernel.LARGEST * MILLION:
        return 0, "overflow"
    return value, "" if scaled == value else "rounded_time"


def no_job(table: SwfTable) -> str:
    """Say that not one line of a file is a job, quoting the first that should be."""
    path, data = table.text.path, table.text.data
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        return f"{path}, line {line}: this is a binary file (it has zero bytes); {EXPECTED}"
    if data.count(b"\n") <= 1 < data.count(b"\r"):
        return f"{path}: lines end in carriage returns alone; convert them to line feeds (tr '\\r' '\\n'); {EXPECTED}"
    if not table.unreadable:
        blank = int(np.count_nonzero(table.kinds == BLANK))
        return f"{path}: no jobs in {len(table.kinds)} lines, only comments and {blank} blank lines; {EXPECTED}"
    line, rule = next(iter(table.unreadable.items()))
    return (
        f"{path}, line {line + 1}: not one of {len(table.unreadable)} lines looks like a job; the first is "
        f"'{table.line(line)}' ({REJECTIONS[rule]}); {EXPECTED}"
    )
