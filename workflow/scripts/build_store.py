"""Load the runs of a scale into the store."""

from reports.build import build_store
from workflow.adapter import logged

with logged(snakemake.log[0]):
    build_store(snakemake.params.root, snakemake.params.studies, snakemake.output.store)
