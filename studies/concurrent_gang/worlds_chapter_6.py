"""Worlds of chapter 6 of the study of Concurrent Gang: a few runs of 40,000 s on 16 processors, by the end of each quarter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.reports.ledger.world import Scene, World

Draws = Mapping[tuple[str, str], Sequence[float]]
"""A value for each draw of the jobs, by workload and policy."""

GANG, PRIO, RR = "gang-6", "cg_prio", "cg_rr"
IO, EMB, BSP, MSG = "chapter-6-io", "chapter-6-compute", "chapter-6-bsp", "chapter-6-msg"
ENDS_S = (10_000, 20_000, 30_000, 40_000)
PROCESSORS = 16
COUNTS = ("submitted", "completed", "one_task_submitted", "one_task_completed")


def by_quarters(column: str, of: Draws) -> Scene:
    """Jobs by the end of each quarter, or shares of the processor time, the same in each; what is left was computed."""

    def scene(world: World) -> None:
        for (workload, policy), values in of.items():
            for draw, value in enumerate(values):
                for quarter, end_s in enumerate(ENDS_S, 1):
                    quarters(
                        world,
                        workload,
                        policy,
                        draw,
                        end_s,
                        **{column: value * quarter / 4 if column in COUNTS else value},
                    )

    return scene


def whole_run(metric: str, of: Draws) -> Scene:
    """A metric of whole runs."""

    def scene(world: World) -> None:
        for (workload, policy), values in of.items():
            world.metric(workload, policy, metric, values)

    return scene


def quarters(world: World, workload: str, policy: str, draw: int, end_s: int, **given: float) -> None:
    """Add what all processors did until the end of a quarter; shares are of their time."""
    counts = {name: round(given.pop(name, 0)) for name in COUNTS}
    time_ns = PROCESSORS * end_s * 10**9
    names = ("message_ns", "spin_ns", "switch_ns", "blocked_ns", "empty_ns", "local_ns", "disk_ns")
    times = {name: round(given.pop(name, 0) * time_ns) for name in names}
    assert not given
    compute = time_ns - sum(times[name] for name in names[:5])
    world.row(
        "activity_sums", workload=workload, policy=policy, replication=draw, end_us=end_s * 10**6, compute_ns=compute, **times,
        **counts,
    )  # fmt: skip


def waiting(of: Mapping[tuple[str, str], Sequence[tuple[float, float]]]) -> Scene:
    """Shares of the processor time in which an owner waited, and in which there was none."""

    def scene(world: World) -> None:
        for (workload, policy), draws in of.items():
            for draw, (blocked, empty) in enumerate(draws):
                quarters(world, workload, policy, draw, ENDS_S[-1], blocked_ns=blocked, empty_ns=empty)

    return scene


def jobs(
    of: Mapping[tuple[str, str], Sequence[Mapping[str, float]]], others: Mapping[str, float] | None = None
) -> Scene:
    """What jobs of several tasks did in each draw, and beside them those of one task, the same in all."""

    def scene(world: World) -> None:
        for (workload, policy), draws in of.items():
            for draw, done in enumerate(draws):
                for one_task, sums in ((False, done), (True, others or {})):
                    world.row(
                        "application_sums", workload=workload, policy=policy, replication=draw, application="messages",
                        one_task=one_task, **{"local_ns": 0, "barriers": 0, "messages": 0, "blocked": 0, **sums},
                    )  # fmt: skip

    return scene


def together(*scenes: Scene) -> Scene:
    """Several scenes in one world."""

    def scene(world: World) -> None:
        for one in scenes:
            one(world)

    return scene


FEW, MANY = [20, 24, 22, 25], [29, 33, 33, 35]
AS_FEW = [20, 24, 23, 24]
SOME_MORE = [41, 43, 42, 44]
SOME = [40, 41, 40, 42]
LITTLE, MUCH = [0.21, 0.25, 0.22, 0.24], [0.52, 0.55, 0.57, 0.53]


def completed(more: Sequence[str], less: Sequence[str], *workloads: str, column: str = "completed") -> Scene:
    """Some schedulers complete more jobs than others."""
    of = {(workload, policy): MANY for workload in workloads for policy in more}
    return by_quarters(column, of | {(workload, policy): FEW for workload in workloads for policy in less})


def idle(more: Sequence[str], less: Sequence[str], *workloads: str, column: str = "blocked_ns") -> Scene:
    """Processors are idle more under some schedulers than under others."""
    of = {(workload, policy): MUCH for workload in workloads for policy in more}
    return by_quarters(column, of | {(workload, policy): LITTLE for workload in workloads for policy in less})


def spin(gang: Sequence[float], prio: Sequence[float]) -> Scene:
    """Processors spin for so much of the time beside jobs that wait for each other."""
    return by_quarters("spin_ns", {(BSP, GANG): gang, (BSP, PRIO): prio})


def gains(io: Sequence[float], others: Sequence[float]) -> Scene:
    """Jobs completed with a local scheduler where gang scheduling completes about forty, of I/O jobs and of all others."""
    of: dict[tuple[str, str], Sequence[float]] = {(workload, GANG): SOME for workload in (IO, EMB, BSP, MSG)}
    return whole_run(
        "jobs_completed", of | {(IO, PRIO): io} | {(workload, PRIO): others for workload in (EMB, BSP, MSG)}
    )


def one_task(shares: Sequence[int]) -> Scene:
    """Jobs of one task among twenty in each draw."""

    def scene(world: World) -> None:
        for draw, jobs_of_one in enumerate(shares):
            sizes = [1 if job < jobs_of_one else 4 for job in range(20)]
            rows = list(enumerate(sizes))
            world.rows("jobs", "job size", *rows, workload=BSP, policy=GANG, replication=draw)

    return scene


def local_work(of_one: float, of_several: float) -> Scene:
    """Time (s) that the local scheduler gave to jobs of one task and of several."""
    several = [{"local_ns": of_several * factor * 1e9} for factor in (0.9, 1.0, 1.1)]
    return jobs({(BSP, PRIO): several}, {"local_ns": of_one * 1e9})


def blocks(workload: str, what: str, rr: Sequence[int], prio: Sequence[int]) -> Scene:
    """Times that tasks block in each draw, where jobs pass a thousand barriers or receive a thousand messages."""
    of = {RR: rr, PRIO: prio}
    return jobs({(workload, policy): [{"blocked": n, what: 1000} for n in counts] for policy, counts in of.items()})


def barriers(rr: Sequence[int], gang: Sequence[int]) -> Scene:
    """Barriers that jobs pass in each draw."""
    return jobs({(BSP, policy): [{"barriers": n} for n in counts] for policy, counts in ((RR, rr), (GANG, gang))})


RARELY, OFTEN = [90, 110, 95], [610, 580, 650]

CHAPTER_6 = {
    "c6-io-completes-more": (completed([PRIO, RR], [GANG], IO), completed([GANG], [PRIO, RR], IO)),
    "c6-io-less-idle": (idle([GANG], [PRIO, RR], IO), idle([PRIO, RR], [GANG], IO)),
    "c6-io-priorities-complete-more": (completed([PRIO], [RR], IO), completed([RR], [PRIO], IO)),
    "c6-io-priorities-less-idle": (idle([RR], [PRIO], IO), idle([PRIO], [RR], IO)),
    "c6-io-blocking-explains": (
        waiting({(IO, GANG): [(0.50, 0.10), (0.54, 0.12), (0.49, 0.11)]}
                | {(IO, policy): [(0.10, 0.09), (0.12, 0.10), (0.11, 0.10)] for policy in (PRIO, RR)}),
        waiting({(IO, GANG): [(0.20, 0.40), (0.21, 0.43), (0.19, 0.41)]}
                | {(IO, policy): [(0.18, 0.10), (0.19, 0.12), (0.18, 0.11)] for policy in (PRIO, RR)}),
    ),
    "c6-io-disks-and-processors": (
        by_quarters("disk_ns", {(IO, PRIO): MUCH, (IO, GANG): LITTLE}),
        by_quarters("disk_ns", {(IO, PRIO): LITTLE, (IO, GANG): MUCH}),
    ),
    "c6-compute-less-idle": (
        idle([GANG], [PRIO, RR], EMB, column="empty_ns"),
        idle([PRIO, RR], [GANG], EMB, column="empty_ns"),
    ),
    "c6-compute-same-throughput": (
        by_quarters("completed", {(EMB, GANG): SOME, (EMB, PRIO): SOME, (EMB, RR): [40, 41, 41, 42]}),
        completed([PRIO, RR], [GANG], EMB),
    ),
    "c6-compute-idle-slots": (
        whole_run("empty_share", {(EMB, GANG): [0.02, 0.03, 0.025]}),
        whole_run("empty_share", {(EMB, GANG): [0.12, 0.13, 0.14]}),
    ),
    "c6-one-task-jobs": (one_task([8, 8, 9, 7, 8]), one_task([2, 3, 2, 2, 3])),
    "c6-bsp-completes-more": (completed([PRIO], [GANG], BSP), completed([GANG], [PRIO], BSP)),
    "c6-bsp-less-idle": (spin(gang=MUCH, prio=LITTLE), spin(gang=LITTLE, prio=MUCH)),
    "c6-bsp-one-task-jobs-run-locally": (local_work(900, 150), local_work(150, 900)),
    "c6-bsp-one-task-jobs-served-better": (
        completed([PRIO], [GANG], BSP, column="one_task_completed"),
        completed([GANG], [PRIO], BSP, column="one_task_completed"),
    ),
    "c6-bsp-round-robin-completes-fewer": (completed([GANG], [RR], BSP), completed([RR], [GANG], BSP)),
    "c6-bsp-round-robin-more-idle": (idle([RR], [GANG], BSP), idle([GANG], [RR], BSP)),
    "c6-bsp-tasks-started-alone-block": (blocks(BSP, "barriers", OFTEN, RARELY), blocks(BSP, "barriers", RARELY, OFTEN)),
    "c6-bsp-jobs-of-several-tasks-suffer": (
        barriers([500, 520, 480], [900, 950, 920]),
        barriers([900, 950, 920], [500, 520, 480]),
    ),
    "c6-msg-completes-more": (completed([PRIO], [GANG], MSG), completed([GANG], [PRIO], MSG)),
    "c6-msg-less-idle": (
        by_quarters("spin_ns", {(MSG, GANG): MUCH, (MSG, PRIO): LITTLE}),
        by_quarters("spin_ns", {(MSG, GANG): LITTLE, (MSG, PRIO): MUCH}),
    ),
    "c6-msg-slightly-better": (
        by_quarters("completed", {(MSG, GANG): SOME, (MSG, PRIO): SOME_MORE}),
        completed([PRIO], [GANG], MSG),
    ),
    "c6-msg-one-task-jobs-served-better": (
        completed([PRIO], [GANG], MSG, column="one_task_completed"),
        completed([GANG], [PRIO], MSG, column="one_task_completed"),
    ),
    "c6-msg-round-robin-completes-fewer": (completed([GANG, PRIO], [RR], MSG), completed([RR], [GANG, PRIO], MSG)),
    "c6-msg-round-robin-more-idle": (idle([RR], [GANG, PRIO], MSG), idle([GANG, PRIO], [RR], MSG)),
    "c6-msg-tasks-started-alone-block": (blocks(MSG, "messages", OFTEN, RARELY), blocks(MSG, "messages", RARELY, OFTEN)),
    "c6-io-gains-most": (gains(io=[70, 74, 68, 75], others=SOME_MORE), gains(io=SOME_MORE, others=[70, 74, 68, 75])),
    "c6-equivalent-to-gang": (
        by_quarters("completed", {(MSG, GANG): SOME, (MSG, PRIO): [40, 41, 41, 42]}),
        completed([PRIO], [GANG], MSG),
    ),
    "c6-priorities-choose-better": (completed([PRIO], [RR], IO, BSP, MSG), completed([RR], [PRIO], IO, BSP, MSG)),
    "c7-less-time-without-a-task": (
        idle([GANG], [PRIO], IO, EMB, BSP, MSG, column="empty_ns"),
        idle([PRIO], [GANG], IO, EMB, BSP, MSG, column="empty_ns"),
    ),
}  # fmt: skip
