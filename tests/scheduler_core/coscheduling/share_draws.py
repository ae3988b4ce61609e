"""Small workloads for jobs that ask for shares, with parameters on their time scale, by families of parameters."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence

from scheduler_core.declarations.policy import get_policy
from tests.oracles.job import Behaviour, Job, Shares
from tests.scheduler_core.examples import YES_NO, Case, Chooser, Parameters, drawn_numbers, seconds

LOW = (0.05, 0.1, 0.2, 0.2, 0.25, 0.3, 0.333333, 0.4, 0.5, 0.6)
LEVELS = ("long", "medium", "short", "short", "special")
APPLICATIONS = 3
SLOWDOWNS = (0.9, 1.0, 1.1, 1.2, 1.333333, 1.5, 1.7)


def drawn_table(choose: Chooser, slowdowns: Sequence[float]) -> dict[tuple[int, int], float]:
    """Draw measured slowdowns of all pairs of applications."""
    return {(one, other): choose.one_of(slowdowns) for one in range(APPLICATIONS) for other in range(APPLICATIONS)}


def draw_shares(choose: Chooser, now: int, tick: int, asking: Sequence[str]) -> Shares:
    """Draw what a job asks for: a range of shares, and perhaps a start some ticks ahead."""
    low = choose.one_of(LOW)
    high = min(0.999999, low + choose.one_of((0.0, 0.1, 0.2, 0.4, 0.9)))
    level, asks = choose.one_of(LEVELS), choose.one_of(asking)
    if asks == "nothing":
        return Shares(level, low, high, choose.one_of(("local", "local", "cross_site")))
    wanted = now + choose.integer(0, 30) * tick
    return Shares(level, low, high, "cross_site", asks, choose.one_of((None, wanted, wanted, wanted)))


def draw_jobs(choose: Chooser, tick: int, processors: int, counts: Sequence[int], asking: Sequence[str]) -> list[Job]:
    """Draw jobs; gaps, run times and estimates are a few ticks, so that ties abound."""
    longest, gap = choose.one_of(((6, 1), (12, 2), (12, 6), (30, 4), (30, 20)))
    exact = choose.one_of(YES_NO)
    jobs, now = [], choose.integer(0, 3) * tick
    for number in drawn_numbers(choose, choose.one_of(counts)):
        now += choose.integer(0, gap) * tick
        runtime = choose.integer(1, longest) * tick
        estimate = runtime if exact else choose.one_of((runtime, choose.integer(1, longest + 5) * tick))
        behaviour = Behaviour("cpu", 1.0, 0.0, 0.0, application=choose.integer(0, APPLICATIONS - 1))
        size = choose.one_of((processors, processors, max(1, processors - 1), processors + choose.integer(0, 1)))
        shares = draw_shares(choose, now, tick, asking)
        jobs.append(Job(number, now, runtime, estimate, size, behaviour=behaviour, shares=shares))
    return sorted(jobs, key=lambda job: job.position)


def draw_sharing(choose: Chooser) -> Parameters:
    """Draw how shares are assigned and who may run beside whom."""
    assignment = choose.one_of(("ranges", "ranges", "equal"))
    return {
        "order": choose.one_of(("priority", "priority", "fcfs")),
        "at_once": choose.one_of((1, 2, 2, 3, 3)),
        "backfilling": choose.one_of(YES_NO),
        "assignment": assignment,
        "accounting": choose.one_of(("requested", "effective")) if assignment == "ranges" else "requested",
        "reclaim": choose.one_of(("all", "alone", "off")),
        "slowdown_of_two": choose.one_of((1.2, 1.0, 0.9, 1.45)),
        "slowdown_of_three": choose.one_of((1.45, 1.6, 1.75)),
        "slowdown_limit": choose.one_of((1.5, 1.5, 1.3, 2.0)),
        "joins": choose.one_of(("arrivals", "head", "head", "never")),
        "priority_rule": choose.one_of(("equal_or_higher", "equal_or_higher_than_all", "any")),
    }


def draw_time(choose: Chooser, tick: int) -> Parameters:
    """Draw what goes with the time scale of the jobs."""
    return {
        "aging": choose.one_of(("off", "per_job", "all_at_once")),
        "aging_s": max(0.001, seconds(choose.integer(1, 12), tick)),
        "aging_step": choose.one_of((5, 3, 15)),
        "sample_s": max(0.001, seconds(choose.integer(1, 9), tick)),
    }


def shares_family(choose: Chooser, tick: int) -> Parameters:
    """Shares, elements, priorities and aging."""
    return draw_sharing(choose) | draw_time(choose, tick)


def fillers_family(choose: Chooser, tick: int) -> Parameters:
    """Backfilling of shares."""
    some = {"backfilling": True, "backfill_rule": choose.one_of(("own_end", "no_delay")), "at_once": 3}
    rules = {"priority_rule": choose.one_of(("any", "any", "equal_or_higher")), "slowdown_limit": 2.0}
    return draw_sharing(choose) | draw_time(choose, tick) | some | rules


def reservations_family(choose: Chooser, tick: int) -> Parameters:
    """Reserved starts, with backfilling around them."""
    some = {"offers": choose.one_of((1, 2, 3, 3, 6)), "backfill_rule": choose.one_of(("own_end", "no_delay"))}
    more = {"learns": choose.one_of((False, False, True)), "at_once": choose.one_of((1, 2, 2, 3, 3))}
    return draw_sharing(choose) | draw_time(choose, tick) | some | more


def measured_family(choose: Chooser, tick: int) -> Parameters:
    """Slowdowns by application, known or learnt, and run times that are learnt."""
    values = draw_sharing(choose) | draw_time(choose, tick)
    values |= {
        "slowdown": choose.one_of(("table", "table", "constants")),
        "learns": choose.one_of((True, True, False)),
        "backfill_rule": choose.one_of(("own_end", "no_delay")),
        "at_once": choose.one_of((2, 2, 3)),
    }
    if values["learns"] and values["slowdown"] == "table":
        values["accounting"] = "requested"
    return values


ASKING = {
    "shares": ("nothing",),
    "fillers": ("nothing",),
    "reservations": ("nothing", "nothing", "picks", "reserves", "reserves"),
    "measured": ("nothing", "nothing", "nothing", "nothing", "reserves"),
}
"""What jobs ask for, by family."""

SHARE_FAMILIES: Mapping[str, Callable[[Chooser, int], Parameters]] = {
    "shares": shares_family,
    "fillers": fillers_family,
    "reservations": reservations_family,
    "measured": measured_family,
}
"""Families of parameters that go together, by name."""


def draw_share_case(choose: Chooser, large: bool, family: str) -> Case:
    """Draw an example of a family: 1 to 14 jobs, or ``large``: 20 or 30."""
    processors = choose.one_of((64, 130) if large else (1, 2, 3))
    tick = choose.one_of((1, 7, 1_000, 1_000_000, 1_000_000, 1_000_000, 999_983))
    counts = (20, 30) if large else (1, 2, 3, 4, 5, 6, 8, 10, 12, 14)
    jobs = draw_jobs(choose, tick, processors, counts, ASKING[family])
    policy = get_policy("scojo_shares", **SHARE_FAMILIES[family](choose, tick))
    if policy.sample_s * 1_000_000 < tick:  # so short ticks that there would be no end of samples
        policy = dataclasses.replace(policy, sample_s=10.0)
    return Case(
        jobs, processors, policy, slowdowns=drawn_table(choose, SLOWDOWNS) if policy.slowdown == "table" else {}
    )
