"""The parameters of the policies as the plain numbers the event loop and the searches read."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import MICROSECONDS, seconds_to_us
from scheduler_core.slices import search_paths, select_schedule, state
from scheduler_core.slices.optimise import SearchRules
from scheduler_core.slices.state import CLASSES, LONG, MEDIUM, Rules

if TYPE_CHECKING:
    from scheduler_core.slices.policies.pect import Pect
    from scheduler_core.slices.policies.pect_o import GroupOptimisation
    from scheduler_core.stepping.local_scheduler import BookingRules

MILLION = 1_000_000
NO_GROUPS = 2**62
BACKFILLINGS = {"conservative": state.CONSERVATIVE, "easy": state.EASY, "first_fit": state.FIRST_FIT}
PATHS = {
    "depth_first": search_paths.DEPTH_FIRST,
    "front_first": search_paths.DEPTH_FIRST_FRONT,
    "dds": search_paths.DDS,
    "ilds": search_paths.ILDS,
    "lds": search_paths.LDS,
}
SELECTIONS = {
    "tolerance": select_schedule.TOLERANCE,
    "literal": select_schedule.LITERAL,
    "slowdown": select_schedule.SLOWDOWN,
}
CLASS_WORDS = {MEDIUM: "medium", LONG: "long"}


def make_rules(policy: Pect, processors: int, bookings: BookingRules) -> Rules:
    """Return the parameters of the event loop."""
    facts = policy.facts()

    def own(name: str) -> Any:
        """Return a parameter that not all policies have; 0 without it."""
        return getattr(policy, name, 0)

    day = millionths(policy.share_medium), millionths(policy.share_long)
    night = day
    if not isinstance(policy.night_share_medium, str) and not isinstance(policy.night_share_long, str):
        night = millionths(policy.night_share_medium), millionths(policy.night_share_long)
    return Rules(
        processors=processors,
        interval=seconds_to_us(policy.interval_s),
        switch=seconds_to_us(policy.switch_s),
        short_slice=seconds_to_us(policy.short_slice_s),
        day_medium=day[0],
        day_long=day[1],
        night_medium=night[0],
        night_long=night[1],
        night_begins=policy.night_begins_h,
        night_ends=policy.night_ends_h,
        backfilling=BACKFILLINGS[policy.backfilling],
        smart=policy.smart,
        guard=policy.guard,
        promises=facts.promises and bookings.reservations == "rebooked",
        groups=facts.groups,
        dynamic=bool(own("dynamic")),
        search=facts.searches,
        queue_most=own("queue_most"),
        tree_nodes=own("tree_nodes"),
        bound=seconds_to_us(own("bound_s")),
        finish_dip=float(own("finish_dip")),
        finish_utilisation=float(own("finish_utilisation")),
        finish_jobs=float(own("finish_jobs")),
        nominal_mean=bookings.nominal == "mean",
        slide_backfill=bookings.slide_down_backfill,
        slide_preemption=bookings.slide_down_avoid_preemption,
        recalculates=bookings.reservations != "rebooked",
        keeps=bookings.reservations == "kept",
    )


def millionths(share: float) -> int:
    """Return a share in millionths."""
    return round(share * MILLION)


def least_work(rules: Rules, name: str) -> np.ndarray:
    """Return how long the slices of each class work at least in an interval, in microseconds; 0 for short ones.

    Raise :class:`ParameterError` when the shares leave a class nothing.
    """
    remaining = rules.interval - rules.short_slice - 3 * rules.switch
    shares = ((rules.day_medium, rules.day_long), (rules.night_medium, rules.night_long))
    medium = [remaining * medium // (medium + long) for medium, long in shares]
    least = np.zeros(CLASSES, np.int64)
    least[MEDIUM], least[LONG] = min(medium), min(remaining - part for part in medium)
    if least[MEDIUM] < 1 or least[LONG] < 1:
        raise ParameterError(
            f"{name}: the shares leave medium or long jobs no time in an interval of {rules.interval / MICROSECONDS:g} s; "
            "give a larger share or a longer interval"
        )
    return least


def set_class_rules(classes: np.ndarray, policy: Pect, rules: Rules) -> None:
    """Put the parameters that differ by class into their records."""
    classes["least_work"] = least_work(rules, policy.name)
    classes["share"] = [getattr(policy, "share_short", 1.0), policy.share_medium, policy.share_long]
    classes["group_min"] = NO_GROUPS
    for kind, word in CLASS_WORDS.items() if policy.facts().groups else ():
        own = classes[kind]
        own["group_min"], own["group_max"] = getattr(policy, f"group_min_{word}"), getattr(policy, f"group_max_{word}")
        own["group_size"] = getattr(policy, f"group_size_factor_{word}") * rules.processors
        run_us = seconds_to_us(getattr(policy, f"group_run_s_{word}"))
        own["group_work"] = getattr(policy, f"group_work_factor_{word}") * run_us * rules.processors


def make_search_rules(groups: GroupOptimisation, kind: int, processors: int) -> SearchRules:
    """Return the parameters of the optimisation of a class's groups."""
    word = CLASS_WORDS[kind]
    return SearchRules(
        long_wide_size=float(getattr(groups, f"long_wide_size_{word}") * processors),
        long_wide_run=seconds_to_us(getattr(groups, f"group_run_s_{word}")),
        long_wide_min=groups.long_wide_min,
        long_wide_max=groups.long_wide_max,
        group_max=getattr(groups, f"group_max_{word}"),
        second_level=groups.second_level,
        orders=groups.orders,
        discrepancies_from=groups.discrepancies_from,
        paths=PATHS[groups.paths],
        branch_and_bound=groups.branch_and_bound,
        force_shift=groups.force_shift,
        shift_ratio=math.floor(groups.shift_ratio * MILLION + 0.5),
        shift_cut=groups.shift_cut,
        plan_backfilling=groups.plan_backfilling,
        select=SELECTIONS[groups.select],
        bound=float(seconds_to_us(groups.bound_s)),
        share=float(getattr(groups, f"share_{word}")),
        processors=processors,
    )
