"""Draw the figures of a study."""

from reports.figures.study import draw_study
from workflow.adapter import logged

with logged(snakemake.log[0]):
    draw_study(snakemake.input.store, snakemake.params.study, snakemake.params.out)
