"""Schedules worked out by hand: what a scenario is, and where all of them are found."""

from __future__ import annotations

import dataclasses
import importlib
import itertools
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from scheduler_core.declarations.policy import Policy, get_policy
from tests.oracles.job import Job
from tests.scheduler_core.examples import Case

SECOND = 1_000_000


def us(seconds: float) -> int:
    """Return whole microseconds."""
    return round(seconds * SECOND)


class Asked(NamedTuple):
    """A job of a scenario, times in seconds; ``more`` are further fields of the oracle's job."""

    submit: float
    runtime: float
    estimate: float
    size: int
    more: dict[str, Any] = {}  # noqa: RUF012  # a field of a named tuple, which nothing changes


def asked(submit: float, runtime: float, size: int, *, estimate: float | None = None, **more: Any) -> Asked:
    """Describe a job; its estimate is its run time where none is given."""
    return Asked(submit, runtime, runtime if estimate is None else estimate, size, more)


@dataclass(frozen=True)
class Scenario:
    """A few jobs on a small machine, and what becomes of them under each policy.

    ``jobs`` are (submission, run time, estimate, size) or :func:`asked`, in seconds. ``schedules`` gives, by the policy as a
    study writes it, what was worked out by hand, in the form of the family (its ``ways.py``).
    """

    processors: int
    jobs: tuple[Asked | tuple[int, int, int, int], ...]
    schedules: dict[str, Any]
    memory: int = 0
    slowdowns: Mapping[tuple[int, int], float] = field(default_factory=dict)
    text: str = field(default="", compare=False)

    def job_list(self) -> list[Job]:
        """Return the jobs, numbered from 1, in microseconds."""
        jobs = enumerate((Asked(*job) for job in self.jobs), start=1)
        return [Job(n, us(job.submit), us(job.runtime), us(job.estimate), job.size, **job.more) for n, job in jobs]

    def case(self, call: str) -> Case:
        """Return the scenario under one of its policies."""
        return Case(self.job_list(), self.processors, get_policy(call), self.memory, self.slowdowns)

    def shows(self, policy: str, parameter: str) -> bool:
        """Tell whether two schedules under a policy differ because of this parameter alone."""
        calls = [(get_policy(call), worked) for call, worked in self.schedules.items()]
        own = [(policy_, worked) for policy_, worked in calls if policy_.name == policy]
        return any(
            differing(one, other) == {parameter} and worked != otherwise
            for (one, worked), (other, otherwise) in itertools.combinations(own, 2)
        )


def differing(one: Policy, other: Policy) -> set[str]:
    """Name the parameters in which two policies of one kind differ."""
    return {name for name, value in one.values().items() if value != other.values()[name]}


WORKED: dict[str, dict[str, Scenario]] = {}
"""Every scenario, by the folder of its family and by name."""


def scenario(worked: Callable[[], Scenario]) -> Callable[[], Scenario]:
    """Enter a scenario into :data:`WORKED`, with its docstring."""
    made = worked()
    family = worked.__module__.split(".")[-3]
    WORKED.setdefault(family, {})[worked.__name__] = dataclasses.replace(made, text=worked.__doc__ or "")
    return worked


def scenarios(family: str) -> dict[str, Scenario]:
    """Return all scenarios of a family: those in the modules of its folder ``scenarios``."""
    folder = f"tests.scheduler_core.{family}.scenarios"
    for module in pkgutil.iter_modules([str(Path(__file__).parent / family / "scenarios")]):
        importlib.import_module(f"{folder}.{module.name}")
    return WORKED[family]
