"""Small workloads full of ties for the policies of slices, with parameters on their time scale, by families."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from scheduler_core.declarations.policy import Policy, get_policy
from tests.oracles.job import Job
from tests.scheduler_core.examples import YES_NO, Case, Chooser, Parameters
from tests.scheduler_core.slices.features import EXERCISED, FEATURES
from tests.scheduler_core.slices.ways import WAYS
from tests.scheduler_core.subjects import Subject, with_defaults

SECOND = 1_000_000
HOUR = 3600
SHORT_BELOW, LONG_FROM = 4, 10
"""Limits of the classes, in ticks."""


def number_of(position: int) -> int:
    """Number a job: rising with its position, and not to be mistaken for it."""
    return 3 * position + 7


def draw_times(choose: Chooser, tick: int, kinds: Sequence[str]) -> tuple[int, int]:
    """Draw run time and estimate: the estimate makes the class, and is seldom too low."""
    kind = choose.one_of(kinds)
    lowest, highest = {"short": (1, 3), "medium": (4, 9), "long": (10, 25)}[kind]
    estimate = choose.integer(lowest, highest)
    runtime = choose.one_of((estimate, estimate, estimate, choose.integer(1, estimate), estimate + 2))
    return runtime * tick, estimate * tick


def draw_jobs(choose: Chooser, tick: int, processors: int, kinds: Sequence[str], counts: Sequence[int]) -> list[Job]:
    """Draw jobs; gaps, run times and estimates are a few ticks, so that ties abound."""
    widest = choose.one_of((processors, processors, max(1, processors // 2), processors + 1))
    gap = choose.one_of((0, 1, 3, 3, 8, 20))
    classed = choose.one_of((False, False, True))
    now = choose.one_of((0, 0, 5, 40, 6 * HOUR - 30, 20 * HOUR - 30, 44 * HOUR - 70)) * SECOND
    jobs = []
    for _ in range(choose.one_of(counts)):
        now += choose.one_of((0, choose.integer(0, gap), choose.integer(0, gap))) * tick
        runtime, estimate = draw_times(choose, tick, kinds)
        job_class = choose.one_of(("short", "medium", "long", None)) if classed else None
        size = choose.integer(1, widest)
        jobs.append(Job(number_of(len(jobs)), now, runtime, estimate, size, job_class=job_class))
        now += choose.one_of((0, 0, 0, 0, 0, 0, 0, 0, 0, 130 * SECOND))
    return jobs


def draw_interval(choose: Chooser, tick: int) -> Parameters:
    """Draw intervals, shares and limits of the classes."""
    second = tick / SECOND
    return {
        "interval_s": choose.one_of((20, 20, 25, 31.4159, 60)),
        "switch_s": choose.one_of((0, 0, 1, 1, 2, 3)),
        "short_slice_s": choose.one_of((3, 4, 5.5, 8)),
        "share_medium": choose.one_of((0.265, 0.25, 0.5, 0.6)),
        "share_long": choose.one_of((0.73, 0.5, 0.3)),
        "short_limit_s": SHORT_BELOW * second,
        "medium_limit_s": LONG_FROM * second,
    }


def draw_slices(choose: Chooser, tick: int) -> Parameters:
    """Draw slices by day and by night, and what is lent."""
    night = choose.one_of(({}, {}, {"night_share_medium": 0.75, "night_share_long": 0.2}))
    return {
        **draw_interval(choose, tick),
        "night_begins_h": choose.one_of((20, 5)),
        "night_ends_h": choose.one_of((6, 20)),
        "backfilling": choose.one_of(("conservative", "conservative", "easy")),
        "smart": choose.one_of((True, True, True, False)),
        "guard": choose.one_of((True, True, False)),
        **night,
    }


def draw_groups(choose: Chooser) -> Parameters:
    """Draw what makes groups, often and small."""
    values: Parameters = {}
    for kind in ("medium", "long"):
        least = choose.one_of((1, 2, 2, 2, 3))
        values |= {
            f"group_min_{kind}": least,
            f"group_max_{kind}": choose.one_of((least, 3, 4, 5, 6, 6)),
            f"group_size_factor_{kind}": choose.one_of((0, 0.25, 0.5, 1)),
            f"group_work_factor_{kind}": choose.one_of((0, 0.25, 0.5, 1)),
            f"group_run_s_{kind}": choose.one_of((0, 4, 6, 12)),
            f"long_wide_size_{kind}": choose.one_of((0, 0.25, 0.5)),
        }
    return values | {
        "dynamic": choose.one_of((True, True, True, False)),
        "long_wide_min": choose.one_of((1, 2, 3, 4)),
        "long_wide_max": choose.one_of((1, 2, 3, 4)),
        "bound_s": choose.one_of((1, 5, 5, 10, 20)),
        "finish_dip": choose.one_of((0, 0.05, 0.1, 0.3)),
        "finish_utilisation": choose.one_of((0.5, 0.7, 0.9, 1)),
        "finish_jobs": choose.one_of((0, 0.25, 0.5, 1)),
    }


def draw_search(choose: Chooser) -> Parameters:
    """Draw how orders of a group are searched."""
    return {
        "second_level": choose.one_of((True, True, True, True, True, False)),
        "orders": choose.one_of((1, 2, 3, 5, 10, 24, 50, 100, 200)),
        "discrepancies_from": choose.one_of((0, 1, 1, 2, 2, 3)),
        "paths": choose.one_of(("depth_first", "front_first", "dds", "ilds", "lds")),
        "branch_and_bound": choose.one_of((True, True, False)),
        "force_shift": choose.one_of((True, True, False)),
        "shift_ratio": choose.one_of((1.0, 1.5, 1.5, 2, 4)),
        "shift_cut": choose.one_of(YES_NO),
        "plan_backfilling": choose.one_of((True, True, False)),
        "select": choose.one_of(("tolerance", "literal", "slowdown")),
    }


def draw_other_backfilling(choose: Chooser, values: Parameters) -> Parameters:
    """Draw first fit in place of EASY; drawn last, so that it changes no other draw."""
    return values | ({"backfilling": choose.one_of(("easy", "first_fit"))} if values["backfilling"] == "easy" else {})


MIXED = ("short", "medium", "long")


def plain_family(choose: Chooser, tick: int, processors: int, counts: Sequence[int]) -> tuple[list[Job], Policy]:
    """SCOJO-PECT."""
    values = draw_slices(choose, tick)
    kinds = choose.one_of((MIXED, MIXED, MIXED, ("short",), ("medium", "long"), ("short", "long")))
    jobs = draw_jobs(choose, tick, processors, kinds, counts)
    return jobs, get_policy("pect", **draw_other_backfilling(choose, values))


def groups_family(choose: Chooser, tick: int, processors: int, counts: Sequence[int]) -> tuple[list[Job], Policy]:
    """Groups of jobs, their search, and jobs of other classes placed around them."""
    values = draw_slices(choose, tick) | draw_groups(choose) | draw_search(choose)
    kinds = choose.one_of((MIXED, ("medium", "medium", "short", "long"), ("long", "medium"), ("medium",)))
    jobs = draw_jobs(choose, tick, processors, kinds, counts)
    return jobs, get_policy("pect_o", **draw_other_backfilling(choose, values))


def draw_crowd(choose: Chooser, tick: int, processors: int) -> list[Job]:
    """Draw jobs of one class that come nearly at once while some run, and jobs of all classes that come after them.

    Where the class is stated, run times differ more than limits of classes would allow; then orders differ more, too.
    """
    kind = choose.one_of(("medium", "medium", "long"))
    stated = choose.one_of(YES_NO)
    widest = choose.one_of((processors, max(1, processors * 2 // 3), max(1, processors // 2)))
    narrowest = choose.one_of((1, 1, max(1, widest // 2)))
    now = choose.one_of((0, 0, 7, 20 * HOUR - 30)) * SECOND
    jobs = []
    for among in range(choose.integer(6, 14)):
        first = among < 8
        kinds = MIXED if stated or not first else (kind,)
        now += choose.one_of((0, 0, 1) if first else (0, 1, 2, 3, 7)) * tick
        runtime, estimate = draw_times(choose, tick, kinds)
        job_class = kind if stated and first else None
        size = choose.integer(narrowest, widest)
        jobs.append(Job(number_of(len(jobs)), now, runtime, estimate, size, job_class=job_class))
    return jobs


def crowds_family(choose: Chooser, tick: int, processors: int, counts: Sequence[int]) -> tuple[list[Job], Policy]:
    """Larger groups, with others that come while they are planned."""
    values = draw_slices(choose, tick) | draw_groups(choose) | draw_search(choose)
    for kind in ("medium", "long"):
        values[f"group_min_{kind}"] = choose.one_of((2, 3, 4))
        values[f"group_max_{kind}"] = choose.one_of((4, 5, 6, 7, 7))
        values[f"group_run_s_{kind}"] = choose.one_of((0, 4, 12))
    values["orders"] = choose.one_of((1, 7, 24, 50, 100, 200, 200))
    values["interval_s"] = choose.one_of((25, 31.4159, 60))
    values["long_wide_min"] = choose.one_of((2, 3, 4))
    values["finish_jobs"] = choose.one_of((0, 0.25, 0.5))
    return draw_crowd(choose, tick, processors), get_policy("pect_o", **values)


def search_family(choose: Chooser, tick: int, processors: int, counts: Sequence[int]) -> tuple[list[Job], Policy]:
    """Search at every event."""
    values = draw_slices(choose, tick) | {
        "backfilling": "conservative",
        "share_short": choose.one_of((0.005, 0.25, 1)),
        "queue_most": choose.one_of((1, 2, 3, 5, 30)),
        "tree_nodes": choose.one_of((1, 4, 10, 30, 100, 300)),
        "bound_s": choose.one_of((1, 5, 10, 600)),
    }
    kinds = choose.one_of((MIXED, MIXED, ("short",), ("medium", "long")))
    return draw_jobs(choose, tick, processors, kinds, counts), get_policy("bottom_line", **values)


FAMILIES: dict[str, Callable[[Chooser, int, int, Sequence[int]], tuple[list[Job], Policy]]] = {
    "plain": plain_family,
    "groups": groups_family,
    "crowds": crowds_family,
    "search": search_family,
}
"""Families of parameters that go together, by name."""


def enlarged(choose: Chooser, policy: Policy) -> Policy:
    """Give a policy groups and searches that go with more jobs, and orders that need not all be listed first."""
    if policy.name == "pect_o":
        sizes = {f"group_min_{kind}": choose.one_of((2, 5)) for kind in ("medium", "long")}
        sizes |= {f"group_max_{kind}": choose.one_of((8, 12, 16)) for kind in ("medium", "long")}
        paths = choose.one_of(("depth_first", "depth_first", "front_first", "dds"))
        return replace(policy, orders=choose.one_of((1, 10, 40)), paths=paths, **sizes)
    return replace(policy, tree_nodes=choose.one_of((10, 100))) if policy.name == "bottom_line" else policy


def draw_case(choose: Chooser, large: bool, family: str) -> Case:
    """Draw an example of a family: 1 to 14 jobs on 1 to 12 processors, or ``large``: 30 or 40 on some more than that."""
    processors = choose.one_of((63, 64, 65, 130) if large else (1, 2, 3, 4, 4, 5, 6, 8, 10, 12))
    tick = choose.one_of((SECOND, SECOND, SECOND, 500_000, 999_983, 1_234_567))
    small = (6, 8, 10, 12, 14, 14) if family == "groups" else (1, 2, 3, 4, 6, 8, 10, 12, 14)
    jobs, policy = FAMILIES[family](choose, tick, processors, (30, 40) if large else small)
    return Case(jobs, processors, enlarged(choose, policy) if large else policy)


TIMES = {"interval_s", "switch_s", "short_slice_s", "share_medium", "share_long", "short_limit_s", "medium_limit_s"}
LENT = {"smart", "guard"}
BY_CLASS = ("group_min", "group_max", "group_size_factor", "group_work_factor", "group_run_s", "long_wide_size")

DECIDES = {
    "plain": TIMES | LENT | {"backfilling", "night_share_medium", "night_begins_h", "night_ends_h"},
    "crowds": {
        *LENT,
        *(f"{name}_{kind}" for name in BY_CLASS for kind in ("medium", "long")),
        *("dynamic", "long_wide_min", "long_wide_max", "second_level", "orders"),
        *("discrepancies_from", "paths", "branch_and_bound", "force_shift", "shift_ratio", "shift_cut"),
        *("plan_backfilling", "select", "bound_s", "finish_dip", "finish_utilisation", "finish_jobs", "backfilling"),
    },
    "search": {"share_short", "queue_most", "tree_nodes", "bound_s"} | LENT,
}
"""Parameters that must decide some schedule of a family's examples."""

OTHERS: dict[str, dict[str, Any]] = {
    "interval_s": {"interval_s": 100.0},
    "switch_s": {"switch_s": 0.5},
    "short_slice_s": {"short_slice_s": 2.0},
    "short_limit_s": {"short_limit_s": 2.0},
    "night_share_medium": {"night_share_medium": "same", "night_share_long": "same"},
    "group_min_medium": {"group_min_medium": 4},
    "group_min_long": {"group_min_long": 4},
    "bound_s": {"bound_s": 30.0},
    "paths": {"paths": "front_first"},
}
"""Values to compare with where the default does not go with the rest, or is the only one drawn often."""


def subject(family: str) -> Subject:
    """Return what is drawn for a family of parameters."""
    shown = {name: FEATURES[name] for name in EXERCISED[family]}
    decides = with_defaults(DECIDES.get(family, ()), OTHERS)
    return Subject(
        WAYS,
        functools.partial(draw_case, family=family),
        shown,
        decides,
        seeds=600 if family == "crowds" else 300,  # a request that is not served is rare
        large_seeds=0 if family == "crowds" else 8,
    )


SUBJECTS = {family: subject(family) for family in FAMILIES}
"""Families of parameters that go together, by name."""
