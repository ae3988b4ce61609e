"""What a schedule by shares shows to have happened, so that drawn examples can be held to exercise it all."""

import itertools
from collections import Counter
from collections.abc import Callable

from tests.oracles.coscheduling.machine import MILLION, Row
from tests.oracles.coscheduling.oracle import Result
from tests.scheduler_core.examples import Case

Shown = Callable[[Case, Result], bool]


def counted(name: str) -> Shown:
    """Tell whether something was counted."""
    return lambda case, found: found.counters[name] > 0


def follows(found: Result, shown: Callable[[Row, Row], bool]) -> bool:
    """Tell whether two rows of a job that follow each other show something."""
    return any(one.job == other.job and shown(one, other) for one, other in itertools.pairwise(found.rows))


def at_once(found: Result, jobs: int) -> bool:
    """Tell whether so many jobs ran at once."""
    begun = Counter(time for row in found.rows for time in {other.begin for other in found.rows if within(other, row)})
    return max(begun.values(), default=0) >= jobs


def within(other: Row, row: Row) -> bool:
    """Tell whether a row begins in another."""
    return row.begin <= other.begin < row.end


def waits_for_a_reservation(case: Case, found: Result) -> bool:
    """Tell whether a job with a reservation started while one without went on waiting."""
    reserved = {offer.job: offer.start for offer in found.offers if offer.taken == "reserved"}
    return any(
        job.submit < start < found.jobs[job.job][0]
        for job in case.jobs
        for start in reserved.values()
        if found.jobs[job.job] is not None and job.job not in reserved
    )


FEATURES: dict[str, Shown] = {
    "rejected": lambda case, found: None in found.jobs.values(),
    "killed": lambda case, found: any(job.runtime > job.estimate for job in case.jobs),
    "element": counted("elements"),
    "joined": counted("joined"),
    "backfilled": counted("backfilled"),
    "reserved": counted("reserved"),
    "statistics asked": counted("statistics_asked"),
    "forecast wrong": counted("forecast_error_ppm"),
    "three at once": lambda case, found: at_once(found, 3),
    "promoted": lambda case, found: follows(found, lambda one, other: one.share < other.share < MILLION),
    "demoted": lambda case, found: follows(found, lambda one, other: one.share > other.share),
    "unequal shares": lambda case, found: len({row.share for row in found.rows if row.share < MILLION}) > 1,
    "sped up": lambda case, found: any(row.slowdown < MILLION for row in found.rows),
    "several slots": lambda case, found: any(offer.number > 2 for offer in found.offers),
    "picked": lambda case, found: any(offer.taken == "picked" for offer in found.offers),
    "later than wanted": lambda case, found: any(
        offer.taken == "reserved" and offer.start > job.shares.wanted
        for offer in found.offers
        for job in case.jobs
        if offer.job == job.job and job.shares.wanted is not None
    ),
    "waits while a reserved job starts": waits_for_a_reservation,
}
"""What may happen in a schedule, and how to see it."""

ALWAYS = {"rejected", "killed", "element", "joined", "backfilled", "promoted", "demoted", "unequal shares", "sped up"}
EXERCISED: dict[str, set[str]] = {
    "shares": ALWAYS | {"three at once", "forecast wrong", "statistics asked"},
    "fillers": ALWAYS | {"three at once"},
    "reservations": ALWAYS
    | {
        "three at once",
        "reserved",
        "several slots",
        "picked",
        "later than wanted",
        "waits while a reserved job starts",
    },
    "measured": ALWAYS | {"reserved"},
}
"""What the examples of each family must have exercised."""
