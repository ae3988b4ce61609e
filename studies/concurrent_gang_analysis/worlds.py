"""Worlds of the study of schedule lengths: batches under gang scheduling and Concurrent Gang."""

from tests.reports.ledger.world import World, scene

GANG, PRIO, LOCAL = "analysis-gang", "analysis-prio", "analysis-local"
KINDS = ("length-compute", "length-io", "length-bsp", "length-msg")


@scene
def lengths(world: World, *, versus: str, worst: float) -> None:
    """Lengths of three batches of every kind; on one of them Concurrent Gang takes ``worst`` times as long as the other."""
    for workload in KINDS:
        world.metric(workload, PRIO, "makespan", (80, 100 * worst, 90))
        world.metric(workload, versus, "makespan", (100, 100, 100))


@scene
def times(world: World, column: str, worst: float) -> None:
    """Two batches of every kind; ``column`` is the time in which processors did nothing, in two periods."""
    for workload in KINDS:
        for policy, of in ((GANG, (400, 500)), (PRIO, (200, round(500 * worst)))):
            for draw, value in enumerate(of):
                for end, part in ((10**6, value // 2), (2 * 10**6, value)):
                    times = {"empty_ns": 0, "blocked_ns": 0, "spin_ns": 0, column: part}
                    world.row("activity_sums", workload=workload, policy=policy, replication=draw, end_us=end, **times)


WORLDS = {
    "theorem-7-gang": (lengths(versus=GANG, worst=1.0), lengths(versus=GANG, worst=1.02)),
    "theorem-7-oblivious": (lengths(versus=LOCAL, worst=1.0), lengths(versus=LOCAL, worst=1.02)),
    "no-more-empty-slots": (times("empty_ns", 1.0), times("empty_ns", 1.1)),
    "no-more-waiting": (times("spin_ns", 1.0), times("blocked_ns", 1.1)),
}

LOWER = {
    "alike-without-interaction": "analysis-prio ~ analysis-local",
    "advantage-where-tasks-interact": "analysis-prio < analysis-local",
    "y-irregularity-compensated": "analysis-prio < analysis-gang",
    "x-irregularity-compensated": "analysis-prio < analysis-gang",
    "balancing-shortens-jobs": "analysis-balance < analysis-prio",
    "balancing-shortens-workloads": "analysis-balance < analysis-prio",
}
"""Who has less than whom, in the words of ``tests/reports/ledger/wiring.py``."""
