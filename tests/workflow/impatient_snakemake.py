"""Snakemake that asks SLURM for the state of its jobs every second.

On a shared cluster, the executor rightly waits ten seconds longer after each query in which no job has ended. A test would spend
nearly all its time waiting.
"""

import sys

from snakemake.cli import main
from snakemake_executor_plugin_slurm import Executor

SECONDS = 1

if __name__ == "__main__":
    Executor.next_seconds_between_status_checks = property(lambda executor: SECONDS, lambda executor, longer: None)
    sys.exit(main())
