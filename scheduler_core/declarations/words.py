"""Words of messages that several commands share."""

from __future__ import annotations


def counted(number: int, one: str, several: str = "") -> str:
    """Write how many things there are: ``1 job``, ``2,000 jobs``; ``several`` where an s does not make the plural."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"
