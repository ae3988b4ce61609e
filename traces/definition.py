"""What a workload is made of, as a study or the command line writes it: the keys of a definition, and what they may say.

A definition is a mapping. It has either ``log`` (a name of the catalogue or a path) with the keys of :data:`LOG_KEYS`,
or ``model`` with those of :data:`MODEL_KEYS`; and any of :data:`COMMON_KEYS`. :mod:`traces.build` makes the jobs of it.

Checking a definition imports nothing heavy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from scheduler_core.common.errors import ParameterError, SlotwiseError, StudyError, nearest
from traces.models import Model, check_jobs, get_model, jobs_to_draw, models
from traces.shape.applications import MIXES, Applications
from traces.shape.behaviour import LomarcBehaviour, get_behaviour_model
from traces.shape.clusters import Line, read_clusters
from traces.shape.dates import Dates
from traces.shape.estimates import EstimateModel, get_estimate_model
from traces.shape.flexibility import HuangFlexibility, get_flexibility_model
from traces.shape.load import check_load, check_mean_gap
from traces.shape.memory import DaSilvaMemory, get_memory_model
from traces.shape.nearest import Characteristics
from traces.shape.programs import Programs, read_programs
from traces.shape.slowdowns import SlowdownTable, published_slowdowns, read_slowdowns
from traces.shape.windows import BEGINS, Window
from traces.shape.workflow_jobs import Workflows
from traces.shape.workflows import read_workflows

LOG_KEYS = ("log", "processors", "clusters", "streams", "ingest", "weeks", "nearest", "first", "begin")
"""Keys of a workload from a log: its name, the machine's size or its clusters and how jobs come to them, options of the reader,
the part of it to take, and when time begins."""

MODEL_KEYS = ("model", "processors", "clusters", "streams", "jobs", "replications", "set", "fit")
"""Keys of a workload from a model: its name, the machine's size or its clusters and how jobs come to them, how many jobs and how
often, the model's parameters, and for some the log they are fitted to: its name or path, or a mapping with ``log``, ``from`` and
``to``, two dates."""

FIT_KEYS = ("log", "from", "to")
"""Keys of what a model is fitted to, where days of a log are: its name or path, the first day and the last."""

COMMON_KEYS = (
    "load", "mean_gap_s", "estimates", "flexibility", "behaviour", "slowdowns", "applications", "programs", "memory",
    "workflows", "label", "variant", "variant_of", "jobs_of", "draws_of",
)  # fmt: skip
"""Keys of either: offered load or mean gap between submissions, models of estimates, of flexibility, of behaviour and of
memory, a table of slowdowns, what tasks do inside a time slice, workflows, words for figures, of which workload it has the
jobs, and of which the first replications."""

ONE_CLUSTER_KEYS = ("processors", "flexibility", "behaviour", "slowdowns", "applications", "programs", "memory")
"""Keys that go by a machine of one cluster: policies for several read none of what they add."""

SLOWDOWNS_KEYS = ("table", "file", "by")
"""Keys of a table of slowdowns: a published one by name, or a file, and what says which application a job is."""

COUNTS = ("processors", "jobs", "replications", "first")
"""Keys whose value is a whole number of at least 1."""

WORDS = ("label", "variant", "variant_of", "jobs_of", "draws_of")
"""Keys whose value is text."""


class Fit(NamedTuple):
    """What a model is fitted to: a log by its name or path, and the days of it to take (None for all)."""

    log: str
    dates: Dates | None


def log_of(definition: Mapping[str, Any]) -> str | None:
    """Return the log a definition needs, a name of the catalogue or a path: its own, or the one its model is fitted to."""
    if "fit" in definition:
        return str(fit_of(definition).log)
    name = definition.get("log")
    return None if name is None else str(name)


@contextmanager
def naming_key(key: str) -> Iterator[None]:
    """Turn an error of the block into one that names the definition's key."""
    try:
        yield
    except SlotwiseError as error:
        raise StudyError(f"{key}: {error}") from error


def validate_definition(definition: Mapping[str, Any]) -> None:
    """Check a definition without making anything.

    Raises
    ------
    StudyError
        For the first thing that is wrong: the text begins with the key and ends with the nearest known word.
    """
    kinds = [kind for kind in ("log", "model") if kind in definition]
    if len(kinds) != 1:
        found = "both" if kinds else "neither"
        raise StudyError(f"log: a workload comes either from a 'log' or from a 'model'; found {found}")
    known = (*(LOG_KEYS if kinds == ["log"] else MODEL_KEYS), *COMMON_KEYS)
    for key in definition:
        if key not in known:
            raise StudyError(
                f"{key}: there is no such key for a workload from a {kinds[0]}; {nearest(str(key), known)}"
            )
    check_plain_values(definition)
    check_clusters(definition)
    if kinds == ["log"]:
        check_log(definition)
    else:
        check_model(definition)
    if "load" in definition:
        with naming_key("load"):
            check_loads(definition)
    if "mean_gap_s" in definition:
        with naming_key("mean_gap_s"):
            check_mean_gap(definition["mean_gap_s"])
            if "load" in definition:
                raise ParameterError("gaps are scaled to either a load or a mean gap; leave one of the two out")
    for key, read in STEPS.items():
        if key in definition:
            with naming_key(key):
                read(definition)
    if "slowdowns" in definition and "behaviour" not in companions_of(definition):
        raise StudyError(
            "slowdowns: they are those of the applications of jobs, which 'behaviour' has; write that key as well"
        )


def check_plain_values(definition: Mapping[str, Any]) -> None:
    """Check the keys whose values are counts or text."""
    for key in COUNTS:
        value = definition.get(key, 1)
        if type(value) is not int or value < 1:
            raise StudyError(f"{key}: expected a whole number of at least 1; found {value!r}")
    for key in WORDS:
        if not isinstance(definition.get(key, ""), str):
            raise StudyError(f"{key}: expected text; found {definition[key]!r}")


def check_clusters(definition: Mapping[str, Any]) -> None:
    """Check the clusters of a machine of several, how jobs come to them, and that no key goes by a machine of one."""
    if "clusters" not in definition:
        if "streams" in definition:
            raise StudyError("streams: it says how jobs come to the clusters of a machine; write 'clusters' as well")
        return
    with naming_key("clusters"):
        clusters_of(definition)
    with naming_key("streams"):
        streams_of(definition)
    for key in ONE_CLUSTER_KEYS:
        if key in definition:
            raise StudyError(f"{key}: it is for a machine of one cluster; leave either it or 'clusters' out")


def check_loads(definition: Mapping[str, Any]) -> None:
    """Check a definition's load: one, or a list of them for the replications in turn."""
    load = definition["load"]
    if not isinstance(load, list):
        return check_load(load)
    if "log" in definition:
        raise ParameterError("a log has one replication and one load; found a list")
    if not load:
        raise ParameterError("expected a load, or a list of loads for the replications in turn; found an empty list")
    for one in load:
        check_load(one)
    return None


def check_log(definition: Mapping[str, Any]) -> None:
    """Check what belongs to a log: its name or path, the options of the reader, the part of it."""
    check_log_name("log", definition["log"])
    if definition.get("begin", "log") not in BEGINS:
        raise StudyError(f"begin: expected 'log' or 'first_job'; found {definition['begin']!r}")
    if "ingest" in definition:
        from traces.ingest import IngestOptions

        with naming_key("ingest"):
            IngestOptions.build(mapping(definition["ingest"]))
    for key, read in (("weeks", window_of), ("nearest", characteristics_of)):
        if key in definition:
            with naming_key(key):
                read(definition)


def check_log_name(key: str, name: Any) -> None:
    """Check that the catalogue knows a log, or that it is a path."""
    from traces.catalog import catalog, known_log

    if not isinstance(name, str) or not name:
        raise StudyError(f"{key}: expected a name of the catalogue or a path; found {name!r}")
    if known_log(name) is None and not looks_like_path(name):
        words = [*catalog(), *(entry.label for entry in catalog().values())]
        raise StudyError(f"{key}: the catalogue has no log '{name}'; {nearest(name, words)} (or give a path)")


def looks_like_path(name: str) -> bool:
    """Tell a path from a misspelt name: it has a folder or the ending of a log, or the file is there."""
    return "/" in name or name.endswith((".swf", ".gz")) or Path(name).is_file()


def check_model(definition: Mapping[str, Any]) -> None:
    """Check what belongs to a model: its name, its parameters, the number of jobs."""
    if not isinstance(definition["model"], str):
        raise StudyError(f"model: expected the name of a model; found {definition['model']!r}")
    if definition["model"] not in models():
        raise StudyError(f"model: there is no model '{definition['model']}'; {nearest(definition['model'], models())}")
    with naming_key("set" if definition.get("set") else "clusters" if "clusters" in definition else "processors"):
        model = model_of(definition)
        if model.companions and "clusters" in definition:
            raise ParameterError(f"{model.name} draws jobs for a machine of one cluster; leave 'clusters' out")
    with naming_key("jobs"):
        jobs = jobs_to_draw(model, definition.get("jobs"))
        check_jobs(model, jobs)
        if "clusters" in definition and jobs < len(definition["clusters"]):
            raise ParameterError(
                f"expected a job for each of {len(definition['clusters'])} clusters at least; found {jobs}"
            )
    if model.needs_log and "fit" not in definition:
        raise StudyError(f"fit: is missing; {model.name} is fitted to a log: name one of the catalogue, or a path")
    if "fit" in definition and not model.needs_log:
        raise StudyError(f"fit: {model.name} is not fitted to a log; leave 'fit' out")
    if "fit" in definition:
        check_log_name("fit.log" if isinstance(definition["fit"], Mapping) else "fit", fit_of(definition).log)


def model_of(definition: Mapping[str, Any], processors: int | None = None) -> Model:
    """Make a definition's model, for the widest of several clusters unless ``processors`` says another size."""
    values = mapping(definition.get("set", {}))
    if "processors" in values:
        raise ParameterError("write processors beside 'set', not in it: it is the machine's size")
    if "clusters" in definition:
        values["processors"] = processors or max(cluster.processors for cluster in clusters_of(definition))
    elif "processors" in definition:
        values["processors"] = definition["processors"]
    return get_model(definition["model"], **values)


def fit_of(definition: Mapping[str, Any]) -> Fit:
    """Read what a definition's model is fitted to."""
    written = definition["fit"]
    if not isinstance(written, Mapping):
        return Fit(written, None)
    with naming_key("fit"):
        for key in written:
            if key not in FIT_KEYS:
                raise ParameterError(f"there is no key '{key}'; {nearest(str(key), FIT_KEYS)}")
        if "log" not in written:
            raise ParameterError("log is missing; name one of the catalogue, or a path")
        dates = {key: value for key, value in written.items() if key != "log"}
        return Fit(written["log"], Dates.build(dates) if dates else None)


def window_of(definition: Mapping[str, Any]) -> Window:
    """Make a definition's window of weeks."""
    return Window.build(mapping(definition["weeks"]))


def characteristics_of(definition: Mapping[str, Any]) -> Characteristics:
    """Make the characteristics that a definition's window is to come nearest to."""
    return Characteristics.build(mapping(definition["nearest"]))


def clusters_of(definition: Mapping[str, Any]) -> tuple[Line, ...]:
    """Read a definition's clusters."""
    return read_clusters(definition["clusters"])


def streams_of(definition: Mapping[str, Any]) -> str:
    """Read how a definition's jobs come to clusters: each its own, as a rule, where a model draws them; a log is cut."""
    allowed = ("cut", "dealt") if "log" in definition else ("own", "dealt")
    streams = definition.get("streams", allowed[0])
    if streams not in allowed:
        kind = "log" if "log" in definition else "model"
        raise ParameterError(f"for jobs from a {kind} expected {' or '.join(allowed)}; found {streams!r}")
    return str(streams)


def workflows_of(definition: Mapping[str, Any]) -> Workflows:
    """Read what a definition says of its workflows."""
    for key in ("behaviour", "flexibility", "slowdowns", "applications", "programs"):
        if key in definition:
            raise ParameterError(f"tasks of workflows have no {key}; leave one of the two out")
    return read_workflows(definition["workflows"])


def estimates_of(definition: Mapping[str, Any]) -> EstimateModel:
    """Make a definition's estimate model."""
    name, values = named(definition["estimates"])
    return get_estimate_model(name, **values)


def flexibility_of(definition: Mapping[str, Any]) -> HuangFlexibility:
    """Make a definition's model of flexibility."""
    name, values = named(definition["flexibility"])
    return get_flexibility_model(name, **values)


def memory_of(definition: Mapping[str, Any]) -> DaSilvaMemory:
    """Make a definition's model of memory."""
    name, values = named(definition["memory"])
    return get_memory_model(name, **values)


def behaviour_of(definition: Mapping[str, Any]) -> LomarcBehaviour:
    """Make a definition's model of behaviour."""
    name, values = named(definition["behaviour"])
    return get_behaviour_model(name, **values)


def slowdowns_of(definition: Mapping[str, Any]) -> SlowdownTable:
    """Read a definition's table of slowdowns: a published one by name, or a mapping with ``table`` or ``file``, and ``by``."""
    written = definition["slowdowns"]
    values = {"table": written} if isinstance(written, str) else mapping(written)
    for key in values:
        if key not in SLOWDOWNS_KEYS:
            raise ParameterError(f"there is no key '{key}'; {nearest(key, SLOWDOWNS_KEYS)}")
    if ("table" in values) == ("file" in values):
        raise ParameterError("expected either a 'table' by its name or the path of a 'file'")
    kind = "table" if "table" in values else "file"
    name = values.pop(kind)
    if not isinstance(name, str) or not name:
        raise ParameterError(f"{kind}: expected text; found {name!r}")
    return (published_slowdowns if kind == "table" else read_slowdowns)(name, **values)


def applications_of(definition: Mapping[str, Any]) -> Applications:
    """Read what a definition says of the tasks of its jobs: a mix by its name, or a mapping with ``mix`` and parameters."""
    written = definition["applications"]
    values = {"mix": written} if isinstance(written, str) else mapping(written)
    if "mix" not in values:
        raise ParameterError(f"mix is missing; write one of {', '.join(MIXES)}")
    mixes = {mix.lower(): mix for mix in MIXES}
    return Applications.build({**values, "mix": mixes.get(str(values["mix"]).lower(), values["mix"])})


def programs_of(definition: Mapping[str, Any]) -> Programs:
    """Read the programs that a definition's file writes out."""
    return read_programs(definition["programs"])


def files_of(definition: Mapping[str, Any]) -> list[str]:
    """List the files a definition names beside its log: a table of slowdowns, programs, workflows."""
    slowdowns, workflows = definition.get("slowdowns"), definition.get("workflows")
    table = [slowdowns["file"]] if isinstance(slowdowns, Mapping) and "file" in slowdowns else []
    programs = [definition["programs"]] if "programs" in definition else []
    return [
        str(name)
        for name in (*table, *programs, *(workflows.get("files", ()) if isinstance(workflows, Mapping) else ()))
    ]


def companions_of(definition: Mapping[str, Any]) -> list[str]:
    """List the companion tables of a definition's workload, known without making it."""
    own = model_of(definition).companions if "model" in definition else ()
    written = {*definition, *(("applications",) if "programs" in definition else ())}
    drawn = [key for key in ("behaviour", "slowdowns", "applications", "programs") if key in written and key not in own]
    return [*own, *drawn, *(workflows_of(definition).tables if "workflows" in definition else ())]


STEPS: dict[str, Callable[[Mapping[str, Any]], Any]] = {
    "estimates": estimates_of,
    "flexibility": flexibility_of,
    "behaviour": behaviour_of,
    "slowdowns": slowdowns_of,
    "applications": applications_of,
    "programs": programs_of,
    "memory": memory_of,
    "workflows": workflows_of,
}
"""Keys of steps that are read by themselves, each with what reads it."""


def named(written: Any) -> tuple[str, dict[str, Any]]:
    """Read a model of a step as name and parameters: a mapping with ``model`` and its parameters, or its name alone."""
    values = {"model": written} if isinstance(written, str) else mapping(written)
    name = values.pop("model", None)
    if not isinstance(name, str):
        raise ParameterError(f"expected {{model: NAME, parameter: value, ...}} or a name; found {written!r}")
    return name, values


def mapping(value: Any) -> dict[str, Any]:
    """Return a copy of a mapping with words as keys, or raise :class:`ParameterError`."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise ParameterError(f"expected a mapping of names to values; found {value!r}")
    return dict(value)
