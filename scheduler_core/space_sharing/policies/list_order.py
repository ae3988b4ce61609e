"""List scheduling: the queue in an order other than that of submission."""

from dataclasses import dataclass
from typing import Any, ClassVar

from scheduler_core.declarations.parameters import parameter, same_as
from scheduler_core.space_sharing.orders import choices
from scheduler_core.space_sharing.policy import Shared, SpaceSharingPolicy
from scheduler_core.space_sharing.rules import WhenBlocked, words_of


@dataclass(frozen=True)
class ListOrder(SpaceSharingPolicy):
    """List scheduling: the queue is kept in a given order, and jobs start from its head.

    In a pass the queue is put in ``order`` and its head is started while it fits. What happens when the head does not
    fit is ``when_blocked``: ``wait`` ends the pass; ``skip`` goes on through the rest of the queue, in order, and starts
    every job that fits on what is then free (Graham's list scheduling: no processor idles that some waiting job fits on,
    and wide jobs can starve; Graham 1969).

    The orders, ties by position: ``shortest`` and ``longest`` by estimate; ``smallest`` and ``largest`` by processors;
    ``largest_area`` by estimate x processors, largest first; ``largest_slowdown`` by (wait so far + estimate) / estimate
    at the instant of the pass, largest first; ``fcfs`` by submission; ``fair_share`` as follows.

    With the order ``fair_share``, jobs of users who have used much lately count as submitted later: by ``usage_weight_h`` times
    their user's share of the usage, in which ``half_life_h`` ago counts half
    (:class:`~scheduler_core.space_sharing.policy.SpaceSharingPolicy` has the whole definition).

    ``user_jobs`` and ``user_processor_h`` are ceilings for each user. A job that would exceed one is passed over: it holds no
    reservation and delays nobody. A user without a running job may always start one
    (:class:`~scheduler_core.space_sharing.policy.SpaceSharingPolicy` has the whole definition).

    Cost: n log(q r) for n jobs of which q wait and r run at once, because the queue is a heap of which only the head is looked
    at (by slowdown a kinetic one: more by the jobs that change places). With ``when_blocked="skip"``, and with ``fair_share``,
    n (q + log r), because a pass goes through the queue.
    """

    name: ClassVar[str] = "list"
    label: ClassVar[str] = "List scheduling"
    source: ClassVar[str] = (
        "Graham, Bounds on multiprocessing timing anomalies, SIAM J. Appl. Math. 17, 1969; "
        "Krueger, Lai and Dixit-Radiya, Job scheduling is more important than processor allocation for hypercube computers, 1994"
    )
    presets: ClassVar[dict[str, tuple[str, dict[str, Any]]]] = {
        "sjf": ("SJF", {"order": "shortest"}),
        "ljf": ("Longest first", {"order": "longest"}),
        "smallest_first": ("Smallest first", {"order": "smallest"}),
        "largest_area_first": ("Largest area first", {"order": "largest_area"}),
        "lxf": ("Largest slowdown first", {"order": "largest_slowdown"}),
    }

    order: str = parameter("shortest", "order of the queue", choices=choices("shortest"))
    when_blocked: str = parameter(
        "wait",
        "when the head does not fit: no job overtakes it, or every job that fits starts",
        choices=words_of(WhenBlocked),
    )
    half_life_h: float = same_as(Shared, "half_life_h")
    usage_weight_h: float = same_as(Shared, "usage_weight_h")
    user_jobs: int | str = same_as(Shared, "user_jobs")
    user_processor_h: float | str = same_as(Shared, "user_processor_h")
