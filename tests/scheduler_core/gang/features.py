"""What a schedule of gang scheduling shows to have happened, so that drawn examples can be held to exercise it all."""

import itertools
from collections.abc import Callable

from tests.oracles.gang.oracle import GangSchedule, Job, Segment
from tests.scheduler_core.examples import Case

Shown = Callable[[Case, GangSchedule], bool]


def by_job(found: GangSchedule) -> list[list[Segment]]:
    """Return each job's segments, in time and then by slot."""
    ordered = sorted(found.segments, key=lambda s: (s.job, s.begin, s.slot))
    return [list(own) for _, own in itertools.groupby(ordered, key=lambda s: s.job)]


def changes(found: GangSchedule) -> list[tuple[Segment, Segment]]:
    """Return each job's segments of one place that follow one another."""
    pairs = [pair for own in by_job(found) for pair in itertools.pairwise(own)]
    return [(one, other) for one, other in pairs if one.end == other.begin]


def backfilled_by(rule: str) -> Shown:
    """Tell whether jobs were backfilled by a rule."""
    return lambda case, found: case.policy.backfill == rule and found.counters["backfilled"] > 0


def started_with(case: Case, found: GangSchedule, compare: Callable[[int, int], bool]) -> bool:
    """Tell whether a job's start size compares so with its optimum."""
    times = [(job, found.jobs[job.job]) for job in case.jobs]
    return any(ran is not None and compare(ran[2], job.size) for job, ran in times)


def room_for(case: Case, found: GangSchedule, job: Job, time: int) -> bool:
    """Tell whether just after a pass an old or a new slot had enough processors free for a job."""
    there = [s for s in found.segments if s.begin <= time < s.end]
    slots = {s.slot for s in there}
    opens = case.policy.level == "unlimited" or len(slots) < case.policy.level
    used = [sum(len(s.processors) for s in there if s.slot == slot) for slot in slots]
    return opens or any(case.processors - taken >= job.size for taken in used)


def waits_for_memory(case: Case, found: GangSchedule) -> bool:
    """Tell whether a job was passed over in a pass that placed another, though there was room for it.

    Where every job that fits is placed, only memory can have been missing.
    """
    if case.policy.backfill != "greedy" or case.policy.packing not in ("memory_fit", "memory_best_fit"):
        return False
    starts = {ran[0] for ran in found.jobs.values() if ran is not None}
    waits = [(job, found.jobs[job.job]) for job in case.jobs]
    return any(
        ran is not None and job.submit <= start < ran[0] and room_for(case, found, job, start)
        for job, ran in waits
        for start in starts
    )


def overtaken(case: Case, found: GangSchedule) -> bool:
    """Tell whether a job started before one submitted earlier, and not by backfilling."""
    starts = [(job.submit, found.jobs[job.job]) for job in case.jobs]
    ran = [(submit, times[0]) for submit, times in starts if times is not None]
    early = any(a[0] < b[0] and a[1] > b[1] for a, b in itertools.combinations(ran, 2))
    return case.policy.queue == "priority" and found.counters["backfilled"] == 0 and early


def repacks(case: Case) -> str:
    """Tell when jobs are packed anew; adaptive SCOJO never does."""
    return getattr(case.policy, "repacks", "never")


def sizing_of(case: Case) -> str:
    """Tell what sizes follow; in plain gang scheduling every job has its optimum."""
    return getattr(case.policy, "sizing", "optimum")


def moved(case: Case, found: GangSchedule) -> bool:
    """Tell whether a job was moved to another slot or other processors."""
    one_place = [(a, b) for a, b in changes(found) if repacks(case) != "never" and not case.policy.fill]
    return any((a.slot, a.processors) != (b.slot, b.processors) for a, b in one_place)


def copies(case: Case, found: GangSchedule) -> bool:
    """Tell whether a job was in several slots at once."""
    return any(a.begin == b.begin for own in by_job(found) for a, b in itertools.pairwise(own))


def unequal_copies(case: Case, found: GangSchedule) -> bool:
    """Tell whether a job's work did not divide evenly among its places."""
    pairs = [pair for own in by_job(found) for pair in itertools.pairwise(own)]
    return any(a.begin == b.begin and a.work != b.work for a, b in pairs)


FEATURES: dict[str, Shown] = {
    "backfilled by head": backfilled_by("head"),
    "backfilled by all": backfilled_by("all"),
    "backfilled by greedy": backfilled_by("greedy"),
    "rejected for size": lambda case, found: any(job.size > case.processors for job in case.jobs),
    "rejected for memory": lambda case, found: any(
        found.jobs[job.job] is None and job.size <= case.processors for job in case.jobs
    ),
    "killed": lambda case, found: any(job.runtime > job.estimate for job in case.jobs),
    "machine idle in between": lambda case, found: any(row.level == 0 for row in found.levels),
    "level of three or more": lambda case, found: any(row.level >= 3 for row in found.levels),
    "level falls and rises": lambda case, found: any(
        a.level > b.level < c.level for a, b, c in zip(found.levels, found.levels[1:], found.levels[2:], strict=False)
    ),
    "switches slow progress": lambda case, found: any(0 < row.level * row.share < 0.99 for row in found.levels),
    "processors not contiguous": lambda case, found: any(
        s.processors[-1] - s.processors[0] >= len(s.processors) for s in found.segments
    ),
    "waits for a boundary": lambda case, found: any(
        ran is not None and ran[0] > job.submit for job in case.jobs for ran in [found.jobs[job.job]]
    ),
    "overtaken by priority": overtaken,
    "waits for memory": waits_for_memory,
    "moved": moved,
    "copies": copies,
    "unequal copies": unequal_copies,
    "copies and backfilled": lambda case, found: copies(case, found) and found.counters["backfilled"] > 0,
    "grown": lambda case, found: any(len(a.processors) < len(b.processors) for a, b in changes(found)),
    "shrunk": lambda case, found: any(len(a.processors) > len(b.processors) for a, b in changes(found)),
    "stalled": lambda case, found: any(s.overhead > 0 for s in found.segments),
    "stalled for a whole segment": lambda case, found: any(s.overhead == s.turn > 0 for s in found.segments),
    "starts on more": lambda case, found: started_with(case, found, lambda size, optimum: size > optimum),
    "starts on fewer": lambda case, found: started_with(case, found, lambda size, optimum: size < optimum),
    "grows at its start": lambda case, found: (
        sizing_of(case) == "optimum" and started_with(case, found, lambda size, optimum: size > optimum)
    ),
    "load low": lambda case, found: found.counters["low_us"] > 0,
    "load normal": lambda case, found: found.counters["normal_us"] > 0,
    "load high": lambda case, found: found.counters["high_us"] > 0,
}
"""What may happen in a schedule, and how to see it."""

ALWAYS = {"rejected for size", "killed", "machine idle in between", "level falls and rises", "waits for a boundary"}
BACKFILLED = {"backfilled by head", "backfilled by all", "backfilled by greedy"}
SHARED = {"level of three or more", "switches slow progress", "processors not contiguous"}

EXERCISED: dict[str, set[str]] = {
    "packing": ALWAYS | SHARED | BACKFILLED | {"overtaken by priority"},
    "repacking": ALWAYS | SHARED | {"moved", "copies", "unequal copies"},
    "filling": ALWAYS | SHARED | BACKFILLED | {"copies", "unequal copies", "copies and backfilled"},
    "memory": ALWAYS | SHARED | {"backfilled by greedy", "rejected for memory", "waits for memory"},
    "adaptation": ALWAYS
    | SHARED
    | BACKFILLED
    | {"grown", "shrunk", "stalled", "stalled for a whole segment", "starts on more", "starts on fewer"}
    | {"grows at its start", "load low", "load normal", "load high"},
    "backfilling": {"backfilled by head", "backfilled by all", "grown", "shrunk", "stalled", "load low", "load high"},
    "presets": ALWAYS | {"grown", "shrunk", "grows at its start", "load low", "load high", "backfilled by all"},
}
"""What the examples of each family must have exercised."""
