"""What the rules look at: the workload, the tables of a schedule, and the joins several rules share, made once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeGuard

import numpy as np
import polars as pl

from scheduler_core.checker.class_time import ClassTime, class_time
from scheduler_core.checker.places import Places, explode_places
from scheduler_core.contracts import Machine, Schedule, Workload, asked_columns

MEMORY_PACKINGS = ("memory_fit", "memory_best_fit")
KEEPS_PLACES = "never"


@dataclass(frozen=True)
class Evidence:
    """What the rules look at: the workload's jobs, the tables of the schedule, and what its note says of the policy."""

    asked: pl.DataFrame
    jobs: pl.DataFrame
    allocations: pl.DataFrame
    held: pl.DataFrame  # a row a job: begin, end, work and number of its intervals, beside what was asked
    machine: Machine
    levels: pl.DataFrame | None = None  # in order of cluster and time; None in space sharing
    parameters: dict[str, Any] = field(default_factory=dict)
    counters: dict[str, Any] = field(default_factory=dict)
    policy: str = ""  # name of the policy
    tables: dict[str, pl.DataFrame] = field(default_factory=dict)  # where the machine belongs to one class at a time

    @cached_property
    def places(self) -> Places:
        """Every processor of every interval that names its processors."""
        return explode_places(self.allocations)

    @cached_property
    def sequence(self) -> pl.DataFrame:
        """The intervals of each job in order of begin, beside the size before and the latest end so far."""
        columns = ("job", "begin_us", "end_us", "processors", "cluster", "slot", "row")
        ordered = self.allocations.with_row_index("row").select(*columns).sort("job", "begin_us", "slot")
        same_job = pl.col("job") == pl.col("job").shift(1)
        ordered = ordered.with_columns(latest_end=pl.col("end_us").cum_max().over("job"))
        before = {"before_end": "latest_end", "size_before": "processors", "row_before": "row"}
        return ordered.with_columns(**{name: pl.when(same_job).then(pl.col(c).shift(1)) for name, c in before.items()})

    @cached_property
    def class_time(self) -> ClassTime:
        """The slices of classes, their clocks, and the jobs and intervals beside them."""
        processors = self.machine.processors
        return class_time(self.asked, self.allocations, processors, self.tables["slices"], self.parameters)

    @cached_property
    def slot_levels(self) -> pl.DataFrame:
        """The levels; only schedules whose slots take turns are asked for them."""
        if self.levels is None:
            raise ValueError("a schedule without levels has no slot clock")
        return self.levels

    @property
    def slots_are_apart(self) -> bool:
        """Whether each slot has the machine for itself; slices of classes follow each other in time on one machine."""
        return not self.tables

    @property
    def guards(self) -> bool:
        """Whether no start may delay a reservation."""
        return bool(self.class_time.setting("guard"))

    @property
    def promises_are_made(self) -> bool:
        """Whether waiting jobs are promised a latest start and finish."""
        conservative = self.class_time.setting("backfilling") == "conservative"
        return conservative and self.guards and self.policy != "bottom_line"

    @property
    def memory_binds(self) -> bool:
        """Whether the policy packs by memory and the machine can run out of it."""
        by_memory = self.parameters.get("packing") in MEMORY_PACKINGS
        return by_memory and self.machine.memory_kb > 0 and "memory_kb" in self.asked.columns

    @property
    def keeps_places(self) -> bool:
        """Whether the policy says that it never packs jobs anew."""
        never = self.parameters.get("repack") == KEEPS_PLACES
        return (never and self.parameters.get("packing") != "first_fit_decreasing") or self.policy in (
            "partitioning",
            "scojo",
        )

    @property
    def moves_between_slots(self) -> bool:
        """Whether a job keeps its processors, but runs in whatever rows of a cycle its controller gives it."""
        return self.policy == "dhc"

    @property
    def in_several_slots(self) -> bool:
        """Whether a job may run in several slots at one time."""
        return bool(self.parameters.get("fill")) or self.policy == "dhc"

    @property
    def preempts(self) -> bool:
        """Whether jobs are taken off their processors, to go on later."""
        return self.policy == "lazy_gang"

    @property
    def shares_space(self) -> bool:
        """Whether the policy divides the machine anew among running jobs."""
        return self.policy == "partitioning" and self.parameters.get("rule") != "static"

    @property
    def most_slots(self) -> Any:
        """The most slots that may take turns, a number if there is one."""
        return 1 if self.policy in ("partitioning", "lazy_gang") else self.parameters.get("level")

    @cached_property
    def parts(self) -> np.ndarray:
        """Processors of each fixed part of the machine: of clusters, or of partitions for one job each; or of all of it."""
        whole, count = self.machine.processors, int(self.parameters.get("partitions", 1))
        if self.policy not in ("gang", "partitioning") or self.shares_space:
            return np.array([whole])
        if self.parameters.get("cut") == "halves":
            parts: list[int] = []
            for _ in range(count - 1):
                parts.append(-((sum(parts) - whole) // 2))
            return np.array([*parts, whole - sum(parts)])
        return whole // count + (np.arange(count) < whole % count)

    def processors_of(self, cluster: pl.Series) -> tuple[np.ndarray, np.ndarray]:
        """Give the first processor and the number of processors of each row's cluster."""
        number = cluster.to_numpy().astype(np.int64)
        if self.policy != "gang" or len(self.parts) == 1:
            return np.zeros_like(number), np.full_like(number, self.machine.processors)
        first = np.concatenate([np.cumsum(self.parts) - self.parts, [0]])
        known = (number >= 0) & (number < len(self.parts))
        number = np.where(known, number, len(self.parts))
        return first[number], np.concatenate([self.parts, [0]])[number]

    def of_jobs(self, *columns: str) -> pl.DataFrame:
        """Give columns of what was asked beside every interval, in the order of the allocations."""
        asked = self.asked.select("job", *columns)
        return self.allocations.select("job").join(asked, on="job", how="left", maintain_order="left")


Rule = Callable[[Evidence], tuple[int, pl.DataFrame]]
"""Gives how many things were checked, and the rows that break the rule."""


def gather(workload: Workload, schedule: Schedule) -> Evidence:
    """Join what was asked with the intervals in which each job held processors."""
    asked = workload.jobs.select(*asked_columns(workload.jobs))
    intervals = schedule.allocations.group_by("job").agg(
        pl.len().alias("intervals"),
        pl.col("begin_us").min(),
        pl.col("end_us").max(),
        pl.col("work_us").sum(),
    )
    outcome = schedule.jobs.select("job", "start_us", "finish_us", "preemptions", "outcome", allotted="processors")
    held = asked.join(outcome, on="job", how="left").join(intervals, on="job", how="left").sort("job")
    levels = None if schedule.levels is None else schedule.levels.sort("cluster", "begin_us", "end_us")
    return Evidence(
        asked,
        schedule.jobs,
        schedule.allocations,
        held,
        workload.machine,
        levels,
        schedule.run.get("policy", {}).get("parameters", {}),
        schedule.run.get("counters", {}),
        schedule.run.get("policy", {}).get("name", ""),
        schedule.tables,
    )


def seconds_in_us(seconds: float) -> int:
    """Give a parameter in seconds as whole microseconds."""
    return round(seconds * 1_000_000)


def column_of(table: pl.DataFrame, name: str) -> np.ndarray:
    """Give a column as a numpy array."""
    return table[name].to_numpy()


def is_number(value: Any) -> TypeGuard[float]:
    """Whether a parameter that may also be a word is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def counters_agree(evidence: Evidence, expected: dict[str, int]) -> tuple[int, pl.DataFrame]:
    """Hold the counters that a schedule has against what its tables say."""
    stated = {name: evidence.counters[name] for name in expected if name in evidence.counters}
    wrong = [(name, value, expected[name]) for name, value in stated.items() if value != expected[name]]
    schema = {"counter": pl.String, "stated": pl.Int64, "expected": pl.Int64}
    return len(stated), pl.DataFrame(wrong, schema=schema, orient="row")
