"""The claims ledger: what the literature says, what this run of the pipeline measured, and the verdict.

A claim is an entry of a study file, under ``claims``, or of a file in ``claims_from``;
:class:`reports.ledger.claim_checks.Claim` explains its keys. Every claim is judged under every reading of its study
(:mod:`reports.measure.readings`). A claim that fails stays in the ledger.
"""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, combinations
from queue import SimpleQueue
from typing import Any

import duckdb

from reports.ledger.claim_checks import ABSENT, OTHER_SIZE, REVERSED, TOO_FEW
from reports.ledger.measures import Measures, measure_of, parameters_given, run
from reports.ledger.rows import Row
from reports.ledger.terms import Terms
from reports.ledger.verdicts import Judged, Verdict, judge
from reports.ledger.wording import expectation, finding, said, unit_words, written
from reports.measure.intervals import CONFIDENCE
from reports.measure.queries import insert_by_name
from reports.measure.readings import readings_of, under
from reports.measure.verdict_words import CANNOT_TELL, NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED

Tables = dict[str, list[dict[str, Any]]]

WITH_ALL_LOGS = "With all logs: "
"""How an explanation begins that speaks of logs which are missing here."""


@dataclass(slots=True)
class Ledger:
    """The rows of the ledger's tables, by table; a row has its values by column."""

    tables: Tables = field(default_factory=dict)

    def add(self, table: str, **row: Any) -> None:
        """Add a row."""
        self.tables.setdefault(table, []).append(row)

    def record(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Fill the tables of the store."""
        for table, rows in self.tables.items():
            insert_by_name(connection, table, rows)


@dataclass(slots=True)
class Bench:
    """The place where the claims of one study are judged: a read-only connection, the study, and whether by a headline."""

    connection: duckdb.DuckDBPyConnection
    study: dict[str, Any]
    headline: bool = True

    @property
    def name(self) -> str:
        """Id of the study."""
        return str(self.study["study"])

    @property
    def scale(self) -> str:
        """Scale of the run."""
        return str(self.study.get("scale") or "full")

    @property
    def measures(self) -> Measures:
        """The measures of the study."""
        return self.study.get("measures") or {}

    @property
    def readings(self) -> list[dict[str, Any]]:
        """The readings of the study, the headline first."""
        return readings_of(self.study)

    def judge(self, claim: dict[str, Any], where: str = "") -> Verdict:
        """Return the verdict on a claim, or on another sentence, under the current reading; ``where`` starts error messages."""
        where = where or f"study '{self.name}': claim '{claim['id']}'"
        return judge(where, Terms.of(claim, self.scale, self.headline), self.rows(where, claim))

    def rows(self, where: str, entry: dict[str, Any]) -> list[Row]:
        """Return the rows of the measure that an entry names."""
        measure = self.measures[str(measure_of(entry))]
        return run(self.connection, where, measure, parameters_given(entry, measure))

    def shown(self, where: str, entry: dict[str, Any]) -> list[Judged]:
        """Return rows that are shown but not judged: with confidence intervals, without a verdict."""
        found = []
        for row in self.rows(where, entry):
            low, high = row.interval(CONFIDENCE) or (None, None)
            found.append(Judged(row.label, row.value, low, high, row.printed, ""))
        return found

    def lacks_a_log(self, claim: dict[str, Any]) -> bool:
        """Return whether a workload that a claim names is of a missing log."""
        listed = [value if isinstance(value, list) else [value] for value in (claim.get("with") or {}).values()]
        named = [name for one in chain(*listed) for name in (one if isinstance(one, list) else [one])]
        lost = "SELECT 1 FROM main.workloads WHERE missing AND list_contains($1, workload) LIMIT 1"
        return self.connection.execute(lost, [[str(name) for name in named]]).fetchone() is not None

    def beside(self, claim: dict[str, Any]) -> list[Judged]:
        """Return the rows of a claim's sensitivity, if it has one."""
        further = claim.get("sensitivity")
        where = f"study '{self.name}': claim '{claim['id']}': sensitivity"
        return self.shown(where, further) if further else []


def judge_studies(
    connection: duckdb.DuckDBPyConnection,
    studies: list[dict[str, Any]],
    beside: Iterable[duckdb.DuckDBPyConnection] = (),
) -> Ledger:
    """Return the ledger: the verdicts on every study's claims under each of its readings.

    Parameters
    ----------
    connection
        The finished store, which is only read.
    studies
        The studies as plain data.
    beside
        Further connections to the store; each judges one more reading in parallel. Most of a query's time is planning, which
        DuckDB does not parallelise.

    Raises
    ------
    StudyError
        When the SQL of a measure fails or returns the wrong columns.
    """
    ledger = Ledger()
    benches = [Bench(connection, study) for study in studies]
    places = [(bench, reading) for bench in benches for reading in bench.readings]
    free: SimpleQueue[duckdb.DuckDBPyConnection] = SimpleQueue()
    for each in (connection, *beside):
        free.put(each)
    with ThreadPoolExecutor(free.qsize()) as pool:
        judged = iter(list(pool.map(lambda place: judge_reading(free, *place), places)))
    for bench in benches:
        claims = bench.study.get("claims") or []
        add_sentences(ledger, bench)
        by_reading = {reading["reading"]: next(judged) for reading in bench.readings}
        for reading in bench.readings:
            if is_headline(reading):
                with under(connection, bench.name, reading["reading"]):
                    add_answers(ledger, bench, reading["reading"], by_reading[reading["reading"]])
        with under(connection, bench.name, bench.readings[0]["reading"]):
            for position, claim in enumerate(claims):
                verdicts = {reading: own[claim["id"]] for reading, own in by_reading.items()}
                add_claim(ledger, bench, claim, position, verdicts)
    return ledger


def judge_reading(
    free: SimpleQueue[duckdb.DuckDBPyConnection], bench: Bench, reading: dict[str, Any]
) -> dict[str, Verdict]:
    """Return the verdicts on a study's claims under one reading, by id, through a free connection."""
    connection = free.get()
    try:
        with under(connection, bench.name, reading["reading"]):
            own = Bench(connection, bench.study, is_headline(reading))
            return {claim["id"]: own.judge(claim) for claim in bench.study.get("claims") or []}
    finally:
        free.put(connection)


def is_headline(reading: dict[str, Any]) -> bool:
    """Return whether pages and counts show the verdicts of a reading: those of the headline and of a second one."""
    return bool(reading["headline"] or reading["second_headline"])


def add_sentences(ledger: Ledger, bench: Bench) -> None:
    """Add the testable sentences of a study's source."""
    listed = bench.study.get("sentences") or {"source": "", "sentences": []}
    for position, one in enumerate(listed["sentences"]):
        ledger.add(
            "sentences",
            study=bench.name,
            position=position,
            source=listed["source"].strip(),
            section=one["section"],
            sentence=one["sentence"].strip(),
            paraphrased=one.get("paraphrased", False),
            claims=one.get("claims") or [],
            reason=one.get("reason", "").strip(),
            needs=one.get("needs", "").strip(),
        )


def add_claim(ledger: Ledger, bench: Bench, claim: dict[str, Any], position: int, verdicts: dict[str, Verdict]) -> None:
    """Add a claim with its verdict under every reading, and the evidence of each."""
    study, terms, words = bench.name, Terms.of(claim, bench.scale), unit_words(claim)
    readings = bench.readings
    headline = verdicts[readings[0]["reading"]]
    robust, decided_by = robustness(readings, verdicts)
    ledger.add(
        "claims",
        study=study,
        claim=claim["id"],
        position=position,
        kind=claim["kind"],
        headline=claim["headline"],
        sentence=claim["sentence"].strip(),
        citation=claim["citation"].strip(),
        section=claim.get("section", ""),
        printed=claim.get("printed", "").strip(),
        unit=claim.get("unit", ""),
        unit_words=words,
        measure=measure_of(claim),
        finding=finding(headline, terms, words),
        expectation=expectation(terms),
        verdict=headline.verdict,
        **headline.tally._asdict(),
        draws_needed=headline.draws_needed,
        robustness=robust,
        decided_by=decided_by,
        cause=cause_of(claim, headline, list(verdicts.values())),
        explanation="" if bench.scale == "quick" else explain(bench, claim, headline.verdict),
        fitted=claim.get("fitted", "").strip(),
        figure=claim.get("figure"),
        no_effect=terms.no_effect,
        bound=terms.edges[0] if len(terms.edges) == 1 else None,
        interval_kind=terms.interval_kind,
    )
    for reading in readings:
        name, verdict = reading["reading"], verdicts[reading["reading"]]
        ledger.add(
            "claim_readings",
            study=study,
            claim=claim["id"],
            reading=name,
            verdict=verdict.verdict,
            **verdict.tally._asdict(),
            **value_of(verdict),
            finding=finding(verdict, terms, words),
        )
        for place, row in enumerate(verdict.rows):
            add_evidence(ledger, study, claim["id"], name, place, row, "evidence")
    for place, row in enumerate(bench.beside(claim)):
        add_evidence(ledger, study, claim["id"], readings[0]["reading"], place, row, "sensitivity")


def add_answers(ledger: Ledger, bench: Bench, reading: str, verdicts: dict[str, Verdict]) -> None:
    """Add the answers of a study, by its verdicts under the headline or a second headline."""
    claims = {claim["id"]: claim for claim in bench.study.get("claims") or []}
    page = bench.study.get("page") or {}
    hero = page.get("hero")
    sentences = [("sentence", entry) for entry in page.get("answer") or []]
    for position, (part, entry) in enumerate([*sentences, *([("hero", hero)] if hero else [])]):
        claim = claims.get(entry.get("claim"), {**entry, "id": ""})
        where = f"study '{bench.name}': {part} {position + 1}"
        verdict = verdicts[claim["id"]] if claim["id"] else bench.judge({**claim, "kind": "direction"}, where)
        unit = claim.get("unit", "")
        ledger.add(
            "answers",
            study=bench.name,
            position=position if part == "sentence" else 0,
            part=part,
            text=said(entry["say"], verdict, unit, claim.get("headline", "")),
            **value_of(verdict),
            unit=unit,
            label=entry.get("figure", ""),
            verdict=verdict.verdict,
            claim=claim["id"] or None,
            reading=reading,
        )
    for position, entry in enumerate(page.get("numbers") or []):
        where = f"study '{bench.name}': number {position + 1}"
        value = as_columns(next(iter(bench.shown(where, entry)), None))
        unit = entry.get("unit", "")
        ledger.add(
            "answers",
            study=bench.name,
            position=position,
            part="number",
            text=written(value["value"], unit),
            **value,
            unit=unit,
            label=entry["label"],
            verdict="",
            claim=None,
            reading=reading,
        )


def value_of(verdict: Verdict) -> dict[str, float | None]:
    """Return the value and interval of the first row with a value, by column."""
    return as_columns(next((row for row in verdict.rows if row.value is not None), None))


def as_columns(row: Judged | None) -> dict[str, float | None]:
    """Return the value and interval of a row by column; ``None`` for each if there is no row."""
    return {name: getattr(row, name, None) for name in ("value", "low", "high")}


def add_evidence(ledger: Ledger, study: str, claim: str, reading: str, place: int, row: Judged, role: str) -> None:
    """Add a row of evidence."""
    ledger.add(
        "claim_evidence",
        study=study,
        claim=claim,
        reading=reading,
        position=place,
        label=row.label,
        **as_columns(row),
        printed=row.printed,
        verdict=row.verdict,
        units=row.units,
        draws_needed=row.needed,
        detectable=row.detectable,
        role=role,
    )


def explain(bench: Bench, claim: dict[str, Any], verdict: str) -> str:
    """Return the explanation for a verdict.

    A text for all verdicts speaks of all logs, so it says so where a log of the claim is missing.
    """
    explanation = claim.get("explanation", "")
    if isinstance(explanation, dict):
        return next((text.strip() for told, text in explanation.items() if verdict in told.split(", ")), "")
    return (WITH_ALL_LOGS if explanation and bench.lacks_a_log(claim) else "") + explanation.strip()


def disagree(one: Verdict, other: Verdict) -> bool:
    """Return whether two readings of a claim contradict each other on the rows that both have.

    A row that is undecided for lack of draws contradicts nothing, nor does a row that a reading did not run. If a claim is about
    its rows together (``any``, ``sides``), or the readings share no row, the verdicts on the claim are compared.
    """
    decided = {REPRODUCED, NOT_REPRODUCED}
    mine, theirs = ({row.label: row.verdict for row in verdict.rows} for verdict in (one, other))
    shared = mine.keys() & theirs.keys()
    if one.together or not shared:
        return {one.verdict, other.verdict} == decided
    return any({mine[label], theirs[label]} == decided for label in shared)


def robustness(readings: list[dict[str, Any]], verdicts: dict[str, Verdict]) -> tuple[str, list[str]]:
    """Return whether a verdict depends on the reading, and the choices that decide it.

    Readings that cannot tell, for lack of draws, are left out. A choice decides if a reading that differs from the headline in
    nothing else contradicts the headline.
    """
    told = [verdict for verdict in verdicts.values() if verdict.verdict not in (CANNOT_TELL, NOT_TESTABLE)]
    if len(told) < 2:
        return "", []
    if all(verdict.verdict == NOT_REPRODUCED for verdict in told):
        return "never", []
    if not any(disagree(one, other) for one, other in combinations(told, 2)):
        return "robust", []
    first, *others = readings
    headline = verdicts[first["reading"]]
    choices: dict[str, None] = {}
    for reading in others:
        differing = [name for name, choice in reading["choices"].items() if first["choices"].get(name) != choice]
        if len(differing) == 1 and disagree(headline, verdicts[reading["reading"]]):
            choices[differing[0]] = None
    return "depends on the reading", list(choices)


def cause_of(claim: dict[str, Any], headline: Verdict, verdicts: list[Verdict]) -> str:
    """Return the cause why a claim is not, or only in part, reproduced; '' for a reproduced one.

    The study's own cause replaces "absent" or "another size". It does not replace what is measured: that the data cannot tell,
    that another reading reproduces the claim, or that the effect is reversed.
    """
    known = str(claim.get("cause", ""))
    if headline.verdict == REPRODUCED:
        return ""
    if headline.verdict == NOT_TESTABLE:
        return known
    if headline.verdict == CANNOT_TELL:
        return TOO_FEW
    if any(verdict.verdict == REPRODUCED and disagree(headline, verdict) for verdict in verdicts):
        return "depends on the reading"
    refuted = [row for row in headline.rows if row.verdict == NOT_REPRODUCED]
    if not refuted:
        return TOO_FEW
    if all(row.against for row in refuted):
        return REVERSED
    if claim.get("kind") not in ("magnitude", "workload", "expectation", "identity"):
        return known or ABSENT
    absent = sum(row.against or holds(row, claim.get("no_effect")) for row in refuted)
    return known or (ABSENT if 2 * absent > len(refuted) else OTHER_SIZE)


def holds(row: Judged, number: float | None) -> bool:
    """Return whether the interval of a row contains a number."""
    return None not in (number, row.low, row.high) and row.low <= number <= row.high  # type: ignore[operator]
