"""Worlds of the study of Concurrent Gang: what systems with and without measurements have done on four draws of some mixtures."""

from collections.abc import Mapping, Sequence
from itertools import product

from tests.reports.ledger.wiring import Cell, measured
from tests.reports.ledger.world import Scene, World, scene

GANG, RT, ALT = "gang", "gang_rt", "dhc_alt"
USED = "utilisation_spin_busy"
IO, MSG = ("io-8", "io-16"), ("io-msg-8", "io-msg-16")
WITHOUT_IO = ("emb-msg-8", "emb-msg-16", "emb-bsp-8", "emb-bsp-16")
BSP_6 = "chapter-6-bsp"
AROUND = (0.996, 1.002, 1.004, 0.998)
"""How four draws lie around their middle."""
STEP_S, STEPS = 1000, 50
"""Activities are summed every 1,000 s of a run of 50,000 s."""


def activities(
    world: World, workload: str, policy: str, draw: int, shares: Mapping[str, float], step: int = STEPS
) -> None:
    """Add what one processor has done by a time; shares are of its time, and it computes in what is left of it."""
    time_ns = step * STEP_S * 10**9
    names = ("message_ns", "spin_ns", "switch_ns", "blocked_ns", "empty_ns", "disk_ns", "local_ns")
    times = {name: round(shares.get(name, 0) * time_ns) for name in names}
    compute = time_ns - sum(times[name] for name in names[:5])
    counts = {name: round(value * step / STEPS) for name, value in shares.items() if "completed" in name}
    of = {"workload": workload, "policy": policy, "replication": draw, "end_us": step * STEP_S * 10**6}
    world.row("activity_sums", **of, compute_ns=compute, **times, **counts)


def put_at_times(world: World, cell: Cell, values: list[float]) -> None:
    """Put what a scheduler has done by every tenth of its runs into a world; 200 is the whole time."""
    workload, policy, what, _ = cell
    columns = {"idle": "blocked_ns", "disk": "disk_ns"}
    columns["completed with one task"] = "one_task_completed"
    for (draw, value), step in product(enumerate(values), range(STEPS // 10, STEPS + 1, STEPS // 10)):
        if what == "compute":
            done = {"empty_ns": 1 - value / 200}
        else:
            column = columns.get(what, what)
            done = {column: value if "completed" in column else value / 200}
        activities(world, workload, policy, draw, done, step)


def put_of_applications(world: World, cell: Cell, values: list[float]) -> None:
    """Put what jobs have done into a world: those with I/O complete, others wait for one another."""
    workload, policy, what, _ = cell
    column = {"spin": "spin_ns", "blocks": "blocked", "local": "local_ns"}.get(what, what)
    for (draw, value), name in product(
        enumerate(values), ["io"] if what == "completed" else ["messages", "supersteps"]
    ):
        done = {"barriers": 1000, "messages": 1000, column: round(1000 * value)}
        world.row("application_sums", workload=workload, policy=policy, replication=draw, application=name, **done)


PUT = {"over_at_times": put_at_times, "of_an_application": put_of_applications}


@scene
def unfinished(world: World, of: Mapping[str, float]) -> None:
    """Return runs in which a part of the work was on jobs that had not ended: one job of 100 s on 4 processors ended."""
    for workload in IO:
        for policy, part in of.items():
            for draw, factor in enumerate(AROUND):
                shared = {"workload": workload, "policy": policy, "replication": draw}
                world.row("jobs", **shared, job=1, size=4, runtime_us=10**8, estimate_us=10**8, finish_us=10**9)
                world.row("jobs", **shared, job=2, size=4, runtime_us=10**8, estimate_us=10**8)
                work = round(4 * 10**11 / (1 - part * factor))
                for end_us, done in ((10**9, work // 2), (2 * 10**9, work)):
                    world.row("activity_sums", **shared, end_us=end_us, compute_ns=done // 2, disk_ns=done - done // 2)


def room(msg: float, io: float) -> Scene:
    """Return runs in which gang scheduling uses this part of the machine on Msg jobs, and measurements gain so much on IO."""
    used = {(workload, GANG): msg for workload in MSG} | {(workload, GANG): 0.4 for workload in IO}
    used |= {(workload, RT): 0.4 * io for workload in IO}
    return measured({(*cell, USED, "all"): value for cell, value in used.items()})


@scene
def blocking(world: World, times: int) -> None:
    """Return runs without I/O in which a task blocks so many times."""
    for workload in WITHOUT_IO:
        world.row(
            "application_sums", workload=workload, policy=RT, replication=0, application="messages", blocked=times
        )


@scene
def local_time(world: World, workloads: Sequence[str], policy: str, chosen: float, others: float) -> None:
    """Return the time that the local scheduler gave to jobs of one task that compute, and to others."""
    for workload, (draw, factor) in product(workloads, enumerate(AROUND)):
        rows = (("compute", True, round(chosen * factor)), ("messages", False, round(others / factor)))
        world.rows(
            "application_sums",
            "application one_task local_ns",
            *rows,
            workload=workload,
            policy=policy,
            replication=draw,
        )


@scene
def used_by_time(world: World, early: float, late: float) -> None:
    """Return utilisation from the begin to each time of a run under alternate scheduling, up to 30,000 s and after."""
    for (draw, factor), step in product(enumerate(AROUND), range(1, STEPS + 1)):
        used = min(factor * (late if step * STEP_S > 30_000 else early), 1)
        activities(world, "emb-16", ALT, draw, {"empty_ns": 1 - used}, step)


@scene
def waiting(world: World, **of: tuple[float, float]) -> None:
    """Return shares of the processor time in which an owner waited, and in which there was none, by scheduler."""
    for (policy, (blocked, empty)), (draw, factor) in product(of.items(), enumerate(AROUND)):
        name = policy.replace("gang_6", "gang-6")
        activities(world, "chapter-6-io", name, draw, {"blocked_ns": blocked * factor, "empty_ns": empty / factor})


@scene
def one_task(world: World, *shares: int) -> None:
    """Return jobs of one task among a hundred in each draw."""
    for draw, many in enumerate(shares):
        sizes = [(job, 1 if job < many else 4) for job in range(100)]
        world.rows("jobs", "job size", *sizes, workload=BSP_6, policy="gang-6", replication=draw)


@scene
def example(world: World, gang: int, rr: int) -> None:
    """Return the worked example with the barriers that are passed under gang scheduling and without priorities."""
    for policy, barriers in (("cascade-gang", gang), ("cascade-rr", rr)):
        world.row(
            "application_sums",
            workload="cascade",
            policy=policy,
            replication=0,
            application="program",
            barriers=barriers,
        )
        world.row(
            "application_sums", workload="cascade", policy=policy, replication=0, application="compute", barriers=0
        )


@scene
def received(world: World, messages: int) -> None:
    """Return tasks that compute for ten slices, and the messages that they receive in them."""
    for workload, (draw, factor) in product((*MSG, "io-bsp-8", "io-bsp-16"), enumerate(AROUND)):
        application = "messages" if workload in MSG else "supersteps"
        world.rows(
            "application_sums", "application one_task messages compute_ns message_ns spin_ns",
            (application, False, round(messages * factor * 1000), 10 * 1000 * 2 * 10**8, 0, 0), ("io", False, 0, 5, 0, 0),
            workload=workload, policy=GANG, replication=draw,
        )  # fmt: skip


WORLDS = {
    "c6-example-loses-slices": (example(gang=15, rr=9), example(gang=15, rr=15)),
    "both-communicate": (received(55), received(12)),
    "io-work-of-unfinished-jobs": (unfinished({GANG: 0.2, RT: 0.4}), unfinished({GANG: 0.4, RT: 0.2})),
    "msg-no-room-to-double": (room(msg=0.62, io=2), room(msg=0.3, io=1.2)),
    "no-spin-control-without-io": (blocking(0), blocking(7)),
    "without-io-emb-fills": (local_time(WITHOUT_IO, RT, 9e11, 2e10), local_time(WITHOUT_IO, RT, 2e10, 9e11)),
    "dhc-very-good-job": (used_by_time(0.7, late=0.95), used_by_time(0.95, late=0.7)),
    "c6-io-blocking-explains": (
        waiting(gang_6=(0.5, 0.11), cg_prio=(0.11, 0.1), cg_rr=(0.11, 0.1)),
        waiting(gang_6=(0.2, 0.41), cg_prio=(0.18, 0.11), cg_rr=(0.18, 0.11)),
    ),
    "c6-one-task-jobs": (one_task(38, 39, 38, 37, 38), one_task(12, 13, 12, 12, 13), one_task(62, 63, 62, 62, 63)),
    "c6-bsp-one-task-jobs-run-locally": (
        local_time([BSP_6], "cg_prio", 9e11, 1e11),
        local_time([BSP_6], "cg_prio", 1e11, 9e11),
    ),
}

LOWER = {
    "bayes-fewer-mistakes": "gang_rt < gang_rt_counting",
    "spinning-explains-utilisation": "gang_rt/gang_rt_nospin: utilisation_spin_busy < utilisation_spin_idle",
    "io-utilisation-improves": "gang < gang_rt",
    "io-throughput-improves": "gang < gang_rt",
    "io-overlap": "gang < gang_rt by 100",
    "io-gang-only-computes": "utilisation_spin_busy ~ compute_share",
    "io-throughput-gains-less": "gang_rt/gang: jobs_completed < utilisation_spin_busy",
    "io-disks-are-busier": "gang < gang_rt",
    "io-half-of-one-task": "~ 50",
    "io-gains-less-than-in-chapter-6": "gang_rt, cg_prio/gang, gang-6: io-16 < chapter-6-io",
    "io-longer-bursts-gain-less": "gang_rt/gang: io-16 < io-short-16",
    "msg-better-results": "gang < gang_rt",
    "msg-smaller-than-io": "gang_rt/gang: io-msg-* < io-8, io-16",
    "msg-gang-uses-more": "io-8, io-16 < io-msg-*",
    "msg-gang-around-sixty": "~ 60",
    "emb-better-results": "gang < gang_rt",
    "emb-gang-uses-more": "io-msg-8, io-msg-16 < io-msg-emb-*",
    "emb-less-idle-for-io": "io-msg-emb-* < io-msg-8, io-msg-16",
    "emb-smaller-than-msg": "gang_rt/gang: io-msg-emb-* < io-msg-8, io-msg-16",
    "bsp-similar-ratios": "gang_rt/gang: io-bsp-* ~ io-msg-*",
    "bsp-similar-utilisation": "io-bsp-* ~ io-msg-*",
    "bsp-similar-throughput": "io-bsp-* ~ io-msg-*",
    "bsp-better-results": "gang < gang_rt",
    "gains-fall-with-dilution": "gang_rt/gang: emb-* < io-bsp-emb-*, io-msg-emb-*",
    "increase-is-confirmed": "gang < gang_rt",
    "spin-control-throughput": "gang_rt_nospin < gang_rt",
    "spin-control-utilisation": "gang_rt < gang_rt_nospin",
    "spin-control-slightly": "gang_rt ~ gang_rt_nospin",
    "both-mechanisms-explain": "gang < gang_rt_nospin < gang_rt",
    "both-mechanisms-use-more": "gang < gang_rt, gang_rt_nospin",
    "without-io-similar-throughput": "gang_rt ~ gang",
    "without-io-similar-utilisation": "gang_rt ~ gang",
    "without-io-mainly-utilisation": "gang_rt/gang: jobs_completed < utilisation_spin_busy",
    "without-io-utilisation-improves": "gang < gang_rt",
    "without-io-idle-slots": "gang_rt < gang",
    "dhc-small-improvement": "dhc_alt < dhc_rt",
    "dhc-improvement-is-small": "dhc_rt ~ dhc_alt",
    "dhc-idle-slots": "dhc_rt < dhc_alt",
    "dhc-local-fills": "> 0",
    "dhc-io-improves": "dhc_alt < dhc_rt",
    "dhc-io-gains-more": "dhc_rt/dhc_alt: emb-16 < io-16",
    "dhc-io-suffers": "io-16 < emb-16",
    "spin-control-serves-io": "gang_rt_nospin < gang_rt",
    "spin-control-reduces-spinning": "gang_rt < gang_rt_nospin",
    "c6-io-completes-more": "gang-6 < cg_*",
    "c6-io-less-idle": "cg_* < gang-6",
    "c6-io-priorities-complete-more": "cg_rr < cg_prio",
    "c6-io-priorities-less-idle": "cg_prio < cg_rr",
    "c6-io-disks-serve-more": "gang-6 < cg_prio",
    "c6-io-processors-compute-more": "gang-6 < cg_prio",
    "c6-compute-less-idle": "cg_* < gang-6",
    "c6-compute-same-throughput": "cg_* ~ gang-6",
    "c6-bsp-completes-more": "gang-6 < cg_prio",
    "c6-bsp-less-idle": "cg_prio < gang-6",
    "c6-bsp-uncoordinated-completes-fewer": "cg_local < gang-6",
    "c6-bsp-one-task-jobs-served-better": "gang-6 < cg_prio",
    "c6-bsp-round-robin-completes-fewer": "cg_rr < gang-6",
    "c6-bsp-round-robin-more-idle": "gang-6 < cg_rr",
    "c6-bsp-tasks-started-alone-block": "cg_prio < cg_rr",
    "c6-bsp-jobs-of-several-tasks-suffer": "cg_rr < gang-6",
    "c6-msg-completes-more": "gang-6 < cg_prio",
    "c6-msg-less-idle": "cg_prio < gang-6",
    "c6-msg-slightly-better": "gang-6 < cg_prio by 5",
    "c6-msg-uncoordinated-completes-fewer": "cg_local < gang-6",
    "c6-msg-one-task-jobs-served-better": "gang-6 < cg_prio",
    "c6-msg-round-robin-completes-fewer": "cg_rr < cg_prio, gang-6",
    "c6-msg-round-robin-more-idle": "cg_prio, gang-6 < cg_rr",
    "c6-msg-tasks-started-alone-block": "cg_prio < cg_rr",
    "c6-equivalent-to-gang": "cg_prio ~ gang-6",
    "c6-priorities-choose-better": "cg_rr < cg_prio",
    "c6-compute-idle-slots": "< 5",
    "c6-io-gains-most": "cg_prio/gang-6: chapter-6-compute, chapter-6-bsp, chapter-6-msg < chapter-6-io",
}
"""Who has less than whom, in the words of ``tests/reports/ledger/wiring.py``."""
