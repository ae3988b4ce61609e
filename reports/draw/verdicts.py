"""How verdicts look on every page and in every chart: a colour, a sign and a word each.

Colours run from blue to vermilion, which people who do not tell red from green tell apart; signs say the same in print and in
black and white. ``reports/pages/assets/report.css`` holds the same colours; a test holds the two together.
"""

from dataclasses import dataclass

from reports.measure.verdict_words import CANNOT_TELL, IN_PART, NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED


@dataclass(frozen=True, slots=True)
class VerdictLook:
    """How a verdict is shown: the class of its style, its sign, its colours on light and dark paper, its shape in charts."""

    style: str
    sign: str
    light: str
    dark: str
    shape: str


VERDICT_LOOKS = {
    REPRODUCED: VerdictLook("reproduced", "✓", "#0b66a8", "#4aa3e0", "circle"),
    IN_PART: VerdictLook("in-part", "◐", "#9ccbee", "#24618f", "diamond"),
    NOT_REPRODUCED: VerdictLook("refuted", "✗", "#c2410c", "#f0764a", "cross"),
    CANNOT_TELL: VerdictLook("unsure", "?", "#8590a0", "#77818f", "triangle-up"),
    NOT_TESTABLE: VerdictLook("untested", "–", "#ffffff", "#161b22", "square"),
}
"""The verdicts in the order in which they are counted."""
