"""What a run of the pipeline leaves on disk, written by hand: workloads and runs of a few jobs."""

import json
from pathlib import Path
from typing import Any

import polars as pl

from scheduler_core.common.files import write_json
from scheduler_core.contracts import JOBS_COLUMNS, WORKLOAD_COLUMNS, Machine, Workload, write_replications

SECOND = 1_000_000
Job = tuple[float, float, float, int]
"""Submission, run time, estimate (seconds) and processors."""


def write_workload(root: Path, name: str, replications: list[list[Job]], processors: int = 4) -> None:
    """Write a workload's parquet file and, empty, its accounting."""
    workloads = []
    for jobs in replications:
        rows = [
            (n + 1, *(round(SECOND * t) for t in (submit, run, estimate)), size)
            for n, (submit, run, estimate, size) in enumerate(jobs)
        ]
        frame = pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row")
        workloads.append(Workload(frame, Machine(processors, "tiny"), {"source": name}))
    write_replications(root / "workloads" / f"{name}.parquet", workloads)
    note = {"comments": 2, "kept": len(replications[0]), "repaired": {"estimate_raised": 1}, "rejected": {}}
    write_json(root / "workloads" / f"{name}.accounting.json", note)


def write_run(
    root: Path, workload: str, policy: str, replications: list[list[Job]], starts: list[list[float | None]]
) -> None:
    """Write a run's files from the start of each job in seconds; ``None`` is a rejected job."""
    frames, notes = [], []
    for number, (jobs, at) in enumerate(zip(replications, starts, strict=True)):
        rows = []
        for n, ((submit, run, estimate, size), start) in enumerate(zip(jobs, at, strict=True)):
            times = [round(SECOND * t) for t in (submit, run, estimate)]
            begin = None if start is None else round(SECOND * start)
            finish = None if begin is None else begin + min(times[1], times[2])
            outcome = "rejected" if start is None else "killed" if run > estimate else "finished"
            rows.append((n + 1, *times, size, begin, finish, 0 if start is None else size, 0, 0, outcome))
        frame = pl.DataFrame(rows, schema=JOBS_COLUMNS, orient="row")
        frames.append(frame.select(pl.lit(number, dtype=pl.Int16).alias("replication"), pl.all()))
        count = {kind: sum(row[-1] == kind for row in rows) for kind in ("finished", "killed", "rejected")}
        digests = {"workload_digest": "w", "schedule_digest": "s"}
        notes.append({"replication": number, "jobs": len(rows), **count, **digests, "counters": {"passes": 7}})
    folder = root / "runs" / workload / policy
    folder.mkdir(parents=True)
    pl.concat(frames).write_parquet(folder / "jobs.parquet")
    write_json(folder / "run.json", {"policy": {"name": policy}, "workload": workload, "replications": notes})
    rules = [{"rule": "starts after submission", "checked": len(replications[0]), "violations": 0}]
    certificates = [{"replication": n, "intervals": 1, "rules": rules} for n in range(len(replications))]
    write_json(folder / "certificate.json", {"legal": True, "replications": certificates})
    timing = [{"kernel_s": 0.5, "wall_s": 1.0} for _ in replications]
    write_json(folder / "timing.json", {"replications": timing})


def described_policy(name: str, family: str = "space_sharing", **changes: Any) -> dict[str, Any]:
    """Describe a policy as the plan does."""
    own = {"label": name.upper(), "name": name, "family": family, "parameters": {"x": 1}, "measures": [], "source": "S"}
    return own | changes


def study(cells: list[tuple[str, str]], **changes: Any) -> dict[str, Any]:
    """Describe a study of the cells: workloads called ``model...`` are models, the others logs."""
    workloads = {w: {"label": w.upper(), "log": w} for w, _ in cells}
    for name in workloads:
        if name.startswith("model"):
            workloads[name] = {"label": name, "model": "lublin", "load": 0.5}
    policies = {p: described_policy(p) for _, p in cells}
    described = {"study": "tiny", "title": "Tiny", "question": "What?", "workloads": workloads}
    described |= {"policies": policies, "cells": cells, "versus": "easy", "fair": "fair_start", "claims": []}
    return json.loads(json.dumps(described)) | changes


THREE: list[Job] = [(0, 100, 100, 3), (10, 50, 60, 2), (20, 10, 10, 1)]
"""Three jobs for four processors: under FCFS they start at 0, 100 and 100, under a fair plan at 0, 100 and 20."""
FCFS = [0.0, 100.0, 100.0]
FAIR = [0.0, 100.0, 20.0]


def write_three(root: Path) -> dict[str, Any]:
    """Write the three jobs as a model run under ``easy`` (served as FCFS) and ``fair_start``."""
    write_workload(root, "model", [THREE])
    write_run(root, "model", "easy", [THREE], [FCFS])
    write_run(root, "model", "fair_start", [THREE], [FAIR])
    return study([("model", "easy"), ("model", "fair_start")])
