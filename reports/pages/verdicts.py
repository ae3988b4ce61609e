"""Verdicts and kinds of claims on pages; :mod:`reports.draw.verdicts` defines the look of verdicts."""

from __future__ import annotations

from reports.draw.verdicts import VERDICT_LOOKS

KINDS = {
    "direction": "who is better, or which way something moves",
    "magnitude": "how much, against the number printed",
    "mechanism": "why it is so",
    "workload": "what the workloads are like",
    "identity": "holds by construction or by arithmetic",
}
"""Kinds of claims, and the subject of each."""

JUDGED = ("direction", "magnitude", "mechanism")
"""Kinds whose claims carry evidence for or against a source; pages count these."""


def verdict_style(verdict: str) -> str:
    """Return the class of a verdict's style."""
    return VERDICT_LOOKS[verdict].style


def verdict_sign(verdict: str) -> str:
    """Return the sign of a verdict."""
    return VERDICT_LOOKS[verdict].sign


def plural(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
