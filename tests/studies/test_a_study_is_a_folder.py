"""A study is a folder: it is found because it is there, and deleting the folder deletes the study."""

import shutil

import duckdb
import pytest
import yaml

from reports.draw.charts import NoData
from reports.figures.names import figure_names, own_names
from reports.figures.study import figures_of
from reports.ledger.measures import read_measures
from reports.measure.store import make_tables
from tests.paths import PROJECT
from workflow.plan import Plan

CLAIM = {
    "id": "two-is-two", "source": "A made-up paper", "page": 1, "headline": "Two is two", "statement": "Two is two.",
    "measure": "two", "unit": "jobs", "kind": "check", "printed": "2",
}  # fmt: skip
STUDY = {
    "study": "made_up", "title": "A made-up study", "question": "Is it found?", "seed": 1, "versus": "easy",
    "workloads": {"few": {"model": "lublin", "jobs": 20, "loads": [0.5], "replications": 2, "label": "Few jobs"}},
    "policies": {"easy": {}, "fcfs": {}},
}  # fmt: skip
FIGURES = '''"""A figure of a made-up study."""

from pathlib import Path

import altair as alt

from reports.draw.charts import study_rows, titled


def starts(connection):
    """When jobs start."""
    found = study_rows(connection, "made_up", Path(__file__).parent / "figures" / "starts.sql")
    return titled(alt.Chart().mark_bar().encode(x="start_s:Q"), found)
'''


@pytest.fixture
def studies(tmp_path):
    """Return a folder of studies that holds a made-up one."""
    home = tmp_path / "studies" / "made_up"
    for folder in ("measures", "figures"):
        (home / folder).mkdir(parents=True)
    (home / "study.yaml").write_text(yaml.safe_dump(STUDY, sort_keys=False))
    (home / "figures.py").write_text(FIGURES)
    (home / "figures" / "starts.sql").write_text("SELECT start_us / 1e6 AS start_s FROM jobs\n")
    (home / "measures" / "two.sql").write_text("-- Two. Unit: jobs.\nSELECT 'two' AS label, 2.0 AS value\n")
    return tmp_path / "studies"


def plan_of(studies):
    config = yaml.safe_load((PROJECT / "config" / "config.yaml").read_text())
    return Plan({**config, "studies": sorted(path.name for path in studies.iterdir())}, PROJECT, studies)


def test_a_folder_is_a_study_with_cells_figures_and_measures(studies):
    home = studies / "made_up"
    plan = plan_of(studies)
    assert [described["study"] for described in plan.scales["results"].described] == ["made_up"]
    assert {policy for _, policy in plan.scales["results"].cells} == {"easy", "fcfs"}
    assert own_names(home) == ["starts"]
    assert "starts" in figure_names(home)
    assert read_measures(home / "study.yaml", {"claim": CLAIM})["two"]["sql"].endswith("AS value\n")
    with duckdb.connect() as connection:
        make_tables(connection)
        (starts,) = [figure for figure in figures_of(connection, home) if figure.__name__ == "starts"]
        with pytest.raises(NoData):
            starts(connection)


def test_deleting_the_folder_deletes_the_study(studies):
    shutil.copytree(studies / "made_up", studies / "other")
    file = studies / "other" / "study.yaml"
    file.write_text(file.read_text().replace("study: made_up", "study: other"))
    assert len(plan_of(studies).scales["results"].described) == 2
    shutil.rmtree(studies / "made_up")
    described = plan_of(studies).scales["results"].described
    assert [study["study"] for study in described] == ["other"]
    assert "made_up" not in repr(described)
    assert own_names(studies / "made_up") == []
