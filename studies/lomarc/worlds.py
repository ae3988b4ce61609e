"""Worlds of the claims on LOMARC: a few replications each, with numbers from the paper where it prints any."""

from collections.abc import Callable, Mapping, Sequence
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
    """Make a world in which LOMARC saves these parts of the times of the others under W1 to W3, and is as much more efficient."""
    for workload, part in zip(LADDER, parts, strict=True):
        for metric, mean in ((RESPONSE, 1 - part), (RELATIVE, 1 - part), (EFFICIENCY, 1 + part)):
            means(metric, dict.fromkeys(("pss", "ac", "am"), 1.0) | dict.fromkeys(VARIANTS, mean), workload)(world)


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


@scene
def behaving(world: World, jobs: Sequence[tuple[str, float, float, float]] = (), **columns: Any) -> None:
    """Make a world with these jobs in W1, or with typical ones: their kinds and what they use, but for some columns."""
    world.policy("l-r", parameters={"slowdown": "printed"})
    for draw in range(3):
        for place, (kind, cpu, network, disk) in enumerate(jobs or TYPICAL * 4):
            used = {"kind": kind, "cpu": cpu + draw / 1000, "network": network, "disk": disk - draw / 1000}
            told = {"cpu_phase": 0.1, "memory_kb": 300_000} | used | columns
            world.row("behaviours", workload="lomarc-w1", replication=draw, job=place, **told)


@scene
def mixed(world: World, metric: str, column: str, values: Mapping[str, Any], part: str = "", **shared: Any) -> None:
    """Make a world whose jobs are of each part as often as printed, or all of one part; ``values`` are what makes a part."""
    for row in world.quote(metric=metric):
        count = round(row["printed"]) if not part else 100 * (row["scope"] == part)
        for draw in range(3):
            for place in range(count):
                own = {
                    "workload": row["workload"],
                    "replication": draw,
                    "job": 100 * list(values).index(row["scope"]) + place,
                }
                world.row("behaviours", **own, **shared, **{column: values[row["scope"]]})


@scene
def computing(world: World, well: int) -> None:
    """Make a world in which so many pairs of 100 jobs go well together, each beside the next."""
    world.quote(metric="share_of_pairs")
    phases = [0.1] * (well + 1) + [0.45 if place % 2 == 0 else 0.3 for place in range(100 - well)]
    for workload, draw in product(LADDER, range(3)):
        for job, phase in enumerate(phases):
            world.row("behaviours", workload=workload, replication=draw, job=job, kind="cpu", cpu_phase=phase)


@scene
def complementary(world: World, part: int) -> None:
    """Make a world in which this part of 100 pairs are of jobs of different kinds."""
    for (workload, policy), draw in product(product(LADDER, VARIANTS), range(3)):
        of = {"workload": workload, "policy": policy, "replication": draw}
        world.rows("pair_kinds", "kinds pairs", ("cpu + disk", part + draw), ("cpu + cpu", 100 - part), **of)


@scene
def lasting(world: World, hours: float) -> None:
    """Make a world whose longest jobs run for so many hours."""
    for workload, draw, part in product(LADDER, range(3), (1, 0.5)):
        times = {"runtime_us": round(hours * part * 3600e6)}
        world.row("jobs", workload=workload, policy="pss", replication=draw, **times)


@scene
def first_of_a_queue(world: World, waiting: int) -> None:
    """Make a world in which a pair of 32 processors is formed on an empty machine, while so many jobs of 32 wait."""
    for policy in ("l-n", "l-fm", "l-r"):
        of = {"workload": "lomarc-w1", "policy": policy, "replication": 0}
        started = [(job, 0, 10, 20, 32) for job in (1, 2)]
        later = [(3 + job, 0, 20, 30, 32) for job in range(waiting)]
        world.rows("jobs", "job submit_us start_us finish_us size", *started, *later, **of)
        world.row("matches", **of, job=1, partner=2, among="waiting", begin_us=10)


@scene
def empty_for(world: World, part: float) -> None:
    """Make a world in which one job has half of the machine for this part of the time, and two jobs ask for more than all."""
    for policy, draw in product(("pss", "l-r"), range(3)):
        of = {"workload": "lomarc-w1", "policy": policy, "replication": draw}
        end = 1000 + draw
        world.rows("jobs", "job submit_us finish_us size", (1, 0, end, 64), (2, round(part * end), end, 65), **of)


@scene
def paging(world: World, slowdown: float) -> None:
    """Make a world in which two applications of 400 Mbyte are slowed so much, and two smaller ones as printed."""
    world.quote(lambda row: row | ({"value": slowdown} if row["scope"].startswith("400") else {}), metric="paging")


def types_exchanged(row: Quoted) -> Quoted:
    """Exchange integers and floating-point numbers in Table 1."""
    words = [{"int": "float", "float": "int"}.get(word[:-1], word[:-1]) + word[-1] for word in row["scope"].split(" ")]
    return row | {"scope": " ".join(words)} if row["metric"].startswith("table_1") else row


def faster_without_cache(row: Quoted) -> Quoted:
    """Let applications that do not use the cache slow nobody down."""
    return row | {"value": 0.9} if row["scope"].endswith(" 0") else row


TYPICAL = [("cpu", 0.7, 0.1, 0.2), ("network", 0.3, 0.5, 0.2), ("disk", 0.3, 0.2, 0.5), ("cpu", 0.6, 0.2, 0.2)]
"""Jobs of each kind within the paper's ranges: kind, and what they use."""
ANOTHER = [(kind, *used) for kind, (_, *used) in zip(("disk", "cpu", "network"), TYPICAL, strict=False)]
"""The same with kinds of which another resource is used for longer."""
FREE_TOGETHER = [("cpu", 1.0, 0.0, 0.0)] * 20 + [("network", 0.2, 0.8, 0.0), ("network", 0.0, 0.8, 0.2)] * 10
"""Jobs that share all their time at a small price, and jobs that share less of it at a greater one."""
TIMES_OF_CELLS = list(product(("runtime", "projected"), ("row", "column")))
KIND = {"cpu": "cpu", "network": "network", "disk": "disk"}
MEMORY = {"to 0.5": 400_000, "0.5 to 0.8": 600_000, "from 0.8": 900_000}

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
    "t5-classes-differ": (tables(at_most(1.1)), instead(1.7, "table_3_row")),
    "t5-disk-suffers": (tables(), tables(reversed_cells)),
    "t4-integers-share-better": (tables(), tables(types_exchanged)),
    "t4-cached-share-better": (tables(), tables(faster_without_cache)),
    "t4-typical-slowdowns": (instead(2, "table_1_mixed"), instead(1.7, "table_1_same", "table_1_mixed")),
    "t2-slowdown-is-run-time": (tables(), instead(30, *(f"table_2_{time}_{cell}" for time, cell in TIMES_OF_CELLS))),
    "t7-paging-depends-little": (paging(2.5), paging(40)),
    "t8-formula-is-conservative": (tables(at_most(1)), tables(lambda row: row | {"value": 3})),
    "f1-at-most-two": (behaving(), behaving(cpu=1.2)),
    "f2-lower-the-more-different": (behaving(), behaving(FREE_TOGETHER)),
    "w2-mixtures": (mixed("share_of_kind", "kind", KIND), mixed("share_of_kind", "kind", KIND, "disk")),
    "w3-ranges": (behaving(), behaving(cpu=0.1, network=0.01, disk=0.95, memory_kb=2_000_000)),
    "w4-the-kind-dominates": (behaving(), behaving(ANOTHER)),
    "w5-computing-goes-well": (computing(33), computing(80)),
    "w6-memory": (
        mixed("share_of_memory", "memory_kb", MEMORY),
        mixed("share_of_memory", "memory_kb", MEMORY, "from 0.8"),
    ),
    "w7-longest-run-time": (lasting(45), lasting(90)),
    "l42-complementary-pairs": (complementary(80), complementary(20)),
    "r6-not-under-weak-load": (first_of_a_queue(9), first_of_a_queue(0)),
    "l40-too-few-jobs": (empty_for(0.6), empty_for(0.05)),
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
    "w1-number-of-jobs": "~ 8000",
    "l31-half-on-hyperthreaded": "l-r < pss by 50",
    "l31-quarter-on-standard": "l-n < pss by 25",
    "l4-adjacent-better": "am < pss",
    "l5-adjacent-worse-than-lookahead": "l-fm, l-r < am",
    "l5-lookahead-more-under-load": "l-fm, l-r/am: lomarc-w3 < lomarc-w1",
    "l8-l-u1-as-l-r": "l-u1 ~ l-r",
    "l38-heuristics-close": "l-u*, l-fm ~ l-r",
    "l39-l-r-performs-best": "l-r < l-u*, l-fm, am",
    "l9-l-u2-worse": "l-u1 < l-u2",
    "l9-l-u2-worse-relative": "l-u1 < l-u2",
    "l10-l-r-better-than-l-u1": "l-r < l-u1",
    "l40-long-estimates-do-not-hurt": "l-r/pss: lomarc-w?-over < lomarc-w1, lomarc-w3",
    "l10-especially-for-w1": "l-r/l-u1: lomarc-w1 < lomarc-w3",
    "l13-first-match-worse-under-load": "l-r/l-fm: lomarc-w3 < lomarc-w1",
    "l13-first-match-little-worse": "l-fm < l-r",
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
