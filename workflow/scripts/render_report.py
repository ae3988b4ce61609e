"""Render the report."""

from pathlib import Path

from reports.pages.render import render_report
from workflow.adapter import logged

with logged(snakemake.log[0]):
    folder = Path(snakemake.output.index).parent
    known = {name: snakemake.params[name] for name in ("studies", "require_logs")}
    figures, windows = folder.with_name("figures"), [Path(listed).parent for listed in snakemake.input.windows]
    render_report(snakemake.input.store, figures, windows, folder, {"root": str(folder.parent), **known})
