"""What a log recorded of its machine: use, waiting jobs and the periods in which none started, in steps between its events."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from traces.shape.fitting import fitting_times

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Recorded:
    """What a log recorded of a machine, in steps between submissions, starts and ends of its jobs.

    ``jobs`` are those with a recorded wait, ``processors`` the size of the machine.
    """

    jobs: pl.DataFrame
    processors: int

    @cached_property
    def size(self) -> np.ndarray:
        """Processors of each job."""
        return self.jobs["size"].to_numpy().astype(np.int64)

    @cached_property
    def wait_us(self) -> np.ndarray:
        """The recorded wait of each job."""
        return self.jobs["recorded_wait_us"].to_numpy()

    @cached_property
    def events(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Submission, start and end of each job, in microseconds."""
        submit = self.jobs["submit_us"].to_numpy()
        start = submit + self.wait_us
        return submit, start, start + self.jobs["runtime_us"].to_numpy()

    @cached_property
    def instants(self) -> np.ndarray:
        """All times at which something happened; step ``i`` lasts from ``instants[i]`` to ``instants[i + 1]``."""
        return np.unique(np.concatenate(self.events))

    @cached_property
    def places(self) -> list[np.ndarray]:
        """The step that begins with the submission, the start and the end of each job."""
        return [np.searchsorted(self.instants, times) for times in self.events]

    @cached_property
    def lengths(self) -> np.ndarray:
        """The length of each step in microseconds."""
        return np.diff(self.instants)

    @cached_property
    def used(self) -> np.ndarray:
        """Processors in use in each step."""
        return self.counted(self.places[1], self.places[2], self.size)

    @cached_property
    def waiting(self) -> np.ndarray:
        """Jobs that wait in each step."""
        return self.counted(self.places[0], self.places[1], np.ones_like(self.size))

    @cached_property
    def fits(self) -> tuple[np.ndarray, np.ndarray]:
        """How long each job would have fitted while it waited, in microseconds, and how many did in each step."""
        fitted, fitting = np.zeros(self.size.size, np.int64), np.zeros(self.lengths.size, np.int64)
        submitted, started, _ = self.places
        fitting_times(self.instants, self.processors - self.used, submitted, started, self.size, fitted, fitting)
        return fitted, fitting

    @cached_property
    def idle(self) -> np.ndarray:
        """Whether jobs wait in each step and all of them would fit."""
        return (self.waiting > 0) & (self.fits[1] == self.waiting)

    def counted(self, begin: np.ndarray, end: np.ndarray, number: np.ndarray) -> np.ndarray:
        """Return the sum of ``number`` in each step, over the jobs whose steps reach from ``begin`` up to ``end``."""
        change = np.zeros(self.instants.size, np.int64)
        np.add.at(change, begin, number)
        np.add.at(change, end, -number)
        return np.cumsum(change)[:-1]

    def standstills(self) -> np.ndarray:
        """Return begin and end, in microseconds, of every period without a start in which a waiting job fits throughout."""
        starts = np.zeros(self.lengths.size, bool)
        starts[self.places[1][self.places[1] < self.lengths.size]] = True
        return self.periods(self.fits[1] > 0, starts)

    def outages(self) -> np.ndarray:
        """Return begin and end, in microseconds, of every period in which jobs wait and none runs."""
        return self.periods((self.used == 0) & (self.waiting > 0), np.zeros(self.lengths.size, bool))

    def periods(self, holds: np.ndarray, broken: np.ndarray) -> np.ndarray:
        """Return begin and end of every period of steps in which something ``holds``; a ``broken`` step begins a new one."""
        before = np.concatenate([[False], holds[:-1]])
        after = np.concatenate([holds[1:], [False]])
        breaks = np.concatenate([broken[1:], [False]])
        first = np.nonzero(holds & (broken | ~before))[0]
        last = np.nonzero(holds & (breaks | ~after))[0]
        return np.stack([self.instants[first], self.instants[last + 1]], axis=1)


def time_quantiles(used: np.ndarray, lengths: np.ndarray) -> dict[str, float]:
    """Return the processors in use that are not exceeded for a share of the time, by that share."""
    order = np.argsort(used, kind="stable")
    share = np.cumsum(lengths[order]) / max(int(lengths.sum()), 1)
    return {
        f"{quantile:g}": float(used[order][min(int(np.searchsorted(share, quantile)), used.size - 1)])
        for quantile in (0.5, 0.9, 0.95, 0.99, 0.999, 1.0)
    }
