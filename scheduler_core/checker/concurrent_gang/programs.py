"""The totals of jobs' programs and their next statements: the checker's own implementation of the applications."""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl

from scheduler_core.checker.concurrent_gang import draws
from scheduler_core.checker.concurrent_gang.evidence import NS_PER_US, ConcurrentGangEvidence
from scheduler_core.checker.evidence import aligned

TOTALS = {
    "compute_ns": pl.Int64,
    "message_ns": pl.Int64,
    "disk_ns": pl.Int64,
    "messages": pl.Int64,
    "barriers": pl.Int64,
    "requests": pl.Int64,
}
"""What a job has done by its end."""

MILLIONTHS_OF_TWO = 1 << 20


@cache
def exponential() -> np.ndarray:
    """Return the parts of the exponential distribution."""
    return draws.parts_of_the_exponential()


def parts(job: dict[str, object]) -> np.ndarray:
    """Return the parts from which a job's lengths are drawn; none if they are constant."""
    return exponential() if job["spread"] == "exponential" else exponential()[:0]


def imbalance(job: dict[str, object]) -> int:
    """Return the imbalance of a job's supersteps in units of 2^-20."""
    return round(job["imbalance"] * MILLIONTHS_OF_TWO)  # type: ignore[operator]


def totals(evidence: ConcurrentGangEvidence, jobs: pl.DataFrame) -> pl.DataFrame:
    """Return what jobs have done by their end, in their order; for a job that has not ended, the most it may do."""
    rows = [total(evidence, job) for job in jobs.iter_rows(named=True)]
    found = pl.DataFrame(rows, schema=TOTALS, orient="row")
    written = aligned(jobs.select("job"), totals_of_programs(evidence), "job")
    kind = jobs.select(program=pl.col("application").cast(pl.String) == "program")["program"].fill_null(False)
    return found.select(pl.when(kind).then(written[name]).otherwise(pl.col(name)).alias(name) for name in TOTALS)


def total(evidence: ConcurrentGangEvidence, job: dict[str, object]) -> tuple[int, ...]:
    """Return what a job with drawn statements has done by its end."""
    size, work, seed = int(job["size"]), int(job["work_ns"]), job["seed"]  # type: ignore[call-overload]
    facts, kind = evidence.facts, job["application"]
    network = np.array([facts.overhead_ns, facts.latency_ns, facts.baseline_ns])
    sums, each = np.zeros(3, np.int64), (np.zeros(size, np.uint64), *np.zeros((2, size), np.int64))
    mean = int(job["burst_us"] or 0) * NS_PER_US  # type: ignore[call-overload]
    if not job["ended"] or kind in ("compute", None, "program"):
        return size * work, 0, 0, 0, 0, 0
    if kind == "io":
        means = np.array([mean, int(job["disk_us"]) * NS_PER_US])  # type: ignore[call-overload]
        draws.bursts(seed, size, work, means, parts(job), sums)
        return int(sums[0]), 0, int(sums[1]), 0, 0, int(sums[2])
    if kind == "messages":
        draws.messages(seed, work, mean, network[:2], parts(job), *each, sums)
        count = int(sums[1])
        return int(sums[0]), 2 * facts.overhead_ns * count, 0, count, 0, 0
    if kind == "supersteps":
        draws.supersteps(seed, work, mean, imbalance(job), network, parts(job), *each[:2], sums)
        steps = int(sums[1])
        return int(sums[0]), 2 * facts.overhead_ns * size * steps, 0, size * steps, steps, 0
    none = np.zeros((0, size), np.int64)
    count = draws.phases(seed, size, size * work, mean, job["most_tasks"], 0, parts(job), none)
    return size * work, 0, 0, 0, count, 0


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
