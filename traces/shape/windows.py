"""Windows of a workload: whole weeks with warm-up and cool-down, and when their clock starts."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import DAY_US, MICROSECONDS, WEEK_US
from scheduler_core.declarations.parameters import Parameters, parameter

if TYPE_CHECKING:
    import polars as pl

    from scheduler_core.contracts import Workload

AFTERWARDS_US = 366 * DAY_US
"""How long after the last submission a site goes on as in the log: a year."""

BEGINS = ("log", "first_job")
"""When the clock of a workload starts: as in the log, or when the first selected job is submitted."""


@dataclass(frozen=True)
class Window(Parameters):
    """``count`` measured weeks from week ``first`` on, with unmeasured weeks before and after.

    Weeks count from 1 and begin at the workload's time zero (for a log, the start in its header), not at its first job.
    """

    name: ClassVar[str] = "weeks"

    first: int = parameter(1, "first measured week, counted from 1", minimum=1)
    count: int = parameter(1, "measured weeks", minimum=1)
    warm_up: int = parameter(0, "weeks kept before the measured ones, to fill the machine", minimum=0)
    cool_down: int = parameter(0, "weeks kept after the measured ones, to keep it busy", minimum=0)

    def validate(self) -> None:
        """Raise :class:`ParameterError` when the warm-up begins before the workload."""
        if self.first <= self.warm_up:
            raise ParameterError(
                f"weeks: a warm-up of {self.warm_up} before week {self.first} begins before week 1; "
                f"first must be at least {self.warm_up + 1}"
            )

    @property
    def last(self) -> int:
        """The last week kept."""
        return self.first + self.count - 1 + self.cool_down

    def phase(self, week: pl.Expr) -> pl.Expr:
        """Return the phase of a job submitted in ``week``."""
        import polars as pl

        from scheduler_core.contracts import WORKLOAD_OPTIONAL

        before = pl.when(week < self.first).then(pl.lit("warm_up"))
        after = before.when(week >= self.first + self.count).then(pl.lit("cool_down"))
        return after.otherwise(pl.lit("measured")).cast(WORKLOAD_OPTIONAL["phase"])


def weeks(workload: Workload, window: Window) -> Workload:
    """Return the jobs submitted in the measured weeks of a window and in the weeks around them.

    The column ``phase`` says which jobs to measure. Submission times do not change. Raise :class:`ParameterError` when the weeks
    reach beyond the workload.
    """
    import polars as pl

    weeks_there = workload.jobs["submit_us"][-1] // WEEK_US + 1
    if window.last > weeks_there:
        raise ParameterError(
            f"weeks: the window ends with week {window.last}, but the last job is submitted in week {weeks_there}"
        )
    week = pl.col("submit_us") // WEEK_US + 1
    kept = workload.jobs.filter(week.is_between(window.first - window.warm_up, window.last))
    return workload.transformed(kept.with_columns(phase=window.phase(week)), {"step": "weeks", **window.values()})


def from_first_job(workload: Workload) -> Workload:
    """Return the jobs on a clock that starts with the first submission; the clock in the provenance moves as well.

    A run that ends at a fixed time would otherwise spend it on the empty days at the start of some logs.
    """
    import polars as pl

    from traces.shape.standstills import moved_periods

    if not len(workload):
        return workload
    moved_us = int(workload.jobs["submit_us"][0])
    jobs = workload.jobs.with_columns(submit_us=pl.col("submit_us") - moved_us)
    periods = moved_periods(workload, lambda time: time - moved_us)
    moved = workload.transformed(jobs, {"step": "begin", "moved_us": moved_us}, companions=periods)
    clock = moved.provenance.get("clock")
    if clock is None:
        return moved
    moved_clock = {**clock, "start_s": clock["start_s"] + moved_us // MICROSECONDS}
    return dataclasses.replace(moved, provenance={**moved.provenance, "clock": moved_clock})
