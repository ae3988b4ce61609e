"""Load the runs of a scale into the store."""

from reports.build import build_store
from scheduler_core.common.table_thread import in_table_thread
from workflow.adapter import logged

with logged(snakemake.log[0]):
    in_table_thread(lambda: build_store(snakemake.params.root, snakemake.params.studies, snakemake.output.store))
