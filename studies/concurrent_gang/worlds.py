"""Worlds of the study of Concurrent Gang: what systems with and without measurements have done on four draws of some mixtures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .worlds_chapter_6 import CHAPTER_6

if TYPE_CHECKING:
    from tests.reports.ledger.world import Scene, World

GANG, RT, PRIORITIES = "gang", "gang_rt", "gang_rt_nospin"
ALT, DHC = "dhc_alt", "dhc_rt"
USED, COMPLETED = "utilisation_spin_busy", "jobs_completed"
IO = ["io-8", "io-16"]
MSG, EMB = ["io-msg-8", "io-msg-16"], ["io-msg-emb-8", "io-msg-emb-16"]
BSP, BSP_EMB = ["io-bsp-8", "io-bsp-16"], ["io-bsp-emb-8", "io-bsp-emb-16"]
EMB_MSG, EMB_BSP = ["emb-msg-8", "emb-msg-16"], ["emb-bsp-8", "emb-bsp-16"]
SPINNING, WITHOUT_IO = [*BSP, *MSG], [*EMB_MSG, *EMB_BSP]
AROUND = (0.996, 1.002, 1.004, 0.998)
"""How four draws lie around their middle."""

Levels = Mapping[str, float]
"""A value for each policy."""


def both(*scenes: Scene) -> Scene:
    """Return one world of several."""

    def scene(world: World) -> None:
        for one in scenes:
            one(world)

    return scene


def runs(workloads: Sequence[str], metric: str, of: Levels) -> Scene:
    """Return the same metric of each policy on each workload; draws of one policy go up where those of the next go down."""

    def scene(world: World) -> None:
        for workload in workloads:
            for place, (policy, value) in enumerate(of.items()):
                drawn = [factor * value for factor in AROUND]
                world.metric(workload, policy, metric, drawn[::-1] if place % 2 else drawn)

    return scene


def gains(
    workloads: Sequence[str], used: float, completed: float | None = None, policy: str = RT, versus: str = GANG
) -> Scene:
    """Return runs in which a policy uses, and completes, so many times as much as another."""
    made = [runs(workloads, USED, {versus: 0.4, policy: 0.4 * used})]
    if completed is not None:
        made.append(runs(workloads, COMPLETED, {versus: 40, policy: 40 * completed}))
    return both(*made)


def chapters(eight: float, six: float) -> Scene:
    """Return throughput on input and output, over gang scheduling, in chapter 8 and in chapter 6."""
    return both(
        runs(["io-16"], COMPLETED, {GANG: 40, RT: 40 * eight}),
        runs(["chapter-6-io"], COMPLETED, {"gang-6": 30, "cg_prio": 30 * six}),
    )


def table(workload: str, metric: str, printed: tuple[float, float], found: tuple[float, float]) -> Scene:
    """Return what a table prints with and without measurements, beside what runs have."""
    unit, scale = ("%", 0.01) if metric == USED else ("", 1.0)

    def scene(world: World) -> None:
        for policy, told, value in zip((RT, GANG), printed, found, strict=True):
            world.printed(
                workload, policy, metric, told * scale, source="da Silva 2000", printed=told, printed_digits=0, printed_unit=unit,
                printed_scale=scale, printed_draws=1,
            )  # fmt: skip
            world.metric(workload, policy, metric, [factor * value * scale for factor in AROUND])

    return scene


def tables(printed: Mapping[str, tuple[float, float]], metric: str, found: tuple[float, float] | None = None) -> Scene:
    """Return the same of several tables; unless what was found is another, runs have what is printed."""
    return both(*(table(workload, metric, told, found or told) for workload, told in printed.items()))


def unfinished(of: Levels) -> Scene:
    """Return runs in which a part of the work was on jobs that had not ended: one job of 100 s on 4 processors ended."""

    def scene(world: World) -> None:
        for workload in IO:
            for policy, part in of.items():
                for draw, factor in enumerate(AROUND):
                    shared = {"workload": workload, "policy": policy, "replication": draw}
                    world.row("jobs", **shared, job=1, size=4, runtime_us=10**8, estimate_us=10**8, finish_us=10**9)
                    world.row("jobs", **shared, job=2, size=4, runtime_us=10**8, estimate_us=10**8)
                    work = round(4 * 10**11 / (1 - part * factor))
                    for end_us, done in ((10**9, work // 2), (2 * 10**9, work)):
                        world.row(
                            "activity_sums", **shared, end_us=end_us, compute_ns=done // 2, disk_ns=done - done // 2
                        )

    return scene


def by_application(workloads: Sequence[str], of: Mapping[str, Mapping[str, Mapping[str, float]]]) -> Scene:
    """Return sums of the jobs of applications: by policy, application and column."""

    def scene(world: World) -> None:
        for workload in workloads:
            for policy, applications in of.items():
                for draw, factor in enumerate(AROUND):
                    for application, columns in applications.items():
                        values = {name: round(value * factor) for name, value in columns.items()}
                        world.row(
                            "application_sums", workload=workload, policy=policy, replication=draw, application=application,
                            **values,
                        )  # fmt: skip

    return scene


def over_time(workload: str, of: Levels, late: Levels | None = None) -> Scene:
    """Return utilisation from the begin to each tenth of a run of 50,000 s; ``late`` from 30,000 s on, if it is another."""

    def scene(world: World) -> None:
        world.workload(workload)
        for policy, value in of.items():
            for draw, factor in enumerate(AROUND):
                for end_s in range(1000, 50_001, 1000):
                    level = (late or of)[policy] if end_s > 30_000 else value
                    whole = end_s * 10**9
                    used = round(whole * min(level * factor, 1))
                    world.row(
                        "activity_sums", workload=workload, policy=policy, replication=draw, end_us=end_s * 10**6,
                        compute_ns=used, message_ns=0, spin_ns=0, switch_ns=0, blocked_ns=0, empty_ns=whole - used,
                    )  # fmt: skip

    return scene


INPUT_OUTPUT = {
    "io-utilisation-improves": (gains(IO, 2), gains(IO, 0.8)),
    "io-throughput-improves": (gains(IO, 2, 1.5), gains(IO, 2, 0.8)),
    "io-utilisation-doubled": (
        tables({"io-8": (84, 42), "io-16": (84, 43)}, USED),
        tables({"io-8": (84, 42), "io-16": (84, 43)}, USED, (52, 42)),
    ),
    "io-overlap": (gains(IO, 2), gains(IO, 1.4)),
    "io-gang-only-computes": (
        both(runs(IO, USED, {GANG: 0.42}), runs(IO, "compute_share", {GANG: 0.419})),
        both(runs(IO, USED, {GANG: 0.42}), runs(IO, "compute_share", {GANG: 0.3})),
    ),
    "io-throughput-gains-less": (gains(IO, 2, 1.5), gains(IO, 1.5, 2)),
    "io-work-of-unfinished-jobs": (unfinished({GANG: 0.2, RT: 0.4}), unfinished({GANG: 0.4, RT: 0.2})),
    "io-disks-are-busier": (
        runs(IO, "disk_utilisation", {GANG: 0.42, RT: 0.8}),
        runs(IO, "disk_utilisation", {GANG: 0.42, RT: 0.3}),
    ),
    "io-half-of-one-task": (
        runs(IO, "one_task_completed_share", {GANG: 0.5, RT: 0.48}),
        runs(IO, "one_task_completed_share", {GANG: 0.9, RT: 0.8}),
    ),
    "io-gains-less-than-in-chapter-6": (chapters(1.5, 2.5), chapters(2.5, 1.5)),
    "io-longer-bursts-gain-less": (
        both(gains(["io-16"], 2), gains(["io-short-16"], 3)),
        both(gains(["io-16"], 3), gains(["io-short-16"], 2)),
    ),
}

PRINTED = {
    "8-1": ("io-8", (60, 40), (84, 42)),
    "8-2": ("io-16", (55, 36), (84, 43)),
    "8-3": ("io-msg-8", (50, 43), (82, 63)),
    "8-4": ("io-msg-16", (53, 40), (79, 62)),
    "8-5": ("io-msg-emb-8", (47, 40), (83, 72)),
    "8-6": ("io-msg-emb-16", (61, 51), (81, 70)),
}
"""What the tables of the thesis print with and without measurements: jobs completed, and per cent of the machine."""

TABLES = {
    **{
        f"table-{name}-{word}": (
            table(workload, metric, printed, printed),
            table(workload, metric, printed, (printed[0] / 3, printed[1] / 3)),
        )
        for name, (workload, *found) in PRINTED.items()
        for word, metric, printed in zip(("jobs", "utilisation"), (COMPLETED, USED), found, strict=True)
    },
    **{
        name: (tables(printed, metric), tables(printed, metric, found))
        for name, metric, printed, found in (
            ("figure-8-3-throughput", COMPLETED, {"io-8": (60, 40), "io-16": (55, 36)}, (42, 40)),
            ("figure-8-4-throughput", COMPLETED, {"io-msg-8": (50, 43), "io-msg-16": (53, 40)}, (80, 40)),
            ("figure-8-4-utilisation", USED, {"io-msg-8": (82, 63), "io-msg-16": (79, 62)}, (80, 40)),
            ("figure-8-5-throughput", COMPLETED, {"io-msg-emb-8": (47, 40), "io-msg-emb-16": (61, 51)}, (80, 40)),
            ("figure-8-5-utilisation", USED, {"io-msg-emb-8": (83, 72), "io-msg-emb-16": (81, 70)}, (80, 40)),
        )
    },
}

DILUTED = ((IO, 2.0), (MSG, 1.6), (EMB, 1.3), (BSP, 1.6), (BSP_EMB, 1.3), (EMB_MSG, 1.05), (EMB_BSP, 1.05))
"""Mixtures from those that gain most to those that gain least."""
EVERY = [workload for workloads, _ in DILUTED for workload in workloads]


def blocked(msg: float, emb: float) -> Scene:
    """Return the part of the time in which an owner waits under gang scheduling, without and with Emb jobs in the mixture."""
    return both(runs(MSG, "blocked_share", {GANG: msg}), runs(EMB, "blocked_share", {GANG: emb}))


def substituted(factor: float) -> Scene:
    """Return mixtures with Msg, and those with BSP in its place, which gain, use and complete so many times as much."""
    made = [gains([*MSG, *EMB], 1.3, 1.2)]
    for workloads in (BSP, BSP_EMB):
        made.append(runs(workloads, USED, {GANG: 0.4 * factor, RT: 0.52 * factor**2}))
        made.append(runs(workloads, COMPLETED, {GANG: 40 * factor, RT: 48 * factor**2}))
    return both(*made)


MIXTURES = {
    "msg-better-results": (gains(MSG, 1.3, 1.2), gains(MSG, 0.9, 0.8)),
    "msg-smaller-than-io": (both(gains(IO, 2), gains(MSG, 1.3)), both(gains(IO, 1.3), gains(MSG, 2))),
    "msg-gang-uses-more": (
        both(runs(IO, USED, {GANG: 0.42}), runs(MSG, USED, {GANG: 0.63})),
        both(runs(IO, USED, {GANG: 0.63}), runs(MSG, USED, {GANG: 0.42})),
    ),
    "msg-gang-around-sixty": (runs(MSG, USED, {GANG: 0.61}), runs(MSG, USED, {GANG: 0.8})),
    "msg-no-room-to-double": (
        both(gains(IO, 2), runs(MSG, USED, {GANG: 0.62})),
        both(gains(IO, 1.2), runs(MSG, USED, {GANG: 0.3})),
    ),
    "emb-better-results": (gains(EMB, 1.2, 1.2), gains(EMB, 0.9, 0.8)),
    "emb-gang-uses-more": (
        both(runs(MSG, USED, {GANG: 0.6}), runs(EMB, USED, {GANG: 0.7})),
        both(runs(MSG, USED, {GANG: 0.7}), runs(EMB, USED, {GANG: 0.6})),
    ),
    "emb-less-idle-for-io": (blocked(0.3, 0.2), blocked(0.2, 0.3)),
    "emb-smaller-than-msg": (both(gains(MSG, 1.3), gains(EMB, 1.15)), both(gains(MSG, 1.15), gains(EMB, 1.3))),
    "bsp-similar-ratios": (substituted(1.0), substituted(1.5)),
    "bsp-similar-utilisation": (substituted(1.0), substituted(1.5)),
    "bsp-similar-throughput": (substituted(1.0), substituted(1.5)),
    "bsp-better-results": (gains([*BSP, *BSP_EMB], 1.3, 1.2), gains([*BSP, *BSP_EMB], 0.9, 0.8)),
    "gains-fall-with-dilution": (
        both(*(gains(workloads, gain) for workloads, gain in DILUTED)),
        both(*(gains(workloads, 2.5 - gain) for workloads, gain in DILUTED)),
    ),
    "increase-is-confirmed": (gains(EVERY, 1.3, 1.2), gains(EVERY, 0.9, 0.8)),
}


def filled(compute: float, others: float) -> Scene:
    """Return the time of tasks that local schedulers chose, by application."""
    return by_application(
        WITHOUT_IO,
        {RT: {"compute": {"local_ns": compute}, "messages": {"local_ns": others}, "supersteps": {"local_ns": others}}},
    )


def spun(controlled: float, spinning: float) -> Scene:
    """Return the time that tasks which communicate spin, with and without spin control; other tasks spin never."""
    return by_application(
        SPINNING,
        {
            policy: {
                "io": {"completed": 20, "spin_ns": 0},
                "messages": {"completed": 9, "spin_ns": time},
                "supersteps": {"completed": 8, "spin_ns": time},
            }
            for policy, time in ((RT, controlled), (PRIORITIES, spinning))
        },
    )


SPIN_CONTROL = {
    "spin-control-throughput": (
        gains(SPINNING, 0.98, 1.2, RT, PRIORITIES),
        gains(SPINNING, 0.98, 0.8, RT, PRIORITIES),
    ),
    "spin-control-utilisation": (
        gains(SPINNING, 0.96, None, RT, PRIORITIES),
        gains(SPINNING, 1.2, None, RT, PRIORITIES),
    ),
    "spin-control-slightly": (gains(SPINNING, 0.98, None, RT, PRIORITIES), gains(SPINNING, 0.6, None, RT, PRIORITIES)),
    "spin-control-serves-io": (
        by_application(SPINNING, {RT: {"io": {"completed": 40}}, PRIORITIES: {"io": {"completed": 20}}}),
        by_application(SPINNING, {RT: {"io": {"completed": 20}}, PRIORITIES: {"io": {"completed": 40}}}),
    ),
    "spin-control-reduces-spinning": (spun(10**9, 10**11), spun(10**11, 10**9)),
    "both-mechanisms-explain": (
        gains(SPINNING, 1.3, 1.2, PRIORITIES, GANG),
        gains(SPINNING, 0.9, 0.8, PRIORITIES, GANG),
    ),
}

WITHOUT_INPUT_OUTPUT = {
    "no-spin-control-without-io": (
        by_application(WITHOUT_IO, {RT: {"compute": {"blocked": 0}, "messages": {"blocked": 0}}}),
        by_application(WITHOUT_IO, {RT: {"compute": {"blocked": 0}, "messages": {"blocked": 7}}}),
    ),
    "without-io-similar-throughput": (gains(WITHOUT_IO, 1.05, 1.01), gains(WITHOUT_IO, 1.05, 1.5)),
    "without-io-similar-utilisation": (gains(WITHOUT_IO, 1.03), gains(WITHOUT_IO, 1.5)),
    "without-io-mainly-utilisation": (gains(WITHOUT_IO, 1.2, 1.02), gains(WITHOUT_IO, 1.02, 1.2)),
    "without-io-utilisation-improves": (gains(WITHOUT_IO, 1.05), gains(WITHOUT_IO, 0.9)),
    "without-io-idle-slots": (
        runs(WITHOUT_IO, "empty_share", {GANG: 0.15, RT: 0.05}),
        runs(WITHOUT_IO, "empty_share", {GANG: 0.05, RT: 0.15}),
    ),
    "without-io-emb-fills": (filled(9e11, 2e10), filled(2e10, 9e11)),
}

HIERARCHY = {
    "dhc-small-improvement": (gains(["emb-16"], 1.03, None, DHC, ALT), gains(["emb-16"], 0.9, None, DHC, ALT)),
    "dhc-improvement-is-small": (gains(["emb-16"], 1.03, None, DHC, ALT), gains(["emb-16"], 1.5, None, DHC, ALT)),
    "dhc-very-good-job": (
        over_time("emb-16", {ALT: 0.7}, late={ALT: 0.95}),
        over_time("emb-16", {ALT: 0.95}, late={ALT: 0.7}),
    ),
    "dhc-idle-slots": (
        runs(["emb-16"], "empty_share", {ALT: 0.09, DHC: 0.02}),
        runs(["emb-16"], "empty_share", {ALT: 0.02, DHC: 0.09}),
    ),
    "dhc-local-fills": (
        runs(["emb-16"], "local_share", {DHC: 0.1}),
        lambda world: world.metric("emb-16", DHC, "local_share", [0.0, 0.0, 0.0]),
    ),
    "dhc-io-improves": (gains(["io-16"], 1.8, None, DHC, ALT), gains(["io-16"], 0.9, None, DHC, ALT)),
    "dhc-io-gains-more": (
        both(gains(["io-16"], 1.8, None, DHC, ALT), gains(["emb-16"], 1.02, None, DHC, ALT)),
        both(gains(["io-16"], 1.02, None, DHC, ALT), gains(["emb-16"], 1.8, None, DHC, ALT)),
    ),
    "dhc-io-suffers": (
        both(runs(["io-16"], USED, {ALT: 0.45}), runs(["emb-16"], USED, {ALT: 0.93})),
        both(runs(["io-16"], USED, {ALT: 0.93}), runs(["emb-16"], USED, {ALT: 0.45})),
    ),
    "dhc-emb-over-time": (over_time("emb-16", {ALT: 0.9, DHC: 0.94}), over_time("emb-16", {ALT: 0.94, DHC: 0.9})),
}


def certified(violations: int, *rules: str) -> Scene:
    """Return certificates of two runs, one of which breaks rules so often."""

    def scene(world: World) -> None:
        for rule in rules:
            for policy, broken in ((RT, 0), (DHC, violations)):
                world.row(
                    "certificates", workload="io-16", policy=policy, replication=0, rule=rule, checked=90, violations=broken
                )  # fmt: skip

    return scene


def kept_or_broken(*rules: str) -> tuple[Scene, Scene]:
    """Return a world in which rules are kept, and one in which they are not."""
    return certified(0, *rules), certified(3, *rules)


RULES = {
    "proposition-1": kept_or_broken("local choices are the best"),
    "no-starvation": kept_or_broken("owners precede", "rows take turns and name the owners"),
    "baseline-spin": kept_or_broken("spin limits follow the control"),
    "disks-in-order": kept_or_broken("disks serve first come, first served"),
}

WORLDS = {
    **RULES,
    **CHAPTER_6,
    **INPUT_OUTPUT,
    **TABLES,
    **MIXTURES,
    **SPIN_CONTROL,
    **WITHOUT_INPUT_OUTPUT,
    **HIERARCHY,
}
