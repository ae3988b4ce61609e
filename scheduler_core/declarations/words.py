"""Words in messages of several commands."""


def counted(number: int, one: str, several: str = "") -> str:
    """Return a number with its noun: ``1 job``, ``2,000 jobs``; ``several`` is an irregular plural."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"
