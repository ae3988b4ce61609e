"""Worlds of the study of group optimisation: numbers from the sentences of the thesis, and others that contradict them."""

from functools import partial

from tests.reports.ledger.wiring import put_measurements
from tests.reports.ledger.world import scene, together

from .worlds_counts import WORLDS as COUNTS
from .worlds_examples import WORLDS as EXAMPLES

SLOWDOWN = "mean_bounded_slowdown_600"
SEEDS = ("seed-71", "seed-31", "seed-73", "seed-35", "seed-7")
DRAWS = ((10, -0.5), (12, 0), (11, 0.5))
"""What a metric is without the change in each draw, and how far each draw is from the mean change, in points."""


@scene
def gains(world, policy, versus, metric, *, workloads=("seed-71",), **percent):
    """Make a world in which each scope is so many per cent lower under one scheduler than under another."""
    for workload in workloads:
        for scope, gain in percent.items():
            for draw, (base, away) in enumerate(DRAWS):
                at = {"scope": scope.replace("_", " "), "replication": draw}
                world.metric(workload, versus, metric, base, **at)
                world.metric(workload, policy, metric, base * (1 - (gain + away) / 100), **at)


def ordered(metric=SLOWDOWN, **percent):
    """Make a world in which ordering groups changes a metric of each scope by so many per cent."""
    return gains("pect_o", "pect", metric, **percent)


@scene
def seeds_print(world, percent):
    """Make a world in which seed 31 prints 26 % for long jobs and seed 71 55 % for the best width, and all gain this much."""
    for workload, scope, value in (("seed-31", "long", 26), ("seed-71", "most of long", 55)):
        here = {"printed": value, "printed_digits": 0, "printed_scale": 0.01, "printed_draws": 1}
        world.printed(workload, "pect_o", "improvement", value / 100, scope, source="Kanavallil 2007", **here)
    ordered(workloads=("seed-31",), long=26 * percent)(world)
    ordered(workloads=("seed-71",), long=20, long_narrow=55 * percent, long_wide=-10)(world)


def seed_7(percent):
    """Make a world in which other seeds gain 12 % and seed 7 gains this much."""
    return together(
        ordered(workloads=SEEDS[:4], medium=12, long=12), ordered(workloads=SEEDS[4:], medium=percent, long=percent)
    )


PUT = {"improvement_of_all_jobs": partial(put_measurements, per="unit")}

WORLDS = {
    **COUNTS,
    **EXAMPLES,
    "g26-printed-improvements-of-seeds": (seeds_print(1), seeds_print(0.1)),
    "g27-seed-7-little-benefit": (seed_7(1), seed_7(22)),
}  # fmt: skip

LOWER = {
    "g23-fragmentation": "pect_ns < pect",
    "g23-good-responses": "pect < easy",
    "g8-long-jobs-direction": "pect_o < pect",
    "g8-long-jobs-magnitude": "pect_o < pect by 15",
    "g9-medium-jobs-direction": "pect_o < pect",
    "g9-medium-jobs-magnitude": "pect_o < pect by 9",
    "g9-long-more-than-medium": "pect_o/pect: long < medium",
    "g26-all-jobs-direction": "pect_o < pect",
    "g26-all-jobs-magnitude": "pect_o < pect by 16",
    "g26-consistent": "pect_o < pect",
    "g26-abstract": "pect_o < pect by 25",
    "g10-short-jobs": "pect_o < pect by 5",
    "g11-wide-jobs": "pect < pect_o",
    "g11-wide-jobs-gain-least": "pect_o/pect: * medium, * narrow < * wide",
    "g12-response-direction": "pect_o < pect",
    "g12-response-magnitude": "pect_o < pect by 15",
    "g13-wait-direction": "pect_o < pect",
    "g13-wait-magnitude": "pect_o < pect by 10",
    "g13-wide-jobs-wait": "any narrow < any wide",
    "g14-utilisation-direction": "pect_o < pect",
    "g14-utilisation-magnitude": "pect_o < pect by 1.5",
    "g14-utilisation-within": "pect ~ pect_o",
    "g14-utilisation-conclusion": "pect_o < pect by 1",
    "g4-assumed-size": "~ 20",
    "g4-assumed-nodes": "~ 1000000",
    "g16-dynamic-direction": "pect_o < pect_o_no_dynamic",
    "g16-dynamic-expected": "pect_o < pect_o_no_dynamic",
    "g11-wide-jobs-of-each-workload": "pect < pect_o",
    "g16-dynamic-magnitude": "pect_o < pect_o_no_dynamic by 5",
    "g16-whom-dynamic-backfilling-serves": "pect_o/pect_o_no_dynamic: short, medium < long",
    "g17-pruning": "< 10",
    "g17-without-first-level": "pect_o < pect_o_second_level",
    "g19-second-level-direction": "pect_o < pect_o_first_level",
    "g19-second-level-magnitude": "pect_o < pect_o_first_level by 4",
    "g19-second-level-response": "pect_o < pect_o_first_level by 5",
    "g19-second-level-wait": "pect_o < pect_o_first_level by 5",
    "g19-wide-jobs": "pect_o ~ pect_o_first_level",
    "g19-second-level-groups": "pect_o ~ pect_o_first_level",
    "g28-heuristic": "pect_o_first_level < pect",
    "g20-without-direction": "pect_o_ns < pect_ns",
    "g20-long-magnitude": "pect_o_ns < pect_ns by 25",
    "g20-medium-magnitude": "pect_o_ns < pect_ns by 15",
    "g20-short-jobs": "pect_o_ns/pect_ns: long, medium < short",
    "g20-more-than-with": "pect_o_ns, pect_o/pect_ns, pect: pect_o_ns < pect_o",
    "g21-without-direction": "pect_o_ns < pect_ns",
    "g21-without-magnitude": "pect_o_ns < pect_ns by 15",
    "g22-worst-cases": "pect_o_ns/pect_ns: medium < long",
    "g22-worst-cases-of-long-jobs": "pect_ns < pect_o_ns",
    "g23-smart-backfilling": "pect, pect_o < pect_ns, pect_o_ns",
    "g23-response-direction": "pect < pect_ns",
    "g23-response-magnitude": "pect < pect_ns by 27",
    "g23-short-jobs-most": "pect/pect_ns: short < long, medium",
    "g24-bottom-line-direction": "pect_o* < bottom_line*",
    "g24-bottom-line-magnitude": "pect_o* < bottom_line* by 10",
    "g24-bottom-line-wide": "bottom_line* < pect_o*",
    "w5-utilisation": "> 75",
    "s3-same-utilisation": "easy ~ conservative",
    "s3-longest-wait": "conservative < easy",
}
"""Who has less than whom, in the words of ``tests/reports/ledger/wiring.py``."""
