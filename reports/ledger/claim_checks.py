"""What a claim of a study may say; :mod:`reports.ledger.claims` explains the keys, :mod:`reports.ledger.verdicts` the bands.

Snakemake reads this module each time it starts, so it imports nothing heavy.
"""

from __future__ import annotations

from typing import Any

from scheduler_core.common.errors import StudyError, nearest

REPRODUCED, IN_PART, NOT_REPRODUCED = "reproduced", "reproduced in part", "not reproduced"
CANNOT_TELL, NOT_TESTABLE = "cannot tell", "not testable"
VERDICTS = (REPRODUCED, IN_PART, NOT_REPRODUCED, CANNOT_TELL, NOT_TESTABLE)
"""The verdicts on a claim, in the order in which they are counted."""

KINDS = {
    "identity": "holds by construction, or is exact arithmetic",
    "workload": "says something of the inputs",
    "direction": "says which of two is more, or whether something grows",
    "magnitude": "says by how much",
    "mechanism": "says how the scheduler brings something about",
}
"""Kinds of claims, and what a claim of each kind does."""

CAUSES = ("lost input", "definition unclear", "effect absent", "reversed", "size differs")
"""Why a claim may fail, where a study knows better than what is computed (:func:`reports.ledger.claims.cause_of`)."""

CHANGES = dict.fromkeys(("ratio", "% of", "% more", "% less"), "comparison") | dict.fromkeys(
    ("difference", "points more", "points less", "mean % of", "mean % more", "mean % less", "mean % better"),
    "mean_change",
)
"""How far A is from B: the word of a claim, and the shared measure that serves it. Changes are of means, or means of changes."""

REQUIRED = ("id", "kind", "headline", "sentence", "citation", "measure", "expect")
OPTIONAL = (
    "against", "change", "with", "section", "printed", "unit", "no_effect", "cause", "explanation", "fitted", "figure",
    "sensitivity", "draws", "digits", "rows", "range",
)  # fmt: skip
QUANTIFIERS = ("all", "any")

STATISTICAL = ("above", "below", "between", "prints", "prints_over", "prints_under", "prints_between", "near")
EXACT = ("is", "at_most", "at_least")
BANDS = (*STATISTICAL, *EXACT)
PAIRS = ("between", "prints_between")
"""Bands whose edge is two numbers."""

OF_EACH_ROW = ("prints", "is")
"""Bands whose edge may be ``each``: the printed number of each row."""

BESIDE = {"near": "margin", "is": "tolerance"}
"""Bands that need a second key."""

HEADLINE_LENGTH = 90
"""Characters that a headline may have."""

FORM = (
    "expected {all: BAND}, {any: BAND} or {sides: x}; BAND: {above: x}, {below: x}, {between: [a, b]}, {prints: x}, "
    "{prints_over: x}, {prints_under: x}, {prints_between: [a, b]}, {near: x, margin: m}, {is: x, tolerance: t}, "
    "{at_most: x} or {at_least: x}"
)


def validate_claims(study: str, claims: Any) -> None:
    """Check the claims of a study.

    Raises
    ------
    StudyError
        Naming the study, the claim and the key, with what was found and what was expected.
    """
    if not isinstance(claims, list):
        raise StudyError(f"study '{study}': claims must be a list; found {type(claims).__name__}")
    ids: set[str] = set()
    headlines: dict[str, str] = {}
    for number, claim in enumerate(claims):
        if not isinstance(claim, dict) or not isinstance(claim.get("id"), str):
            raise StudyError(f"study '{study}': claims.{number}: expected a mapping with the key 'id' (a word)")
        where = f"study '{study}': claim '{claim['id']}'"
        if claim["id"] in ids:
            raise StudyError(f"{where}: the id is taken by an earlier claim; give one of the two another")
        ids.add(claim["id"])
        validate_claim(where, claim)
        other = headlines.setdefault(claim["headline"], claim["id"])
        if other != claim["id"]:
            raise StudyError(f"{where}: headline: claim '{other}' has the same; say in which they differ")


def validate_claim(where: str, claim: dict[str, Any]) -> None:
    """Check one claim; ``where`` begins every message."""
    check_words(where, claim, REQUIRED + OPTIONAL)
    for key in REQUIRED:
        if not claim.get(key) and not (key == "measure" and claim.get("against")):
            raise StudyError(f"{where}: the key '{key}' is missing or empty")
    for key in (*REQUIRED[:-1], "section", "printed", "unit", "fitted", "figure", "cause"):
        if key in claim and not isinstance(claim[key], str):
            raise StudyError(f"{where}: {key} must be text; found {claim[key]!r}")
    for key, known in (("kind", tuple(KINDS)), ("cause", CAUSES)):
        if key in claim and claim[key] not in known:
            raise StudyError(f"{where}: {key}: there is no '{claim[key]}'; {nearest(claim[key], known)}")
    if len(claim["headline"]) > HEADLINE_LENGTH:
        raise StudyError(
            f"{where}: headline: expected at most {HEADLINE_LENGTH} characters; found {len(claim['headline'])}"
        )
    for key in ("draws", "rows"):
        if key in claim and (type(claim[key]) is not int or claim[key] < 1):
            raise StudyError(f"{where}: {key} must be a whole number from 1; found {claim[key]!r}")
    if "digits" in claim and type(claim["digits"]) is not int:
        raise StudyError(
            f"{where}: digits must be a whole number (decimals of what is printed); found {claim['digits']!r}"
        )
    if "no_effect" in claim and not is_number(claim["no_effect"]):
        raise StudyError(f"{where}: no_effect must be a number; found {claim['no_effect']!r}")
    validate_range(where, claim.get("range"))
    validate_expectation(where, claim["expect"])
    validate_with(where, claim.get("with"))
    validate_against(where, claim)
    validate_sensitivity(where, claim.get("sensitivity"))
    validate_explanation(where, claim.get("explanation", ""))


def check_words(where: str, entry: dict[str, Any], known: tuple[str, ...]) -> None:
    """Check that an entry has no keys but those known."""
    for key in entry:
        if key not in known:
            raise StudyError(f"{where}: there is no key '{key}'; {nearest(str(key), known)}")


def validate_with(where: str, given: Any) -> None:
    """Check the parameters of a measure: text, numbers, truth values, and lists of one of them."""
    form = "expected a mapping from a parameter of the measure to text, a number, a truth value or a list of them or of pairs"
    if given is None:
        return
    if not isinstance(given, dict) or not all(isinstance(key, str) for key in given):
        raise StudyError(f"{where}: with: {form}; found {given!r}")
    for key, value in given.items():
        parts = (
            [part for one in value for part in (one if is_pair(one) else [one])] if isinstance(value, list) else [value]
        )
        if not parts or not all(isinstance(part, str | bool) or is_number(part) for part in parts):
            raise StudyError(f"{where}: with.{key}: {form}; found {value!r}")


def validate_against(where: str, entry: dict[str, Any]) -> None:
    """Check the keys ``against`` and ``change``."""
    given = entry.get("against")
    if given is not None and not (
        isinstance(given, list) and given and all(is_pair(one) or isinstance(one, str) for one in given)
    ):
        raise StudyError(f"{where}: against: expected a list of pairs of policies [A, B]; found {given!r}")
    if "change" in entry and entry["change"] not in CHANGES:
        raise StudyError(
            f"{where}: change: there is no '{entry['change']}'; {nearest(str(entry['change']), tuple(CHANGES))}"
        )


def is_pair(value: Any) -> bool:
    """Say whether ``value`` is a pair of names."""
    return isinstance(value, list) and len(value) == 2 and all(isinstance(name, str) for name in value)


def validate_sensitivity(where: str, given: Any) -> None:
    """Check the key ``sensitivity``: a measure and its parameters."""
    if given is None:
        return
    if not isinstance(given, dict) or not (isinstance(given.get("measure"), str) or "against" in given):
        raise StudyError(f"{where}: sensitivity: expected {{measure: NAME, with: {{...}}}}; found {given!r}")
    check_words(f"{where}: sensitivity", given, ("measure", "with", "against", "change"))
    validate_with(f"{where}: sensitivity", given.get("with"))
    validate_against(f"{where}: sensitivity", given)


def validate_range(where: str, given: Any) -> None:
    """Check the key ``range``: two ends, either of which may be null."""
    if given is None:
        return
    ends = given if isinstance(given, list) and len(given) == 2 else [None]
    told = [end for end in ends if end is not None]
    if not told or not all(map(is_number, told)) or sorted(told) != told:
        raise StudyError(
            f"{where}: range must be the least and the largest possible value, null for none; found {given!r}"
        )


def validate_expectation(where: str, expect: Any) -> None:
    """Check the key ``expect``."""
    if not isinstance(expect, dict) or len(expect) != 1:
        raise StudyError(f"{where}: expect: {FORM}; found {expect!r}")
    ((quantifier, band),) = expect.items()
    if quantifier == "sides":
        if not is_number(band):
            raise StudyError(f"{where}: expect.sides must be a number; found {band!r}")
        return
    if quantifier not in QUANTIFIERS:
        hint = nearest(str(quantifier), (*QUANTIFIERS, "sides"))
        raise StudyError(f"{where}: expect: there is no '{quantifier}'; {hint}; {FORM}")
    if not isinstance(band, dict) or not band:
        raise StudyError(f"{where}: expect.{quantifier}: {FORM}; found {band!r}")
    validate_band(where, f"expect.{quantifier}", band)


def validate_band(where: str, key: str, band: dict[str, Any]) -> None:
    """Check a band, and the second key that some have."""
    kind = next(iter(band))
    if kind not in BANDS:
        raise StudyError(f"{where}: {key}: there is no '{kind}'; {nearest(str(kind), BANDS)}; {FORM}")
    beside = BESIDE.get(kind)
    check_words(f"{where}: {key}", band, (kind, beside) if beside else (kind,))
    edge = band[kind]
    if kind in PAIRS:
        pair = isinstance(edge, list) and len(edge) == 2 and all(map(is_number, edge))
        if not (pair and edge[0] < edge[1]):
            raise StudyError(f"{where}: {key}.{kind} must be two numbers, the smaller first; found {edge!r}")
    elif not is_number(edge) and not (edge == "each" and kind in OF_EACH_ROW):
        each = " or 'each' (the column printed)" if kind in OF_EACH_ROW else ""
        raise StudyError(f"{where}: {key}.{kind} must be a number{each}; found {edge!r}")
    if beside and not (is_number(band.get(beside)) and band[beside] >= 0):
        raise StudyError(f"{where}: {key}.{beside} must be a number from 0; found {band.get(beside)!r}")


def validate_explanation(where: str, explanation: Any) -> None:
    """Check the key ``explanation``: text, or text by verdict."""
    if not isinstance(explanation, (str, dict)):
        raise StudyError(f"{where}: explanation must be text, or text by verdict; found {explanation!r}")
    for verdict, text in explanation.items() if isinstance(explanation, dict) else ():
        if verdict not in VERDICTS:
            raise StudyError(
                f"{where}: explanation: there is no verdict '{verdict}'; {nearest(str(verdict), VERDICTS)}"
            )
        if not isinstance(text, str):
            raise StudyError(f"{where}: explanation.{verdict} must be text; found {text!r}")


def is_number(value: Any) -> bool:
    """Say whether ``value`` is a finite number, and no truth value."""
    return type(value) in (int, float) and abs(value) < float("inf")
