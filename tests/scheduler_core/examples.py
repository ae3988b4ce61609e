"""Examples: a few jobs, a machine and a policy; how they are drawn.

What is drawn is written once, as functions of a *chooser*: hypothesis draws the examples of a differential test by one,
and a seeded generator draws by another the examples over which the test counts how often each feature was at work.
"""

import dataclasses
import functools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import polars as pl
from hypothesis import strategies as st

from scheduler_core.contracts import WORKLOAD_COLUMNS, WORKLOAD_OPTIONAL, Machine, Workload
from scheduler_core.contracts.companions import COMPANIONS
from scheduler_core.declarations.families import SITE_TABLES
from scheduler_core.declarations.policy import Policy
from tests.oracles.job import Job

YES_NO = (False, True)

Parameters = dict[str, Any]
Value = TypeVar("Value")

OPTIONAL = {
    "flexibility": lambda job: job.flexibility,
    "size_min": lambda job: job.size_min,
    "size_max": lambda job: job.size_max,
    "class": lambda job: job.job_class,
    "memory_kb": lambda job: job.memory,
    "credit_us": lambda job: job.credit,
    "user": lambda job: job.user,
    "queue": lambda job: job.queue,
}
"""Optional columns of a workload, and where the oracles' jobs keep them."""


@dataclass(frozen=True)
class Case:
    """An example: jobs in the order of submission, then number; a machine; a policy."""

    jobs: list[Job]
    processors: int
    policy: Policy
    memory: int = 0
    slowdowns: Mapping[tuple[int, int], float] = field(default_factory=dict)
    standstills: tuple[tuple[int, int], ...] = ()
    closed: tuple[tuple[int, int, int, int], ...] = ()
    out_of_use: tuple[tuple[int, int, int], ...] = ()

    @property
    def workload(self) -> Workload:
        """The jobs on the machine, and the tables the policy needs; a column that says nothing of any job is left out."""
        required = [(job.job, job.submit, job.runtime, job.estimate, job.size) for job in self.jobs]
        table = pl.DataFrame(required, schema=WORKLOAD_COLUMNS, orient="row")
        columns = {name: [read(job) for job in self.jobs] for name, read in OPTIONAL.items()}
        told = {name: values for name, values in columns.items() if not set(values) <= {None, "rigid", 0}}
        more = [pl.Series(name, values, dtype=WORKLOAD_OPTIONAL[name]) for name, values in told.items()]
        machine = Machine(self.processors, memory_kb=self.memory)
        return Workload(table.with_columns(more), machine, companions=self.companions)

    @property
    def companions(self) -> dict[str, pl.DataFrame]:
        """The companion tables the policy needs."""
        jobs = sorted(self.jobs, key=lambda job: job.job)
        rows: dict[str, list[tuple[Any, ...]]] = {
            "behaviour": [(job.job, *dataclasses.astuple(job.behaviour)) for job in jobs if job.behaviour],
            "shares": [(job.job, *told_shares(job)) for job in jobs if job.shares],
            "slowdowns": [(*pair, slowdown) for pair, slowdown in sorted(self.slowdowns.items())],
            "applications": [(job.job, *dataclasses.astuple(job.does)[:-1]) for job in jobs if job.does],
            "programs": [row for job in jobs if job.does for row in told_program(job)],
            "standstills": list(self.standstills),
            "closed_hours": list(self.closed),
            "out_of_use": list(self.out_of_use),
        }
        needed = {*(self.policy.companions or ()), *(name for name in ("programs", *SITE_TABLES) if rows[name])}
        return {
            name: pl.DataFrame(rows[name], schema=dict(COMPANIONS[name].columns), orient="row")
            for name in COMPANIONS
            if name in needed
        }


def told_shares(job: Job) -> tuple[Any, ...]:
    """Return what a job asks for as a row of the companion table: one that asks for no start asks for its submission."""
    *told, wanted = dataclasses.astuple(job.shares)
    return (*told, job.submit if wanted is None else wanted)


def told_program(job: Job) -> Iterator[tuple[int, int, int, str, int, int]]:
    """Return the rows of the companion table that say what a job's tasks do, statement by statement."""
    for task, program in enumerate(job.does.statements if job.does else ()):
        for step, (word, *number) in enumerate(program):
            timed = word in ("compute", "disk")
            time, message = (*number, 0) if timed else (0, *number, 0)[:2]
            yield job.job, task, step, word, time, message


class SeededChooser:
    """Chooses by a seeded generator."""

    def __init__(self, seed: int) -> None:
        self.generator = random.Random(seed)

    def integer(self, lowest: int, highest: int) -> int:
        """Choose a whole number."""
        return self.generator.randint(lowest, highest)

    def one_of(self, values: Sequence[Value]) -> Value:
        """Choose one of several values."""
        return self.generator.choice(values)


whole_numbers = functools.cache(st.integers)
"""Strategies by their bounds: hypothesis takes longer to look into a new strategy than to draw from it."""


class HypothesisChooser:
    """Chooses by what hypothesis draws."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def integer(self, lowest: int, highest: int) -> int:
        """Choose a whole number."""
        return self.draw(whole_numbers(lowest, highest))

    def one_of(self, values: Sequence[Value]) -> Value:
        """Choose one of several values."""
        return values[self.integer(0, len(values) - 1)]


Chooser = SeededChooser | HypothesisChooser


def seconds(ticks: int, tick: int) -> float:
    """Return ticks, which are whole microseconds, in seconds."""
    return ticks * tick / 1_000_000


def drawn_numbers(choose: Chooser, count: int) -> list[int]:
    """Draw the numbers of jobs, which need not rise with their submission."""
    numbers = list(range(1, count + 1))
    return [numbers.pop(choose.integer(0, len(numbers) - 1)) for _ in range(count)]
