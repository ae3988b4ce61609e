"""Reader of the Standard Workload Format: from text to 18 columns of numbers and the kind of each line.

The format is that of S. J. Chapin et al., "Benchmarks and standards for the evaluation of parallel job schedulers", Job
Scheduling Strategies for Parallel Processing, LNCS 1659, 1999, in version 2.2 of the Parallel Workloads Archive: a
line per job, 18 numbers separated by white space, -1 for an unknown value; comments begin with a semicolon.

Compiled code reads good lines (:mod:`traces.swf_kernel`). Only odd lines pass through Python, which finds what is wrong
with them.
"""

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from functools import cached_property

import numpy as np

from scheduler_core.common.errors import LogError
from traces import swf_kernel
from traces.accounting import REJECTIONS
from traces.dumps.recognise import advice
from traces.swf_file import EXPECTED, UTF8_MARK, LogText, decode
from traces.swf_header import Header, read_header
from traces.swf_kernel import BLANK, COMMENT, FIELDS, MILLION, ODD

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
INFINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)
QUOTED = 160
"""Characters of a line that a message or an example quotes."""


@dataclass(frozen=True)
class SwfTable:
    """The lines of an SWF text.

    ``kinds`` (:data:`traces.swf_kernel.COMMENT`, ...) and ``begins`` (first byte) have an entry per line. ``values``, int64 of
    shape (18, rows), has the fields of the readable lines in millionths; -1 000 000 means unknown. ``numbers`` has the line of
    each row, counted from 0, and ``rounded`` marks rows with a number of more than six decimals, now rounded. ``unreadable`` maps
    lines to the rule of :data:`traces.accounting.REJECTIONS` that each breaks.
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
        """Return a line (counted from 0) for a message, with white space squeezed and long text cut."""
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


def quote(raw: bytes) -> str:
    """Return a line as printable characters on one line, cut if it is long."""
    text = " ".join(decode(raw[: 8 * QUOTED]).split())
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return text if len(text) <= QUOTED else text[: QUOTED - 1] + "…"


def parse_swf(text: LogText) -> SwfTable:
    """Return the lines of an SWF file.

    Raise :class:`LogError` when no line looks like a job.
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
    """Read an odd line into ``values``; return "", "rounded_time", or the rule that rejects the line."""
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
    """Return a number exactly: (millionths, "" or "rounded_time"), or (0, the rule that rejects it)."""
    if not NUMBER.fullmatch(token):
        return 0, "not_finite" if INFINITE.fullmatch(token) else "not_a_number"
    try:
        exact = Decimal(token)
        if exact and exact.adjusted() > 12:
            return 0, "overflow"
        scaled = exact.scaleb(6, Context(prec=len(token) + 30))
        value = int(scaled.to_integral_value(ROUND_HALF_EVEN))
    except ArithmeticError:  # the exponent is too large for decimals
        return 0, "overflow"
    if abs(value) >= swf_kernel.LARGEST * MILLION:
        return 0, "overflow"
    return value, "" if scaled == value else "rounded_time"


def no_job(table: SwfTable) -> str:
    """Return the message for a file without a job; it quotes the first line that should be one."""
    path, data = table.text.path, table.text.data
    if table.text.binary:
        return f"{table.text.binary}; {EXPECTED}"
    if data.count(b"\n") <= 1 < data.count(b"\r"):
        return f"{path}: lines end in carriage returns alone; convert them to line feeds (tr '\\r' '\\n'); {EXPECTED}"
    if not table.unreadable:
        blank = int(np.count_nonzero(table.kinds == BLANK))
        return f"{path}: no jobs in {len(table.kinds)} lines, only comments and {blank} blank lines; {EXPECTED}"
    if words := advice(data, path):
        return f"{path}: {words}"
    line, rule = next(iter(table.unreadable.items()))
    return (
        f"{path}, line {line + 1}: not one of {len(table.unreadable)} lines looks like a job; the first is "
        f"'{table.line(line)}' ({REJECTIONS[rule]}); {EXPECTED}"
    )
