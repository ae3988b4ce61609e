"""Writing numbers: how many digits tell something, signs, intervals, lists."""

from __future__ import annotations

import math
import re


def significant(value: float | None, digits: int = 3) -> str:
    """Write a number with ``digits`` significant digits, thousands separated, without an exponent."""
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return "0"
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{round(value, places):,.{min(places, 6)}f}".replace("-", "−")


def places_of(value: float | None, low: float | None = None, high: float | None = None) -> int:
    """Return how many decimals of a value tell something.

    Without an interval these are three significant digits. With one, half its width has two digits, and the whole never more
    than three significant digits; four where it is between 1 and 2, as ratios near 1 are.
    """
    ends = [abs(end) for end in (value, low, high) if end is not None and math.isfinite(end)]
    largest = max(ends, default=0.0)
    if not largest:
        return 0
    three = 2 - math.floor(math.log10(largest))
    half = (high - low) / 2 if low is not None and high is not None else 0.0
    if not half > 0 or not math.isfinite(half):
        return min(max(0, three), 6)
    return min(max(0, 1 - math.floor(math.log10(half))), max(0, three + (1 <= largest < 2)), 6)


def fixed(value: float | None, places: int) -> str:
    """Write a number with so many decimals, thousands separated; what is zero to them has no sign."""
    if value is None or not math.isfinite(value):
        return significant(value)
    return f"{round(value, places) or 0.0:,.{places}f}".replace("-", "−")


def measured(
    value: float | None, low: float | None = None, high: float | None = None, most: int = 6
) -> tuple[str, str]:
    """Write a value and its interval with the decimals that tell something, at most ``most``; a dash where there is none."""
    places = min(places_of(value, low, high), most)
    return fixed(value, places), interval(fixed(low, places), fixed(high, places))


def interval(low: str, high: str) -> str:
    """Write an interval so that signs inside stay readable."""
    return "–" if "–" in (low, high) else f"{low} to {high}"


def factor(value: float | None) -> str:
    """Write a ratio: to a thousandth near 1, where such digits tell, otherwise with three significant digits."""
    near = value is not None and 0.1 <= value < 10
    return f"{value:.3f}" if near else significant(value)


def count(value: float | None) -> str:
    """Write a count with thousands separated."""
    return "–" if value is None else f"{int(value):,}"


def printed_number(text: str, unit: str) -> float | None:
    """Return the number that a source prints, where its text is that number in the unit and nothing else."""
    found = re.fullmatch(rf"\s*([+−-]?\d[\d,]*(?:\.\d+)?)\s*{re.escape(unit)}\s*", text or "")
    return float(found[1].replace("−", "-").replace(",", "")) if found else None


def joined(words: list[str]) -> str:
    """Join words as a sentence does."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
