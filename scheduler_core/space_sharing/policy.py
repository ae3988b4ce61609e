"""What the policies of space sharing have in common: they are parametrisations of one event loop."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from scheduler_core.common.errors import MissingTableError
from scheduler_core.declarations.parameters import Parameters, parameter
from scheduler_core.declarations.policy import Policy
from scheduler_core.space_sharing.facts import SpaceSharingFacts
from scheduler_core.space_sharing.rules import Instant, TiedCompletions, setup_of, words_of

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

OF_FAIR_SHARE = ("half_life_h", "usage_weight_h")
"""The parameters that count only for fair share."""


@dataclass(frozen=True)
class Shared(Parameters):
    """Parameters that several policies have, which declare them by :func:`~scheduler_core.declarations.parameters.same_as`."""

    instant: str = parameter(
        "batch", "when a pass is made: after everything at one instant, or after every event", choices=words_of(Instant)
    )
    tied_completions: str = parameter(
        "position",
        "order in which the completions of one instant are taken: by position, or as their jobs started",
        choices=words_of(TiedCompletions),
    )
    half_life_h: float = parameter(
        168.0, "fair share: usage counts half in each window of this length further back", unit="h", minimum=0.001
    )
    usage_weight_h: float = parameter(
        168.0, "fair share: how far all recent usage sets jobs of its user back", unit="h", minimum=0
    )
    user_jobs: int | str = parameter(
        "all",
        "most running jobs of a user; until one ends, the user's further jobs are passed over",
        unit="jobs",
        choices=("all",),
        minimum=1,
    )
    user_processor_h: float | str = parameter(
        "all",
        "most processor hours that a user's running jobs have left of their estimates, counting the job to start; "
        "jobs beyond it are passed over",
        unit="processor h",
        choices=("all",),
        minimum=0,
    )


@dataclass(frozen=True)
class SpaceSharingPolicy(Policy):
    """A policy of space sharing.

    Where the workload credits jobs with waiting time (``credit_us``), the orders ``fcfs`` and ``fair_share`` take each job as
    submitted so much earlier. In a standstill of the workload no pass is made and no job starts; running jobs go on. It ends all
    reservations: the first pass at its end makes them anew, those of conservative backfilling in the order of the queue.

    Two parameters are *ceilings* for each user. ``user_jobs`` is the most running jobs of a user. ``user_processor_h`` is the
    most processor hours that the running jobs of a user may have left: the sum of processors times remaining estimate, where the
    job to start counts with its whole estimate. A waiting job is *held* while starting it would exceed a ceiling of its user. A
    user without a running job may always start one, so that every job starts some day; this is chosen here.

    The workload may have *closed hours*: periods from ``begin_us`` to before ``end_us`` in which no job of a queue, or none whose
    estimate is longer than a limit, starts. A waiting job is held while hours are closed to it, too. While a job waits, a pass is
    also made whenever hours closed to it begin or end.

    The workload may have processors *out of use* for periods from ``begin_us`` to before ``end_us``. While a period lasts, no job
    starts if the running jobs would then hold more processors than can be used. Which ones are out of use does not matter.
    Running jobs go on, so more may be held for a time. Nobody foresees a change: reservations are made as if it never came. At
    its instant all reservations end, as in a standstill, and a pass is made. A job that is wider than what can be used at some
    time from its submission on is rejected.

    A pass passes over a held job as if it had not been submitted: the job is no head and no candidate, holds no reservation and
    delays nobody. Whether it is held is asked when the pass comes to it, so that jobs which the same pass has started count.
    A job that ends now counts until its completion has been taken. Time that runs down makes room, too: a pass is also made at
    the first microsecond at which a held job no longer is. A job whose user is unknown has no ceiling.

    The ceilings are MAXJOB and MAXPS of Maui (Maui Administrator's Guide, section 6.2, Throttling policies), which filter the
    jobs that are considered for scheduling. SLURM calls the first MaxJobsPerUser (Slurm, Resource limits).

    The order ``fair_share`` sorts waiting jobs by submission, but takes each as submitted later: by ``usage_weight_h`` times its
    user's share of the recent usage. Time is cut into windows of ``half_life_h``, from time 0 of the workload. The *recent usage*
    of some jobs is the processor time that they have held up to the begin of the pass, running jobs included: that of the
    current window in full, that of the window before it by half, of the next by a quarter, and so on. The sum is rounded down to
    whole processors times microseconds. A user's *share* is the recent usage of its jobs over that of all jobs; 0 if nobody has
    used anything. Jobs whose user is unknown share one account, as if they were of one user. Ties are broken by position, and a
    pass is ordered once, at its begin.

    All machines compute the same order. Usages are whole numbers. Both are converted to double precision and divided, and the
    product with the weight is rounded down to whole microseconds. IEEE 754 defines each of these steps to the bit.

    This is fair share as Maui has it (Maui Administrator's Guide, sections 5.1.2, Job priority factors, and 6.3, Fairshare;
    Jackson, Snell and Clement, Core algorithms of the Maui scheduler, JSSPP 2001): a job's priority is its time in the queue plus
    a weight times what its user's usage lacks to the target. All users have the same target here, which changes no order.
    ``half_life_h`` is FSINTERVAL; FSDECAY is 0.5, and FSDEPTH has no limit. SLURM's factor falls exponentially with usage
    instead. The defaults are SLURM's: usage has a half-life of seven days (PriorityDecayHalfLife), and seven days of waiting
    weigh as much as the whole range of usage (PriorityMaxAge, where age and fair share have equal weights).

    The engine reads the parameters under the policy's own names. ``fixed`` has the rules that are no parameters of the policy
    (:class:`~scheduler_core.space_sharing.rules.Rules` lists all rules).
    """

    fixed: ClassVar[dict[str, str]] = {}

    def facts(self) -> SpaceSharingFacts:
        """The ceilings of users."""
        rules = setup_of({**self.fixed, **self.values()}).rules
        return SpaceSharingFacts(rules.user_jobs or None, rules.user_time if rules.user_time >= 0 else None)

    def require_companions(self, workload: Workload) -> None:
        """Refuse what every policy refuses, and ceilings and fair share for a workload that tells no job's user."""
        super().require_companions(workload)
        setup, jobs = setup_of({**self.fixed, **self.values()}), workload.jobs
        asked = ["ceilings for each user"] if setup.rules.limits_users else []
        asked += ["fair share"] if setup.shares else []
        if not asked or not jobs.height:
            return
        if "user" not in jobs.columns or jobs["user"].null_count() == jobs.height:
            raise MissingTableError(
                f"{self.title} has {' and '.join(asked)}, but the workload tells no job's user; give jobs with users, as "
                f"field 12 of a log in Standard Workload Format has them, or leave {' and '.join(asked)} out",
                ["user"],
            )

    def notes(self, workload: Workload) -> tuple[str, ...]:
        """Return a note on parameters of fair share that change nothing, because no order is fair share."""
        idle = [
            entry.name
            for entry in dataclasses.fields(self)
            if entry.name in OF_FAIR_SHARE and getattr(self, entry.name) != entry.default
        ]
        if not idle or setup_of({**self.fixed, **self.values()}).shares:
            return ()
        change = "change" if len(idle) > 1 else "changes"
        return (f"{' and '.join(idle)} {change} nothing without fair share; set order=fair_share",)
