"""Worlds of the baselines: a few batches or replications in which a sentence on space sharing is true, or false."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.reports.ledger.world import Scene, World

SHORT = [100.0, 120.0, 90.0, 110.0]
SAME = [101.0, 119.0, 91.0, 110.0]
LONG = [200.0, 250.0, 190.0, 215.0]
"""Units of a metric in which the second is nearly the first, and the third twice as long."""


def policies(workloads: Sequence[str], metrics: Sequence[str], scope: str = "all", **of: Sequence[float]) -> Scene:
    """Units of policies, the same on every workload and by every metric."""

    def scene(world: World) -> None:
        for workload in workloads:
            for metric in metrics:
                for policy, values in of.items():
                    world.unit_metric(workload, policy, metric, values, scope=scope)

    return scene


def estimates(of: dict[str, Sequence[float]]) -> Scene:
    """Waits, responses and slowdowns of EASY and conservative backfilling on variants of SDSC-SP2 ('' for as submitted)."""

    def scene(world: World) -> None:
        for variant, values in of.items():
            name = f"sdsc-sp2-{variant}" if variant else "sdsc-sp2"
            world.workload(name, variant_of="sdsc-sp2" if variant else None)
            for metric in ("mean_wait", "mean_response", "mean_bounded_slowdown_10"):
                for policy in ("easy", "conservative"):
                    world.unit_metric(name, policy, metric, values)

    return scene


def disagreeing(slowdown: Sequence[float]) -> Scene:
    """Conservative against EASY: longer responses, and slowdowns as given."""

    def scene(world: World) -> None:
        policies(LOGS, ["mean_response"], easy=SHORT, conservative=LONG)(world)
        policies(LOGS, ["mean_slowdown"], easy=LONG, conservative=slowdown)(world)

    return scene


def loads(at_90: Sequence[float]) -> Scene:
    """Slowdowns 10 and 20 at loads 0.50 and 0.70, and as given at 0.90."""

    def scene(world: World) -> None:
        for load, values in ((0.5, [10.0, 11.0, 9.0]), (0.7, [20.0, 21.0, 19.0]), (0.9, at_90)):
            name = f"lublin-load-{round(100 * load):03d}"
            world.workload(name, source="lublin", target_load=load)
            policies([name], ["mean_bounded_slowdown_10"], fcfs=values, easy=values, conservative=values)(world)

    return scene


LOGS = ["sdsc-sp2", "lanl-cm5"]
SP2 = ["sdsc-sp2", "ctc-sp2"]
BUSY = ["lublin-load-080", "lublin-load-090"]
MEANS = ["mean_response", "mean_bounded_slowdown_10"]
WAITS = ["mean_wait", "mean_bounded_slowdown_10"]

WORLDS = {
    "fcfs-wastes-capacity": (
        policies(BUSY, ["steady_utilisation"], fcfs=[0.70, 0.71, 0.69], easy=[0.85, 0.86, 0.84]),
        policies(BUSY, ["steady_utilisation"], fcfs=[0.85, 0.86, 0.84], easy=[0.70, 0.71, 0.69]),
    ),
    "backfilling-helps": (policies(LOGS, MEANS, fcfs=LONG, easy=SHORT), policies(LOGS, MEANS, fcfs=SHORT, easy=LONG)),
    "aggressive-better-on-sp2": (
        policies(SP2, MEANS, conservative=LONG, easy=SHORT),
        policies(SP2, MEANS, conservative=SHORT, easy=LONG),
    ),
    "similar-on-other-workloads": (
        policies(["lanl-cm5", *BUSY], MEANS, conservative=SAME, easy=SHORT),
        policies(["lanl-cm5", *BUSY], MEANS, conservative=LONG, easy=SHORT),
    ),
    "overestimating-helps": (estimates({"": SHORT, "exact": LONG}), estimates({"": LONG, "exact": SHORT})),
    "inaccurate-beats-accurate": (
        estimates({"exact": LONG, "f1": SHORT, "f300": SHORT}),
        estimates({"exact": SHORT, "f1": LONG, "f300": LONG}),
    ),
    "v-shape-drop": (
        estimates({"exact": LONG, "f1": SHORT, "f3": SHORT, "f10": SHORT}),
        estimates({"exact": SHORT, "f1": LONG, "f3": LONG, "f10": LONG}),
    ),
    "v-shape-rise": (estimates({"f10": SHORT, "f300": LONG}), estimates({"f10": LONG, "f300": SHORT})),
    "modality-hurts": (estimates({"exact": SHORT, "tsafrir": LONG}), estimates({"exact": LONG, "tsafrir": SHORT})),
    "shortest-candidates-first": (
        policies(LOGS, WAITS, easy_sjbf=SHORT, easy=LONG),
        policies(LOGS, WAITS, easy_sjbf=LONG, easy=SHORT),
    ),
    "sorting-addresses-slowdown": (
        policies(LOGS, ["mean_slowdown"], easy_sjbf=SHORT, easy=LONG),
        policies(LOGS, ["mean_slowdown"], easy_sjbf=LONG, easy=SHORT),
    ),
    "shortest-first-starves": (
        policies(LOGS, ["max_wait"], sjf=LONG, easy=SHORT),
        policies(LOGS, ["max_wait"], sjf=SHORT, easy=LONG),
    ),
    "metrics-disagree": (disagreeing(SHORT), disagreeing([2 * value for value in LONG])),
    "slowdown-rises-towards-saturation": (loads([60.0, 62.0, 58.0]), loads([24.0, 25.0, 23.0])),
    "conservative-helps-wide-jobs": (
        policies(LOGS, ["mean_wait"], "any wide", conservative=SHORT, easy=LONG),
        policies(LOGS, ["mean_wait"], "any wide", conservative=LONG, easy=SHORT),
    ),
}
