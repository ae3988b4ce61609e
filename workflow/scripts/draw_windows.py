"""Draw the windows of a family's schedules."""

from pathlib import Path

from reports.pages.diagram_page import draw_windows
from workflow.adapter import logged

with logged(snakemake.log[0]):
    draw_windows(snakemake.input.store, snakemake.wildcards.family, Path(snakemake.output.listed).parent)
