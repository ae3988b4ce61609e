"""Run and check the cells of a batch: every replication of a workload under a policy."""

from scheduler_core.common.table_thread import in_table_thread
from scheduler_core.runs.cells import Cell, run_cells
from workflow.adapter import logged
from workflow.stamps import write_stamp

with logged(snakemake.log[0]):
    cells = [Cell(**cell) for cell in snakemake.params.cells]
    files = in_table_thread(lambda: run_cells(snakemake.params.root, cells))
    write_stamp(snakemake.output.stamp, files)
