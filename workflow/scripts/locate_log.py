"""Write where a job log is, or why it is missing."""

from scheduler_core.common.files import write_json
from workflow.adapter import logged
from workflow.logs import locate_log

with logged(snakemake.log[0]):
    location = locate_log(snakemake.params.name, require=snakemake.params.required)
    write_json(snakemake.output.location, location)
