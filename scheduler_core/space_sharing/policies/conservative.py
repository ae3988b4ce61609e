"""Conservative backfilling."""

from dataclasses import dataclass
from typing import Any, ClassVar

from scheduler_core.declarations.parameters import parameter, same_as
from scheduler_core.space_sharing.orders import choices
from scheduler_core.space_sharing.policy import Shared, SpaceSharingPolicy


@dataclass(frozen=True)
class Conservative(SpaceSharingPolicy):
    """Conservative backfilling: every job gets a reservation when it arrives, and no other job may delay it.

    The plan holds *free(t)* for now and all later times: processors not taken by running jobs until their expected ends
    nor by reservations. A pass at time ``now`` goes once over the queue in ``order`` (ties by position):

    * a job without a reservation (it has just arrived) gets the earliest interval, from now on, of its estimate's length
      in which *free(t)* is at least its size throughout;
    * when ``compression`` is on and a job has ended before its expected end since the last pass, a job with a reservation
      is taken off the plan and put back at the earliest interval, which is never later than the one it had.

    Then every job whose reservation begins now is started, in the same order. Passes happen at instants with completions or
    submissions and at the begin of reservations; ``instant`` and ``tied_completions`` say, as for ``easy``, whether one is
    made after everything at an instant (``batch``) or after every single event, and in which order the events come. In the
    plan, processors are free from the expected end of their job on, whether its completion has been taken yet or not.

    Without compression the hole a job leaves by ending early is used only by jobs that arrive later, and reservations are
    kept to the tick.

    ``plan_by="runtime"`` makes the plan know the real run times (``min(runtime, estimate)``) instead of the estimates.
    In the order ``fcfs`` that is the schedule from which the fair start times of Leung, Sabin and Sadayappan (2010) are
    taken; it is the preset ``fair_start``.

    With the order ``fair_share``, jobs of users who have used much lately count as submitted later: by ``usage_weight_h`` times
    their user's share of the usage, in which ``half_life_h`` ago counts half
    (:class:`~scheduler_core.space_sharing.policy.SpaceSharingPolicy` has the whole definition).

    ``user_jobs`` and ``user_processor_h`` are ceilings for each user. A job that would exceed one is passed over: it holds no
    reservation and delays nobody. A user without a running job may always start one
    (:class:`~scheduler_core.space_sharing.policy.SpaceSharingPolicy` has the whole definition). At the begin of a pass every
    held job gives its reservation up, which counts as an early end; once it is no longer held, it is planned as if it had just
    arrived. A job whose reservation begins now, but which is held because another one has just started, gives its reservation
    up, too. Then the pass is made once more.

    Cost: n (q + r) for n jobs of which q wait and r run at once, because a new reservation is searched for in a plan of at most
    2 (q + r) steps. With ``compression`` n q (q + r), because after an early end all reservations are searched for again.
    """

    name: ClassVar[str] = "conservative"
    label: ClassVar[str] = "Conservative"
    source: ClassVar[str] = (
        "Mu'alem and Feitelson, Utilization, predictability, workloads, and user runtime estimates in scheduling the "
        "IBM SP2 with backfilling, IEEE TPDS 12(6), 2001, section 2"
    )
    presets: ClassVar[dict[str, tuple[str, dict[str, Any]]]] = {
        "fair_start": ("Fair start reference", {"plan_by": "runtime"})
    }

    fixed: ClassVar[dict[str, str]] = {"backfill": "conservative"}

    order: str = parameter("fcfs", "order in which jobs are (re)planned in a pass", choices=choices("fcfs"))
    compression: bool = parameter(True, "whether reservations move forward when a job ends early")
    plan_by: str = parameter("estimate", "run time the plan counts on", choices=("estimate", "runtime"))
    instant: str = same_as(Shared, "instant")
    tied_completions: str = same_as(Shared, "tied_completions")
    half_life_h: float = same_as(Shared, "half_life_h")
    usage_weight_h: float = same_as(Shared, "usage_weight_h")
    user_jobs: int | str = same_as(Shared, "user_jobs")
    user_processor_h: float | str = same_as(Shared, "user_processor_h")
