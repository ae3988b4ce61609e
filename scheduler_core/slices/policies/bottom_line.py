"""The comparison scheduler: discrepancy search over the waiting jobs at every event, without groups and plans."""

from dataclasses import dataclass
from typing import Any, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.parameters import parameter
from scheduler_core.slices.facts import SliceFacts
from scheduler_core.slices.policies.pect import Pect


@dataclass(frozen=True)
class BottomLine(Pect):
    """Search inside the slices of SCOJO-PECT: at every event, waiting jobs start in the best order that a search finds.

    Everything is as in ``pect`` with conservative backfilling, except that nothing is promised and that own jobs start
    differently. In a pass at time t in the slice of class c, at clock v, if jobs of c wait:

    1. All reservations of c are cancelled. The first ``queue_most`` waiting jobs, in queue order, are searched. Jobs are
       placed, and their estimated response times and slowdowns are, as in ``pect_o`` (holes may be taken; the share is that of
       c: ``share_short``, ``share_medium`` or ``share_long``).
    2. The heuristic's order is by slowdown if they started now, largest first (ties: position): (t - submission) +
       r / share over max(r, ``bound_s``), at least 1, with r the estimate.
    3. Orders are taken from depth-bound discrepancy search, the heuristic's first. One is begun only while fewer than
       ``tree_nodes`` *tree nodes* have been made: its placements from the first place on that differs from the order before
       it (the first order: all).
    4. A job's wait is its estimated response time less r; W is the longest t - submission of any waiting job of c. The order
       with the least sum of max(0, wait - W) wins, then the least sum of slowdowns, then the first found; sums in the order
       of placement, in double precision.
    5. Its times become reservations; waiting jobs beyond ``queue_most`` get theirs behind them, in queue order. Every
       waiting job of c whose reservation is v starts, in queue order.

    Counters, beside those of ``pect``: ``searches``; ``orders`` and ``tree_nodes`` of all of them; ``placements``.

    Cost: that of ``pect``, and for each pass with waiting jobs about ``tree_nodes`` placements, each through the whole plan.

    Source: Kanavallil 2007, chapter 2 (p. 3) and section 9.5: the thesis compares itself with "an approximation" of the
    scheduler of Vasupongayya, Chiang and Massey: complete search at decision points with largest slowdown first and
    depth-bound discrepancies; two criteria in this order, total excessive wait, average slowdown; no plan. The approximation
    is not described. Chosen here: W, the limits, where it runs (in SCOJO-PECT's slices, as the thesis evaluates it with and
    without smart backfilling), and what protects those beyond the search.
    """

    name: ClassVar[str] = "bottom_line"
    label: ClassVar[str] = "Discrepancy search at every event"
    presets: ClassVar[dict[str, tuple[str, dict[str, Any]]]] = {
        "bottom_line_ns": ("Discrepancy search at every event, without smart backfilling", {"smart": False})
    }

    share_short: float = parameter(0.005, "share of the machine's time meant for short jobs", minimum=1e-6, maximum=1)
    queue_most: int = parameter(30, "most waiting jobs that are searched", unit="jobs", minimum=1, maximum=64)
    tree_nodes: int = parameter(
        1000, "tree nodes of a search from which no other order is begun", unit="tree nodes", minimum=1
    )
    bound_s: float = parameter(600.0, "shortest run time that counts in a slowdown", unit="s", minimum=0.000001)

    def validate(self) -> None:
        """Check that there are reservations to search for."""
        super().validate()
        if self.backfilling != "conservative":
            raise ParameterError(
                f"{self.name}: backfilling must be conservative, since the search decides what is reserved; found "
                f"'{self.backfilling}'"
            )

    def facts(self) -> SliceFacts:
        """State what the checker's rules must know of the policy: nothing is promised, and searches know no groups."""
        return SliceFacts(promises=False, searches=True)
