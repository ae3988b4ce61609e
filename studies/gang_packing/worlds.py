"""Worlds of the packing study: a few sequences with slots, ratios and completed jobs that make a sentence true, or false."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.reports.ledger.world import Scene, World

FIRST, BEST = "gang-first-fit", "gang-best-fit"


def ratios(of: dict[str, Sequence[float]], workload: str = "jann") -> Scene:
    """Dynamic competitive ratios of a sequence each."""

    def scene(world: World) -> None:
        for policy, values in of.items():
            world.unit_metric(workload, policy, "dynamic_competitive_ratio", values)

    return scene


def curves(of: dict[str, Sequence[Sequence[float]]], workload: str = "jann") -> Scene:
    """Ratios at the arrivals 2,000, 10,000, 20,000 and 30,000, a list for each sequence."""

    def scene(world: World) -> None:
        for policy, sequences in of.items():
            for replication, values in enumerate(sequences):
                for arrival, ratio in zip((2000, 10_000, 20_000, 30_000), values, strict=True):
                    world.row(
                        "packing",
                        workload=workload,
                        policy=policy,
                        replication=replication,
                        arrival=arrival,
                        ratio=ratio,
                    )

    return scene


def excesses(stays: Sequence[float], moved: Sequence[float]) -> Scene:
    """Excess over 1 of both packings, without and with migration."""

    def scene(world: World) -> None:
        for policy in (FIRST, BEST):
            world.unit_metric("jann-moved", policy, "packing_excess", stays)
            world.unit_metric("jann-moved", f"{policy}-moved", "packing_excess", moved)

    return scene


def present(first: Sequence[int], best: Sequence[int]) -> Scene:
    """Jobs that are in the matrix at some arrival of each sequence."""

    def scene(world: World) -> None:
        for policy, counts in ((FIRST, first), (BEST, best)):
            for replication, jobs in enumerate(counts):
                world.row(
                    "packing", workload="jann", policy=policy, replication=replication, arrival=5000, present=jobs
                )

    return scene


def log_with(jobs: int) -> Scene:
    """A model fitted to so many jobs of a log."""

    def scene(world: World) -> None:
        world.workload("jann", provenance=json.dumps([{"fit": {"log": {"jobs": jobs}}}]))

    return scene


def slots(used: int, fewest: int) -> Scene:
    """Slots at one arrival under every packing."""

    def scene(world: World) -> None:
        for policy in (FIRST, BEST, f"{FIRST}-moved", f"{BEST}-moved", "gang-memory-best-fit", "gang-memory-fit"):
            world.row("packing", workload="jann", policy=policy, replication=0, arrival=1, slots=4, fewest=4)
            world.row("packing", workload="jann", policy=policy, replication=0, arrival=2, slots=used, fewest=fewest)

    return scene


def memory(metric: str, fit: Sequence[float], best: Sequence[float]) -> Scene:
    """What memory fit and best fit have done at each of the five times, the same at all of them."""

    def scene(world: World) -> None:
        for policy, values in (("gang-memory-fit", fit), ("gang-memory-best-fit", best)):
            for horizon in (10_000, 20_000, 30_000, 40_000, 50_000):
                world.metric("memory", policy, metric, values, scope=f"by {horizon} s")

    return scene


def places(fit: Sequence[int], best: Sequence[int]) -> Scene:
    """Jobs with a place in the matrix during the day, and any number after it."""

    def scene(world: World) -> None:
        for policy, values in (("gang-memory-fit", fit), ("gang-memory-best-fit", best)):
            for replication, jobs in enumerate(values):
                shared = {"workload": "memory", "policy": policy, "replication": replication}
                world.row("packing", **shared, arrival=10, submit_s=900, present=jobs)
                world.row("packing", **shared, arrival=500, submit_s=90_000, present=7)

    return scene


def response(first: Sequence[float], best: Sequence[float]) -> Scene:
    """Mean response times (s) of each sequence."""

    def scene(world: World) -> None:
        world.unit_metric("jann", FIRST, "mean_response", first)
        world.unit_metric("jann", BEST, "mean_response", best)

    return scene


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

BETTER = ratios({BEST: [1.014, 1.019, 1.016], FIRST: [1.026, 1.031, 1.029]})
WORSE = ratios({BEST: [1.08, 1.09, 1.07], FIRST: [1.02, 1.03, 1.02]})


def with_migration(first: list[list[float]], best: list[list[float]]) -> Scene:
    """Ratios without migration as those that agree, 2 % apart, and with migration as given."""
    stays = {FIRST: EVEN, BEST: LOWER}
    return curves({**stays, f"{FIRST}-moved": first, f"{BEST}-moved": best}, "jann-moved")


WORLDS = {
    "jobs-of-the-log": (log_with(17_440), log_with(59_715)),
    "tens-of-jobs": (present([31, 40, 36], [30, 44, 35]), present([2100, 2400, 2000], [2050, 2300, 2000])),
    "best-fit-better": (BETTER, WORSE),
    "best-fit-always": (curves({FIRST: EVEN, BEST: LOWER}), curves({FIRST: LOWER, BEST: EVEN})),
    "small-difference": (BETTER, WORSE),
    "gap-of-two-per-cent": (curves({FIRST: EVEN, BEST: LOWER}), curves({FIRST: EVEN, BEST: FAR_LOWER})),
    "sequences-agree": (curves({FIRST: EVEN, BEST: LOWER}), curves({FIRST: APART, BEST: APART})),
    "no-unbounded-growth": (curves({FIRST: EVEN, BEST: LOWER}), curves({FIRST: GROWING, BEST: GROWING})),
    "migration-packs-closer": (
        excesses([0.03, 0.04, 0.035], [0.001, 0.0012, 0.0011]),
        excesses([0.001, 0.0012, 0.0011], [0.03, 0.04, 0.035]),
    ),
    "migration-order-of-magnitude": (
        excesses([0.03, 0.04, 0.035], [0.001, 0.0012, 0.0011]),
        excesses([0.03, 0.04, 0.035], [0.015, 0.021, 0.017]),
    ),
    "migration-narrows-the-gap": (with_migration(EVEN, CLOSE), with_migration(EVEN, FAR_LOWER)),
    "migration-evens-out-packings": (with_migration(EVEN, CLOSE), with_migration(EVEN, FAR_LOWER)),
    "sequences-agree-with-migration": (with_migration(EVEN, CLOSE), with_migration(APART, APART)),
    "first-fit-suffices": (
        response([3010, 3300, 2900], [3000, 3290, 2910]),
        response([3900, 4100, 3800], [3000, 3290, 2910]),
    ),
    "theorem-6": (slots(5, 4), slots(3, 4)),
    "memory-fit-uses-memory-better": (
        memory("memory_ratio", [1.10, 1.12, 1.11], [1.30, 1.34, 1.31]),
        memory("memory_ratio", [1.30, 1.34, 1.31], [1.10, 1.12, 1.11]),
    ),
    "memory-fit-completes-more": (
        memory("completed", [60, 66, 64], [50, 55, 54]),
        memory("completed", [50, 55, 54], [60, 66, 64]),
    ),
    "memory-fit-allocates-more": (places([40, 44, 42], [30, 32, 33]), places([30, 32, 33], [40, 44, 42])),
}
