"""Worlds of the claims on reservations in a grid: a few draws each, with numbers made up from the sentences."""

from collections.abc import Sequence
from itertools import product

from tests.reports.ledger.world import Scene, World, drawn, scene

RELAXED, PROPAGATION, NONE = "grid_relaxed", "grid_propagation", "no-workflows"
BOTH = (RELAXED, PROPAGATION)
SHARES = {"p-0": 0, "p-7": 7, "p-13": 13, "p-18": 18, "p-22": 22, "p-26": 26}
WITH_TASKS = tuple(SHARES)[1:]
PORTIONS = ("000", "050", "100", "150", "200", "250", "300", "350")
SLOWDOWN, MAKESPAN = "mean_slowdown", "mean_workflow_makespan"
UTILISATION = "utilisation"
HOUR_US = 3_600_000_000


@scene
def by_share(world: World, metric: str, scope: str, policies: Sequence[str], step: float) -> None:
    """Make a world in which a mean grows by so much with each point of share."""
    for workload, share in SHARES.items():
        for place, policy in enumerate(policies):
            own = NONE if workload == "p-0" else policy
            draws = drawn(100 + step * share, place + share)
            if workload != "p-0" or place == 0:
                world.metric(workload, own, metric, draws, scope)


@scene
def by_portion(world: World, arm: str, scope: str, step: float) -> None:
    """Make a world in which slowdowns change by so much with each further half of slack."""
    for place, portion in enumerate(PORTIONS):
        draws = drawn(10 + step * place, place)
        world.metric("four-seeds", f"{arm}-{portion}", SLOWDOWN, draws, scope)


@scene
def lost(world: World, points: float) -> None:
    """Make a world in which all clusters together lose so many points of utilisation to workflows."""
    world.metric("p-0", NONE, UTILISATION, drawn(0.75))
    for place, (workload, policy) in enumerate(product(WITH_TASKS, BOTH)):
        world.metric(workload, policy, UTILISATION, drawn(0.75 - points / 100, place))


@scene
def losing_clusters(world: World, count: int) -> None:
    """Make a world in which so many of four clusters lose 3 points, but for one draw in which one more or less does."""
    for replication in range(12):
        few = count if replication else (count - 1 if count > 2 else count + 1)
        for cluster in range(4):
            where = {"scope": f"cluster {cluster}", "replication": replication}
            world.metric("p-0", NONE, UTILISATION, 0.75, **where)
            for workload in ("p-18", "p-22", "p-26"):
                for policy in (RELAXED, PROPAGATION):
                    world.metric(workload, policy, UTILISATION, 0.72 if cluster < few else 0.76, **where)


@scene
def overcommitted(world: World, hours: int) -> None:
    """Make a world in which runs that lose utilisation leave so many hours more at the last submission; others leave fewer."""
    for workload in ("p-0", "p-26", "p-7"):
        world.row("clusters", workload=workload, cluster=0, name="A", processors=16, speed=1.0)
    for draw in range(3):
        runs = (("p-0", NONE, 0.75, 10), ("p-26", RELAXED, 0.74, 10 + hours), ("p-7", RELAXED, 0.76, 4))
        for workload, policy, utilisation, left in runs:
            where = {"workload": workload, "policy": policy, "replication": draw}
            world.metric(value=utilisation, metric=UTILISATION, **where)
            busy_us = 16 * 100 * HOUR_US
            left_us = 16 * left * HOUR_US + draw * (policy != NONE) * HOUR_US
            world.row("cluster_use", **where, cluster=0, busy_us=busy_us, busy_while_submitting_us=busy_us - left_us)


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


@scene
def of_seeds(world: World, part: float, hours: float = 1) -> None:
    """Make a world in which, for each of four seeds, jobs, tasks and workflows take this part of their time with propagation.

    Run times are so many hours; every job is a task, of a workflow of its own.
    """
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


@scene
def slid(world: World, percents: dict[str, int]) -> None:
    """Make a world in which so many of 100 tasks of a policy start before their slot; of the first, one more in a draw if any."""
    for (place, (policy, percent)), workload in product(enumerate(percents.items()), ("p-13", "p-26")):
        for replication in range(3):
            for number in range(100):
                where = {"workload": workload, "replication": replication}
                up = number < percent + (percent > 0 and place == 0 and replication == 1)
                if place == 0:
                    world.row("tasks", **where, workflow=number, task=1, job=number)
                job(world, **where, policy=policy, number=number, submit_us=HOUR_US)
                world.row(
                    "reservations", **where, policy=policy, workflow=number, task=1, job=number,
                    start_us=HOUR_US + (1 if up else 0),
                )  # fmt: skip


@scene
def later(world: World, hours: int) -> None:
    """Make a world in which long jobs that are not split end so many hours later beside tasks; those that are split do not."""
    for replication in range(3):
        for number in range(4):
            where = {"number": number, "replication": replication, "runtime_us": 5 * HOUR_US}
            own = (20 + number) * HOUR_US
            job(world, "p-0", NONE, **where, response_us=own)
            if number < 3:
                job(world, "p-26", RELAXED, **where, response_us=own + hours * HOUR_US + replication)
            else:
                world.row("tasks", workload="p-26", replication=replication, workflow=number, task=1, job=number)
                job(world, "p-26", RELAXED, **where, response_us=own - 4 * hours * HOUR_US)


@scene
def workflows_beside_jobs(world: World, part: float) -> None:
    """Make a world in which workflows take this part of the response times of the jobs they were split from."""
    for replication in range(3):
        for number in range(4):
            response_us = (20 + number + replication) * HOUR_US
            job(world, "p-0", "no-workflows", number, replication, response_us=response_us)
            for workload in ("p-13", "p-26"):
                world.row(
                    "workflows", workload=workload, policy="grid_propagation", replication=replication,
                    workflow=number, tasks=5, clusters=2, submit_us=0, start_us=0, finish_us=int(response_us * part),
                )  # fmt: skip


@scene
def made_of(world: World, metric: str, *, wrong: bool = False) -> None:
    """Make a world in which draws have the printed shares of classes, mean sizes or run times; or all classes have the same."""
    hours = {"short": 0.02, "medium": 1.6, "long": 5.3}
    found = world.quote(metric=metric)
    for place, row in enumerate(found):
        printed, replication = row["printed"], place // len(hours)
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


@scene
def loads(world: World, part: float) -> None:
    """Make a world in which four clusters of 16 processors are offered so many times the printed loads."""
    found = world.quote(metric="offered_load")
    for cluster in range(4):
        world.row("clusters", workload="p-0", cluster=cluster, name=f"{cluster}", processors=16, speed=1.0)
    for replication, row in enumerate(found):
        for cluster in range(4):
            # two jobs of 16 processors, an hour apart, together as long as a quarter of the load asks
            runtime_us = round(row["printed"] / 4 * part * HOUR_US / 2)
            for turn in range(2):
                job(
                    world, "p-0", "no-workflows", 2 * cluster + turn, replication, cluster=cluster,
                    submit_us=turn * HOUR_US, runtime_us=runtime_us,
                )  # fmt: skip


@scene
def shares(world: World, part: float) -> None:
    """Make a world in which the shares of tasks are so many times those printed, of 1,000 medium and long jobs."""
    for row in world.quote(metric="share_of_tasks"):
        share = row["printed"] / 100 * part
        tasks = [(job // 5, job % 5 + 1, job) for job in range(round(1000 * share / (1 - share)))]
        world.rows("tasks", "workflow task job", *tasks, workload=row["workload"], replication=0)
    for length, count in (("medium", 600), ("long", 400)):
        world.metric("p-0", "no-workflows", "jobs", count, length)


@scene
def all_split(world: World, percent: int) -> None:
    """Make a world in which so many of a hundred jobs and tasks would be tasks, were all eligible jobs split."""
    for replication in range(4):
        # 5 e tasks of e jobs that can be split, beside all medium and long jobs
        eligible = 200 + replication
        others = round(5 * eligible * (100 - percent) / percent) - eligible
        others = max(others, 0) + 3 * (replication % 2)
        for number in range(eligible + others):
            size = 16 if number < eligible else 4
            job(world, "p-0", "no-workflows", number, replication, runtime_us=2 * HOUR_US, size=size)


@scene
def five_tasks(world: World, count: int) -> None:
    """Make a world in which two workflows have so many tasks each."""
    tasks = [(workflow, task, 10 * workflow + task) for workflow in (1, 2) for task in range(1, count + 1)]
    world.rows("tasks", "workflow task job", *tasks, workload="p-26", replication=0)


@scene
def same_work(world: World, size: int) -> None:
    """Make a world in which a job of 16 processors and 3 h is split into tasks of 1 h, the exit of this size."""
    job(world, "p-0", "no-workflows", 1, runtime_us=3 * HOUR_US)
    for task, own in enumerate((16, 6, 5, 5, size), start=1):
        world.row("tasks", workload="p-26", replication=0, workflow=1, task=task, job=10 + task)
        job(world, "p-26", "grid_relaxed", 10 + task, size=own)


@scene
def tasks_of(world: World, seconds: int) -> None:
    """Make a world with a task of this run time."""
    world.row("tasks", workload="p-26", replication=0, workflow=1, task=1, job=1)
    job(world, "p-26", "grid_relaxed", 1, runtime_us=seconds * 10**6)


@scene
def promised(world: World, late: int) -> None:
    """Make a world in which so many of 100 tasks end later than promised."""
    for workload in ("p-26", "p-13"):
        world.row("kept_promises", workload=workload, policy=RELAXED, replication=0, kind="task", jobs=100, late=late)


@scene
def delayed(world: World, jobs: int) -> None:
    """Make a world in which so many of three jobs end later with non-type backfilling."""
    for policy, late in ((NONE, jobs), ("no-lending", 0)):
        for number in range(3):
            where = {"workload": "p-0", "policy": policy, "replication": 0, "job": number}
            world.row("jobs", **where, finish_us=HOUR_US + (number < late))


@scene
def late(world: World, outcome: str) -> None:
    """Make a world with a task that was not done at the end of its frame, and became this."""
    for policy in ("grid_relaxed", "grid_propagation"):
        where = {"workload": "p-26", "policy": policy, "replication": 0, "job": 1}
        world.row("reservations", **where, workflow=1, task=1, latest_us=HOUR_US)
        world.row("jobs", **where, finish_us=2 * HOUR_US, outcome=outcome)


WORLDS: dict[str, tuple[Scene, Scene]] = {
    "c9-medium-jobs-with-each-step": (
        by_share(SLOWDOWN, "medium", [RELAXED], 2),
        by_share(SLOWDOWN, "medium", [RELAXED], -2),
    ),
    "c11-medium-tasks-rise": (
        by_share(SLOWDOWN, "tasks medium", [RELAXED], 2),
        by_share(SLOWDOWN, "tasks medium", [RELAXED], -2),
    ),
    "c12-makespan-rises": (by_share(MAKESPAN, "all", BOTH, 2), by_share(MAKESPAN, "all", BOTH, -2)),
    "c14-makespan-of-each-seed": (of_seeds(0.8), of_seeds(1.2)),
    "c15-medium-jobs": (of_seeds(0.8, hours=1), of_seeds(1.2, hours=1)),
    "c15-long-jobs": (of_seeds(0.8, hours=5), of_seeds(1.2, hours=5)),
    "c16-medium-tasks": (of_seeds(0.8, hours=1), of_seeds(1.2, hours=1)),
    "c16-long-tasks": (of_seeds(0.8, hours=5), of_seeds(1.2, hours=5)),
    "c17-medium-jobs-fall": (by_portion("with", "medium", -0.3), by_portion("with", "medium", 0.3)),
    "c17-medium-tasks-fall": (by_portion("with", "tasks medium", -0.3), by_portion("with", "tasks medium", 0.3)),
    "c10-run-times-hide-delays": (later(5), later(-5)),
    "r4-tasks-slide-up": (slid({RELAXED: 40}), slid({RELAXED: 0})),
    "c13-tasks-before-their-booking": (slid({PROPAGATION: 40, RELAXED: 10}), slid({PROPAGATION: 10, RELAXED: 40})),
    "n2-lending-delays-nobody": (delayed(0), delayed(1)),
    "r6-reasonable-responses": (workflows_beside_jobs(0.8), workflows_beside_jobs(1.5)),
    "c19-mostly-below-two": (lost(0.5), lost(3)),
    "c19-occasionally-four": (lost(4), lost(0.5)),
    "c20-one-cluster": (losing_clusters(1), losing_clusters(4)),
    "c21-degraded-is-overcommitted": (overcommitted(5), overcommitted(-5)),
    "m4-late-tasks-are-finished": (late("finished"), late("killed")),
    "w1-shares-of-jobs": (made_of("job_share"), made_of("job_share", wrong=True)),
    "w1-sizes": (made_of("mean_size"), made_of("mean_size", wrong=True)),
    "w1-lengths": (made_of("mean_runtime"), made_of("mean_runtime", wrong=True)),
    "w2-offered-load": (loads(1.0), loads(0.5)),
    "w3-series-of-shares": (shares(1.0), shares(1.5)),
    "w4-all-eligible-jobs": (all_split(26), all_split(60)),
    "w5-five-tasks": (five_tasks(5), five_tasks(6)),
    "w5-same-work": (same_work(16), same_work(20)),
    "w6-no-short-tasks": (tasks_of(3600), tasks_of(300)),
    "c24-never-worse-than-predicted": (promised(0), promised(60)),
}
"""The world in which a claim is true, and the one in which it is false."""

LOWER = {
    "c9-medium-jobs-rise": "no-workflows < grid_relaxed",
    "c9-because-of-reservations": "grid_heft < grid_relaxed",
    "c10-long-jobs-do-not": "grid_relaxed ~ no-workflows",
    "c13-propagation-shortens": "grid_propagation < grid_relaxed",
    "c13-by-a-fifth": "grid_propagation < grid_relaxed by 20",
    "c14-makespan-by-a-fifth": "grid_propagation < grid_relaxed by 20",
    "c16-jobs-in-clusters": "grid_propagation < grid_relaxed",
    "c13-gain-by-lending": (
        "grid_propagation, propagation-no-lending/grid_relaxed, relaxed-no-lending: grid_propagation < propagation-no-lending"
    ),
    "c17-slide-up": "with-350 < with-000",
    "c18-long-jobs": "with-350 ~ with-000",
    "c23-slack-lengthens": "grid_zero_slack < grid_relaxed",
    "c23-propagation-alleviates": "grid_propagation < grid_zero_slack",
    "c25-detectable-role": "grid_propagation < with-000",
    "r1-rigid-delays-medium-jobs": "grid_relaxed < grid_rigid",
    "r1-rigid-delays-long-jobs": "grid_relaxed < grid_rigid",
    "r2-relaxed-helps-medium-jobs": "grid_propagation < grid_rigid",
    "r2-relaxed-helps-long-jobs": "grid_propagation < grid_rigid",
    "r3-rigid-wastes": "grid_rigid < grid_relaxed",
    "r5-local-jobs-not-compromised": "grid_propagation ~ no-workflows",
    "q1-reservations-slow-local-jobs": "grid_heft < grid_rigid",
    "q1-reservations-cost-utilisation": "grid_rigid < grid_heft",
    "q2-reservations-serve-workflows": "grid_relaxed < grid_heft",
    "q2-reservations-slow-local-jobs": "grid_heft < grid_relaxed",
    "c19-none-up-to-13": "no-workflows ~ grid_relaxed, grid_propagation",
    "c19-adverse-at-26": "grid_relaxed, grid_propagation < no-workflows by 2",
    "c21-longer-reservations": "p-13-long < p-13",
    "c22-short-jobs": "grid_relaxed ~ no-workflows",
    "c12-because-of-reservations": "grid_heft < grid_relaxed",
    "c26-allocation-shortens": "p-26 < p-26-own",
    "c20-balance-helps": "grid_relaxed, grid_propagation < balanced, balanced-propagation",
    "n1-preemption-unblocks": "no-workflows < no-slices",
    "n3-medium-jobs-elsewhere": "~ 2.5",
    "n3-long-jobs-elsewhere": "~ 4",
    "n4-accurate-predictions": "mean-predictions < grid_relaxed",
    "n5-slots-make-room": "slides-to-make-room < slots-lost",
    "n6-preemptions-are-avoided": "slides-to-the-next-slice < slots-lost",
}
"""Who has less than whom, in the words of ``tests/reports/ledger/wiring.py``."""
