"""How the values of a workload's definition are read, and their JSON schemas."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from scheduler_core.common.errors import ParameterError, StudyError, nearest
from scheduler_core.declarations.parameter_schema import object_schema
from scheduler_core.declarations.parameters import Parameters, parse_call
from scheduler_core.declarations.written import Read, complaint
from traces.models import models
from traces.shape.applications import MIXES, Applications
from traces.shape.behaviour import LomarcBehaviour
from traces.shape.clusters import ClusterLine, read_clusters
from traces.shape.dates import Dates
from traces.shape.estimates import MODELS, EstimateModel
from traces.shape.flexibility import HuangFlexibility
from traces.shape.graph_workflows import ShapedJobs, WorkflowFiles
from traces.shape.load import check_load, check_mean_gap
from traces.shape.memory import DaSilvaMemory
from traces.shape.programs import read_programs
from traces.shape.regimes import WRITTEN, Usable, usable_named
from traces.shape.slowdowns import DRAWN_BY, KNOWN_BY, PUBLISHED, SlowdownTable, published_slowdowns, read_slowdowns
from traces.shape.split_jobs import SplitJobs
from traces.shape.workflow_jobs import Workflows

TEXT = {"type": "string"}

KINDS: dict[str, type[Workflows]] = {"split": SplitJobs, "shape": ShapedJobs, "files": WorkflowFiles}
"""Kinds of workflows by the key that selects them."""


class Fit(NamedTuple):
    """What a model is fitted to: a log by its name or path, and the days of it to take (None for all)."""

    log: str
    dates: Dates | None


def mapping(value: Any) -> dict[str, Any]:
    """Return a copy of a mapping with words as keys, or raise :class:`ParameterError`."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise ParameterError(f"expected a mapping of names to values; found {value!r}")
    return dict(value)


def parameters_of(kind: type[Parameters]) -> Read:
    """Annotate a mapping with the parameters of a class."""
    return Read(lambda value: kind.build(mapping(value)), lambda: object_schema(kind))


def read_credit(value: Any) -> dict[int, float]:
    """Return hours by number of a queue, as a study writes them: ``{0: 1000}``."""
    if not isinstance(value, Mapping) or not value:
        raise ParameterError(f"expected hours by number of a queue, {{0: 1000}}; found {value!r}")
    try:
        return {int(queue): float(hours) for queue, hours in value.items()}
    except (TypeError, ValueError):
        raise ParameterError(f"expected hours by number of a queue, {{0: 1000}}; found {value!r}") from None


CREDIT = Read(read_credit, lambda: {"type": "object", "additionalProperties": {"type": "number"}})
"""Annotates the credits of queues."""


def read_closing(value: Any) -> dict[str, str]:
    """Return closed hours by the jobs they are closed to, as a study writes them: ``{2: "workdays:8-18", over4h: "7-16"}``."""
    from traces.shape.closing import closing_named

    if not isinstance(value, Mapping) or not value:
        raise ParameterError(
            f"expected hours by the jobs they are closed to, {{2: workdays:8-18, over4h: 7-16}}; found {value!r}"
        )
    return closing_named(",".join(f"{whom}={hours}" for whom, hours in value.items()))


CLOSING = Read(read_closing, lambda: {"type": "object", "additionalProperties": {"type": "string"}})
"""Annotates closed hours."""


def read_usable(value: Any) -> Usable:
    """Return the usable processors, as a study writes them: ``124`` or ``"124,113@31"``."""
    return value if isinstance(value, Usable) else usable_named(str(value))


USABLE = Read(read_usable, lambda: {"type": ["integer", "string"], "minimum": 1, "pattern": f"^{WRITTEN.pattern}$"})
"""Annotates the usable processors."""


def one_word(words: tuple[str, ...]) -> Read:
    """Annotate one of some words."""

    def reader(value: Any) -> str:
        if value not in words:
            raise ParameterError(f"expected {' or '.join(map(repr, words))}; found {value!r}")
        return str(value)

    return Read(reader, lambda: {"enum": list(words)})


def step(what: str, *kinds: type[Parameters]) -> Read:
    """Annotate a model of a step: its name, or a mapping with ``model`` and its parameters."""
    known = {kind.name: kind for kind in kinds}  # type: ignore[attr-defined]

    def reader(written: Any) -> Parameters:
        values = {"model": written} if isinstance(written, str) else mapping(written)
        name = values.pop("model", None)
        if not isinstance(name, str):
            raise ParameterError(f"expected {{model: NAME, parameter: value, ...}} or a name; found {written!r}")
        if name not in known:
            raise ParameterError(f"there is no {what} model '{name}'; {nearest(name, known)}")
        return known[name].build(values)

    def schema() -> dict[str, Any]:
        named = [{**object_schema(kind, model={"const": name}), "required": ["model"]} for name, kind in known.items()]
        return {"anyOf": [{"enum": list(known)}, *named]}

    return Read(reader, schema)


def read_slowdown_table(written: Any) -> SlowdownTable:
    """Read a table of slowdowns: a published one by name, or a mapping with ``table`` or ``file``, and ``by``."""
    values = {"table": written} if isinstance(written, str) else mapping(written)
    for key in values:
        if key not in ("table", "file", "by"):
            raise ParameterError(f"there is no key '{key}'; {nearest(key, ('table', 'file', 'by'))}")
    if ("table" in values) == ("file" in values):
        raise ParameterError("expected either a 'table' by its name or the path of a 'file'")
    kind = "table" if "table" in values else "file"
    name = values.pop(kind)
    if not isinstance(name, str) or not name:
        raise ParameterError(f"{kind}: expected text; found {name!r}")
    return (published_slowdowns if kind == "table" else read_slowdowns)(name, **values)


def slowdowns_schema() -> dict[str, Any]:
    """Return the schema of a table of slowdowns."""
    table = {"enum": list(PUBLISHED)}
    published = {"table": table, "by": {"enum": list(DRAWN_BY), "default": "job"}}
    own = {
        "file": {**TEXT, "description": "CSV with the columns job, beside and slowdown"},
        "by": {"enum": list(KNOWN_BY)},
    }
    objects = [
        {"type": "object", "properties": keys, "additionalProperties": False, "required": [next(iter(keys))]}
        for keys in (published, own)
    ]
    return {"anyOf": [table, *objects]}


def read_applications(written: Any) -> Applications:
    """Read what tasks of jobs do: a mix by its name, or a mapping with ``mix`` and parameters."""
    values = {"mix": written} if isinstance(written, str) else mapping(written)
    if "mix" not in values:
        raise ParameterError(f"mix is missing; write one of {', '.join(MIXES)}")
    mixes = {mix.lower(): mix for mix in MIXES}
    return Applications.build({**values, "mix": mixes.get(str(values["mix"]).lower(), values["mix"])})


def read_loads(load: Any) -> float | tuple[float, ...]:
    """Read a load, or a list of loads for the replications in turn."""
    if not isinstance(load, list):
        return check_load(load)
    if not load:
        raise ParameterError("expected a load, or a list of loads for the replications in turn; found an empty list")
    return tuple(float(check_load(one)) for one in load)


def read_log_name(name: Any) -> str:
    """Read the name of a log that the catalogue knows, or a path."""
    from traces.catalog import catalog, known_log

    if not isinstance(name, str) or not name:
        raise ParameterError(f"expected a name of the catalogue or a path; found {name!r}")
    if known_log(name) is None and not looks_like_path(name):
        words = [*catalog(), *(entry.label for entry in catalog().values())]
        raise ParameterError(f"the catalogue has no log '{name}'; {nearest(name, words)} (or give a path)")
    odd = next((letter for letter in name if letter in "<>{}" or not letter.isprintable()), None)
    if odd is not None:
        raise ParameterError(
            f"{name!r} has the character {odd!r}, which patterns of Snakemake take for theirs; rename the file"
        )
    return name


def looks_like_path(name: str) -> bool:
    """Tell a path from a misspelt name: it has a folder or the ending of a log, or the file is there."""
    return "/" in name or name.endswith((".swf", ".gz")) or Path(name).is_file()


def read_model_name(name: Any) -> str:
    """Read the name of a model."""
    if not isinstance(name, str):
        raise ParameterError(f"expected the name of a model; found {name!r}")
    if name not in models():
        raise ParameterError(f"there is no model '{name}'; {nearest(name, models())}")
    return name


def read_fit(written: Any) -> Fit:
    """Read what a model is fitted to: a log, or days of one."""
    if not isinstance(written, Mapping):
        return Fit(read_log_name(written), None)
    for key in written:
        if key not in ("log", "from", "to"):
            raise ParameterError(f"there is no key '{key}'; {nearest(str(key), ('log', 'from', 'to'))}")
    if "log" not in written:
        raise ParameterError("log is missing; name one of the catalogue, or a path")
    dates = {key: value for key, value in written.items() if key != "log"}
    try:
        log = read_log_name(written["log"])
    except ParameterError as error:
        raise complaint(error, "log") from error
    return Fit(log, Dates.build(dates) if dates else None)


def fit_schema() -> dict[str, Any]:
    """Return the schema of what a model is fitted to."""
    day = {**TEXT, "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
    days = {
        "log": TEXT,
        "from": {**day, "description": "first day"},
        "to": {**day, "description": "last day, included"},
    }
    return {"anyOf": [TEXT, {"type": "object", "properties": days, "additionalProperties": False, "required": ["log"]}]}


def clusters_schema() -> dict[str, Any]:
    """Return the schema of the clusters of a machine."""
    line = object_schema(ClusterLine, name={**TEXT, "description": "the name in figures"})
    return {"type": "array", "items": {**line, "required": ["processors"]}, "minItems": 1}


def read_workflows(written: Any) -> Workflows:
    """Read which jobs become workflows: the parameters of the kind in :data:`KINDS` whose key is given, else of split jobs."""
    if not isinstance(written, Mapping) or not all(isinstance(key, str) for key in written):
        raise ParameterError(f"expected a mapping, such as {{share: 0.26}}; found {written!r}")
    selecting = [key for key in KINDS if key in written]
    if len(selecting) > 1:
        raise ParameterError(f"{' and '.join(selecting)} are of different kinds of workflows; leave all but one out")
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in written.items()}
    return KINDS[selecting[0] if selecting else "split"].build(values)


ABOVE_0 = {"type": "number", "exclusiveMinimum": 0}

ESTIMATES = step("estimate", *MODELS.values())
FLEXIBILITY = step("flexibility", HuangFlexibility)
BEHAVIOUR = step("behaviour", LomarcBehaviour)
MEMORY = step("memory", DaSilvaMemory)
LOG = Read(read_log_name, lambda: TEXT)
MODEL = Read(read_model_name, lambda: {"enum": list(models())})
FIT = Read(read_fit, fit_schema)
CLUSTERS = Read(read_clusters, clusters_schema)
LOAD = Read(read_loads, lambda: {"anyOf": [ABOVE_0, {"type": "array", "items": ABOVE_0, "minItems": 1}]})
MEAN_GAP = Read(check_mean_gap, lambda: ABOVE_0)
SLOWDOWNS = Read(read_slowdown_table, slowdowns_schema)
PROGRAMS = Read(read_programs, lambda: TEXT)
WORKFLOWS = Read(read_workflows, lambda: {"anyOf": [object_schema(kind) for kind in KINDS.values()]})
APPLICATIONS = Read(
    read_applications, lambda: {"anyOf": [{"enum": list(MIXES)}, {**object_schema(Applications), "required": ["mix"]}]}
)


def estimates_named(text: str) -> EstimateModel:
    """Return a model of estimates as the command line names it, with parameters if it has any: ``f_model(f=10)``.

    Raise :class:`StudyError` for an unknown one.
    """
    model: EstimateModel = model_named("estimates", ESTIMATES, text)
    return model


def flexibility_named(text: str) -> HuangFlexibility:
    """Return a model of flexibility as the command line names it; raise :class:`StudyError` for an unknown one."""
    model: HuangFlexibility = model_named("flexibility", FLEXIBILITY, text)
    return model


def model_named(key: str, step: Read, text: str) -> Any:
    """Return a model as the option of a key names it, with parameters if it has any."""
    name, values = parse_call(text, f"a model of --{key}") if "(" in text else (text, {})
    try:
        return step.reader({"model": name, **values})
    except ParameterError as error:
        raise StudyError(f"--{key}: {error}") from error
