"""A study of the project in miniature: its cells run on a few jobs, the store built and every figure drawn."""

import dataclasses
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from reports.build import build_store
from reports.figures.study import draw_study
from scheduler_core.common.files import write_json
from scheduler_core.contracts import read_replications, write_replications
from scheduler_core.declarations.policy import get_policy
from scheduler_core.runs.simulation import run_replications
from traces.build import build_workload
from traces.catalog import find_log
from traces.models import get_model
from workflow.plan import describe_study
from workflow.readings import Cell, Reading
from workflow.studies import Study, read_study

US = 1_000_000


def write_log(path: Path, jobs: int, processors: int) -> Path:
    """Write a log of jobs as the Lublin-Feitelson model draws them."""
    drawn = get_model("lublin", processors=processors).generate(jobs, np.random.default_rng(3)).jobs
    lines = [f"; MaxProcs: {processors}", "; UnixStartTime: 820454400", "; TimeZoneString: UTC"]
    for job in drawn.iter_rows(named=True):
        submit, run = job["submit_us"] // US, max(1, job["runtime_us"] // US)
        lines.append(f"{job['job']} {submit} 0 {run} {job['size']} -1 -1 {job['size']} {2 * run} -1 1 1 1 1 1 1 -1 -1")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def make_small(
    root: Path,
    study: Study,
    workloads: dict[str, dict[str, Any]],
    policies: Collection[str] | None = None,
    log: Path | None = None,
) -> Study:
    """Run the cells of some workloads of a study, changed as given, build the store and draw; return what was run.

    ``policies`` are those to run, all where they are left out; ``log`` is the file that workloads of a log read, but for the
    drawn log.
    """
    changed = {name: study.workloads[name].changed(**changes) for name, changes in workloads.items()}
    wanted = study.policies if policies is None else policies
    cells = [cell for cell in study.cells if cell[0] in changed and cell[1] in wanted]
    readings = [reading for reading in study.readings if runs_its_own(reading, study, cells)]
    small = dataclasses.replace(study, workloads=changed, cells=cells, readings=readings)
    for name, definition in changed.items():
        path = root / "workloads" / f"{name}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        built = build_workload(
            definition, name, study.file.seed, find_log("drawn") if definition.log_name == "drawn" else log
        )
        write_replications(path, built.workloads)
        write_json(path.with_suffix(".accounting.json"), built.accounting or {})
    read = cache(lambda name: read_replications(root / "workloads" / f"{name}.parquet"))
    for name, policy in cells:
        kind = study.policies[policy].policy
        run_replications(read(name), get_policy(kind.name, **kind.values()), root / "runs" / name / policy, name)
    build_store(root, [describe_study(small)], root / "store.duckdb")
    draw_study(root / "store.duckdb", Path(study.path).parent, root / "figures")
    return small


def runs_its_own(reading: Reading, study: Study, cells: Collection[Cell]) -> bool:
    """Return whether the store of some cells shows more under a reading than under the headline, or it is one itself.

    Claims would be judged again by what the headline shows, or by nothing.
    """
    headline = study.readings[0]
    own = {*reading.cells.values()} - {*headline.cells.values()}
    return reading is headline or reading.second_headline or bool(reading.metrics) or not own.isdisjoint(cells)


def make_written(root: Path, written: dict[str, Any], log: Path | None = None) -> Study:
    """Write a study to a folder of its name, and run all of it as :func:`make_small` does."""
    path = root / written["study"] / "study.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(yaml.safe_dump(written, sort_keys=False))
    study = read_study(path)
    return make_small(root, study, {name: {} for name in study.workloads}, log=log)
