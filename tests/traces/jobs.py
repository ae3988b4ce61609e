"""Workloads of plain jobs, for tests of single columns."""

import numpy as np
import polars as pl

from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload

MACHINE = Machine(128)


def workload_of(count, machine=MACHINE, **columns):
    """Return jobs of one processor, a second apart, that run for a second; ``columns`` replaces and adds columns."""
    numbers = np.arange(count)
    plain = {"job": numbers + 1, "submit_us": numbers * 10**6, "runtime_us": 10**6, "estimate_us": 10**6, "size": 1}
    return Workload(pl.DataFrame({**plain, **columns}, schema_overrides=WORKLOAD_COLUMNS), machine)
