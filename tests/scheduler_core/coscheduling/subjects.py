"""Small workloads full of ties for coscheduling, with parameters on their time scale, by families of parameters."""

import functools
from collections.abc import Callable, Sequence

from scheduler_core.declarations.policy import get_policy, policies
from tests.oracles.job import Behaviour, Job
from tests.scheduler_core.coscheduling import share_features
from tests.scheduler_core.coscheduling.features import EXERCISED, FEATURES
from tests.scheduler_core.coscheduling.share_draws import APPLICATIONS, SHARE_FAMILIES, draw_share_case, drawn_table
from tests.scheduler_core.coscheduling.ways import WAYS
from tests.scheduler_core.examples import YES_NO, Case, Chooser, Parameters, SeededChooser, drawn_numbers, seconds
from tests.scheduler_core.subjects import Subject, with_defaults

KINDS = ("cpu", "network", "disk")
TWENTIETHS = {
    "cpu": ((12, 5, 3), (13, 4, 3), (10, 2, 8), (20, 0, 0), (17, 2, 1)),
    "network": ((6, 10, 4), (8, 12, 0), (4, 9, 7), (0, 20, 0), (9, 8, 3)),
    "disk": ((6, 4, 10), (5, 7, 8), (0, 0, 20), (8, 1, 11), (9, 3, 8)),
}
"""Time on CPU, network and disk of jobs in which each dominates; in some the CPU has more than what dominates by name."""
PHASES = (0.0, 0.1, 0.165, 0.25, 0.33, 0.5, 0.67, 0.83, 0.9, 0.999)
SLOWDOWNS = (0.9, 1.0, 1.1, 1.25, 1.3333333, 1.6, 1.9)


def draw_behaviour(choose: Chooser, plain: bool) -> Behaviour:
    """Draw what a job does with its time, in twentieths; unless it is plain, some of it on two resources at once."""
    kind = choose.one_of(KINDS)
    cpu, network, disk = choose.one_of(TWENTIETHS[kind])
    overlapped = [0, 0, 0]
    if not plain and choose.one_of((False, False, True)):
        place, both = choose.one_of(((0, min(cpu, network)), (1, min(cpu, disk)), (2, min(network, disk))))
        overlapped[place] = 2 * both
        cpu, network, disk = (own - both * (place != left) for own, left in ((cpu, 2), (network, 1), (disk, 0)))
    fractions = [number / 20 for number in (cpu, network, disk, *overlapped)]
    phases = (choose.one_of(PHASES), choose.one_of(PHASES))
    return Behaviour(kind, *fractions, *phases, application=choose.integer(0, APPLICATIONS - 1))


def draw_jobs(choose: Chooser, tick: int, machine: tuple[int, int], counts: Sequence[int], crowd: bool) -> list[Job]:
    """Draw jobs; gaps, run times and estimates are a few ticks, so that ties abound; a crowd comes almost at once."""
    processors, memory = machine
    longest, gap = choose.one_of(((10, 1), (20, 1), (20, 2), (30, 0)) if crowd else ((5, 1), (12, 2), (30, 4), (30, 2)))
    widest = choose.one_of((processors, max(1, processors // 2), max(1, processors * 2 // 3), processors + 1))
    exact, plain = choose.one_of(YES_NO), choose.one_of((True, False, False))
    jobs, now = [], choose.integer(0, 3) * tick
    for number in drawn_numbers(choose, choose.one_of(counts)):
        now += choose.integer(0, gap) * tick
        size = choose.integer(1, widest)
        runtime = choose.integer(1, longest) * tick
        estimate = runtime if exact else choose.one_of((runtime, choose.integer(1, longest + 5) * tick))
        held = choose.one_of((None, 0, 1, memory // 3, memory // 2, memory // 2, memory * 2 // 3)) if memory else None
        jobs.append(Job(number, now, runtime, estimate, size, memory=held, behaviour=draw_behaviour(choose, plain)))
    return sorted(jobs, key=lambda job: job.position)


def draw_blocked(choose: Chooser, tick: int, processors: int) -> list[Job]:
    """Draw a wide job that runs, one that waits for it with a reservation, and small jobs that may come before that."""
    length = choose.integer(8, 30)
    head = choose.integer(max(1, processors * 2 // 3), processors)
    asked_for = [(length, choose.integer(max(1, processors // 3), processors)), (choose.integer(1, 20), head)]
    small = max(1, processors // 3)
    asked_for += [(choose.integer(1, 20), choose.integer(1, small)) for _ in range(choose.integer(3, 10))]
    plain, now, jobs = choose.one_of(YES_NO), 0, []
    for number, (time, size) in enumerate(asked_for, start=1):
        now += choose.one_of((0, 0, 0, 1)) * tick
        estimate = time + choose.one_of((0, 0, 0, 3))
        behaviour = draw_behaviour(choose, plain)
        jobs.append(Job(number, now, time * tick, estimate * tick, size, behaviour=behaviour))
    return jobs


def draw_classes(choose: Chooser, tick: int) -> Parameters:
    """Draw limits of classes, mostly such that few jobs are short, and aging."""
    short = choose.one_of((0, 0, 1, 2, 5))
    return {
        "short_limit_s": seconds(short, tick),
        "medium_limit_s": seconds(short + choose.integer(0, 10), tick),
        "aging": choose.one_of(("running_mean", "fixed", "off")),
        "aging_min_s": max(1.0, seconds(choose.integer(1, 10), tick)),
        "aging_fixed_s": max(1.0, seconds(choose.integer(1, 10), tick)),
    }


def draw_slowdown(choose: Chooser) -> Parameters:
    """Draw what a pair's slowdown is."""
    return {
        "cpu": choose.one_of(("hyperthreading", "hyperthreading", "hyperthreading", "standard")),
        "slowdown": choose.one_of(("printed", "printed", "printed_raw", "unshared_counted", "table")),
        "memory_conflict": choose.one_of(("additive", "replace", "excess")),
        "max_slowdown": choose.one_of((1.6, 1.6, 1.2, 2.0, 4.0)),
        "network_limit": choose.one_of(("off", "off", 0.5, 0.7)),
        "shared_compatible": choose.one_of((1.4, 1.4, 1.0, 1.7)),
        "compatible_share": choose.one_of((0.33, 0.33, 0.5, 1.0, 0.0)),
    }


def draw_search(choose: Chooser) -> Parameters:
    """Draw where partners are searched, and when."""
    return {
        "weak_load": choose.one_of((0.8, 0.0, 0.0, 1.0, 2.5)),
        "match_running": choose.one_of((True, True, False)),
        "match_backfilling": choose.one_of((True, True, False)),
        "beyond_shadow": choose.one_of(("counts", "as_printed")),
        "forbidden_partner": choose.one_of(("replaced", "dropped")),
    }


def draw_profit(choose: Chooser) -> Parameters:
    """Draw by what partners are chosen."""
    return {
        "match": choose.one_of(("best", "best", "best_of_three", "above", "first")),
        "profit": choose.one_of(("response", "utilisation_1", "utilisation_2")),
        "profit_above": choose.one_of((0.2, 0.0, 0.05, 0.5)),
        "first_needs_gain": choose.one_of(YES_NO),
        "improvement": choose.one_of(("saved", "saved", "as_printed")),
        "divisor": choose.one_of(("sum", "sum", "difference")),
        "future": choose.one_of(("average", "none", "classes", "cumulative")),
        "backlog": choose.one_of(("behind", "all")),
    }


def draw_error(choose: Chooser) -> Parameters:
    """Draw by how much the scheduler errs, and whether it gives up pairs."""
    return {
        "model_error": choose.one_of((0.0, 0.1, 0.5, 1.0)),
        "error_side": choose.one_of(("both", "slower")),
        "preempt_above": choose.one_of(("off", 1.0, 1.2, 1.5)),
    }


def filters_family(choose: Chooser, tick: int) -> Parameters:
    """Who may be the partner of whom, and how the two get on."""
    how = {"match": choose.one_of(("best", "first", "adjacent", "always")), "profit": "utilisation_2"}
    return draw_classes(choose, tick) | draw_slowdown(choose) | draw_search(choose) | how


def profit_family(choose: Chooser, tick: int) -> Parameters:
    """Who is taken of those who may be."""
    return draw_classes(choose, tick) | draw_search(choose) | draw_profit(choose) | {"compatible_share": 1.0}


def reservation_family(choose: Chooser, tick: int) -> Parameters:
    """Pairs in backfilling."""
    values = draw_classes(choose, tick) | draw_search(choose) | draw_profit(choose)
    return values | {
        "weak_load": choose.one_of((0.0, 0.0, 0.8)),
        "match": choose.one_of(("best", "first", "best_of_three", "above", "adjacent", "always")),
        "profit": choose.one_of(("utilisation_1", "utilisation_2", "response")),
        "profit_above": choose.one_of((0.0, 0.2)),
        "match_backfilling": choose.one_of((True, True, True, False)),
        "shared_compatible": 1.0,
        "compatible_share": 1.0,
        "max_slowdown": choose.one_of((1.6, 2.0)),
    }


def error_family(choose: Chooser, tick: int) -> Parameters:
    """Pairs that are slowed down by other numbers than believed, and pairs that are broken up."""
    slowdown = draw_slowdown(choose) | {"max_slowdown": choose.one_of((1.6, 2.0))}
    return draw_classes(choose, tick) | slowdown | draw_profit(choose) | draw_search(choose) | draw_error(choose)


def preset_family(choose: Chooser, tick: int) -> Parameters:
    """The strategies known by a name, on the time scale of the jobs."""
    presets = policies()["lomarc"].presets
    _, values = presets[choose.one_of(sorted(presets))]
    return draw_classes(choose, tick) | values


def future_family(choose: Chooser, tick: int) -> Parameters:
    """Forecasts from the jobs submitted so far, of which there must be a hundred."""
    profit = {"match": choose.one_of(("best", "above")), "profit": "response"}
    values = draw_classes(choose, tick) | draw_search(choose) | draw_profit(choose) | profit
    return values | {"future_from": choose.one_of(("so_far", "so_far", "workload")), "compatible_share": 1.0}


FAMILIES: dict[str, Callable[[Chooser, int], Parameters]] = {
    "filters": filters_family,
    "profit": profit_family,
    "reservation": reservation_family,
    "error": error_family,
    "presets": preset_family,
    "future": future_family,
}
"""Families of parameters that go together, by name."""


def draw_case(choose: Chooser, large: bool, family: str) -> Case:
    """Draw an example of a family: 1 to 14 jobs on 1 to 16 processors, or ``large``: 30 or 60 on some more than that.

    Some examples of forecasts have more than a hundred jobs; they are drawn by one number.
    """
    counts: Sequence[int] = (30, 60) if large else (1, 2, 3, 4, 6, 8, 10, 12, 14, 14)
    processors = choose.one_of((63, 64, 65, 130) if large else (1, 2, 3, 4, 4, 6, 8, 8, 10, 16))
    if family == "future":
        choose, counts = SeededChooser(choose.integer(0, 10**9)), (8, 12, 16, 20, 24, 30, 102)
        processors = choose.one_of((8, 10, 16))
    memory = choose.one_of((0, 2, 6, 12)) if family in ("filters", "presets") else 0
    tick = choose.one_of((1, 7, 1_000, 1_000_000, 1_000_000, 999_983, 3_599_999_983))
    crowd = family in ("reservation", "profit")
    if family == "reservation" and choose.one_of((True, True, False)):
        jobs = draw_blocked(choose, tick, processors)
    else:
        jobs = draw_jobs(choose, tick, (processors, memory), counts, crowd)
    policy = get_policy("lomarc", **FAMILIES[family](choose, tick))
    table = drawn_table(choose, SLOWDOWNS) if policy.slowdown == "table" else {}
    return Case(jobs, processors, policy, memory, table)


CLASSES = {"short_limit_s", "medium_limit_s", "aging", "aging_min_s", "aging_fixed_s"}
SEARCHED = {"weak_load", "match_running", "match_backfilling"}
DECIDES = {
    "filters": CLASSES
    | SEARCHED
    | {"match", "cpu", "slowdown", "memory_conflict", "max_slowdown", "network_limit"}
    | {"shared_compatible", "compatible_share"},
    "profit": SEARCHED | {"match", "profit", "profit_above", "first_needs_gain", "improvement", "divisor", "future"},
    "reservation": SEARCHED | {"beyond_shadow", "forbidden_partner", "match"},
    "error": {"model_error", "error_side", "preempt_above"},
    "future": {"future_from", "future", "backlog"},
}
"""Parameters that must decide some schedule of a family's examples."""

OTHERS = {
    "short_limit_s": {"short_limit_s": 0.0},
    "aging": {"aging": "off"},
    "future": {"future": "none"},
    "future_from": lambda word: "workload" if word == "so_far" else "so_far",
    "preempt_above": lambda most: "off" if most != "off" else 1.0,
}
"""Values to compare with where the default does not go with the rest, or is drawn often."""


def subject(family: str) -> Subject:
    """Return what is drawn for a family of parameters."""
    shown = {name: FEATURES[name] for name in EXERCISED[family]}
    decides = with_defaults(DECIDES.get(family, ()), OTHERS)
    few = family == "future"
    draw = functools.partial(draw_case, family=family)
    return Subject(WAYS, draw, shown, decides, seeds=80 if few else 400, large_seeds=2 if few else 8)


SHARED = {
    "order",
    "at_once",
    "backfilling",
    "assignment",
    "accounting",
    "reclaim",
    "slowdown_of_two",
    "slowdown_of_three",
}
SHARES_DECIDE = {
    "shares": SHARED | {"slowdown_limit", "joins", "priority_rule", "aging", "aging_s", "aging_step", "sample_s"},
    "fillers": (SHARED - {"backfilling"}) | {"backfill_rule"},
    "reservations": {"offers", "backfill_rule", "backfilling"},
    "measured": {"slowdown", "learns"},
}
"""Parameters that must decide some schedule of a family's examples."""


def shares_subject(family: str) -> Subject:
    """Return what is drawn for a family of parameters of shares."""
    shown = {name: share_features.FEATURES[name] for name in share_features.EXERCISED[family]}
    decides = with_defaults(
        SHARES_DECIDE[family], {"aging": {"aging": "per_job"}, "slowdown": {"slowdown": "constants"}}
    )
    return Subject(WAYS, functools.partial(draw_share_case, family=family), shown, decides, seeds=300, large_seeds=4)


SUBJECTS = {family: subject(family) for family in FAMILIES} | {
    family: shares_subject(family) for family in SHARE_FAMILIES
}
"""Families of parameters that go together, by name."""
