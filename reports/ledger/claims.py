"""The claims ledger: what the literature says, what this run of the pipeline measured, and the verdict.

A claim stands in a study file, under ``claims``, or in a file that ``claims_from`` names:

``id``, ``sentence``, ``citation``
    The source's words, and where they are from.
``section``, ``printed``
    Where in the source; the figure it prints, if it prints one. Optional.
``sql``
    ``SELECT label, value, low, high``: a row per interval the claim rests on. Without an ``ORDER BY`` of its own rows are
    sorted by label. Or ``SELECT label, unit, value``: a row per independent unit (replication or batch); the t
    interval of each label's mean over its units is what the claim rests on.
``expect``
    One quantifier with its band: ``all`` or ``any`` with ``{above: x}``, ``{below: x}``, ``{between: [a, b]}`` or
    ``{around: x}`` (the interval holds x); or ``{mixed: x}``: intervals on both sides of x, no uniform winner.
``ours``
    Our finding in words, with any of ``{n}``, ``{n_in}``, ``{n_below}``, ``{n_above}`` (whole intervals
    inside, below or above the band), ``{smallest}``, ``{largest}`` (values). Optional: otherwise generated
    from the rows.
``explanation``
    Text for the reader: one, or one per verdict. Optional.
``sensitivity``
    Further SQL of the same form, shown beside the evidence; the verdict does not rest on it. Optional.
``gate``
    A band wider than the source's words, or a list of them: ``expect`` and, where it is about something else, ``sql``;
    where it is about some of the claim's rows, ``rows``: text that their labels have.
    The ledger says whether the values lie in it; the verdict does not rest on it. Optional.
``fitted``
    What was chosen so that the numbers agree with the source: such agreement is by construction, and the ledger says so.
    Optional.

A row is *reproduced* when its whole interval lies in the band (with ``around``: when it holds the number), *reproduced in
direction* when only its value does (also when there is no interval), else *not reproduced*. ``all`` takes the worst row,
``any`` the best. Without rows (the log is missing) a claim is *not testable*. A claim that fails stays in the ledger.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from reports.ledger.claim_checks import INFINITY, VERDICTS
from reports.measure.loading import insert
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

EvidenceRow = tuple[str, str, str, float | None, float | None, float | None, str]
"""A row of ``claim_evidence``."""


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

    def words(self, what: str = "interval") -> str:
        """Say the expectation in words; ``what`` is expected to lie in the band."""
        if self.quantifier == "mixed":
            return f"at least one {what} wholly below {self.low:g} and at least one wholly above"
        if self.high == INFINITY:
            band = f"above {self.low:g}"
        elif self.low == -INFINITY:
            band = f"below {self.high:g}"
        else:
            band = f"between {self.low:g} and {self.high:g}" if self.low < self.high else f"around {self.low:g}"
        return f"{'every' if self.quantifier == 'all' else 'at least one'} {what} {band}"

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


def record_claims(connection: duckdb.DuckDBPyConnection, studies: list[dict[str, Any]]) -> None:
    """Judge the claims of every study and fill ``claims`` and ``claim_evidence``.

    Raises
    ------
    StudyError
        When a claim's SQL fails or gives columns other than the two forms have.
    """
    judged, shown, passed = [], [], []
    for study in studies:
        for claim in study.get("claims") or []:
            where = f"study '{study['study']}': claim '{claim['id']}'"
            expectation = Expectation.of(claim["expect"])
            rows = measure(connection, f"{where}: sql", claim["sql"])
            verdict = expectation.judge(rows)
            judged.append(
                (study["study"], claim["id"], claim["sentence"].strip(), claim["citation"].strip(),
                 claim.get("section", ""), claim.get("printed", ""),
                 finding(claim.get("ours", ""), rows, expectation), expectation.words(), verdict,
                 explain(claim.get("explanation", ""), verdict), claim.get("fitted", "").strip())
            )  # fmt: skip
            shown += [
                (study["study"], claim["id"], r.label, r.value, r.low, r.high, expectation.judge_row(r)) for r in rows
            ]
            for gate in gates_of(claim):
                wider = Expectation.of(gate["expect"])
                found = measure(connection, f"{where}: gate", gate["sql"]) if "sql" in gate else rows
                found = [row for row in found if gate.get("rows", "") in row.label]
                words = wider.words("value") + (f" of '{gate['rows']}'" if "rows" in gate else "")
                passed.append((study["study"], claim["id"], words, consistent(wider, found)))
                if "sql" in gate:
                    label = f"wider band ({words})"
                    shown += beside(study["study"], claim["id"], label, found)
            shown += sensitivity(connection, study["study"], claim, where)
    insert(connection, "claims", judged)
    insert(connection, "claim_gates", passed)
    insert(connection, "claim_evidence", shown)


def sensitivity(
    connection: duckdb.DuckDBPyConnection, study: str, claim: dict[str, Any], where: str
) -> list[EvidenceRow]:
    """Measure a claim's sensitivity, if it has one: rows of evidence without a verdict of their own."""
    if "sensitivity" not in claim:
        return []
    further = measure(connection, f"{where}: sensitivity", claim["sensitivity"])
    return beside(study, claim["id"], "sensitivity", further)


def beside(study: str, claim: str, what: str, rows: list[Evidence]) -> list[EvidenceRow]:
    """Return rows of evidence that no verdict rests on; ``what`` they are stands before their labels."""
    return [(study, claim, f"{what}: {r.label}", r.value, r.low, r.high, "") for r in rows]


def gates_of(claim: dict[str, Any]) -> list[dict[str, Any]]:
    """List the wider bands of a claim."""
    gates = claim.get("gate", [])
    return gates if isinstance(gates, list) else [gates]


def consistent(expectation: Expectation, rows: list[Evidence]) -> bool | None:
    """Say whether the values lie in a wider band, wherever their intervals end; None without values."""
    verdict = expectation.judge(rows)
    return None if verdict == NOT_TESTABLE else verdict != NOT_REPRODUCED


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

    from reports.measure.stats import finite, mean_intervals

    for label, unit, value in rows:
        if not isinstance(value, int | float | Decimal):
            raise StudyError(
                f"{where}: label '{label}', unit {unit}: expected a number; found {'NULL' if value is None else repr(value)}; "
                "leave out units without a value (WHERE ... IS NOT NULL), or correct what divides by zero"
            )
    found = []
    for label in sorted({str(row[0]) for row in rows}):
        values = np.array([[float(value) for own, _, value in sorted(rows) if str(own) == label]])
        low, high = mean_intervals(values)
        found.append(Evidence(label, finite(float(values.mean())), finite(low[0]), finite(high[0])))
    return found


def number(value: Any) -> float | None:
    """Return a database value as a number, null when it is null or not finite."""
    return None if value is None or not abs(float(value)) < INFINITY else float(value)


def finding(template: str, rows: list[Evidence], expectation: Expectation) -> str:
    """Say what was measured, from the claim's template or, without one, from the rows."""
    told = [row for row in rows if row.value is not None]
    if not told:
        return "nothing to measure it on"
    values = [row.value for row in told if row.value is not None]
    counts = {
        "n": len(told),
        "n_in": sum(expectation.takes(row) for row in told),
        "n_below": sum(row.wholly_within(-INFINITY, expectation.low) for row in told),
        "n_above": sum(row.wholly_within(expectation.high, INFINITY) for row in told),
        "smallest": written(min(values)),
        "largest": written(max(values)),
    }
    if template:
        return template.strip().format(**counts)
    if len(told) <= 4:
        return "; ".join(map(written_row, told))
    if expectation.quantifier == "mixed":
        text = "{n_below} of {n} intervals wholly below, {n_above} wholly above; values {smallest} to {largest}"
    else:
        text = "{n_in} of {n} intervals wholly where expected; values {smallest} to {largest}"
    return text.format(**counts)


def written_row(row: Evidence) -> str:
    """Write a row of evidence in one line."""
    bounds = "" if row.low is None or row.high is None else f" ({written(row.low)} to {written(row.high)})"
    return f"{row.label}: {written(row.value)}{bounds}"


def written(value: float | None) -> str:
    """Write a number with three significant digits and no exponent."""
    if value is None:
        return "none"
    text = f"{value:.3g}"
    return f"{value:,.0f}" if "e+" in text or abs(value) >= 1000 else text


def explain(explanation: str | dict[str, str], verdict: str) -> str:
    """Return the explanation that goes with a verdict."""
    text = explanation.get(verdict, "") if isinstance(explanation, dict) else explanation
    return text.strip()
