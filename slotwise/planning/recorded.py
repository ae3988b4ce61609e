"""What a log itself says of its machine: how busy it was, and which jobs waited although they would have fitted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from scheduler_core.common.errors import ContractError
from scheduler_core.common.units import MICROSECONDS
from slotwise.planning.waits import HOUR_US
from traces.shape.recorded import Recorded

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

LEAST_KNOWN = 0.5
"""The least share of jobs with a recorded wait."""


@dataclass(frozen=True)
class Use:
    """The recorded use of a machine.

    Shares of time are of the time from the first submission to the last recorded end.
    """

    processors: int
    quantiles: dict[str, float]  # processors in use, by share of the time
    most: int  # processors in use at once
    time_above: float  # share of time in which more processors are in use than the machine has
    wait_fitting: float  # share of all waiting in which the waiting job would have fitted
    jobs_fitting: float  # share of jobs that waited over a minute and would have fitted for over a minute of it
    time_fitting: float  # share of time in which a waiting job would have fitted
    standstills: (
        int  # periods of an hour and more without any start, in which a waiting job would have fitted throughout
    )
    standstill_h: float  # their length in all
    outages: int  # periods of an hour and more in which jobs wait and none runs
    outage_h: float

    def at(self, share: float) -> float:
        """Return the processors in use that are not exceeded for a share of the time; one of those in ``quantiles``."""
        return self.quantiles[f"{share:g}"]


def with_recorded_wait(workload: Workload) -> pl.DataFrame:
    """Return the jobs whose wait the log recorded.

    Raise :class:`ContractError` when the log recorded too few waits to judge by, or only waits of 0.
    """
    jobs = workload.jobs
    if "recorded_wait_us" not in jobs.columns or not len(workload):
        raise ContractError(
            "the log records no waits (field 3 of SWF), so no simulation can be compared with what happened"
        )
    known = jobs.drop_nulls("recorded_wait_us")
    if known.height < LEAST_KNOWN * jobs.height:
        raise ContractError(
            f"the log records the wait of {known.height:,} of {jobs.height:,} jobs; at least half are needed to compare a "
            "simulation with what happened"
        )
    if not known["recorded_wait_us"].max():
        raise ContractError(
            "every wait that the log records (field 3 of SWF) is 0, so no simulation can be compared with what happened"
        )
    return known


def recorded_use(jobs: pl.DataFrame, processors: int) -> Use:
    """Return the recorded use of a machine of ``processors`` by jobs with a recorded wait (:func:`with_recorded_wait`)."""
    recorded = Recorded(jobs, processors)
    used, lengths, wait_us = recorded.used, recorded.lengths, recorded.wait_us
    fitted, fitting = recorded.fits
    span = max(int(lengths.sum()), 1)
    still, out = (long_ones(periods) for periods in (recorded.standstills(), recorded.outages()))
    waited = wait_us > 60 * MICROSECONDS
    return Use(
        processors=processors,
        quantiles=time_quantiles(used, lengths),
        most=int(used.max(initial=0)),
        time_above=float(lengths[used > processors].sum() / span),
        wait_fitting=float(fitted.sum() / max(wait_us.sum(), 1)),
        jobs_fitting=float((fitted[waited] > 60 * MICROSECONDS).sum() / max(waited.sum(), 1)),
        time_fitting=float(lengths[fitting > 0].sum() / span),
        standstills=len(still),
        standstill_h=int(still.sum()) / HOUR_US,
        outages=len(out),
        outage_h=int(out.sum()) / HOUR_US,
    )


def time_quantiles(used: np.ndarray, lengths: np.ndarray) -> dict[str, float]:
    """Return the processors in use that are not exceeded for a share of the time."""
    order = np.argsort(used, kind="stable")
    share = np.cumsum(lengths[order]) / max(int(lengths.sum()), 1)
    return {
        f"{quantile:g}": float(used[order][min(int(np.searchsorted(share, quantile)), used.size - 1)])
        for quantile in (0.5, 0.9, 0.95, 0.99, 0.999, 1.0)
    }


def long_ones(periods: np.ndarray) -> np.ndarray:
    """Return the lengths of the periods of an hour and more."""
    lengths = periods[:, 1] - periods[:, 0]
    return lengths[lengths >= HOUR_US]
