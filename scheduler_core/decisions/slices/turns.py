"""The slices of a wait: whose turn it was, who ran, and whether the job would have fitted.

A started, unfinished job of a class holds its processors against the other jobs of its class, also while another class has its
turn. So a waiting job *fits* while its size is free of running jobs and of those that its own class holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scheduler_core.decisions.waits import Holdings

SWITCHING = -1
"""Instead of a class's number: no slice works."""


@dataclass(frozen=True)
class Turn:
    """A slice that worked during a wait, of the class with the number ``kind``: from ``begin_us`` until ``end_us`` of the wait.

    ``jobs`` ran in it, the one with most processor time first. ``most_free`` and ``most_room`` are the most processors that no
    job ran on, and that the job's class did not hold either. ``fitting_us`` is how long the job would have fitted.
    """

    kind: int
    begin_us: int
    end_us: int
    jobs: list[int]
    most_free: int
    most_room: int
    fitting_us: int


@dataclass(frozen=True)
class Rooms:
    """The wait in steps: ``at`` and ``until``, the class that has its turn (``kind``), and processors.

    ``free`` processors run no job; on those with ``room`` no job of the class has started and not finished, either.
    """

    at: np.ndarray
    until: np.ndarray
    kind: np.ndarray
    free: np.ndarray
    room: np.ndarray


Rows = tuple[Holdings, np.ndarray]
"""Some rows of a table."""


def rooms_of(held: Rows, kept: Rows, slices: Sequence[np.ndarray], processors: range, low: int, high: int) -> Rooms:
    """Return the free processors from ``low`` until ``high``, step by step.

    Parameters
    ----------
    held, kept
        Allocations of other jobs, and what the started jobs of the class hold until they finish.
    slices
        Begin, end and class of the slices, from the begin of their work.
    processors
        The numbers of the cluster's processors.
    """
    tables = [(one, rows[(one.begin[rows] < high) & (one.end[rows] > low)]) for one, rows in (held, kept)]
    works = np.flatnonzero((slices[0] < high) & (slices[1] > low))
    edges = [times[rows] for one, rows in tables for times in (one.begin, one.end)]
    at = np.unique(np.concatenate([[low], *edges, slices[0][works], slices[1][works]]))
    at = at[(at >= low) & (at < high)]
    counts = [one.counts(rows, at, processors) for one, rows in tables]
    kind = np.full(len(at), SWITCHING)
    bounds = np.searchsorted(at, slices[0][works]), np.searchsorted(at, slices[1][works])
    for begin, end, number in zip(*bounds, slices[2][works], strict=True):
        kind[begin:end] = number
    idle = counts[0] == 0
    return Rooms(at, np.append(at, high)[1:], kind, idle.sum(axis=1), (idle & (counts[1] == 0)).sum(axis=1))


def turns_of(rooms: Rooms, held: tuple[np.ndarray, ...], slices: Sequence[np.ndarray], size: int) -> list[Turn]:
    """Return the slices that worked during a wait, in order of time; ``held`` are columns of allocations."""
    if not len(rooms.at):
        return []
    low, high = int(rooms.at[0]), int(rooms.until[-1])
    found = []
    near = np.flatnonzero((slices[0] < high) & (slices[1] > low))
    for begin, end, kind in zip(*(column[near].tolist() for column in slices), strict=True):
        first, last = max(begin, low), min(end, high)
        within = slice(*np.searchsorted(rooms.at, (first, last)))
        fits = rooms.room[within] >= size
        found.append(
            Turn(
                kind,
                first,
                last,
                ran_most(held, first, last),
                int(rooms.free[within].max()),
                int(rooms.room[within].max()),
                int((rooms.until - rooms.at)[within][fits].sum()),
            )
        )
    return found


def ran_most(held: tuple[np.ndarray, ...], low: int, high: int) -> list[int]:
    """Return the jobs that ran between two times, the one with most processor time first; ``held`` are columns of allocations."""
    job, begin, end, processors = held
    ran = (begin < high) & (end > low)
    numbers, place = np.unique(job[ran], return_inverse=True)
    area = np.zeros(len(numbers), dtype=np.int64)
    np.add.at(area, place, (end[ran].clip(max=high) - begin[ran].clip(low)) * processors[ran])
    most: list[int] = numbers[np.lexsort((numbers, -area))].tolist()
    return most
