"""Worlds of the study of theory: batches with ratios and periods that keep a theorem, or break it."""

from tests.reports.ledger.world import World, scene


@scene
def ratios(world: World, **of: float) -> None:
    """Makespan over the least of the packing as listed, by workload (``_`` for ``-``)."""
    for workload, ratio in of.items():
        world.row("batches", workload=workload.replace("_", "-"), policy="gang-ffd", replication=0, ratio=ratio)


@scene
def of_sizes(world: World, *of: tuple[int, int, float]) -> None:
    """Ratios of one batch each: processors of the machine, jobs, makespan over the least."""
    for number, (processors, jobs, ratio) in enumerate(of):
        world.workload(f"batch-{number}", processors=processors, jobs=jobs, replications=1)
        world.row("batches", workload=f"batch-{number}", policy="gang-ffd", replication=0, ratio=ratio)


@scene
def bins(world: World, workloads: tuple[str, ...], slots: int) -> None:
    """Batches whose jobs fill four slots of 64 processors: two of 40 and of 24, and some of 32 and 16; and the slots used."""
    for workload in workloads:
        world.workload(workload, processors=64)
        shared = {"workload": workload, "policy": "gang-ffd", "replication": 0}
        sizes = (40, 40, 24, 24, 32, 32, 16, 16, 16, 16) if workload == "bins-uniform" else (32, 32, 64, 32, 16, 16, 64)
        world.rows("jobs", "job size", *enumerate(sizes), **shared)
        world.row("batches", **shared, slots=slots)


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
    "four-is-the-ratio": (ratios(batch_uniform=1.4, long_thin_64=4), ratios(long_thin_64=2.9)),
    "four-is-the-lower-bound": (ratios(long_thin_64=4.1), ratios(long_thin_64=2.9)),
    "two-on-every-machine": (of_sizes((8, 9, 1.9), (64, 65, 2)), of_sizes((8, 9, 2.3), (64, 9, 2.1))),
    "two-with-any-number-of-jobs": (of_sizes((8, 9, 1.9), (8, 65, 2)), of_sizes((8, 9, 2.3), (8, 65, 2.1))),
    "ffd-optimal-for-divisible-sizes": (bins(("bins-powers",), 4), bins(("bins-powers",), 5)),
    "ffd-within-22-per-cent": (bins(("bins-uniform", "bins-powers"), 4), bins(("bins-uniform", "bins-powers"), 5)),
    "theorem-5": (
        periods(("gang-ffd", 5, 0.1), ("gang-one-job", 10, 0.55)),
        periods(
            ("gang-ffd", 5, 0.1), ("gang-one-job", -2, 0.2)
        ),  # slots below zero, as no schedule has: a mean below both
    ),
    "corollary-1": (
        periods(("gang-ffd", 5, 0.10), ("gang-best-fit-changes", 6, 0.25)),
        periods(("gang-ffd", 5, 0.25), ("gang-best-fit-changes", 6, 0.10)),
    ),
    "simple-gang": (unit_jobs(38_400, 2400), unit_jobs(20_000, 3000)),
    "area-conservation": (areas(1.0, 1.0), areas(1.0, 0.9)),
}
