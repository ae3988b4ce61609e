"""How verdicts look on every page and in every chart: a colour, a sign and a word each.

Colours run from blue to vermilion, which people who do not tell red from green tell apart; signs say the same in print and in
black and white. ``assets/report.css`` holds the same colours; a test holds the two together.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VerdictLook:
    """How a verdict is shown: the class of its style, its sign, and its colours on light and dark paper."""

    style: str
    sign: str
    light: str
    dark: str


VERDICT_LOOKS = {
    "reproduced": VerdictLook("reproduced", "✓", "#0b66a8", "#4aa3e0"),
    "reproduced in direction": VerdictLook("in-part", "◐", "#9ccbee", "#24618f"),
    "reproduced in part": VerdictLook("in-part", "◐", "#9ccbee", "#24618f"),
    "not reproduced": VerdictLook("refuted", "✗", "#c2410c", "#f0764a"),
    "cannot tell": VerdictLook("unsure", "?", "#8590a0", "#77818f"),
    "not testable": VerdictLook("untested", "–", "#ffffff", "#161b22"),
}
"""The verdicts in the order in which they are counted."""

KINDS = {
    "direction": "who is better, or which way something moves",
    "magnitude": "how much, against the number printed",
    "mechanism": "why it is so",
    "workload": "what the workloads are like",
    "identity": "holds by construction or by arithmetic",
}
"""Kinds of claims, and what each speaks of."""

JUDGED = ("direction", "magnitude", "mechanism")
"""Kinds whose claims carry evidence for or against a source; pages count these."""


def verdict_style(verdict: str) -> str:
    """Return the class of a verdict's style."""
    return VERDICT_LOOKS[verdict].style


def verdict_sign(verdict: str) -> str:
    """Return the sign of a verdict."""
    return VERDICT_LOOKS[verdict].sign


def plural(number: int, one: str, many: str = "") -> str:
    """Write a number with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
