"""Claims in the old form, with their SQL in the claim; accepted until every study names measures."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from reports.ledger.claim_checks import CANNOT_TELL
from reports.ledger.old_claim_checks import INFINITY, VERDICTS
from reports.ledger.verdicts import Judged, Verdict
from scheduler_core.errors import StudyError

if TYPE_CHECKING:
    import duckdb

REPRODUCED, IN_DIRECTION, NOT_REPRODUCED, NOT_TESTABLE = VERDICTS

NO_CODE = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*")
"""Texts, quoted names and comments of a query."""
INNERMOST = re.compile(r"\([^()]*\)")
ORDERED = re.compile(r"\border\s+by\b", re.IGNORECASE)

COLUMNS = ["label", "value", "low", "high"]
UNIT_COLUMNS = ["label", "unit", "value"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A value that a claim rests on, and its interval; each is null when there is none."""

    label: str
    value: float | None
    low: float | None
    high: float | None

    def within(self, low: float, high: float) -> bool:
        """Say whether the value lies between the bounds, which do not count themselves."""
        return self.value is not None and low < self.value < high

    def wholly_within(self, low: float, high: float) -> bool:
        """Say whether there is an interval and all of it lies between the bounds."""
        return self.low is not None and self.high is not None and low < self.low and self.high < high

    def holds(self, number: float) -> bool:
        """Say whether there is an interval and the number lies in it."""
        return self.low is not None and self.high is not None and self.low <= number <= self.high


@dataclass(frozen=True, slots=True)
class Expectation:
    """A quantifier and its band.

    A band may be a point: for ``mixed`` both its sides must be taken, otherwise intervals must hold it.
    """

    quantifier: str
    low: float
    high: float

    @classmethod
    def of(cls, expect: dict[str, Any]) -> Expectation:
        """Read the key ``expect`` of a valid claim."""
        ((quantifier, band),) = expect.items()
        if quantifier == "mixed":
            return cls(quantifier, float(band), float(band))
        ((kind, edge),) = band.items()
        if kind == "between":
            return cls(quantifier, float(edge[0]), float(edge[1]))
        if kind == "around":
            return cls(quantifier, float(edge), float(edge))
        return cls(quantifier, float(edge), INFINITY) if kind == "above" else cls(quantifier, -INFINITY, float(edge))

    def takes(self, row: Evidence) -> bool:
        """Say whether a row's whole interval lies in the band, or holds the point."""
        point = self.low == self.high and self.quantifier != "mixed"
        return row.holds(self.low) if point else row.wholly_within(self.low, self.high)

    def judge_row(self, row: Evidence) -> str:
        """Return the verdict on one row; for ``mixed``, on whether it takes a side at all."""
        if row.value is None:
            return NOT_TESTABLE
        bands = [(self.low, self.high)]
        if self.quantifier != "mixed" and self.low == self.high:
            return REPRODUCED if self.takes(row) else NOT_REPRODUCED
        if self.quantifier == "mixed":
            bands = [(-INFINITY, self.low), (self.high, INFINITY)]
        if any(row.wholly_within(*band) for band in bands):
            return REPRODUCED
        return IN_DIRECTION if any(row.within(*band) for band in bands) else NOT_REPRODUCED

    def judge(self, rows: list[Evidence]) -> str:
        """Return the verdict on a claim."""
        told = [row for row in rows if row.value is not None]
        if not told or (self.quantifier == "mixed" and len(told) < 2):
            return NOT_TESTABLE
        if self.quantifier == "mixed":
            return self.judge_sides(told)
        ranks = [VERDICTS.index(self.judge_row(row)) for row in told]
        return VERDICTS[max(ranks) if self.quantifier == "all" else min(ranks)]

    def judge_sides(self, rows: list[Evidence]) -> str:
        """Return the verdict on whether the rows lie on both sides of the point."""
        below, above = (-INFINITY, self.low), (self.high, INFINITY)
        if all(any(row.wholly_within(*side) for row in rows) for side in (below, above)):
            return REPRODUCED
        return IN_DIRECTION if all(any(row.within(*s) for row in rows) for s in (below, above)) else NOT_REPRODUCED


def judge_old_claim(connection: duckdb.DuckDBPyConnection, where: str, claim: dict[str, Any]) -> Verdict:
    """Judge a claim in the old form; a value within its band whose interval is not cannot be told."""
    expectation = Expectation.of(claim["expect"])
    rows = measure(connection, f"{where}: sql", claim["sql"])
    words = {IN_DIRECTION: CANNOT_TELL}
    judged = []
    for row in rows:
        verdict = expectation.judge_row(row)
        judged.append(Judged(row.label, row.value, row.low, row.high, None, words.get(verdict, verdict)))
    verdict = expectation.judge(rows)
    return Verdict(words.get(verdict, verdict), judged)


def measure(connection: duckdb.DuckDBPyConnection, where: str, sql: str) -> list[Evidence]:
    """Run a claim's SQL."""
    import duckdb

    try:
        result = connection.execute(sql)
        names = [column[0] for column in result.description or []]
        rows = result.fetchall()
    except duckdb.Error as error:
        raise StudyError(f"{where}: {error}") from error
    if names == UNIT_COLUMNS:
        return over_units(where, rows)
    if names != COLUMNS:
        raise StudyError(
            f"{where}: expected the columns {', '.join(COLUMNS)} (or {', '.join(UNIT_COLUMNS)}); "
            f"found {', '.join(names) or 'none'}"
        )
    try:
        evidence = [Evidence(str(label), *map(number, numbers)) for label, *numbers in rows]
    except (TypeError, ValueError) as error:
        raise StudyError(f"{where}: value, low and high must be numbers or NULL; {error}") from error
    return evidence if orders_its_rows(sql) else sorted(evidence, key=lambda row: row.label)


def orders_its_rows(sql: str) -> bool:
    """Say whether a query orders its own rows: an ``ORDER BY`` within parentheses (a window, a subquery) does not."""
    outside = NO_CODE.sub(" ", sql)
    while (shorter := INNERMOST.sub(" ", outside)) != outside:
        outside = shorter
    return ORDERED.search(outside) is not None


def over_units(where: str, rows: list[tuple[Any, ...]]) -> list[Evidence]:
    """Return the mean and its t interval of each label over its units, by label.

    Raises
    ------
    StudyError
        When a unit has no value, or one that is no number: a mean over the others would be of other units.
    """
    import numpy as np

    from reports.measure.intervals import mean_bounds
    from reports.measure.stats import finite

    for label, unit, value in rows:
        if not isinstance(value, int | float | Decimal):
            raise StudyError(
                f"{where}: label '{label}', unit {unit}: expected a number; found {'NULL' if value is None else repr(value)}; "
                "leave out units without a value (WHERE ... IS NOT NULL), or correct what divides by zero"
            )
    found = []
    for label in sorted({str(row[0]) for row in rows}):
        values = np.array([[float(value) for own, _, value in sorted(rows) if str(own) == label]])
        low, high = mean_bounds(values)
        found.append(Evidence(label, finite(float(values.mean())), finite(low[0]), finite(high[0])))
    return found


def number(value: Any) -> float | None:
    """Return a database value as a number, null when it is null or not finite."""
    return None if value is None or not abs(float(value)) < INFINITY else float(value)
