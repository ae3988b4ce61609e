"""Run and check the cells of a batch: every replication of a workload under a policy."""

from pathlib import Path

from scheduler_core.runs.cells import Cell, run_cells
from workflow.adapter import logged

with logged(snakemake.log[0]):
    root = Path(snakemake.input.workloads[0]).parents[1]
    run_cells(root, [Cell(**cell) for cell in snakemake.params.cells])
