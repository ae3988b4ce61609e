"""Worlds of the claims on reservations in a grid: a few draws each, with numbers made up from the sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.reports.ledger.world import Scene, World

from .worlds_rows import (
    all_split,
    checked,
    five_tasks,
    late,
    loads,
    made_of,
    of_seeds,
    promised,
    same_work,
    shares,
    slid,
    tasks_of,
    workflows_beside_jobs,
)

RELAXED, PROPAGATION, RIGID = "grid_relaxed", "grid_propagation", "grid_rigid"
ZERO, INDEPENDENT, NONE = "grid_zero_slack", "grid_independent", "no-workflows"
SHARES = {"p-0": 0, "p-7": 7, "p-13": 13, "p-18": 18, "p-22": 22, "p-26": 26}
WITH_TASKS = tuple(SHARES)[1:]
PORTIONS = ("000", "050", "100", "150", "200", "250", "300", "350")
SLOWDOWN, MAKESPAN = "mean_slowdown", "mean_workflow_makespan"
UTILISATION, SUBMITTING = "utilisation", "utilisation_while_submitting"
SPREADS = ((0.999, 1.0, 1.001), (1.0, 0.9995, 1.0005), (1.0005, 1.0, 0.9995))
"""What draws of neighbouring policies are of their mean, so that what is compared has a spread."""


def means(
    metric: str, by_policy: Mapping[str, float], workloads: Sequence[str], scopes: Sequence[str] = ("all",)
) -> Scene:
    """Make a world in which policies have these means on all of some workloads."""

    def scene(world: World) -> None:
        for workload in workloads:
            for scope in scopes:
                for place, (policy, mean) in enumerate(by_policy.items()):
                    draws = [mean * part for part in SPREADS[place % len(SPREADS)]]
                    world.metric(workload, policy, metric, draws, scope)

    return scene


def together(*scenes: Scene) -> Scene:
    """Make one world of several."""

    def scene(world: World) -> None:
        for part in scenes:
            part(world)

    return scene


def over_none(scopes: Sequence[str], with_tasks: float, policy: str, workloads: Sequence[str] = WITH_TASKS) -> Scene:
    """Make a world in which slowdowns with tasks are so many times those without."""
    return together(
        means(SLOWDOWN, {NONE: 8.0}, ["p-0"], scopes),
        means(SLOWDOWN, {policy: 8.0 * with_tasks + 0.001}, workloads, scopes),
    )


def by_share(metric: str, scope: str, policies: Sequence[str], step: float) -> Scene:
    """Make a world in which a mean grows by so much with each point of share."""

    def scene(world: World) -> None:
        for workload, share in SHARES.items():
            for place, policy in enumerate(policies):
                own = NONE if workload == "p-0" else policy
                draws = [(100 + step * share) * part for part in SPREADS[(place + share) % len(SPREADS)]]
                if workload != "p-0" or place == 0:
                    world.metric(workload, own, metric, draws, scope)

    return scene


def by_portion(arm: str, scope: str, step: float) -> Scene:
    """Make a world in which slowdowns change by so much with each further half of slack."""

    def scene(world: World) -> None:
        for place, portion in enumerate(PORTIONS):
            draws = [(10 + step * place) * part for part in SPREADS[place % len(SPREADS)]]
            world.metric("four-seeds", f"{arm}-{portion}", SLOWDOWN, draws, scope)

    return scene


def lost(points: float, metric: str = UTILISATION, workloads: Sequence[str] = WITH_TASKS) -> Scene:
    """Make a world in which all clusters together lose so many points of utilisation to workflows."""
    return together(
        means(metric, {NONE: 0.75}, ["p-0"]),
        means(metric, {RELAXED: 0.75 - points / 100, PROPAGATION: 0.7501 - points / 100}, workloads),
    )


def losing_clusters(count: int) -> Scene:
    """Make a world in which so many of four clusters lose 3 points, but for one draw in which one more or less does."""

    def scene(world: World) -> None:
        for replication in range(12):
            few = count if replication else (count - 1 if count > 2 else count + 1)
            for cluster in range(4):
                where = {"scope": f"cluster {cluster}", "replication": replication}
                world.metric("p-0", NONE, UTILISATION, 0.75, **where)
                for workload in ("p-18", "p-22", "p-26"):
                    for policy in (RELAXED, PROPAGATION):
                        world.metric(workload, policy, UTILISATION, 0.72 if cluster < few else 0.76, **where)

    return scene


def longer(points: float) -> Scene:
    """Make a world in which workflows of long jobs cost so many points of utilisation more than others."""
    return together(
        means(UTILISATION, {RELAXED: 0.74, PROPAGATION: 0.741}, ["p-13"]),
        means(UTILISATION, {RELAXED: 0.74 - points / 100, PROPAGATION: 0.7411 - points / 100}, ["p-13-long"]),
    )


CONTRAST = ("p-13", "p-26")
LOCAL = ("local medium", "local long")
BOTH = (RELAXED, PROPAGATION)


def contrast(metric: str, by_policy: Mapping[str, float], scopes: Sequence[str] = ("all",)) -> Scene:
    """Make a world in which policies have these means at 13 and at 26 % of tasks."""
    return means(metric, by_policy, CONTRAST, scopes)


WORLDS: dict[str, tuple[Scene, Scene]] = {
    "c9-medium-jobs-rise": (
        over_none(["medium", "local medium"], 1.8, RELAXED),
        over_none(["medium", "local medium"], 0.8, RELAXED),
    ),
    "c9-medium-jobs-with-each-step": (
        by_share(SLOWDOWN, "medium", [RELAXED], 2),
        by_share(SLOWDOWN, "medium", [RELAXED], -2),
    ),
    "c9-because-of-reservations": (
        means(SLOWDOWN, {RELAXED: 12, INDEPENDENT: 9}, WITH_TASKS, ["medium"]),
        means(SLOWDOWN, {RELAXED: 9, INDEPENDENT: 12}, WITH_TASKS, ["medium"]),
    ),
    "c10-long-jobs-do-not": (over_none(["long"], 1.0, RELAXED), over_none(["long"], 1.5, RELAXED)),
    "c11-medium-tasks-rise": (
        by_share(SLOWDOWN, "tasks medium", [RELAXED], 2),
        by_share(SLOWDOWN, "tasks medium", [RELAXED], -2),
    ),
    "c12-makespan-rises": (by_share(MAKESPAN, "all", BOTH, 2), by_share(MAKESPAN, "all", BOTH, -2)),
    "c13-propagation-shortens": (
        means(MAKESPAN, {RELAXED: 50_000, PROPAGATION: 40_000}, WITH_TASKS),
        means(MAKESPAN, {RELAXED: 40_000, PROPAGATION: 50_000}, WITH_TASKS),
    ),
    "c13-by-a-fifth": (
        means(MAKESPAN, {RELAXED: 50_000, PROPAGATION: 40_000}, WITH_TASKS),
        means(MAKESPAN, {RELAXED: 50_000, PROPAGATION: 25_000}, WITH_TASKS),
    ),
    "c14-makespan-of-each-seed": (of_seeds(0.8), of_seeds(1.2)),
    "c14-makespan-by-a-fifth": (
        means(MAKESPAN, {RELAXED: 50_000, PROPAGATION: 40_000}, ["four-seeds"]),
        means(MAKESPAN, {RELAXED: 50_000, PROPAGATION: 25_000}, ["four-seeds"]),
    ),
    "c15-medium-jobs": (of_seeds(0.8, hours=1), of_seeds(1.2, hours=1)),
    "c15-long-jobs": (of_seeds(0.8, hours=5), of_seeds(1.2, hours=5)),
    "c16-medium-tasks": (of_seeds(0.8, hours=1), of_seeds(1.2, hours=1)),
    "c16-long-tasks": (of_seeds(0.8, hours=5), of_seeds(1.2, hours=5)),
    "c16-jobs-in-clusters": (
        means(SLOWDOWN, {RELAXED: 10, PROPAGATION: 8}, ["p-26"], ["medium", "long"]),
        means(SLOWDOWN, {RELAXED: 8, PROPAGATION: 10}, ["p-26"], ["medium", "long"]),
    ),
    "c17-medium-jobs-fall": (by_portion("with", "medium", -0.3), by_portion("with", "medium", 0.3)),
    "c17-medium-tasks-fall": (by_portion("with", "tasks medium", -0.3), by_portion("with", "tasks medium", 0.3)),
    "c17-slide-up": (by_portion("with", "tasks medium", -0.3), by_portion("with", "tasks medium", 0.3)),
    "c18-long-jobs": (
        together(by_portion("with", "long", 0.01), by_portion("with", "tasks long", -0.01)),
        together(by_portion("with", "long", -0.6), by_portion("with", "tasks long", -0.6)),
    ),
    "c23-slack-lengthens": (
        contrast(MAKESPAN, {RELAXED: 50_000, ZERO: 40_000}),
        contrast(MAKESPAN, {RELAXED: 40_000, ZERO: 50_000}),
    ),
    "c25-detectable-role": (
        contrast(SLOWDOWN, {RELAXED: 9, RIGID: 12}, ["tasks medium"]),
        contrast(SLOWDOWN, {RELAXED: 12, RIGID: 9}, ["tasks medium"]),
    ),
    "r1-rigid-delays-medium-jobs": (
        contrast(SLOWDOWN, {RELAXED: 9, RIGID: 12}, LOCAL),
        contrast(SLOWDOWN, {RELAXED: 12, RIGID: 9}, LOCAL),
    ),
    "r1-rigid-delays-long-jobs": (
        contrast(SLOWDOWN, {RELAXED: 5, RIGID: 6}, LOCAL),
        contrast(SLOWDOWN, {RELAXED: 6, RIGID: 5}, LOCAL),
    ),
    "r2-relaxed-helps-medium-jobs": (
        contrast(SLOWDOWN, {PROPAGATION: 9, RIGID: 12}, LOCAL),
        contrast(SLOWDOWN, {PROPAGATION: 12, RIGID: 9}, LOCAL),
    ),
    "r2-relaxed-helps-long-jobs": (
        contrast(SLOWDOWN, {PROPAGATION: 5, RIGID: 6}, LOCAL),
        contrast(SLOWDOWN, {PROPAGATION: 6, RIGID: 5}, LOCAL),
    ),
    "r3-rigid-wastes": (
        contrast(SUBMITTING, {RELAXED: 0.75, RIGID: 0.7}),
        contrast(SUBMITTING, {RELAXED: 0.7, RIGID: 0.75}),
    ),
    "r4-tasks-slide-up": (slid(90), slid(10)),
    "r5-local-jobs-not-compromised": (
        over_none(LOCAL, 1.02, PROPAGATION, CONTRAST),
        over_none(LOCAL, 1.6, PROPAGATION, CONTRAST),
    ),
    "r6-reasonable-responses": (workflows_beside_jobs(0.8), workflows_beside_jobs(1.5)),
    "c19-mostly-below-two": (lost(0.5), lost(3)),
    "c19-occasionally-four": (lost(4), lost(0.5)),
    "c19-none-up-to-13": (lost(0.1), lost(2)),
    "c19-adverse-at-26": (lost(2), lost(0.1)),
    "c20-one-cluster": (losing_clusters(1), losing_clusters(4)),
    "c21-longer-reservations": (longer(4), longer(-4)),
    "m1-tasks-wait-for-data": (checked("tasks wait for their data", 0), checked("tasks wait for their data", 3)),
    "m2-not-before-the-frame": (
        checked("tasks start no earlier than their frame says", 0),
        checked("tasks start no earlier than their frame says", 3),
    ),
    "m3-same-processors": (checked("a job keeps its processors", 0), checked("a job keeps its processors", 3)),
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
    "c22-short-jobs": (over_none(["short"], 1.0, RELAXED), over_none(["short"], 1.4, RELAXED)),
    "c24-never-worse-than-predicted": (promised(0), promised(60)),
}
"""The world in which a claim is true, and the one in which it is false."""
