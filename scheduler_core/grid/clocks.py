"""Clusters advance alone for as long as none can affect another.

A cluster states a time before which no task of a workflow is done there (``no_completion_before``). No other cluster goes past
that time. So a cluster is never past the instant at which the grid gives it a task, and the order of advancing does not matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.common.units import NEVER_US
from scheduler_core.stepping.local_scheduler import BEFORE_US

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.stepping.local_scheduler import LocalScheduler

LAST_US = NEVER_US - 1


class Clocks:
    """The schedulers of the clusters, and how far each has come; they begin before time 0."""

    def __init__(self, schedulers: Sequence[LocalScheduler]) -> None:
        self.schedulers = schedulers
        self.now = [BEFORE_US] * len(schedulers)
        self.none_before = [NEVER_US] * len(schedulers)  # no task is done on a cluster before this

    @property
    def first_us(self) -> int:
        """The time before which no task is done anywhere."""
        return min(self.none_before)

    def at(self, cluster: int, now_us: int) -> LocalScheduler:
        """Return the scheduler of a cluster at a time at which no task is done there that is not known yet."""
        if self.now[cluster] < now_us:
            self.advance(cluster, now_us)
        return self.schedulers[cluster]

    def advance(self, cluster: int, until_us: int) -> list[int]:
        """Let a cluster go on to a time, or to the first time at which tasks are done there; return these."""
        scheduler = self.schedulers[cluster]
        done = scheduler.advance_to_completion(until_us)
        now = scheduler.now_us
        self.now[cluster] = now
        self.none_before[cluster] = max(scheduler.no_completion_before(), now + 1)
        return [completion.job for completion in done]

    def advance_first(self, until_us: int) -> tuple[int, list[int]]:
        """Advance the cluster where a task may be done first as far as it may; return its time and the tasks done then."""
        first = min(self.none_before)
        cluster = self.none_before.index(first)
        self.none_before[cluster] = min(until_us, LAST_US)
        done = self.advance(cluster, min(self.none_before))
        return self.now[cluster], done

    def done_at(self, now_us: int) -> list[int]:
        """Return further tasks that are done at a time which no cluster is past."""
        return [
            job
            for cluster, none_before in enumerate(self.none_before)
            if none_before <= now_us
            for job in self.advance(cluster, now_us)
        ]

    def finish(self) -> None:
        """Run every cluster to its end."""
        for scheduler in self.schedulers:
            scheduler.advance(LAST_US)
