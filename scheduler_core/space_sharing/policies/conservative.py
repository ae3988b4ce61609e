"""Conservative backfilling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from scheduler_core.policy import Policy, parameter
from scheduler_core.space_sharing.orders import QUEUE_ORDERS

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.policy import Progress


@dataclass(frozen=True)
class Conservative(Policy):
    """Conservative backfilling: every job gets a reservation when it arrives, and nobody may delay it.

    The plan holds *free(t)* for now and all later times: processors not taken by running jobs until their expected ends
    nor by reservations. A pass at time ``now`` goes once over the queue in ``order`` (ties by position):

    * a job without a reservation (it has just arrived) gets the earliest interval, from now on, of its estimate's length
      in which *free(t)* is at least its size throughout;
    * when ``compression`` is on and a job has ended before its expected end since the last pass, a job with a reservation
      is taken off the plan and put back at the earliest interval, which is never later than the one it had.

    Then every job whose reservation begins now is started. Passes happen at instants with completions or submissions and
    at the begin of reservations. Without compression the hole a job leaves by ending early is used only by jobs that
    arrive later, and reservations are kept to the tick.

    ``plan_by="runtime"`` makes the plan know the real run times (``min(runtime, estimate)``) instead of the estimates.
    In the order ``fcfs`` that is the schedule from which the fair start times of Leung, Sabin and Sadayappan (2010) are
    taken; it is the preset ``fair_start``.
    """

    name: ClassVar[str] = "conservative"
    label: ClassVar[str] = "Conservative"
    source: ClassVar[str] = (
        "Mu'alem and Feitelson, Utilization, predictability, workloads, and user runtime estimates in scheduling the "
        "IBM SP2 with backfilling, IEEE TPDS 12(6), 2001, section 2"
    )
    presets: ClassVar[dict[str, tuple[str, dict[str, Any]]]] = {
        "fair_start": ("Fair start reference", {"plan_by": "runtime"}),
    }

    order: str = parameter("fcfs", "order in which jobs are (re)planned in a pass", choices=QUEUE_ORDERS)
    compression: bool = parameter(True, "whether reservations move forward when a job ends early")
    plan_by: str = parameter("estimate", "run time the plan counts on", choices=("estimate", "runtime"))

    def simulate(self, workload: Workload, progress: Progress | None = None) -> Schedule:
        """Run the policy."""
        from scheduler_core.space_sharing.engine import Settings, run

        settings = Settings(
            backfill="conservative",
            order=self.order,
            compression=self.compression,
            real_runtime=self.plan_by == "runtime",
        )
        return run(self, workload, settings, progress)
