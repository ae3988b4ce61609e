"""Make the workloads of a batch."""

from pathlib import Path

from scheduler_core.common.files import read_json, sha256_of
from traces.build import build_workloads
from workflow.adapter import logged
from workflow.stamps import write_stamp

with logged(snakemake.log[0]):
    log = next((read_json(path)["path"] for path in snakemake.input.location), None)
    files = build_workloads(Path(snakemake.params.root) / "workloads", snakemake.params.workloads, log)
    write_stamp(snakemake.output.stamp, {file: sha256_of(file) for file in files})
