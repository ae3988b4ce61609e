"""From attempts to jobs: the last attempt of each job, clocks that went back, and lines that are no jobs."""

from collections.abc import Iterable
from itertools import product

from traces.dumps.attempt import COMPLETED, ELSEWHERE, UNFINISHED, UNKNOWN, UNSTATED, Attempt, Instant, Job
from traces.dumps.rules import Ledger

HOUR = 3600


def judge(attempts: Iterable[Attempt], ledger: Ledger, *, zone_known: bool) -> list[Job]:
    """Return the jobs of some attempts, in the order of submission, and put every attempt down in the ledger.

    Jobs submitted in the same second keep the order of the dump. ``zone_known`` says that local times are of a known
    time zone, so that no hour can be missing between two of them.
    """
    jobs = []
    for attempt in last_attempts(attempts, ledger):
        rule = reason_to_reject(attempt)
        if rule:
            ledger.put(attempt.line, rule)
            continue
        job = job_of(attempt, zone_known)
        if job is None:
            ledger.put(attempt.line, "end_before_start")
            continue
        ledger.keep(attempt.line, job.repairs)
        jobs.append(job)
    return sorted(jobs, key=lambda job: (job.submit, job.attempt.line))


def last_attempts(attempts: Iterable[Attempt], ledger: Ledger) -> list[Attempt]:
    """Return the last attempt of each job, by submission and then by line; put the others down as earlier ones."""
    last: dict[tuple[str, ...], Attempt] = {}
    for attempt in attempts:
        other = last.get(attempt.key)
        if other is None:
            last[attempt.key] = attempt
            continue
        earlier, later = sorted((other, attempt), key=lambda one: ((one.submit or (0,))[0], one.line))
        ledger.put(earlier.line, "earlier_attempt")
        last[attempt.key] = later
    return list(last.values())


def reason_to_reject(attempt: Attempt) -> str:
    """Return the rule that an attempt breaks before its times are compared; empty if there is none."""
    if attempt.status == ELSEWHERE:
        return "other_machine"
    if attempt.status == UNFINISHED:
        return "not_finished"
    if attempt.submit is None:
        return "no_submit"
    if attempt.start is None:
        return "no_start" if attempt.status in (COMPLETED, UNSTATED) else ""
    if attempt.end is None and attempt.elapsed is None:
        return "no_end"
    if not (attempt.allocated or attempt.requested):
        return "no_processors"
    return ""


def job_of(attempt: Attempt, zone_known: bool) -> Job | None:
    """Return the job of an attempt; None when it ends before it starts and no duration says otherwise."""
    if attempt.submit is None:  # ruled out by reason_to_reject
        return None
    repairs = set(attempt.repairs)
    if attempt.start is None:
        submit = attempt.submit[0]
        wait = max(attempt.end[-1] - submit, 0) if attempt.end else UNKNOWN
        return Job(attempt, submit, wait, UNKNOWN, UNKNOWN, ordered(repairs))
    submit, start, end = choose(attempt.submit, attempt.start, attempt.end, attempt.elapsed)
    if (submit, start) != (attempt.submit[0], attempt.start[0]) or (attempt.end and end != attempt.end[0]):
        repairs.add("clock_went_back")
    runtime = run_time(attempt, start, end, zone_known, repairs)
    if runtime is None:
        return None
    if submit > start:
        repairs.add("submit_after_start")
        submit = start
    allocated = attempt.allocated or 0
    if allocated <= 0:
        repairs.add("requested_processors")
        allocated = attempt.requested or 0
    return Job(attempt, submit, start - submit, runtime, allocated, ordered(repairs))


def choose(submit: Instant, start: Instant, end: Instant | None, elapsed: int | None) -> tuple[int, int, int | None]:
    """Return the submission, start and end of an attempt: where a clock went back, those that agree best.

    An end that differs from start and duration counts most, then a start before the submission, then an end before the start.
    Among equals the earlier times are taken.
    """
    if len(submit) == len(start) == len(end or (0,)) == 1:
        return submit[0], start[0], end[0] if end else None

    def disagreement(times: tuple[int, int, int | None]) -> tuple[bool, bool, bool]:
        first, second, third = times
        known = third is not None
        differs = known and elapsed is not None and third - second != elapsed  # type: ignore[operator]
        return differs, second < first, known and third < second  # type: ignore[operator]

    ends: tuple[int | None, ...] = end or (None,)
    return min(product(submit, start, ends), key=disagreement)


def run_time(attempt: Attempt, start: int, end: int | None, zone_known: bool, repairs: set[str]) -> int | None:
    """Return the run time in seconds and add how it was repaired; None if the end is before the start.

    The run time is the end minus the start, as the Standard Workload Format defines it; a duration without the time that a job
    was suspended does not replace it.
    """
    elapsed = attempt.elapsed
    if end is None:
        repairs.add("end_from_elapsed")
        return elapsed
    if elapsed is not None and attempt.local and elapsed - (end - start) == HOUR:
        repairs.add("clock_went_back")
        return elapsed
    if elapsed is not None and attempt.local and not zone_known and end - start - elapsed == HOUR:
        repairs.add("clock_went_forward")
        return elapsed
    if end >= start:
        return end - start
    if elapsed is not None:
        repairs.add("end_from_elapsed")
    return elapsed


def ordered(repairs: set[str]) -> tuple[str, ...]:
    """Return repairs in a fixed order."""
    return tuple(sorted(repairs))
