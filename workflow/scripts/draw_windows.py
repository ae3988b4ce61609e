"""Draw the windows of a family's schedules."""

from pathlib import Path

from reports.pages.diagram_page import draw_windows
from scheduler_core.common.table_thread import in_table_thread
from workflow.adapter import logged

with logged(snakemake.log[0]):
    folder = Path(snakemake.output.listed).parent
    in_table_thread(lambda: draw_windows(snakemake.input.store, snakemake.wildcards.family, folder))
