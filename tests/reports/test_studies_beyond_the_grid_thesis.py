"""How much slack, which clusters, which shapes of workflows: the studies in miniature, their figures with real columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from reports.figures.slack_and_load import _verdict
from reports.figures.study import own_figures
from scheduler_core.files import read_json
from tests.reports.small_study import make_small
from workflow.studies import read_study

STUDIES = Path(__file__).parents[2] / "config" / "studies"
FEW = {"jobs": 240, "replications": 2}
SMALL = {
    "slack_and_load": (
        ("slack-13", "slack-26"),
        ("slack-000", "slack-100", "follow-000", "follow-100", "spare-100"),
    ),
    "grid_policies": (
        ("clusters-equal", "clusters-unequal"),
        ("pect-follow", "pect-heft", "easy-follow", "easy-heft", "conservative-rigid"),
    ),
    "workflow_shapes": (
        ("shape-five", "shape-mosaic"),
        ("grid_relaxed", "grid_propagation", "grid_heft"),
    ),
}


@pytest.fixture(scope="module", params=sorted(SMALL))
def drawn(request, tmp_path_factory):
    root = tmp_path_factory.mktemp(request.param)
    workloads, policies = SMALL[request.param]
    make_small(root, read_study(STUDIES / f"{request.param}.yaml"), dict.fromkeys(workloads, FEW), policies)
    return request.param, root


def test_every_figure_is_drawn(drawn):
    study, root = drawn
    entries = {entry["name"]: entry for entry in read_json(root / "figures" / "figures.json")}
    for figure in own_figures(study):
        entry = entries[figure.__name__]
        assert "absent" not in entry, figure.__name__
        assert "{" not in entry["caption"]
        assert (root / "figures" / f"{figure.__name__}.svg").stat().st_size > 2000


def test_what_is_compared_is_about_one_and_every_panel_has_its_marks(drawn):
    study, root = drawn
    name = {
        "slack_and_load": "slack_map",
        "grid_policies": "against_submission",
        "workflow_shapes": "shapes_over_relaxed",
    }[study]
    found = read_json(root / "figures" / f"{name}.json")["data"]["values"]
    assert found
    assert all(row["value"] > 0 and row["units"] == 2 for row in found)
    panels = {row["panel"] for row in found}
    each = [sum(row["panel"] == panel for row in found) for panel in panels]
    assert min(each) == max(each)


def test_a_slack_is_better_only_where_the_interval_says_so():
    assert _verdict(0.8, 0.9, higher_is_better=False) == "better"
    assert _verdict(0.8, 0.9, higher_is_better=True) == "worse"
    assert _verdict(1.1, 1.2, higher_is_better=False) == "worse"
    assert _verdict(0.9, 1.1, higher_is_better=False) == "not told apart"
