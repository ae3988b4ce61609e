"""Make a workload and write its replications and its accounting."""

from scheduler_core.contracts import write_replications
from scheduler_core.files import read_json, write_json
from traces.build import build_workload
from workflow.adapter import logged

with logged(snakemake.log[0]):
    paths = [read_json(path)["path"] for path in snakemake.input.location]
    workloads, accounting = build_workload(
        snakemake.params.definition, snakemake.params.workload, snakemake.params.seed, next(iter(paths), None)
    )
    write_replications(snakemake.output.jobs, workloads)
    write_json(snakemake.output.accounting, accounting or {})
