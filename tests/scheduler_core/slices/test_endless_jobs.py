"""A job that would be cut into more allocations than a schedule can sensibly have is refused at once, and named."""

from dataclasses import replace

import polars as pl
import pytest

from scheduler_core import simulate
from scheduler_core.common.errors import ParameterError
from scheduler_core.slices.engine import refuse_endless_jobs
from scheduler_core.slices.policies.pect import Pect

CENTURIES_US = 9_999_999_999 * 10**6


def with_endless(workload, job, size):
    """Return the workload with one job that runs for 317 years on so many processors."""
    chosen = pl.col("job") == job
    jobs = workload.jobs.with_columns(
        *(pl.when(chosen).then(CENTURIES_US).otherwise(name).alias(name) for name in ("runtime_us", "estimate_us")),
        pl.when(chosen).then(size).otherwise("size").cast(workload.jobs.schema["size"]).alias("size"),
    )
    return replace(workload, jobs=jobs)


@pytest.mark.parametrize("policy", ["pect", "pect_o"])
def test_the_job_is_named_with_what_to_do(small_workload, policy):
    with pytest.raises(
        ParameterError, match=r"job 2 runs for 9,999,999,999 s, which is 2,777,777 .* longer interval_s"
    ):
        simulate(with_endless(small_workload, 2, 8), policy)


def test_other_jobs_are_not_refused(small_workload):
    refuse_endless_jobs(Pect(), small_workload.jobs)
    simulate(with_endless(small_workload, 2, 9), "pect")  # the machine rejects it
    refuse_endless_jobs(Pect(interval_s=86_400.0), with_endless(small_workload, 2, 8).jobs)
