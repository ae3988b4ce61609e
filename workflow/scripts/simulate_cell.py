"""Run and check a cell: every replication of a workload under a policy."""

from scheduler_core.simulation import run_cell
from workflow.adapter import logged

with logged(snakemake.log[0]):
    run_cell(snakemake.input.jobs, snakemake.params.policy, snakemake.params.parameters, snakemake.params.folder)
