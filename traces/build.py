"""From the definition of a workload, as a study or the command line writes it, to its jobs: the one way in.

A definition is a mapping. It has either ``log`` (a name of the catalogue or a path) with the keys of :data:`LOG_KEYS`,
or ``model`` with those of :data:`MODEL_KEYS`; and any of :data:`COMMON_KEYS`. The order of the steps is fixed: the
source, then ``weeks``, then ``first``, then ``load``, then ``estimates``.

Checking a definition imports nothing heavy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scheduler_core.errors import ParameterError, SlotwiseError, StudyError, nearest
from traces.models import Model, get_model, jobs_of, models
from traces.shape.estimates import EstimateModel, get_estimate_model, with_estimates
from traces.shape.load import check_load, scale_load
from traces.shape.windows import Window, weeks

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

LOG_KEYS = ("log", "processors", "ingest", "weeks", "first")
"""Keys of a workload from a log: its name, the machine's size, options of the reader, the part of it to take."""

MODEL_KEYS = ("model", "processors", "jobs", "replications", "set")
"""Keys of a workload from a model: its name, the machine's size, how many jobs and how often, the model's parameters."""

COMMON_KEYS = ("load", "estimates", "label", "variant", "variant_of", "jobs_of")
"""Keys of either: offered load, estimate model, words for figures, and whose jobs a variant has."""

COUNTS = ("processors", "jobs", "replications", "first")
"""Keys whose value is a whole number of at least 1."""

WORDS = ("label", "variant", "variant_of", "jobs_of")
"""Keys whose value is text."""


class Built(NamedTuple):
    """A workload's replications, and for a log what became of its lines (None for a model or a missing log)."""

    workloads: list[Workload]
    accounting: dict[str, Any] | None


def build_workload(
    definition: Mapping[str, Any], workload_id: str, seed: int, log_path: Path | str | None = None
) -> Built:
    """Make the jobs of a workload.

    Parameters
    ----------
    definition
        What to make; see the module.
    workload_id
        Id of the workload; with ``seed`` and the number of the replication it keys the random numbers. The jobs of a
        definition with ``jobs_of`` are keyed by that id instead, so that a variant has the jobs of its base.
    seed
        The study's seed.
    log_path
        Where the log is. None when a log of the catalogue could not be had, which gives a workload without jobs; for
        a definition whose ``log`` is a path itself, None means that path.

    Raises
    ------
    StudyError
        When the definition is wrong; the text begins with the key.
    LogError
        When the log cannot be read.
    """
    validate_definition(definition)
    if "log" in definition:
        source, accounting = read_source(definition, log_path)
        sources = [source]
    else:
        sources, accounting = draw_sources(definition, str(definition.get("jobs_of", workload_id)), seed), None
    return Built([shape(source, definition, workload_id, seed, n) for n, source in enumerate(sources)], accounting)


def read_source(definition: Mapping[str, Any], log_path: Path | str | None) -> tuple[Workload, dict[str, Any] | None]:
    """Read the log of a definition, with its accounting; a missing log gives no jobs and no accounting."""
    from traces.catalog import known_log, missing_workload
    from traces.ingest import IngestOptions, ingest

    name, processors = definition["log"], definition.get("processors")
    entry = known_log(name)
    if log_path is None and entry is not None:
        missing = missing_workload(entry)
        return (missing if processors is None else missing.on_machine(processors)), None
    options = IngestOptions.build(definition.get("ingest") or {})
    read = ingest(
        name if log_path is None else log_path,
        options,
        processors=processors,
        name=entry.name if entry else None,
        expected_sha256=entry.sha256 if entry else None,
    )
    return read.workload, read.accounting.to_dict()


def draw_sources(definition: Mapping[str, Any], key: str, seed: int) -> list[Workload]:
    """Draw the replications of a model's workload; ``key`` is the id that the random numbers hang on."""
    from traces.seeds import generator

    model = model_of(definition)
    jobs, replications = jobs_of(model, definition.get("jobs")), definition.get("replications", 1)
    return [model.generate(jobs, generator(seed, key, number)) for number in range(replications)]


def shape(source: Workload, definition: Mapping[str, Any], workload_id: str, seed: int, replication: int) -> Workload:
    """Apply a definition's weeks, first jobs, load and estimates, in this order; a missing log stays without jobs."""
    from traces.seeds import generator

    workload = source
    if not len(workload):
        return workload
    if "weeks" in definition:
        with naming_key("weeks"):
            workload = weeks(workload, **window_of(definition).values())
    if "first" in definition:
        workload = workload.first(definition["first"])
    if "load" in definition:
        with naming_key("load"):
            workload = scale_load(workload, definition["load"])
    if "estimates" in definition:
        with naming_key("estimates"):
            model = estimates_of(definition)
            workload = with_estimates(workload, model, generator(seed, workload_id, replication, "estimates"))
    return workload


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
    if kinds == ["log"]:
        check_log(definition)
    else:
        check_model(definition)
    if "load" in definition:
        with naming_key("load"):
            check_load(definition["load"])
    if "estimates" in definition:
        with naming_key("estimates"):
            estimates_of(definition)


def check_plain_values(definition: Mapping[str, Any]) -> None:
    """Check the keys whose values are counts or text."""
    for key in COUNTS:
        value = definition.get(key, 1)
        if type(value) is not int or value < 1:
            raise StudyError(f"{key}: expected a whole number of at least 1; found {value!r}")
    for key in WORDS:
        if not isinstance(definition.get(key, ""), str):
            raise StudyError(f"{key}: expected text; found {definition[key]!r}")


def check_log(definition: Mapping[str, Any]) -> None:
    """Check what belongs to a log: its name or path, the options of the reader, the weeks."""
    from traces.catalog import catalog, known_log

    name = definition["log"]
    if not isinstance(name, str) or not name:
        raise StudyError(f"log: expected a name of the catalogue or a path; found {name!r}")
    if known_log(name) is None and not looks_like_path(name):
        words = [*catalog(), *(entry.label for entry in catalog().values())]
        raise StudyError(f"log: the catalogue has no log '{name}'; {nearest(name, words)} (or give a path)")
    if "ingest" in definition:
        from traces.ingest import IngestOptions

        with naming_key("ingest"):
            IngestOptions.build(mapping(definition["ingest"]))
    if "weeks" in definition:
        with naming_key("weeks"):
            window_of(definition)


def looks_like_path(name: str) -> bool:
    """Tell a path from a misspelt name: it has a folder or the ending of a log, or the file is there."""
    return "/" in name or name.endswith((".swf", ".gz")) or Path(name).is_file()


def check_model(definition: Mapping[str, Any]) -> None:
    """Check what belongs to a model: its name, its parameters, the number of jobs."""
    if not isinstance(definition["model"], str):
        raise StudyError(f"model: expected the name of a model; found {definition['model']!r}")
    if definition["model"] not in models():
        raise StudyError(f"model: there is no model '{definition['model']}'; {nearest(definition['model'], models())}")
    with naming_key("set" if definition.get("set") else "processors"):
        model = model_of(definition)
    if "jobs" not in definition and model.published_jobs is None:
        raise StudyError("jobs: is missing; a workload from this model says how many jobs to draw")


def model_of(definition: Mapping[str, Any]) -> Model:
    """Make a definition's model."""
    values = mapping(definition.get("set", {}))
    if "processors" in values:
        raise ParameterError("write processors beside 'set', not in it: it is the machine's size")
    if "processors" in definition:
        values["processors"] = definition["processors"]
    return get_model(definition["model"], **values)


def window_of(definition: Mapping[str, Any]) -> Window:
    """Make a definition's window of weeks."""
    return Window.build(mapping(definition["weeks"]))


def estimates_of(definition: Mapping[str, Any]) -> EstimateModel:
    """Make a definition's estimate model: a mapping with ``model`` and its parameters, or its name alone."""
    written = definition["estimates"]
    values = {"model": written} if isinstance(written, str) else mapping(written)
    if not isinstance(values.get("model"), str):
        raise ParameterError(f"expected {{model: NAME, parameter: value, ...}} or a name; found {written!r}")
    return get_estimate_model(values.pop("model"), **values)


def mapping(value: Any) -> dict[str, Any]:
    """Give a copy of a mapping with words as keys, or raise :class:`ParameterError`."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise ParameterError(f"expected a mapping of names to values; found {value!r}")
    return dict(value)
