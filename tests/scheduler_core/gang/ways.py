"""Gang scheduling: its oracles, and how a schedule is compared with theirs and with what was worked out by hand."""

import dataclasses
from dataclasses import dataclass, field

from scheduler_core.contracts import Schedule
from scheduler_core.gang.matrix_policy import MatrixPolicy
from tests.oracles.gang import dhc, oracle, partitioning, parts
from tests.oracles.gang.oracle import GangSchedule, Level, Segment
from tests.oracles.gang.parts import PartsSchedule
from tests.scheduler_core.examples import Case
from tests.scheduler_core.scenario import us
from tests.scheduler_core.subjects import Ways

SHARED = {f"scojo.{parameter.name}" for parameter in dataclasses.fields(MatrixPolicy)}
ELSEWHERE = SHARED | {"dhc", "partitioning", "lazy_gang", "name_processors", "efficiency", "partitions"}
"""Policies and parameters that need not be shown by a scenario: their schedules stand in modules of their own, or what they
share with plain gang scheduling is shown there."""

Times = tuple[float, float] | None

JOB_NUMBERS = "0123456789ABCDEFGHIJ"


def in_partitions(case: Case) -> bool:
    """Tell whether the machine is cut into several parts, which the schedule calls clusters."""
    return getattr(case.policy, "partitions", 1) > 1 and case.policy.name == "gang"


def by_oracle(case: Case) -> GangSchedule | PartsSchedule:
    """Let the oracle of the policy schedule an example."""
    if case.policy.name == "dhc":
        return dhc.schedule(case.policy, case.jobs, case.processors)
    if case.policy.name == "partitioning":
        return partitioning.schedule(case.policy, case.jobs, case.processors)
    if in_partitions(case):
        found = parts.schedule(case.policy, case.jobs, case.processors, case.memory)
        return PartsSchedule(found.jobs, sorted(found.segments), found.levels, found.counters)
    return oracle.schedule(case.policy, case.jobs, case.processors, case.memory)


def in_form(case: Case, schedule: Schedule) -> GangSchedule | PartsSchedule:
    """Put an engine's schedule into the oracle's form."""
    return in_parts_form(schedule) if in_partitions(case) else in_oracles_form(schedule)


def in_oracles_form(schedule: Schedule) -> GangSchedule:
    """Put an engine's schedule into the oracle's form."""
    columns = ("job", "start_us", "finish_us", "processors", "outcome")
    jobs = {
        job: None if outcome == "rejected" else (start, finish, processors)
        for job, start, finish, processors, outcome in schedule.jobs.select(columns).rows()
    }
    rows = schedule.allocations.select(
        *("job", "slot", "begin_us", "end_us", "processor_ids", "rate", "work_us", "turn_us", "overhead_us")
    ).rows()
    segments = sorted(Segment(*row[:4], tuple(sorted(row[4])), *row[5:]) for row in rows)
    levels = schedule.tables["levels"].select("begin_us", "end_us", "level", "share").rows()
    return GangSchedule(jobs, segments, [Level(*row) for row in levels], dict(schedule.run["counters"]))


def in_parts_form(schedule: Schedule) -> PartsSchedule:
    """Put an engine's schedule into the form with clusters."""
    clusters = dict(schedule.jobs.select("job", "cluster").rows())
    plain = in_oracles_form(schedule)
    jobs = {job: None if times is None else (clusters[job], times) for job, times in plain.jobs.items()}
    levels = schedule.tables["levels"].select("cluster", "begin_us", "end_us", "level", "share").rows()
    rows = schedule.allocations.select(
        *("cluster", "job", "slot", "begin_us", "end_us", "processor_ids", "rate", "work_us", "turn_us", "overhead_us")
    ).rows()
    segments = sorted((row[0], Segment(*row[1:5], tuple(sorted(row[5])), *row[6:])) for row in rows)
    return PartsSchedule(jobs, segments, [(row[0], Level(*row[1:])) for row in levels], plain.counters)


WAYS = Ways(by_oracle, in_form)


@dataclass(frozen=True)
class Worked:
    """What was worked out by hand, in seconds.

    ``times`` are start and finish of every job, None for a rejected one. ``matrices`` draw the Ousterhout matrix just
    after an instant: a row per slot, by number; a column per processor; the job's number where it is, ``.`` where free.
    ``sizes`` are the sizes of a job's segments in order; ``levels`` (begin, end, slots); ``work`` the work of a job's
    segments in order, in microseconds; ``counters`` those that were worked out.
    """

    times: tuple[Times, ...]
    matrices: dict[float, tuple[str, ...]] = field(default_factory=dict)
    sizes: dict[int, tuple[int, ...]] = field(default_factory=dict)
    work: dict[int, tuple[int, ...]] = field(default_factory=dict)
    levels: tuple[tuple[float, float, int], ...] | None = None
    counters: dict[str, int] = field(default_factory=dict)


def drawing(found: GangSchedule, processors: int, instant: float) -> tuple[str, ...]:
    """Draw the Ousterhout matrix of a schedule just after an instant."""
    there = [segment for segment in found.segments if segment.begin <= us(instant) < segment.end]
    rows = [["."] * processors for _ in range(1 + max((segment.slot for segment in there), default=-1))]
    for segment in there:
        for processor in segment.processors:
            assert rows[segment.slot][processor] == ".", "two jobs on one processor of a slot"
            rows[segment.slot][processor] = JOB_NUMBERS[segment.job]
    return tuple("".join(row) for row in rows)


def assert_worked(case: Case, found: GangSchedule, worked: Worked) -> None:
    """Hold a schedule against what was worked out by hand."""
    times = enumerate(worked.times, start=1)
    expected = {number: None if each is None else (us(each[0]), us(each[1])) for number, each in times}
    assert {job: ran and ran[:2] for job, ran in found.jobs.items()} == expected
    for instant, rows in worked.matrices.items():
        assert drawing(found, case.processors, instant) == rows
    for job, sizes in worked.sizes.items():
        assert tuple(len(segment.processors) for segment in found.segments if segment.job == job) == sizes
    for job, work in worked.work.items():
        assert tuple(s.work for s in sorted(found.segments, key=lambda s: (s.begin, s.slot)) if s.job == job) == work
    if worked.levels is not None:
        expected_levels = [(us(begin), us(end), level) for begin, end, level in worked.levels]
        assert [(row.begin, row.end, row.level) for row in found.levels] == expected_levels
    assert {name: found.counters[name] for name in worked.counters} == worked.counters
