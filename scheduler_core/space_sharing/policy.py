"""What the policies of space sharing have in common: they are parametrisations of one event loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from scheduler_core.common.errors import MissingTableError
from scheduler_core.declarations.parameters import parameter
from scheduler_core.declarations.policy import Policy
from scheduler_core.space_sharing.facts import SpaceSharingFacts
from scheduler_core.space_sharing.rules import Instant, TiedCompletions, setup_of, words_of

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload


def instant_parameter() -> Any:
    """Declare ``instant``, as several policies have it."""
    meaning = "when a pass is made: after everything at one instant, or after every event"
    return parameter("batch", meaning, choices=words_of(Instant))


def tied_completions_parameter() -> Any:
    """Declare ``tied_completions``, as several policies have it."""
    meaning = "order in which the completions of one instant are taken: by position, or as their jobs started"
    return parameter("position", meaning, choices=words_of(TiedCompletions))


def user_jobs_parameter() -> Any:
    """Declare ``user_jobs``, as the policies with ceilings have it."""
    meaning = "most running jobs of a user; until one ends, the user's further jobs are passed over"
    return parameter("all", meaning, unit="jobs", choices=("all",), minimum=1)


def user_processor_h_parameter() -> Any:
    """Declare ``user_processor_h``, as the policies with ceilings have it."""
    meaning = (
        "most processor hours that a user's running jobs have left of their estimates, counting the job to start; "
        "jobs beyond it are passed over"
    )
    return parameter("all", meaning, unit="processor h", choices=("all",), minimum=0)


@dataclass(frozen=True)
class SpaceSharingPolicy(Policy):
    """A policy of space sharing.

    Where the workload credits jobs with waiting time (``credit_us``), the order of submission, ``fcfs``, takes each job as
    submitted so much earlier. In a standstill of the workload no pass is made and no job starts; running jobs go on. It ends all
    reservations: the first pass at its end makes them anew, those of conservative backfilling in the order of the queue.

    Two parameters are *ceilings* for each user. ``user_jobs`` is the most running jobs of a user. ``user_processor_h`` is the
    most processor hours that the running jobs of a user may have left: the sum of processors times remaining estimate, where the
    job to start counts with its whole estimate. A waiting job is *held* while starting it would exceed a ceiling of its user. A
    user without a running job may always start one, so that every job starts some day; this is chosen here.

    A pass passes over a held job as if it had not been submitted: the job is no head and no candidate, holds no reservation and
    delays nobody. Whether it is held is asked when the pass comes to it, so that jobs which the same pass has started count.
    A job that ends now counts until its completion has been taken. Time that runs down makes room, too: a pass is also made at
    the first microsecond at which a held job no longer is. A job whose user is unknown has no ceiling.

    The ceilings are MAXJOB and MAXPS of Maui (Maui Administrator's Guide, section 6.2, Throttling policies), which filter the
    jobs that are considered for scheduling. SLURM calls the first MaxJobsPerUser (Slurm, Resource limits).

    The engine reads the parameters under the policy's own names. ``fixed`` has the rules that are no parameters of the policy
    (:class:`~scheduler_core.space_sharing.rules.Rules` lists all rules).
    """

    fixed: ClassVar[dict[str, str]] = {}

    def facts(self) -> SpaceSharingFacts:
        """The ceilings of users."""
        rules = setup_of({**self.fixed, **self.values()}).rules
        return SpaceSharingFacts(rules.user_jobs or None, rules.user_time if rules.user_time >= 0 else None)

    def require_companions(self, workload: Workload) -> None:
        """Refuse what every policy refuses, and ceilings of users for a workload that tells no job's user."""
        super().require_companions(workload)
        facts, jobs = self.facts(), workload.jobs
        if facts == SpaceSharingFacts() or not jobs.height:
            return
        if "user" not in jobs.columns or jobs["user"].null_count() == jobs.height:
            raise MissingTableError(
                f"{self.title} has ceilings for each user, but the workload tells no job's user; give jobs with users, as "
                "field 12 of a log in Standard Workload Format has them, or leave the ceilings out",
                ["user"],
            )
