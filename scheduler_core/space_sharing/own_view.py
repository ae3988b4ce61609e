"""What a policy of the user's own sees: jobs and their columns, all read-only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

import numpy as np

NUMBERS = ("user", "group", "queue", "partition", "executable")
"""What a log may not state of a job."""


class Job(NamedTuple):
    """A job as its scheduler knows it; times are in seconds since the workload's zero.

    ``position`` is its place in the workload. Numbers that the log does not state are None, as are ``started`` and
    ``expected_end`` (start and estimate) of a job that waits, and ``processors`` of a job that was given none by number.

    Preemptive policies also see ``remaining``, the seconds of its estimate that are left at the time of the call, and whether it
    is ``suspended``; both are None for other policies. There ``started`` is when a running job started or was last resumed.
    """

    number: int
    submitted: float
    size: int
    estimate: float
    user: int | None
    group: int | None
    queue: int | None
    partition: int | None
    executable: int | None
    position: int
    started: float | None = None
    expected_end: float | None = None
    processors: tuple[int, ...] | None = None
    remaining: float | None = None
    suspended: bool | None = None


class Start(NamedTuple):
    """Starts a job on certain processors: ``Start(job, processors=[0, 1])``.

    Processors are numbered from 0. They must be free, different, and as many as the job's size. A policy names the processors of
    all jobs or of none; running jobs have theirs in ``processors``.
    """

    job: Job | int
    processors: Iterable[int] | None = None


class Promise(NamedTuple):
    """Promises a waiting job a start no later than a time, in seconds since the workload's zero.

    A policy of your own returns it among the jobs to start. The schedule records it, and the checker proves that no start delays
    it. A job may be promised several times; every promise counts. A time before now is an error.
    """

    job: Job | int
    start_s: float


class Suspend(NamedTuple):
    """Suspends a running job: it gives up its processors now, and keeps what it has done.

    A policy of your own that is :func:`preemptive` returns it among the jobs to start. Suspensions come first, so that the
    processors can serve jobs of the same answer. The job waits from then on. A later call resumes it by starting it again, on any
    free processors.
    """

    job: Job | int


Own = TypeVar("Own", bound=Any)


def preemptive(policy: Own) -> Own:
    """Let a policy of your own suspend jobs: write ``@preemptive`` above its function or class, and return :class:`Suspend`.

    Return the same function or class, marked.

    It runs in Python; functions that numba compiles and agents of the learning environment cannot suspend jobs.
    """
    policy.preemptive = True
    return policy


class CallAgain(NamedTuple):
    """Asks for a further call of a policy at a time, in seconds since the workload's zero.

    A policy of your own returns it among the jobs to start. Otherwise it is called when jobs are submitted or end. A time that is
    not later than now is an error.
    """

    at: float


class Jobs:
    """Jobs in order: iterate over them, take one by its place, or take a column of all, such as ``jobs.size``."""

    __slots__ = ("_jobs",)

    _jobs: Mapping[int, Job]

    def __init__(self, jobs: Mapping[int, Job]) -> None:
        object.__setattr__(self, "_jobs", jobs)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a policy cannot change what it sees; return the jobs to start instead")

    def __len__(self) -> int:
        return len(self._jobs)

    def __iter__(self) -> Iterator[Job]:
        return iter(self._jobs.values())

    def __getitem__(self, place: int) -> Job:
        if place == 0 and self._jobs:
            return next(iter(self._jobs.values()))
        return list(self._jobs.values())[place]

    def __contains__(self, job: object) -> bool:
        return isinstance(job, Job) and job.position in self._jobs

    def __getattr__(self, name: str) -> np.ndarray:
        if name not in Job._fields:
            raise AttributeError(f"jobs have no '{name}'; they have {', '.join(Job._fields)}")
        values = [getattr(job, name) for job in self._jobs.values()]
        return np.array(values) if name != "processors" else np.fromiter(values, object, len(values))
