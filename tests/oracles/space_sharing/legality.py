"""Brute-force check that a space-sharing schedule is legal, from the jobs and their times alone."""

from __future__ import annotations

from collections.abc import Mapping

from tests.oracles.space_sharing.oracle import Job


def violations(jobs: list[Job], processors: int, schedule: Mapping[int, tuple[int, int] | None]) -> list[str]:
    """List in words every rule of the machine or the workload that a schedule breaks; a legal one gives none.

    Each job appears once; exactly those larger than the machine are rejected; nobody starts before its
    submission; each job stays for ``min(runtime, estimate)``; never are more processors held than there are.
    """
    found = []
    submitted = sorted(job.job for job in jobs)
    if sorted(schedule) != submitted:
        found.append(f"jobs {sorted(schedule)} are scheduled, jobs {submitted} were submitted")
    placed = [(job, schedule[job.job]) for job in jobs if schedule.get(job.job) is not None]
    too_large = {job.job for job in jobs if job.size > processors}
    rejected = {number for number, times in schedule.items() if times is None}
    if rejected != too_large:
        found.append(f"rejected are {sorted(rejected)}, too large are {sorted(too_large)}")
    for job, (start, finish) in placed:
        if start < job.submit:
            found.append(f"job {job.job} starts at {start}, before its submission at {job.submit}")
        if finish - start != min(job.runtime, job.estimate):
            found.append(f"job {job.job} runs for {finish - start}, not for {min(job.runtime, job.estimate)}")
    for instant in sorted({start for _, (start, _) in placed}):
        held = sum(job.size for job, (start, finish) in placed if start <= instant < finish)
        if held > processors:
            found.append(f"at {instant} jobs hold {held} of {processors} processors")
    return found
