"""Worlds of the claims on adaptive SCOJO: three instances each, with numbers from the thesis where it prints any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.reports.ledger.world import Scene, World

BOTH = ("huang-1", "huang-2")
RESPONSE, SLOWDOWN, MAKESPAN = "mean_response", "mean_relative_response", "makespan_from_first_start"
UTILISATION, EFFICIENCY = "effective_utilisation", "job_efficiency"
HOUR = 3600.0
SPREADS = ((0.999, 1.0, 1.001), (1.0, 0.9995, 1.0005), (1.0005, 1.0, 0.9995))
"""What the instances of neighbouring policies are of their mean, so that ratios have a spread."""

GANG = ("scojo_fcfs", "scojo_fcfs_b", "scojo_pri_b", "scojo_pri_eb")
THREE = ("scojo_pri_b_wa_fa", "scojo_pri_eb_wa_fa", "scojo_pri_b_wa")
PARTIAL = ("scojo_pri_b_fa", "scojo_pri_wa_fa", "scojo_fcfs_b_wa_fa")
TEN = (*GANG, *THREE, *PARTIAL)
ADAPTIVE_BUT_FA = (*THREE, "scojo_pri_wa_fa", "scojo_fcfs_b_wa_fa")


def measured(metrics: Mapping[str, Mapping[str, float]], workloads: Sequence[str] = BOTH, scope: str = "all") -> Scene:
    """Make a world in which strategies have these means, by metric."""

    def scene(world: World) -> None:
        for workload in workloads:
            for metric, policies in metrics.items():
                for place, (policy, mean) in enumerate(policies.items()):
                    draws = [mean * part for part in SPREADS[place % len(SPREADS)]]
                    world.metric(workload, policy, metric, draws, scope=scope)

    return scene


def times(**policies: float) -> Scene:
    """Make a world in which strategies have these response times and slowdowns, without ``scojo_`` before their names."""
    means = {f"scojo_{name}": mean for name, mean in policies.items()}
    return measured({RESPONSE: means, SLOWDOWN: means})


def classes(**slowdowns: float) -> Scene:
    """Make a world in which classes and flexibilities have these slowdowns under every strategy, by word."""

    def scene(world: World) -> None:
        for word, mean in slowdowns.items():
            scope = f"class={word}" if word in ("short", "medium", "long") else f"flexibility={word}"
            for policy in TEN:
                world.metric(BOTH[0], policy, SLOWDOWN, [0.97 * mean, mean, 1.03 * mean], scope=scope)
                world.metric(BOTH[1], policy, SLOWDOWN, [0.98 * mean, 1.01 * mean, mean], scope=scope)

    return scene


Printed = tuple[str, str, str, float, float, str]
"""Workload, policy, metric, what is printed, what its unit is worth in the store, and the figure."""


def quoted(rows: Sequence[Printed], times_printed: Mapping[str, float], scope: str = "all") -> Scene:
    """Make a world in which the thesis prints these values, and strategies have so many times theirs (1 unless named)."""

    def scene(world: World) -> None:
        for place, (workload, policy, metric, printed, scale, figure) in enumerate(rows):
            world.printed(
                workload, policy, metric, printed * scale, scope, source="Huang 2004", place=f"{figure}, page 65",
                printed=printed, printed_scale=scale, printed_digits=2, printed_draws=1,
            )  # fmt: skip
            mean = printed * scale * times_printed.get(policy, 1)
            if world.connection.execute(
                "SELECT 1 FROM run_values WHERE (workload, policy, metric, scope) = (?, ?, ?, ?)",
                [workload, policy, metric, scope],
            ).fetchone():
                continue
            world.metric(workload, policy, metric, [mean * part for part in SPREADS[place % 3]], scope=scope)

    return scene


def agrees_or_not(rows: Sequence[Printed], wrong: Mapping[str, float], scope: str = "all") -> tuple[Scene, Scene]:
    """Make the world in which all printed values are met, and one in which some policies have other multiples of them."""
    return quoted(rows, {}, scope), quoted(rows, wrong, scope)


def of_classes(rows: Mapping[str, float], workload: str, factor: float) -> Scene:
    """Make a world in which slowdowns of classes are printed, and are so many times as large here."""

    def scene(world: World) -> None:
        for scope, printed in rows.items():
            row = (workload, "scojo_pri_b_wa_fa", SLOWDOWN, printed, 1.0, "figure 7-4")
            quoted([row], {"scojo_pri_b_wa_fa": factor}, scope)(world)

    return scene


def two(workload: str, policy: str, response: float, slowdown: float, figures: tuple[str, str]) -> list[Printed]:
    """Return the response time in hours and the slowdown that the thesis prints of a strategy."""
    return [
        (workload, policy, RESPONSE, response, HOUR, figures[0]),
        (workload, policy, SLOWDOWN, slowdown, 1.0, figures[1]),
    ]


FIRST, SECOND = ("figure 7-1", "figure 7-1"), ("figure 7-2", "figure 7-3")
FCFS_1 = two("huang-1", "scojo_fcfs", 129.4, 3473.02, SECOND)
PRI_B_1 = two("huang-1", "scojo_pri_b", 26.49, 39.92, SECOND)
ADAPTIVE_1 = two("huang-1", "scojo_pri_b_wa_fa", 17.61, 26.61, SECOND)
EASY_1 = two("huang-1", "scojo_pri_eb_wa_fa", 17.05, 25.59, SECOND)
FA_1 = two("huang-1", "scojo_pri_b_fa", 37.37, 55.04, SECOND)
FCFS_2 = two("huang-2", "scojo_fcfs", 2121.0, 29001.63, SECOND)
ADAPTIVE_2 = two("huang-2", "scojo_pri_b_wa_fa", 404.12, 62.26, SECOND)
FCFS_2_AT_5 = two("huang-2", "scojo_fcfs", 2102.03, 29336.64, FIRST)
FCFS_2_AT_2 = two("huang-2", "scojo_fcfs_mpl2", 2203.99, 31017.44, FIRST)
ADAPTIVE_2_AT_2 = two("huang-2", "scojo_pri_b_wa_fa", 381.02, 53.27, FIRST)
ADAPTIVE_2_AT_1 = [("huang-2", "scojo_pri_b_wa_fa_mpl1", RESPONSE, 362.98, HOUR, "figure 7-1")]
MAKESPANS = [
    ("huang-1", "scojo_pri_b_wa_fa", MAKESPAN, 506.2, HOUR, "figure 7-6"),
    ("huang-1", "scojo_fcfs_b", MAKESPAN, 560.46, HOUR, "figure 7-6"),
]
UTILISATIONS = [
    ("huang-1", "scojo_pri_b_wa_fa", UTILISATION, 90.32, 0.01, "figure 7-5"),
    ("huang-1", "scojo_fcfs", UTILISATION, 91.44, 0.01, "figure 7-5"),
    ("huang-2", "scojo_pri_b_wa_fa", UTILISATION, 90.31, 0.01, "figure 7-5"),
    ("huang-2", "scojo_pri_wa_fa", UTILISATION, 90.78, 0.01, "figure 7-5"),
    ("huang-2", "scojo_fcfs_b", UTILISATION, 90.6, 0.01, "figure 7-5"),
    ("huang-2", "scojo_fcfs", UTILISATION, 91.67, 0.01, "figure 7-5"),
]
PRI_B_WA_EFFICIENCY = [("huang-2", "scojo_pri_b_wa", EFFICIENCY, 71.41, 0.01, "figure 7-7")]


def all_of(metric: str, mean: float, **others: float) -> Scene:
    """Make a world in which the ten strategies have one mean, but for those named."""
    return measured({metric: {policy: others.get(policy.removeprefix("scojo_"), mean) for policy in TEN}})


def exactly(metric: str, value: float) -> Scene:
    """Make a world in which the strategies of gang scheduling have one value in every instance."""

    def scene(world: World) -> None:
        for workload in BOTH:
            for policy in GANG:
                world.metric(workload, policy, metric, [value, value, value])

    return scene


def levels(name: str, *means: float) -> dict[str, float]:
    """Return the means of a strategy at multiprogramming levels 1 to 5, by the ids of the study."""
    own = {"scojo_fcfs": 5, "scojo_pri_b_wa_fa": 2}[name]
    return {name if level == own else f"{name}_mpl{level}": mean for level, mean in enumerate(means, start=1)}


def by_level(name: str, *means: float) -> Scene:
    """Make a world in which a strategy has these response times and slowdowns at levels 1 to 5."""
    return measured({RESPONSE: levels(name, *means), SLOWDOWN: levels(name, *means)})


def adaptive_and_fcfs(fcfs: float, adaptive: float) -> Scene:
    """Make a world in which both strategies have one mean at every level."""
    both = levels("scojo_fcfs", *[fcfs] * 5) | levels("scojo_pri_b_wa_fa", *[adaptive] * 5)
    return measured({RESPONSE: both, SLOWDOWN: both})


def favoured(priority: float, submission: float) -> Scene:
    """Make a world in which long jobs have so many times the slowdown of short ones, by priority and by submission."""

    def scene(world: World) -> None:
        for workload in BOTH:
            for policy, times_short in (("scojo_pri_b_wa_fa", priority), ("scojo_fcfs_b_wa_fa", submission)):
                world.metric(workload, policy, SLOWDOWN, [1.5, 1.6, 1.4], scope="class=short")
                world.metric(
                    workload,
                    policy,
                    SLOWDOWN,
                    [1.52 * times_short, 1.6 * times_short, 1.41 * times_short],
                    scope="class=long",
                )

    return scene


def backfilled(without: float, backfilling: float) -> Scene:
    """Make a world in which short and medium jobs have these slowdowns without and with backfilling."""

    def scene(world: World) -> None:
        means = {"scojo_fcfs": without, "scojo_fcfs_b": backfilling, "scojo_pri_wa_fa": without}
        means |= {"scojo_pri_b_wa_fa": backfilling, "scojo_pri_eb_wa_fa": backfilling}
        for scope in ("class=short", "class=medium"):
            measured({SLOWDOWN: means}, scope=scope)(world)

    return scene


def sliced(idle: float, level: float) -> Scene:
    """Make a world in which so much is idle at a mean level."""
    means = dict.fromkeys(TEN, idle)
    return measured({"fragmentation": means, "mean_level": dict.fromkeys(TEN, level)})


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


def drawn(
    kinds: Mapping[str, Sequence[tuple[str, str, int]]] = CLASSES,
    gap_s: tuple[float, float] = (67.03, 2187.5),
    longer: float = 1,
) -> Scene:
    """Make a world of jobs whose run times and sizes are the middles of their intervals, in three instances."""

    def scene(world: World) -> None:
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

    return scene


SWAPPED = {
    "huang-1": [("short", "malleable", 25), ("medium", "rigid", 25), ("long", "moldable", 50)],
    "huang-2": [("short", "malleable", 40), ("medium", "rigid", 30), ("long", "moldable", 30)],
}


def conserved(done: float, accounted: float) -> Scene:
    """Make a world in which runs do this part of the work asked, and account for this part of the processor time."""

    def scene(world: World) -> None:
        world.metric("huang-1", "scojo_fcfs", "accounted_capacity", accounted)
        world.row(
            "jobs", workload="huang-1", policy="scojo_fcfs", replication=0, job=1, size=4, runtime_us=1000, estimate_us=1000,
            outcome="finished",
        )  # fmt: skip
        world.row("gang_sums", workload="huang-1", policy="scojo_fcfs", replication=0, speedup_us=round(done * 2600))

    return scene


def slow_hours(world: World) -> None:
    """FCFS has the printed response times, and half the slowdowns that go with them."""
    rows = [*FCFS_1, *FCFS_2, *FCFS_2_AT_2]
    quoted([row for row in rows if row[2] == RESPONSE], {})(world)
    quoted([row for row in rows if row[2] == SLOWDOWN], {"scojo_fcfs": 0.5, "scojo_fcfs_mpl2": 0.5})(world)


WORLDS: dict[str, tuple[Scene, Scene]] = {
    "w1-fractions": (drawn(), drawn(SWAPPED)),
    "w1-rules": (drawn(), drawn(SWAPPED)),
    "w2-intervals": (drawn(), drawn(longer=3)),
    "w3-gaps": (drawn(), drawn(gap_s=(160, 4000))),
    "w4-work": (drawn(), drawn(longer=0.5)),
    "w5-slowdown-of-fcfs": (quoted([*FCFS_1, *FCFS_2, *FCFS_2_AT_2], {}), slow_hours),
    "w6-efficiency-of-gang": (exactly(EFFICIENCY, 0.65), exactly(EFFICIENCY, 0.7)),
    "w7-conservation": (conserved(1, 1), conserved(0.9, 0.98)),
    "g1-adaptive-beats-fcfs-at-every-level": (adaptive_and_fcfs(2204, 381), adaptive_and_fcfs(381, 2204)),
    "g1-adaptive-beats-fcfs-magnitude": agrees_or_not([*FCFS_2_AT_2, *ADAPTIVE_2_AT_2], {"scojo_fcfs_mpl2": 0.5}),
    "g2-adaptive-at-2-beats-fcfs-at-5": (all_of(RESPONSE, 18, fcfs=129), all_of(RESPONSE, 129, fcfs=18)),
    "g2-adaptive-at-2-beats-fcfs-at-5-magnitude": agrees_or_not(
        [*FCFS_1, *ADAPTIVE_1, *FCFS_2, *ADAPTIVE_2], {"scojo_fcfs": 3}
    ),
    "g5-priority-and-backfilling-help": (
        times(fcfs=129, fcfs_b=50, pri_b=26, pri_eb=25),
        times(fcfs=26, fcfs_b=50, pri_b=129, pri_eb=129),
    ),
    "g5-priority-and-backfilling-magnitude": agrees_or_not([*FCFS_1, *PRI_B_1], {"scojo_pri_b": 2}),
    "g6-adaptive-beats-pri-b": (times(pri_b=26.5, pri_b_wa_fa=17.6), times(pri_b=17.6, pri_b_wa_fa=26.5)),
    "g6-adaptive-beats-pri-b-magnitude": agrees_or_not([*PRI_B_1, *ADAPTIVE_1], {"scojo_pri_b": 0.7}),
    "g7-three-best": (
        all_of(RESPONSE, 40, pri_b_wa_fa=17.6, pri_eb_wa_fa=17, pri_b_wa=18),
        all_of(RESPONSE, 15, pri_b_wa_fa=17.6, pri_eb_wa_fa=17, pri_b_wa=18),
    ),
    "g7-three-similar": (
        times(pri_b_wa_fa=17.6, pri_eb_wa_fa=17.5, pri_b_wa=17.7),
        times(pri_b_wa_fa=17.6, pri_eb_wa_fa=12, pri_b_wa=25),
    ),
    "g8-partial-variants-are-bad": (
        all_of(RESPONSE, 37, pri_b=26, pri_eb=25),
        all_of(RESPONSE, 20, pri_b=26, pri_eb=25),
    ),
    "g8-partial-variants-magnitude": agrees_or_not([*FA_1, *PRI_B_1], {"scojo_pri_b_fa": 0.7}),
    "g9-adaptation-matters-more": (
        times(pri_b_wa_fa=17.6 * HOUR, pri_b_fa=37 * HOUR, pri_b_wa=18 * HOUR),
        times(pri_b_wa_fa=17.6 * HOUR, pri_b_fa=18 * HOUR, pri_b_wa=37 * HOUR),
    ),
    "g23-fragmentation-adaptation-is-not-enough": (
        times(pri_b_fa=37, pri_b_wa_fa=17.6),
        times(pri_b_fa=17, pri_b_wa_fa=37),
    ),
    "g23-fragmentation-adaptation-magnitude": agrees_or_not([*FA_1, *ADAPTIVE_1], {"scojo_pri_b_fa": 0.6}),
    "g23-fragmentation-adaptation-alone-gains-little": (
        times(pri_b_fa=26.4, pri_b=26.5),
        times(pri_b_fa=15, pri_b=26.5),
    ),
    "g10-fragmentation-alone-is-worst": (
        measured(
            {
                UTILISATION: dict.fromkeys(TEN, 0.91) | {"scojo_pri_b_fa": 0.85},
                MAKESPAN: dict.fromkeys(TEN, 510) | {"scojo_pri_b_fa": 650},
                EFFICIENCY: dict.fromkeys(TEN, 0.7) | {"scojo_pri_b_fa": 0.6},
            }
        ),
        measured(
            {
                UTILISATION: dict.fromkeys(TEN, 0.85) | {"scojo_pri_b_fa": 0.91},
                MAKESPAN: dict.fromkeys(TEN, 650) | {"scojo_pri_b_fa": 510},
                EFFICIENCY: dict.fromkeys(TEN, 0.6) | {"scojo_pri_b_fa": 0.7},
            }
        ),
    ),
    "g11-makespan-of-adaptive": (
        measured({MAKESPAN: dict.fromkeys(GANG, 560) | dict.fromkeys(ADAPTIVE_BUT_FA, 506)}),
        measured({MAKESPAN: dict.fromkeys(GANG, 506) | dict.fromkeys(ADAPTIVE_BUT_FA, 560)}),
    ),
    "g11-makespan-of-adaptive-magnitude": agrees_or_not(MAKESPANS, {"scojo_fcfs_b": 1.3}),
    "g12-makespans": agrees_or_not(MAKESPANS, {"scojo_fcfs_b": 1.3, "scojo_pri_b_wa_fa": 0.8}),
    "g11-efficiency-of-adaptive": (
        measured({EFFICIENCY: dict.fromkeys(GANG, 0.65) | dict.fromkeys(ADAPTIVE_BUT_FA, 0.714)}),
        measured({EFFICIENCY: dict.fromkeys(GANG, 0.65) | dict.fromkeys(ADAPTIVE_BUT_FA, 0.6)}),
    ),
    "g11-efficiency-of-adaptive-magnitude": agrees_or_not(PRI_B_WA_EFFICIENCY, {"scojo_pri_b_wa": 1.2}),
    "g3-fcfs-best-at-5": (
        by_level("scojo_fcfs", 144, 139, 136, 134, 131),
        by_level("scojo_fcfs", 131, 134, 136, 139, 144),
    ),
    "g4-fcfs-2-over-5": agrees_or_not([*FCFS_2_AT_2, *FCFS_2_AT_5], {"scojo_fcfs_mpl2": 1.3}),
    "g16-adaptive-response-best-at-1": (
        by_level("scojo_pri_b_wa_fa", 363, 381, 390, 395, 400),
        by_level("scojo_pri_b_wa_fa", 400, 381, 375, 370, 363),
    ),
    "g16-adaptive-response-magnitude": agrees_or_not([*ADAPTIVE_2_AT_2, *ADAPTIVE_2_AT_1], {"scojo_pri_b_wa_fa": 1.4}),
    "g16-adaptive-slowdown-best-at-1": (
        by_level("scojo_pri_b_wa_fa", 24, 26.6, 27, 28, 29),
        by_level("scojo_pri_b_wa_fa", 30, 26.6, 26, 25, 24),
    ),
    "g16-adaptive-slowdown-best-at-4": (
        by_level("scojo_pri_b_wa_fa", 58, 54, 52, 48, 55),
        by_level("scojo_pri_b_wa_fa", 48, 50, 52, 58, 51),
    ),
    "g17-space-sharing-suffices": (
        measured({RESPONSE: dict.fromkeys(TEN, 26) | {"scojo_pri_b_wa_fa_mpl1": 18}}),
        measured({RESPONSE: dict.fromkeys(TEN, 18) | {"scojo_pri_b_wa_fa_mpl1": 26}}),
    ),
    "g18-easy-backfilling-similar": (
        times(pri_b=26.5, pri_eb=26.6, pri_b_wa_fa=17.6, pri_eb_wa_fa=17.5),
        times(pri_b=26.5, pri_eb=15, pri_b_wa_fa=17.6, pri_eb_wa_fa=25),
    ),
    "g18-easy-backfilling-magnitude": agrees_or_not([*ADAPTIVE_1, *EASY_1], {"scojo_pri_eb_wa_fa": 0.7}),
    "g22-backfilling-helps-short-and-medium": (backfilled(8, 2), backfilled(2, 8)),
    "g13-rigid-beat-malleable": (classes(rigid=7.45, malleable=80.8), classes(rigid=80.8, malleable=7.45)),
    "g13-classes-in-workload-1": (
        of_classes(
            {"class=short": 1.54, "class=long": 118.4, "flexibility=moldable": 2.73, "flexibility=malleable": 80.79}
            | {"flexibility=rigid": 7.45},
            "huang-1",
            1,
        ),
        of_classes({"class=short": 1.54, "class=long": 118.4, "flexibility=moldable": 2.73}, "huang-1", 2),
    ),
    "g14-rigid-and-malleable-in-workload-2": (classes(rigid=150, malleable=130), classes(rigid=80, malleable=140)),
    "g14-classes-in-workload-2": (
        of_classes({"flexibility=rigid": 136.25, "flexibility=malleable": 139.78}, "huang-2", 1),
        of_classes({"flexibility=rigid": 136.25, "flexibility=malleable": 139.78}, "huang-2", 0.5),
    ),
    "g15-short-and-moldable-best-long-worst": (
        classes(short=1.54, medium=5.8, long=118.4, moldable=2.73, rigid=7.45, malleable=80.8),
        classes(short=118, medium=5.8, long=1.5, moldable=80, rigid=7.45, malleable=2.7),
    ),
    "g15-malleable-worst": (classes(rigid=7.45, malleable=80.8), classes(rigid=80.8, malleable=7.45)),
    "g24-priority-favours-short": (favoured(77, 20), favoured(20, 77)),
    "g19-effective-utilisation": (all_of(UTILISATION, 0.94), all_of(UTILISATION, 0.8)),
    "g19-effective-utilisation-values": agrees_or_not(UTILISATIONS, {row[1]: 0.85 for row in UTILISATIONS}),
    "g19-utilisations-similar": (all_of(UTILISATION, 0.91), all_of(UTILISATION, 0.8, fcfs=0.9)),
    "g19-fragmentation": (all_of("fragmentation", 0.003), all_of("fragmentation", 0.09)),
    "g19-fragmentation-while-waiting": (
        all_of("fragmentation_while_waiting", 0.003),
        all_of("fragmentation_while_waiting", 0.09),
    ),
    "g19-fragmentation-of-a-slice": (sliced(0.006, 3), sliced(0.09, 2)),
    "g19-adaptive-slightly-below": (
        all_of(UTILISATION, 0.89, fcfs=0.92, fcfs_b=0.92, pri_b=0.92, pri_eb=0.92),
        all_of(UTILISATION, 0.92, fcfs=0.85, fcfs_b=0.85, pri_b=0.85, pri_eb=0.85),
    ),
    "g20-values-of-workload-1": agrees_or_not(
        [*FCFS_1, *PRI_B_1, *ADAPTIVE_1, *EASY_1, *FA_1],
        {"scojo_fcfs": 2, "scojo_pri_b": 2, "scojo_pri_b_wa_fa": 2, "scojo_pri_eb_wa_fa": 2, "scojo_pri_b_fa": 2},
    ),
    "g21-values-of-workload-2": agrees_or_not([*FCFS_2, *ADAPTIVE_2], {"scojo_fcfs": 2, "scojo_pri_b_wa_fa": 2}),
}
"""The world in which a claim is true, and the one in which it is false."""
