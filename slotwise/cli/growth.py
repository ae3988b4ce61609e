"""`slotwise bench --growth`: how the time of every policy grows with the number of jobs."""

from __future__ import annotations

import json
import math
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scheduler_core.contracts import Workload

LOAD = 0.8
STEEPEST = 3.0
"""Exponent by which the time of the next size is expected at most."""


def growing_workloads(jobs: int) -> Iterator[Workload]:
    """Yield a drawn workload of so many jobs for every kind of companion tables that policies need, all at load 0.8."""
    from traces.build import build_workload
    from traces.models import get_model
    from traces.seeds import generator
    from traces.shape.behaviour import LomarcBehaviour, with_behaviour
    from traces.shape.load import scale_load

    plain = scale_load(get_model("lublin").generate(jobs, generator(1, "bench growth", 0)), LOAD)
    yield plain
    behaving = with_behaviour(plain, LomarcBehaviour(), generator(1, "bench growth", 0, "behaviour"))
    yield behaving
    yield with_equal_shares(behaving)
    definition = {"model": "lublin", "jobs": jobs, "load": LOAD}
    grid = {"clusters": [{"processors": 128}] * 4, "workflows": {"share": 0.26}}
    tasks = {"processors": 16, "applications": {"mix": "IO/Msg/Emb", "chapter": 8}}
    for further in (grid, tasks):
        yield build_workload({**definition, **further}, "bench growth", 1).workloads[0]


def with_equal_shares(workload: Workload) -> Workload:
    """Return the same jobs, each of which asks for a fifth to two fifths of its processors."""
    import dataclasses

    import polars as pl

    from scheduler_core.contracts.companions import SHARES_COLUMNS

    words = {"level": "medium", "share_low": 0.2, "share_high": 0.4, "site": "local", "asks": "nothing"}
    shares = workload.jobs.select(
        "job",
        *(pl.lit(word).cast(SHARES_COLUMNS[name]).alias(name) for name, word in words.items()),
        wanted_us="submit_us",
    )
    return dataclasses.replace(workload, companions={**workload.companions, "shares": shares})


def goes_with(policy: str, workload: Any) -> bool:
    """Return whether a workload suits a policy: the number of clusters, and exactly the companion tables it needs."""
    from scheduler_core.declarations.families import family
    from scheduler_core.declarations.policy import family_of, get_policy

    made = get_policy(policy)
    if made.several_clusters or len(workload.machine.clusters) > 1:
        return made.several_clusters and len(workload.machine.clusters) > 1
    needed = family(family_of(type(made))).companions if made.companions is None else made.companions
    return all(name in workload.companions for name in needed) and (bool(needed) or not workload.companions)


def growth_of(policy: str, sizes: Sequence[int], limit_s: float) -> dict[str, Any]:
    """Return the processor seconds of a policy at growing numbers of jobs, and the exponent of the last step.

    A size is left out, with all larger ones, if the policy is expected to exceed its time limit with it.
    """
    from scheduler_core.runs.simulation import compile_family, simulate

    compile_family([policy])
    measured: list[tuple[int, float]] = []
    spent, expected = 0.0, 0.0
    for jobs in sorted(sizes):
        if spent + expected > limit_s:
            break
        workload = next((workload for workload in growing_workloads(jobs) if goes_with(policy, workload)), None)
        if workload is None:
            break
        begun = time.process_time()
        simulate(workload, policy)
        seconds = time.process_time() - begun
        spent += seconds
        measured.append((len(workload), seconds))
        following = [size for size in sizes if size > jobs]
        expected = seconds * (min(following, default=jobs) / jobs) ** min(max(1.0, exponent(measured) or 2.0), STEEPEST)
    return {
        "policy": policy,
        "jobs": [jobs for jobs, _ in measured],
        "seconds": [seconds for _, seconds in measured],
        "exponent": exponent(measured),
    }


def exponent(measured: Sequence[tuple[int, float]]) -> float | None:
    """Return the slope between the last two measurements on logarithmic axes; None for fewer."""
    if len(measured) < 2:
        return None
    (fewer, before), (more, after) = measured[-2:]
    return math.log(max(after, 1e-6) / max(before, 1e-6)) / math.log(more / fewer)


def show_growth(policies: Sequence[str], sizes: Sequence[int], limit_s: float, as_json: bool) -> None:
    """Print a row per policy as it is measured: the seconds at every size, and the exponent of the last step."""
    if as_json:
        print(json.dumps([growth_of(policy, sizes, limit_s) for policy in policies], indent=2))
        return
    width = max(len(policy) for policy in policies)
    print_row(("policy", *(f"{jobs:,}" for jobs in sizes), "exponent"), width)
    for policy in policies:
        result = growth_of(policy, sizes, limit_s)
        seconds = [f"{each:.3f}" for each in result["seconds"]]
        slope = "" if result["exponent"] is None else f"{result['exponent']:.2f}"
        print_row((policy, *seconds, *[""] * (len(sizes) - len(seconds)), slope), width)
    print(f"\nprocessor seconds by number of jobs, load {LOAD:g}; empty: expected to exceed {limit_s:g} s per policy")


def print_row(cells: Sequence[str], width: int) -> None:
    """Print a row at once, its first cell of a given width, so that a run that is stopped has shown what it measured."""
    print("  ".join([cells[0].ljust(width), *(cell.rjust(9) for cell in cells[1:])]).rstrip(), flush=True)
