"""What all rules read: the workload, the schedule's tables, its policy, and joins that several rules share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any, Literal, TypeVar

import numpy as np
import polars as pl

from scheduler_core.checker.places import Places, explode_places
from scheduler_core.contracts import COMPANIONS, Machine, Schedule, Workload, asked_columns
from scheduler_core.declarations.families import Family
from scheduler_core.declarations.policy import Policy


@dataclass(frozen=True)
class Evidence:
    """What the rules of all families read; a family whose rules need more extends it.

    ``asked`` has the workload's jobs, ``companions`` its other tables, ``users`` the user of each job that has one, ``queues``
    its queue. ``held`` has a row per job of the workload: what it asked for, its row of the schedule, and begin, end, work and
    number of its allocations; ``gaps`` counts the times between two allocations in which it held nothing. ``derived`` caches the
    results of :func:`once`.
    """

    asked: pl.DataFrame
    jobs: pl.DataFrame
    allocations: pl.DataFrame
    held: pl.DataFrame
    machine: Machine
    family: Family
    policy: Policy
    counters: Mapping[str, Any]
    tables: Mapping[str, pl.DataFrame]
    companions: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    users: pl.DataFrame = field(default_factory=lambda: numbers_of(pl.DataFrame(schema={"job": pl.Int64}), "user"))
    queues: pl.DataFrame = field(default_factory=lambda: numbers_of(pl.DataFrame(schema={"job": pl.Int64}), "queue"))
    derived: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def facts(self) -> Any:
        """The facts that the policy states, of the family's class."""
        return self.policy.facts()

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """All parameters of the policy."""
        return self.policy.values()

    @cached_property
    def places(self) -> Places:
        """Every processor of every allocation that names its processors."""
        return explode_places(self.allocations)

    @cached_property
    def clusters(self) -> np.ndarray:
        """Processors of each cluster, by cluster number."""
        return np.array([cluster.processors for cluster in self.machine.clusters])

    @property
    def largest(self) -> int:
        """The most processors a job can have."""
        return int(self.clusters.max())

    @property
    def too_much(self) -> pl.Expr:
        """Whether a job asks for more than the machine has."""
        return pl.col("size") > self.largest

    @property
    def unfinished(self) -> pl.Expr:
        """Whether the run ended before the job of a row of ``held``; by default never.

        Families whose policies end runs at a given time override it.
        """
        return pl.lit(False)

    @property
    def suspensions(self) -> pl.Expr:
        """How often the job of a row of ``held`` was suspended; by default its gaps.

        A change of rate is no suspension.
        """
        return pl.col("gaps")

    def processors_of(self, cluster: pl.Series) -> tuple[np.ndarray, np.ndarray]:
        """Return the first processor and the number of processors of each row's cluster; null for an unknown cluster."""
        number = cluster.to_numpy()
        first = np.concatenate([np.cumsum(self.clusters) - self.clusters, [0]])
        known = (number >= 0) & (number < len(self.clusters))
        number = np.where(known, number, -1)
        return first[number], np.concatenate([self.clusters, [0]])[number]

    def companion(self, name: str) -> pl.DataFrame:
        """Return a companion table of the workload; without rows if the workload lacks it."""
        empty = pl.DataFrame(schema=dict(COMPANIONS[name].columns))
        return self.companions.get(name, empty).select(*COMPANIONS[name].columns)

    def of_jobs(self, *columns: str) -> pl.DataFrame:
        """Return columns of the jobs beside every allocation, in the order of the allocations."""
        asked = self.asked.select("job", *columns)
        return aligned(self.allocations.select("job"), asked, "job")


Rule = Callable[[Any], tuple[int, pl.DataFrame]]
"""Returns how many things were checked, and the rows that break the rule; it takes the family's evidence."""

NOTHING_CHECKED = (0, pl.DataFrame())
"""What a rule returns if it checks nothing."""

AnyEvidence = TypeVar("AnyEvidence", bound=Evidence)
Derived = TypeVar("Derived")


def once(derive: Callable[[AnyEvidence], Derived]) -> Callable[[AnyEvidence], Derived]:
    """Return a function that computes its result once per evidence, however many rules call it."""

    @wraps(derive)
    def known(evidence: AnyEvidence) -> Derived:
        if derive not in evidence.derived:
            evidence.derived[derive] = derive(evidence)
        return evidence.derived[derive]

    return known


def gather(kind: type[AnyEvidence], workload: Workload, schedule: Schedule, policy: Policy) -> AnyEvidence:
    """Return the evidence of a schedule: the jobs joined with their allocations."""
    asked = workload.jobs.select(*asked_columns(workload.jobs))
    sums = sums_of_jobs(schedule.allocations)
    became = ("job", "start_us", "finish_us", "preemptions", "outcome")
    outcome = schedule.jobs.select(*became, allotted="processors", stated_on="cluster")
    held = aligned(aligned(asked, outcome, "job"), sums, "job")
    held = in_order_of(aligned(held, gaps_of_jobs(schedule.allocations, sums), "job"), "job")
    held = held.with_columns(pl.col("gaps").fill_null(0))
    return kind(
        asked,
        schedule.jobs,
        schedule.allocations,
        held,
        workload.machine,
        schedule.family,
        policy,
        schedule.run.get("counters", {}),
        schedule.tables,
        workload.companions,
        numbers_of(workload.jobs, "user"),
        numbers_of(workload.jobs, "queue"),
    )


def sums_of_jobs(allocations: pl.DataFrame) -> pl.DataFrame:
    """Return number, begin, end, work and lowest cluster of each job's allocations, a row per job that has any."""
    begin, end, work, cluster = (pl.col(name) for name in ("begin_us", "end_us", "work_us", "cluster"))
    if ascending(allocations["job"]):
        return allocations.select("job", begin, end, work, allocations=pl.lit(1, pl.UInt32), held_on=cluster)
    return allocations.group_by("job").agg(
        begin.min(), end.max(), work.sum(), allocations=pl.len(), held_on=cluster.min()
    )


def numbers_of(jobs: pl.DataFrame, column: str) -> pl.DataFrame:
    """Return the user or the queue of each job that has one."""
    if column not in jobs.columns:
        return pl.DataFrame(schema={"job": pl.Int64, column: pl.Int32})
    return jobs.select("job", column).drop_nulls()


def gaps_of_jobs(allocations: pl.DataFrame, sums: pl.DataFrame) -> pl.DataFrame:
    """Count, for each job with any, the times between two allocations in which it holds nothing."""
    several = sums.filter(pl.col("allocations") > 1).select("job")
    if several.is_empty():
        return pl.DataFrame(schema={"job": pl.Int64, "gaps": pl.UInt32})
    ordered = allocations.select("job", "begin_us", "end_us").join(several, on="job", how="semi")
    ordered = ordered.sort("job", "begin_us").with_columns(until=pl.col("end_us").cum_max().over("job"))
    same_job = pl.col("job") == pl.col("job").shift(1)
    return ordered.filter(same_job & (pl.col("begin_us") > pl.col("until").shift(1))).group_by("job").len("gaps")


def aligned(table: pl.DataFrame, other: pl.DataFrame, *on: str, how: Literal["left", "inner"] = "left") -> pl.DataFrame:
    """Return a table with another's columns beside each of its rows, in its order.

    Where the other has no such row, they are null, or the row is left out (``how="inner"``).

    Tables with the same ascending keys need no join, and an empty table none either: it takes much of the time and memory of a
    check without preemption.
    """
    beside = other.drop(on)
    apart = set(beside.columns).isdisjoint(table.columns)
    if apart and how == "left" and other.is_empty():
        return table.with_columns(pl.lit(None, kind).alias(name) for name, kind in beside.schema.items())
    if len(on) == 1 and apart and ascending(other[on[0]]) and table[on[0]].equals(other[on[0]]):
        return table.hstack(beside)
    return table.join(other, on=on, how=how, maintain_order="left")


def ascending(numbers: pl.Series) -> bool:
    """Return whether each number is larger than the one before it; nulls are not."""
    return numbers.null_count() == 0 and bool((np.diff(numbers.to_numpy()) > 0).all())


def in_order_of(table: pl.DataFrame, *columns: str) -> pl.DataFrame:
    """Return a table sorted by columns of numbers, stable; fast where long runs of rows are in order."""
    if ascending(table[columns[0]]):
        return table
    return table[np.lexsort([column_of(table, name) for name in reversed(columns)])]


def column_of(table: pl.DataFrame, name: str) -> np.ndarray:
    """Return a column as a numpy array."""
    return table[name].to_numpy()


def counters_agree(evidence: Evidence, expected: dict[str, int]) -> tuple[int, pl.DataFrame]:
    """Compare the schedule's counters with the values that its tables give; a schedule that counts nothing is not compared."""
    stated = {name: evidence.counters.get(name) for name in expected if evidence.counters}
    wrong = [(name, value, expected[name]) for name, value in stated.items() if value != expected[name]]
    schema = {"counter": pl.String, "stated": pl.Int64, "expected": pl.Int64}
    return len(stated), pl.DataFrame(wrong, schema=schema, orient="row")
