"""Make the workloads of a batch, and write the replications and the accounting of each."""

from pathlib import Path

from scheduler_core.common.files import read_json, sha256_of, write_json
from scheduler_core.contracts import write_replications
from traces.build import build_workload
from workflow.adapter import logged
from workflow.stamps import write_stamp

with logged(snakemake.log[0]):
    folder = Path(snakemake.params.root) / "workloads"
    log = next((read_json(path)["path"] for path in snakemake.input.location), None)
    made = []
    for name, entry in snakemake.params.workloads.items():
        definition = {key: value for key, value in entry.items() if key != "seed"}
        workloads, accounting = build_workload(definition, name, entry["seed"], log)
        write_replications(folder / f"{name}.parquet", workloads)
        write_json(folder / f"{name}.accounting.json", accounting or {})
        made += sorted(folder.glob(f"{name}.*"))
    write_stamp(snakemake.output.stamp, {file: sha256_of(file) for file in made})
