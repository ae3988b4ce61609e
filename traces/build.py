"""From the definition of a workload (:mod:`traces.definition`) to its jobs: the one way in.

The order of the steps is fixed: the source, then ``standstills_h``, ``closed_hours``, ``close``, ``partition``, ``queue``,
``where``, ``weeks``, ``nearest``, ``first``, ``begin``, ``usable``, ``queue_credit_h``, the clusters, ``behaviour``,
``slowdowns``, ``applications``, ``programs``, ``load`` or ``mean_gap_s``, ``estimates``, ``flexibility``, ``memory`` and
``workflows``.
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
from traces.shape.applications import with_applications
from traces.shape.apportion import apportion
from traces.shape.behaviour import with_behaviour
from traces.shape.closed_hours import with_closed_hours
from traces.shape.closing import with_closing
from traces.shape.clusters import Line, distribute, joined, machine_of
from traces.shape.credit import with_credit
from traces.shape.dates import between_dates
from traces.shape.estimates import with_estimates
from traces.shape.flexibility import with_flexibility
from traces.shape.load import scale_load, scale_mean_gap
from traces.shape.memory import with_memory
from traces.shape.nearest import nearest_window
from traces.shape.programs import with_programs
from traces.shape.selection import CHOICES, usable
from traces.shape.slowdowns import with_slowdowns
from traces.shape.standstills import with_standstills
from traces.shape.windows import from_first_job, weeks

if TYPE_CHECKING:
    import numpy as np

    from scheduler_core.contracts import Workload
    from traces.accounting import IngestOptions


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


Step = Callable[["Workload", Any, Replication], "Workload"]
"""Changes a workload by the value of its key."""


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


def apply_steps(steps: Mapping[str, Step], workload: Workload, values: Mapping[str, Any], own: Replication) -> Workload:
    """Return a workload after the steps that have a value, in order.

    Raise :class:`StudyError` when a step fails; the text begins with its key.
    """
    for key, step in steps.items():
        if values.get(key) is not None:
            with naming_key(key):
                workload = step(workload, values[key], own)
    return workload


def on_clusters(workload: Workload, definition: Definition) -> Workload:
    """Distribute the jobs of one stream to a definition's clusters; without jobs, return the machine of these clusters."""
    if definition.clusters is None or "home" in workload.jobs.columns:
        return workload
    with naming_key("clusters"):
        if len(workload):
            return distribute(workload, definition.clusters, definition.dealing)
        return dataclasses.replace(workload, machine=machine_of(definition.clusters, workload.machine.name))


def load_of(load: float | tuple[float, ...], replication: int) -> float:
    """Return the load of a replication: replications take a list of loads in turn."""
    return load[replication % len(load)] if isinstance(load, tuple) else load


def chosen_by(choose: Callable[[Workload, Any], Workload]) -> Step:
    """Return the step that chooses jobs of a log."""
    return lambda jobs, value, own: choose(jobs, value)


PART_OF_LOG: dict[str, Step] = {
    "standstills_h": lambda jobs, hours, own: with_standstills(jobs, hours),
    "closed_hours": lambda jobs, asked, own: with_closed_hours(jobs) if asked else jobs,
    "close": lambda jobs, hours, own: with_closing(jobs, hours),
    **{key: chosen_by(choose) for key, choose in CHOICES.items()},
    "weeks": lambda jobs, window, own: weeks(jobs, window),
    "nearest": lambda jobs, printed, own: nearest_window(jobs, printed),
    "first": lambda jobs, count, own: jobs.first(count),
    "begin": lambda jobs, begin, own: from_first_job(jobs) if begin == "first_job" else jobs,
    "usable": lambda jobs, part, own: usable(jobs, *part),
    "queue_credit_h": lambda jobs, hours, own: with_credit(jobs, hours),
}
"""The steps that find what the site of a log does and take a part of the log, by their key, in order."""

ADDED: dict[str, Step] = {
    "behaviour": lambda jobs, model, own: with_behaviour(jobs, model, own.of_jobs("behaviour")),
    "slowdowns": lambda jobs, table, own: with_slowdowns(jobs, table, own.of_jobs("slowdowns")),
    "applications": lambda jobs, mix, own: with_applications(jobs, mix, own.of_jobs("applications")),
    "programs": lambda jobs, programs, own: with_programs(jobs, programs),
    "load": lambda jobs, load, own: scale_load(jobs, load_of(load, own.number)),
    "mean_gap_s": lambda jobs, gap_s, own: scale_mean_gap(jobs, gap_s),
    "estimates": lambda jobs, model, own: with_estimates(jobs, model, own.of_workload("estimates")),
    "flexibility": lambda jobs, model, own: with_flexibility(jobs, model, own.of_jobs("flexibility")),
    "memory": lambda jobs, model, own: with_memory(jobs, model),
    "workflows": lambda jobs, workflows, own: workflows.add(jobs, own.of_jobs),
}
"""The steps that change jobs on their machine, by their key, in order."""


def without_rows(workload: Workload, companions: list[str]) -> Workload:
    """Return a workload of no jobs with companion tables of no rows."""
    import polars as pl

    from scheduler_core.contracts import COMPANIONS

    tables = {name: pl.DataFrame(schema=dict(COMPANIONS[name].columns)) for name in companions}
    return dataclasses.replace(workload, companions={**workload.companions, **tables})
