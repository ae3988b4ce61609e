"""Worlds of the claims on adaptive SCOJO: three instances each, with numbers from the thesis where it prints any."""

import json
from collections.abc import Mapping, Sequence
from itertools import product

from tests.reports.ledger.wiring import as_printed, measured
from tests.reports.ledger.world import Scene, World, scene, together

BOTH = ("huang-1", "huang-2")
RESPONSE, SLOWDOWN = "mean_response", "mean_relative_response"
GANG = ("scojo_fcfs", "scojo_fcfs_b", "scojo_pri_b", "scojo_pri_eb")
ADAPTIVE = ("scojo_pri_b_wa_fa", "scojo_pri_eb_wa_fa", "scojo_pri_b_wa", "scojo_pri_wa_fa", "scojo_fcfs_b_wa_fa")
FA = "scojo_pri_b_fa"


def means(metric: str, of: Mapping[str, float], scope: str = "all") -> Scene:
    """Make a world in which strategies have these means on both workloads."""
    return measured({(workload, policy, metric, scope): mean for workload in BOTH for policy, mean in of.items()})


def without(fa: float, wa: float) -> Scene:
    """Make a world in which response times are 17.6 h with both adaptations, and these hours with one of the two."""
    hours = {"scojo_pri_b_wa_fa": 17.6, FA: fa, "scojo_pri_b_wa": wa}
    return means(RESPONSE, {policy: 3600 * mean for policy, mean in hours.items()})


@scene
def alone(world: World, factor: float) -> None:
    """Make a world in which adaptation to fragmentation alone is so many times as good as all others, by three metrics."""
    for metric, way in (
        ("effective_utilisation", factor),
        ("makespan_from_first_start", 1 / factor),
        ("job_efficiency", factor),
    ):
        means(metric, dict.fromkeys((*GANG, *ADAPTIVE), 0.7) | {FA: 0.7 * way})(world)


def fcfs_slowdowns(part: float) -> Scene:
    """Make a world in which FCFS has the printed response times, and this part of the slowdowns that go with them."""
    policies = ("scojo_fcfs", "scojo_fcfs_mpl2")
    given = {
        "against": [[policy, policy] for policy in policies],
        "metrics": [[SLOWDOWN, RESPONSE]],
        "workloads": list(BOTH),
    }
    return as_printed(given, part, "figure 7-1*")


@scene
def efficient(world: World, value: float) -> None:
    """Make a world in which the strategies of gang scheduling have one efficiency in every instance."""
    for workload, policy in product(BOTH, GANG):
        world.metric(workload, policy, "job_efficiency", [value] * 3)


@scene
def favoured(world: World, priority: float, submission: float) -> None:
    """Make a world in which long jobs have so many times the slowdown of short ones, by priority and by submission."""
    means(SLOWDOWN, {"scojo_pri_b_wa_fa": 1.5, "scojo_fcfs_b_wa_fa": 1.5}, "class=short")(world)
    of = {"scojo_pri_b_wa_fa": 1.5 * priority, "scojo_fcfs_b_wa_fa": 1.5 * submission}
    means(SLOWDOWN, of, "class=long")(world)


CLASSES = {
    "huang-1": [("short", "moldable", 40), ("medium", "moldable", 20), ("medium", "malleable", 10), ("medium", "rigid", 10),
                ("long", "malleable", 20)],
    "huang-2": [("short", "moldable", 30), ("medium", "moldable", 30), ("medium", "rigid", 5), ("long", "malleable", 30),
                ("long", "rigid", 5)],
}  # fmt: skip
MIDDLES = {
    "huang-1": {"short": (30.5, 2.5), "medium": (930, 14), "long": (2700, 20)},
    "huang-2": {"short": (90.5, 2.5), "medium": (1890, 14), "long": (55800, 20)},
}


@scene
def drawn(
    world: World,
    kinds: Mapping[str, Sequence[tuple[str, str, int]]] = CLASSES,
    gap_s: tuple[float, float] = (67.03, 2187.5),
    longer: float = 1,
) -> None:
    """Make a world of jobs whose run times and sizes are the middles of their intervals, in three instances."""
    world.quote(metric="job_share")
    for (workload, parts), gap in zip(kinds.items(), gap_s, strict=True):
        for replication, part in enumerate((0.995, 1.0, 1.005)):
            number = 0
            for name, flexibility, count in parts:
                runtime, size = MIDDLES[workload][name]
                for copy in range(count):
                    world.row(
                        "jobs", workload=workload, policy="scojo_fcfs", replication=replication, job=number,
                        submit_us=round(number * gap * part * 1e6), runtime_us=round(runtime * longer * part * 1e6),
                        size=int(size) + (copy % 2 if size % 1 else 0), **{"class": name, "flexibility": flexibility},
                    )  # fmt: skip
                    number += 1


SWAPPED = {
    "huang-1": [("short", "malleable", 25), ("medium", "rigid", 25), ("long", "moldable", 50)],
    "huang-2": [("short", "malleable", 40), ("medium", "rigid", 30), ("long", "moldable", 30)],
}

MIXED = {workload: [("short", "moldable", 40), ("medium", "moldable", 20), ("medium", "malleable", 10), ("long", "malleable", 20)]
         for workload in BOTH}  # fmt: skip
"""Classes by flexibility as the words of section 7.5 have them in both workloads."""


@scene
def conserved(world: World, done: float, accounted: float) -> None:
    """Make a world in which runs do this part of the work asked, and account for this part of the processor time."""
    world.metric("huang-1", "scojo_fcfs", "accounted_capacity", accounted)
    world.row(
        "jobs", workload="huang-1", policy="scojo_fcfs", replication=0, job=1, size=4, runtime_us=1000, estimate_us=1000,
        outcome="finished",
    )  # fmt: skip
    world.row("gang_sums", workload="huang-1", policy="scojo_fcfs", replication=0, speedup_us=round(done * 2600))


LEVELS = ("scojo_fcfs_mpl1", "scojo_fcfs_mpl2", "scojo_fcfs_mpl3", "scojo_fcfs_mpl4", "scojo_fcfs")
ADAPTIVE_LEVELS = (
    "scojo_pri_b_wa_fa_mpl1",
    "scojo_pri_b_wa_fa",
    *(f"scojo_pri_b_wa_fa_mpl{level}" for level in (3, 4, 5)),
)


def effective(step: float) -> Scene:
    """Make a world in which the effective part of utilisation changes by this factor from level to level of FCFS."""
    parts = {policy: 0.8 * step**place for place, policy in enumerate(LEVELS)}
    return together(means("utilisation", dict.fromkeys(LEVELS, 0.9)), means("effective_utilisation", parts))


def by_level(*slowdowns: float) -> Scene:
    """Make a world in which adaptive SCOJO has these slowdowns at levels 1 to 5."""
    return means(SLOWDOWN, dict(zip(ADAPTIVE_LEVELS, slowdowns, strict=True)))


@scene
def sized(world: World, **sizes: tuple[int, int]) -> None:
    """Make a world with a moldable job of each class, of this size, which starts on so many processors."""
    for workload, policy in product(BOTH, ("scojo_fcfs", "scojo_pri_b_wa_fa")):
        for job, (name, (size, held)) in enumerate(sizes.items()):
            world.row(
                "jobs", workload=workload, policy=policy, replication=0, job=job, size=size, processors=held,
                **{"class": name, "flexibility": "moldable"},
            )  # fmt: skip


@scene
def queued(world: World, part: float) -> None:
    """Make a world in which a job waits for this part of the time."""
    for workload, policy, replication in product(BOTH, (*GANG, *ADAPTIVE, FA), range(3)):
        span = {"begin_us": 1000, "end_us": 101_000, "queued_us": round(100_000 * part) + replication}
        world.row("gang_sums", workload=workload, policy=policy, replication=replication, **span)


def used(gang: float, adaptive: float) -> Scene:
    """Make a world in which the strategies have these effective utilisations."""
    return means("effective_utilisation", dict.fromkeys(GANG, gang) | dict.fromkeys((*ADAPTIVE, FA), adaptive))


@scene
def spent(world: World, part: float) -> None:
    """Make a world of a machine of 100 processors in which reconfigurations take this part of the time."""
    for workload in BOTH:
        world.workload(workload, processors=100)
        for policy, replication in product((*ADAPTIVE, FA), range(3)):
            world.metric(workload, policy, "makespan", 1000, replication=replication)
            counters = json.dumps({"resizing_us": round(100 * 1000 * 1e6 * part)})
            world.row("runs", workload=workload, policy=policy, replication=replication, counters=counters)


WORLDS = {
    "w1-fractions": (drawn(), drawn(SWAPPED)),
    "w1-rules": (drawn(), drawn(SWAPPED)),
    "w2-intervals": (drawn(), drawn(longer=3)),
    "w8-classes-of-rigid-jobs": (
        drawn(),
        drawn({workload: [("short", "moldable", 60), ("long", "rigid", 40)] for workload in BOTH}),
    ),
    "w9-moldable-mainly-short": (drawn(MIXED), drawn(SWAPPED)),
    "w10-malleable-mainly-long": (drawn(MIXED), drawn(SWAPPED)),
    "w10-malleable-some-medium": (drawn(MIXED), drawn(SWAPPED)),
    "w3-gaps": (drawn(), drawn(gap_s=(160, 4000))),
    "w4-work": (drawn(), drawn(longer=0.5)),
    "w5-slowdown-of-fcfs": (fcfs_slowdowns(1), fcfs_slowdowns(0.5)),
    "w6-efficiency-of-gang": (efficient(0.65), efficient(0.7)),
    "w7-conservation": (conserved(1, 1), conserved(0.9, 0.98)),
    "r2-higher-levels-switch-more": (effective(0.98), effective(1.02)),
    "r5-bounds-of-sizes": (sized(short=(4, 2), long=(20, 40)), sized(short=(4, 1), long=(20, 41))),
    "r6-sizes-overlap": (
        sized(short=(9, 9), medium=(8, 8), long=(7, 7)),
        sized(short=(4, 4), medium=(7, 7), long=(8, 8)),
    ),
    "r11-very-short-jobs-matter-little": (drawn(), drawn({workload: [("short", "moldable", 9)] for workload in BOTH})),
    "g27-levels-may-not-help-slowdown": (by_level(30, 25, 27, 20, 15), by_level(30, 25, 22, 20, 15)),
    "g28-machine-is-kept-busy": (queued(0.99), queued(0.6)),
    "g29-almost-all-adaptive-below": (used(gang=0.91, adaptive=0.9), used(gang=0.9, adaptive=0.91)),
    "g29-cost-explains-it": (
        together(spent(0.009), used(gang=0.91, adaptive=0.9)),
        together(spent(0.001), used(gang=0.91, adaptive=0.9)),
    ),
    "g9-adaptation-matters-more": (without(fa=37, wa=18), without(fa=18, wa=37)),
    "g10-fragmentation-alone-is-worst": (alone(0.8), alone(1.25)),
    "g24-priority-favours-short": (favoured(77, 20), favoured(20, 77)),
}
"""The world in which a claim is true, and the one in which it is false."""

LOWER = {
    "g2-adaptive-at-2-beats-fcfs-at-5": "*_fa, *_wa < scojo_fcfs",
    "g7-three-best": "scojo_pri_b_wa_fa, scojo_pri_eb_wa_fa, scojo_pri_b_wa < scojo_fcfs*, *_b, *_eb, *_b_fa, scojo_pri_wa_fa",
    "g8-partial-variants-are-bad": "scojo_pri_b, scojo_pri_eb < *_fa",
    "g11-makespan-of-adaptive": "*_fa, *_wa < scojo_fcfs, *_b, *_eb",
    "g11-efficiency-of-adaptive": "scojo_fcfs, *_b, *_eb < *_fa, *_wa",
    "g19-adaptive-slightly-below": "*_fa, *_wa < scojo_fcfs, *_b, *_eb",
    "g1-adaptive-beats-fcfs-at-every-level": "scojo_pri_b_wa_fa* < scojo_fcfs*",
    "g5-priority-and-backfilling-help": "scojo_fcfs_b, scojo_pri_b, scojo_pri_eb < scojo_fcfs",
    "g6-adaptive-beats-pri-b": "scojo_pri_b_wa_fa < scojo_pri_b",
    "g7-three-similar": "scojo_pri_eb_wa_fa, scojo_pri_b_wa ~ scojo_pri_b_wa_fa",
    "g23-fragmentation-adaptation-is-not-enough": "scojo_pri_b_wa_fa < scojo_pri_b_fa",
    "g23-fragmentation-adaptation-alone-gains-little": "scojo_pri_b ~ scojo_pri_b_fa",
    "g3-fcfs-best-at-5": "scojo_fcfs < scojo_fcfs_mpl*",
    "g3-each-level-helps-fcfs": "scojo_fcfs < scojo_fcfs_mpl4 < scojo_fcfs_mpl3 < scojo_fcfs_mpl2 < scojo_fcfs_mpl1",
    "g16-adaptive-response-best-at-1": "*_mpl1 < scojo_pri_b_wa_fa, *_mpl3, *_mpl4, *_mpl5",
    "g16-adaptive-slowdown-best-at-1": "*_mpl1 < scojo_pri_b_wa_fa, *_mpl3, *_mpl4, *_mpl5",
    "g16-adaptive-slowdown-best-at-4": "*_mpl4 < scojo_pri_b_wa_fa, *_mpl1, *_mpl3, *_mpl5",
    "g17-space-sharing-suffices": "scojo_pri_b_wa_fa_mpl1 < scojo_fcfs*, *_b, *_eb, *_fa, *_wa",
    "r1-higher-levels-start-jobs-sooner": (
        "scojo_fcfs < scojo_fcfs_mpl4 < scojo_fcfs_mpl3 < scojo_fcfs_mpl2 < scojo_fcfs_mpl1"
    ),
    "r12-five-slots-suffice": "scojo_fcfs ~ scojo_fcfs_unlimited",
    "g25-priorities-beat-fcfs": "scojo_pri_b* < scojo_fcfs_b*",
    "g26-each-part-matters": "scojo_pri_b_wa_fa, scojo_pri_eb_wa_fa < scojo_pri_b_fa, scojo_fcfs_b_wa_fa, scojo_pri_wa_fa",
    "g30-little-is-left-to-fill": "scojo_pri_b_wa < scojo_fcfs_mpl2 by 60",
    "g31-shrinking-prevails": "low_share < high_share",
    "g32-shares-of-classes-matter": "lublin-flexible < lublin-more-long",
    "g32-run-times-matter": "lublin-flexible < lublin-longer",
    "g33-long-jobs-fragment": "lublin-flexible < lublin-more-long",
    "g18-easy-backfilling-similar": "scojo_pri_eb, scojo_pri_eb_wa_fa ~ scojo_pri_b, scojo_pri_b_wa_fa",
    "g22-backfilling-helps-short-and-medium": "scojo_fcfs_b, scojo_pri_b_wa_fa, scojo_pri_eb_wa_fa < scojo_fcfs, scojo_pri_wa_fa",
    "g13-rigid-beat-malleable": "flexibility=rigid < flexibility=malleable",
    "g14-rigid-and-malleable-in-workload-2": "flexibility=malleable < flexibility=rigid",
    "g15-short-and-moldable-best-long-worst": "*=short, *=moldable < *=medium, *=malleable, *=rigid < *=long",
    "g15-malleable-worst": "flexibility=rigid < flexibility=malleable",
    "g19-effective-utilisation": "> 90",
    "g19-utilisations-similar": "*_b, *_eb, *_fa, *_wa ~ scojo_fcfs",
    "g19-fragmentation": "< 0.5",
}
"""Who has less than whom, in the words of ``tests/reports/ledger/wiring.py``."""
