"""Worlds of the claims on LOMARC: a few replications each, with numbers from the paper where it prints any."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence

from tests.paths import STUDIES
from tests.reports.ledger.world import Scene, World

LADDER = ("lomarc-w1", "lomarc-w2", "lomarc-w3")
MIXTURES = ("lomarc-w1", "lomarc-w1-m2", "lomarc-w1-m3")
RESPONSE, RELATIVE, MAKESPAN = "mean_response", "mean_relative_response", "makespan"
UTILISATION, EFFICIENCY = "utilisation", "utilisation_efficiency"
TIMES = (RESPONSE, RELATIVE)
WEEK = 7 * 86400
SPREADS = ((0.999, 1.0, 1.001), (1.0, 0.9995, 1.0005), (1.0005, 1.0, 0.9995))
"""What the replications of neighbouring policies are of their mean, so that what is compared has a spread."""

HYPERTHREADED = ("l-fm", "l-u1", "l-u2", "l-r")
VARIANTS = ("l-n", *HYPERTHREADED)
ALL = ("pss", "ac", "am", *VARIANTS)

PRINTED = STUDIES / "lomarc" / "printed.csv"


def printed_rows(*starts: str) -> list[dict[str, str]]:
    """Read the numbers that the paper prints, of metrics whose names begin so."""
    with PRINTED.open(encoding="utf-8") as text:
        return [row for row in csv.DictReader(text) if row["metric"].startswith(starts)]


def quote(world: World, row: Mapping[str, str], number: str | None = None) -> None:
    """Put a printed number into the world, or another in its place."""
    text = number or row["printed"]
    scale = 0.01 if row["unit"] == "%" else 1.0
    world.row(
        "printed_values", source=row["source"], place=row["place"], metric=row["metric"], scope=row["scope"],
        workload=row["workload"] or None, policy=row["policy"] or None, value=float(text) * scale, printed=float(text),
        printed_digits=len(text.partition(".")[2]), printed_unit=row["unit"], printed_scale=scale, printed_draws=1,
    )  # fmt: skip


def means(workload: str, metrics: Sequence[str], policies: Mapping[str, float]) -> Scene:
    """Make a world in which strategies have these means under a workload; names are written with ``_``."""

    def scene(world: World) -> None:
        for metric in metrics:
            for place, (name, mean) in enumerate(policies.items()):
                draws = [mean * part for part in SPREADS[place % len(SPREADS)]]
                world.metric(workload, name.replace("_", "-"), metric, draws)

    return scene


def together(*scenes: Scene) -> Scene:
    """Make one world of several."""

    def scene(world: World) -> None:
        for part in scenes:
            part(world)

    return scene


def everywhere(
    policies: Mapping[str, float], metrics: Sequence[str] = TIMES, workloads: Sequence[str] = LADDER
) -> Scene:
    """Make a world in which strategies have the same means under all workloads."""
    return together(*(means(workload, metrics, policies) for workload in workloads))


def each(metrics: Sequence[str], *by_workload: Mapping[str, float], workloads: Sequence[str] = LADDER) -> Scene:
    """Make a world with other means under each workload."""
    return together(*(means(w, metrics, own) for w, own in zip(workloads, by_workload, strict=True)))


def lomarc(mean: float, **others: float) -> dict[str, float]:
    """Return one mean for all variants of LOMARC, with others beside them or in their place."""
    return {name.replace("-", "_"): mean for name in VARIANTS} | others


def every(mean: float, **others: float) -> dict[str, float]:
    """Return one mean for all strategies, but for those named."""
    return {name.replace("-", "_"): mean for name in ALL} | others


def saved(
    metric: str, *policies: str, part: float = 1, versus: str = "pss", workloads: Sequence[str] = LADDER
) -> Scene:
    """Make a world in which strategies improve on another by so many times what is printed."""

    def scene(world: World) -> None:
        way = 1 if metric == EFFICIENCY else -1
        for workload in workloads:
            own = {versus: 1.0}
            for row in printed_rows(f"improvement_{metric}"):
                if (row["workload"], row["scope"]) == (workload, f"over {versus}") and row["policy"] in policies:
                    quote(world, row)
                    own[row["policy"]] = 1 + way * part * float(row["printed"]) / 100
            means(workload, [metric], own)(world)

    return scene


def behind(part: float) -> Scene:
    """Make a world in which L-FM is behind L-R by so many times what is printed."""

    def scene(world: World) -> None:
        for row in printed_rows("excess_"):
            quote(world, row)
            metric = row["metric"].removeprefix("excess_")
            late = 1 + part * float(row["printed"]) / 100
            means(row["workload"], [metric], {"l-r": 1.0, "l-fm": late})(world)

    return scene


def chained(part: float, **instead: float) -> Scene:
    """Make a world in which the filters leave so many times what Table 5 prints, those named (by metric) another part."""

    def scene(world: World) -> None:
        for place, row in enumerate(printed_rows("mean_")):
            quote(world, row)
            mean = float(row["printed"]) * instead.get(row["metric"], part)
            draws = [mean * near for near in SPREADS[place % 3]]
            world.metric(row["workload"], row["policy"], row["metric"], draws)

    return scene


def ranks(l_u1: float, l_r: float) -> Scene:
    """Make a world in which the two choose these candidates under W3."""
    return means("lomarc-w3", ["mean_rank"], {"l-u1": l_u1, "l-r": l_r})


def loaded(part: float) -> Scene:
    """Make a world whose workloads have so many times the printed loads."""

    def scene(world: World) -> None:
        for row in printed_rows("load"):
            quote(world, row)
            for replication, near in enumerate(SPREADS[0]):
                # 64 processors' work of 128 in a gap of 1 s is a load of a half
                runtime_us = round(float(row["printed"]) * part * near * 128 / 64 * 1e6)
                for job in range(3):
                    world.row(
                        "jobs", workload=row["workload"], policy="pss", replication=replication, job=job,
                        submit_us=job * 10**6, runtime_us=runtime_us, size=64,
                    )  # fmt: skip

    return scene


def matched(estimate_s: int, slowdown_ppm: int) -> Scene:
    """Make a world with one pair per strategy: an hour's job, one of this estimate, and this slowdown."""

    def scene(world: World) -> None:
        for policy in ("am", *VARIANTS):
            shared = {"workload": "lomarc-w1", "policy": policy, "replication": 0}
            for job, estimate in ((1, 3600), (2, estimate_s)):
                world.row("jobs", **shared, job=job, estimate_us=estimate * 10**6)
            world.row("matches", **shared, job=1, partner=2, among="waiting", slowdown_ppm=slowdown_ppm)

    return scene


def paired(*pairs: int) -> Scene:
    """Make a world in which L-N forms so many pairs of 1,000 jobs under M1, M2 and M3."""

    def scene(world: World) -> None:
        for workload, count in zip(MIXTURES, pairs, strict=True):
            for replication in range(3):
                world.row("runs", workload=workload, policy="l-n", replication=replication, jobs=1000)
            world.metric(workload, "l-n", "pairs", [count - 1.0, count + 0.0, count + 1.0])

    return scene


def tables(**instead: str) -> Scene:
    """Make a world that holds Tables 1 to 3, with other numbers for those named: ``metric: number`` for all of a metric."""

    def scene(world: World) -> None:
        world.policy("l-r", parameters={"slowdown": "unshared_counted"})
        for row in printed_rows("table_"):
            quote(world, row, instead.get(row["metric"]))

    return scene


def below_two(world: World) -> None:
    """No table has a slowdown above 2."""
    for row in printed_rows("table_"):
        quote(world, row, f"{min(2.0, float(row['printed']))}")


def above_two(world: World) -> None:
    """Every table has a slowdown above 2."""
    for row in printed_rows("table_1", "table_2_row", "table_3"):
        quote(world, row, "2.6")


def float_is_best(world: World) -> None:
    """Adding floating-point numbers is slowed least."""
    for row in printed_rows("table_1_same"):
        quote(world, row, "0.9" if row["scope"] == "float+ 0" else None)


def reversed_cells(world: World) -> None:
    """Tables 2 and 3 with row and column exchanged."""
    other = {"_row": "_column", "_column": "_row"}
    for row in printed_rows("table_2", "table_3"):
        ending = next((end for end in other if row["metric"].endswith(end)), "")
        quote(world, {**row, "metric": row["metric"].removesuffix(ending) + other.get(ending, "")})


GROWS = tuple(dict(lomarc(1 - part), pss=1.0) for part in (0.2, 0.3, 0.5))
SHRINKS = tuple(reversed(GROWS))
RISES = tuple(dict(lomarc(1 + part), pss=1.0) for part in (0.1, 0.2, 0.4))
FALLS = tuple(reversed(RISES))

WORLDS: dict[str, tuple[Scene, Scene]] = {
    "l1-hyperthreaded-variants-better": (
        everywhere(lomarc(5, pss=10, ac=16, am=8)),
        everywhere(lomarc(12, pss=10, ac=11, am=8)),
    ),
    "l2-standard-processors-better": (
        everywhere({"l_n": 7, "pss": 10, "ac": 16, "am": 8}),
        everywhere({"l_n": 17, "pss": 10, "ac": 16, "am": 8}),
    ),
    "l3-always-coscheduling-worse": (everywhere({"ac": 16, "pss": 10}), everywhere({"ac": 6, "pss": 10})),
    "l4-adjacent-better": (everywhere({"am": 8, "pss": 10}), everywhere({"am": 11, "pss": 10})),
    "l5-adjacent-worse-than-lookahead": (
        everywhere({"am": 8, "l_r": 5, "l_fm": 6}),
        everywhere({"am": 4, "l_r": 5, "l_fm": 6}),
    ),
    "l5-lookahead-more-under-load": (
        each(TIMES, {"am": 8, "l_r": 7, "l_fm": 7}, {"am": 8}, {"am": 8, "l_r": 3, "l_fm": 4}),
        each(TIMES, {"am": 8, "l_r": 3, "l_fm": 4}, {"am": 8}, {"am": 8, "l_r": 7, "l_fm": 7}),
    ),
    "l32-more-under-load": (
        together(each(TIMES, *GROWS), each([EFFICIENCY], *RISES)),
        together(each(TIMES, *SHRINKS), each([EFFICIENCY], *FALLS)),
    ),
    "l6-response-of-l-r": (everywhere({"l_r": 5, "pss": 10}), everywhere({"l_r": 11, "pss": 10})),
    "l6-response-of-l-r-grows": (each(TIMES, *GROWS), each(TIMES, *SHRINKS)),
    "l6-response-of-l-r-magnitude": (saved(RESPONSE, "l-r"), saved(RESPONSE, "l-r", part=0.5)),
    "l7-relative-response-of-l-r-grows": (each(TIMES, *GROWS), each(TIMES, *SHRINKS)),
    "l7-relative-response-of-l-r-magnitude": (saved(RELATIVE, "l-r"), saved(RELATIVE, "l-r", part=0.5)),
    "l8-l-u1-as-l-r": (everywhere({"l_u1": 5.1, "l_r": 5}), everywhere({"l_u1": 6, "l_r": 5})),
    "l9-l-u2-worse": (everywhere({"l_u1": 5, "l_u2": 5.3}), everywhere({"l_u1": 5.3, "l_u2": 5})),
    "l9-l-u2-worse-relative": (everywhere({"l_u1": 5, "l_u2": 5.3}), everywhere({"l_u1": 5.3, "l_u2": 5})),
    "l10-l-r-better-than-l-u1": (everywhere({"l_u1": 6, "l_r": 5}), everywhere({"l_u1": 5, "l_r": 6})),
    "l10-especially-for-w1": (
        each(TIMES, {"l_u1": 10, "l_r": 8}, {"l_u1": 10}, {"l_u1": 10, "l_r": 9}),
        each(TIMES, {"l_u1": 10, "l_r": 9}, {"l_u1": 10}, {"l_u1": 10, "l_r": 8}),
    ),
    "l10-l-r-better-than-l-u1-magnitude": (
        saved(RELATIVE, "l-r", versus="l-u1"),
        saved(RELATIVE, "l-r", part=0.4, versus="l-u1"),
    ),
    "l11-response-of-l-fm-magnitude": (saved(RESPONSE, "l-fm"), saved(RESPONSE, "l-fm", part=1.4)),
    "l12-relative-response-of-l-fm-magnitude": (saved(RELATIVE, "l-fm"), saved(RELATIVE, "l-fm", part=1.4)),
    "l37-more-pronounced": (
        together(
            everywhere({"l_r": 8, "l_u1": 8.5, "l_u2": 9, "l_fm": 9.5}, [RESPONSE]),
            everywhere({"l_r": 5, "l_u1": 6.5, "l_u2": 8, "l_fm": 9.5}, [RELATIVE]),
        ),
        together(
            everywhere({"l_r": 5, "l_u1": 6.5, "l_u2": 8, "l_fm": 9.5}, [RESPONSE]),
            everywhere({"l_r": 8, "l_u1": 8.5, "l_u2": 9, "l_fm": 9.5}, [RELATIVE]),
        ),
    ),
    "l13-first-match-worse-under-load": (
        each(TIMES, {"l_fm": 10, "l_r": 9}, {"l_fm": 10}, {"l_fm": 10, "l_r": 7}),
        each(TIMES, {"l_fm": 10, "l_r": 7}, {"l_fm": 10}, {"l_fm": 10, "l_r": 9}),
    ),
    "l13-first-match-worse": (everywhere({"l_fm": 6, "l_r": 5}), everywhere({"l_fm": 5, "l_r": 6})),
    "l13-first-match-worse-magnitude": (behind(1), behind(3)),
    "l14-response-of-l-n": (everywhere({"l_n": 7.5, "pss": 10}), everywhere({"l_n": 11, "pss": 10})),
    "l14-response-of-l-n-magnitude": (saved(RESPONSE, "l-n"), saved(RESPONSE, "l-n", part=1.5)),
    "l15-relative-response-of-l-n-magnitude": (saved(RELATIVE, "l-n"), saved(RELATIVE, "l-n", part=2)),
    "l16-standard-below-hyperthreaded": (everywhere(lomarc(5, l_n=7.5)), everywhere(lomarc(7.5, l_n=5))),
    "l31-half-on-hyperthreaded": (everywhere({"l_r": 5, "pss": 10}), everywhere({"l_r": 8, "pss": 10})),
    "l31-quarter-on-standard": (everywhere({"l_n": 7.5, "pss": 10}), everywhere({"l_n": 4, "pss": 10})),
    "l33-journal": (everywhere({"l_r": 6, "pss": 10}), everywhere({"l_r": 3, "pss": 10})),
    "l34-loads": (loaded(1), loaded(0.1)),
    "l17-makespan-of-w1": (
        everywhere({"pss": 10.1 * WEEK, "l_r": 9.8 * WEEK}, [MAKESPAN]),
        everywhere({"pss": 13 * WEEK, "l_r": 12 * WEEK}, [MAKESPAN]),
    ),
    "l18-makespan-shorter": (
        everywhere({"pss": 10, "l_r": 9}, [MAKESPAN]),
        everywhere({"pss": 9, "l_r": 10}, [MAKESPAN]),
    ),
    "l18-makespan-shorter-under-load": (each([MAKESPAN], *GROWS), each([MAKESPAN], *SHRINKS)),
    "l18-makespan-shorter-magnitude": (saved(MAKESPAN, "l-r"), saved(MAKESPAN, "l-r", part=0.5)),
    "l23-utilisation-same": (
        everywhere(every(0.9, pss=0.91), [UTILISATION]),
        everywhere(every(0.7, pss=0.91), [UTILISATION]),
    ),
    "l23-utilisation-rises": (
        each([UTILISATION], every(0.7), every(0.8), every(0.9)),
        each([UTILISATION], every(0.9), every(0.8), every(0.7)),
    ),
    "l20-efficiency-higher": (
        everywhere(lomarc(0.9, pss=0.8), [EFFICIENCY]),
        everywhere(lomarc(0.7, pss=0.8), [EFFICIENCY]),
    ),
    "l20-efficiency-higher-under-load": (each([EFFICIENCY], *RISES), each([EFFICIENCY], *FALLS)),
    "l20-efficiency-higher-magnitude": (
        saved(EFFICIENCY, "l-u1", "l-u2", "l-r"),
        saved(EFFICIENCY, "l-u1", "l-u2", "l-r", part=0.3),
    ),
    "l19-efficiencies-same": (
        everywhere(lomarc(0.9, l_r=0.91), [EFFICIENCY]),
        everywhere(lomarc(0.8, l_r=0.91), [EFFICIENCY]),
    ),
    "l21-efficiency-of-l-fm": (
        everywhere({"l_fm": 0.8, "l_r": 0.9}, [EFFICIENCY]),
        everywhere({"l_fm": 0.9, "l_r": 0.8}, [EFFICIENCY]),
    ),
    "l21-efficiency-of-l-fm-magnitude": (saved(EFFICIENCY, "l-fm"), saved(EFFICIENCY, "l-fm", part=0.3)),
    "l22-efficiency-of-l-n": (
        everywhere({"l_fm": 0.9, "l_n": 0.85, "pss": 0.8}, [EFFICIENCY]),
        everywhere({"l_fm": 0.7, "l_n": 0.75, "pss": 0.8}, [EFFICIENCY]),
    ),
    "l22-efficiency-of-l-n-magnitude": (saved(EFFICIENCY, "l-n"), saved(EFFICIENCY, "l-n", part=3)),
    "l35-rules-of-matching": (matched(3600, 1_600_000), matched(60, 1_600_001)),
    "l27-chain-of-l-u1": (chained(1), chained(2)),
    "l27-chain-of-l-u2": (chained(1), chained(2)),
    "l27-chain-of-l-r": (chained(1), chained(2)),
    "l36-candidates-per-fit": (chained(1), chained(1, mean_slowdown_fits=0.5)),
    "l28-candidates-under-w1": (chained(1), chained(2)),
    "l29-third-candidate": (chained(1), chained(2)),
    "l29-fourth-candidate": (chained(1), chained(2)),
    "l30-l-r-reaches-less-far": (ranks(6, 4), ranks(4, 6)),
    "l30-l-r-reaches-less-far-magnitude": (chained(1), chained(2)),
    "l24-l-n-under-m2": (
        everywhere({"l_n": 6.5, "pss": 10}, workloads=MIXTURES),
        everywhere({"l_n": 11, "pss": 10}, workloads=MIXTURES),
    ),
    "l24-l-n-under-m2-magnitude": (
        together(saved(RESPONSE, "l-n", workloads=MIXTURES), saved(RELATIVE, "l-n", workloads=MIXTURES)),
        together(
            saved(RESPONSE, "l-n", part=2, workloads=MIXTURES), saved(RELATIVE, "l-n", part=2, workloads=MIXTURES)
        ),
    ),
    "l25-order-of-mixtures": (
        each(TIMES, *({"pss": 10, "l_n": mean} for mean in (7, 6, 8)), workloads=MIXTURES),
        each(TIMES, *({"pss": 10, "l_n": mean} for mean in (7, 8, 6)), workloads=MIXTURES),
    ),
    "l25-pairs-of-cpu-and-disk": (paired(200, 300, 100), paired(200, 100, 300)),
    "l26-mixtures-similar": (
        everywhere(every(5, pss=10, ac=16), workloads=MIXTURES),
        each(TIMES, *(every(mean, pss=10, ac=16) for mean in (5, 8, 1)), workloads=MIXTURES),
    ),
    "t1-below-the-estimate": (tables(), tables(table_2_row="2.2")),
    "t2-formula-of-the-estimates": (tables(), tables(table_2_estimate="3", table_2_estimate_free="3")),
    "t3-finer-suffers": (tables(), reversed_cells),
    "t4-adding-floats-is-worst": (tables(), float_is_best),
    "t5-classes-differ": (tables(), tables(table_3_row="1.7")),
    "t5-disk-suffers": (tables(), reversed_cells),
    "t6-no-more-than-two": (below_two, above_two),
}
"""The world in which a claim is true, and the one in which it is false."""
