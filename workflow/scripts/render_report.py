"""Render the report."""

from pathlib import Path

from reports.pages.render import render_report
from workflow.adapter import logged

with logged(snakemake.log[0]):
    folder = Path(snakemake.output.index).parent
    render_report(snakemake.input.store, snakemake.params.figures, folder, snakemake.params.provenance)
