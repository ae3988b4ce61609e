"""Words in messages of several commands."""

TIMES = (("days", 3 * 86_400, 86_400), ("h", 3600, 3600), ("min", 60, 60))
"""Units of time, the least seconds that are told in them, and their seconds."""


def counted(number: int, one: str, several: str = "") -> str:
    """Return a number with its noun: ``1 job``, ``2,000 jobs``; ``several`` is an irregular plural."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def capitalised(text: str) -> str:
    """Return a text with its first letter capitalised, the rest unchanged."""
    return text[:1].upper() + text[1:]


def span(seconds: float) -> str:
    """Return a length of time as people say it: ``2.1 h``; below a minute in seconds."""
    for unit, least, length in TIMES:
        if abs(seconds) >= least:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:g} s"
