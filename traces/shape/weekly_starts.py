"""Hours of the week in which a log records almost no start of some jobs although they are due.

Jobs are *due* in an hour if, when it begins or ends, one of them waits that would fit on the free processors. Their usual rate is
the share of due hours in which one of them starts, over the hours of the week in which they start at least as often as on
average; closed hours are not among these. An hour of the week is closed to them if two things hold:

* at the usual rate, at least :data:`LEAST_EXPECTED` due hours with a start were expected, and the log records at most
  :data:`MOST_STARTED` of that number: operators start single jobs at any time;
* at the usual rate, so few have a chance of at most :data:`LARGEST_CHANCE`.

An hour beside a closed one needs less evidence: the same share, and a chance of at most :data:`BESIDE`. An hour alone is not
closed. Hours are also counted together on all working days and at all weekends, where they are more. Only odd weeks are counted,
so that even weeks can test what was learned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import bdtr

from scheduler_core.common.units import HOUR_US, WEEK_US
from traces.shape.hours import HOURS_OF_DAY, HOURS_OF_WEEK, hours_of

if TYPE_CHECKING:
    import polars as pl

    from scheduler_core.contracts import Workload

LEAST_EXPECTED = 6
"""The least number of due hours with a start that were expected in an hour of the week that is found closed."""

MOST_STARTED = 0.1
"""The largest share of them that the log recorded."""

LARGEST_CHANCE, BESIDE = 1e-5, 0.01
"""The largest chance of so few in an hour of the week that is found closed, and in one that is beside another closed hour."""


class Starts:
    """The recorded starts of a log by the hours of the week; ``jobs`` are those with a recorded wait.

    Row ``waits[i]`` of the jobs waits and would fit when hour ``due[i]`` of an odd week begins or ends.
    """

    def __init__(self, jobs: pl.DataFrame, workload: Workload) -> None:
        submit, self.start, runtime, size = (
            np.asarray(jobs[name].to_numpy(), dtype=np.int64)
            for name in ("submit_us", "recorded_wait_us", "runtime_us", "size")
        )
        self.start = submit + self.start
        self.begins, self.hours = hours_of(workload, int(self.start.max()))
        in_use = np.zeros(len(self.begins), np.int64)
        for times, sign in ((self.start, 1), (self.start + runtime, -1)):
            order = np.argsort(times)
            total = np.concatenate([[0], np.cumsum(size[order])])
            in_use += sign * total[np.searchsorted(times[order], self.begins, side="right")]
        first, last = (np.searchsorted(self.begins, times) for times in (submit, self.start))
        waits = np.repeat(np.arange(len(size)), last - first)
        due = np.arange(len(waits)) - np.repeat(np.cumsum(last - first) - last, last - first)
        fits = size[waits] <= workload.machine.processors - in_use[due]
        waits, due = np.tile(waits[fits], 2), np.concatenate([due[fits], due[fits] - 1])
        odd = (self.begins // WEEK_US % 2 == 1)[due] & (due >= 0)
        self.waits, self.due = waits[odd], due[odd]

    def closed_to(self, those: np.ndarray, started: np.ndarray | None = None) -> np.ndarray:
        """Return whether each hour of the week is closed to some jobs; ``those`` says of each job whether it is one of them.

        Starts are those of the jobs that ``started``, by default of the same ones.
        """
        starts = np.sort(self.start[those if started is None else started])
        due = np.unique(self.due[those[self.waits]])
        hit = np.searchsorted(starts, self.begins[due] + HOUR_US) > np.searchsorted(starts, self.begins[due])
        of_due, of_hits = self.hours[due], self.hours[due[hit]]
        week = np.arange(HOURS_OF_WEEK)
        alike = week % HOURS_OF_DAY + HOURS_OF_DAY * (week >= 5 * HOURS_OF_DAY)  # on working days, at weekends
        alone, together = hours_with_few(of_due, of_hits), hours_with_few(alike[of_due], alike[of_hits])
        closed, likely = (one | other[alike] for one, other in zip(alone, together, strict=True))
        while (more := likely & ~closed & beside(closed)).any():
            closed |= more
        return closed & beside(closed)


def beside(closed: np.ndarray) -> np.ndarray:
    """Return which hours of the week are next to a closed one."""
    return np.roll(closed, 1) | np.roll(closed, -1)


def hours_with_few(due: np.ndarray, hit: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return which hours have so few starts that they are closed, and that they are closed beside others.

    ``due`` has the kind of each due hour, such as its hour of the week, and ``hit`` that of each one with a start.
    """
    count, hits = (np.bincount(kinds, minlength=HOURS_OF_WEEK) for kinds in (due, hit))
    usual = hits * len(due) >= count * len(hit)
    rate = hits[usual].sum() / max(count[usual].sum(), 1)
    few, chance = hits <= MOST_STARTED * rate * count, bdtr(hits, count, rate)
    return few & (rate * count >= LEAST_EXPECTED) & (chance <= LARGEST_CHANCE), few & (chance <= BESIDE)
