"""The gang-scheduling oracle in several fixed partitions: a machine each, to which jobs go in turn."""

from collections import Counter
from dataclasses import dataclass, replace
from itertools import count

from scheduler_core.declarations.policy import Policy
from tests.oracles.gang.clock import Level
from tests.oracles.gang.oracle import schedule as schedule_machine
from tests.oracles.gang.packing import MEMORY_PACKINGS
from tests.oracles.gang.partitioning import equal_parts
from tests.oracles.gang.state import Segment
from tests.oracles.job import Job


@dataclass(frozen=True)
class PartsSchedule:
    """A schedule in which each (start, finish, start size), segment and level comes with its cluster."""

    jobs: dict[int, tuple[int, tuple[int, int, int]] | None]
    segments: list[tuple[int, Segment]]
    levels: list[tuple[int, Level]]
    counters: dict[str, int]


def deal(policy: Policy, jobs: list[Job], widths: list[int], memory: int) -> list[list[Job]]:
    """Return the jobs of each part."""
    limited = policy.packing in MEMORY_PACKINGS and memory > 0
    dealt: list[list[Job]] = [[] for _ in widths]
    turn = 0
    for job in sorted(jobs, key=lambda job: job.position):
        if job.size <= max(widths) and not (limited and job.held_memory > memory):
            part = next(n % len(widths) for n in count(turn) if widths[n % len(widths)] >= job.size)
            dealt[part].append(job)
            turn = part + 1
    return dealt


def schedule(policy: Policy, jobs: list[Job], processors: int, memory: int = 0) -> PartsSchedule:
    """Run gang scheduling in each part of a machine of so many processors with so much memory (kB; 0: unlimited)."""
    parts = equal_parts(processors, policy.partitions)
    result = PartsSchedule(dict.fromkeys(job.job for job in jobs), [], [], {})
    counters: Counter[str] = Counter()
    own = replace(policy, partitions=1)
    for cluster, dealt in enumerate(deal(policy, jobs, [len(part) for part in parts], memory)):
        found = schedule_machine(own, dealt, len(parts[cluster]), memory)
        result.jobs.update({job: (cluster, times) for job, times in found.jobs.items() if times is not None})
        for segment in found.segments:
            processors_there = tuple(parts[cluster][processor] for processor in segment.processors)
            result.segments.append((cluster, segment._replace(processors=processors_there)))
        result.levels.extend((cluster, level) for level in found.levels)
        counters.update(found.counters)
    result.counters.update(counters)
    return result
