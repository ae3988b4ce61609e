"""Write down where a job log is, or why it is missing."""

from scheduler_core.files import write_json
from traces.fetch import locate
from workflow.adapter import logged

with logged(snakemake.log[0]):
    location = locate(snakemake.params.name, required=snakemake.params.required)
    write_json(snakemake.output.location, location)
