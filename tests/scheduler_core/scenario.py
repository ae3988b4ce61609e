"""Schedules worked out by hand: what a scenario is, how its docstring draws them, and where all of them are found.

A drawing in a docstring is a schedule. Above it stand the policies that make it, one a line, without what ``common`` says:

    easy
    easy(reservations=2)

        1 ###
        2  ..####
        3   x

A column is a second and a row a job, by its number. The row begins when the job is submitted; the job waits (``.``) and is in
the system until it ends (``#``), or is rejected (``x``).
"""

import dataclasses
import importlib
import inspect
import itertools
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping
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


Times = dict[int, tuple[int, int] | None]
"""Start and finish of each job in microseconds, None for a rejected one."""

ROW = re.compile(r"( *)(?:x|(\.*)(#+))")
"""A job in a drawing: before its submission, waiting, until its end."""


@dataclass(frozen=True)
class Scenario:
    """A few jobs on a small machine, and what becomes of them under each policy.

    ``jobs`` are (submission, run time, estimate, size) or :func:`asked`, in seconds.
    ``closed`` has closed hours: queue, limit, begin and end, in seconds. ``out_of_use`` has begin, end and how many processors
    are out of use then. ``common`` are parameters of all policies.
    ``drawn`` has the schedules drawn in the docstring. ``schedules`` gives what a drawing cannot say, by the policy as a drawing
    names it, in the form of the family (its ``ways.py``).
    """

    processors: int
    jobs: tuple[Asked | tuple[int, int, int, int], ...]
    schedules: dict[str, Any] = field(default_factory=dict)
    memory: int = 0
    slowdowns: Mapping[tuple[int, int], float] = field(default_factory=dict)
    closed: tuple[tuple[int, int, int, int], ...] = ()
    out_of_use: tuple[tuple[int, int, int], ...] = ()
    common: str = ""
    drawn: Mapping[str, Times] = field(default_factory=dict)

    @property
    def calls(self) -> list[str]:
        """The policies of which a schedule was worked out."""
        return [*self.drawn, *(call for call in self.schedules if call not in self.drawn)]

    def job_list(self) -> list[Job]:
        """Return the jobs, numbered from 1, in microseconds."""
        jobs = enumerate((Asked(*job) for job in self.jobs), start=1)
        return [Job(n, us(job.submit), us(job.runtime), us(job.estimate), job.size, **job.more) for n, job in jobs]

    def policy(self, call: str) -> Policy:
        """Return one of the policies."""
        name, _, own = call.removesuffix(")").partition("(")
        return get_policy(f"{name}({', '.join(filter(None, (self.common, own)))})")

    def case(self, call: str) -> Case:
        """Return the scenario under one of its policies."""
        closed = tuple((queue, *map(us, times)) for queue, *times in self.closed)
        out = tuple((us(begin), us(end), processors) for begin, end, processors in self.out_of_use)
        case = Case(self.job_list(), self.processors, self.policy(call), self.memory, self.slowdowns)
        return dataclasses.replace(case, closed=closed, out_of_use=out)

    def drawings(self, text: str) -> Iterator[tuple[str, Times]]:
        """Read the drawings of a docstring."""
        for calls, drawing in itertools.pairwise(inspect.cleandoc(text).split("\n\n")):
            if drawing.startswith("    1 "):
                yield from dict.fromkeys(calls.splitlines(), self.read(drawing.splitlines())).items()

    def read(self, rows: list[str]) -> Times:
        """Read a drawing; its columns begin behind the greatest number."""
        times: Times = {}
        columns = len(f"    {len(rows)} ")
        for row, job in zip(rows, self.job_list(), strict=True):
            drawn = ROW.fullmatch(row[columns:])
            assert drawn, row
            submit, start, end = (us(drawn.end(part)) for part in (1, 2, 3))
            assert (int(row[:columns]), submit) == (job.job, job.submit), row
            times[job.job] = (start, end) if drawn[3] else None
        return times

    def shows(self, policy: str, parameter: str) -> bool:
        """Tell whether two schedules under a policy differ because of this parameter alone."""
        calls = [(self.policy(call), self.drawn.get(call), self.schedules.get(call)) for call in self.calls]
        own = [(policy_, worked) for policy_, *worked in calls if policy_.name == policy]
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
    """Enter a scenario into :data:`WORKED`, with the schedules its docstring draws."""
    made = worked()
    family = worked.__module__.split(".")[-3]
    drawn = dict(made.drawings(worked.__doc__ or ""))
    WORKED.setdefault(family, {})[worked.__name__] = dataclasses.replace(made, drawn=drawn)
    return worked


def scenarios(family: str) -> dict[str, Scenario]:
    """Return all scenarios of a family: those in the modules of its folder ``scenarios``."""
    folder = f"tests.scheduler_core.{family}.scenarios"
    for module in pkgutil.iter_modules([str(Path(__file__).parent / family / "scenarios")]):
        importlib.import_module(f"{folder}.{module.name}")
    return WORKED[family]
