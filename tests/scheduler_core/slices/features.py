"""What a schedule of slices shows to have happened, so that drawn examples can be held to exercise it all."""

import itertools
from collections import Counter
from collections.abc import Callable

from tests.oracles.slices.oracle import Held, Result
from tests.scheduler_core.examples import Case

Shown = Callable[[Case, Result], bool]

PROMISED, FORMED, ENDED, SIZE, LONG_WIDE, HEURISTIC, CHOSEN = 0, 3, 4, 5, 6, 11, 12
"""Columns of promises and groups."""


def counted(counter: str) -> Shown:
    """Tell whether something was counted."""
    return lambda case, found: found.counters[counter] > 0


def came_to(outcome: str) -> Shown:
    """Tell whether this became of a job."""
    return lambda case, found: any(job.outcome == outcome for job in found.jobs)


def slice_of(name: str) -> Shown:
    """Tell whether there were slices of a class."""
    return lambda case, found: any(row[3] == name for row in found.slices)


def by_job(found: Result) -> list[list[Held]]:
    """Return each job's allocations in time."""
    return [list(own) for _, own in itertools.groupby(found.allocations, key=lambda held: held.position)]


def continued(case: Case, found: Result) -> bool:
    """Tell whether a job ran on in the next slice without a gap."""
    return any(one.end == other.begin for own in by_job(found) for one, other in itertools.pairwise(own))


def passed_over(case: Case, found: Result) -> bool:
    """Tell whether an interval without any job was passed over."""
    return any(one[2] < other[1] for one, other in itertools.pairwise(found.slices))


def shares_differ(case: Case, found: Result) -> bool:
    """Tell whether intervals laid out alike gave other shares to medium jobs."""
    with_short = {row[1]: row[2] - row[1] for row in found.slices if row[3] == "short"}
    ends = set(with_short.values())
    pairs = {
        (found.slices[n - 1][3] == "short", row[2] - row[1]) for n, row in enumerate(found.slices) if row[3] == "medium"
    }
    return len(ends) <= 1 and len(pairs) > len({short for short, _ in pairs})


def short_slice(compare: Callable[[int, int], bool]) -> Shown:
    """Tell whether a short slice was so long, compared with the longest."""

    def shown(case: Case, found: Result) -> bool:
        longest = round(case.policy.short_slice_s * 1_000_000)
        return any(compare(row[2] - row[1] - row[4], longest) for row in found.slices if row[3] == "short")

    return shown


def group(shown: Callable[[tuple], bool]) -> Shown:
    """Tell whether there was such a group."""
    return lambda case, found: any(shown(row) for row in found.groups)


def fell(case: Case, found: Result) -> bool:
    """Tell whether a search found a better order than the heuristic's."""
    return max(Counter(row[1:3] for row in found.improvements).values(), default=0) > 1


def another_than_the_least(case: Case, found: Result) -> bool:
    """Tell whether the choice among the three best fell on another than the best of the last part."""
    least = {(row[1], row[2]): row[4] for row in found.improvements}
    last = {number: least[number, part] for number, part in sorted(least)}
    return any(row[1] in last and row[CHOSEN] > last[row[1]] for row in found.groups)


def overtaken_plan(case: Case, found: Result) -> bool:
    """Tell whether jobs of a group started in another order than they were planned in."""
    places: dict[int, list[int]] = {}
    for _, number, _, position in found.members:
        start = found.jobs[position].start
        assert start is not None
        places.setdefault(number, []).append(start)
    return any(starts != sorted(starts) for starts in places.values())


def ended_before_its_jobs(case: Case, found: Result) -> bool:
    """Tell whether a group ended with its finish job, while jobs of it had not."""
    finishes = {(row[1], found.jobs[row[3]].finish or 0) for row in found.members}
    ended = {row[1]: row[ENDED] for row in found.groups}
    return any(finish > ended[number] for number, finish in finishes)


FEATURES: dict[str, Shown] = {
    "killed": came_to("killed"),
    "rejected": came_to("rejected"),
    "short slice": slice_of("short"),
    "suspended": lambda case, found: any(job.preemptions > 0 for job in found.jobs),
    "continued in the next slice": continued,
    "interval passed over": passed_over,
    "shares by hour": shares_differ,
    "short slice as long as can be": short_slice(lambda length, longest: length == longest),
    "short slice as long as needed": short_slice(lambda length, longest: 1_000_000 < length < longest),
    "short slice of a second": short_slice(lambda length, longest: length == 1_000_000 < longest),
    "backfilled by easy": lambda case, found: case.policy.backfilling == "easy" and found.counters["backfilled"] > 0,
    "backfilled by first fit": lambda case, found: (
        case.policy.backfilling == "first_fit" and found.counters["backfilled"] > 0
    ),
    "backfilled": counted("backfilled"),
    "resumed elsewhere": counted("resumed_elsewhere"),
    "started elsewhere": counted("started_elsewhere"),
    "promised": lambda case, found: bool(found.promises),
    "planned elsewhere": counted("planned_elsewhere"),
    "dynamic": counted("dynamic"),
    "request": counted("requests"),
    "request not served": lambda case, found: found.counters["requests"] > found.counters["dynamic"],
    "group of medium jobs": counted("groups_medium"),
    "group of long jobs": counted("groups_long"),
    "group of five": group(lambda row: row[SIZE] >= 5),
    "two groups at once": lambda case, found: any(
        one[2] != other[2] and one[FORMED] < other[ENDED] and other[FORMED] < one[ENDED]
        for one, other in itertools.combinations(found.groups, 2)
    ),
    "group after an open one": lambda case, found: any(
        one[2] == other[2] and one[ENDED] == other[FORMED] for one, other in itertools.combinations(found.groups, 2)
    ),
    "group ended with its finish job": ended_before_its_jobs,
    "long-wide": group(lambda row: row[LONG_WIDE] > 1),
    "two parts": lambda case, found: any(row[2] == 1 for row in found.improvements),
    "better than the heuristic": group(lambda row: row[CHOSEN] < row[HEURISTIC]),
    "best fell": fell,
    "not the best chosen": another_than_the_least,
    "cut": counted("pruned"),
    "cut at a leaf": counted("pruned_leaves"),
    "promised anew": lambda case, found: any(row[3] > 0 for row in found.promises),
    "plan not followed in order": overtaken_plan,
    "group with easy backfilling": lambda case, found: case.policy.backfilling == "easy" and bool(found.groups),
    "search": lambda case, found: found.counters["orders"] > found.counters["searches"] > 0,
    "search with jobs beyond it": lambda case, found: case.policy.queue_most < 3 < found.counters["searches"],
}
"""What can happen, by name."""

OF_SLICES = {
    *("killed", "rejected", "short slice", "suspended", "continued in the next slice", "interval passed over"),
    *("short slice as long as can be", "short slice as long as needed", "short slice of a second"),
    *("shares by hour", "backfilled", "resumed elsewhere", "started elsewhere"),
}
"""Features that every family shows."""

OF_GROUPS = set(FEATURES) - {"search", "search with jobs beyond it"}

EXERCISED: dict[str, set[str]] = {
    "plain": OF_SLICES | {"backfilled by easy", "backfilled by first fit", "promised"},
    "groups": OF_GROUPS,
    "crowds": OF_GROUPS - {"rejected", "interval passed over", "backfilled by first fit"},
    "search": OF_SLICES | {"search", "search with jobs beyond it"},
}
"""Features that must be among the examples of each family."""
