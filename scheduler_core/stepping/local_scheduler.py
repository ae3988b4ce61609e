"""Schedulers that advance step by step: one machine under a policy, which accepts jobs while it runs.

A grid of several machines under one clock uses nothing else of a scheduler. :func:`local_scheduler` makes one; a family whose
policies can be stepped has a module ``local_scheduler`` with a class ``Local``. :func:`~scheduler_core.simulate` is the special
case in which all jobs are known from the start: a test checks that jobs given one by one make the same schedule.

**Bookings.** A task of a workflow is *booked*: it is submitted with a time frame (:class:`Booking`), and *held back* until its
predecessors are done; then it is *released*. It must not start before its *bound*, the later of its earliest start and the
time of its data (expected while it is held back, actual after its release). Its *slot* is its place in the scheduler's plan.
Unless it is pinned, the slot *slides*: to an earlier time when there is room, never before its bound, and to a later one when
the task may not start yet. The latest finish of its frame is best effort: a task that misses it is late, and runs like any
other. Each family's docstring says how it keeps its plan.

**Followed jobs** are those whose completion another machine may wait for: all booked jobs, and jobs submitted as followed.
Machines need to meet only when one of these is done (:meth:`LocalScheduler.advance_to_completion`).

All times are whole microseconds since the workload's origin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

import polars as pl

from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.families import part_of
from scheduler_core.declarations.policy import family_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from scheduler_core.declarations.policy import Policy


BEFORE_US = -1
"""A new scheduler's time: nothing has happened yet, not even at time 0."""

Cause = pl.Enum(("booked", "room", "freed", "not_ready", "slid_down", "recalculated"))
"""Why a booked job's slot is where it is: the booking; room in the plan; a release, or an earlier bound; the slot was reached
and the job might not start; it made room for another job or avoided a preemption; the plan was made anew."""

SLIDES_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,
    "at_us": pl.Int64,  # when the slot was placed there
    "start_us": pl.Int64,  # begin of the slot, as predicted then
    "finish_us": pl.Int64,  # its end, as predicted then
    "cause": Cause,
}
"""The slots of booked jobs: a row each time one is placed or moved, in order."""

BECAME_COLUMNS: dict[str, Any] = {"job": pl.Int64, "start_us": pl.Int64, "finish_us": pl.Int64, "preemptions": pl.Int32}
"""The outcomes of a machine's jobs: a row per job that is done."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it is submitted: the workload's columns of the same names.

    ``job_class`` is the stated class by run time (``short``, ``medium``, ``long``), if any; families without classes ignore it.
    """

    job: int
    submit_us: int
    runtime_us: int
    estimate_us: int
    size: int
    job_class: str | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """A request for a prediction: processors for a time, for a job of some class."""

    processors: int
    estimate_us: int
    job_class: str | None = None


@dataclass(frozen=True, slots=True)
class Booking:
    """The frame in which a booked job is to run."""

    earliest_us: int  # its earliest start
    expected_us: int  # when its data are expected
    latest_us: int  # its latest finish, on a best effort
    ready_us: int | None = None  # when its data arrive, if known: it is released at its booking. None: it is held back
    pinned: bool = False  # its slot keeps its first place; if it may not start there, it goes on like an unpinned one


@dataclass(frozen=True, slots=True)
class BookingRules:
    """What a scheduler does with bookings beside sliding up.

    ``nominal`` says what predictions and slots assume of coming intervals if classes take turns: ``worst_case``, the least a
    class can get; ``mean``, the mean length of its slices so far, which promises nothing. ``reservations`` says what becomes of
    slots there: ``rebooked`` behind all others when they are reached in vain; ``recalculated`` at every instant, in the order of
    the queue; ``kept`` free until the latest finish. Under space sharing they are always rebooked.
    """

    nominal: str = "worst_case"
    slide_down_backfill: bool = False  # a slot moves back within its frame if that lets a waiting job start now
    slide_down_avoid_preemption: bool = False  # a job soon to be suspended waits for its next slice, within its frame
    reservations: str = "rebooked"


@dataclass(frozen=True)
class Record:
    """The history of a machine. It is cluster 0 in every table; its processors are numbered from 0.

    ``counters`` are those of the policy, and ``lost_slots``: how often a booked job's slot was reached and the job might not
    start, or its bound passed while it was held back.
    """

    jobs: pl.DataFrame  # BECAME_COLUMNS, in the order in which the scheduler took the jobs
    allocations: pl.DataFrame  # by job, begin and slot
    slides: pl.DataFrame  # SLIDES_COLUMNS
    tables: Mapping[str, pl.DataFrame]  # the further tables of the policy's family
    counters: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Completion:
    """A job that is done: when it first ran, and when it left."""

    job: int
    start_us: int
    finish_us: int


@dataclass(frozen=True, slots=True)
class Prediction:
    """When a job would start and finish.

    ``bound`` says whether the policy promises it: if the job is submitted next, at the time of the prediction, it starts and
    finishes no later than predicted, whatever jobs come later. Otherwise the times follow from the estimates of the known jobs.
    (No policy here can promise as much for a later submission, because others may move into the job's place before.)
    """

    start_us: int
    finish_us: int
    bound: bool


class LocalScheduler(Protocol):
    """One machine under a policy, stepped from outside. There is no global state, so many can run side by side."""

    @property
    def now_us(self) -> int:
        """The time up to which everything has happened, that time included."""

    def submit(self, job: Job, *, followed: bool = False) -> None:
        """Give the scheduler a job submitted now or later; jobs may come in any order.

        A job submitted at ``now_us`` follows all that has happened at that time: the scheduler considers it at its next
        advance, even to the same time. Jobs submitted at the same time and not considered yet are ordered by number.

        Raise :class:`ParameterError` when the submission lies in the past, the job is larger than the machine, or a time or the
        size is not positive.
        """

    def submit_many(self, jobs: pl.DataFrame) -> None:
        """Submit many jobs at once: a row per job with the workload's columns, and ``class`` if it is stated.

        They are in the order of a workload: submission, then number. The result equals submitting each.
        """

    def book(self, job: Job, booking: Booking) -> Prediction | None:
        """Book a job: it joins the queue now, behind all jobs submitted or booked before, with a slot in the plan.

        The next prediction counts the slot; the job may start at the scheduler's next advance, even to the same time. Return
        when it would start and finish by its slot. Return None without a slot: its bound is before now while it is held back,
        or the policy keeps no slot for every waiting job.

        Raise :class:`ParameterError` when the job's submission is not ``now_us``, or when the policy cannot keep bookings.
        """

    def release(self, job: int, ready_us: int, earliest_us: int) -> None:
        """Let a booked job start, because its predecessors are done: its data arrive at ``ready_us``, now or later.

        ``earliest_us`` is its earliest start from now on. The scheduler acts at its next advance, even to the same time.

        Raise :class:`ParameterError` when the job is not booked here, was released before, or would start later than before.
        """

    def no_completion_before(self) -> int:
        """Return a time before which no followed job is done, unless one is submitted, booked or released meanwhile.

        It is quick to find and may be earlier than the first completion, even ``now_us``. Return NEVER_US if no followed job
        can be done without a release.
        """

    def advance_to_completion(self, until_us: int) -> list[Completion]:
        """Advance to a time, or to the first time at which a followed job is done if that is earlier.

        Return the followed jobs that are done and were not reported before, in the order in which they joined the queue. All of
        them were done at ``now_us``, and everything due at that time has happened. Only :meth:`advance` reports other jobs.
        """

    def record(self) -> Record:
        """Return the history so far, as tables."""

    def advance(self, until_us: int) -> list[Completion]:
        """Advance to a time, that time included, which must not lie in the past.

        Return the jobs that are done and were not reported before, in the order of their finishes, ties by submission.
        """

    def predict(self, request: Request, earliest_us: int) -> Prediction | None:
        """Return when a job would start and finish if submitted at ``earliest_us``, or now if that is later.

        Slots of booked jobs are occupied. With a later ``earliest_us`` the job is one to be booked with that bound. The state
        does not change. Return None when the machine is too small, or the policy makes no plan to predict from.
        """


def became_table(*columns: np.ndarray) -> pl.DataFrame:
    """Make the table of outcomes from its columns."""
    return pl.DataFrame(dict(zip(BECAME_COLUMNS, columns, strict=True)), schema=BECAME_COLUMNS)


def slides_table(numbers: np.ndarray, slides: np.ndarray) -> pl.DataFrame:
    """Make the table of slides from records with ``at``, ``start``, ``finish`` and ``cause``, and the numbers of their jobs."""
    causes = Cause.categories.gather(slides["cause"]).cast(Cause)
    columns = numbers, slides["at"], slides["start"], slides["finish"], causes
    return pl.DataFrame(dict(zip(SLIDES_COLUMNS, columns, strict=True)), schema=SLIDES_COLUMNS)


def local_scheduler(policy: Policy, processors: int, rules: BookingRules | None = None) -> LocalScheduler:
    """Return an idle machine under a policy, before time 0; ``rules`` govern its bookings, which slide up by default."""
    family = family_of(type(policy))
    stepped = part_of("scheduler_core", family, "local_scheduler")
    if stepped is None:
        raise ParameterError(f"{policy.name}: schedulers of the family '{family}' cannot be stepped")
    made = stepped.Local
    return cast("LocalScheduler", made(policy, processors) if rules is None else made(policy, processors, rules))
