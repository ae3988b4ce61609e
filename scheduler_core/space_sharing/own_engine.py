"""The event loop of policies that users write in Python."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from scheduler_core.common.errors import PolicyError
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.contracts import Schedule, Workload
from scheduler_core.kernel.tables import dedicated_allocations
from scheduler_core.space_sharing.family import FAMILY
from scheduler_core.space_sharing.own_policy import line_of
from scheduler_core.space_sharing.own_view import CallAgain, Job, Jobs
from scheduler_core.stepping.engine_shell import Became, Shell

if TYPE_CHECKING:
    from scheduler_core.declarations.policy import Progress
    from scheduler_core.space_sharing.own_policy import Choose, OwnPolicy

NUMBERS = ("user", "group", "queue", "partition", "executable")
STRANGER = Job(-1, 0.0, 0, 0.0, None, None, None, None, None, -1)
"""Stands for a job that does not wait."""

SHOWN = 5
"""Jobs that an error names."""


def run(policy: OwnPolicy, workload: Workload, progress: Progress | None = None) -> Schedule:
    """Simulate a workload; raise :class:`PolicyError` when the function fails, or returns what cannot be done."""
    shell = Shell(FAMILY, policy, workload)
    world = World(policy, shell, workload)
    with shell.kernel():
        world.run(progress)
    start = np.array(world.start, np.int64)
    counters = {"passes": world.calls, "candidates_looked_at": 0, "backfilled": 0, "reservations_moved": 0}
    return shell.schedule(Became(start, start + world.run_us), counters, dedicated_allocations)


class World:
    """The state of a simulation: the queue, the running jobs, the clock and the function that chooses."""

    def __init__(self, policy: OwnPolicy, shell: Shell, workload: Workload) -> None:
        self.title, self.file = policy.title, policy.file
        self.choose: Choose = policy.choose()
        self.jobs = jobs_of(shell)
        self.submit_us: list[int] = shell.column("submit_us").tolist()
        self.run_us = np.minimum(shell.column("runtime_us"), shell.column("estimate_us"))
        self.lengths: list[int] = self.run_us.tolist()
        self.by_number = {job.number: job for job in self.jobs}
        self.start = [-1] * len(self.jobs)
        self.waiting: dict[int, Job] = {}
        self.running: dict[int, Job] = {}
        self.ends: list[tuple[int, int]] = []
        self.again: list[int] = []
        self.free = workload.machine.processors
        self.calls = self.now = 0

    def run(self, progress: Progress | None) -> None:
        """Go from instant to instant: completions, submissions, then one call of the policy."""
        coming, total = 0, len(self.jobs)
        seen_waiting, seen_running = Jobs(self.waiting), Jobs(self.running)
        while coming < total or self.waiting:
            now = self.next_instant(coming)
            if now is None:
                raise PolicyError(self.where(self.now) + self.stuck_words())
            self.now = now
            while self.ends and self.ends[0][0] <= now:
                _, position = heapq.heappop(self.ends)
                self.free += self.running.pop(position).size
            while coming < total and self.submit_us[coming] <= now:
                self.waiting[coming] = self.jobs[coming]
                coming += 1
            while self.again and self.again[0] <= now:
                heapq.heappop(self.again)
            if self.waiting:
                self.call(now, seen_waiting, seen_running)
            if progress is not None and not self.calls % 4096:
                progress(coming, total)

    def next_instant(self, coming: int) -> int | None:
        """Return the time of the next event in microseconds; None when nothing will happen any more."""
        times = [self.submit_us[coming]] if coming < len(self.submit_us) else []
        times += [self.ends[0][0]] if self.ends else []
        times += [self.again[0]] if self.again else []
        return min(times, default=None)

    def call(self, now: int, waiting: Jobs, running: Jobs) -> None:
        """Let the policy choose, and start what it chooses."""
        self.calls += 1
        try:
            chosen = self.choose(now / MICROSECONDS, waiting, running, self.free)
        except Exception as error:
            raise PolicyError(
                f"{self.where(now)}it raised {type(error).__name__}: {error}{line_of(error, self.file)}"
            ) from error
        if chosen is None:
            return
        if type(chosen) is not list:
            alone = not isinstance(chosen, Iterable) or isinstance(chosen, str | bytes | Job | CallAgain)
            chosen = [chosen] if alone else list(chosen)
        for one in chosen:
            if type(one) is CallAgain:
                self.ask_again(one, now)
            else:
                self.begin(one if type(one) is Job else self.job_of(one, now), now)

    def ask_again(self, asked: CallAgain, now: int) -> None:
        """Keep a time at which the policy wants to be called."""
        at = round(asked.at * MICROSECONDS)
        if at <= now:
            raise PolicyError(f"{self.where(now)}it asks to be called again at {asked.at:,g} s, which is not later")
        heapq.heappush(self.again, at)

    def job_of(self, one: Any, now: int) -> Job:
        """Return the job that an element of the answer names."""
        if not isinstance(one, int | np.integer) or isinstance(one, bool) or int(one) not in self.by_number:
            raise PolicyError(
                f"{self.where(now)}it returned {one!r}; expected jobs of `waiting`, their numbers, or CallAgain(seconds)"
            )
        return self.by_number[int(one)]

    def begin(self, job: Job, now: int) -> None:
        """Start a waiting job. Size and estimate are those of the queue, whatever object the policy returned."""
        asked, job = job, self.waiting.get(job.position, STRANGER)
        if job.number != asked.number:
            raise PolicyError(f"{self.where(now)}it starts job {asked.number}, which {self.state_words(asked)}")
        if job.size > self.free:
            raise PolicyError(
                f"{self.where(now)}it starts job {job.number} of {job.size:,} processors, but {self.free:,} are free"
            )
        del self.waiting[job.position]
        self.start[job.position] = now
        self.free -= job.size
        started = now / MICROSECONDS
        self.running[job.position] = Job(
            *job[:-2], started, started + job.estimate
        )  # the last two are those of a running job
        heapq.heappush(self.ends, (now + self.lengths[job.position], job.position))

    def state_words(self, asked: Job) -> str:
        """Return why a job cannot start, because it does not wait."""
        job = self.by_number.get(asked.number)
        if job is None:
            return "is no job of the workload"
        return "has started already" if self.start[job.position] >= 0 else "has not been submitted yet"

    def where(self, now: int) -> str:
        """Return which policy failed and when, as the beginning of an error."""
        return f"{self.title}, call {self.calls:,} at {now / MICROSECONDS:,.10g} s: "

    def stuck_words(self) -> str:
        """Return that the jobs which wait would wait for ever."""
        numbers = ", ".join(str(job.number) for job in list(self.waiting.values())[:SHOWN])
        more = f" and {len(self.waiting) - SHOWN:,} more" if len(self.waiting) > SHOWN else ""
        return f"no job runs and it starts none, so these would wait for ever: {numbers}{more}"


def jobs_of(shell: Shell) -> list[Job]:
    """Return the jobs that take part, in the order of the workload."""
    table = shell.jobs
    count = table.height
    known = [table[name].to_list() if name in table.columns else [None] * count for name in NUMBERS]
    seconds = [(table[name] / MICROSECONDS).to_list() for name in ("submit_us", "estimate_us")]
    columns = (table["job"].to_list(), seconds[0], table["size"].to_list(), seconds[1], *known, range(count))
    return list(map(Job, *columns))
