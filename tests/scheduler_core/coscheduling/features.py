"""What a schedule of coscheduling shows to have happened, so that drawn examples can be held to exercise it all."""

from collections import Counter
from collections.abc import Callable

from tests.oracles.coscheduling.machine import MILLION
from tests.oracles.coscheduling.oracle import Result
from tests.scheduler_core.examples import Case

Shown = Callable[[Case, Result], bool]


def rematched(case: Case, found: Result) -> bool:
    """Tell whether a job was in two pairs."""
    paired = Counter(job for match in found.matches for job in (match.job, match.partner))
    return max(paired.values(), default=0) > 1


def joins_a_partner(case: Case, found: Result) -> bool:
    """Tell whether a job joined one that had been a partner: it has place 0, on fewer processors than the machine had."""
    joined = {match.begin: (match.job, match.partner) for match in found.matches if match.among == "running"}
    places = {(row.job, row.begin): row.slot for row in found.rows}
    return any(
        places.get((job, time)) == 0 and places.get((holder, time)) == 1 for time, (job, holder) in joined.items()
    )


def ends(found: Result, holder_first: bool) -> bool:
    """Tell whether of a pair formed among the waiting the holder, or the partner, ended first, and the other later."""
    pairs = [(found.jobs[m.job][1], found.jobs[m.partner][1]) for m in found.matches if m.among == "waiting"]
    return any(one < other if holder_first else one > other for one, other in pairs)


def outlives_its_holder_on_fewer(case: Case, found: Result) -> bool:
    """Tell whether a partner on fewer processors than its holder went on after it."""
    sizes = {job.job: job.size for job in case.jobs}
    return any(
        found.jobs[m.job][1] < found.jobs[m.partner][1] and sizes[m.partner] < sizes[m.job]
        for m in found.matches
        if m.among == "waiting"
    )


def from_matches(shown: Callable[..., bool]) -> Shown:
    """Tell whether any pair shows something."""
    return lambda case, found: any(shown(match) for match in found.matches)


FEATURES: dict[str, Shown] = {
    "rejected": lambda case, found: None in found.jobs.values(),
    "killed": lambda case, found: any(job.runtime > job.estimate for job in case.jobs),
    "paired among the waiting": from_matches(lambda m: m.among == "waiting"),
    "paired among the running": from_matches(lambda m: m.among == "running"),
    "paired in backfilling among the waiting": from_matches(lambda m: m.backfilling and m.among == "waiting"),
    "paired in backfilling among the running": from_matches(lambda m: m.backfilling and m.among == "running"),
    "not the first who passed": from_matches(lambda m: m.rank > 1),
    "sped up": from_matches(lambda m: m.slowdown < MILLION),
    "out of memory": from_matches(lambda m: m.slowdown > 2 * MILLION),
    "rematched": rematched,
    "joins a partner": joins_a_partner,
    "holder ends first": lambda case, found: ends(found, holder_first=True),
    "partner ends first": lambda case, found: ends(found, holder_first=False),
    "outlives its holder on fewer processors": outlives_its_holder_on_fewer,
    "weak load": lambda case, found: found.counters["weak_load_passes"] > 0,
    "backfilled": lambda case, found: found.counters["backfilled"] > 0,
    "pushed down": lambda case, found: found.counters["pushed_down"] > 0,
    "suspended": lambda case, found: found.counters["suspended"] > 0,
    "a hundred jobs": lambda case, found: len(case.jobs) >= 100 and bool(found.matches),
}
"""What may happen in a schedule, and how to see it."""

PAIRS = {
    *("paired among the waiting", "paired among the running", "rematched", "joins a partner", "holder ends first"),
    *("partner ends first", "outlives its holder on fewer processors", "weak load", "backfilled", "pushed down"),
    *("paired in backfilling among the waiting", "paired in backfilling among the running", "not the first who passed"),
}
EXERCISED: dict[str, set[str]] = {
    "filters": PAIRS | {"rejected", "killed", "sped up", "out of memory"},
    "profit": PAIRS,
    "reservation": PAIRS,
    "error": PAIRS | {"suspended"},
    "presets": PAIRS | {"rejected", "killed", "out of memory"},
    "future": PAIRS | {"a hundred jobs"},
}
"""What the examples of each family must have exercised."""
