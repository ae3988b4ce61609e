"""Worlds of the study of theory: batches with ratios and periods that keep a theorem, or break it."""

from __future__ import annotations

from tests.reports.ledger.world import World, scene


@scene
def ratios(world: World, **of: float) -> None:
    """Makespan over the least of the packing as listed, by workload (``_`` for ``-``)."""
    for workload, ratio in of.items():
        world.row("batches", workload=workload.replace("_", "-"), policy="gang-ffd", replication=0, ratio=ratio)


@scene
def adversary(world: World, ratios: tuple[float, float]) -> None:
    """The adversary on four and on eight processors."""
    for processors, ratio in zip((4, 8), ratios, strict=True):
        name = f"equal-halves-{processors}"
        world.row("batches", workload=name, policy="gang-ffd", replication=0, ratio=ratio)


@scene
def periods(world: World, *of: tuple[str, int, float]) -> None:
    """Periods of one random batch: packing, slots, idling ratio."""
    for policy, slots, idling in of:
        shared = {"workload": "batch-uniform", "policy": policy, "replication": 0}
        world.row("batches", **shared, slots=slots, idling_ratio=idling)


def nothing_as_good(world: World) -> None:
    """Two periods that idle a tenth and a fifth, and slots below zero, as no schedule has: their mean is below both."""
    periods(("gang-ffd", 5, 0.1), ("gang-one-job", -2, 0.2))(world)


@scene
def unit_jobs(world: World, alone: float, packed: float) -> None:
    """64 jobs of 600 s on 16 processors: makespans one by one, and packed."""
    world.workload("unit-16", jobs=64, processors=16)
    for policy, makespan in (("gang-one-job", alone), ("gang-ffd", packed), ("variable-partitioning", packed)):
        world.row("batches", workload="unit-16", policy=policy, replication=0, makespan_s=makespan)


@scene
def areas(world: World, *shares: float) -> None:
    """Jobs and idle area over the machine's, a run each."""
    world.metric("batch-uniform", "gang-ffd", "accounted_capacity", shares)


WORLDS = {
    "theorem-4": (ratios(batch_uniform=1.4, long_thin_8=1.9), ratios(batch_uniform=2.3, long_thin_8=2.86)),
    "theorem-4-lower-bound": (adversary((8 / 6, 16 / 10)), adversary((1.2, 1.5))),
    "four-is-not-the-least": (ratios(batch_uniform=1.4, long_thin_64=2.9), ratios(long_thin_64=4.2)),
    "theorem-5": (periods(("gang-ffd", 5, 0.1), ("gang-one-job", 10, 0.55)), nothing_as_good),
    "corollary-1": (
        periods(("gang-ffd", 5, 0.10), ("gang-best-fit-changes", 6, 0.25)),
        periods(("gang-ffd", 5, 0.25), ("gang-best-fit-changes", 6, 0.10)),
    ),
    "simple-gang": (unit_jobs(38_400, 2400), unit_jobs(20_000, 3000)),
    "area-conservation": (areas(1.0, 1.0), areas(1.0, 0.9)),
}
