"""Batches: cells or workloads that one process makes.

Starting a process costs about a second, and most cells take less. A batch has at most two dozen items of one family or one log.
On two processors, batches of equal size end as evenly as batches of equal cost.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from scheduler_core.declarations.policy import family_of
from traces.definition import Definition
from workflow.logs import log_id
from workflow.policies import StudyPolicy, describe_policy

Item = TypeVar("Item")

ITEMS = 24
"""The most cells or workloads of a batch."""


@dataclass(frozen=True)
class WorkloadBatch:
    """Workloads of one log, or of models: the definition and seed of each, by id.

    ``logs`` has the id of their log, and nothing for models that are fitted to none. ``tables`` are the files that definitions
    name beside the log: tables of slowdowns, programs, workflows.
    """

    logs: list[str]
    tables: list[str]
    workloads: dict[str, dict[str, Any]]

    @property
    def title(self) -> str:
        """The ids of the workloads, for people."""
        return ", ".join(self.workloads)


@dataclass(frozen=True)
class CellBatch:
    """Cells of one family; each is plain data, as :class:`scheduler_core.runs.cells.Cell` takes it."""

    family: str
    cells: list[dict[str, Any]]

    @property
    def workloads(self) -> list[str]:
        """The ids of their workloads."""
        return list(dict.fromkeys(cell["workload"] for cell in self.cells))

    @property
    def title(self) -> str:
        """The ids of the cells, for people."""
        return "; ".join(f"{workload} under {', '.join(self.policies_on(workload))}" for workload in self.workloads)

    def policies_on(self, workload: str) -> list[str]:
        """Return the ids of the policies that run a workload."""
        return [cell["policy"] for cell in self.cells if cell["workload"] == workload]


def batch_workloads(workloads: Mapping[str, Definition], seeds: Mapping[str, int]) -> dict[str, WorkloadBatch]:
    """Divide the workloads of a scale into batches, by name; each batch has one log, or none."""
    by_log: dict[str, list[str]] = {}
    for name, entry in workloads.items():
        log = entry.log_name
        by_log.setdefault(log_id(log) if log else "", []).append(name)
    return {
        f"log-{log}-{number}" if log else f"models-{number}": WorkloadBatch(
            logs=[log] if log else [],
            tables=list(dict.fromkeys(file for name in batch for file in workloads[name].files)),
            workloads={name: {**workloads[name].written, "seed": seeds[name]} for name in batch},
        )
        for log, names in by_log.items()
        for number, batch in numbered(names)
    }


def batch_cells(
    cells: Iterable[tuple[str, str]], workloads: Iterable[str], chosen: Mapping[str, StudyPolicy]
) -> dict[str, CellBatch]:
    """Divide the cells of a scale into batches, by name; each has one family, and cells of a workload side by side."""
    place = {name: number for number, name in enumerate(workloads)}
    described = {identifier: describe_policy(identifier, entry) for identifier, entry in chosen.items()}
    by_family: dict[str, list[dict[str, Any]]] = {}
    for workload, policy in sorted(cells, key=lambda cell: place[cell[0]]):
        family = family_of(type(chosen[policy].policy))
        by_family.setdefault(family, []).append({"workload": workload, **described[policy]})
    return {
        f"{family}-{number}": CellBatch(family, batch)
        for family, members in by_family.items()
        for number, batch in numbered(members)
    }


def numbered(items: list[Item]) -> Iterable[tuple[int, list[Item]]]:
    """Yield items in batches of :data:`ITEMS`, in their order, each with its number from 1 on."""
    for first in range(0, len(items), ITEMS):
        yield first // ITEMS + 1, items[first : first + ITEMS]
