"""Whether a simulation of a log can be believed: simulated waits beside the recorded ones, and a grade."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from scheduler_core.common.errors import ContractError
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.declarations.words import counted
from slotwise.planning import KINDS
from slotwise.planning.ceilings import CEILINGS
from slotwise.planning.pools import BETWEEN, Pools, schedule_of
from slotwise.planning.recorded import IDLE, Use, gpu_jobs_of, idle_waiting, recorded_use, with_recorded_wait
from slotwise.planning.waits import (
    HOUR_US,
    LEAST_JOBS_OF_A_WEEK,
    clock_of,
    correlation,
    group_means,
    grouped,
    has_groups,
    ranks,
    waits_of,
    with_enough_jobs,
)
from traces.shape.selection import usable

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.declarations.policy import Policy

LEVELS = {"weekly": 0.8, "least_ratio": 0.8, "most_ratio": 1.25}
"""What a simulation needs for its waits to be read in hours."""

DIFFERENCES = {"weekly": 0.5, "least_ratio": 0.5, "most_ratio": 2.0}
"""What it needs for differences between simulations to be read."""

LICENCES = {
    "A": "Hours and differences can be read: the simulation repeats the recorded waits",
    "B": "Read differences between simulations, not hours: the simulation repeats the recorded waits roughly",
    "C": "Do not decide by this: the simulation does not repeat the recorded waits",
    "": "The simulation cannot be graded: the log is too short",
}
"""What each grade allows; the empty one is none."""

LEAST_WEEKS = 10
"""Fewer weeks with enough jobs give no grade: a rank correlation of a few means says little."""

NONE_ENDED = "no job with a recorded wait ended in the simulation; is the machine (--procs) too small?"
"""Why nothing can be compared."""

JITTER_US = 60 * MICROSECONDS
"""The most by which submissions move for the ceiling."""


@dataclass(frozen=True)
class Agreement:
    """How well simulated waits agree with recorded ones (or with those of another simulation).

    ``weekly`` and ``by_job`` are rank correlations of weekly mean waits and of jobs' waits; None where they cannot be told.
    ``covered`` is the share of recorded waiting that the simulation has, too; ``exceeded`` what it has beyond, as a share of
    the recorded.
    """

    jobs: int
    weeks: int
    recorded_h: float
    simulated_h: float
    weekly: float | None
    by_job: float | None
    covered: float
    exceeded: float

    @property
    def ratio(self) -> float:
        """The simulated mean wait over the recorded one; infinite when no recorded job waited."""
        return self.simulated_h / self.recorded_h if self.recorded_h else float("inf")


@dataclass(frozen=True)
class Grade:
    """A grade, A to C, or an empty one for a log that is too short, with the reason for it in words."""

    letter: str
    reason: str

    @property
    def licence(self) -> str:
        """What the grade allows."""
        return LICENCES[self.letter]

    @property
    def name(self) -> str:
        """The grade in words."""
        return f"Grade {self.letter}" if self.letter else "No grade"


@dataclass(frozen=True, repr=False)
class Validation:
    """A policy's simulated waits beside those a log recorded.

    ``groups`` has a table for each kind of group: ``kind`` as column of that name, ``jobs, recorded_h, simulated_h``.
    ``ceiling`` is the agreement of the simulation with itself when submissions move by up to a minute: no simulation can be
    expected to agree better. ``narrower`` is the agreement on a machine with one percent fewer processors.
    """

    policy: str
    agreement: Agreement
    ceiling: Agreement
    narrower: Agreement
    grade: Grade
    groups: dict[str, pl.DataFrame]
    use: Use

    def __str__(self) -> str:
        return f"{self.policy}: {self.grade.name}. {self.grade.licence}.\n  {self.grade.reason}"

    __repr__ = __str__


def validate(workload: Workload, policy: Policy, simulate: Callable[[Workload, Policy], Schedule]) -> Validation:
    """Simulate a log under a policy and compare the waits with the recorded ones.

    Raise :class:`ContractError` when the log records too few waits.
    """
    return validate_pools(workload, {"": workload}, [policy], simulate)


def validate_pools(
    workload: Workload, pools: Pools, policies: Sequence[Policy], simulate: Callable[[Workload, Policy], Schedule]
) -> Validation:
    """Simulate the pools of a log, each under its policy, and compare the waits of all jobs with the recorded ones.

    ``workload`` has the jobs of all pools. Raise :class:`ContractError` when the log records too few waits.
    """
    known = with_recorded_wait(workload)
    schedule = schedule_of(pools, policies, simulate)
    recorded = recorded_jobs(known, clock_of(workload))
    pairs = recorded_pairs(recorded, schedule)
    moved = schedule_of(pools, policies, simulate, jittered)
    fewer = schedule_of(pools, policies, simulate, lambda jobs: usable(jobs, narrower(jobs.machine.processors)))
    found, beside = agreement_of(pairs), agreement_of(recorded_pairs(recorded, fewer))
    return Validation(
        policy=BETWEEN.join(policy.title for policy in policies),
        agreement=found,
        ceiling=agreement_of(pairs_of_runs(recorded, schedule, moved)),
        narrower=beside,
        grade=grade_of(found, beside, unexplained(pools.values(), policies)),
        groups={kind: by_group(pairs, kind) for kind in KINDS if has_groups(pairs, kind)},
        use=recorded_use(
            known,
            workload.machine.processors,
            changes="out_of_use" in workload.companions,
            gpu_jobs=gpu_jobs_of(workload),
        ),
    )


def unexplained(pools: Iterable[Workload], policies: Iterable[Policy]) -> float:
    """Return the waiting that no simulation explains (:func:`~slotwise.planning.recorded.idle_waiting`).

    None where closed hours or ceilings hold jobs back. In a log of jobs with GPUs they explain nothing: their jobs wait for GPUs.
    """
    jobs = list(pools)
    closed = any("closed_hours" in one.companions for one in jobs)
    limited = any(policy.values().get(name, "all") != "all" for policy in policies for name in CEILINGS)
    held = (closed or limited) and not any(map(gpu_jobs_of, jobs))
    return 0.0 if held else idle_waiting(jobs)


def recorded_jobs(known: pl.DataFrame, clock_us: int | None) -> pl.DataFrame:
    """Return jobs with a recorded wait (:func:`with_recorded_wait`) with their groups and ``recorded_h``."""
    return grouped(known.with_columns(recorded_h=pl.col("recorded_wait_us") / HOUR_US), clock_us)


def recorded_pairs(recorded: pl.DataFrame, schedule: Schedule) -> pl.DataFrame:
    """Return the recorded jobs that ended in a simulation, with ``simulated_h``."""
    pairs = recorded.join(waits_of(schedule).select("job", simulated_h="wait_h"), on="job")
    if pairs.is_empty():
        raise ContractError(NONE_ENDED)
    return pairs


def pairs_of_runs(recorded: pl.DataFrame, one: Schedule, other: Schedule) -> pl.DataFrame:
    """Return the same table for two simulations; ``recorded_h`` holds the waits of ``one``."""
    waits = waits_of(one).select("job", recorded_h="wait_h")
    return recorded_pairs(recorded.drop("recorded_h").join(waits, on="job"), other)


def jittered(workload: Workload) -> Workload:
    """Return a workload whose submissions are moved by up to a minute, always by the same random numbers."""
    random = np.random.default_rng(1)
    jobs = workload.jobs.with_columns(
        submit_us=pl.col("submit_us") + pl.Series(random.integers(0, JITTER_US, len(workload)), dtype=pl.Int64)
    ).sort("submit_us", "job")
    return workload.transformed(jobs, {"step": "jitter", "most_s": JITTER_US // MICROSECONDS})


def agreement_of(pairs: pl.DataFrame) -> Agreement:
    """Return how well two series of waits agree: columns ``recorded_h, simulated_h, week`` of each job."""
    ordered = pairs.sort("job")
    return Part(ordered["week"].to_numpy(), ordered["recorded_h"].to_numpy()).agreement(
        ordered["simulated_h"].to_numpy()
    )


class Part:
    """The recorded waits of some jobs with their weeks, arranged to be compared with many simulations of these jobs."""

    def __init__(self, week: np.ndarray, recorded_h: np.ndarray) -> None:
        self.week, self.recorded_h = week, recorded_h
        self.total_h = float(recorded_h.sum())
        _, self.place = np.unique(week, return_inverse=True)
        jobs = np.bincount(self.place)
        self.enough = jobs >= LEAST_JOBS_OF_A_WEEK
        self.jobs = jobs[self.enough]
        self.ranks, self.ranks_of_weeks = ranks(recorded_h), ranks(self.weekly_h(recorded_h))

    def weekly_h(self, wait_h: np.ndarray) -> np.ndarray:
        """Return the mean waits of the weeks with enough jobs."""
        return np.bincount(self.place, wait_h)[self.enough] / self.jobs

    def agreement(self, simulated_h: np.ndarray) -> Agreement:
        """Return how well simulated waits agree with the recorded ones; NaN marks jobs that did not end in the simulation."""
        ended = ~np.isnan(simulated_h)
        if not ended.all():
            return Part(self.week[ended], self.recorded_h[ended]).agreement(simulated_h[ended])
        jobs, share_of = max(len(simulated_h), 1), self.total_h or math.nan
        return Agreement(
            jobs=len(simulated_h),
            weeks=len(self.jobs),
            recorded_h=self.total_h / jobs,
            simulated_h=float(simulated_h.sum()) / jobs,
            weekly=correlation(self.ranks_of_weeks, ranks(self.weekly_h(simulated_h))),
            by_job=correlation(self.ranks, ranks(simulated_h)),
            covered=float(np.minimum(self.recorded_h, simulated_h).sum()) / share_of,
            exceeded=float(np.maximum(simulated_h - self.recorded_h, 0).sum()) / share_of,
        )


def weekly_means(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return the mean waits of each week that has enough jobs."""
    return with_enough_jobs(by_group(pairs, "week"))


def by_group(pairs: pl.DataFrame, kind: str) -> pl.DataFrame:
    """Return ``kind, jobs, recorded_h, simulated_h``: the mean waits of each group of jobs."""
    return group_means(pairs, kind, {"recorded_h": "recorded_h", "simulated_h": "simulated_h"})


def narrower(processors: int) -> int:
    """Return a machine's size less one percent, and at least one processor."""
    return max(processors - max(round(processors / 100), 1), 1)


def grade_of(found: Agreement, narrow: Agreement, idle: float = 0.0) -> Grade:
    """Return the grade of a simulation by its weekly rank correlation and the ratio of mean waits.

    For grade A the ratio must also hold on a machine with one percent fewer processors (``narrow``): near saturation waits in
    hours depend on every processor. If much recorded waiting was not for processors (``idle``, of
    :func:`~slotwise.planning.recorded.idle_waiting`), waits that agree do so by chance: grade C.
    """
    if found.weeks < LEAST_WEEKS:
        weeks = counted(found.weeks, "week")
        return Grade("", f"it has {weeks} with at least {LEAST_JOBS_OF_A_WEEK} jobs; a grade needs {LEAST_WEEKS}")
    weekly = "none, as all are equal" if found.weekly is None else f"{found.weekly:.2f}"
    measured = (
        f"mean wait {found.simulated_h:.2f} h simulated, {found.recorded_h:.2f} h recorded (ratio {found.ratio:.2f}, and "
        f"{narrow.ratio:.2f} on 1 % fewer processors); rank correlation of weekly means {weekly}"
    )
    within = {
        letter: (found.weekly or 0.0) >= needed["weekly"]
        and needed["least_ratio"] <= found.ratio <= needed["most_ratio"]
        for letter, needed in (("A", LEVELS), ("B", DIFFERENCES))
    }
    if within["B"] and idle > IDLE:
        return Grade(
            "C",
            f"{measured}. But {idle:.0%} of the recorded waiting passed while every waiting job would have fitted on the free "
            f"processors. Above {IDLE:.0%}, something else held jobs back, and waits that agree do so by chance",
        )
    if within["A"] and LEVELS["least_ratio"] <= narrow.ratio <= LEVELS["most_ratio"]:
        return Grade("A", f"{measured}. Grade A {needs(LEVELS)}, on both machines")
    if within["B"]:
        return Grade("B", f"{measured}. Grade A {needs(LEVELS)}, on both machines; grade B {needs(DIFFERENCES)}")
    return Grade("C", f"{measured}. Grade B {needs(DIFFERENCES)}")


def needs(needed: dict[str, Any]) -> str:
    """Return what a grade needs, in words."""
    return f"needs a correlation of {needed['weekly']:g} and a ratio from {needed['least_ratio']:g} to {needed['most_ratio']:g}"
