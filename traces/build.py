"""Making the jobs of a workload from its definition (:mod:`traces.definition`).

The order of the steps is fixed: the source, then ``weeks``, ``nearest``, ``first``, ``begin``, the clusters, ``behaviour``,
``slowdowns``, ``applications``, ``programs``, ``load`` or ``mean_gap_s``, ``estimates``, ``flexibility``, ``memory`` and
``workflows``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from traces.definition import (
    applications_of,
    behaviour_of,
    characteristics_of,
    clusters_of,
    companions_of,
    estimates_of,
    fit_of,
    flexibility_of,
    memory_of,
    model_of,
    naming_key,
    programs_of,
    slowdowns_of,
    streams_of,
    validate_definition,
    window_of,
    workflows_of,
)
from traces.models import Draws, Model, jobs_to_draw
from traces.seeds import generator
from traces.shape.applications import with_applications
from traces.shape.apportion import apportion
from traces.shape.behaviour import with_behaviour
from traces.shape.clusters import distribute, joined, machine_of
from traces.shape.dates import between_dates
from traces.shape.estimates import with_estimates
from traces.shape.flexibility import with_flexibility
from traces.shape.load import scale_load, scale_mean_gap
from traces.shape.memory import with_memory
from traces.shape.nearest import nearest_window
from traces.shape.programs import with_programs
from traces.shape.slowdowns import with_slowdowns
from traces.shape.windows import from_first_job, weeks

if TYPE_CHECKING:
    import numpy as np

    from scheduler_core.contracts import Workload

NO_OPTIONS: Mapping[str, Any] = {}
"""The default options of the reader."""


class Replication(NamedTuple):
    """Where the random numbers of one replication come from.

    ``jobs_id`` keys what is a property of the jobs, ``workload_id`` what differs between workloads of the same jobs.
    """

    seed: int
    workload_id: str
    jobs_id: str
    number: int

    def of_jobs(self, purpose: str) -> np.random.Generator:
        """Return the generator of a property of the jobs."""
        return generator(self.seed, self.jobs_id, self.number, purpose)

    def of_workload(self, purpose: str) -> np.random.Generator:
        """Return the generator of what differs between workloads of the same jobs."""
        return generator(self.seed, self.workload_id, self.number, purpose)


class Built(NamedTuple):
    """The replications of a workload, and what became of the lines of its log (None for a model or a missing log)."""

    workloads: list[Workload]
    accounting: dict[str, Any] | None


def build_workload(
    definition: Mapping[str, Any], workload_id: str, seed: int, log_path: Path | str | None = None
) -> Built:
    """Return the jobs of a workload, every replication.

    Parameters
    ----------
    definition
        What to make; see the module.
    workload_id
        Id of the workload. With ``seed`` and the replication's number it keys the random numbers. A definition with
        ``jobs_of`` draws its jobs by that id instead, so a variant has the jobs of its base. A definition with ``draws_of``
        draws everything by that id, so its replications are the first ones of that workload.
    seed
        The study's seed.
    log_path
        Path of the log that :func:`traces.definition.log_of` names. None for a missing log of the catalogue, which gives a
        workload without jobs; for a definition that names its log by path, None means that path.

    Raises
    ------
    StudyError
        When the definition is wrong; the text begins with the key.
    LogError
        When the log cannot be read.
    """
    validate_definition(definition)
    workload_id = str(definition.get("draws_of", workload_id))
    if "log" in definition:
        options = definition.get("ingest") or {}
        source, accounting = read_source(definition["log"], log_path, definition.get("processors"), options)
        sources = [source]
    else:
        key = str(definition.get("jobs_of", workload_id))
        sources, accounting = draw_sources(definition, key, seed, log_path), None
    jobs_id = str(definition.get("jobs_of", workload_id))  # properties of jobs are drawn with the jobs
    shaped = [
        shape(source, definition, Replication(seed, workload_id, jobs_id, replication))
        for replication, source in enumerate(sources)
    ]
    return Built(shaped, accounting)


def read_source(
    name: str,
    log_path: Path | str | None,
    processors: int | None = None,
    ingest_options: Mapping[str, Any] = NO_OPTIONS,
) -> tuple[Workload, dict[str, Any] | None]:
    """Return the workload of a log and its accounting; a missing log has no jobs and no accounting."""
    from traces.catalog import known_log, missing_workload
    from traces.ingest import IngestOptions, ingest

    entry = known_log(name)
    if log_path is None and entry is not None:
        missing = missing_workload(entry)
        return (missing if processors is None else missing.on_machine(processors)), None
    read = ingest(
        name if log_path is None else log_path,
        IngestOptions.build(ingest_options),
        processors=processors,
        name=entry.name if entry else None,
        expected_sha256=entry.sha256 if entry else None,
    )
    return read.workload, read.accounting.to_dict()


def draw_sources(
    definition: Mapping[str, Any], key: str, seed: int, log_path: Path | str | None = None
) -> list[Workload]:
    """Return the replications that a model draws; ``key`` is the id that keys the random numbers."""
    model = model_of(definition)
    jobs, replications = jobs_to_draw(model, definition.get("jobs")), definition.get("replications", 1)
    own = "clusters" in definition and streams_of(definition) == "own"
    kinds = [model_of(definition, line.processors) for line in clusters_of(definition)] if own else [model]
    drawings: list[Draws] = list(kinds)
    if model.needs_log:
        fit = fit_of(definition)
        log, _ = read_source(fit.log, log_path)
        if not len(log):
            return [unfitted_workload(model, log)] * replications
        with naming_key("fit"):
            days = log if fit.dates is None else between_dates(log, fit.dates)
            drawings = [kind.fitted_to(days) for kind in kinds]
    if not own:
        return [drawings[0].generate(jobs, generator(seed, key, number)) for number in range(replications)]
    return [draw_streams(definition, drawings, jobs, key, seed, number) for number in range(replications)]


def draw_streams(
    definition: Mapping[str, Any], drawings: list[Draws], jobs: int, key: str, seed: int, replication: int
) -> Workload:
    """Return a replication with one stream of jobs per cluster, each with its own random numbers."""
    counts = apportion([1 / len(drawings)] * len(drawings), jobs).tolist()
    streams = [
        drawing.generate(count, generator(seed, key, replication, f"jobs of cluster {home}"))
        for home, (drawing, count) in enumerate(zip(drawings, counts, strict=True))
    ]
    first = streams[0].provenance
    provenance = {**first, "jobs": jobs, "streams": "own", "of_clusters": [stream.provenance for stream in streams]}
    return joined(streams, clusters_of(definition), provenance)


def unfitted_workload(model: Model, missing: Workload) -> Workload:
    """Return the workload without jobs that replaces a model whose log is missing."""
    from scheduler_core.contracts import Machine, Workload

    provenance = {
        "kind": "model",
        "source": model.name,
        "publication": model.source,
        "parameters": model.values(),
        "fit": {"log": missing.provenance},
        "missing": True,
    }
    processors = model.values().get("processors", missing.machine.processors)
    return Workload(missing.jobs, Machine(processors, model.label), provenance)


def shape(source: Workload, definition: Mapping[str, Any], own: Replication) -> Workload:
    """Return a source with the steps of a definition; a missing log stays without jobs, and its companion tables are empty."""
    if len(source):
        return apply_steps(source, definition, own)
    return without_rows(on_clusters(source, definition), companions_of(definition))


def apply_steps(workload: Workload, definition: Mapping[str, Any], own: Replication) -> Workload:
    """Return a workload after the steps that a definition has keys for, in the order of :data:`STEPS`.

    Raises
    ------
    StudyError
        When a step fails; the text begins with its key.
    """
    for key, step in STEPS.items():
        if key in definition:
            with naming_key(key):
                workload = step(workload, definition, own)
    return workload


def place(workload: Workload, definition: Mapping[str, Any], _: Replication | None = None) -> Workload:
    """Distribute the jobs of one stream to the clusters; without jobs, return the machine of these clusters."""
    if "home" in workload.jobs.columns:
        return workload
    lines = clusters_of(definition)
    if len(workload):
        return distribute(workload, lines, streams_of(definition))
    return dataclasses.replace(workload, machine=machine_of(lines, workload.machine.name))


def on_clusters(workload: Workload, definition: Mapping[str, Any]) -> Workload:
    """Return a workload on the clusters of a definition, or as it is when the definition names none."""
    if "clusters" not in definition:
        return workload
    with naming_key("clusters"):
        return place(workload, definition)


def load_of(definition: Mapping[str, Any], replication: int) -> float:
    """Return the load of a replication; replications take the loads of a list in turn."""
    load = definition["load"]
    return float(load[replication % len(load)]) if isinstance(load, list) else load


STEPS: dict[str, Callable[[Workload, Mapping[str, Any], Replication], Workload]] = {
    "weeks": lambda jobs, keys, own: weeks(jobs, **window_of(keys).values()),
    "nearest": lambda jobs, keys, own: nearest_window(jobs, characteristics_of(keys)),
    "first": lambda jobs, keys, own: jobs.first(keys["first"]),
    "begin": lambda jobs, keys, own: from_first_job(jobs) if keys["begin"] == "first_job" else jobs,
    "clusters": place,
    "behaviour": lambda jobs, keys, own: with_behaviour(jobs, behaviour_of(keys), own.of_jobs("behaviour")),
    "slowdowns": lambda jobs, keys, own: with_slowdowns(jobs, slowdowns_of(keys), own.of_jobs("slowdowns")),
    "applications": lambda jobs, keys, own: with_applications(jobs, applications_of(keys), own.of_jobs("applications")),
    "programs": lambda jobs, keys, own: with_programs(jobs, programs_of(keys)),
    "load": lambda jobs, keys, own: scale_load(jobs, load_of(keys, own.number)),
    "mean_gap_s": lambda jobs, keys, own: scale_mean_gap(jobs, keys["mean_gap_s"]),
    "estimates": lambda jobs, keys, own: with_estimates(jobs, estimates_of(keys), own.of_workload("estimates")),
    "flexibility": lambda jobs, keys, own: with_flexibility(jobs, flexibility_of(keys), own.of_jobs("flexibility")),
    "memory": lambda jobs, keys, own: with_memory(jobs, memory_of(keys)),
    "workflows": lambda jobs, keys, own: workflows_of(keys).add(jobs, own.of_jobs),
}
"""The steps that shape a source, by their key, in the order in which they are applied."""


def without_rows(workload: Workload, companions: list[str]) -> Workload:
    """Return a workload of no jobs with companion tables of no rows."""
    import polars as pl

    from scheduler_core.contracts import COMPANIONS

    tables = {name: pl.DataFrame(schema=dict(COMPANIONS[name].columns)) for name in companions}
    return dataclasses.replace(workload, companions={**workload.companions, **tables})
