"""The world of policies that users write in Python: the queue, the running jobs and the clock, one instant at a time."""

from __future__ import annotations

import heapq
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Sequence
from operator import index
from typing import Any, NamedTuple

import numpy as np

from scheduler_core.common.errors import PolicyError
from scheduler_core.common.units import MICROSECONDS, NEVER_US
from scheduler_core.space_sharing.own_policy import line_of
from scheduler_core.space_sharing.own_view import CallAgain, Job, Jobs, Promise, Start, Suspend

STRANGER = Job(-1, 0.0, 0, 0.0, None, None, None, None, None, -1)
"""Stands for a job that does not wait."""

PROGRESS_CALLS = 4096
"""Calls of a policy between two reports of progress."""

IDLE_CALLS = 100_000
"""Calls in a row that may start no job while none runs and none is to come; a policy that asks for more never ends."""

SHOWN = 5
"""Jobs that an error names."""

ALONE = (Job, Start, CallAgain, Promise, Suspend, str, bytes)
"""Answers that are one element, although they can be iterated over."""


def elements(chosen: Any) -> list[Any]:
    """Return the elements of a policy's answer, which may also be a single one, or None for nothing."""
    if type(chosen) is list:
        return chosen
    if chosen is None:
        return []
    return [chosen] if isinstance(chosen, ALONE) or not isinstance(chosen, Iterable) else list(chosen)


class Outcome(NamedTuple):
    """What became of the jobs, by their positions: starts in microseconds, and what :class:`World` says of the rest."""

    start_us: Sequence[int] | np.ndarray
    calls: int
    promises: list[tuple[int, int, int]]
    placed: dict[int, tuple[int, ...]]


class World:
    """The state of a simulation, which :meth:`instants` advances and :meth:`take` changes.

    ``jobs`` are in the order of submission, with ``submit_us`` and ``run_us``, the time for which each runs. ``start_us`` has the
    start of each job, negative until it starts; ``placed`` the processors of each job that was given its own; ``promises`` the
    promises in order: position of the job, when made, latest start. ``standstills`` are those that have not ended, begin and end
    of each. All times are in microseconds. ``title`` names the policy in errors, and
    ``file`` is where it stands.
    """

    def __init__(
        self,
        title: str,
        jobs: list[Job],
        submit_us: list[int],
        run_us: list[int],
        processors: int,
        standstills: Iterable[tuple[int, int]] = (),
        file: str = "",
    ) -> None:
        self.file = file
        self.title, self.jobs, self.submit_us, self.run_us = title, jobs, submit_us, run_us
        self.by_number = {job.number: job for job in jobs}
        self.start_us = [-1] * len(jobs)
        self.queue: OrderedDict[int, Job] = OrderedDict()  # the first of a dict is slow to find where many have left it
        self.held: dict[int, Job] = {}
        self.waiting, self.running = Jobs(self.queue), Jobs(self.held)
        self.ends: list[tuple[int, int]] = []
        self.again: list[int] = []
        self.processors = self.free = processors
        self.unoccupied: set[int] | None = None  # processors by number, once a job has been given its own
        self.placed: dict[int, tuple[int, ...]] = {}
        self.promises: list[tuple[int, int, int]] = []
        self.standstills = deque(standstills)
        self.coming = self.calls = self.now = 0
        self.idle = 0  # calls since the last start at which no job ran and none was to come

    def instants(self) -> Iterator[int]:
        """Yield each time at which a policy is called: after the completions and submissions of that time, if jobs wait.

        No policy is called in a standstill; its end is such a time.

        Raise :class:`PolicyError` when the jobs which wait would wait for ever.
        """
        total, waiting, submit_us, ends = len(self.jobs), self.queue, self.submit_us, self.ends
        while self.coming < total or waiting:
            now = self.next_instant()
            if now is None or self.idle == IDLE_CALLS:
                raise PolicyError(self.where() + self.stuck_words())
            self.now = now
            while ends and ends[0][0] <= now:
                self.end(heapq.heappop(ends)[1])
            while self.coming < total and submit_us[self.coming] <= now:
                waiting[self.coming] = self.jobs[self.coming]
                self.coming += 1
            while self.again and self.again[0] <= now:
                heapq.heappop(self.again)
            while self.standstills and self.standstills[0][1] <= now:
                self.standstills.popleft()
            if waiting and not self.stands_still:
                self.calls += 1
                self.idle += self.coming == total and not self.held
                yield now

    def next_instant(self) -> int | None:
        """Return the time of the next event; None when nothing will happen any more."""
        times = [self.submit_us[self.coming]] if self.coming < len(self.submit_us) else []
        times += [self.ends[0][0]] if self.ends else []
        times += [self.again[0]] if self.again else []
        times += [self.standstills[0][1]] if self.stands_still else []
        return min(times, default=None)

    @property
    def outcome(self) -> Outcome:
        """What has become of the jobs."""
        return Outcome(self.start_us, self.calls, self.promises, self.placed)

    @property
    def stands_still(self) -> bool:
        """Whether no job may start now."""
        return bool(self.standstills) and self.standstills[0][0] <= self.now < self.standstills[0][1]

    def end(self, position: int) -> None:
        """Release the processors of a job."""
        self.free += self.held.pop(position).size
        if self.unoccupied is not None:
            self.unoccupied.update(self.placed[position])

    def take(self, chosen: Any) -> None:
        """Do what a policy chose: start jobs, and keep promises and times of further calls."""
        for one in elements(chosen):
            if type(one) is Job:
                self.begin(one)
            elif type(one) is Start:
                self.begin(self.job_of(one.job), one.processors, one.size)
            elif type(one) is list or type(one) is tuple:
                self.take(one)
            elif type(one) is CallAgain:
                self.call_again(one)
            elif type(one) is Promise:
                self.promise(one)
            elif type(one) is Suspend:
                number = self.job_of(one.job).number
                raise PolicyError(f"{self.where()}it suspends job {number}; write @slotwise.preemptive above it")
            else:
                self.begin(self.job_of(one))

    def job_of(self, one: Any) -> Job:
        """Return the job that is meant, by itself or by its number."""
        if type(one) is Job:
            return one
        if not isinstance(one, int | np.integer) or isinstance(one, bool) or int(one) not in self.by_number:
            raise PolicyError(
                f"{self.where()}it returned {one!r}; expected jobs of `waiting`, their numbers, Start, Promise, "
                "CallAgain(seconds), or Suspend if it is preemptive"
            )
        return self.by_number[int(one)]

    def queued(self, asked: Job, does: str) -> Job:
        """Return the waiting job. Size and estimate are those of the queue, whatever object the policy returned."""
        job = self.queue.get(asked.position, STRANGER)
        if job.number != asked.number:
            raise PolicyError(f"{self.where()}it {does} job {asked.number}, which {self.state_words(asked)}")
        return job

    def begin(self, asked: Job, processors: Iterable[int] | None = None, size: int | None = None) -> None:
        """Start a waiting job now."""
        if size is not None:
            raise PolicyError(
                f"{self.where()}it gives job {asked.number} a size; write @slotwise.moldable above it, or leave the size out"
            )
        self.start(self.queued(asked, "starts"), processors)

    def start(self, job: Job, processors: Iterable[int] | None) -> None:
        """Start a job of the queue now."""
        now = self.now
        if job.size > self.free:
            raise PolicyError(
                f"{self.where()}it starts job {job.number} of {job.size:,} processors, but {self.free:,} are free"
            )
        places = None
        if processors is not None or self.unoccupied is not None:
            places = self.placed[job.position] = self.place(job, processors)
        del self.queue[job.position]
        self.idle = 0
        self.start_us[job.position] = now
        self.free -= job.size
        started = now / MICROSECONDS
        running = job._replace(started=started, expected_end=started + job.estimate, processors=places)
        self.held[job.position] = running
        heapq.heappush(self.ends, (now + self.length_us(job.position), job.position))

    def length_us(self, position: int) -> int:
        """Return for how long a job runs, in microseconds, from its start now."""
        return self.run_us[position]

    def place(self, job: Job, processors: Iterable[int] | None) -> tuple[int, ...]:
        """Occupy the processors that a job was given; return them in order."""
        where = f"{self.where()}it starts job {job.number} "
        if self.unoccupied is None and max(self.start_us) < 0:
            self.unoccupied = set(range(self.processors))
        if self.unoccupied is None or processors is None:
            raise PolicyError(f"{where}and names processors for some jobs only; name them for all jobs, or for none")
        try:
            places = tuple(sorted(map(index, processors)))
        except TypeError:
            raise PolicyError(f"{where}on {processors!r}; expected the numbers of its processors") from None
        if len(places) != job.size or len(set(places)) != job.size:
            raise PolicyError(f"{where}on processors {list(places)}; expected {job.size:,} different ones")
        if taken := [place for place in places if place not in self.unoccupied]:
            raise PolicyError(
                f"{where}on processor {taken[0]}, which is not free; the machine has 0 to {self.processors - 1:,}"
            )
        self.unoccupied.difference_update(places)
        return places

    def call_again(self, asked: CallAgain) -> None:
        """Keep a time at which the policy wants to be called."""
        at = self.instant_of(asked.at)
        if at <= self.now:
            raise PolicyError(f"{self.where()}it asks to be called again at {asked.at:,g} s, which is not later")
        heapq.heappush(self.again, at)

    def promise(self, made: Promise) -> None:
        """Record a promise to a waiting job; the checker judges whether it is kept."""
        job = self.queued(self.job_of(made.job), "makes a promise to")
        if job.suspended:
            raise PolicyError(
                f"{self.where()}it promises a start to job {job.number}, which was suspended after its start"
            )
        latest = self.instant_of(made.start_s)
        if latest < self.now:
            raise PolicyError(
                f"{self.where()}it promises job {job.number} a start at {made.start_s:,g} s, which is past"
            )
        self.promises.append((job.position, self.now, latest))

    def instant_of(self, seconds: Any) -> int:
        """Return a time that a policy gave in seconds, in microseconds."""
        try:
            time = round(seconds * MICROSECONDS)
        except (TypeError, ValueError, OverflowError):
            time = NEVER_US
        if not -NEVER_US < time < NEVER_US:
            raise PolicyError(f"{self.where()}it returned the time {seconds!r}; expected seconds, as `now`")
        return time

    def state_words(self, asked: Job) -> str:
        """Return why a job cannot start, because it does not wait."""
        job = self.by_number.get(asked.number)
        if job is None:
            return "is no job of the workload"
        return "has started already" if self.start_us[job.position] >= 0 else "has not been submitted yet"

    def where(self) -> str:
        """Return which policy failed and when, as the beginning of an error."""
        return f"{self.title}, call {self.calls:,} at {self.now / MICROSECONDS:,.10g} s: "

    def raised(self, error: Exception) -> PolicyError:
        """Return the error for a policy that raised one itself."""
        return PolicyError(f"{self.where()}it raised {type(error).__name__}: {error}{line_of(error, self.file)}")

    def interrupted(self, stop: KeyboardInterrupt) -> KeyboardInterrupt:
        """Return an interruption that says in which call, and at which line, the policy was."""
        return KeyboardInterrupt(f"in {self.where()}it had not answered{line_of(stop, self.file)}")

    def stuck_words(self) -> str:
        """Return that the jobs which wait would wait for ever."""
        numbers = ", ".join(str(job.number) for job in list(self.queue.values())[:SHOWN])
        more = f" and {len(self.queue) - SHOWN:,} more" if len(self.queue) > SHOWN else ""
        calls = f" in {self.idle:,} calls" if self.idle == IDLE_CALLS else ""
        return f"no job runs and it starts none{calls}, so these jobs would wait for ever: {numbers}{more}"
