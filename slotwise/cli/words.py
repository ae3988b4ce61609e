"""Helpers of the subcommands: reading numbers and settings, printing tables, showing progress."""

import argparse
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.parameters import Parameters, parse_setting
from scheduler_core.declarations.words import span

FAILED = 1
"""Exit code of a command that did its work and found a rule broken, a replay that differs or a failed step."""

PROGRESS_FROM_JOBS = 200_000
LARGEST = 2**31 - 1
MOST_DIGITS = 20
NARROWEST = 20
"""Columns that words have even on a narrower terminal."""

HANGING = 4
"""Blanks before the further lines of a row of a table."""

SECONDS_READ = 120
"""Shorter times are read in seconds."""


def a_path(text: str) -> Path:
    """Return a path; refuse an empty one, such as that of an unset variable."""
    if not text.strip():
        raise argparse.ArgumentTypeError("expected the name of a file or folder; found nothing")
    return Path(text)


def an_argument(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return what reads an argument as a function of other packages does, so that its errors name the argument."""

    def reader(text: str) -> Any:
        try:
            return read(text)
        except ParameterError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return reader


def a_count(text: str) -> int:
    """Return a whole number of at least 1."""
    return whole_number(text, 1)


def a_number(text: str) -> int:
    """Return a whole number of at least 0."""
    return whole_number(text, 0)


def whole_number(text: str, least: int) -> int:
    """Return a whole number from ``least`` to the largest of 31 bits."""
    number = int(text) if text.strip().isascii() and text.strip().isdecimal() and len(text) < MOST_DIGITS else -1
    if not least <= number <= LARGEST:
        raise argparse.ArgumentTypeError(f"expected a whole number from {least} to {LARGEST:,}; found {text!r}")
    return number


def add_settings(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the option ``--set key=value``."""
    parser.add_argument(
        "--set",
        dest="settings",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help=f"parameter of the {what}; may be repeated",
    )


def read_settings(pairs: Iterable[str], kind: type[Parameters]) -> dict[str, Any]:
    """Return the ``--set`` options as names and values of the parameters of a class.

    A choice of a parameter keeps its spelling, even if it would otherwise mean a truth value, such as ``off``. Raise
    :class:`ParameterError` when an option is not of the form key=value, or a parameter is set twice.
    """
    choices = {entry["name"]: entry["choices"] for entry in kind.describe_parameters()}
    values: dict[str, Any] = {}
    for pair in pairs:
        key, value = parse_setting(pair)
        if key in values:
            raise ParameterError(f"--set {key} is given twice; leave one of the two out")
        word = pair.partition("=")[2].strip()
        values[key] = word if word in choices.get(key, ()) else value
    return values


def format_number(value: float | int | None) -> str:
    """Return a number as text: whole numbers whole, others with four significant digits or one decimal."""
    if value is None:
        return "–"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.1f}" if abs(value) >= 1000 else f"{value:.4g}"


def two_decimals(value: float | None) -> str:
    """Return a ratio, a correlation or a mean wait in hours as text, as closely as anyone reads it."""
    return "–" if value is None else f"{value:,.2f}"


def tell(text: str, hanging: int = 0) -> None:
    """Print paragraphs, a line each; a terminal shows them folded between words.

    Folded lines keep the blanks that their paragraph begins with, and have ``hanging`` more. Files and programs get long lines.
    """
    if not sys.stdout.isatty():
        print(text)
        return
    for line in text.split("\n"):
        words = line.lstrip()
        indent = " " * (len(line) - len(words))
        further = indent + " " * hanging
        width = max(shutil.get_terminal_size().columns, len(further) + NARROWEST)
        fold = partial(textwrap.fill, break_long_words=False, break_on_hyphens=False)
        print(fold(words, width, initial_indent=indent, subsequent_indent=further))


def print_table(
    header: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1, *, text_last: bool = False
) -> None:
    """Print a table whose first ``left`` columns (and the last, with ``text_last``) are aligned left and the others right.

    Words in the last column are folded on a terminal.
    """
    table = [list(header), *[list(row) for row in rows]]
    widths = [max(len(row[column]) for row in table) for column in range(len(header))]
    ruled = [*widths[:-1], len(header[-1])] if text_last else widths
    table.insert(1, ["-" * width for width in ruled])
    for row in table:
        cells = [
            cell.ljust(width) if column < left or (text_last and column == len(row) - 1) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        line = "  ".join(cells).rstrip()
        if text_last:
            tell(line, HANGING)
        else:
            print(line)


def unit_split(metric: str) -> tuple[str, str]:
    """Return the words and the unit of a metric's name: ``mean_wait_s`` gives (``mean wait``, ``s``)."""
    name, _, last = metric.rpartition("_")
    return (name.replace("_", " "), "s") if last == "s" and name else (metric.replace("_", " "), "")


def read_aloud(metric: str, value: float | int | None) -> str:
    """Return a long time in seconds as people say it: ``2.1 h``; empty for short times, and for metrics that are no times."""
    if value is None or not metric.endswith("_s") or abs(value) < SECONDS_READ:
        return ""
    return span(value)


def say(text: str) -> None:
    """Show on standard error what is being done, on one line that changes, if it is a terminal; an empty text clears it."""
    if sys.stderr.isatty():
        room = shutil.get_terminal_size().columns - 1  # a line that is folded would not be cleared
        print(f"\r\033[K{text[:room]}", end="", file=sys.stderr, flush=True)


def option_words(arguments: argparse.Namespace, options: Iterable[str]) -> list[str]:
    """Return options as they were given on the command line; those that were not are left out."""
    given = ((option, getattr(arguments, option)) for option in options)
    values = ((option, value if isinstance(value, list) else [value]) for option, value in given if value is not None)
    return [
        word
        for option, several in values
        for value in several
        for word in ([option_name(option)] if value is True else [option_name(option), str(value)])
    ]


def option_name(attribute: str) -> str:
    """Return an option of the command line by the name of its value."""
    return f"--{attribute.replace('_', '-')}"


def progress_shower(jobs: int) -> Callable[[int, int], None] | None:
    """Return a function that shows progress; None for short work, or when standard error is not a terminal."""
    if jobs < PROGRESS_FROM_JOBS or not sys.stderr.isatty():
        return None

    def show(done: int, total: int) -> None:
        filled = 30 * done // max(total, 1)
        end = "\n" if done >= total else ""
        print(
            f"\r[{'#' * filled}{'.' * (30 - filled)}] {done:,} of {total:,} jobs submitted",
            end=end,
            file=sys.stderr,
            flush=True,
        )

    return show
