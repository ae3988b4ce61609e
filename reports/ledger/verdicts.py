"""Verdicts on a row by its band, and on a claim by its rows.

All are at 95 %; :mod:`reports.measure.intervals` has the formulas and their sources.

``{above: x}``, ``{below: x}``, ``{between: [a, b]}``
    The confidence interval of our mean: wholly inside the band, reproduced; wholly outside, not reproduced.
``{prints: x}``
    The source's number is a mean over its own ``draws`` draws. It is reproduced if it lies in the prediction interval of
    such a mean given our units, widened by half a unit of its last printed digit. If that interval also contains
    ``no_effect``, the verdict is "cannot tell". A true engine passes 95 times in 100, however many draws either side has.
    Fewer draws give longer intervals, which wrong engines pass more easily: one that covers more than half of the plausible
    values (``Terms.plausible``), rounding aside, decides nothing. Half its length is the ``detectable`` difference.
``{prints_over: x}``, ``{prints_under: x}``, ``{prints_between: [a, b]}``
    "Over 12 %", "at most 10 %", "2 to 6 %": the prediction interval wholly on the right side (or overlapping the range without
    containing ``no_effect`` or covering more than half of the plausible values), reproduced; wholly on the wrong side, not
    reproduced.
``{near: x, margin: m}``
    Equivalence by two one-sided tests (Schuirmann 1987): the 90 % interval wholly within the margin, reproduced; the 95 %
    interval wholly outside, not reproduced.
``{is: x, tolerance: t}``, ``{at_most: x}``, ``{at_least: x}``
    Exact values, without units and chance.
``{sides: x}``
    At least one row wholly below and one wholly above x.

Otherwise a row is undecided ("cannot tell") and states how many units would decide it if mean and spread stayed the same. Fewer
than two units decide nothing; under a reading that is not a headline, fewer than six. A row without a value is not testable; in a
miniature, neither are the rows of magnitudes, of workloads and of expectations, unless exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from reports.ledger.claim_checks import EXACT
from reports.ledger.rows import Interval, Row
from reports.ledger.terms import CONTAINING, INFINITY, Terms
from reports.measure.intervals import CONFIDENCE, EQUIVALENCE, within
from reports.measure.stats import finite
from reports.measure.verdict_words import CANNOT_TELL, IN_PART, NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED
from scheduler_core.common.errors import StudyError


@dataclass(frozen=True, slots=True)
class Judged:
    """A row with its verdict and the interval that decides it; ``needed``: units that would decide it."""

    label: str
    value: float | None
    low: float | None
    high: float | None
    printed: float | None
    verdict: str
    needed: int | None = None
    detectable: float | None = None
    """Half the interval that had to contain a printed number: how far the truth may be from it and still pass."""
    against: bool = False
    """Whether the row lies wholly on the other side of no effect than its band."""
    above: bool = False
    """Whether the value lies above the first edge of the band."""
    units: int = 0
    """The number of independent units behind the value; 0 for an exact one."""
    limit: float | None = None
    """The bound by whose side the row is judged, if it is judged so; its numbers have the digits that tell them from it."""


class Tally(NamedTuple):
    """The number of rows in total, and by verdict."""

    rows: int
    reproduced: int
    refuted: int
    undecided: int
    untestable: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a claim, with its rows and their verdicts."""

    verdict: str
    rows: list[Judged] = field(default_factory=list)
    missing: int = 0
    together: bool = False
    """The claim is about its rows together, not about each."""

    def count(self, verdict: str) -> int:
        """Count the rows with a verdict; missing rows are not testable."""
        return sum(row.verdict == verdict for row in self.rows) + (self.missing if verdict == NOT_TESTABLE else 0)

    @property
    def tally(self) -> Tally:
        """The rows in total, reproduced, not reproduced, undecided and not testable."""
        counts = [self.count(verdict) for verdict in (REPRODUCED, NOT_REPRODUCED, CANNOT_TELL, NOT_TESTABLE)]
        return Tally(sum(counts), *counts)

    @property
    def draws_needed(self) -> int | None:
        """Units that would decide every undecided row; None without such a row, if no number would, or if a row is refuted.

        Then no data reproduces all rows; a claim about its rows together may still be reproduced.
        """
        if not self.together and self.count(NOT_REPRODUCED):
            return None
        needed = [row.needed for row in self.rows if row.verdict == CANNOT_TELL]
        told = [count for count in needed if count is not None]
        return max(told) if told and len(told) == len(needed) else None


def judge(where: str, terms: Terms, rows: list[Row]) -> Verdict:
    """Return the verdict on a claim by its rows.

    Raises
    ------
    StudyError
        When the band is for exact values and the rows have units, or vice versa, or a printed number is missing.
    """
    check(where, terms, rows)
    judged = [judge_row(terms, row) for row in rows]
    missing = max(0, (terms.rows or 0) - len(rows))
    if terms.quantifier == "sides":
        return judge_sides(judged, missing)
    found = Verdict(NOT_TESTABLE, judged, missing, terms.quantifier == "any")
    _, reproduced, refuted, undecided, _ = found.tally
    if terms.quantifier == "any":
        verdict = (
            REPRODUCED if reproduced else CANNOT_TELL if undecided else NOT_REPRODUCED if refuted else NOT_TESTABLE
        )
    elif reproduced:
        verdict = IN_PART if refuted or undecided else REPRODUCED
    else:
        verdict = NOT_REPRODUCED if refuted else CANNOT_TELL if undecided else NOT_TESTABLE
    return replace(found, verdict=verdict)


def judge_sides(judged: list[Judged], missing: int) -> Verdict:
    """Return the verdict on a claim about both sides: rows that take a side are reproduced if both sides occur."""
    sided = [row for row in judged if row.verdict == REPRODUCED]
    found = Verdict(NOT_TESTABLE, judged, missing, together=True)
    undecided = found.count(CANNOT_TELL)
    if len(sided) + undecided < 2:
        return found
    if len({row.above for row in sided}) == 2:
        return replace(found, verdict=REPRODUCED)
    one_sided = [replace(row, verdict=NOT_REPRODUCED) if row.verdict == REPRODUCED else row for row in judged]
    return replace(found, verdict=CANNOT_TELL if undecided else NOT_REPRODUCED, rows=one_sided)


def check(where: str, terms: Terms, rows: list[Row]) -> None:
    """Check that rows are of the form that the band judges."""
    for row in rows:
        if row.exact != (terms.kind in EXACT) and terms.kind != "sides":
            found = "an exact value" if row.exact else "a value per unit"
            form = "label, value" if terms.kind in EXACT else "label, unit, value"
            raise StudyError(f"{where}: '{terms.kind}' expects rows of {form}; '{row.label}' has {found}")
        if not terms.edges and row.printed is None and row.value is not None:
            raise StudyError(f"{where}: '{terms.kind}: each' expects the column printed; '{row.label}' has none")


def judge_row(terms: Terms, row: Row) -> Judged:
    """Return a row with its verdict."""
    printed = terms.printed_of(row)
    if row.value is None:
        return Judged(row.label, None, None, None, printed, NOT_TESTABLE)
    if row.exact:
        verdict, needed, interval = judge_exact(terms, row), None, None
    else:
        interval = terms.interval_of(row)
        verdict, needed = (CANNOT_TELL, None) if row.units < 2 else JUDGES[terms.kind](terms, row, interval)
        if verdict == CANNOT_TELL and needed is not None:
            needed = max(needed, row.units + 1)
        elif verdict != CANNOT_TELL and row.units < terms.fewest:
            verdict, needed = CANNOT_TELL, terms.fewest
    if interval is not None and terms.kind == "prints":
        interval = widened(interval, terms.half_digit(row, printed or 0.0))
    detectable = (interval[1] - interval[0]) / 2 if interval is not None and terms.kind in CONTAINING else None
    low, high = shown(terms, interval)
    verdict = NOT_TESTABLE if terms.miniature else verdict
    above = bool(terms.edges) and row.value > terms.edges[0]
    other_side = against(terms, interval, printed)
    judged = (printed, verdict, needed, detectable, other_side, above, row.units, terms.limit)
    return Judged(row.label, row.value, low, high, *judged)


def shown(terms: Terms, interval: Interval | None) -> tuple[float | None, float | None]:
    """Return the ends of an interval, cut to the natural range of the values."""
    low, high = (None, None) if interval is None else within(interval, terms.least, terms.most)
    return finite(low), finite(high)


def widened(interval: Interval, half: float) -> Interval:
    """Return an interval extended by ``half`` at both ends."""
    return interval[0] - half, interval[1] + half


def against(terms: Terms, interval: Interval | None, printed: float | None) -> bool:
    """Return whether an interval lies wholly on the side of no effect that the claim denies; a bound is not "no effect"."""
    none = terms.no_effect
    if interval is None or none is None:
        return False
    wanted = printed if terms.kind == "prints" else None
    upwards = terms.kind in ("above", "prints_over") or (wanted is not None and wanted > none)
    downwards = terms.kind in ("below", "prints_under") or (wanted is not None and wanted < none)
    return (upwards and interval[1] < none) or (downwards and interval[0] > none)


def judge_exact(terms: Terms, row: Row) -> str:
    """Return the verdict on an exact value."""
    value = row.value if row.value is not None else math.nan
    if terms.kind == "sides":
        return CANNOT_TELL if value == terms.edges[0] else REPRODUCED
    edge = terms.edges[0] if terms.edges else row.printed if row.printed is not None else math.nan
    met = {"is": abs(value - edge) <= terms.beside, "at_most": value <= edge, "at_least": value >= edge}[terms.kind]
    return REPRODUCED if met else NOT_REPRODUCED


Decision = tuple[str, int | None]


def judge_within(terms: Terms, row: Row, interval: Interval | None) -> Decision:
    """Return the decision by the place of our mean's confidence interval."""
    edges = band_of(terms)
    if interval is not None and edges[0] < interval[0] and interval[1] < edges[1]:
        return REPRODUCED, None
    if interval is not None and (interval[1] <= edges[0] or edges[1] <= interval[0]):
        return NOT_REPRODUCED, None
    return CANNOT_TELL, most_needed(row, interval, [edge for edge in edges if abs(edge) < INFINITY])


def band_of(terms: Terms) -> Interval:
    """Return the ends of a band."""
    if len(terms.edges) == 2:
        return terms.edges[0], terms.edges[1]
    below = terms.kind in ("below", "prints_under")
    return (-INFINITY, terms.edges[0]) if below else (terms.edges[0], INFINITY)


def most_needed(
    row: Row, interval: Interval | None, edges: list[float], confidence: float = CONFIDENCE, future: int | None = None
) -> int | None:
    """Return the units that would take all contained edges out of the interval."""
    held = [edge for edge in edges if interval is None or interval[0] <= edge <= interval[1]]
    needed = [row.units_to_leave(edge, confidence, future) for edge in held]
    told = [count for count in needed if count is not None]
    return max(told) if told and len(told) == len(needed) else None


def judge_printed(terms: Terms, row: Row, interval: Interval | None) -> Decision:
    """Return the decision on a printed number by the prediction interval of a mean of as many draws as it had."""
    printed = terms.printed_of(row)
    if interval is None or printed is None:
        return CANNOT_TELL, None
    low, high = widened(interval, terms.half_digit(row, printed))
    if not low <= printed <= high:
        return NOT_REPRODUCED, None
    return undecided_by_no_effect(terms, row, interval) or undecided_by_length(terms, row, interval, printed)


def undecided_by_no_effect(terms: Terms, row: Row, interval: Interval) -> Decision | None:
    """Return "cannot tell" if the prediction interval contains no effect as well; else None."""
    if terms.no_effect is None or not interval[0] <= terms.no_effect <= interval[1]:
        return None
    return CANNOT_TELL, row.units_to_leave(terms.no_effect, CONFIDENCE, row.draws or terms.draws)


def undecided_by_length(terms: Terms, row: Row, interval: Interval, printed: float) -> Decision:
    """Return "cannot tell" if an interval that contains a printed number covers more than half of the plausible values."""
    ends = shown(terms, interval)
    length = (INFINITY if ends[1] is None else ends[1]) - (-INFINITY if ends[0] is None else ends[0])
    most = terms.plausible(printed) / 2
    if length <= most:
        return REPRODUCED, None
    return CANNOT_TELL, row.units_to_shorten(most, CONFIDENCE, row.draws or terms.draws)


def judge_printed_side(terms: Terms, row: Row, interval: Interval | None) -> Decision:
    """Return the decision on "over" and "under" by the prediction interval."""
    (edge,) = terms.edges
    if interval is not None and (interval[0] > edge or interval[1] < edge):
        right = (interval[0] > edge) == (terms.kind == "prints_over")
        return (REPRODUCED if right else NOT_REPRODUCED), None
    return CANNOT_TELL, most_needed(row, interval, [edge], future=row.draws or terms.draws)


def judge_printed_range(terms: Terms, row: Row, interval: Interval | None) -> Decision:
    """Return the decision on a printed range: whether the prediction interval overlaps it and excludes no effect."""
    if interval is None:
        return CANNOT_TELL, None
    if interval[1] < terms.edges[0] or terms.edges[1] < interval[0]:
        return NOT_REPRODUCED, None
    return undecided_by_no_effect(terms, row, interval) or undecided_by_length(
        terms, row, interval, sum(terms.edges) / 2
    )


def judge_near(terms: Terms, row: Row, interval: Interval | None) -> Decision:
    """Return the decision on equivalence by two one-sided tests."""
    edges = terms.edges[0] - terms.beside, terms.edges[0] + terms.beside
    if interval is not None and edges[0] < interval[0] and interval[1] < edges[1]:
        return REPRODUCED, None
    wide = row.interval(CONFIDENCE)
    if wide is not None and (wide[1] < edges[0] or edges[1] < wide[0]):
        return NOT_REPRODUCED, None
    outside = row.value is not None and not edges[0] < row.value < edges[1]
    return CANNOT_TELL, most_needed(row, wide, list(edges), CONFIDENCE if outside else EQUIVALENCE)


def judge_side(terms: Terms, row: Row, interval: Interval | None) -> Decision:
    """Return the decision whether a row takes a side at all."""
    (edge,) = terms.edges
    if interval is not None and (interval[0] > edge or interval[1] < edge):
        return REPRODUCED, None
    return CANNOT_TELL, most_needed(row, interval, [edge])


JUDGES: dict[str, Callable[[Terms, Row, Interval | None], Decision]] = {
    "above": judge_within, "below": judge_within, "between": judge_within,
    "prints": judge_printed, "prints_over": judge_printed_side, "prints_under": judge_printed_side,
    "prints_between": judge_printed_range, "near": judge_near, "sides": judge_side,
}  # fmt: skip
