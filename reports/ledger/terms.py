"""The terms by which a claim is judged: its band, the interval that decides, and what counts as enough."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from reports.ledger.claim_checks import EXACT
from reports.ledger.rows import Interval, Row
from reports.measure.intervals import CONFIDENCE, EQUIVALENCE

INFINITY = math.inf

SIZES = ("magnitude", "workload", "expectation")
"""Kinds of claims on sizes, which mean nothing in a miniature."""

DECIDING = 6
"""The fewest units by which a reading decides a row, unless it is a headline."""

CONTAINING = ("prints", "prints_between")
"""Bands whose number the interval has to contain: a longer interval contains more."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms by which a claim is judged.

    Attributes
    ----------
    quantifier
        ``all``, ``any`` or ``sides``.
    kind, edges, beside
        The band; its number or two (none: the printed number of each row); its margin or tolerance.
    no_effect
        The value that means no effect; ``None`` if there is none.
    draws, digits
        Those of the source's numbers, for rows that do not state them.
    least, most
        The natural range of the values, to which shown intervals are cut.
    rows
        The expected number of rows; ``None`` if the claim does not say.
    miniature
        Whether sizes mean nothing at this scale.
    fewest
        The fewest units that decide a row.
    """

    quantifier: str
    kind: str
    edges: tuple[float, ...]
    beside: float = 0.0
    no_effect: float | None = None
    draws: int = 1
    digits: int | None = None
    least: float | None = None
    most: float | None = None
    rows: int | None = None
    miniature: bool = False
    fewest: int = 2

    @classmethod
    def of(cls, claim: dict[str, Any], scale: str = "full", headline: bool = True) -> Terms:
        """Return the terms of a valid claim at a scale, under a headline or another reading."""
        ((quantifier, band),) = claim["expect"].items()
        band = {"sides": band} if quantifier == "sides" else band
        (kind, edge), *beside = band.items()
        least, most = claim.get("range") or (None, None)
        return cls(
            quantifier=quantifier,
            kind=kind,
            edges=() if edge == "each" else tuple(map(float, edge)) if isinstance(edge, list) else (float(edge),),
            beside=float(beside[0][1]) if beside else 0.0,
            no_effect=claim.get("no_effect"),
            draws=claim.get("draws", 1),
            digits=claim.get("digits"),
            least=least,
            most=most,
            rows=claim.get("rows"),
            miniature=scale == "quick" and claim.get("kind") in SIZES and kind not in EXACT,
            fewest=2 if headline else DECIDING,
        )

    @property
    def limit(self) -> float | None:
        """The bound by which side values are judged; ``None`` if they are compared otherwise, as with a printed number."""
        compared = self.kind in (*CONTAINING, "near") or len(self.edges) != 1
        return None if compared else self.edges[0]

    @property
    def interval_kind(self) -> str:
        """The interval that decides: ``confidence``, ``prediction``, ``equivalence``, or ``''`` for exact values."""
        if self.kind in EXACT:
            return ""
        if self.kind.startswith("prints"):
            return "prediction"
        return "equivalence" if self.kind == "near" else "confidence"

    def printed_of(self, row: Row) -> float | None:
        """Return the source's number for a row, if the claim is about one."""
        return row.printed if not self.edges else self.edges[0] if self.kind in ("prints", "is") else row.printed

    def plausible(self, printed: float) -> float:
        """Return the length of the natural range, or else twice the distance from no effect (or zero); 0 counts as infinity."""
        if self.least is not None and self.most is not None:
            return self.most - self.least
        return 2 * abs(printed - (self.no_effect or 0.0)) or INFINITY

    def half_digit(self, row: Row, number: float) -> float:
        """Return half a unit of the last digit of a printed number."""
        digits = next((told for told in (row.digits, self.digits) if told is not None), None)
        if digits is None:
            digits = len(f"{number!r}".partition(".")[2].rstrip("0")) if "e" not in repr(number) else 0
        return 0.5 * 10.0**-digits

    def interval_of(self, row: Row) -> Interval | None:
        """Return the interval that decides a row: of our mean, or of a mean of as many draws as the source's."""
        if self.interval_kind == "prediction":
            return row.interval(CONFIDENCE, row.draws or self.draws)
        return row.interval(EQUIVALENCE if self.interval_kind == "equivalence" else CONFIDENCE)
