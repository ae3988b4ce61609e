"""JSON schemas of the configuration and of study files, generated from the parameter classes.

Editors use them to complete keys and to underline mistakes. `python -m workflow.schema` rewrites them; a test
fails when they are behind the code.
"""

from __future__ import annotations

import dataclasses
import typing
from pathlib import Path
from typing import Any

from scheduler_core.files import write_json
from scheduler_core.policy import Parameters, policies, types_of
from workflow.checks import IDENTIFIER

FOLDER = Path(__file__).parent / "schemas"
"""Where the schemas are kept."""

DIALECT = "https://json-schema.org/draft/2020-12/schema"
JSON_TYPES = {int: "integer", float: "number", bool: "boolean", str: "string", type(None): "null"}
IDENTIFIERS = "^" + IDENTIFIER.pattern.removesuffix(r"\Z") + "$"
TEXT = {"type": "string"}


def strict(properties: dict[str, Any], required: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    """Give the schema of a mapping with these keys and no others."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        **more,
    }
    return {**schema, "required": list(required)} if required else schema


def by_identifier(entry: dict[str, Any]) -> dict[str, Any]:
    """Give the schema of a mapping from ids to entries."""
    return {"type": "object", "propertyNames": {"pattern": IDENTIFIERS}, "additionalProperties": entry}


def parameter_schema(kind: type[Parameters]) -> dict[str, Any]:
    """Give the schema of each parameter of a class, by name."""
    hints = typing.get_type_hints(kind)
    return {entry.name: value_schema(entry, hints[entry.name]) for entry in dataclasses.fields(kind)}


def value_schema(entry: dataclasses.Field[Any], hint: Any) -> dict[str, Any]:
    """Give the schema of one parameter: the words it may be, and the numbers with their range."""
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


def policy_schema() -> tuple[dict[str, Any], dict[str, Any]]:
    """Give the schema of a study's ``policies``, and the definitions it refers to, one a policy."""
    definitions, uses, named = {}, [], {}
    for name, kind in policies().items():
        words = [name, *kind.presets]
        own = {"uses": {"enum": words}, "label": TEXT, "reference": {"type": "boolean"}}
        reference = {"$ref": f"#/$defs/policy-{name}"}
        definitions[f"policy-{name}"] = strict({**own, **parameter_schema(kind)}, title=kind.label)
        uses.append(
            {"if": {"properties": {"uses": {"enum": words}}, "required": ["uses"]}, "then": reference}
        )
        named |= dict.fromkeys(words, reference)
    known = {"enum": [word for kind in policies().values() for word in (kind.name, *kind.presets)]}
    entry = {"type": ["object", "null"], "properties": {"uses": known}, "allOf": uses}
    by_name = {
        word: {
            "if": {"type": "object", "required": ["uses"]},
            "then": entry,
            "else": {"anyOf": [ref, {"type": "null"}]},
        }
        for word, ref in named.items()
    }
    other = {**entry, "type": "object", "required": ["uses"]}
    schema = {**by_identifier(other), "properties": by_name, "minProperties": 1}
    return schema, definitions


def config_schema() -> dict[str, Any]:
    """Give the schema of ``config/config.yaml``."""
    names = {
        "type": "array",
        "items": {"type": "string", "pattern": IDENTIFIERS},
        "minItems": 1,
        "uniqueItems": True,
    }
    return strict(
        {
            "studies": {**names, "description": "studies to run: files in config/studies/"},
            "require_logs": {
                "type": "boolean",
                "default": False,
                "description": "stop when a job log cannot be had, instead of reporting it as missing",
            },
        },
        ("studies",),
        title="What a run of the pipeline consists of",
    )
