"""JSON schemas of the configuration, of study files and of files of claims, generated from the parameter classes.

Editors use them to complete keys and to underline mistakes. `python -m workflow.schema` rewrites them; a test
fails when they are behind the code.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reports.figures.names import general_names
from scheduler_core.common.files import write_json
from scheduler_core.declarations.policy import policies
from traces.models import models
from workflow.claim_schema import (
    COUNT,
    TEXT,
    band_schema,
    claim_schema,
    claims_schema,
    expect_schema,
    measured_schema,
    strict,
)
from workflow.parameter_schema import IDENTIFIERS, by_identifier, parameter_schema
from workflow.readings import WORDS
from workflow.study_page import MOST_NUMBERS, MOST_SENTENCES, OTHERWISE, VERDICTS
from workflow.workload_schema import log_schema, model_schema, workload_definitions, workload_schema

FOLDER = Path(__file__).parent / "schemas"
"""Where the schemas are kept."""

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def policy_schema() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the schema of a study's ``policies``, and the definitions it refers to, one per policy."""
    definitions: dict[str, Any] = {}
    uses: list[dict[str, Any]] = []
    named: dict[str, Any] = {}
    for name, kind in policies().items():
        words = [name, *kind.presets]
        own = {"uses": {"enum": words}, "label": TEXT, "reference": {"type": "boolean"}}
        reference, parameters = {"$ref": f"#/$defs/policy-{name}"}, parameter_schema(kind)
        definitions[f"parameters-{name}"] = strict(parameters, description="parameters that differ at this scale")
        scales = {key: {"$ref": f"#/$defs/parameters-{name}"} for key in ("quick", "paper")}
        again = {key: {"$ref": f"#/$defs/parameters-{name}/properties/{key}"} for key in parameters}
        definitions[f"policy-{name}"] = strict({**own, **again, **scales}, title=kind.label)
        uses.append({"if": {"properties": {"uses": {"enum": words}}, "required": ["uses"]}, "then": reference})
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


def study_schema() -> dict[str, Any]:
    """Return the schema of a study file."""
    policy, definitions = policy_schema()
    log = workload_schema("log", {**TEXT, "description": "name of the catalogue, or a path"}, log_schema())
    files = {"type": ["array", "null"], "items": TEXT, "uniqueItems": True}
    drawn = [workload_schema("model", {"const": name}, model_schema(name)) for name in models()]
    properties = {
        "study": {**TEXT, "description": "id; the name of the folder", "pattern": IDENTIFIERS},
        "title": {**TEXT, "description": "how the report calls the study"},
        "question": {**TEXT, "description": "what the study asks"},
        "position": {"type": "integer", "description": "place among the studies of a report, the least first"},
        "seed": {"type": "integer", "minimum": 0, "description": "where the random numbers of models come from"},
        "versus": {"type": ["string", "null"], "description": "policy the others are compared with"},
        "fair": {"type": ["string", "null"], "description": "policy whose starts are the fair ones"},
        "colours": {
            "type": ["object", "null"],
            "additionalProperties": {"type": "string", "pattern": "^#[0-9a-f]{6}$"},
            "description": "colours of policies in figures and tables",
        },
        "pictured": {**files, "description": "policies whose schedules are drawn first"},
        "figures": {
            "type": ["array", "null"],
            "items": {"enum": general_names()},
            "description": "general figures the report shows; without the key all that the data allow",
        },
        "workloads": {**by_identifier({"anyOf": [log, *drawn]}), "minProperties": 1},
        "policies": policy,
        "readings": readings_schema(),
        "printed_values": {
            **TEXT,
            "description": "file of the numbers its sources print, from the folder of the study file",
        },
        "claims": {"type": ["array", "null"], "items": claim_schema()},
        "claims_from": {**files, "description": "files that hold claims, each from the folder of the study file"},
        **page_schema(),
    }
    required = ("study", "title", "question", "seed", "workloads", "policies")
    defined = {"band": band_schema(), **definitions, **workload_definitions()}
    return strict(properties, required, title="A study", **{"$defs": defined})


def readings_schema() -> dict[str, Any]:
    """Return the schema of a study's ``readings``."""
    ids = {"type": "array", "items": TEXT, "minItems": 1, "uniqueItems": True}
    parameters = {name: value for kind in policies().values() for name, value in parameter_schema(kind).items()}
    properties: dict[str, Any] = {
        "label": {**TEXT, "description": "how the report calls it"},
        "follows": {**TEXT, "description": "the sentence or listing it follows, with its place"},
        "choices": {
            "type": "object",
            "additionalProperties": TEXT,
            "description": "what it chooses where the source leaves a choice; every reading states the same choices",
        },
        "set": {
            "type": "object",
            "properties": {name: {"description": value["description"]} for name, value in parameters.items()},
            "additionalProperties": False,
            "description": "parameters that differ, in every policy of the study that has them",
        },
        "policies": {**ids, "description": "policies to run anew; all that differ and are no reference, if left out"},
        "unaffected": {
            **ids,
            "description": "policies that have such a parameter, and the same schedules whatever it is",
        },
        "on": {**ids, "description": "workloads to run them on; all of the study if left out"},
        "draws": {
            **COUNT,
            "description": "how many of the first draws to run; all if left out, and at the scale paper",
        },
        "stands_for": {
            "type": "object",
            "additionalProperties": TEXT,
            "description": "workloads of the study, each with the one that stands for it under this reading",
        },
        "quick": {"type": "boolean", "default": False, "description": "whether it takes part at the scale quick"},
        "paper": {"type": "boolean", "default": True, "description": "whether it takes part at the scale paper"},
    }
    entry = strict(properties, WORDS)
    return {
        "type": ["object", "null"],
        "propertyNames": {"pattern": IDENTIFIERS},
        "additionalProperties": entry,
        "minProperties": 1,
        "description": "resolutions of what the source leaves open; the first is the headline",
    }


def page_schema() -> dict[str, Any]:
    """Return the keys of a study that its page follows."""
    texts = strict(dict.fromkeys((*VERDICTS, OTHERWISE), TEXT), minProperties=1)
    measured = {**measured_schema(), "unit": TEXT}
    number: dict[str, Any] = {"no_effect": {"type": "number"}, "expect": expect_schema()}
    of_claim = strict({"claim": TEXT, "say": texts}, ("claim", "say"))
    of_measure = strict({**measured, **number, "say": texts}, ("measure", "expect", "say"))
    stated = strict({"label": TEXT, **measured}, ("label", "measure"))
    figure = {"figure": TEXT}
    heroes = [
        strict({**figure, "claim": TEXT, "say": texts}, ("figure", "claim", "say")),
        strict({**figure, **measured, **number, "say": texts}, ("figure", "measure", "expect", "say")),
    ]
    section = strict({"title": TEXT, "figures": {"type": "array", "items": TEXT}}, ("title", "figures"))
    return {
        "answer": {
            "type": "array",
            "items": {"anyOf": [of_claim, of_measure]},
            "maxItems": MOST_SENTENCES,
            "description": "what was found, in sentences by verdict; numbers are filled in",
        },
        "numbers": {
            "type": "array",
            "items": stated,
            "maxItems": MOST_NUMBERS,
            "description": "numbers that stand beside the answer, with their intervals",
        },
        "hero": {"anyOf": heroes, "description": "the figure on top of the page; its title says what it shows"},
        "curve": {**TEXT, "description": "claim whose effect is drawn under every reading"},
        "sections": {"type": "array", "items": section, "description": "where the figures stand on the page"},
    }


def config_schema() -> dict[str, Any]:
    """Return the schema of ``config/config.yaml``."""
    names = {
        "type": "array",
        "items": {"type": "string", "pattern": IDENTIFIERS},
        "minItems": 1,
        "uniqueItems": True,
    }
    return strict(
        {
            "studies": {**names, "description": "studies to run; without this key, every folder in studies/"},
            "require_logs": {
                "enum": [True, False, "true", "false"],
                "default": False,
                "description": "stop when a job log cannot be had, instead of reporting it as missing",
            },
        },
        (),
        title="What a run of the pipeline consists of",
    )


def schemas() -> dict[str, dict[str, Any]]:
    """Return every schema by the name of its file."""
    made = {
        "claims.schema.json": claims_schema(),
        "config.schema.json": config_schema(),
        "study.schema.json": study_schema(),
    }
    return {name: {"$schema": DIALECT, **schema} for name, schema in made.items()}


def main() -> None:
    """Rewrite the schemas."""
    for name, schema in schemas().items():
        write_json(FOLDER / name, schema)


if __name__ == "__main__":
    main()
