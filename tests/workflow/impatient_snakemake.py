"""Snakemake that asks SLURM every second what became of its jobs.

The executor waits ten seconds longer after each time at which no job has ended, as is right for a cluster that many share: on a
machine of its own nearly all of a test's time would be these waits.
"""

from __future__ import annotations

import sys

from snakemake.cli import main
from snakemake_executor_plugin_slurm import Executor

SECONDS = 1

if __name__ == "__main__":
    Executor.next_seconds_between_status_checks = property(lambda executor: SECONDS, lambda executor, longer: None)
    sys.exit(main())
