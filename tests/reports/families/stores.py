"""Schedules worked by hand, written as the pipeline leaves them: run folders, a store of them, and their page."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from reports.build import build_store
from reports.measure.loading import load_families
from reports.pages import contexts, render
from reports.pages.diagram_page import draw_windows, family_pages
from scheduler_core.common.files import write_json
from scheduler_core.contracts import Schedule, Workload, write_replications
from scheduler_core.declarations.policy import Policy
from tests.cells import run_cell
from tests.paths import PROJECT
from workflow.policies import StudyPolicy

SCHEMA = PROJECT / "reports" / "measure" / "sql" / "schema.sql"


def write_tables(folder: Path, made: Schedule) -> None:
    """Write the tables of a run."""
    folder.mkdir(parents=True, exist_ok=True)
    zero = pl.lit(0, dtype=pl.Int16).alias("replication")
    for name, table in {"jobs": made.jobs, "allocations": made.allocations, **made.tables}.items():
        table.select(zero, pl.all()).write_parquet(folder / f"{name}.parquet")


def write_run(folder: Path, made: Schedule) -> Path:
    """Write what a diagram reads of a run; return its folder."""
    write_tables(folder, made)
    note = {
        "policy": made.run["policy"],
        "family": made.family.name,
        "machine": made.machine.as_dict(),
        "replications": [],
    }
    (folder / "run.json").write_text(json.dumps(note))
    return folder


def window_of(read_window: Callable[..., Any], made: Schedule, *window: Any, **options: Any) -> Any:
    """Return a window of a schedule, as a diagram reads it from its run."""
    with tempfile.TemporaryDirectory() as folder:
        return read_window(write_run(Path(folder) / "runs" / "workload" / "policy", made), *window, **options)


def write_store(
    root: Path, study: str, runs: dict[tuple[str, str], Schedule], shown: Callable[[str], bool] = lambda workload: True
) -> Path:
    """Write a store with a run of each workload and policy beside it; the study shows the workloads that are ``shown``."""
    root.mkdir(parents=True, exist_ok=True)
    with duckdb.connect(str(root / "slotwise.duckdb")) as connection:
        connection.execute(SCHEMA.read_text())
        load_families(connection)
        connection.execute(
            "INSERT INTO studies VALUES (?, 'By hand', 'Who runs where?', NULL, NULL, [], '{}', 0)", [study]
        )
        for position, ((workload, policy), made) in enumerate(runs.items()):
            write_run(root / "runs" / workload / policy, made)
            connection.execute(
                "INSERT OR IGNORE INTO workloads (workload, label, kind, source, processors, replications, jobs, missing) "
                "VALUES (?, ?, 'model', ?, ?, 1, ?, false)",
                [workload, f"Worked <{workload}>", workload, made.machine.processors, made.jobs.height],
            )
            connection.execute(
                "INSERT INTO policies (policy, label, family, position) VALUES (?, ?, ?, ?)",
                [policy, policy.capitalize(), made.family.name, position],
            )
            connection.execute(
                "INSERT INTO runs (workload, policy, replication, jobs) VALUES (?, ?, 0, ?)",
                [workload, policy, made.jobs.height],
            )
            if shown(workload):
                connection.execute("INSERT INTO cells VALUES (?, ?, ?, ?)", [study, workload, policy, position])
    return root / "slotwise.duckdb"


def simulate_store(root: Path, workloads: dict[str, Workload], policies: dict[tuple[str, str], Policy]) -> Path:
    """Run policies on workloads as the pipeline does, and build their store; a policy has an id in each cell."""
    described = {}
    for name, workload in workloads.items():
        file = root / "workloads" / f"{name}.parquet"
        file.parent.mkdir(parents=True, exist_ok=True)
        write_replications(file, [workload])
        write_json(file.with_suffix(".accounting.json"), {})
    for (name, policy), chosen in policies.items():
        run_cell(root / "workloads" / f"{name}.parquet", chosen.name, chosen.values(), root / "runs" / name / policy)
        described[policy] = StudyPolicy(chosen.name, policy.capitalize(), False, chosen).described()
    study = {
        "study": "inside", "title": "Inside", "question": "What happens?", "versus": None, "claims": [], "policies": described,
        "workloads": {name: {"label": f"Worked <{name}>", "model": {"name": name}} for name in workloads},
        "cells": list(policies), "shown": list(policies),
    }  # fmt: skip
    build_store(root, [study], root / "slotwise.duckdb")
    return root / "slotwise.duckdb"


def study_again(connection: duckdb.DuckDBPyConnection) -> None:
    """Let another study of a store show what its study shows."""
    for table in ("studies", "cells"):
        connection.execute(f"INSERT INTO {table} SELECT * REPLACE ('again' AS study) FROM {table}")


def write_page(store: Path) -> Path:
    """Write the page of schedules of a store beside it; return it."""
    out = store.parent / "report"
    render.write_assets(out / "assets")
    for family in family_pages():
        draw_windows(store, family, out / "schedules" / family)
    context = contexts.schedules(out / "schedules", store.parent.as_posix())
    render.write_page(render.environment(), out, [], "schedules.html", "schedules.html", context)
    return out / "schedules.html"
