"""What a policy of the user's own sees: jobs and their columns, all read-only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

import numpy as np

from scheduler_core.common.errors import PolicyError, nearest

NUMBERS = ("user", "group", "queue", "partition", "executable")
"""What a log may not state of a job."""


class Job(NamedTuple):
    """A job as its scheduler knows it; times are in seconds since the workload's zero.

    ``position`` is its place in the workload. Numbers that the log does not state are None, as are ``started`` and
    ``expected_end`` (start and estimate) of a job that waits, and ``processors`` of a job that was given none by number.

    Preemptive and moldable policies also see ``remaining``, the seconds of its estimate that are left on its size, and whether it
    is ``suspended``; both are None for other policies. There ``started`` is when a running job started or was last resumed.
    Moldable policies also see ``sizes``, on which it may be started or resumed, and ``rate``, a function: its rate on a number of
    processors, 1 on the size that it asked for. ``size`` is what a waiting job asked for, and what a running job holds.
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
    sizes: range | None = None
    rate: Callable[[int], float] | None = None

    def __getattr__(self, name: str) -> Any:
        """Refuse what a job does not have, with the nearest name that it has."""
        unknown = "no scheduler knows run times, so take its 'estimate'" if name.startswith("run") else None
        raise AttributeError(f"a job has no '{name}'; {unknown or nearest(name, [*Job._fields, 'remaining_on'])}")

    def remaining_on(self, size: int) -> float:
        """Return the seconds that the rest of its estimate takes on so many processors; for moldable policies.

        Raise :class:`PolicyError` for a size on which the job cannot run.
        """
        if self.sizes is None or self.rate is None or self.remaining is None:
            raise PolicyError("`remaining_on` is for policies marked @slotwise.moldable, whose jobs have `sizes`")
        if size not in self.sizes:
            raise PolicyError(f"job {self.number} cannot run on {size!r} processors; {sizes_words(self.sizes)}")
        return self.remaining * self.rate(self.size) / self.rate(size)


def sizes_words(sizes: range) -> str:
    """Return on which sizes a job runs, as a clause."""
    return f"it runs on {sizes[0]:,} to {sizes[-1]:,}" if len(sizes) > 1 else f"it runs on {sizes[0]:,} only"


class Start(NamedTuple):
    """Starts a job on certain processors, ``Start(job, processors=[0, 1])``, or on so many, ``Start(job, size=2)``.

    Processors are numbered from 0. They must be free, different, and as many as the job's size. A policy names the processors of
    all jobs or of none; running jobs have theirs in ``processors``. Policies that are :func:`moldable` give a job one of its
    ``sizes``; without one it gets its ``size``.
    """

    job: Job | int
    processors: Iterable[int] | None = None
    size: int | None = None


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


def moldable(policy: Own) -> Own:
    """Let a policy of your own choose the sizes of jobs: write ``@moldable`` above its function or class.

    It returns :class:`Start` with a ``size`` for jobs that the workload calls moldable or malleable. A moldable job keeps the
    size of its start. A malleable one may get another when it is resumed, by a policy that is :func:`preemptive`, too. Their run
    times follow from the speed-up curve that the parameter ``speed_up`` names, by default that of Huang 2004, section 6.6. Return
    the same function or class, marked.

    It runs in Python, as preemptive policies do.
    """
    policy.moldable = True
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
