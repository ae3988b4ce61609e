"""Claims as pages show them: a strip of verdicts, a sentence on what they depend on, and rows on one number line."""

import duckdb

from reports.draw.charts import Row, fetch
from reports.draw.verdicts import VERDICT_LOOKS
from reports.draw.vocabulary import joined, measured, printed_number, significant
from reports.ledger.wording import apart, reversed_unit, span_of
from reports.measure.catalogue import spoken
from reports.measure.verdict_words import CANNOT_TELL, NOT_REPRODUCED, REPRODUCED
from scheduler_core.declarations.words import counted

CAUSES = {
    "reversed": "the effect goes the other way",
    "effect absent": "no such effect here",
    "size differs": "the effect is there, of another size",
    "depends on the reading": "reproduced under another reading of the source",
    "too few data": "no row is refuted, and some are open",
    "lost input": "the source's input is lost",
    "definition unclear": "the source does not say what it measured",
    "source contradicts itself": "another part of the source says otherwise",
}
"""Causes why claims are not, or only in part, reproduced."""

ROBUSTNESS = {
    "robust": "the same verdict under all readings judged",
    "depends on the reading": "a choice the source leaves open decides",
    "never": "reproduced under no reading",
}
"""How a verdict holds up under the readings of a study."""


DECIDED = {"reproduced": REPRODUCED, "refuted": NOT_REPRODUCED, "undecided": CANNOT_TELL}
"""Columns that count the testable rows of a claim, with the verdict of these rows."""

INTERVALS = {
    "confidence": "95 % confidence interval",
    "prediction": "95 % prediction interval",
    "equivalence": "90 % interval",
    "": "Interval",
}
"""The title of the column of intervals, by the kind of interval that decides; exact values have none."""


def readings(connection: duckdb.DuckDBPyConnection) -> dict[str, list[Row]]:
    """Return the readings of each study that names some, the headline first, then second headlines."""
    found = fetch(
        connection,
        "SELECT study, reading, label, follows, headline, second_headline FROM readings "
        "ORDER BY study, NOT headline, NOT second_headline, position",
    )
    return {study: [row for row in found if row["study"] == study] for study in {row["study"]: None for row in found}}


def study_claims(connection: duckdb.DuckDBPyConnection, name: str) -> list[Row]:
    """Return the claims of a study with everything below their rows."""
    found = claim_rows(connection, name)
    for claim in found:
        claim["finding"] = spoken(claim["finding"])
        claim["brief"] = brief(claim)
        for second in claim["seconds"]:
            second["brief"] = brief({**claim, **second})
        claim["interval_name"] = INTERVALS[claim["interval_kind"]]
        claim["changes"] = changes(claim)
        claim["strip_words"] = strip_words(claim["strip"])
        claim["sensitivity"] = [
            {"label": spoken(row["label"]), "texts": measured(row["value"], row["low"], row["high"]),
             "printed": "" if row["printed"] is None else significant(row["printed"])}
            for row in claim["sensitivity"]
        ]  # fmt: skip
    return found


def brief(claim: Row) -> str:
    """Return what was found in a few words: the value and its interval, or the range of the rows' values; rows stand below."""
    value, spread = value_and_interval(claim)
    return f"{value} ({spread})" if spread else value


def value_and_interval(claim: Row) -> tuple[str, str]:
    """Return the value of a claim with its unit, and its interval. Several rows have the range of their values, and none."""
    told = [row for row in claim["evidence"] if row["number"] is not None]
    if not told or claim["verdict"] == "not testable":
        return str(claim["finding"]), ""
    unit, values = str(claim["unit_words"]), [row["number"] for row in told]
    limit = None if claim["interval_kind"] else claim["bound"]

    def write(value: float) -> str:
        return significant(value, apart(value, limit))

    if write(min(values)) != write(max(values)):
        return span_of(min(values), max(values), unit, write), ""
    value, spread = told[0]["value"], told[0]["interval"]
    if told[0]["number"] < 0 and (other := reversed_unit(unit)):
        value, spread, unit = without_sign(value), without_sign(spread), other
    return f"{value} {unit}".strip(), spread if len(told) == 1 and spread != "–" else ""


def without_sign(text: str) -> str:
    """Return a written number, or a written interval, with its signs turned."""
    ends = [end if end.strip("0.–") == "" else end[1:] if end[0] == "−" else f"−{end}" for end in text.split(" to ")]
    return " to ".join(reversed(ends))


def strip_words(strip: list[Row]) -> str:
    """Return how many readings give each verdict, the headline's first."""
    found = [one["verdict"] for one in strip]
    return ", ".join(f"{verdict} under {counted(found.count(verdict), 'reading')}" for verdict in dict.fromkeys(found))


def changes(claim: Row) -> str:
    """Return what would change a claim's verdict: another reading, or more draws."""
    other: dict[str, list[str]] = {}
    for one in claim["strip"]:
        if not one["headline"] and one["verdict"] not in (claim["verdict"], "not testable"):
            other.setdefault(one["verdict"], []).append(f"“{one['label']}”")
    said = [f"{verdict} under {joined(labels)}" for verdict, labels in other.items()]
    told = [f"The verdict is {'; '.join(said)}."] if said else []
    if claim["data_needed"]:
        told.append(claim["data_words"])
    elif claim["verdict"] == "cannot tell":
        told.append("More data of this kind need not decide it.")
    return " ".join(told)


def data_words(claim: Row) -> str:
    """Return a sentence: how many times the data would decide a claim."""
    still = sum(row["verdict"] == "cannot tell" for row in claim["evidence"])
    some = f"Its {still} open rows need {claim['data_needed']} times the data each"
    whole = some if still > 1 else f"About {claim['data_needed']} times the data would decide it"
    return f"{whole} (draws of a model, length of a log), if further data spread as these do."


def claim_rows(connection: duckdb.DuckDBPyConnection, study: str = "") -> list[Row]:
    """List the claims of a study, or of all, in the order of studies and claims.

    A claim has the columns of the table ``claims`` and: ``title`` of its study; ``href``, its place on the study's page;
    ``tally`` ("6 of 8"); ``mix`` ("6 ✓ 2 ?"), which strips and seconds have as their tally; ``strip``, reading by reading
    ``label, verdict, tally, headline, second_headline, place``; ``seconds``, for each second headline ``label, verdict, tally,
    finding, evidence``; ``robust``, a sentence; ``line``, the scale of the number line (``printed``, ``no effect`` or ``bound``;
    empty for a claim that is not on it); and ``evidence``: rows ``label, number, value, interval, units, printed, detectable,
    verdict, data_needed``, and ``at``, the value and its interval on that line. ``sensitivity`` has rows of evidence as they are
    stored.
    """
    chosen = "$study IN ('', study)"
    found = fetch(
        connection,
        f"SELECT claims.*, title FROM claims JOIN studies USING (study) WHERE {chosen} "
        "ORDER BY studies.position, study, claims.position",
        study=study,
    )
    judged = fetch(connection, f"SELECT * FROM claim_readings WHERE {chosen}", study=study)
    named = readings(connection)
    under = {(row["study"], row["claim"], row["reading"]): row for row in judged}
    evidence = evidence_of(connection, study)
    for claim in found:
        key = (claim["study"], claim["claim"])
        strip = [(one, under.get((*key, one["reading"]))) for one in named.get(claim["study"], [])]
        claim["href"] = f"study-{claim['study']}.html#claim-{claim['claim']}"
        claim["tally"], claim["mix"] = tally(claim), mix(claim)
        claim["strip"] = [
            {"label": one["label"], "verdict": row["verdict"], "tally": mix(row), "headline": one["headline"],
             "second_headline": one["second_headline"], "place": place}
            for place, (one, row) in enumerate(strip) if row is not None
        ]  # fmt: skip
        claim["seconds"] = [
            {"label": one["label"], "verdict": row["verdict"], "tally": mix(row), "finding": spoken(row["finding"] or ""),
             "evidence": on_line(claim, evidence.get((*key, one["reading"], "evidence"), []))[1]}
            for one, row in strip if row is not None and one["second_headline"]
        ]  # fmt: skip
        claim["robust"] = robust_sentence(claim)
        first = next((one["reading"] for one, _ in strip if one["headline"]), "headline")
        rows, claim["sensitivity"] = (evidence.get((*key, first, role), []) for role in ("evidence", "sensitivity"))
        claim["line"], claim["evidence"] = on_line(claim, rows)
        claim["data_needed"] = data_needed(rows) if claim["draws_needed"] else ""
        claim["data_words"] = data_words(claim) if claim["data_needed"] else ""
    return found


def evidence_of(connection: duckdb.DuckDBPyConnection, study: str) -> dict[tuple[str, ...], list[Row]]:
    """Return the rows of claims under the headlines of a study, or of all, by study, claim, reading and role."""
    found: dict[tuple[str, ...], list[Row]] = {}
    for row in fetch(
        connection,
        "SELECT e.* FROM claim_evidence AS e JOIN readings AS r USING (study, reading) "
        "WHERE $study IN ('', study) AND (r.headline OR r.second_headline) ORDER BY study, claim, e.position",
        study=study,
    ):
        found.setdefault((row["study"], row["claim"], row["reading"], row["role"]), []).append(row)
    return found


def tally(row: Row) -> str:
    """Return how many rows of a claim are reproduced, as "6 of 8"; empty for a claim with one row."""
    return f"{row['reproduced']} of {row['rows']}{not_testable(row)}" if row["rows"] > 1 else ""


def not_testable(row: Row) -> str:
    """Return how many rows of a claim are not testable, as ", 2 not testable"; empty if none or all are."""
    return f", {row['untestable']} not testable" if 0 < row["untestable"] < row["rows"] else ""


def mix(row: Row) -> str:
    """Return how many rows of a claim have each verdict, as "6 ✓ 3 ✗ 11 ?"; the tally if all testable rows have the same."""
    told = [f"{row[column]} {VERDICT_LOOKS[verdict].sign}" for column, verdict in DECIDED.items() if row[column]]
    return " ".join(told) + not_testable(row) if len(told) > 1 else tally(row)


def robust_sentence(claim: Row) -> str:
    """Return a sentence: whether a claim's verdict depends on the reading, and on which choice."""
    if len(claim["strip"]) < 2:
        return ""
    decided = [one for one in claim["strip"] if one["verdict"] not in ("cannot tell", "not testable")]
    if not claim["robustness"]:
        return "Too few draws or runs to compare the readings."
    many = f"all {len(decided)} readings" if len(decided) > 2 else "both readings"
    if claim["robustness"] == "robust":
        return f"The same verdict under {many} that decide."
    if claim["robustness"] == "never":
        return f"Reproduced under none of the {len(decided)} readings that decide."
    choices = claim["decided_by"]
    if not choices:
        return "Depends on the reading; no single choice decides alone."
    return f"Depends on the reading: {joined(list(choices))} {'decides' if len(choices) == 1 else 'decide'}."


def data_needed(rows: list[Row]) -> str:
    """Return how many times their data undecided rows need to be decided, as "3.5" or "1.1 to 182"; empty if none is known.

    A log cannot be drawn again, so its rows need a log that is so many times as long.
    """
    open_rows = [row for row in rows if row["verdict"] == "cannot tell" and row["draws_needed"] and row["units"]]
    times = [row["draws_needed"] / row["units"] for row in open_rows]
    ends = [significant(end, 2) for end in (min(times), max(times))] if times else []
    return " to ".join(dict.fromkeys(ends))


def on_line(claim: Row, rows: list[Row]) -> tuple[str, list[Row]]:
    """Return the scale of a claim's number line, and its rows placed on it.

    If the rows are compared with a number, that number is 1, and 0 is no effect (or zero if the claim names no such value).
    Otherwise 0 is the bound, and the furthest end of an interval is 1 or -1: the line then shows the side, not the size.
    """
    none, bound = claim["no_effect"], claim["bound"]
    origin = none or 0.0
    aim = aim_of(claim)
    aims = [aim if row["printed"] is None else row["printed"] for row in rows]
    aimed = any(aim not in (None, origin) for aim in aims)
    zero = none if none is not None else bound
    ends = [row[end] for row in rows for end in ("value", "low", "high") if row[end] is not None]
    furthest = max((abs(end - zero) for end in ends), default=0.0) if zero is not None else 0.0
    line = ("printed" if none is None else "no effect") if aimed else "bound" if furthest else ""
    start = origin if aimed else zero or 0.0
    limit = bound if claim["interval_kind"] in ("confidence", "") else None
    found = []
    for row, aim in zip(rows, aims, strict=True):
        value, spread = measured(row["value"], row["low"], row["high"], limit=limit)
        scale = (aim - start if aim is not None else 0.0) if aimed else furthest
        found.append(
            {
                "label": spoken(row["label"]),
                "number": row["value"],
                "value": value,
                "interval": spread,
                "units": None if row["low"] is None else row["units"],
                "printed": "" if row["printed"] is None else significant(row["printed"]),
                "verdict": row["verdict"],
                "data_needed": data_needed([row]),
                "detectable": "" if row["detectable"] is None else significant(row["detectable"]),
                "at": [placed(row[end], start, scale) for end in ("value", "low", "high")],
            }
        )
    return line, found


def aim_of(claim: Row) -> float | None:
    """Return the number that a claim's rows are compared with; None without one, or if each row has its own."""
    if claim["no_effect"] is None:
        return None
    if claim["bound"] not in (None, claim["no_effect"]):
        return float(claim["bound"])
    return printed_number(claim["printed"], claim["unit"])


def placed(value: float | None, origin: float, scale: float) -> float | None:
    """Return where a value lies when ``origin`` is 0 and ``origin + scale`` is 1."""
    return None if value is None or not scale else round((value - origin) / scale, 4)
