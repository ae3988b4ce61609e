"""An attempt to run a job, as every format of a dump is read; and the job that becomes of it."""

from dataclasses import dataclass

UNKNOWN = -1
"""An unknown number in the Standard Workload Format."""

COMPLETED, FAILED, CANCELLED = 1, 0, 5
"""Status of a job in the Standard Workload Format."""

UNSTATED = -1
"""Status of a job whose dump does not state one."""

UNFINISHED = -3
"""Status of an attempt that had not ended when the dump was made."""

ELSEWHERE = -2
"""Status of an attempt that another machine ran."""

LARGEST = 2**31 - 1
"""The largest number of processors, users, ..."""

Instant = tuple[int, ...]
"""A point in time in seconds since 1970; two, the earlier first, where a local clock that went back showed it twice."""


class Unreadable(Exception):
    """A line that becomes no attempt, by a rule of :mod:`traces.dumps.rules`; ``found`` is what a person should see of it."""

    def __init__(self, rule: str, found: str) -> None:
        super().__init__(rule)
        self.rule, self.found = rule, found


def bounded(value: int) -> int:
    """Return a number of processors that a log can hold; raise :class:`Unreadable` for another number."""
    if not 0 <= value <= LARGEST:
        raise Unreadable("bad_number", str(value)[:40])
    return value


@dataclass(frozen=True, slots=True)
class Attempt:
    """A line of a dump that describes an attempt to run a job.

    ``line`` counts from 1. Attempts of one job share ``key``. Times are seconds; None is an unknown time or number.
    ``memory_kb`` is per processor. ``gpus`` says whether it asked for GPUs or held some. ``status`` is that of the Standard
    Workload Format, or :data:`UNFINISHED` or :data:`ELSEWHERE`. ``local`` says whether times were written without an offset from
    UTC. ``repairs`` are rules of :data:`traces.dumps.rules.REPAIRS`.
    """

    line: int
    key: tuple[str, ...]
    job: str
    submit: Instant | None
    start: Instant | None
    end: Instant | None
    elapsed: int | None
    allocated: int | None
    requested: int | None
    limit: int | None
    memory_kb: int | None
    status: int
    user: str = ""
    group: str = ""
    queue: str = ""
    partition: str = ""
    executable: str = ""
    local: bool = False
    gpus: bool = False
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """A job of the log: times in seconds since 1970 (``submit``) or durations, -1 for unknown numbers."""

    attempt: Attempt
    submit: int
    wait: int
    runtime: int
    allocated: int
    repairs: tuple[str, ...]
