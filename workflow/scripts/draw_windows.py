"""Draw the windows of a family's schedules."""

from pathlib import Path

from reports.pages.diagram_page import draw_windows
from scheduler_core.common.table_thread import in_table_thread
from workflow.adapter import logged

with logged(snakemake.log[0]):
    folder = Path(snakemake.output.listed).parent
    family, every_job = snakemake.wildcards.family, snakemake.params.every_job
    in_table_thread(lambda: draw_windows(snakemake.input.store, family, folder, every_job=every_job))
