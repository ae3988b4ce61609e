"""From the definition of a workload (:mod:`traces.definition`) to its jobs: the one way in.

The order of the steps is fixed: the source, then ``weeks``, ``nearest``, ``first``, ``begin``, the clusters, ``behaviour``,
``slowdowns``, ``applications``, ``programs``, ``load`` or ``mean_gap_s``, ``estimates``, ``flexibility``, ``memory`` and
``workflows``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import partial
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
    from scheduler_core.contracts import Workload

NO_OPTIONS: Mapping[str, Any] = {}
"""The reader's options as they are by default."""


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
        definition with ``jobs_of`` are keyed by that id instead, so that a variant has the jobs of its base; everything of
        one with ``draws_of`` is keyed by that id, so that its replications are the first ones of that workload.
    seed
        The study's seed.
    log_path
        Where the log is that :func:`log_of` names. None when a log of the catalogue could not be had, which gives a
        workload without jobs; for a definition whose log is a path itself, None means that path.

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
    return Built([shape(source, definition, workload_id, seed, n) for n, source in enumerate(sources)], accounting)


def read_source(
    name: str,
    log_path: Path | str | None,
    processors: int | None = None,
    ingest_options: Mapping[str, Any] = NO_OPTIONS,
) -> tuple[Workload, dict[str, Any] | None]:
    """Read a log, with its accounting; a missing log gives no jobs and no accounting."""
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
    """Draw the replications of a model's workload; ``key`` is the id that the random numbers hang on."""
    from traces.seeds import generator

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
    """Draw a replication with a stream of jobs for each cluster, each from random numbers of its own."""
    from traces.seeds import generator

    counts = apportion([1 / len(drawings)] * len(drawings), jobs).tolist()
    streams = [
        drawing.generate(count, generator(seed, key, replication, f"jobs of cluster {home}"))
        for home, (drawing, count) in enumerate(zip(drawings, counts, strict=True))
    ]
    first = streams[0].provenance
    provenance = {**first, "jobs": jobs, "streams": "own", "of_clusters": [stream.provenance for stream in streams]}
    return joined(streams, clusters_of(definition), provenance)


def unfitted_workload(model: Model, missing: Workload) -> Workload:
    """Return the workload of no jobs that stands in for a model whose log cannot be had."""
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


def shape(source: Workload, definition: Mapping[str, Any], workload_id: str, seed: int, replication: int) -> Workload:
    """Apply a definition's steps in their order; a missing log stays without jobs, and its companion tables are empty."""
    from traces.seeds import generator

    workload = source
    if not len(workload):
        return without_rows(on_clusters(workload, definition), companions_of(definition))
    key = str(definition.get("jobs_of", workload_id))  # what is a property of the jobs goes with them
    if "weeks" in definition:
        with naming_key("weeks"):
            workload = weeks(workload, **window_of(definition).values())
    if "nearest" in definition:
        with naming_key("nearest"):
            workload = nearest_window(workload, characteristics_of(definition))
    if "first" in definition:
        workload = workload.first(definition["first"])
    if definition.get("begin") == "first_job":
        workload = from_first_job(workload)
    workload = on_clusters(workload, definition)
    workload = add_companions_of(workload, definition, key, seed, replication)
    if "load" in definition:
        with naming_key("load"):
            workload = scale_load(workload, load_of(definition, replication))
    if "mean_gap_s" in definition:
        with naming_key("mean_gap_s"):
            workload = scale_mean_gap(workload, definition["mean_gap_s"])
    if "estimates" in definition:
        with naming_key("estimates"):
            model = estimates_of(definition)
            workload = with_estimates(workload, model, generator(seed, workload_id, replication, "estimates"))
    if "flexibility" in definition:
        with naming_key("flexibility"):
            drawn = generator(seed, key, replication, "flexibility")
            workload = with_flexibility(workload, flexibility_of(definition), drawn)
    if "memory" in definition:
        with naming_key("memory"):
            workload = with_memory(workload, memory_of(definition))
    if "workflows" in definition:
        with naming_key("workflows"):
            workload = workflows_of(definition).add(workload, partial(generator, seed, key, replication))
    return workload


def on_clusters(workload: Workload, definition: Mapping[str, Any]) -> Workload:
    """Distribute the jobs of one stream to a definition's clusters; a missing log has the machine, and no jobs."""
    if "clusters" not in definition or "home" in workload.jobs.columns:
        return workload
    with naming_key("clusters"):
        lines = clusters_of(definition)
        if len(workload):
            return distribute(workload, lines, streams_of(definition))
        return dataclasses.replace(workload, machine=machine_of(lines, workload.machine.name))


def load_of(definition: Mapping[str, Any], replication: int) -> float:
    """Return the load of a replication: of a list of loads they have each in turn."""
    load = definition["load"]
    return float(load[replication % len(load)]) if isinstance(load, list) else load


def add_companions_of(
    workload: Workload, definition: Mapping[str, Any], key: str, seed: int, replication: int
) -> Workload:
    """Add what jobs and their tasks do, and slowdowns, where a definition asks for them; random numbers hang on ``key``."""
    from traces.seeds import generator

    if "behaviour" in definition:
        with naming_key("behaviour"):
            drawn = generator(seed, key, replication, "behaviour")
            workload = with_behaviour(workload, behaviour_of(definition), drawn)
    if "slowdowns" in definition:
        with naming_key("slowdowns"):
            drawn = generator(seed, key, replication, "slowdowns")
            workload = with_slowdowns(workload, slowdowns_of(definition), drawn)
    if "applications" in definition:
        with naming_key("applications"):
            drawn = generator(seed, key, replication, "applications")
            workload = with_applications(workload, applications_of(definition), drawn)
    if "programs" in definition:
        with naming_key("programs"):
            workload = with_programs(workload, programs_of(definition))
    return workload


def without_rows(workload: Workload, companions: list[str]) -> Workload:
    """Return a workload of no jobs with companion tables of no rows."""
    import polars as pl

    from scheduler_core.contracts import COMPANIONS

    tables = {name: pl.DataFrame(schema=dict(COMPANIONS[name].columns)) for name in companions}
    return dataclasses.replace(workload, companions={**workload.companions, **tables})
