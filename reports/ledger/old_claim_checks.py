"""What a claim of a study may say; :mod:`reports.ledger.claims` explains the keys."""

from __future__ import annotations

import string
from typing import Any

from scheduler_core.errors import StudyError, nearest

VERDICTS = ("reproduced", "reproduced in direction", "not reproduced", "not testable")
"""The verdicts, the best first: ``all`` takes the last of its rows' verdicts in this order, ``any`` the first."""
REQUIRED = ("id", "sentence", "citation", "sql", "expect")
OPTIONAL = ("section", "printed", "ours", "explanation", "sensitivity", "gate", "fitted")
QUANTIFIERS = ("all", "any", "mixed")
BANDS = ("above", "below", "between", "around")
GATE_KEYS = ("sql", "rows", "expect")
PLACEHOLDERS = ("n", "n_in", "n_below", "n_above", "smallest", "largest")

INFINITY = float("inf")


def validate_claims(study: str, claims: Any) -> None:
    """Check the claims of a study.

    Raises
    ------
    StudyError
        Naming the study, the claim and the key, with what was found and what was expected.
    """
    if not isinstance(claims, list):
        raise StudyError(f"study '{study}': claims must be a list; found {type(claims).__name__}")
    seen: set[str] = set()
    for number, claim in enumerate(claims):
        if not isinstance(claim, dict) or not isinstance(claim.get("id"), str):
            raise StudyError(f"study '{study}': claims.{number}: expected a mapping with the key 'id' (a word)")
        where = f"study '{study}': claim '{claim['id']}'"
        if claim["id"] in seen:
            raise StudyError(f"{where}: the id is taken by an earlier claim; give one of the two another")
        seen.add(claim["id"])
        validate_claim(where, claim)


def validate_claim(where: str, claim: dict[str, Any]) -> None:
    """Check one claim; ``where`` begins every message."""
    for key in claim:
        if key not in REQUIRED + OPTIONAL:
            raise StudyError(f"{where}: there is no key '{key}'; {nearest(str(key), REQUIRED + OPTIONAL)}")
    for key in REQUIRED:
        if not claim.get(key):
            raise StudyError(f"{where}: the key '{key}' is missing or empty")
    for key in ("sentence", "citation", "section", "printed", "sql", "ours", "sensitivity", "fitted"):
        if key in claim and not isinstance(claim[key], str):
            raise StudyError(f"{where}: {key} must be text; found {claim[key]!r}")
    validate_expectation(where, claim["expect"])
    validate_gates(where, claim.get("gate", []))
    validate_words(where, claim)


def validate_gates(where: str, gates: Any) -> None:
    """Check the key ``gate``: one wider band, or a list of them."""
    for gate in gates if isinstance(gates, list) else [gates]:
        words = isinstance(gate, dict) and all(isinstance(gate.get(key, ""), str) for key in ("sql", "rows"))
        if not words or "expect" not in gate:
            form = "{expect: BAND}, with sql: SELECT ... for other rows or rows: TEXT for those whose label has it"
            raise StudyError(f"{where}: gate: expected {form}; found {gate!r}")
        for key in gate:
            if key not in GATE_KEYS:
                raise StudyError(f"{where}: gate: there is no key '{key}'; {nearest(str(key), GATE_KEYS)}")
        validate_expectation(f"{where}: gate", gate["expect"])


def validate_expectation(where: str, expect: Any) -> None:
    """Check the key ``expect``."""
    form = (
        "expected {all: BAND}, {any: BAND} or {mixed: x}; BAND: {above: x}, {below: x}, {between: [a, b]}, {around: x}"
    )
    if not isinstance(expect, dict) or len(expect) != 1:
        raise StudyError(f"{where}: expect: {form}; found {expect!r}")
    ((quantifier, band),) = expect.items()
    if quantifier not in QUANTIFIERS:
        raise StudyError(
            f"{where}: expect: there is no '{quantifier}'; {nearest(str(quantifier), QUANTIFIERS)}; {form}"
        )
    if quantifier == "mixed":
        if not is_number(band):
            raise StudyError(f"{where}: expect.mixed must be a number; found {band!r}")
        return
    if not isinstance(band, dict) or len(band) != 1:
        raise StudyError(f"{where}: expect.{quantifier}: {form}; found {band!r}")
    ((kind, edge),) = band.items()
    if kind not in BANDS:
        raise StudyError(f"{where}: expect.{quantifier}: there is no '{kind}'; {nearest(str(kind), BANDS)}; {form}")
    if kind != "between" and not is_number(edge):
        raise StudyError(f"{where}: expect.{quantifier}.{kind} must be a number; found {edge!r}")
    pair = isinstance(edge, list) and len(edge) == 2 and all(map(is_number, edge))
    if kind == "between" and not (pair and edge[0] < edge[1]):
        raise StudyError(f"{where}: expect.{quantifier}.between must be two numbers, the smaller first; found {edge!r}")


def validate_words(where: str, claim: dict[str, Any]) -> None:
    """Check the placeholders of ``ours`` and the verdicts of ``explanation``."""
    try:
        names = [name for _, name, _, _ in string.Formatter().parse(claim.get("ours", "")) if name is not None]
    except ValueError as error:
        raise StudyError(f"{where}: ours: {error}; write {{{{ or }}}} for a brace") from error
    for name in names:
        if name not in PLACEHOLDERS:
            raise StudyError(f"{where}: ours: there is no placeholder '{{{name}}}'; {nearest(name, PLACEHOLDERS)}")
    explanation = claim.get("explanation", "")
    if not isinstance(explanation, (str, dict)):
        raise StudyError(f"{where}: explanation must be text, or text a verdict; found {explanation!r}")
    for verdict in explanation if isinstance(explanation, dict) else ():
        if verdict not in VERDICTS:
            raise StudyError(
                f"{where}: explanation: there is no verdict '{verdict}'; {nearest(str(verdict), VERDICTS)}"
            )


def is_number(value: Any) -> bool:
    """Say whether ``value`` is a finite number, and no truth value."""
    return type(value) in (int, float) and abs(value) < INFINITY
