"""Schedulers that can be stepped: one machine under a policy, to which jobs may come while it runs.

A grid of several machines under one clock uses nothing else of a scheduler. :func:`local_scheduler` makes one; a family whose
policies can be stepped has a module ``local_scheduler`` with a class ``Local``. :func:`~scheduler_core.simulate` is the special
case in which all jobs are known from the start: a test holds that jobs given one by one make the same schedule.

All times are whole microseconds since the workload's origin.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

from scheduler_core.errors import ParameterError
from scheduler_core.policy import family_of
from scheduler_core.sources import module_file

if TYPE_CHECKING:
    from scheduler_core.policy import Policy


BEFORE_US = -1
"""Where a scheduler is in time when it is made: nothing has happened yet, not even at time 0."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it is submitted: the workload's columns of the same names.

    ``job_class`` is the class by run time (``short``, ``medium``, ``long``) where it is stated; families without classes
    ignore it.
    """

    job: int
    submit_us: int
    runtime_us: int
    estimate_us: int
    size: int
    job_class: str | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for in a prediction or a reservation: processors for a time, as a job of some class would."""

    processors: int
    estimate_us: int
    job_class: str | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """The time a reservation must lie in: it begins no earlier than ``earliest_us`` and is over by ``latest_us``."""

    earliest_us: int
    latest_us: int


@dataclass(frozen=True, slots=True)
class Completion:
    """A job that is done: when it first ran, and when it left."""

    job: int
    start_us: int
    finish_us: int


@dataclass(frozen=True, slots=True)
class Prediction:
    """When a job would start and finish.

    ``bound`` says whether the policy promises it: then neither time is later than predicted if the job is submitted next, at the
    time of the prediction, whatever jobs come later. Otherwise it is what follows from the estimates of the jobs that are known.
    (Of a job that comes later no policy here can promise as much: others may be moved into its place before.)
    """

    start_us: int
    finish_us: int
    bound: bool


@dataclass(frozen=True, slots=True)
class Reservation:
    """Processors that are held: they are free of the scheduler's own jobs from ``begin_us`` until ``end_us``.

    Where classes of jobs take turns the reservation is kept on the clock of its class, and these are the latest times.
    """

    number: int
    processors: int
    begin_us: int
    end_us: int


class LocalScheduler(Protocol):
    """One machine under a policy, stepped from outside. Nothing is kept in globals: many can be stepped side by side."""

    @property
    def now_us(self) -> int:
        """The time up to which everything has happened, that time included."""

    def submit(self, job: Job) -> None:
        """Give the scheduler a job that is submitted now or later; jobs may be given in any order.

        A job submitted at ``now_us`` comes behind what has happened at that time already: it is considered when the scheduler
        advances next, be it to the same time.

        Raises
        ------
        ParameterError
            When the submission lies in the past, the job is larger than the machine, or a time or the size is not positive.
        """

    def advance(self, until_us: int) -> list[Completion]:
        """Let everything happen that happens up to a time, that time included.

        Returns the jobs that are done and were not reported before, in the order of their finishes, ties by submission.

        Raises
        ------
        ParameterError
            When ``until_us`` lies in the past.
        """

    def predict(self, request: Request, earliest_us: int) -> Prediction | None:
        """Say when a job would start and finish if it were submitted at ``earliest_us``, or now if that is later.

        The state does not change. Returns None when the machine is too small, or the policy makes no plan to predict from.
        """

    def reserve(self, request: Request, frame: Frame) -> Reservation | None:
        """Hold processors for the estimate of a request, as early in the frame as no promise to a job is broken.

        They stay unused by the scheduler's jobs: what runs there is up to the holder. Returns None when there is no such time
        in the frame, or the policy cannot keep jobs off what is held.
        """

    def withdraw(self, reservation: Reservation) -> None:
        """Drop a reservation: its processors belong to the scheduler's jobs again. One that is over may be dropped, too.

        Raises
        ------
        ParameterError
            When it was dropped before.
        """


def local_scheduler(policy: Policy, processors: int) -> LocalScheduler:
    """Make an idle machine under a policy, before time 0.

    Raises
    ------
    ParameterError
        When the policies of this family cannot be stepped.
    """
    family = family_of(type(policy))
    name = f"scheduler_core.{family}.local_scheduler"
    if module_file(name) is None:
        raise ParameterError(f"{policy.name}: schedulers of the family '{family}' cannot be stepped")
    return cast("LocalScheduler", importlib.import_module(name).Local(policy, processors))


def check_job(job: Job, processors: int, now_us: int) -> None:
    """Raise :class:`ParameterError` when a job cannot be submitted to a machine of so many processors at this time."""
    if job.submit_us < now_us:
        raise ParameterError(
            f"job {job.job}: submitted at {job.submit_us} us, when the scheduler is at {now_us} us already"
        )
    if not 1 <= job.size <= processors:
        raise ParameterError(f"job {job.job}: expected 1 to {processors} processors; found {job.size}")
    if job.runtime_us < 1 or job.estimate_us < 1:
        raise ParameterError(
            f"job {job.job}: run time and estimate must be positive; found {job.runtime_us} and {job.estimate_us} us"
        )


def check_time(until_us: int, now_us: int) -> None:
    """Raise :class:`ParameterError` when a scheduler is asked to go back in time."""
    if until_us < now_us:
        raise ParameterError(f"expected a time from {now_us} us on, where the scheduler is; found {until_us}")
