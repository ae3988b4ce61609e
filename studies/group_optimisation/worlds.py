"""Worlds of the study of group optimisation: numbers from the sentences of the thesis, and others that contradict them.

Most sentences compare two schedulers on the same jobs, in per cent: :func:`gains` makes such a world.
"""

from __future__ import annotations

from .worlds_counts import WORLDS as COUNTS

SLOWDOWN, RESPONSE, WAIT = "mean_bounded_slowdown_600", "mean_response", "mean_wait"
SEEDS = ("seed-71", "seed-31", "seed-73", "seed-35", "seed-7")
DRAWS = ((10, -0.5), (12, 0), (11, 0.5))
"""What a metric is without the change in each draw, and how far each draw is from the mean change, in points."""


def gains(policy, versus, metric, *, workloads=("seed-71",), **percent):
    """Make a world in which each scope is so many per cent lower under one scheduler than under another."""

    def scene(world):
        for workload in workloads:
            for scope, gain in percent.items():
                for draw, (base, away) in enumerate(DRAWS):
                    at = {"scope": scope.replace("_", " "), "replication": draw}
                    world.metric(workload, versus, metric, base, **at)
                    world.metric(workload, policy, metric, base * (1 - (gain + away) / 100), **at)

    return scene


def together(*scenes):
    """Make a world of several."""

    def scene(world):
        for one in scenes:
            one(world)

    return scene


def values(metric, workloads=("seed-71",), **of_policies):
    """Make a world in which policies have these values of a metric of all jobs, a value per draw."""

    def scene(world):
        for workload in workloads:
            for policy, found in of_policies.items():
                world.metric(workload, policy, metric, found)

    return scene


def ordered(metric=SLOWDOWN, **percent):
    """Make a world in which ordering groups changes a metric of each scope by so many per cent."""
    return gains("pect_o", "pect", metric, **percent)


def without(metric=SLOWDOWN, **percent):
    """Make the same where nothing is lent to other classes."""
    return gains("pect_o_ns", "pect_ns", metric, **percent)


def searched(percent):
    """Make a world in which groups gain so many per cent, or lose them, against search at every event, in each kind of job."""
    kinds = {f"{length}_{width}": percent for length in ("medium", "long") for width in ("narrow", "medium", "wide")}
    return together(
        gains("pect_o", "bottom_line", SLOWDOWN, **kinds), gains("pect_o_ns", "bottom_line_ns", SLOWDOWN, **kinds)
    )


def against_space_sharing(metric, percent):
    """Make a world in which SCOJO-PECT has so many per cent more of a metric than space sharing."""

    def scene(world):
        gains("pect", "easy", metric, all=-percent)(world)
        world.metric("seed-71", "conservative", metric, [base for base, _ in DRAWS])

    return scene


def second_level(metric, percent):
    """Make a world in which the second level shortens means by so many per cent, on a seed and on a log."""

    def scene(world):
        for workload in ("seed-71", "lanl-cm5-first"):
            for unit, (base, away) in enumerate(DRAWS):
                world.unit_metric(workload, "pect_o_first_level", metric, base, unit)
                world.unit_metric(workload, "pect_o", metric, base * (1 - (percent + away) / 100), unit)

    return scene


def seeds_print(percent):
    """Make a world in which seed 31 prints 26 % for long jobs and seed 71 55 % for the best width, and all gain this much."""

    def scene(world):
        for workload, scope, value in (("seed-31", "long", 26), ("seed-71", "most of long", 55)):
            here = {"printed": value, "printed_digits": 0, "printed_scale": 0.01, "printed_draws": 1}
            world.printed(workload, "pect_o", "improvement", value / 100, scope, source="Kanavallil 2007", **here)
        ordered(workloads=("seed-31",), long=26 * percent)(world)
        ordered(workloads=("seed-71",), long=20, long_narrow=55 * percent, long_wide=-10)(world)

    return scene


def seed_7(percent):
    """Make a world in which other seeds gain 12 % and seed 7 gains this much."""
    return together(
        ordered(workloads=SEEDS[:4], medium=12, long=12), ordered(workloads=SEEDS[4:], medium=percent, long=percent)
    )


def utilisation_falls(points):
    """Make a world in which groups cost so many points of utilisation."""
    return values(
        "core_utilisation", pect=[0.80, 0.82, 0.81],
        pect_o=[0.80 - points / 100, 0.8205 - points / 100, 0.8095 - points / 100],
    )  # fmt: skip


def worst_cases(**after):
    """Make a world in which the worst case of each class was 100, 120, 110 and is now the same times this."""

    def scene(world):
        for scope, factor in after.items():
            world.metric("seed-71", "pect_ns", "max_bounded_slowdown_600", [100, 120, 110], scope)
            world.metric(
                "seed-71", "pect_o_ns", "max_bounded_slowdown_600", [100 * factor, 121 * factor, 109 * factor], scope
            )

    return scene


def wide_wait(factor):
    """Make a world in which wide jobs wait this many times as long as narrow ones."""

    def scene(world):
        for policy in ("pect", "pect_o"):
            world.metric("seed-71", policy, WAIT, [100, 120, 110], "any narrow")
            world.metric("seed-71", policy, WAIT, [100 * factor, 121 * factor, 109 * factor], "any wide")

    return scene


def lending(percent, metric=SLOWDOWN):
    """Make a world in which smart backfilling lowers a mean of all jobs by so many per cent, with groups and without."""
    return together(gains("pect", "pect_ns", metric, all=percent), gains("pect_o", "pect_o_ns", metric, all=percent))


def dynamic(**percent):
    """Make a world in which dynamic backfilling shortens waits by so many per cent."""
    return gains("pect_o", "pect_o_no_dynamic", WAIT, **percent)


def both_levels(workload="seed-31", **percent):
    """Make a world in which the second level lowers slowdowns by so many per cent."""
    return gains("pect_o", "pect_o_first_level", SLOWDOWN, workloads=(workload,), **percent)


def lent_responses(**percent):
    """Make a world in which smart backfilling shortens responses by so many per cent."""
    return gains("pect", "pect_ns", RESPONSE, **percent)


WORLDS = {
    **COUNTS,
    "g8-long-jobs-direction": (ordered(long=15), ordered(long=-15)),
    "g8-long-jobs-magnitude": (ordered(long=15), ordered(long=5)),
    "g9-medium-jobs-direction": (ordered(medium=9), ordered(medium=-9)),
    "g9-medium-jobs-magnitude": (ordered(medium=9), ordered(medium=19)),
    "g9-long-more-than-medium": (ordered(long=15, medium=9), ordered(long=9, medium=15)),
    "g26-all-jobs-direction": (ordered(all=16), ordered(all=-16)),
    "g26-all-jobs-magnitude": (ordered(all=16), ordered(all=6)),
    "g26-consistent": (ordered(workloads=SEEDS, all=16), ordered(workloads=SEEDS, all=-2)),
    "g26-abstract": (ordered(medium=18, long=32), ordered(medium=9, long=15)),
    "g10-short-jobs": (
        ordered(workloads=("seed-35",), short=4, medium=6), ordered(workloads=("seed-35",), short=14, medium=26),
    ),
    "g26-printed-improvements-of-seeds": (seeds_print(1), seeds_print(0.1)),
    "g27-seed-7-little-benefit": (seed_7(1), seed_7(22)),
    "g11-wide-jobs": (ordered(medium_wide=-5, long_wide=-8), ordered(medium_wide=5, long_wide=8)),
    "g11-wide-jobs-gain-least": (
        ordered(medium_wide=-5, medium_medium=9, medium_narrow=8, long_wide=-5, long_medium=15, long_narrow=14),
        ordered(medium_wide=20, medium_medium=9, medium_narrow=8, long_wide=30, long_medium=15, long_narrow=14),
    ),
    "g12-response-direction": (ordered(RESPONSE, all=13), ordered(RESPONSE, all=-13)),
    "g12-response-magnitude": (ordered(RESPONSE, all=15), ordered(RESPONSE, all=5)),
    "g13-wait-direction": (ordered(WAIT, all=10), ordered(WAIT, all=-10)),
    "g13-wait-magnitude": (ordered(WAIT, all=10), ordered(WAIT, all=20)),
    "g13-wide-jobs-wait": (wide_wait(3), wide_wait(0.5)),
    "g14-utilisation-direction": (utilisation_falls(1.5), utilisation_falls(-1.5)),
    "g14-utilisation-magnitude": (utilisation_falls(1.5), utilisation_falls(5)),
    "g14-utilisation-within": (utilisation_falls(1.2), utilisation_falls(5)),
    "g14-utilisation-conclusion": (utilisation_falls(1.2), utilisation_falls(3)),
    "g16-dynamic-direction": (dynamic(all=5), dynamic(all=-5)),
    "g16-dynamic-magnitude": (dynamic(all=5), dynamic(all=15)),
    "g16-whom-dynamic-backfilling-serves": (dynamic(short=9, medium=7, long=1), dynamic(short=1, medium=0, long=5)),
    "g19-second-level-direction": (both_levels(medium=4, long=4), both_levels(medium=-4, long=-4)),
    "g19-second-level-magnitude": (both_levels(medium=4, long=5), both_levels(medium=20, long=30)),
    "g19-wide-jobs": (both_levels(medium_wide=0.1, long_wide=-0.1), both_levels(medium_wide=9, long_wide=9)),
    "g19-second-level-response": (second_level(RESPONSE, 4), second_level(RESPONSE, 20)),
    "g19-second-level-wait": (second_level(WAIT, 4), second_level(WAIT, 20)),
    "g28-heuristic": (
        gains("pect_o_first_level", "pect", SLOWDOWN, all=5), gains("pect_o_first_level", "pect", SLOWDOWN, all=-5),
    ),
    "g20-without-direction": (without(long=25, medium=15, short=2), without(long=-5, medium=-5, short=-2)),
    "g20-long-magnitude": (without(long=25), without(long=5)),
    "g20-medium-magnitude": (without(medium=15), without(medium=3)),
    "g20-short-jobs": (without(long=25, medium=15, short=2), without(long=2, medium=1, short=20)),
    "g20-more-than-with": (
        together(without(long=25, medium=15), ordered(long=15, medium=9)),
        together(without(long=15, medium=9), ordered(long=25, medium=15)),
    ),
    "g21-without-direction": (
        together(without(RESPONSE, all=14), without(WAIT, all=14)),
        together(without(RESPONSE, all=-14), without(WAIT, all=-14)),
    ),
    "g21-without-magnitude": (
        together(without(RESPONSE, all=15), without(WAIT, all=16)),
        together(without(RESPONSE, all=5), without(WAIT, all=4)),
    ),
    "g22-worst-cases": (worst_cases(medium=0.9, long=1.8), worst_cases(medium=1.8, long=0.9)),
    "g22-worst-cases-of-long-jobs": (worst_cases(long=1.8), worst_cases(long=0.8)),
    "g23-smart-backfilling": (lending(27), lending(-27)),
    "g23-response-direction": (lent_responses(short=27, medium=27), lent_responses(short=-27, medium=-27)),
    "g23-response-magnitude": (lent_responses(short=27, medium=27), lent_responses(short=50, medium=50)),
    "g23-short-jobs-most": (
        lent_responses(short=40, medium=20, long=10), lent_responses(short=10, medium=20, long=40),
    ),
    "g24-bottom-line-direction": (searched(10), searched(-10)),
    "g24-bottom-line-magnitude": (searched(10), searched(-10)),
    "g24-bottom-line-wide": (searched(-10), searched(10)),
    "c2-slowdown-direction": (against_space_sharing(SLOWDOWN, -88), against_space_sharing(SLOWDOWN, 88)),
    "c2-slowdown-magnitude": (against_space_sharing(SLOWDOWN, -88), against_space_sharing(SLOWDOWN, -40)),
    "c2-response-direction": (against_space_sharing(RESPONSE, 31), against_space_sharing(RESPONSE, -31)),
    "c2-response-magnitude": (against_space_sharing(RESPONSE, 31), against_space_sharing(RESPONSE, 5)),
    "s3-same-utilisation": (
        values("core_utilisation", easy=[0.80, 0.81, 0.82], conservative=[0.801, 0.81, 0.819]),
        values("core_utilisation", easy=[0.80, 0.81, 0.82], conservative=[0.75, 0.76, 0.771]),
    ),
    "s3-longest-wait": (
        values("max_wait", easy=[100, 110, 120], conservative=[50, 56, 60]),
        values("max_wait", easy=[50, 56, 60], conservative=[100, 110, 120]),
    ),
}  # fmt: skip
