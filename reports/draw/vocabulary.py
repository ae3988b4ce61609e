"""Numbers as text: significant digits, signs, intervals, lists."""

import math
import re


def significant(value: float | None, digits: int = 3) -> str:
    """Return a number with ``digits`` significant digits, thousands separated, without an exponent."""
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return "0"
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{round(value, places):,.{min(places, 6)}f}".replace("-", "−")


def places_of(value: float | None, low: float | None = None, high: float | None = None) -> int:
    """Return the number of meaningful decimals of a value.

    Without an interval, the value has three significant digits. With an interval, half its width has two digits; the value has
    at most three significant digits, four between 1 and 2, where ratios lie.
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
    """Return a number with ``places`` decimals, thousands separated; a rounded zero has no sign."""
    if value is None or not math.isfinite(value):
        return significant(value)
    return f"{round(value, places) or 0.0:,.{places}f}".replace("-", "−")


def measured(
    value: float | None, low: float | None = None, high: float | None = None, most: int = 6, limit: float | None = None
) -> tuple[str, str]:
    """Return a value and its interval with meaningful decimals, at most ``most``; a dash stands for a missing one.

    The interval, or a value without one, has enough decimals to look different from ``limit``.
    """
    places = min(places_of(value, low, high), most)
    ends = [end for end in ((value,) if low is None or high is None else (low, high)) if end not in (None, limit)]
    while limit is not None and places < most and fixed(limit, places) in [fixed(end, places) for end in ends]:
        places += 1
    return fixed(value, places), interval(fixed(low, places), fixed(high, places))


def interval(low: str, high: str) -> str:
    """Return an interval as text in which signs stay readable."""
    return "–" if "–" in (low, high) else f"{low} to {high}"


def factor(value: float | None) -> str:
    """Return a ratio with three decimals between 0.1 and 10, otherwise with three significant digits."""
    near = value is not None and 0.1 <= value < 10
    return f"{value:.3f}" if near else significant(value)


def count(value: float | None) -> str:
    """Return a count with thousands separated."""
    return "–" if value is None else f"{int(value):,}"


def printed_number(text: str, unit: str) -> float | None:
    """Return the number of a printed text, or ``None`` where it holds more than a number and its unit."""
    found = re.fullmatch(rf"\s*([+−-]?\d[\d,]*(?:\.\d+)?)\s*{re.escape(unit)}\s*", text or "")
    return float(found[1].replace("−", "-").replace(",", "")) if found else None


def joined(words: list[str]) -> str:
    """Return words joined by commas and a final "and"."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
