"""Worlds of the claims on LOMARC: a few replications each, with numbers from the paper where it prints any."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

from tests.reports.ledger.wiring import measured
from tests.reports.ledger.world import Quoted, Scene, World, drawn, scene

LADDER = ("lomarc-w1", "lomarc-w2", "lomarc-w3")
MIXTURES = ("lomarc-w1", "lomarc-w1-m2", "lomarc-w1-m3")
HYPERTHREADED = ("l-fm", "l-u1", "l-u2", "l-r")
VARIANTS = ("l-n", *HYPERTHREADED)
RESPONSE, RELATIVE, EFFICIENCY = "mean_response", "mean_relative_response", "utilisation_efficiency"


def means(metric: str, of: Mapping[str, float], workload: str) -> Scene:
    """Make a world in which strategies have these means under a workload."""
    return measured({(workload, policy, metric, "all"): mean for policy, mean in of.items()})


@scene
def more_under_load(world: World, *parts: float) -> None:
    """Make a world in which LOMARC saves these parts of the times of PSS under W1 to W3, and is as much more efficient."""
    for workload, part in zip(LADDER, parts, strict=True):
        for metric, mean in ((RESPONSE, 1 - part), (RELATIVE, 1 - part), (EFFICIENCY, 1 + part)):
            means(metric, {"pss": 1.0} | dict.fromkeys(VARIANTS, mean), workload)(world)


@scene
def apart(world: World, **steps: float) -> None:
    """Make a world in which each variant takes so much longer than the one before, by a metric."""
    for (metric, step), workload in product(steps.items(), LADDER):
        of = {policy: 5 + place * step for place, policy in enumerate(("l-r", "l-u1", "l-u2", "l-fm"))}
        means(metric, of, workload)(world)


@scene
def changed(world: World, given: Mapping[str, Any], part: float) -> None:
    """Make a world in which strategies differ from others by so many times what is printed."""
    found = {}
    for (w, _), (m, _), (mine, theirs) in product(given["workloads"], given["metrics"], given["against"]):
        name = f"{given['quoted']}_{m}"
        for row in world.quote(metric=name, workload=w, policy=mine, scope=f"over {theirs}"):
            way = 1 if m == EFFICIENCY or given["quoted"] == "excess" else -1
            found |= {(w, theirs, m, "all"): 1.0, (w, mine, m, "all"): 1 + way * part * row["printed"] / 100}
    measured(found)(world)


@scene
def loaded(world: World, part: float) -> None:
    """Make a world whose workloads have so many times the printed loads."""
    for row in world.quote(metric="load"):
        # 64 processors' work of 128 in a gap of 1 s is a load of a half
        for replication, load in enumerate(drawn(row["printed"] * part)):
            of = {"workload": row["workload"], "policy": "pss", "replication": replication, "size": 64}
            jobs = [(job, job * 10**6, round(load * 2 * 10**6)) for job in range(3)]
            world.rows("jobs", "job submit_us runtime_us", *jobs, **of)


@scene
def matched(world: World, estimate_s: int, slowdown_ppm: int) -> None:
    """Make a world with one pair per strategy: an hour's job, one of this estimate, and this slowdown."""
    for policy in ("am", *VARIANTS):
        of = {"workload": "lomarc-w1", "policy": policy, "replication": 0}
        world.rows("jobs", "job estimate_us", (1, 3600 * 10**6), (2, estimate_s * 10**6), **of)
        world.row("matches", **of, job=1, partner=2, among="waiting", slowdown_ppm=slowdown_ppm)


@scene
def paired(world: World, *pairs: int) -> None:
    """Make a world in which L-N forms so many pairs of 1,000 jobs under M1, M2 and M3."""
    for workload, count in zip(MIXTURES, pairs, strict=True):
        for replication in range(3):
            world.row("runs", workload=workload, policy="l-n", replication=replication, jobs=1000)
        world.metric(workload, "l-n", "pairs", [count - 1.0, count + 0.0, count + 1.0])


@scene
def tables(world: World, change: Callable[[Quoted], Quoted] = dict) -> None:
    """Make a world that holds Tables 1 to 3, with other numbers."""
    world.policy("l-r", parameters={"slowdown": "unshared_counted"})
    world.quote(lambda row: change(row) if row["metric"].startswith("table_") else None)


def instead(number: float, *metrics: str, scope: str = "") -> Scene:
    """Make a world in which Tables 1 to 3 have this number in cells of these metrics, or of this scope."""

    def change(row: Quoted) -> Quoted:
        named = row["metric"] in metrics and (not scope or row["scope"] == scope)
        return row | {"value": number, "printed": number} if named else row

    return tables(change)


def reversed_cells(row: Quoted) -> Quoted:
    """Exchange row and column of Tables 2 and 3."""
    table, _, cell = row["metric"].rpartition("_")
    return row | {"metric": f"{table}_{ {'row': 'column', 'column': 'row'}.get(cell, cell) }"}


def at_most(number: float) -> Callable[[Quoted], Quoted]:
    """Lower all numbers to this one."""
    return lambda row: row | {"value": min(row["value"], number)}


MADE = {"printed_change": changed}

WORLDS = {
    "l32-more-under-load": (more_under_load(0.2, 0.3, 0.5), more_under_load(0.5, 0.3, 0.2)),
    "l37-more-pronounced": (
        apart(mean_response=0.2, mean_relative_response=2),
        apart(mean_response=2, mean_relative_response=0.2),
    ),
    "l34-loads": (loaded(1), loaded(0.1)),
    "l35-rules-of-matching": (matched(3600, 1_600_000), matched(60, 1_600_001)),
    "l25-pairs-of-cpu-and-disk": (paired(200, 300, 100), paired(200, 100, 300)),
    "t1-below-the-estimate": (tables(), instead(2.2, "table_2_row")),
    "t2-formula-of-the-estimates": (tables(), instead(3, "table_2_estimate", "table_2_estimate_free")),
    "t3-finer-suffers": (tables(), tables(reversed_cells)),
    "t4-adding-floats-is-worst": (tables(), instead(0.9, "table_1_same", scope="float+ 0")),
    "t5-classes-differ": (tables(), instead(1.7, "table_3_row")),
    "t5-disk-suffers": (tables(), tables(reversed_cells)),
    "t6-no-more-than-two": (tables(at_most(2)), instead(2.6, "table_1_same", "table_2_row", "table_3_row")),
}
"""The world in which a claim is true, and the one in which it is false."""

LOWER = {
    "l1-hyperthreaded-variants-better": "l-* < pss, ac, am",
    "l2-standard-processors-better": "l-n < pss, ac, am",
    "l3-always-coscheduling-worse": "pss < ac",
    "l6-response-of-l-r": "l-r < pss",
    "l6-response-of-l-r-grows": "l-r/pss: lomarc-w3 < lomarc-w1",
    "l7-relative-response-of-l-r-grows": "l-r/pss: lomarc-w3 < lomarc-w1",
    "l14-response-of-l-n": "l-n < pss",
    "l16-standard-below-hyperthreaded": "l-fm, l-u*, l-r < l-n",
    "l31-half-on-hyperthreaded": "l-r < pss by 50",
    "l31-quarter-on-standard": "l-n < pss by 25",
    "l33-journal": "l-r < pss by 40",
    "l4-adjacent-better": "am < pss",
    "l5-adjacent-worse-than-lookahead": "l-fm, l-r < am",
    "l5-lookahead-more-under-load": "l-fm, l-r/am: lomarc-w3 < lomarc-w1",
    "l8-l-u1-as-l-r": "l-u1 ~ l-r",
    "l9-l-u2-worse": "l-u1 < l-u2",
    "l9-l-u2-worse-relative": "l-u1 < l-u2",
    "l10-l-r-better-than-l-u1": "l-r < l-u1",
    "l10-especially-for-w1": "l-r/l-u1: lomarc-w1 < lomarc-w3",
    "l13-first-match-worse-under-load": "l-r/l-fm: lomarc-w3 < lomarc-w1",
    "l13-first-match-worse": "l-r < l-fm",
    "l17-makespan-of-w1": "~ 10",
    "l18-makespan-shorter": "l-r < pss",
    "l18-makespan-shorter-under-load": "l-r/pss: lomarc-w3 < lomarc-w2 < lomarc-w1",
    "l23-utilisation-same": "a?, l-* ~ pss",
    "l23-utilisation-rises": "lomarc-w1 < lomarc-w2 < lomarc-w3",
    "l20-efficiency-higher": "pss < l-u*, l-r",
    "l20-efficiency-higher-under-load": "l-u1, l-u2, l-r/pss: lomarc-w1 < lomarc-w2 < lomarc-w3",
    "l19-efficiencies-same": "l-u* ~ l-r",
    "l21-efficiency-of-l-fm": "l-fm < l-r",
    "l22-efficiency-of-l-n": "pss < l-n < l-fm",
    "l30-l-r-reaches-less-far": "l-r < l-u1",
    "l24-l-n-under-m2": "l-n < pss",
    "l25-order-of-mixtures": "l-n/pss: lomarc-w1-m2 < lomarc-w1 < lomarc-w1-m3",
    "l26-mixtures-similar": "l-u1, l-u2, l-r/pss, ac: lomarc-w1-m? ~ lomarc-w1",
}
"""Who has less than whom, in the words of ``tests/reports/ledger/wiring.py``."""
