"""Make the workloads of a batch, and write the replications and the accounting of each."""

from pathlib import Path

from scheduler_core.common.files import read_json, write_json
from scheduler_core.contracts import write_replications
from traces.build import build_workload
from workflow.adapter import logged

with logged(snakemake.log[0]):
    folder = Path(snakemake.output[0]).parent
    paths = [read_json(path)["path"] for path in snakemake.input.location]
    for name, entry in snakemake.params.workloads.items():
        definition = {key: value for key, value in entry.items() if key != "seed"}
        workloads, accounting = build_workload(definition, name, entry["seed"], next(iter(paths), None))
        write_replications(folder / f"{name}.parquet", workloads)
        write_json(folder / f"{name}.accounting.json", accounting or {})
