"""A family's declaration of its schedules, and how families and their parts are found.

A family is a folder of ``scheduler_core`` whose ``family.py`` defines ``FAMILY``, a :class:`Family`: the tables of its
schedules, the workload columns they depend on, and its metrics. Checker, runs, store, figures and pages read this
declaration. Other rooms keep their part of a family in a folder of the same name; :func:`part_of` finds it. No declaration
imports an engine.
"""

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, TypeVar

from scheduler_core.common.errors import ContractError, nearest

PACKAGE = Path(__file__).parents[1]

Declared = TypeVar("Declared")

Wait = Literal["to_first_start", "response_less_runtime"]
"""The definition of a family's waits: submission to first start, or response time less run time on dedicated processors.

The second counts every time a job runs below full speed, so it is used if slots or slices take turns.
"""

Sharing = Literal["none", "slots", "jobs"]
"""How many jobs may hold one processor at one time: one; one per slot, as slots take turns; several, which run at once."""

SITE_TABLES = {"standstills": "standstills", "closed_hours": "closed hours", "out_of_use": "processors out of use"}
"""The companion tables of what a site does beyond its policy, in words. They say when jobs may not start."""


@dataclass(frozen=True)
class Table:
    """A table of a family's schedules: its columns with their types, and its version.

    ``optional`` columns may have nulls; others may not.
    """

    columns: Mapping[str, Any]
    version: str
    optional: tuple[str, ...] = ()


@dataclass(frozen=True)
class Family:
    """What is true of all schedules of a family, whatever the policy."""

    name: str  # the folder of `scheduler_core`; `run.json` names it
    label: str  # on pages
    sharing: Sharing
    unchecked: tuple[str, ...]  # what the checker's rules do not prove of a schedule, one clause each
    counters: tuple[str, ...]  # what its runs may count; the docstrings of the policies define them
    metrics: tuple[str, ...]  # of the store that apply to the family, besides those by class of jobs
    leading: tuple[str, ...]  # the metrics that tables of policies show, in this order
    wait: Wait
    tables: Mapping[str, Table] = field(default_factory=dict)
    """The tables a schedule always has beside ``jobs`` and ``allocations``, by name."""
    optional_tables: Mapping[str, Table] = field(default_factory=dict)
    """The tables that a schedule has only when its policy records rows of them, by name."""
    allocation_columns: Mapping[str, Any] = field(default_factory=dict)
    """Columns of ``allocations`` beside :data:`scheduler_core.contracts.ALLOCATIONS_COLUMNS`."""
    depends_on: tuple[str, ...] = ()
    """Optional columns of the workload (:data:`scheduler_core.contracts.DECIDING_COLUMNS`) that a schedule may depend on."""
    companions: tuple[str, ...] = ()
    """Companion tables of the workload that its schedules may depend on.

    A policy needs all of them unless it declares otherwise (:attr:`scheduler_core.declarations.policy.Policy.companions`). A
    workload that lacks one is refused.
    """
    standstills: bool = False
    """Whether its policies keep what a workload says of its site (:data:`SITE_TABLES`).

    Other families refuse such a workload.
    """
    processor_time: str | None = None
    """Column of ``allocations`` with the microseconds for which each processor worked for the job.

    None: a job used the processors of its first allocation for its run time.
    """
    jobs_per_processor: int | None = None
    """The most jobs on one processor, if they share it and run at once. None: no limit, which certificates say."""
    unproved: tuple[str, ...] = ()
    """Tables (``slides``), columns (``offers.share_ppm``) and counters (``counters.passes``) whose values no rule determines."""
    drawn_with: str = ""
    """The family whose diagram of schedules shows its runs, too; none if it has a diagram of its own."""
    measures: Mapping[str, str] = field(default_factory=dict)
    """What the store measures only for runs of policies that name it (``Policy.measures``): word -> meaning."""

    def __post_init__(self) -> None:
        unknown = [name for name in self.leading if name not in self.metrics]
        if unknown:
            raise ContractError(f"family {self.name}: leading metrics {', '.join(unknown)} are not among its metrics")
        if self.processor_time is not None and self.processor_time not in self.allocation_columns:
            raise ContractError(
                f"family {self.name}: processor_time must be one of its columns of allocations; found '{self.processor_time}'"
            )

    def tables_among(self, names: Iterable[str]) -> dict[str, Table]:
        """Return the declared tables of a schedule: those it always has, and the optional ones among some names."""
        found = set(names)
        return {**self.tables, **{name: table for name, table in self.optional_tables.items() if name in found}}

    def not_checked(self, code: str = "") -> tuple[str, ...]:
        """Return what a certificate lists as not checked: the declared clauses, and those that follow from other attributes.

        ``code`` goes before and after the name of a table, column or counter.
        """
        clauses = list(self.unchecked)
        if self.unproved:
            names = ", ".join(f"{code}{name}{code}" for name in self.unproved)
            clauses.append(f"the values of {names}, beyond their bounds")
        if self.sharing == "jobs" and self.jobs_per_processor is None:
            clauses.append("how many jobs share a processor, which the family does not limit")
        return tuple(clauses)


def over(measure: str, *metrics: str) -> tuple[str, ...]:
    """List a measure of several job metrics: ``over("mean", "wait")`` is ``("mean_wait",)``."""
    return tuple(f"{measure}_{name}" for name in metrics)


SLOWDOWNS = ("slowdown", "bounded_slowdown_10", "bounded_slowdown_60", "bounded_slowdown_600")

RESPONSE_METRICS = (
    *(
        name
        for measure in ("mean", "median", "p95", "p99", "max")
        for name in over(measure, "response", "wait", *SLOWDOWNS)
    ),
    "mean_relative_response",
    "mean_whole_slowdown_600",
)
"""Metrics of submissions, finishes, run times and waits (as each family defines them), which every family has."""

MACHINE_METRICS = ("utilisation", "makespan", "core_utilisation")
"""Metrics of the whole machine that mean the same in every family."""


def part_of(package: str, family: str, module: str) -> ModuleType | None:
    """Return the module ``<package>.<family>.<module>``, a room's part of a family; None when there is none."""
    name = f"{package}.{family}.{module}"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(f"{error.name}.")):
            return None
        raise


def declared_by(package: str, family: str, module: str, name: str, kind: type[Declared]) -> Declared | None:
    """Return what a room's part of a family (:func:`part_of`) declares under a name; None when there is no such part.

    Raise :class:`ContractError` when the module does not declare it, or as something else.
    """
    part = part_of(package, family, module)
    if part is None:
        return None
    found = getattr(part, name, None)
    if not isinstance(found, kind):
        expected = f"{kind.__module__}.{kind.__name__}"
        raise ContractError(f"family {family}: {part.__name__} defines no {name}; expected a {expected}")
    return found


@cache
def families() -> dict[str, Family]:
    """Return every family by name: one per folder of ``scheduler_core`` with a ``family.py``."""
    found = {}
    for path in sorted(PACKAGE.glob("*/family.py")):
        declared: Family = importlib.import_module(f"scheduler_core.{path.parent.name}.family").FAMILY
        if declared.name != path.parent.name:
            raise ContractError(f"{path}: the family is called '{declared.name}'; expected '{path.parent.name}'")
        found[declared.name] = declared
    return found


def family(name: str) -> Family:
    """Return the declaration of a family; raise :class:`ContractError` when there is no such family."""
    if name not in families():
        raise ContractError(f"there is no family '{name}'; {nearest(name, families())}")
    return families()[name]


WAIT_WORDS: dict[Wait, str] = {
    "to_first_start": "time from submission to first start",
    "response_less_runtime": "response time less run time on dedicated processors",
}
"""The definition of a family's wait, in words."""
