"""The recent usage of users at any instant of a schedule, by which fair share orders jobs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from scheduler_core.space_sharing.policy import SpaceSharingPolicy
from scheduler_core.space_sharing.rules import setup_of

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload
    from scheduler_core.declarations.policy import Policy

FORGOTTEN = 64
"""Usage counts nothing so many windows later: the largest has been halved to less than one by then."""


def has_fair_share(policy: Policy) -> bool:
    """Return whether an order of a policy is fair share."""
    return isinstance(policy, SpaceSharingPolicy) and setup_of({**policy.fixed, **policy.values()}).shares


class Usage:
    """The recent usage of accounts, in processors times microseconds: one for each user, and one for all unknown users."""

    def __init__(self, jobs: pl.DataFrame, workload: Workload, words: Mapping[str, Any]) -> None:
        users = jobs.select("job").join(
            workload.jobs.select("job", "user"), on="job", how="left", maintain_order="left"
        )
        self.account = users["user"].rank("dense").cast(pl.Int64).fill_null(0).to_numpy()
        self.start, self.finish = jobs["start_us"].to_numpy(), jobs["finish_us"].to_numpy()
        self.size = jobs["size"].to_numpy().astype(np.int64)
        rules = setup_of(words).rules
        self.half_life, self.weight = rules.half_life, rules.usage_weight
        self.at_window: dict[int, np.ndarray] = {}

    def held(self, begin: int, end: int) -> np.ndarray:
        """Return the processor time that the jobs of each account held between two times."""
        rows = np.flatnonzero((self.start < end) & (self.finish > begin))
        time = np.minimum(self.finish[rows], end) - np.maximum(self.start[rows], begin)
        found = np.zeros(int(self.account.max(initial=0)) + 1, np.int64)
        np.add.at(found, self.account[rows], self.size[rows] * time)
        return found

    def before(self, window: int) -> np.ndarray:
        """Return what counts at the begin of a window of earlier usage: by account, then of all jobs."""
        if window not in self.at_window:
            found = np.zeros(int(self.account.max(initial=0)) + 2, np.int64)
            for one in range(max(0, window - FORGOTTEN), window):
                found = (found + with_total(self.held(one * self.half_life, (one + 1) * self.half_life))) >> 1
            self.at_window[window] = found
        return self.at_window[window]

    def shares(self, rows: np.ndarray, now: int) -> np.ndarray:
        """Return the shares of the recent usage that the users of jobs have at a time."""
        window = now // self.half_life
        usage = self.before(window) + with_total(self.held(window * self.half_life, now))
        if usage[-1] == 0:
            return np.zeros(len(rows))
        shares: np.ndarray = usage[self.account[rows]].astype(np.float64) / np.float64(usage[-1])
        return shares

    def later(self, rows: np.ndarray, now: int) -> np.ndarray:
        """Return by how much later jobs count as submitted at a time, in microseconds."""
        return (np.float64(self.weight) * self.shares(rows, now)).astype(np.int64)


def with_total(usage: np.ndarray) -> np.ndarray:
    """Return the usage of all accounts, and their sum behind it."""
    return np.append(usage, usage.sum())
