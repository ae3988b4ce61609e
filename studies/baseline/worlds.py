"""Worlds of the baselines: a few batches or replications in which a sentence on space sharing is true, or false."""

from collections.abc import Sequence

from tests.reports.ledger.world import World, scene

SHORT = [100.0, 120.0, 90.0, 110.0]
LONG = [200.0, 250.0, 190.0, 215.0]
"""Units of a metric in which the second is nearly the first, and the third twice as long."""


@scene
def policies(
    world: World, workloads: Sequence[str], metrics: Sequence[str], scope: str = "all", **of: Sequence[float]
) -> None:
    """Units of policies, the same on every workload and by every metric."""
    for workload in workloads:
        for metric in metrics:
            for policy, values in of.items():
                world.unit_metric(workload, policy, metric, values, scope=scope)


@scene
def disagreeing(world: World, slowdown: Sequence[float]) -> None:
    """Conservative against EASY: longer responses, and slowdowns as given."""
    policies(LOGS, ["mean_response"], easy=SHORT, conservative=LONG)(world)
    policies(LOGS, ["mean_slowdown"], easy=LONG, conservative=slowdown)(world)


@scene
def loads(world: World, at_90: Sequence[float]) -> None:
    """Slowdowns 10 and 20 at loads 0.50 and 0.70, and as given at 0.90."""
    for load, values in ((0.5, [10.0, 11.0, 9.0]), (0.7, [20.0, 21.0, 19.0]), (0.9, at_90)):
        name = f"lublin-load-{round(100 * load):03d}"
        world.workload(name, source="lublin", target_load=load)
        policies([name], ["mean_bounded_slowdown_10"], fcfs=values, easy=values, conservative=values)(world)


LOGS = ["sdsc-sp2", "lanl-cm5"]

WORLDS = {
    "metrics-disagree": (disagreeing(SHORT), disagreeing([2 * value for value in LONG])),
    "slowdown-rises-towards-saturation": (loads([60.0, 62.0, 58.0]), loads([24.0, 25.0, 23.0])),
}

LOWER = {
    "fcfs-wastes-capacity": "fcfs < easy",
    "backfilling-helps": "easy < fcfs",
    "aggressive-better-on-sp2": "easy < conservative",
    "similar-on-other-workloads": "conservative ~ easy",
    "overestimating-helps": "ctc-sp2, sdsc-sp2 < *-exact",
    "inaccurate-beats-accurate": "*-f* < *-exact",
    "v-shape-drop": "*-f* < *-exact",
    "v-shape-rise": "*-f10 < *-f300",
    "modality-hurts": "*-exact < *-tsafrir",
    "shortest-candidates-first": "easy_sjbf < easy",
    "sorting-addresses-slowdown": "easy_sjbf < easy",
    "shortest-first-starves": "easy < sjf",
    "conservative-helps-wide-jobs": "conservative < easy",
}
"""Who has less than whom, in the words of ``tests/reports/ledger/wiring.py``."""
