"""JSON schemas of the workloads of a study: from a log or a model, and what is added to their jobs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scheduler_core.declarations.parameters import Parameters
from traces.ingest import IngestOptions
from traces.models import models
from traces.shape import applications, behaviour, estimates, flexibility, memory
from traces.shape.clusters import STREAMS, ClusterLine
from traces.shape.nearest import Characteristics
from traces.shape.slowdowns import DRAWN_BY, KNOWN_BY, PUBLISHED
from traces.shape.windows import BEGINS, Window
from traces.shape.workflows import KINDS
from workflow.claim_schema import COUNT, TEXT, strict
from workflow.parameter_schema import by_identifier, parameter_schema

STEPS: dict[str, tuple[Mapping[str, type[Parameters]], str]] = {
    "estimates": (estimates.MODELS, "what the scheduler is told of run times"),
    "flexibility": ({"huang": flexibility.HuangFlexibility}, "which jobs may change their size, and how far"),
    "behaviour": ({"lomarc": behaviour.LomarcBehaviour}, "what jobs do with their time, and their memory"),
    "memory": ({"da_silva": memory.DaSilvaMemory}, "memory of jobs and machine"),
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
    chosen = {"type": "array", "items": TEXT, "uniqueItems": True}
    load = {"type": "number", "exclusiveMinimum": 0}
    numbered = {**load, "exclusiveMaximum": 10}  # ids tell such loads apart by three digits
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
        "loads": {"type": "array", "items": numbered, "minItems": 1, "description": "a workload for each load"},
        "mean_gap_s": {
            "type": "number",
            "exclusiveMinimum": 0,
            "description": "mean gap between submissions to scale them to (s); not with a load",
        },
        **{key: {"$ref": f"#/$defs/{key}"} for key in STEPS},
        "slowdowns": {"$ref": "#/$defs/slowdowns"},
        "applications": {"$ref": "#/$defs/applications"},
        "programs": {**TEXT, "description": "CSV of statements: job, task, statement, value"},
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
        "begin": {"enum": list(BEGINS), "description": "when time begins: with the log, or with the first job taken"},
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


def workload_definitions() -> dict[str, Any]:
    """Return the schemas of keys that the schemas of workloads refer to."""
    return {
        **{key: step_schema(*step) for key, step in STEPS.items()},
        "slowdowns": slowdowns_schema(),
        "applications": applications_schema(),
        "workflows": workflows_schema(),
    }
