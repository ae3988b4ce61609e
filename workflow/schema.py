"""JSON schemas of the configuration, of study files and of files of claims, generated from the parameter classes.

Editors use them to complete keys and to underline mistakes. `python -m workflow.schema` rewrites them; a test
fails when they are behind the code.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reports.figures.names import general_names
from scheduler_core.files import write_json
from scheduler_core.parameters import Parameters, types_of
from scheduler_core.policy import policies
from traces.ingest import IngestOptions
from traces.models import models
from traces.shape import applications, behaviour, estimates, flexibility, memory
from traces.shape.clusters import STREAMS, ClusterLine
from traces.shape.nearest import Characteristics
from traces.shape.slowdowns import DRAWN_BY, KNOWN_BY, PUBLISHED
from traces.shape.windows import Window
from traces.shape.workflows import KINDS
from workflow.checks import IDENTIFIER
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
from workflow.readings import WORDS
from workflow.study_page import MOST_NUMBERS, MOST_SENTENCES, OTHERWISE, VERDICTS

FOLDER = Path(__file__).parent / "schemas"
"""Where the schemas are kept."""

DIALECT = "https://json-schema.org/draft/2020-12/schema"
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


STEPS: dict[str, tuple[Mapping[str, type[Parameters]], str]] = {
    "estimates": (estimates.MODELS, "what the scheduler is told of run times"),
    "flexibility": (flexibility.MODELS, "which jobs may change their size, and how far"),
    "behaviour": (behaviour.MODELS, "what jobs do with their time, and their memory"),
    "memory": (memory.MODELS, "memory of jobs and machine"),
}
"""Keys of a workload whose value names a model: the models by name, and what the key means."""


def step_schema(known: Mapping[str, type[Parameters]], description: str) -> dict[str, Any]:
    """Return the schema of a key in :data:`STEPS`: the name of a model, or a mapping with its parameters."""
    written = [
        strict({"model": {"const": name}, **parameter_schema(kind)}, ("model",), title=getattr(kind, "label", name))
        for name, kind in known.items()
    ]
    return {"anyOf": [{"enum": list(known)}, *written], "description": description}


def slowdowns_schema() -> dict[str, Any]:
    """Return the schema of a table of slowdowns: a published one by its name, or a mapping that says whose they are."""
    table, known = {"enum": list(PUBLISHED)}, {"enum": list(KNOWN_BY), "default": "class"}
    drawn = {"enum": list(DRAWN_BY), "default": "job", "description": "for what an application is drawn once"}
    file = {**TEXT, "description": "CSV with the columns job, beside and slowdown"}
    by = {**known, "description": "what jobs and words of the file are known by"}
    written = [strict({"table": table, "by": drawn}, ("table",)), strict({"file": file, "by": by}, ("file",))]
    return {"anyOf": [table, *written], "description": "measured slowdowns of jobs that share processors"}


def applications_schema() -> dict[str, Any]:
    """Return the schema of what tasks do: a mix by its name, or a mapping with its parameters."""
    written = parameter_schema(applications.Applications)
    mixes = {"enum": list(applications.MIXES)}
    return {
        "anyOf": [mixes, strict(written, ("mix",), title=applications.Applications.label)],
        "description": "what the tasks of jobs do inside a time slice",
    }


def cluster_schema() -> dict[str, Any]:
    """Return the schema of a line of ``clusters``."""
    return strict(
        {"name": {**TEXT, "description": "how figures call it"}, **parameter_schema(ClusterLine)}, ("processors",)
    )


def workflows_schema() -> dict[str, Any]:
    """Return the schema of a workload's ``workflows``: the parameters of one of its kinds."""
    written = [strict(parameter_schema(kind), title=kind.label) for kind in KINDS.values()]
    return {"anyOf": written, "description": "jobs that become workflows"}


def shared_workload_keys() -> dict[str, Any]:
    """Return the keys a workload from a log and one from a model have in common."""
    chosen = {"type": "array", "items": TEXT, "minItems": 1, "uniqueItems": True}
    load = {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 10}
    left_out = {"const": False, "description": "leave the variant out at this scale"}
    own = {"estimates": {"$ref": "#/$defs/estimates"}, "label": TEXT, "policies": chosen}
    variant = strict({**own, "quick": left_out, "paper": left_out}, ("estimates",))
    return {
        "label": {**TEXT, "description": "how figures and tables call it"},
        "processors": {**COUNT, "description": "size of the machine"},
        "clusters": {
            "type": "array",
            "items": cluster_schema(),
            "minItems": 1,
            "description": "a line for each cluster of the machine, where there are several",
        },
        "streams": {"enum": list(STREAMS), "description": "how jobs come to clusters"},
        "load": {
            "anyOf": [load, {"type": "array", "items": load, "minItems": 1}],
            "description": "offered load to scale submissions to, of each cluster; a list has one for each replication in turn",
        },
        "loads": {"type": "array", "items": load, "minItems": 1, "description": "a workload for each load"},
        "mean_gap_s": {
            "type": "number",
            "exclusiveMinimum": 0,
            "description": "mean gap between submissions to scale them to (s); not with a load",
        },
        **{key: {"$ref": f"#/$defs/{key}"} for key in STEPS},
        "slowdowns": {"$ref": "#/$defs/slowdowns"},
        "applications": {"$ref": "#/$defs/applications"},
        "workflows": {"$ref": "#/$defs/workflows"},
        "jobs_of": {
            **TEXT,
            "description": "workload of the study whose jobs it has, at another load or told otherwise",
        },
        "variants": {**by_identifier(variant), "description": "the same jobs with other estimates"},
        "policies": {**chosen, "description": "policies of the study to run on it; all if left out"},
    }


def log_schema() -> dict[str, Any]:
    """Return the keys of a workload from a log, but for those all workloads have."""
    return {
        "ingest": strict(parameter_schema(IngestOptions), description="options of the reader"),
        "weeks": strict(parameter_schema(Window), description="the part of the log to take"),
        "nearest": strict(
            parameter_schema(Characteristics), description="the part of the log nearest to printed characteristics"
        ),
        "first": {**COUNT, "description": "take so many jobs from the begin"},
    }


def model_schema(name: str) -> dict[str, Any]:
    """Return the keys of a workload from a model, but for those all workloads have."""
    parameters = {key: value for key, value in parameter_schema(models()[name]).items() if key != "processors"}
    day = {**TEXT, "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
    days = {"from": {**day, "description": "first day"}, "to": {**day, "description": "last day, included"}}
    fit = strict({"log": TEXT, **days}, ("log",), description="days of a log, where its machine stood")
    return {
        "jobs": {**COUNT, "description": "jobs in a replication"},
        "replications": {**COUNT, "description": "how often the jobs are drawn anew"},
        "set": strict(parameters, description="parameters of the model"),
        **(
            {
                "fit": {
                    "anyOf": [TEXT, fit],
                    "description": "log the model is fitted to: name of the catalogue, or a path",
                }
            }
            if models()[name].needs_log
            else {}
        ),
    }


def workload_schema(source: str, values: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a workload from a log or a model, with its overrides for other scales."""
    shared = shared_workload_keys()
    override = {
        "anyOf": [{"const": False}, strict({**shared, **own})],
        "description": "what is different at this scale",
    }
    return strict({source: values, **shared, **own, "quick": override, "paper": override}, (source,))


def study_schema() -> dict[str, Any]:
    """Return the schema of a study file."""
    policy, definitions = policy_schema()
    log = workload_schema("log", {**TEXT, "description": "name of the catalogue, or a path"}, log_schema())
    files = {"type": ["array", "null"], "items": TEXT, "uniqueItems": True}
    drawn = [workload_schema("model", {"const": name}, model_schema(name)) for name in models()]
    properties = {
        "study": {**TEXT, "description": "id; the name of the file", "pattern": IDENTIFIERS},
        "title": {**TEXT, "description": "how the report calls the study"},
        "question": {**TEXT, "description": "what the study asks"},
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
    steps = {key: step_schema(*step) for key, step in STEPS.items()}
    defined = {
        "band": band_schema(),
        **definitions,
        **steps,
        "slowdowns": slowdowns_schema(),
        "applications": applications_schema(),
    }
    defined["workflows"] = workflows_schema()
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
            "studies": {**names, "description": "studies to run: files in config/studies/"},
            "require_logs": {
                "enum": [True, False, "true", "false"],
                "default": False,
                "description": "stop when a job log cannot be had, instead of reporting it as missing",
            },
        },
        ("studies",),
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
