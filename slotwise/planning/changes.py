"""Changes of a machine and of a load as people write them. It loads nothing, because the command line reads them first."""

from __future__ import annotations

from scheduler_core.common.errors import ParameterError

LARGEST = 2**31 - 1
"""The most processors of a machine."""


def told_by_number(kind: str) -> str:
    """Return where a log tells the number of a partition or queue (``kind``), as the end of an error about a name."""
    return f"the top of an imported log tells the number of each {kind}: '; {kind.capitalize()}: 1 NAME'"


def a_multiple(text: str, option: str, also: str = "") -> float:
    """Return the multiple that a change is written as: +25%, -10% or x1.2; raise :class:`ParameterError` for anything else.

    ``also`` says in the error what else is expected.
    """
    try:
        value = 1 + float(text.removesuffix("%")) / 100 if text.endswith("%") else float(text.removeprefix("x"))
    except ValueError:
        value = 0.0
    written = text[:1] in "+-" if text.endswith("%") else text[:1] == "x"
    if not (written and 0 < value < 100):
        raise ParameterError(
            f"{option}: expected {also}a change such as +25%, -10% or x1.2, of less than 100 times; found {text!r}"
        )
    if value == 1:
        raise ParameterError(f"{option}: {text} changes nothing")
    return value


def a_size(text: str, option: str) -> int | float:
    """Return a machine size: a whole number of processors such as 256, or the multiple that a change is written as.

    Raise :class:`ParameterError` for anything else.
    """
    if not (text.isascii() and text.isdecimal()):
        return a_multiple(text, option, "a number of processors such as 256, or ")
    if len(text) > len(str(LARGEST)) or not 1 <= int(text) <= LARGEST:
        raise ParameterError(f"{option}: expected a whole number from 1 to {LARGEST:,}; found {text!r}")
    return int(text)


def processors_of(size: int | float, today: int) -> int:
    """Return the processors of a machine size; a multiple is of those of ``today``, rounded, and at least one."""
    return size if isinstance(size, int) else max(round(today * size), 1)
