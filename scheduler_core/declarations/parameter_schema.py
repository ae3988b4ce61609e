"""JSON schemas of parameter classes, made from the declarations of their parameters."""

import dataclasses
from typing import Any

from scheduler_core.declarations.parameters import Parameters, field_types, types_of

JSON_TYPES = {int: "integer", float: "number", bool: "boolean", str: "string", tuple: "array", type(None): "null"}


def object_schema(kind: type[Parameters], **more: Any) -> dict[str, Any]:
    """Return the schema of a mapping with the parameters of a class and, by ``more``, the schemas of other keys."""
    return {"type": "object", "properties": {**more, **parameter_schema(kind)}, "additionalProperties": False}


def parameter_schema(kind: type[Parameters]) -> dict[str, Any]:
    """Return the schema of each parameter of a class, by name."""
    hints = field_types(kind)
    return {entry.name: value_schema(entry, hints[entry.name]) for entry in dataclasses.fields(kind)}


def value_schema(entry: dataclasses.Field[Any], hint: Any) -> dict[str, Any]:
    """Return the schema of one parameter: its words, and its numbers with their range."""
    rule, kinds = entry.metadata, types_of(hint)
    choices = rule.get("choices") or ()
    bounds = {key: rule[key] for key in ("minimum", "maximum") if rule.get(key) is not None}
    allowed: list[dict[str, Any]] = [{"enum": list(choices)}] if choices else []
    allowed += [
        {"type": JSON_TYPES[kind], **(bounds if kind in (int, float) else {})}
        for kind in kinds
        if not (kind is str and choices)
    ]
    unit = f" ({rule['unit']})" if rule.get("unit") else ""
    described = {"description": f"{rule.get('meaning', '')}{unit}", "default": entry.default}
    return {**(allowed[0] if len(allowed) == 1 else {"anyOf": allowed}), **described}
