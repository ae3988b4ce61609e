"""JSON schemas of the configuration, studies and claims, and the tables of keys in ``config/README.md``.

Both come from the declarations of the keys. Editors use the schemas to complete keys and to underline mistakes.
``python -m workflow.schema`` rewrites schemas and tables; a test fails when they are behind the declarations.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo
from pydantic.json_schema import models_json_schema

from reports.ledger.claim_checks import Band, Claim
from reports.ledger.sentences import Sentence, Sentences
from scheduler_core.common.files import write_text
from scheduler_core.declarations.parameter_schema import object_schema, parameter_schema
from scheduler_core.declarations.policy import policies
from scheduler_core.declarations.written import MUST, Written
from traces.definition import LogDefinition, ModelDefinition
from traces.models import models
from workflow.study_file import (
    EXPANDED_KEYS,
    ID_SCHEMA,
    OVERRIDING_SCALES,
    Configuration,
    Expansion,
    LogWorkload,
    ModelWorkload,
    PolicyEntry,
    ReadingEntry,
    StudyFile,
)

FOLDER = Path(__file__).parent / "schemas"
"""Where the schemas are kept."""

README = Path(__file__).parents[1] / "config" / "README.md"
"""Where the tables are kept."""

DIALECT = "https://json-schema.org/draft/2020-12/schema"

WORTH_SHARING = 80
"""The shortest schema of a key, in letters, that becomes a definition."""

OWN_PATTERN = r"\.py:[A-Za-z_]\w*$"
"""What a study writes for a policy of the user's own."""

Schema = dict[str, Any]


def ref(name: str) -> Schema:
    """Return the reference to a definition."""
    return {"$ref": f"#/$defs/{name}"}


def by_identifier(entry: Schema, **more: Any) -> Schema:
    """Return the schema of a mapping from ids to entries."""
    return {"type": "object", "propertyNames": {"pattern": ID_SCHEMA["pattern"]}, "additionalProperties": entry, **more}


def plain(schema: Any) -> Any:
    """Return a schema of pydantic without its titles, and without null for keys that may be left out."""
    if isinstance(schema, list):
        return [plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: plain(part) for name, part in schema.items() if name not in ("title", "otherwise", "properties")}
    if "properties" in schema:
        kept["properties"] = {name: plain(part) for name, part in schema["properties"].items()}
    if schema.get("otherwise", MUST) != MUST:
        kept["description"] = f"{kept['description']} (default: {schema['otherwise']})"
        kept.pop("default", None)
    if kept.get("default", 0) is None:
        del kept["default"]
    for entry in kept.pop("patternProperties", {}).values():
        kept |= by_identifier(entry)
    if {"type": "null"} in kept.get("anyOf", []):
        kept["anyOf"].remove({"type": "null"})
    return {**kept.pop("anyOf")[0], **kept} if len(kept.get("anyOf", [])) == 1 else kept


def definitions(*kinds: type[Written]) -> Schema:
    """Return the schemas of some classes of keys and of all classes that they use, by name."""
    _, made = models_json_schema([(kind, "validation") for kind in kinds])
    return {name: plain(schema) for name, schema in made["$defs"].items()}


def workload_definitions(defined: Schema) -> Schema:
    """Return the schemas of workloads from logs and from models, which share their common keys, with overrides for scales."""
    of_log, of_model = (defined[name]["properties"] for name in ("LogWorkload", "ModelWorkload"))
    hidden = (*EXPANDED_KEYS, *OVERRIDING_SCALES)
    common = {key: value for key, value in of_log.items() if key in of_model and key not in hidden}
    made: Schema = {"Workload": {"properties": common}}
    for source, keys in (("log", of_log), ("model", of_model)):
        own = {key: value for key, value in keys.items() if key not in (*common, *hidden)}
        made[f"keys of {source}"] = {"properties": own}
        open_schema = {
            "type": "object",
            "allOf": [ref("Workload"), ref(f"keys of {source}")],
            "unevaluatedProperties": False,
        }
        override = f"override from {source}"
        made[override] = {"anyOf": [{"const": False}, {**open_schema, "not": {"required": [source]}}]}
        scales = {scale: {**ref(override), "description": keys[scale]["description"]} for scale in OVERRIDING_SCALES}
        made[f"workload from {source}"] = {**open_schema, "properties": scales, "required": [source]}
    return made


def model_rules() -> list[Schema]:
    """Return the rules for workloads from each model: its parameters, and whether it is fitted to a log."""
    rules = []
    for name, kind in models().items():
        own = {"set": ref(f"model {name}"), **({} if kind.needs_log else {"fit": False})}
        scales = {f"^({'|'.join(OVERRIDING_SCALES)})$": {"properties": own}}
        rule = {"properties": own, "patternProperties": scales}
        rules.append({"if": {"properties": {"model": {"const": name}}}, "then": rule})
    return rules


def policy_definitions(defined: Schema) -> Schema:
    """Return the schemas of policies: each once, with its parameters; a preset shares its policy's."""
    own = defined["PolicyEntry"]["properties"]
    made: Schema = {"policy keys": {"properties": own}}
    rules = []
    for name, kind in policies().items():
        made[f"of {name}"] = {"type": "object", "properties": parameter_schema(kind)}
        at_scale = {"$ref": ref(f"of {name}")["$ref"], "unevaluatedProperties": False}
        made[f"policy {name}"] = {
            "allOf": [ref("policy keys"), ref(f"of {name}")],
            "patternProperties": {f"^({'|'.join(OVERRIDING_SCALES)})$": at_scale},
            "unevaluatedProperties": False,
        }
        words = {"enum": [name, *kind.presets]}
        rules.append({"if": {"properties": {"uses": words}, "required": ["uses"]}, "then": ref(f"policy {name}")})
        made[f"named {name}"] = {
            "if": {"type": "object", "required": ["uses"]},
            "then": ref("policy"),
            "else": {"anyOf": [ref(f"policy {name}"), {"type": "null"}]},
        }
    own_uses = {"type": "string", "pattern": OWN_PATTERN}
    made["policy of a file"] = {
        "properties": dict.fromkeys(OVERRIDING_SCALES, False),
        "allOf": [ref("policy keys")],
        "unevaluatedProperties": False,
    }
    rules.append({"if": {"properties": {"uses": own_uses}, "required": ["uses"]}, "then": ref("policy of a file")})
    known = {
        "anyOf": [{"enum": [word for kind in policies().values() for word in (kind.name, *kind.presets)]}, own_uses]
    }
    made["policy"] = {"type": "object", "properties": {"uses": known}, "required": ["uses"], "allOf": rules}
    return made


def study_schema() -> Schema:
    """Return the schema of a study file."""
    defined = definitions(StudyFile, LogWorkload, ModelWorkload, PolicyEntry, ReadingEntry, Claim)
    workloads, parsed = workload_definitions(defined), ("StudyFile", "PolicyEntry", "LogWorkload", "ModelWorkload")
    workloads["workload from model"]["allOf"] += model_rules()
    made = {**without(defined, *parsed), **workloads, **policy_definitions(defined)}
    for name, kind in models().items():
        schema = object_schema(kind)
        made[f"model {name}"] = {**schema, "properties": without(schema["properties"], "processors")}
    study = defined["StudyFile"]
    by_name = {word: ref(f"named {kind.name}") for kind in policies().values() for word in (kind.name, *kind.presets)}
    known = sorted({name for kind in policies().values() for name in parameter_schema(kind)})
    made["ReadingEntry"]["properties"]["set"] |= {"propertyNames": {"enum": known}}
    keys = study["properties"]
    keys["workloads"] |= by_identifier(
        {"anyOf": [ref("workload from log"), ref("workload from model")]}, minProperties=1
    )
    keys["policies"] |= by_identifier(ref("policy"), properties=by_name, minProperties=1)
    keys["claims"] |= {"type": ["array", "null"], "items": ref("Claim")}
    return shared({**study, "$defs": made})


def shared(schema: Schema) -> Schema:
    """Return a schema in which repeated schemas of keys are definitions with short names, so that each appears once."""
    counts = Counter(entry for entry in keys_of(schema) if len(entry[1]) > WORTH_SHARING)
    names = {entry: f"key {number}" for number, (entry, count) in enumerate(counts.items()) if count > 1}

    def replaced(part: Any) -> Any:
        if isinstance(part, list):
            return [replaced(one) for one in part]
        if not isinstance(part, dict):
            return part
        found = {name: replaced(value) for name, value in part.items() if name != "properties"}
        if "properties" in part:
            entries = {name: (name, json.dumps(value)) for name, value in part["properties"].items()}
            found["properties"] = {
                name: ref(names[entry]) if entry in names else replaced(part["properties"][name])
                for name, entry in entries.items()
            }
        return found

    made: Schema = replaced(schema)
    made["$defs"] |= {name: json.loads(text) for (_, text), name in names.items()}
    return made


def keys_of(schema: Any) -> Iterator[tuple[str, str]]:
    """List every key in a schema, with its own schema as text."""
    for part in schema if isinstance(schema, list) else schema.values() if isinstance(schema, dict) else ():
        yield from keys_of(part)
    if isinstance(schema, dict):
        yield from ((name, json.dumps(value)) for name, value in schema.get("properties", {}).items())


def without(mapping: Schema, *names: str) -> Schema:
    """Return a mapping without some keys."""
    return {name: value for name, value in mapping.items() if name not in names}


def sentences_schema() -> Schema:
    """Return the schema of a file of sentences."""
    defined = definitions(Sentences)
    return {**defined.pop("Sentences"), "$defs": defined}


def schemas() -> dict[str, Schema]:
    """Return every schema by the name of its file."""
    made = {
        "claims.schema.json": {"type": ["array", "null"], "items": ref("Claim"), "$defs": definitions(Claim)},
        "config.schema.json": definitions(Configuration)["Configuration"],
        "sentences.schema.json": sentences_schema(),
        "study.schema.json": study_schema(),
    }
    return {name: {"$schema": DIALECT, **schema} for name, schema in made.items()}


def table(*kinds: type[Written], more: str = "") -> str:
    """Return the table of the keys of some classes, inherited keys last; ``more`` is a last row."""
    rows = ["| key | meaning | default |", "| --- | --- | --- |"]
    for name, entry in keys_in_order(*kinds).items():
        extra = entry.json_schema_extra if isinstance(entry.json_schema_extra, dict) else {}
        rows.append(f"| `{entry.alias or name}` | {entry.description} | {extra.get('otherwise', '')} |")
    return "\n".join([*rows, more]).rstrip()


def keys_in_order(*kinds: type[Written]) -> dict[str, FieldInfo]:
    """Return the described keys of some classes, inherited keys last."""
    fields = {name: entry for kind in kinds for name, entry in kind.model_fields.items() if entry.description}
    inherited = {name for kind in kinds for base in kind.__bases__ for name in getattr(base, "model_fields", ())}
    return {name: fields[name] for name in sorted(fields, key=lambda name: name in inherited)}


def table_of_bands() -> str:
    """Return the table of the bands that a claim may name."""
    rows = ["| band | a row is reproduced when |", "| --- | --- |"]
    return "\n".join(
        [*rows, *(f"| `{entry.alias or name}` | {entry.description} |" for name, entry in Band.model_fields.items())]
    )


def tables() -> dict[str, str]:
    """Return every table of keys by its name in the README."""
    return {
        "config": table(Configuration),
        "study": table(StudyFile),
        "workload": table(LogDefinition, ModelDefinition, Expansion),
        "policy": table(PolicyEntry, more="| any other | a parameter of the policy | the parameter's |"),
        "claim": table(Claim),
        "band": table_of_bands(),
        "sentences": table(Sentences),
        "sentence": table(Sentence),
        "reading": table(ReadingEntry),
    }


def with_tables(text: str) -> str:
    """Return the README with its tables as declared; each is between two comments that name it."""
    for name, made in tables().items():
        begin, end = f"<!-- keys of {name} -->", f"<!-- end of {name} -->"
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}\n{made}\n{end}{rest.partition(end)[2]}"
    return text


def text_of(schema: Schema) -> str:
    """Return a schema as JSON with a line for each key and each definition."""

    def compact(part: Any) -> str:
        return json.dumps(part, sort_keys=True, ensure_ascii=False, separators=(",", ":"))

    parts = {name: compact(part) for name, part in schema.items()}
    if "$defs" in schema:
        inside = [f"{compact(name)}: {compact(part)}" for name, part in sorted(schema["$defs"].items())]
        parts["$defs"] = "{\n" + ",\n".join(inside) + "\n}"
    return "{\n" + ",\n".join(f"{compact(name)}: {part}" for name, part in parts.items()) + "\n}\n"


def main() -> None:
    """Rewrite the schemas and the tables."""
    for name, schema in schemas().items():
        write_text(FOLDER / name, text_of(schema))
    write_text(README, with_tables(README.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
