"""The facts of a wait that every family has: who ran, who was ahead, who overtook, and how many processors were held."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from scheduler_core.common.errors import ContractError, found_words
from scheduler_core.common.units import NEVER_US

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule
    from scheduler_core.decisions.history import History


def row_of(schedule: Schedule, number: int) -> dict[str, Any]:
    """Return the row of a job that started, with its ``place`` in the workload."""
    if isinstance(number, bool) or not isinstance(number, (int, float, np.number)):
        raise ContractError(f"expected the number of a job; found {found_words(number)}")
    place = np.flatnonzero(schedule.jobs["job"].to_numpy() == number)
    if not len(place):
        numbers = schedule.jobs["job"].sort()
        known = (
            f"its {len(numbers):,} jobs are numbered {numbers[0]} to {numbers[-1]}" if len(numbers) else "it has none"
        )
        raise ContractError(f"the run has no job {number}; {known}")
    row = {"place": int(place[0]), **schedule.jobs.row(int(place[0]), named=True)}
    if row["start_us"] is None:
        raise ContractError(f"job {number} never started: it is {row['outcome']}")
    return row


MET = ("place", "job", "submit_us", "start_us", "finish_us", "size", "processors", "estimate_us", "cluster", "class")
"""What explanations ask of the jobs that a job meets."""


def accepted(history: History) -> pl.DataFrame:
    """Return the jobs that the machine is large enough for, with ``place``; times that never came are :data:`NEVER_US`."""
    jobs = history.schedule.jobs.with_row_index("place").filter(pl.col("outcome").cast(pl.String) != "rejected")
    known = [name for name in MET if name in jobs.columns]
    return jobs.select(known).with_columns(pl.col("start_us", "finish_us").fill_null(NEVER_US))


def others_of(history: History, job: dict[str, Any]) -> pl.DataFrame:
    """Return the other jobs that the machine is large enough for, and whether they were submitted ``before``."""
    submit, place = job["submit_us"], job["place"]
    before = (pl.col("submit_us") < submit) | ((pl.col("submit_us") == submit) & (pl.col("place") < place))
    return history.once(accepted).filter(pl.col("job") != job["job"]).with_columns(before=before)


def arrays_of(history: History) -> dict[str, np.ndarray]:
    """Return the columns of :func:`accepted` as arrays."""
    return {name: values.to_numpy() for name, values in history.once(accepted).to_dict().items()}


def met_by(history: History, job: dict[str, Any], *, of_cluster: bool = False) -> dict[str, np.ndarray]:
    """Return the columns ``place, job, start_us, finish_us, size, processors, before`` of :func:`others_of` as arrays.

    That takes less time. ``row`` has their rows in :func:`accepted`. ``of_cluster`` leaves out the jobs of other clusters.
    """
    every, submit, place = history.once(arrays_of), job["submit_us"], job["place"]
    meets = every["job"] != job["job"]
    others = np.flatnonzero(meets & (every["cluster"] == job["cluster"]) if of_cluster else meets)
    before = (every["submit_us"] < submit) | ((every["submit_us"] == submit) & (every["place"] < place))
    return {
        **{name: every[name][others] for name in ("place", "job", "start_us", "finish_us", "size", "processors")},
        "row": others,
        "before": before[others],
    }


def facts_of(
    schedule: Schedule,
    job: dict[str, Any],
    others: pl.DataFrame | Mapping[str, np.ndarray],
    queue: np.ndarray | None = None,
) -> dict[str, Any]:
    """Return the facts of an :class:`~scheduler_core.decisions.explained.Explanation` that follow from the table of jobs.

    Parameters
    ----------
    others
        The jobs that the job meets (:func:`others_of`, :func:`met_by`): of its cluster, where the machine has several.
    queue
        Which of them are in its queue; without it, all.
    """
    submit, start = job["submit_us"], job["start_us"]
    jobs, starts, finishes, before, sizes = (
        np.asarray(others[name]) for name in ("job", "start_us", "finish_us", "before", "size")
    )
    ahead = before & (starts > submit)
    if queue is not None:
        ahead &= queue
    overtook = np.flatnonzero(~before & (starts < start))  # in the order of the workload
    overtook = overtook[np.argsort(starts[overtook], kind="stable")]
    policy = schedule.run["policy"]
    return {
        "job": job["job"],
        "policy": str(policy.get("title", policy["name"])),
        "processors": schedule.machine.processors,
        "size": job["size"],
        "runtime_us": job["runtime_us"],
        "estimate_us": job["estimate_us"],
        "submit_us": submit,
        "start_us": start,
        "finish_us": job["finish_us"],
        "running": jobs[(starts <= submit) & (finishes > submit)].tolist(),
        "ahead": jobs[ahead].tolist(),
        "ahead_size": int(sizes[ahead].sum()),
        "overtook": jobs[overtook].tolist(),
        "ended": jobs[finishes == start].tolist(),
    }


@dataclass(frozen=True)
class Steps:
    """Processors held from an instant until another, as steps: ``at``, ``until``, and ``used`` by lane and step.

    A lane is a set of processors of its own: a machine, a cluster, or a slot of either.
    """

    at: np.ndarray
    until: np.ndarray
    lanes: list[Any]
    used: np.ndarray

    def of_lane(self, lane: Any) -> np.ndarray:
        """Return the processors held in a lane, by step."""
        return self.used[self.lanes.index(lane)] if lane in self.lanes else np.zeros(len(self.at), dtype=np.int64)


def steps_of(held: pl.DataFrame | Mapping[str, np.ndarray], low: int, high: int) -> Steps:
    """Return how many processors are held from ``low`` until ``high``: rows ``begin_us, end_us, processors, lane``."""
    begins, ends, sizes, in_lanes = (np.asarray(held[name]) for name in ("begin_us", "end_us", "processors", "lane"))
    near = np.flatnonzero((begins < high) & (ends > low) & (ends > begins))
    begin, end = begins[near].clip(low), ends[near].clip(max=high)
    at = np.unique(np.concatenate([[low], begin, end]))
    numbers, lane = np.unique(in_lanes[near], return_inverse=True)
    lanes = numbers.tolist()
    change = np.zeros((len(lanes), len(at)), dtype=np.int64)
    processors = sizes[near].astype(np.int64)
    np.add.at(change, (lane, np.searchsorted(at, begin)), processors)
    np.add.at(change, (lane, np.searchsorted(at, end)), -processors)
    some = at < high
    return Steps(at[some], np.append(at, high)[1:][some], lanes, np.cumsum(change, axis=1)[:, some])


def fitting(at: np.ndarray, until: np.ndarray, fits: np.ndarray) -> dict[str, Any]:
    """Return for how long, and from when on, a job would have fitted: ``fitting_us`` and ``fitted_first_us``."""
    return {"fitting_us": int((until - at)[fits].sum()), "fitted_first_us": int(at[fits][0]) if fits.any() else None}


class Holdings:
    """Rows ``job, begin_us, end_us, processor_ids`` of a table as arrays, from which some rows are counted again and again."""

    def __init__(self, held: pl.DataFrame) -> None:
        self.job, self.begin, self.end = (held[name].to_numpy() for name in ("job", "begin_us", "end_us"))
        self.many = held["processor_ids"].list.len().to_numpy().astype(np.int64)
        self.numbers = held["processor_ids"].explode().to_numpy()
        self.first = np.cumsum(self.many) - self.many

    def edges(self, low: int, high: int) -> np.ndarray:
        """Return when steps begin from ``low`` until ``high``: then, and whenever a row begins or ends."""
        at = np.unique(np.concatenate([[low], self.begin, self.end]))
        return at[(at >= low) & (at < high)]

    def counts(self, rows: np.ndarray, at: np.ndarray, processors: range) -> np.ndarray:
        """Return how many of some rows hold each processor, by steps that begin ``at`` instants."""
        many = self.many[rows]
        inside = np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
        places = self.numbers[np.repeat(self.first[rows], many) + inside] - processors.start
        change = np.zeros((len(at) + 1) * len(processors), dtype=np.int16)
        for times, step in ((self.begin, np.int16(1)), (self.end, np.int16(-1))):
            np.add.at(change, np.repeat(np.searchsorted(at, times[rows]), many) * len(processors) + places, step)
        return np.cumsum(change.reshape(-1, len(processors)), axis=0, dtype=np.int16)[:-1]
