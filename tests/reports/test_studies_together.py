"""Runs of every family stand in one store: what is measured of one family leaves the runs of the others as they are."""

import duckdb
import pytest
import yaml

from reports.build import build_store
from scheduler_core.common.files import write_json
from scheduler_core.contracts import write_replications
from scheduler_core.declarations.policy import policies_by_family
from tests.cells import run_cell
from tests.paths import PROJECT
from traces.build import build_workload
from workflow.plan import Plan

CELLS = [
    ["lublin-load-090", "easy"],
    ["batch-small", "gang-ffd"],
    ["example-slices", "example-pect"],
    ["case-1", "scojo_pri"],
    ["shape-mosaic", "grid_heft"],
    ["cascade", "cascade-rr"],
    ["cascade-last", "cascade-prio"],
]
"""Of the studies' miniatures, a short one of each family at least; the last two end before their jobs have."""


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    root = tmp_path_factory.mktemp("together")
    scale = Plan(yaml.safe_load((PROJECT / "config" / "config.yaml").read_text()), PROJECT).scales["results/quick"]
    for name, policy in CELLS:
        path = root / "workloads" / f"{name}.parquet"
        built = build_workload(scale.workloads[name], name, scale.seeds[name])
        write_replications(path, built.workloads)
        write_json(path.with_suffix(".accounting.json"), {})
        chosen = scale.policies[policy].policy
        run_cell(path, chosen.name, chosen.values(), root / "runs" / name / policy)
    studies = [only(study) for study in scale.described]
    build_store(root, [study for study in studies if study["cells"]], root / "slotwise.duckdb")
    with duckdb.connect(str(root / "slotwise.duckdb"), read_only=True) as connection:
        yield connection


def only(study):
    """Return what is left of a study with those cells alone."""
    cells = [cell for cell in study["cells"] if list(cell) in CELLS]
    made = {workload for workload, _ in cells}
    workloads = {name: entry for name, entry in study["workloads"].items() if name in made}
    return {**study, "cells": cells, "shown": cells, "workloads": workloads, "claims": [], "readings": [], "page": None}


def test_runs_of_all_families_are_measured(store):
    measured = store.execute("SELECT DISTINCT family FROM measurements JOIN policies USING (policy)").fetchall()
    assert {family for (family,) in measured} == set(policies_by_family())
    assert store.execute("SELECT count(DISTINCT (workload, policy)) FROM intervals").fetchone() == (len(CELLS),)


def test_only_runs_that_end_have_a_makespan(store):
    found = store.execute(
        "SELECT workload FROM measurements WHERE metric = 'makespan_over_bound' ORDER BY ALL"
    ).fetchall()
    assert ("batch-small",) in found
    assert not {("cascade",), ("cascade-last",)} & set(found)
