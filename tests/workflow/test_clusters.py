"""Studies with several clusters and workflows: the keys through the schema and the study's check, and what is refused."""

from pathlib import Path

import jsonschema
import pytest
import yaml

from scheduler_core.common.errors import StudyError
from tests.workflow.tiny_project import write_study
from workflow.schema import schemas
from workflow.studies import read_study

STUDY = """\
study: grids
title: Grids
question: Do clusters reach the workload?
seed: 7
workloads:
  many: &many
    model: lublin
    jobs: 400
    replications: 3
    clusters: [{name: A, processors: 32}, {processors: 16, speed: 2}]
    streams: own
    load: [0.5, 0.6]
    workflows: {share: 0.1, split: proc, transfers_s: [20, 600]}
    policies: [grid_relaxed]
  fewer: {<<: *many, jobs_of: many, workflows: {share: 0.05}}
  fast: {<<: *many, clusters: [{processors: 32, speed: 2}]}
  one: {model: lublin, processors: 32, jobs: 40, policies: [easy, grid_relaxed]}
policies:
  easy: {}
  grid_relaxed: {}
"""


def test_clusters_streams_loads_and_workflows_are_keys_of_a_study(tmp_path: Path) -> None:
    path = write_study(tmp_path, STUDY)
    read = read_study(path)
    assert read.workloads["fewer"].workflows.share == 0.05
    assert read.workloads["many"].load == (0.5, 0.6)
    assert ("one", "easy") in read.cells
    jsonschema.validate(yaml.safe_load(path.read_text()), schemas()["study.schema.json"])


REFUSED = {
    "a policy of one cluster on several": (
        ("policies: [grid_relaxed]", "policies: [easy]"),
        "workloads.many: has 2 clusters, and the policy 'easy' is for one cluster .*; take one of grid",
    ),
    "the jobs of another on other clusters": (
        ("workflows: {share: 0.05}}", "workflows: {share: 0.05}, clusters: [{processors: 32}]}"),
        "workloads.fewer.clusters: must be that of 'many', whose jobs it has",
    ),
    "a cluster of nothing": (
        ("processors: 16,", "processors: 0,"),
        "workloads.many.clusters: line 2: a cluster: processors",
    ),
    "a share of too much": (
        ("share: 0.05", "share: 5"),
        "workloads.fewer.workflows: workflows: share must be at most 0.99",
    ),
    "a load and loads": (("load: [0.5, 0.6]", "loads: [0.5]\n    load: [0.6]"), "write either 'load'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_with_clusters_and_workflows_is_said_with_file_and_key(tmp_path: Path, name: str) -> None:
    change, words = REFUSED[name]
    with pytest.raises(StudyError, match=rf"grids/study\.yaml: .*{words}"):
        read_study(write_study(tmp_path, STUDY, *change))
