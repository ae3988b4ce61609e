"""The part of the JSON schemas that is about claims and what a study answers."""

from __future__ import annotations

from typing import Any

from reports.ledger.claim_checks import (
    BANDS,
    BESIDE,
    CAUSES,
    HEADLINE_LENGTH,
    KINDS,
    OF_EACH_ROW,
    OPTIONAL,
    PAIRS,
    REQUIRED,
    VERDICTS,
)

TEXT = {"type": "string"}
COUNT = {"type": "integer", "minimum": 1}


def strict(properties: dict[str, Any], required: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    """Return the schema of a mapping with these keys and no others."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        **more,
    }
    return {**schema, "required": list(required)} if required else schema


def band_schema() -> dict[str, Any]:
    """Return the schema of a band of a claim."""
    number = {"type": "number"}
    pair = {"type": "array", "items": number, "minItems": 2, "maxItems": 2}
    each = {"anyOf": [number, {"const": "each"}]}
    bands = []
    for kind in BANDS:
        edge = pair if kind in PAIRS else each if kind in OF_EACH_ROW else number
        beside = {BESIDE[kind]: {"type": "number", "minimum": 0}} if kind in BESIDE else {}
        bands.append(strict({kind: edge, **beside}, (kind, *beside)))
    return {"anyOf": bands}


def expect_schema() -> dict[str, Any]:
    """Return the schema of what a claim expects."""
    band = {"$ref": "#/$defs/band"}
    return strict({"all": band, "any": band, "sides": {"type": "number"}}, minProperties=1, maxProperties=1)


def measured_schema() -> dict[str, Any]:
    """Return the schema of a measure and its parameters."""
    value = {"type": ["string", "number", "boolean"]}
    given = {"anyOf": [value, {"type": "array", "items": value, "minItems": 1}]}
    return {
        "measure": {**TEXT, "description": "file of the query, without .sql"},
        "with": {"type": ["object", "null"], "additionalProperties": given, "description": "parameters of the measure"},
    }


def claim_schema() -> dict[str, Any]:
    """Return the schema of a claim."""
    number = {"type": "number"}
    words = dict.fromkeys((*REQUIRED, *OPTIONAL), TEXT)
    end = {"type": ["number", "null"]}
    keys = {
        **words,
        **measured_schema(),
        "kind": {"enum": list(KINDS)},
        "cause": {"enum": list(CAUSES)},
        "headline": {**TEXT, "maxLength": HEADLINE_LENGTH},
        "expect": expect_schema(),
        "explanation": {"anyOf": [TEXT, by_verdict()]},
        "sensitivity": strict(measured_schema(), ("measure",)),
        "no_effect": number,
        "draws": COUNT,
        "rows": COUNT,
        "digits": {"type": "integer"},
        "range": {"type": "array", "items": end, "minItems": 2, "maxItems": 2},
    }
    return strict(keys, REQUIRED)


def by_verdict() -> dict[str, Any]:
    """Return the schema of texts by verdict."""
    return {"type": "object", "propertyNames": {"enum": list(VERDICTS)}, "additionalProperties": TEXT}


def claims_schema() -> dict[str, Any]:
    """Return the schema of a file of claims."""
    defined = {"$defs": {"band": band_schema()}}
    return {"type": ["array", "null"], "items": claim_schema(), "title": "Claims of a study", **defined}
