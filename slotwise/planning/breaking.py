"""How often a log itself breaks a ceiling for each user: no rule of a site is broken by many of its own starts."""

from __future__ import annotations

import numpy as np
import polars as pl

from slotwise.planning.waits import HOUR_US

MOST_BREAKING = 0.05
"""The most starts beyond a ceiling, as a share of all, that a log may record if a fit tries the ceiling.

Sites change rules and make exceptions; how many is chosen here."""


def is_kept(ceiling: float, loads: np.ndarray) -> bool:
    """Return whether a log keeps a ceiling, by its :func:`loads_at_starts`, but for a share of :data:`MOST_BREAKING`."""
    return int(np.count_nonzero(loads > ceiling * (1 + 1e-9))) <= MOST_BREAKING * len(loads)


def loads_at_starts(known: pl.DataFrame, name: str) -> np.ndarray:
    """Return what a ceiling bounds, at each recorded start: of the job's user, with the job itself.

    Parameters
    ----------
    known
        Jobs with a recorded wait; those of unknown users are left out.
    name
        ``user_jobs``: running jobs. ``user_processor_h``: processors times remaining estimate of the running jobs, in hours.

    Returns
    -------
    numpy.ndarray
        A number for each job, in no particular order; 0 for a job that starts while no other of its user runs, because no ceiling
        holds it.
    """
    jobs = known.drop_nulls("user").select(
        "user",
        "estimate_us",
        "size",
        start_us=pl.col("submit_us") + pl.col("recorded_wait_us"),
        run_us=pl.min_horizontal("runtime_us", "estimate_us"),
    )
    by_user = jobs.sort("user", "start_us", maintain_order=True).partition_by("user", include_key=False)
    found = [loads_of_user(own, name) for own in by_user]
    return np.concatenate(found) if found else np.empty(0)


def loads_of_user(jobs: pl.DataFrame, name: str) -> np.ndarray:
    """Return what a ceiling bounds at each start of one user's jobs, which are sorted by their starts.

    Whole numbers of microseconds tell which jobs have ended: under a ceiling, jobs start at the instants at which others end.
    """
    start_us, run_us, estimate_us, size = (
        jobs[column].to_numpy() for column in ("start_us", "run_us", "estimate_us", "size")
    )
    end_us = start_us + run_us
    by_end = np.argsort(end_us, kind="stable")
    started = np.arange(1, len(start_us) + 1)
    ended = np.minimum(np.searchsorted(end_us[by_end], start_us, side="right"), started - 1)
    running = started - ended
    if name == "user_jobs":
        return np.where(running > 1, running, 0)
    start_h = start_us / HOUR_US
    until_h = start_h + estimate_us / HOUR_US
    held, held_until = (summed(size * weight) for weight in (1.0, until_h))
    gone, gone_until = (summed((size * weight)[by_end]) for weight in (1.0, until_h))
    left = held_until[started] - gone_until[ended] - start_h * (held[started] - gone[ended])
    return np.where(running > 1, left, 0)


def summed(values: np.ndarray) -> np.ndarray:
    """Return the sums of the first 0, 1, 2, ... values."""
    return np.concatenate([[0.0], np.cumsum(values)])
