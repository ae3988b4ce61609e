"""Worlds of the packing study: a few sequences with slots, ratios and completed jobs that make a sentence true, or false."""

import json
from collections.abc import Sequence

from tests.reports.ledger.world import Scene, World, scene

FIRST, BEST = "gang-first-fit", "gang-best-fit"


@scene
def curves(world: World, of: dict[str, Sequence[Sequence[float]]], workload: str = "jann") -> None:
    """Ratios at the arrivals 2,000, 10,000, 20,000 and 30,000, a list for each sequence."""
    for policy, sequences in of.items():
        for replication, values in enumerate(sequences):
            for arrival, ratio in zip((2000, 10_000, 20_000, 30_000), values, strict=True):
                world.row(
                    "packing", workload=workload, policy=policy, replication=replication, arrival=arrival, ratio=ratio
                )


@scene
def present(world: World, first: Sequence[int], best: Sequence[int]) -> None:
    """Jobs that are in the matrix at some arrival of each sequence."""
    for policy, counts in ((FIRST, first), (BEST, best)):
        for replication, jobs in enumerate(counts):
            world.row("packing", workload="jann", policy=policy, replication=replication, arrival=5000, present=jobs)


@scene
def log_with(world: World, jobs: int) -> None:
    """A model fitted to so many jobs of a log."""
    world.workload("jann", provenance=json.dumps([{"fit": {"log": {"jobs": jobs}}}]))


@scene
def slots(world: World, used: int, fewest: int) -> None:
    """Slots at one arrival under every packing."""
    for policy in (FIRST, BEST, f"{FIRST}-moved", f"{BEST}-moved", "gang-memory-best-fit", "gang-memory-fit"):
        world.row("packing", workload="jann", policy=policy, replication=0, arrival=1, slots=4, fewest=4)
        world.row("packing", workload="jann", policy=policy, replication=0, arrival=2, slots=used, fewest=fewest)


@scene
def places(world: World, fit: Sequence[int], best: Sequence[int]) -> None:
    """Jobs with a place in the matrix during the day, and any number after it."""
    for policy, values in (("gang-memory-fit", fit), ("gang-memory-best-fit", best)):
        for replication, jobs in enumerate(values):
            shared = {"workload": "memory", "policy": policy, "replication": replication}
            world.row("packing", **shared, arrival=10, submit_s=900, present=jobs)
            world.row("packing", **shared, arrival=500, submit_s=90_000, present=7)


EVEN = [
    [1.030, 1.029, 1.028, 1.028],
    [1.031, 1.029, 1.029, 1.028],
    [1.029, 1.029, 1.028, 1.029],
    [1.030, 1.03, 1.029, 1.028],
]
"""Four sequences that agree and do not grow."""
APART = [[1.03, 1.03, 1.02, 1.02], [1.03, 1.12, 1.11, 1.11], [1.02, 1.02, 1.03, 1.02], [1.12, 1.11, 1.12, 1.11]]
"""Every other one a tenth above the one before."""
GROWING = [[1.03, 1.05, 1.3, 1.6], [1.03, 1.06, 1.4, 1.7], [1.02, 1.05, 1.3, 1.7], [1.03, 1.05, 1.4, 1.6]]
LOWER = [
    [1.012, 1.011, 1.010, 1.009],
    [1.012, 1.012, 1.010, 1.009],
    [1.010, 1.011, 1.009, 1.009],
    [1.012, 1.012, 1.011, 1.010],
]
"""About 2 % below the first four."""
FAR_LOWER = [[0.93 * value for value in sequence] for sequence in EVEN]
CLOSE = [[value + 0.0005 for value in sequence] for sequence in EVEN]


def with_migration(first: list[list[float]], best: list[list[float]]) -> Scene:
    """Ratios without migration as those that agree, 2 % apart, and with migration as given."""
    stays = {FIRST: EVEN, BEST: LOWER}
    return curves({**stays, f"{FIRST}-moved": first, f"{BEST}-moved": best}, "jann-moved")


WORLDS = {
    "jobs-of-the-log": (log_with(17_440), log_with(59_715)),
    "tens-of-jobs": (present([31, 40, 36], [30, 44, 35]), present([2100, 2400, 2000], [2050, 2300, 2000])),
    "best-fit-always": (curves({FIRST: EVEN, BEST: LOWER}), curves({FIRST: LOWER, BEST: EVEN})),
    "gap-of-two-per-cent": (curves({FIRST: EVEN, BEST: LOWER}), curves({FIRST: EVEN, BEST: FAR_LOWER})),
    "sequences-agree": (curves({FIRST: EVEN, BEST: LOWER}), curves({FIRST: APART, BEST: APART})),
    "no-unbounded-growth": (curves({FIRST: EVEN, BEST: LOWER}), curves({FIRST: GROWING, BEST: GROWING})),
    "migration-narrows-the-gap": (with_migration(EVEN, CLOSE), with_migration(EVEN, FAR_LOWER)),
    "migration-evens-out-packings": (with_migration(EVEN, CLOSE), with_migration(EVEN, FAR_LOWER)),
    "sequences-agree-with-migration": (with_migration(EVEN, CLOSE), with_migration(APART, APART)),
    "theorem-6": (slots(5, 4), slots(3, 4)),
    "memory-fit-allocates-more": (places([40, 44, 42], [30, 32, 33]), places([30, 32, 33], [40, 44, 42])),
}

LOWER = {
    "best-fit-better": "gang-best-fit < gang-first-fit",
    "small-difference": "gang-best-fit ~ gang-first-fit",
    "migration-packs-closer": "*-fit-moved < *-fit",
    "migration-order-of-magnitude": "gang-*-fit-moved < gang-*-fit by 95",
    "first-fit-suffices": "gang-first-fit ~ gang-best-fit",
    "memory-fit-uses-memory-better": "gang-memory-fit < gang-memory-best-fit",
    "memory-fit-completes-more": "gang-memory-best-fit < gang-memory-fit",
}
"""Who has less than whom, in the words of ``tests/reports/ledger/wiring.py``."""
