"""All simulations of a what-if, in order, and the numbers that its page shows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.common.errors import ContractError, ParameterError
from scheduler_core.declarations.policy import get_policy
from scheduler_core.runs.summary import summarise_schedule
from slotwise.planning.bounds import Bounds, lower_bounds, priced_bound
from slotwise.planning.effects import Effect, effect_of
from slotwise.planning.pools import Pools, policies_in
from slotwise.planning.recorded import with_recorded_wait
from slotwise.planning.scenarios import (
    Outcome,
    Say,
    Scenario,
    has_gaps,
    proved,
    run_pools,
    run_scenario,
    title_of_policy,
)
from slotwise.planning.tuned import Tuned, tune
from slotwise.planning.validation import Validation, validate_pools
from slotwise.planning.waits import clock_of, waits_of
from slotwise.planning.weekly import recorded_weeks, weeks_of_schedule

if TYPE_CHECKING:
    import polars as pl

    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.declarations.policy import Policy

LOADS = (0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.5)
"""Multiples of the log's load at which each policy is tried."""

SATURATED = 4
"""Higher loads are left out once the mean wait is so many times that of the baseline today."""

SIZES = (0.9, 1.0, 1.1, 1.2, 1.3, 1.4)
"""Multiples of the machine's size at which the baseline is tried."""

LEAST_WAIT_H = 1e-3
"""Shorter mean waits count as this long where logarithms are taken."""

MORE_WORK = 1.2
"""The growth for which processors are sought."""

NO_GAPS = "all jobs are submitted at one instant, so there is no load to change"

CLAIRVOYANT = (
    "easy",
    "easy_sjbf",
    'easy(order="shortest")',
    'easy(order="smallest")',
    'list(order="shortest", when_blocked="skip")',
    'list(order="smallest", when_blocked="skip")',
)
"""Policies that are tried with exact run times as estimates: the best of them is one end of the bracket."""


@dataclass(frozen=True)
class Simulated:
    """One scenario and its metrics; ``weeks`` has its utilisation and queue by week (:mod:`slotwise.planning.weekly`)."""

    scenario: Scenario
    label: str
    processors: int
    jobs: int
    mean_wait_h: float
    median_wait_h: float
    wait_95_h: float
    longest_wait_h: float
    mean_slowdown: float
    utilisation: float | None
    rejected: int
    certificate: str
    weeks: pl.DataFrame


@dataclass(frozen=True)
class Result(Simulated):
    """A scenario beside the baseline: its metrics, and its effect on the same jobs."""

    effect: Effect


@dataclass(frozen=True)
class Growth:
    """The mean wait of one policy at one multiple of the load and of the machine."""

    label: str
    policy: str
    load: float
    processors: float
    mean_wait_h: float


@dataclass(frozen=True)
class Bracket:
    """What any scheduler could gain: no schedule without preemption waits less than ``least_wait_h`` on average.

    ``reached_wait_h`` is the least mean wait of the policies that knew all run times, ``reached_by`` the
    policy, empty if none of them does better than the baseline.
    """

    jobs: int
    least_wait_h: float
    reached_wait_h: float
    reached_by: str
    today_wait_h: float
    bounds: Bounds


@dataclass(frozen=True)
class WhatIf:
    """Everything a what-if found, with one result or more. ``untested`` says why there is no validation, if there is none.

    ``workload`` has the jobs of all ``pools``.
    """

    name: str
    workload: Workload
    pools: Pools
    baseline: Simulated
    results: list[Result]
    growth: list[Growth]
    bracket: Bracket
    validation: Validation | None
    untested: str
    recorded: pl.DataFrame | None = None
    """Utilisation and queue by week as the log recorded them, if there is a validation."""
    tuned: Tuned | None = None
    tuned_result: Result | None = None
    """The setting that tuning chose, on all weeks; None if there is none."""

    @property
    def policies(self) -> list[Result]:
        """The scenarios that change the policy alone."""
        base = self.baseline.scenario
        return [one for one in self.results if replace(one.scenario, policy=base.policy) == base]

    @property
    def answer(self) -> Result | None:
        """The policy with the shortest mean wait, if it is surely shorter than the baseline's; else None."""
        sure = [one for one in self.policies if shortens(one)]
        return min(sure, key=lambda one: one.mean_wait_h, default=None)

    @property
    def confirmed(self) -> Result | None:
        """The tuned setting, if even weeks confirm it; else None."""
        return self.tuned_result if self.tuned is not None and self.tuned.sure else None

    @property
    def shown(self) -> Result:
        """The change that the page looks at closely.

        It is the tuned setting, if even weeks confirm it; else the answer, or else the policy with the shortest mean wait.
        """
        if self.confirmed is not None:
            return self.confirmed
        return self.answer or min(self.policies or self.results, key=lambda one: one.mean_wait_h)


def shortens(result: Result) -> bool:
    """Return whether a change surely shortens the mean wait."""
    ratio = result.effect.ratios["wait_h"]
    return ratio.sure and ratio.after < ratio.before


def what_if(
    workload: Workload,
    name: str,
    baseline: Scenario,
    scenarios: Sequence[Scenario],
    say: Say,
    metric: str = "",
    pools: Pools | None = None,
) -> WhatIf:
    """Simulate the baseline and all scenarios, prove each schedule legal, and compare each with the baseline job by job.

    With a ``metric``, the options of backfilling are tuned for it (:func:`slotwise.planning.tuned.tune`). With ``pools``, whose
    jobs ``workload`` has together (:func:`slotwise.planning.pools.log_of`), each pool is simulated by itself. Raise
    :class:`ParameterError` when two scenarios are the same, or :class:`ContractError` for a workload without jobs.
    """
    pools = pools or {"": workload}
    if not len(workload):
        raise ContractError(f"{name}: there are no jobs to simulate")
    gaps = has_gaps(workload)
    if not gaps and any(one.load != 1 for one in scenarios):
        raise ContractError(f"{name}: {NO_GAPS}; ask for no other load, or take more jobs")
    refuse_repeated([baseline, *scenarios])
    clock_us = clock_of(workload)
    say(f"baseline: {baseline.label(baseline)}")
    before = run_pools(pools, baseline)
    results, means = [], {baseline: mean_wait(before)}
    for number, scenario in enumerate(scenarios, 1):
        label = scenario.label(baseline)
        say(f"{number} of {len(scenarios)}: {label}")
        outcome = run_pools(pools, scenario)
        effect = effect_of(workload, before.schedule, outcome.schedule, clock_us, len(scenarios))
        results.append(Result(**vars(metrics_of(outcome, label)), effect=effect))
        means[scenario] = mean_wait(outcome)
    validation, untested = validated(workload, pools, before, say)
    tuned, tuned_result = None, None
    if metric:
        tuned = tune(workload, pools, before.schedule, baseline, metric, say)
        if tuned.setting is not None and tuned.outcome is not None:
            effect = effect_of(workload, before.schedule, tuned.outcome.schedule, clock_us, 1)
            tuned_result = Result(**vars(metrics_of(tuned.outcome, tuned.setting.label)), effect=effect)
    return WhatIf(
        name=name,
        workload=workload,
        pools=pools,
        baseline=metrics_of(before, baseline.label(baseline)),
        results=results,
        growth=growth_of(pools, baseline, scenarios, means, say) if gaps else [],
        bracket=united_bracket([bracket_of(*pool, say) for pool in zip(pools.values(), before.pools, strict=True)]),
        validation=validation,
        untested=untested,
        recorded=recorded_weeks(with_recorded_wait(workload), workload.machine.processors) if validation else None,
        tuned=tuned,
        tuned_result=tuned_result,
    )


def refuse_repeated(scenarios: Sequence[Scenario]) -> None:
    """Raise :class:`ParameterError` when two scenarios differ in nothing."""
    seen = set()
    for scenario in scenarios:
        if scenario in seen:
            raise ParameterError(
                f"{scenario.label(scenarios[0])} is the baseline, or is asked for twice; leave one out"
            )
        seen.add(scenario)


def metrics_of(outcome: Outcome, label: str) -> Simulated:
    """Return the numbers of an outcome."""
    waits = waits_of(outcome.schedule)
    if waits.is_empty():
        raise ContractError(f"{label}: no job ended; is the machine too small?")
    utilisation = summarise_schedule(outcome.schedule).get("utilisation")
    return Simulated(
        scenario=outcome.scenario,
        label=label,
        processors=outcome.workload.machine.processors,
        jobs=waits.height,
        mean_wait_h=mean_of(waits, "wait_h"),
        median_wait_h=float(np.quantile(waits["wait_h"], 0.5)),
        wait_95_h=float(np.quantile(waits["wait_h"], 0.95)),
        longest_wait_h=float(waits["wait_h"].to_numpy().max()),
        mean_slowdown=mean_of(waits, "slowdown"),
        utilisation=None if utilisation is None else float(utilisation),
        rejected=len(outcome.workload) - waits.height,
        certificate=outcome.certificate,
        weeks=weeks_of_schedule(outcome.schedule),
    )


def mean_wait(outcome: Outcome) -> float:
    """Return the mean wait of the jobs that ended, in hours."""
    return mean_of(waits_of(outcome.schedule), "wait_h")


def mean_of(table: pl.DataFrame, column: str) -> float:
    """Return the mean of a column; NaN without rows."""
    return float(table[column].to_numpy().mean()) if table.height else math.nan


def validated(workload: Workload, pools: Pools, before: Outcome, say: Say) -> tuple[Validation | None, str]:
    """Return the baseline's validation, or the reason why there is none."""
    say("comparing with the recorded waits")
    policies = [get_policy(policy) for policy in policies_in(before.scenario.policy, len(pools))]

    def simulated(jobs: Workload, policy: Policy) -> Schedule:
        made = (part.schedule for pool, part in zip(pools.values(), before.pools, strict=True) if jobs is pool)
        return next(made, None) or proved(jobs, policy)[0]

    try:
        return validate_pools(workload, pools, policies, simulated), ""
    except ContractError as reason:
        return None, str(reason)


def growth_of(
    pools: Pools, baseline: Scenario, scenarios: Sequence[Scenario], means: dict[Scenario, float], say: Say
) -> list[Growth]:
    """Return mean waits of each policy at several loads, and of the baseline on machines of several sizes.

    ``means`` has the mean waits of scenarios that were simulated already.
    """
    policies = list(dict.fromkeys([baseline.policy, *[scenario.policy for scenario in scenarios]]))
    series = [[replace(baseline, policy=policy, load=load) for load in LOADS] for policy in policies]
    series += [[replace(baseline, processors=size, load=load) for size in SIZES] for load in (1.0, MORE_WORK)]
    found: list[Growth] = []
    for number, scenarios_in_turn in enumerate(series, 1):
        for scenario in scenarios_in_turn:
            if scenario not in means:
                say(f"growth {number} of {len(series)}: {scenario.label(baseline)}")
                means[scenario] = mean_wait(run_pools(pools, scenario))
            label = replace(baseline, policy=scenario.policy).label(baseline)
            found.append(Growth(label, scenario.policy, scenario.load, scenario.processors, means[scenario]))
            if number <= len(policies) and means[scenario] > SATURATED * means[baseline]:
                break
    return found


def crossing(points: Sequence[tuple[float, float]], level: float) -> float | None:
    """Return where a line through points (x, y) first reaches a level, going right; None if it never does.

    Between two points the logarithm of y is a straight line, because waits grow ever faster with the load.
    """
    ordered = sorted((x, math.log(max(y, LEAST_WAIT_H))) for x, y in points)
    level = math.log(max(level, LEAST_WAIT_H))
    for (x, y), (further, after) in itertools.pairwise(ordered):
        if (y - level) * (after - level) <= 0 and y != after:
            return x + (level - y) / (after - y) * (further - x)
    return None


def bracket_of(workload: Workload, before: Outcome, say: Say) -> Bracket:
    """Return what any scheduler could gain: a bound from below, and the best schedule of policies that know run times."""
    from traces.shape.estimates import Exact

    ended = workload.jobs.join(waits_of(before.schedule), on="job", how="semi", maintain_order="left")
    today = mean_of(waits_of(before.schedule), "wait_h")
    reached, best = "", today
    for number, policy in enumerate(CLAIRVOYANT, 1):
        say(f"with known run times {number} of {len(CLAIRVOYANT)}: {policy}")
        known = run_scenario(workload, replace(before.scenario, policy=policy, estimates=Exact()))
        waits = waits_of(known.schedule)
        mean = mean_of(waits, "wait_h")
        if waits.height == ended.height and mean < best:
            reached, best = title_of_policy(policy), mean
    say("bounds that hold for every scheduler")
    processors = before.workload.machine.processors
    bounds = lower_bounds(ended, processors)
    priced_s = priced_bound(ended, processors, np.ones(ended.height), best * 3600 * ended.height)
    least = max(bounds.wait_h, priced_s / 3600 / max(ended.height, 1))
    return Bracket(ended.height, least, best, reached, today, bounds)


def united_bracket(brackets: Sequence[Bracket]) -> Bracket:
    """Return the bracket of all jobs from those of the pools: the means of their ends, by jobs."""
    if len(brackets) == 1:
        return brackets[0]
    jobs = [one.jobs for one in brackets]

    def mean(values: Iterable[float]) -> float:
        return sum(count * value for count, value in zip(jobs, values, strict=True)) / max(sum(jobs), 1)

    names = [entry.name for entry in fields(Bounds)]
    return Bracket(
        jobs=sum(jobs),
        least_wait_h=mean(one.least_wait_h for one in brackets),
        reached_wait_h=mean(one.reached_wait_h for one in brackets),
        reached_by=" and ".join(dict.fromkeys(one.reached_by for one in brackets if one.reached_by)),
        today_wait_h=mean(one.today_wait_h for one in brackets),
        bounds=Bounds(**{name: mean(getattr(one.bounds, name) for one in brackets) for name in names}),
    )
