"""The totals of jobs' programs and their next statements: the checker's own implementation of the applications."""

from functools import cache
from typing import Any

import numpy as np
import polars as pl

from scheduler_core.checker.concurrent_gang import draws
from scheduler_core.checker.concurrent_gang.evidence import ConcurrentGangEvidence
from scheduler_core.checker.evidence import aligned
from scheduler_core.common.units import NS_PER_US

TOTALS = dict.fromkeys(("compute_ns", "message_ns", "disk_ns", "messages", "barriers", "requests"), pl.Int64)
"""What a job has done by its end."""


@cache
def exponential() -> np.ndarray:
    """Return the parts of the exponential distribution."""
    return draws.parts_of_the_exponential()


def program_of(job: dict[str, Any]) -> draws.Program:
    """Return what the draws of a job depend on; without an application, nothing is drawn."""
    return draws.Program(
        seed=job["seed"] or 0,
        size=job["size"],
        work=job["work_ns"],
        mean=(job["burst_us"] or 0) * NS_PER_US,
        disk=(job["disk_us"] or 0) * NS_PER_US,
        imbalance=round((job["imbalance"] or 0) * draws.ONE),
        most_tasks=job["most_tasks"] or 0,
        parts=exponential() if job["spread"] == "exponential" else exponential()[:0],
    )


def totals(evidence: ConcurrentGangEvidence, jobs: pl.DataFrame) -> pl.DataFrame:
    """Return what jobs have done by their end, in their order; for a job that has not ended, the most it may do."""
    rows = [total(evidence, job) for job in jobs.iter_rows(named=True)]
    found = pl.DataFrame(rows, schema=TOTALS, orient="row")
    written = aligned(jobs.select("job"), totals_of_programs(evidence), "job")
    kind = jobs.select(program=pl.col("application").cast(pl.String) == "program")["program"].fill_null(False)
    return found.select(pl.when(kind).then(written[name]).otherwise(pl.col(name)).alias(name) for name in TOTALS)


def total(evidence: ConcurrentGangEvidence, job: dict[str, Any]) -> tuple[int, ...]:
    """Return what a job with drawn statements has done by its end."""
    program, facts, kind = program_of(job), evidence.facts, job["application"]
    size, whole = program.size, program.size * program.work
    network = np.array([facts.overhead_ns, facts.latency_ns, facts.baseline_ns])
    sums, own, seen = np.zeros(3, np.int64), np.zeros(size, np.uint64), np.zeros((2, size), np.int64)
    if not job["ended"] or kind in ("compute", None, "program"):
        return whole, 0, 0, 0, 0, 0
    if kind == "io":
        draws.bursts(program, sums)
        return int(sums[0]), 0, int(sums[1]), 0, 0, int(sums[2])
    if kind == "messages":
        draws.messages(program, network, own, seen, sums)
        count = int(sums[1])
        return int(sums[0]), 2 * facts.overhead_ns * count, 0, count, 0, 0
    if kind == "supersteps":
        draws.supersteps(program, network, own, seen[0], sums)
        steps = int(sums[1])
        return int(sums[0]), 2 * facts.overhead_ns * size * steps, 0, size * steps, steps, 0
    if kind == "barriers":
        steps = draws.steps_between_barriers(program, facts.baseline_ns)
        return whole - size * steps * facts.baseline_ns, 0, 0, 0, steps, 0
    return whole, 0, 0, 0, draws.phases(program, 0, np.zeros((0, size), np.int64)), 0


def totals_of_programs(evidence: ConcurrentGangEvidence) -> pl.DataFrame:
    """Return what the jobs with written statements have done by their end."""
    statement = pl.col("statement").cast(pl.String)
    time = pl.col("time_us") * NS_PER_US
    communicates = statement.is_in(["send", "receive"]).sum() * evidence.facts.overhead_ns
    return (
        evidence.companion("programs")
        .group_by("job", maintain_order=True)
        .agg(
            compute_ns=time.filter(statement == "compute").sum(),
            message_ns=communicates,
            disk_ns=time.filter(statement == "disk").sum(),
            messages=(statement == "receive").sum(),
            barriers=((statement == "barrier") & (pl.col("task") == 0)).sum(),
            requests=(statement == "disk").sum(),
        )
        .cast(TOTALS)  # type: ignore[arg-type]
    )
