"""Companion tables through the pipeline: declared, written, read by cells, made anew when a file of slowdowns is edited."""

import json
from pathlib import Path

import jsonschema
import polars as pl
import pytest
import yaml

from scheduler_core.common.errors import StudyError
from scheduler_core.contracts import read_replications
from tests.workflow.tiny_project import MISSING, cells_run, copy_project, dry_run, run, write_study
from workflow.batches import batch_workloads
from workflow.schema import schemas
from workflow.studies import read_study

STUDY = f"""\
study: tiny
title: A tiny study
question: Do companion tables reach the cells?
seed: 7
workloads:
  by-hand:
    log: tiny.swf
    behaviour: {{model: lomarc, by: user}}
    slowdowns: {{file: mine.csv, by: executable}}
    policies: [measured, formula]
  model: &model
    model: lublin
    processors: 16
    jobs: 40
    replications: 2
    behaviour: lomarc
    policies: [easy, formula]
  loaded: {{<<: *model, jobs_of: model, load: 1.5, label: loaded}}
  gone: {{log: {MISSING}, behaviour: lomarc, policies: [formula]}}
  cases: {{model: scojo_cases, set: {{case: 1}}, policies: [shares]}}
policies:
  easy: {{}}
  measured: {{uses: lomarc_r, slowdown: table, label: By a table}}
  formula: {{uses: lomarc_r}}
  shares: {{uses: scojo_pricob, slowdown: table}}
"""

SLOWDOWNS = "job,beside,slowdown\n1,1,1.2\n1,other,1.3\nother,1,1.4\nother,other,1.5\n"

TABLES = {
    "by-hand": ["behaviour", "slowdowns"],
    "model": ["behaviour"],
    "loaded": ["behaviour"],
    "gone": ["behaviour"],
    "cases": ["behaviour", "shares", "slowdowns"],
}

CELLS = [
    *((name, "formula") for name in ("by-hand", "model", "loaded", "gone")),
    *((name, "easy") for name in ("model", "loaded")),
    ("by-hand", "measured"),
    ("cases", "shares"),
]

RUNS = ("--until", "simulate_cells")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished project of jobs that share processors; its report is left out."""
    folder = copy_project(tmp_path_factory.mktemp("companions") / "project")
    (folder / "mine.csv").write_text(SLOWDOWNS)
    write_study(folder / "studies", STUDY)
    run(folder, "--cores", "2", *RUNS)
    return folder


@pytest.mark.slow
class TestPipeline:
    """A finished project, and what an edit costs there."""

    def test_every_workload_has_the_tables_its_definition_says(self, project: Path) -> None:
        folder = project / "results" / "workloads"
        for name, tables in TABLES.items():
            found = {path.name.split(".")[1] for path in folder.glob(f"{name}.*.parquet")}
            assert sorted(found) == tables
            for workload in read_replications(folder / f"{name}.parquet"):
                assert sorted(workload.companions) == tables

    def test_every_cell_is_run_and_legal(self, project: Path) -> None:
        assert cells_run(project) == set(CELLS)
        for workload, policy in CELLS:
            certificate = project / "results/runs" / workload / policy / "certificate.json"
            assert json.loads(certificate.read_text())["legal"]
        assert pl.read_parquet(project / "results/runs/gone/formula/jobs.parquet").is_empty()

    def test_another_load_of_the_same_jobs_has_their_behaviour(self, project: Path) -> None:
        folder = project / "results" / "workloads"
        base, loaded = (pl.read_parquet(folder / f"{name}.behaviour.parquet") for name in ("model", "loaded"))
        assert base.height == 80
        assert base.equals(loaded)

    def test_nothing_is_run_again_until_something_changes(self, project: Path) -> None:
        assert dry_run(project, *RUNS) == ({}, set())

    @pytest.mark.thorough
    def test_an_edited_file_of_slowdowns_costs_the_cells_of_its_workload(self, project: Path) -> None:
        (project / "mine.csv").write_text(SLOWDOWNS.replace("1.5", "1.1"))
        jobs, _ = dry_run(project, *RUNS)
        assert jobs["build_workloads"] == 1
        for log in project.glob("logs/results/simulate_cells/*.log"):
            log.unlink()
        run(project, "--cores", "2", *RUNS)
        assert cells_run(project) == {("by-hand", "measured"), ("by-hand", "formula")}

    @pytest.mark.thorough
    def test_a_lost_table_is_made_again(self, project: Path) -> None:
        lost = project / "results" / "workloads" / "cases.shares.parquet"
        before = lost.read_bytes()
        lost.unlink()
        run(project, "--cores", "2", "--until", "build_workloads")
        assert lost.read_bytes() == before


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the table of slowdowns, in which studies are read."""
    (tmp_path / "mine.csv").write_text(SLOWDOWNS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_batch_names_the_files_of_its_definitions(desk: Path) -> None:
    workloads = read_study(write_study(desk, STUDY)).workloads
    batches = batch_workloads(workloads, dict.fromkeys(workloads, 1)).values()
    assert [batch.tables for batch in batches if "by-hand" in batch.workloads] == [["mine.csv"]]


def test_the_schema_of_studies_knows_these_keys() -> None:
    jsonschema.validate(yaml.safe_load(STUDY), schemas()["study.schema.json"])


WRONG = {
    "a policy that needs a table": (
        ("    behaviour: lomarc\n", ""),
        "workloads.model: has no table 'behaviour', which the policy 'formula' needs; write 'behaviour: lomarc'",
    ),
    "a policy that needs slowdowns": (
        ("    slowdowns: {file: mine.csv, by: executable}\n", ""),
        "workloads.by-hand: has no table 'slowdowns', which the policy 'measured' needs; name one with 'slowdowns'",
    ),
    "a policy that needs shares": (
        ("policies: [easy, formula]", "policies: [shares]"),
        "workloads.model: has no table 'shares', which the policy 'shares' needs; take a model that has it",
    ),
    "a file there is not": (("mine.csv", "yours.csv"), "workloads.by-hand.slowdowns: there is no file 'yours.csv'"),
    "jobs of no workload": (
        ("jobs_of: model", "jobs_of: modell"),
        "workloads.loaded.jobs_of: there is no other workload 'modell' in this study; did you mean 'model'",
    ),
    "jobs that cannot be the same": (
        ("jobs_of: model,", "jobs_of: model, processors: 8,"),
        r"workloads.loaded.processors: must be that of 'model', whose jobs it has \(16\); found 8",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_a_study_gets_wrong_is_told_before_anything_is_made(desk: Path, name: str) -> None:
    change, words = WRONG[name]
    with pytest.raises(StudyError, match=words):
        read_study(write_study(desk, STUDY, *change))
