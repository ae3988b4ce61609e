"""JSON schemas of parameter classes and of mappings by id: what the schemas of studies are made of."""

from __future__ import annotations

import dataclasses
import typing
from typing import Any

from scheduler_core.declarations.parameters import Parameters, types_of
from workflow.checks import IDENTIFIER

JSON_TYPES = {int: "integer", float: "number", bool: "boolean", str: "string", tuple: "array", type(None): "null"}
IDENTIFIERS = "^" + IDENTIFIER.pattern.removesuffix(r"\Z") + "$"


def by_identifier(entry: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a mapping from ids to entries."""
    return {"type": "object", "propertyNames": {"pattern": IDENTIFIERS}, "additionalProperties": entry}


def parameter_schema(kind: type[Parameters]) -> dict[str, Any]:
    """Return the schema of each parameter of a class, by name."""
    hints = typing.get_type_hints(kind)
    return {entry.name: value_schema(entry, hints[entry.name]) for entry in dataclasses.fields(kind)}


def value_schema(entry: dataclasses.Field[Any], hint: Any) -> dict[str, Any]:
    """Return the schema of one parameter: the words it may be, and the numbers with their range."""
    rule, kinds = entry.metadata, types_of(hint)
    choices, bounds = rule.get("choices") or (), {}
    for key in ("minimum", "maximum"):
        if rule.get(key) is not None:
            bounds[key] = rule[key]
    allowed: list[dict[str, Any]] = [{"enum": list(choices)}] if choices else []
    allowed += [
        {"type": JSON_TYPES[kind], **(bounds if kind in (int, float) else {})}
        for kind in kinds
        if not (kind is str and choices)
    ]
    unit = f" ({rule['unit']})" if rule.get("unit") else ""
    described = {"description": f"{rule.get('meaning', '')}{unit}", "default": entry.default}
    return {**(allowed[0] if len(allowed) == 1 else {"anyOf": allowed}), **described}
