"""Worlds of the published schedules: five logs whose starts and slowdowns are as published, or are not."""

from tests.reports.ledger.world import World, scene

LOGS = [f"published-{log}" for log in ("sdsc-sp2", "kth-sp2", "ctc-sp2", "sdsc-blue", "cea-curie")]


@scene
def starts(world: World, second_s: int) -> None:
    """Two jobs a log, published to start at 0 and 50 s; here at 0 s and at another second."""
    for log in LOGS:
        for job, (ours, published) in enumerate([(0, 0), (second_s, 50)]):
            shared = {"workload": log, "replication": 0, "job": job}
            world.row("jobs", **shared, policy="easy-published", start_us=ours * 10**6)
            world.row("recorded_starts", **shared, start_us=published * 10**6)


@scene
def slowdowns(world: World, ours: float) -> None:
    """Mean bounded slowdowns, printed as 12.5."""
    for log in LOGS:
        world.metric(log, "easy-published", "mean_bounded_slowdown_10", ours)
        world.printed(log, "easy-published", "mean_bounded_slowdown_10", 12.5)


WORLDS = {"same-starts": (starts(50), starts(51)), "same-slowdowns": (slowdowns(12.5), slowdowns(12.6))}
