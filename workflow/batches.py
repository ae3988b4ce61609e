"""Batches: cells, and workloads, that are worth a process of their own together.

What a job of the graph costs is estimated from definitions alone (how many jobs a workload has, what a job costs under a policy),
never from times that were measured, so that the graph is a function of the configuration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from scheduler_core.common.sources import digest
from scheduler_core.declarations.families import family
from scheduler_core.declarations.policy import Policy, family_of, policy_named
from traces.catalog import known_log
from traces.definition import Definition, LogDefinition, ModelDefinition
from workflow.logs import log_id
from workflow.policies import StudyPolicy

Item = TypeVar("Item")

FULL_S = 30.0
"""A batch is full when it is estimated to take this long."""

SPREAD = 8
"""Where there is less to do, there are at least about so many batches, so that several processors have their share."""

LEAST_S = 4.0
"""However little there is to do, a batch is not full before."""

RUN_FILES = ("jobs.parquet", "allocations.parquet", "run.json", "certificate.json", "timing.json")
"""What every run leaves in its folder; the tables that its family declares come on top."""

DRAW_US = 5.0
"""What a job costs to be drawn or read, roughly, in microseconds of a processor."""

START_US = 50_000.0
"""What each item of a batch costs beside its jobs: files opened, tables made and written."""

BYTES_PER_LINE, PACKED = 60, 4
"""What a line of a log takes in its file, and by how much gzip shortens it; for logs that the catalogue does not know."""


@dataclass(frozen=True)
class WorkloadBatch:
    """Workloads made by one process, because they come from one log, or because each of them is made quickly.

    Attributes
    ----------
    name
        What the rule and its log are called.
    root
        Where the results of the scale are kept.
    logs
        The notes that say where the logs are from which they come.
    tables
        The files that they name beside their logs: tables of slowdowns, workflows.
    workloads
        By id: what to make, and the seed.
    files
        The files that are made.
    """

    name: str
    root: str
    logs: list[str]
    tables: list[str]
    workloads: dict[str, dict[str, Any]]
    files: list[str]

    @property
    def title(self) -> str:
        """What a person reads while they are made."""
        return ", ".join(self.workloads)


@dataclass(frozen=True)
class CellBatch:
    """Cells of one family, run by one process.

    Attributes
    ----------
    name
        What the rule and its log are called.
    root
        Where the results of the scale are kept.
    family
        The family of their policies.
    workloads
        The files of their workloads, companion tables among them.
    cells
        What to run, as :class:`scheduler_core.runs.cells.Cell` takes it.
    files
        The files of their runs.
    seconds
        What they are estimated to take.
    """

    name: str
    root: str
    family: str
    workloads: list[str]
    cells: list[dict[str, Any]]
    files: list[str]
    seconds: int

    @property
    def title(self) -> str:
        """What a person reads while they are run."""
        by_workload: dict[str, list[str]] = {}
        for cell in self.cells:
            by_workload.setdefault(cell["workload"], []).append(cell["policy"])
        return "; ".join(f"{workload} under {', '.join(policies)}" for workload, policies in by_workload.items())


def batch_workloads(
    scale: str, root: str, workloads: Mapping[str, Definition], seeds: Mapping[str, int]
) -> list[WorkloadBatch]:
    """Divide the workloads of a scale into batches: those of one log together, those of models until they fill one."""
    by_log: dict[str, list[str]] = {}
    for name, entry in workloads.items():
        log = entry.log_name
        by_log.setdefault(log_id(log) if log else "", []).append(name)
    batches = []
    for log, names in by_log.items():
        source = f"log_{log}" if log else "models"
        for number, batch in enumerate(pack(names, lambda name: DRAW_US * jobs_of(workloads[name])), 1):
            files = [file for name in batch for file in workload_files(root, name, workloads[name])]
            named = [file for name in batch for file in workloads[name].files]
            batches.append(
                WorkloadBatch(
                    name=f"build_{scale}_{source}_{number}",
                    root=root,
                    logs=[f"{root}/logs/{log}.json"] if log else [],
                    tables=list(dict.fromkeys(named)),
                    workloads={name: {**workloads[name].written, "seed": seeds[name]} for name in batch},
                    files=[*files, *(f"{root}/workloads/{name}.accounting.json" for name in batch)],
                )
            )
    return batches


def workload_files(root: str, name: str, definition: Definition) -> list[str]:
    """List the files of a workload: its jobs, and its companion tables."""
    tables = sorted(definition.companions)
    return [f"{root}/workloads/{name}{table}.parquet" for table in ("", *(f".{table}" for table in tables))]


def batch_cells(
    scale: str,
    root: str,
    cells: Iterable[tuple[str, str]],
    workloads: Mapping[str, Definition],
    chosen: Mapping[str, StudyPolicy],
) -> list[CellBatch]:
    """Divide the cells of a scale into batches of one family each, those of a workload side by side."""
    kinds = {identifier: type(entry.policy) for identifier, entry in chosen.items()}
    place = {name: number for number, name in enumerate(workloads)}
    by_family: dict[str, list[tuple[str, str]]] = {}
    for workload, policy in sorted(cells, key=lambda cell: place[cell[0]]):
        by_family.setdefault(family_of(kinds[policy]), []).append((workload, policy))

    jobs = {name: jobs_of(workloads[name]) for name in place}
    files = {name: workload_files(root, name, workloads[name]) for name in place}
    described = {identifier: describe_policy(identifier, entry) for identifier, entry in chosen.items()}

    def cost_us(cell: tuple[str, str]) -> float:
        return kinds[cell[1]].cost_us * jobs[cell[0]]

    return [
        CellBatch(
            name=f"simulate_{scale}_{name}_{number}",
            root=root,
            family=name,
            workloads=list(dict.fromkeys(file for workload, _ in batch for file in files[workload])),
            cells=[{"workload": workload, **described[policy]} for workload, policy in batch],
            files=notes_first(file for cell in batch for file in run_files(root, *cell, kinds[cell[1]])),
            seconds=round(sum(map(cost_us, batch)) / 1e6),
        )
        for name, members in by_family.items()
        for number, batch in enumerate(pack(members, cost_us), 1)
    ]


def describe_policy(identifier: str, entry: StudyPolicy) -> dict[str, Any]:
    """Describe the policy of a cell as plain data, without the parameters that its word implies."""
    kind, usual = named(entry.uses)
    return {
        "policy": identifier,
        "uses": entry.uses,
        "parameters": {name: value for name, value in entry.policy.values().items() if value != usual[name]},
        "sources": sources_digest(kind),
    }


@cache
def named(word: str) -> tuple[type[Policy], dict[str, Any]]:
    """Return the policy that a word stands for, and the parameters it has under that word."""
    kind, preset, _ = policy_named(word)
    return kind, kind(**preset).values()


SOURCES: dict[str, str] = {}
"""Digests of the modules of policies, by name."""


def sources_digest(kind: type[Policy]) -> str:
    """Return the digest of every module that a policy's runs depend on."""
    if kind.name not in SOURCES:
        SOURCES[kind.name] = digest(kind.source_files())
    return SOURCES[kind.name]


def run_files(root: str, workload: str, policy: str, kind: type[Policy]) -> list[str]:
    """List the files of a run: those of every run, and the tables of its policy's family."""
    tables = [f"{table}.parquet" for table in family(family_of(kind)).tables]
    return [f"{root}/runs/{workload}/{policy}/{name}" for name in (*RUN_FILES, *tables)]


def notes_first(files: Iterable[str]) -> list[str]:
    """Sort the files of runs so that their notes, which other rules ask for, are found first."""
    return sorted(files, key=lambda file: not file.endswith("/run.json"))


def jobs_of(definition: Definition) -> int:
    """Estimate how many jobs a workload has in all its replications, from its definition."""
    if isinstance(definition, LogDefinition):
        entry = known_log(definition.log)
        lines = entry.jobs if entry else lines_of(Path(definition.log))
        return min(lines, definition.first or lines)
    if isinstance(definition, ModelDefinition):
        return definition.jobs_drawn * definition.replications
    raise TypeError(definition)


def lines_of(log: Path) -> int:
    """Estimate the lines of a log's file by its length; none when it is not there."""
    if not log.is_file():
        return 0
    return log.stat().st_size * (PACKED if log.suffix == ".gz" else 1) // BYTES_PER_LINE


def pack(items: Iterable[Item], cost_us: Callable[[Item], float]) -> list[list[Item]]:
    """Divide items into batches, in their order: each is filled until the next item would make it too long.

    An item that is too long for itself stays alone.
    """
    costs = [(item, (START_US + cost_us(item)) / 1e6) for item in items]
    full_s = min(FULL_S, max(LEAST_S, sum(cost for _, cost in costs) / SPREAD))
    batches: list[list[Item]] = []
    filled_s = full_s
    for item, cost in costs:
        if filled_s + cost > full_s:
            batches.append([])
            filled_s = 0.0
        batches[-1].append(item)
        filled_s += cost
    return batches
