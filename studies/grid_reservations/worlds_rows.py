"""Worlds of the study of reservations in a grid that need rows of jobs, tasks or workflows, or what the thesis prints."""

from __future__ import annotations

import csv
from pathlib import Path

from tests.reports.ledger.world import Scene, World

PRINTED = Path(__file__).with_name("printed.csv")
HOUR_US = 3_600_000_000
SEEDS = ("71", "13", "3", "31")


def quote(world: World, metric: str) -> list[dict[str, str]]:
    """Put what the thesis prints of a metric into the world, and return it."""
    with PRINTED.open(encoding="utf-8") as text:
        found = [row for row in csv.DictReader(text) if row["metric"] == metric]
    for row in found:
        scale = 0.01 if row["unit"] == "%" else 1.0
        world.row(
            "printed_values", source=row["source"], place=row["place"], metric=metric, scope=row["scope"],
            workload=row["workload"] or None, policy=row["policy"] or None, value=float(row["printed"]) * scale,
            printed=float(row["printed"]), printed_digits=len(row["printed"].partition(".")[2]),
            printed_unit=row["unit"], printed_scale=scale, printed_draws=1,
        )  # fmt: skip
    return found


def job(
    world: World, workload: str, policy: str, number: int, replication: int = 0, cluster: int = 0, submit_us: int = 0,
    runtime_us: int = HOUR_US, size: int = 16, response_us: int = 2 * HOUR_US,
) -> None:  # fmt: skip
    """Add a job that started when it was submitted and has this response time."""
    world.row(
        "jobs", workload=workload, policy=policy, replication=replication, job=number, cluster=cluster,
        submit_us=submit_us, runtime_us=runtime_us, estimate_us=runtime_us, size=size, processors=size,
        start_us=submit_us, finish_us=submit_us + response_us, outcome="finished", preemptions=0, batch=0,
        wait_us=response_us - runtime_us,
    )  # fmt: skip


def of_seeds(part: float, hours: float = 1) -> Scene:
    """Make a world in which, for each of four seeds, jobs, tasks and workflows take this part of their time with propagation.

    Run times are so many hours; every job is a task, of a workflow of its own.
    """

    def scene(world: World) -> None:
        for replication in range(4):
            for number in range(60):
                where = {"workload": "four-seeds", "replication": replication}
                world.row("tasks", **where, workflow=number, task=1, job=number)
                for policy, own in (("grid_relaxed", 1.0), ("grid_propagation", part)):
                    response_us = int((40 + number % 7) * own * HOUR_US)
                    job(
                        world, **where, policy=policy, number=number, submit_us=number * HOUR_US,
                        runtime_us=int(hours * HOUR_US), response_us=response_us,
                    )  # fmt: skip
                    world.row(
                        "workflows", **where, policy=policy, workflow=number, tasks=1, clusters=1,
                        submit_us=number * HOUR_US, start_us=number * HOUR_US, finish_us=number * HOUR_US + response_us,
                    )  # fmt: skip

    return scene


def slid(percent: int) -> Scene:
    """Make a world in which so many of 100 tasks, but for one in a draw, start before their slot."""

    def scene(world: World) -> None:
        for workload in ("p-13", "p-26"):
            for replication in range(3):
                for number in range(100):
                    where = {"workload": workload, "replication": replication}
                    up = number < percent + (replication == 1)
                    world.row("tasks", **where, workflow=number, task=1, job=number)
                    job(world, **where, policy="grid_relaxed", number=number, submit_us=HOUR_US)
                    world.row(
                        "reservations", **where, policy="grid_relaxed", workflow=number, task=1, job=number,
                        start_us=HOUR_US + (1 if up else 0),
                    )  # fmt: skip

    return scene


def workflows_beside_jobs(part: float) -> Scene:
    """Make a world in which workflows take this part of the response times of the jobs they were split from."""

    def scene(world: World) -> None:
        for replication in range(3):
            for number in range(4):
                response_us = (20 + number + replication) * HOUR_US
                job(world, "p-0", "no-workflows", number, replication, response_us=response_us)
                for workload in ("p-13", "p-26"):
                    world.row(
                        "workflows", workload=workload, policy="grid_propagation", replication=replication,
                        workflow=number, tasks=5, clusters=2, submit_us=0, start_us=0, finish_us=int(response_us * part),
                    )  # fmt: skip

    return scene


def made_of(metric: str, *, wrong: bool = False) -> Scene:
    """Make a world in which draws have the printed shares of classes, mean sizes or run times; or all classes have the same."""
    hours = {"short": 0.02, "medium": 1.6, "long": 5.3}

    def scene(world: World) -> None:
        found = quote(world, metric)
        for place, row in enumerate(found):
            printed, replication = float(row["printed"]), place // len(hours)
            many, size, runtime_us = 10, 16, int(hours[row["scope"]] * HOUR_US)
            if metric == "job_share":
                many = 300 + replication if wrong else round(10 * printed)
            elif metric == "mean_runtime":
                runtime_us = int(printed * (3 if wrong and row["scope"] != "short" else 1) * 1e6)
                runtime_us = int(300e6 + replication) if wrong and row["scope"] == "short" else runtime_us
            for turn in range(many):
                if metric == "mean_size":  # tenths of a processor: some jobs have one more
                    size = 40 + turn % 2 * replication if wrong else int(printed) + (turn < round(10 * (printed % 1)))
                job(world, "p-0", "no-workflows", 1000 * place + turn, replication, size=size, runtime_us=runtime_us)

    return scene


def loads(part: float) -> Scene:
    """Make a world in which four clusters of 16 processors are offered so many times the printed loads."""

    def scene(world: World) -> None:
        found = quote(world, "offered_load")
        for cluster in range(4):
            world.row("clusters", workload="p-0", cluster=cluster, name=f"{cluster}", processors=16, speed=1.0)
        for replication, row in enumerate(found):
            for cluster in range(4):
                # two jobs of 16 processors, an hour apart, together as long as a quarter of the load asks
                runtime_us = round(float(row["printed"]) / 4 * part * HOUR_US / 2)
                for turn in range(2):
                    job(
                        world, "p-0", "no-workflows", 2 * cluster + turn, replication, cluster=cluster,
                        submit_us=turn * HOUR_US, runtime_us=runtime_us,
                    )  # fmt: skip

    return scene


def shares(part: float) -> Scene:
    """Make a world in which the shares of tasks are so many times those printed, of 1,000 medium and long jobs."""

    def scene(world: World) -> None:
        for row in quote(world, "share_of_tasks"):
            share = float(row["printed"]) / 100 * part
            for job_of in range(round(1000 * share / (1 - share))):
                world.row(
                    "tasks",
                    workload=row["workload"],
                    replication=0,
                    workflow=job_of // 5,
                    task=job_of % 5 + 1,
                    job=job_of,
                )
        for length, count in (("medium", 600), ("long", 400)):
            world.metric("p-0", "no-workflows", "jobs", count, length)

    return scene


def all_split(percent: int) -> Scene:
    """Make a world in which so many of a hundred jobs and tasks would be tasks, were all eligible jobs split."""

    def scene(world: World) -> None:
        for replication in range(4):
            # 5 e tasks of e jobs that can be split, beside all medium and long jobs
            eligible = 200 + replication
            others = round(5 * eligible * (100 - percent) / percent) - eligible
            others = max(others, 0) + 3 * (replication % 2)
            for number in range(eligible + others):
                job(
                    world,
                    "p-0",
                    "no-workflows",
                    number,
                    replication,
                    runtime_us=2 * HOUR_US,
                    size=16 if number < eligible else 4,
                )

    return scene


def five_tasks(count: int) -> Scene:
    """Make a world in which two workflows have so many tasks each."""

    def scene(world: World) -> None:
        for workflow in (1, 2):
            for task in range(1, count + 1):
                world.row(
                    "tasks", workload="p-26", replication=0, workflow=workflow, task=task, job=10 * workflow + task
                )

    return scene


def same_work(size: int) -> Scene:
    """Make a world in which a job of 16 processors and 3 h is split into tasks of 1 h, the exit of this size."""

    def scene(world: World) -> None:
        job(world, "p-0", "no-workflows", 1, runtime_us=3 * HOUR_US)
        for task, own in enumerate((16, 6, 5, 5, size), start=1):
            world.row("tasks", workload="p-26", replication=0, workflow=1, task=task, job=10 + task)
            job(world, "p-26", "grid_relaxed", 10 + task, size=own)

    return scene


def tasks_of(seconds: int) -> Scene:
    """Make a world with a task of this run time."""

    def scene(world: World) -> None:
        world.row("tasks", workload="p-26", replication=0, workflow=1, task=1, job=1)
        job(world, "p-26", "grid_relaxed", 1, runtime_us=seconds * 10**6)

    return scene


def promised(late: int) -> Scene:
    """Make a world in which so many of 100 local jobs end later than promised."""

    def scene(world: World) -> None:
        world.row(
            "kept_promises", workload="p-0", policy="no-workflows", replication=0, kind="local", jobs=100, late=late
        )

    return scene


def checked(rule: str, violations: int) -> Scene:
    """Make a world in which the checker found so many violations of a rule."""
    return lambda world: world.row(
        "certificates",
        workload="p-26",
        policy="grid_relaxed",
        replication=0,
        rule=rule,
        checked=9,
        violations=violations,
    )


def late(outcome: str) -> Scene:
    """Make a world with a task that was not done at the end of its frame, and became this."""

    def scene(world: World) -> None:
        for policy in ("grid_relaxed", "grid_propagation"):
            where = {"workload": "p-26", "policy": policy, "replication": 0, "job": 1}
            world.row("reservations", **where, workflow=1, task=1, latest_us=HOUR_US)
            world.row("jobs", **where, finish_us=2 * HOUR_US, outcome=outcome)

    return scene
