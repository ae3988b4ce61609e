"""Small workloads full of ties for the policies beside plain gang scheduling, on machines of any size, by policy."""

from collections.abc import Callable
from dataclasses import dataclass

from scheduler_core.declarations.policy import get_policy
from tests.scheduler_core.examples import YES_NO, Case, Chooser, Parameters, seconds
from tests.scheduler_core.gang.draws import (
    SLICES,
    adaptation_family,
    draw_jobs,
    filling_family,
    memory_family,
    packing_family,
    repacking_family,
)

MACHINES = (1, 2, 3, 4, 5, 6, 7, 9, 11, 13, 16)
DEEP_MACHINES = (*MACHINES, 21, 27, 32)
LARGE_MACHINES = (37, 63, 64, 65, 100)


def dhc(choose: Chooser, tick: int, processors: int) -> Parameters:
    """Distributed Hierarchical Control."""
    return {
        "slice_s": seconds(choose.one_of(SLICES), tick),
        "selective_disabling": choose.one_of(YES_NO),
        "alternative": choose.one_of(YES_NO),
    }


def sharing(rule: str) -> Callable[[Chooser, int, int], Parameters]:
    """Return how a rule of partitioning that resizes jobs is drawn."""

    def draw(choose: Chooser, tick: int, processors: int) -> Parameters:
        cost = choose.one_of((0.0, seconds(1, tick), seconds(4, tick) / 3, seconds(7, tick)))
        return {"rule": rule, "reconfiguration_cost_s": cost}

    return draw


def static(choose: Chooser, tick: int, processors: int) -> Parameters:
    """Static partitions, none of them empty."""
    cut = choose.one_of(("equal", "halves"))
    # The larger half is taken, so what is left loses a binary digit each time.
    most = processors if cut == "equal" else processors.bit_length()
    return {"rule": "static", "cut": cut, "partitions": choose.integer(1, min(most, 5))}


def partitions(choose: Chooser, tick: int, processors: int) -> Parameters:
    """Gang scheduling in fixed partitions, in every way that goes with them."""
    family = choose.one_of((packing_family, repacking_family, filling_family, memory_family))
    return family(choose, tick) | {"partitions": choose.one_of((2, 2, 3, 4)) if processors >= 4 else processors}


def efficiency(choose: Chooser, tick: int, processors: int) -> Parameters:
    """Adaptive SCOJO with sizes by efficiency."""
    values = {"sizing": "efficiency", "efficiency": choose.one_of((0.5, 0.55, 0.6, 0.65, 0.6667, 0.7, 0.75, 0.8, 0.9))}
    return adaptation_family(choose, tick) | values


@dataclass(frozen=True)
class Drawn:
    """A policy and how its parameters are drawn."""

    policy: str
    draw: Callable[[Chooser, int, int], Parameters]


BACKGROUND: dict[str, Drawn] = {
    "dhc": Drawn("dhc", dhc),
    "equipartition": Drawn("partitioning", sharing("equipartition")),
    "folding": Drawn("partitioning", sharing("folding")),
    "compress": Drawn("partitioning", sharing("compress")),
    "static": Drawn("partitioning", static),
    "partitions": Drawn("gang", partitions),
    "efficiency": Drawn("scojo", efficiency),
}
"""Policies beside plain gang scheduling, by name."""


def draw_background(choose: Chooser, large: bool, name: str) -> Case:
    """Draw an example of up to 12 jobs (some subjects 30) on up to 16 processors (DHC 32), or ``large``: on many more."""
    processors = choose.one_of(LARGE_MACHINES if large else DEEP_MACHINES if name == "dhc" else MACHINES)
    memory = choose.one_of((0, 2, 4, 7, 12)) if name == "partitions" else 0
    tick = choose.one_of((1, 7, 1_000, 1_000_000, 3_599_999_983))
    counts = (30, 60) if large else (1, 2, 3, 4, 6, 8, 10, 12, 12)
    width = processors
    if name in ("dhc", "partitions"):
        # Trees have depth and each part has a queue only with many jobs, and with few as wide as the machine.
        width, counts = choose.one_of((processors, -(-processors // 2))), (*counts[-4:], 20, 30)
    jobs = draw_jobs(choose, tick, (width, memory), counts, crowd=choose.one_of(YES_NO))
    drawn = BACKGROUND[name]
    return Case(jobs, processors, get_policy(drawn.policy, **drawn.draw(choose, tick, processors)), memory)
