"""What a schedule of the grid shows to have happened, so that drawn examples can be held to exercise it all."""

import itertools
from collections.abc import Callable

from tests.oracles.grid.oracle import Result
from tests.scheduler_core.grid.cases import GridCase

Shown = Callable[[GridCase, Result], bool]

EST, LFT, READY, FREED = 6, 10, 12, 13
"""Columns of reservations."""


def counted(counter: str) -> Shown:
    """Tell whether something was counted."""
    return lambda case, found: found.counters[counter] > 0


def slid(cause: str, **values: object) -> Shown:
    """Tell whether a slot was placed or moved for a cause, under some parameters."""

    def shown(case: GridCase, found: Result) -> bool:
        policy = case.policy.values()
        return all(policy[name] == value for name, value in values.items()) and any(
            row[-1] == cause for row in found.slides
        )

    return shown


def came_to(outcome: str) -> Shown:
    """Tell whether this became of a task."""

    def shown(case: GridCase, found: Result) -> bool:
        return any(found.jobs[task.job][-1] == outcome for flow in case.whole for task in flow.tasks)

    return shown


def several_clusters(case: GridCase, found: Result) -> bool:
    """Tell whether data went from a cluster to another and took their time."""
    return any(row[3] != row[4] and row[6] > row[5] for row in found.arrivals)


def equals(case: GridCase, found: Result) -> bool:
    """Tell whether several clusters offered one task the same latest finish, the lowest."""
    asked = itertools.groupby(found.candidates, key=lambda row: row[2])
    return any(
        len(latest) > 1 and sorted(latest)[0] == sorted(latest)[1]
        for latest in ([row[8] for row in rows] for _, rows in asked)
    )


def too_wide(case: GridCase, found: Result) -> bool:
    """Tell whether a task was placed that some cluster was too small for."""
    sizes = [site.processors for site in case.sites]
    return any(
        task.size > min(sizes) and found.jobs[task.job][1] is not None for flow in case.whole for task in flow.tasks
    )


def early_frame(case: GridCase, found: Result) -> bool:
    """Tell whether a task started in the slack ahead, before its data were expected."""
    return any(found.jobs[row[2]][1] < row[11] for row in found.reservations)


def waited_for_frame(case: GridCase, found: Result) -> bool:
    """Tell whether a task waited for its EST though its data were there."""
    return any(found.jobs[row[2]][1] == row[FREED] > row[READY] for row in found.reservations)


def pulled(case: GridCase, found: Result) -> bool:
    """Tell whether propagation lowered an EST."""
    return any(row[FREED] < row[EST] for row in found.reservations)


def waited_at_the_clock(case: GridCase, found: Result) -> bool:
    """Tell whether a kept slot was reached before its task could start, which it did as soon as it could.

    In the worst case of intervals to come the clock does not come to a slot later than predicted.
    """
    if (case.policy.reservations, case.policy.nominal) != ("kept", "worst_case"):
        return False
    predicted = {row[0]: row[2] for row in found.slides}
    return any(predicted[row[2]] < found.jobs[row[2]][1] == max(row[READY], row[FREED]) for row in found.reservations)


def set_aside(rule: str) -> Shown:
    """Tell whether a task was set aside under a rule for reservations: a slot was lost, and not made anew as it was reached."""

    def shown(case: GridCase, found: Result) -> bool:
        anew = sum(row[-1] == "not_ready" for row in found.slides)
        return case.policy.reservations == rule and found.counters["lost_slots"] > anew

    return shown


def preempted(case: GridCase, found: Result) -> bool:
    """Tell whether a task was suspended."""
    return any(found.jobs[task.job][3] > 0 for flow in case.whole for task in flow.tasks)


def both_at_once(case: GridCase, found: Result) -> bool:
    """Tell whether two workflows came at the same time."""
    times = [flow.tasks[0].submit for flow in case.whole]
    return len(set(times)) < len(times)


ANY: dict[str, Shown] = {
    "rejected": counted("rejected_workflows"),
    "killed": came_to("killed"),
    "several clusters": several_clusters,
    "equals": equals,
    "too wide": too_wide,
    "both at once": both_at_once,
}

BOOKED: dict[str, Shown] = {
    **{cause: slid(cause) for cause in ("room", "freed", "not_ready")},
    "late": counted("late_tasks"),
    "lost": counted("lost_slots"),
    "slack used": early_frame,
    "waited for its frame": waited_for_frame,
    "pulled": pulled,
}

EXERCISED: dict[str, dict[str, Shown]] = {
    "slices": {
        **ANY,
        **BOOKED,
        "moved down": slid("recalculated", reservations="recalculated"),
        "waited at the clock": waited_at_the_clock,
        **{f"set aside, {rule}": set_aside(rule) for rule in ("recalculated", "kept", "rebooked")},
        "made room": slid("slid_down", slide_down_backfill=True, slide_down_avoid_preemption=False),
        "avoided a preemption": slid("slid_down", slide_down_backfill=False, slide_down_avoid_preemption=True),
        "preempted": preempted,
        "lent": counted("started_elsewhere"),
    },
    "space": {**ANY, **BOOKED},
    "submitted": {**ANY, "preempted": preempted},
}
"""What the examples of each family must have shown."""
