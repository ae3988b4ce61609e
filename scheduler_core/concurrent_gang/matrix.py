"""The matrix of Concurrent Gang: rows that take turns, each with jobs side by side (da Silva 2000, sections 2.1 and 5.3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scheduler_core.concurrent_gang.policies.concurrent_gang import ConcurrentGang

IDLE = -1
"""What a row holds for a processor where it names no task."""

ENDLESS = np.iinfo(np.int64).max


class Matrix:
    """Rows, each with a column per processor: numbers of tasks, ``IDLE`` where the row names none.

    ``first_task`` has the number of the first task of the job at each position, and of all tasks. ``turn`` is the row that has
    its turn, -1 if none has.
    """

    def __init__(self, policy: ConcurrentGang, processors: int, first_task: np.ndarray) -> None:
        self.packing, self.first_task = policy.packing, first_task
        self.level = ENDLESS if isinstance(policy.level, str) else policy.level
        self.rows = np.zeros((0, processors), dtype=np.int64)
        self.idle = np.zeros(0, dtype=np.int64)  # idle processors of each row
        self.turn = -1

    def spaces(self, eligible: np.ndarray) -> np.ndarray:
        """Return how many eligible processors are idle in each row, in rows that may take a further job."""
        if self.packing == "one_job":
            return np.zeros(0, dtype=np.int64)
        return self.idle if eligible.all() else ((self.rows == IDLE) & eligible).sum(axis=1)

    def largest(self, eligible: np.ndarray) -> int:
        """Return the size of the largest job that can be placed; every smaller job can be placed, too."""
        in_rows = int(self.spaces(eligible).max(initial=0))
        return max(in_rows, int(eligible.sum())) if len(self.rows) < self.level else in_rows

    def place(self, job: int, eligible: np.ndarray) -> np.ndarray:
        """Place a job for which there is room; return its processors in ascending order."""
        numbers = np.arange(self.first_task[job], self.first_task[job + 1])
        spaces = self.spaces(eligible)
        enough = np.flatnonzero(spaces >= len(numbers))
        if not len(enough):
            row = len(self.rows)
            self.rows = np.concatenate([self.rows, np.full((1, self.rows.shape[1]), IDLE)])
            self.idle = np.append(self.idle, self.rows.shape[1])
        elif self.packing == "best_fit":
            row = int(enough[np.argmin(self.idle[enough])])
        else:
            row = int(enough[0])
        places = np.flatnonzero((self.rows[row] == IDLE) & eligible)[: len(numbers)]
        self.rows[row, places] = numbers
        self.idle[row] -= len(numbers)
        return places

    def take_out(self, numbers: np.ndarray, processors: np.ndarray) -> None:
        """Make the places of tasks idle; ``processors`` are the ones they are bound to."""
        rows, at = np.nonzero(self.rows[:, processors] == numbers)
        self.rows[rows, processors[at]] = IDLE
        np.add.at(self.idle, rows, 1)

    def leave(self, job: int, processors: np.ndarray) -> None:
        """Remove a job that holds these processors; an empty row is deleted, and the turn steps back if it was there or later."""
        self.take_out(np.arange(self.first_task[job], self.first_task[job + 1]), processors)
        for row in np.flatnonzero(self.idle == self.rows.shape[1]):
            self.rows, self.idle = np.delete(self.rows, row, axis=0), np.delete(self.idle, row)
            self.turn -= int(row <= self.turn)

    def next_turn(self, slices: int) -> int:
        """Return the row whose turn comes now, -1 if there are no rows; ``slices`` is not used."""
        self.turn = (self.turn + 1) % len(self.rows) if len(self.rows) else -1
        return self.turn
