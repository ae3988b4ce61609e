"""From the definition of a workload (:mod:`traces.definition`) to its jobs: the one way in.

The order is fixed: the source, the steps that take a part of a log, the clusters, the other steps (:mod:`traces.steps`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scheduler_core.common.errors import naming_key
from scheduler_core.common.files import write_json
from traces.definition import Definition, LogDefinition, ModelDefinition, read_definition
from traces.models import Draws, Model
from traces.seeds import generator
from traces.shape.apportion import apportion
from traces.shape.clusters import Line, distribute, joined, machine_of
from traces.shape.dates import between_dates
from traces.steps import ADDED, PART_OF_LOG, Replication, apply_steps

if TYPE_CHECKING:
    import numpy as np

    from scheduler_core.contracts import Workload
    from traces.accounting import IngestOptions


class Built(NamedTuple):
    """A workload's replications, and for a log what became of its lines (None for a model or a missing log)."""

    workloads: list[Workload]
    accounting: dict[str, Any] | None


def build_workloads(folder: Path, entries: Mapping[str, Mapping[str, Any]], log_path: str | None) -> list[Path]:
    """Make workloads and write their replications and accounting to a folder; return the files.

    ``entries`` has a workload's definition by id, with the seed of its study as ``seed``.
    """
    from scheduler_core.contracts import write_replications

    made = []
    for name, entry in entries.items():
        definition = {key: value for key, value in entry.items() if key != "seed"}
        workloads, accounting = build_workload(definition, name, entry["seed"], log_path)
        write_replications(folder / f"{name}.parquet", workloads)
        write_json(folder / f"{name}.accounting.json", accounting or {})
        made += sorted(folder.glob(f"{name}.*"))
    return made


def build_workload(
    definition: Mapping[str, Any] | Definition, workload_id: str, seed: int, log_path: Path | str | None = None
) -> Built:
    """Make the jobs of a workload.

    Raise :class:`StudyError` when the definition is wrong; the text begins with the key. Raise :class:`LogError` when the log
    cannot be read.

    Parameters
    ----------
    definition
        What to make, as written or as read; see :mod:`traces.definition`.
    workload_id
        Id of the workload; with ``seed`` and the number of the replication it keys the random numbers. The jobs of a
        definition with ``jobs_of`` are keyed by that id instead, so that a variant has the jobs of its base; everything of
        one with ``draws_of`` is keyed by that id, so that its replications are the first ones of that workload.
    seed
        The study's seed.
    log_path
        The file of the log that the definition names. None when a log of the catalogue is missing, which gives a workload
        without jobs; for a definition whose log is a path itself, None means that path.
    """
    read = definition if isinstance(definition, Definition) else read_definition(definition)
    workload_id = read.draws_of or workload_id
    if isinstance(read, LogDefinition):
        source, accounting = read_source(read.log, log_path, read.processors, read.ingest)
        sources = [source]
    elif isinstance(read, ModelDefinition):
        sources, accounting = draw_sources(read, read.jobs_of or workload_id, seed, log_path), None
    jobs_id = read.jobs_of or workload_id  # properties of jobs are drawn with the jobs
    shaped = [shape(source, read, Replication(seed, workload_id, jobs_id, n)) for n, source in enumerate(sources)]
    if accounting and (left_out := shaped[0].provenance["accounting"].get("left_out")):
        accounting = {**accounting, "left_out": left_out}
    return Built(shaped, accounting)


def read_source(
    name: str, log_path: Path | str | None, processors: int | None = None, options: IngestOptions | None = None
) -> tuple[Workload, dict[str, Any] | None]:
    """Read a log, with its accounting; a missing log gives no jobs and no accounting."""
    from traces.catalog import known_log, missing_workload
    from traces.ingest import ingest

    entry = known_log(name)
    if log_path is None and entry is not None:
        missing = missing_workload(entry)
        return (missing if processors is None else missing.on_machine(processors)), None
    read = ingest(
        name if log_path is None else log_path,
        options,
        processors=processors,
        name=entry.name if entry else None,
        expected_sha256=entry.sha256 if entry else None,
    )
    return read.workload, read.accounting.to_dict()


def draw_sources(
    definition: ModelDefinition, key: str, seed: int, log_path: Path | str | None = None
) -> list[Workload]:
    """Draw the replications of a model's workload; ``key`` is the id that keys the random numbers."""
    model, jobs, numbers = definition.made, definition.jobs_drawn, range(definition.replications)
    lines = definition.clusters if definition.dealing == "own" else None
    kinds = [definition.made_for(line.processors) for line in lines] if lines else [model]
    drawings: list[Draws] = list(kinds)
    if definition.fit is not None:
        drawings = [found for kind in kinds if (found := kind.shipped_fit(*definition.fit)) is not None]
    if definition.fit is not None and not drawings:
        log, _ = read_source(definition.fit.log, log_path)
        if not len(log):
            return [unfitted_workload(model, log) for _ in numbers]
        with naming_key("fit"):
            days = between_dates(log, definition.fit.dates)
            drawings = [kind.fitted_to(days) for kind in kinds]
    if lines is None:
        return [drawings[0].generate(jobs, generator(seed, key, number)) for number in numbers]
    return [draw_streams(lines, drawings, jobs, partial(generator, seed, key, number)) for number in numbers]


def draw_streams(
    lines: tuple[Line, ...], drawings: list[Draws], jobs: int, random: Callable[[str], np.random.Generator]
) -> Workload:
    """Draw a replication with a stream of jobs for each cluster, each from its own random numbers."""
    counts = apportion([1 / len(drawings)] * len(drawings), jobs).tolist()
    streams = [
        drawing.generate(count, random(f"jobs of cluster {home}"))
        for home, (drawing, count) in enumerate(zip(drawings, counts, strict=True))
    ]
    first = streams[0].provenance
    provenance = {**first, "jobs": jobs, "streams": "own", "of_clusters": [stream.provenance for stream in streams]}
    return joined(streams, lines, provenance)


def unfitted_workload(model: Model, missing: Workload) -> Workload:
    """Return the workload of no jobs that stands in for a model whose log is missing."""
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


def shape(source: Workload, definition: Definition, own: Replication) -> Workload:
    """Return a source with the steps of a definition; a missing log stays without jobs, and its companion tables are empty."""
    if not len(source):
        return without_rows(on_clusters(source, definition), definition.companions)
    part = apply_steps(PART_OF_LOG, source, {key: getattr(definition, key, None) for key in PART_OF_LOG}, own)
    added = {key: getattr(definition, key) for key in ADDED}
    return apply_steps(ADDED, on_clusters(part, definition), added, own)


def on_clusters(workload: Workload, definition: Definition) -> Workload:
    """Distribute the jobs of one stream to a definition's clusters; without jobs, return the machine of these clusters."""
    if definition.clusters is None or "home" in workload.jobs.columns:
        return workload
    with naming_key("clusters"):
        if len(workload):
            return distribute(workload, definition.clusters, definition.dealing)
        return dataclasses.replace(workload, machine=machine_of(definition.clusters, workload.machine.name))


def without_rows(workload: Workload, companions: list[str]) -> Workload:
    """Return a workload of no jobs with companion tables of no rows."""
    import polars as pl

    from scheduler_core.contracts import COMPANIONS

    tables = {name: pl.DataFrame(schema=dict(COMPANIONS[name].columns)) for name in companions}
    return dataclasses.replace(workload, companions={**workload.companions, **tables})
