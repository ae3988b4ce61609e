"""Chapter 6 of Concurrent Gang, and the studies beyond the thesis, in miniature: every figure is drawn from real runs."""

from __future__ import annotations

import dataclasses

import pytest

from reports.figures.forms.pooled import pooled_ratios
from reports.figures.study import own_figures
from scheduler_core.common.files import read_json
from studies.concurrent_gang_logs.figures import _came
from tests.paths import STUDIES, study_file
from tests.reports.small_study import check_drawn, make_small, write_log
from workflow.studies import read_study

SECONDS = {"concurrent_gang": 40, "concurrent_gang_logs": 5000, "modern_machines": 40}
CHAPTER_6 = ("chapter-6-io", "chapter-6-compute", "chapter-6-bsp", "chapter-6-msg")
FEW = {"jobs": 12, "replications": 2, "mean_gap_s": 1}


def shortened(name):
    """Return a study whose runs last some seconds, in eight periods."""
    study = read_study(study_file(name))
    brief = {"until_s": SECONDS[name], "sums_s": SECONDS[name] / 10, "trace_s": 0}
    policies = {
        name: dataclasses.replace(of, policy=dataclasses.replace(of.policy, **brief))
        for name, of in study.policies.items()
    }
    return dataclasses.replace(study, policies=policies)


def chapter_6(root):
    log = str(write_log(root / "some.swf", 400, 16))
    return "concurrent_gang", {name: {**FEW, "fit": log} for name in CHAPTER_6}, None


def other_jobs(root):
    log = str(write_log(root / "some.swf", 60, 16))
    models = {f"log-lublin-load-{load}": {"jobs": 30, "replications": 2, "load": 4} for load in ("100", "200")}
    of_logs = {f"log-sp2-{part}-load-200": {"log": log, "weeks": {}, "first": 30, "load": 40} for part in (1, 2)}
    return "concurrent_gang_logs", {**models, **of_logs}, ("log-gang", "log-prio", "log-rt")


def machines(root):
    log = str(write_log(root / "some.swf", 400, 16))
    few = {"jobs": 30, "replications": 2, "fit": log}
    names = ("machine-disk", "machine-nvme", "machine-nvme-short")
    eras = ("then", "switch", "rdma")
    return (
        "modern_machines",
        dict.fromkeys(names, few),
        [f"{era}-{system}" for era in eras for system in ("gang", "rt")],
    )


@pytest.fixture(scope="module", params=[chapter_6, other_jobs, machines], ids=lambda made: made.__name__)
def drawn(request, tmp_path_factory):
    root = tmp_path_factory.mktemp(request.param.__name__)
    name, workloads, policies = request.param(root)
    make_small(root, shortened(name), workloads, policies)
    return name, root


def test_every_figure_is_drawn_with_its_caption_filled_in(drawn):
    name, root = drawn
    if name != "concurrent_gang":
        check_drawn(root, name)
        return
    entries = {entry["name"]: entry for entry in read_json(root / "figures" / "figures.json")}
    own = [figure.__name__ for figure in own_figures(STUDIES / name) if figure.__name__.startswith("chapter_6")]
    assert len(own) == 6
    for figure in own:
        assert "absent" not in entries[figure], entries[figure]
        assert "{" not in entries[figure]["caption"]


def test_shares_of_activities_add_up_to_the_whole(drawn):
    name, root = drawn
    if name == "concurrent_gang":
        found = read_json(root / "figures" / "chapter_6_activities.json")["data"]["values"]
        sums = {}
        for row in found:
            key = row["workload"], row["policy"]
            sums[key] = sums.get(key, 0) + row["value"]
        assert len(sums) == 16
        assert list(sums.values()) == pytest.approx([100] * 16)


def test_ratios_are_those_of_means():
    pairs = [(10, 5), (30, 10), (20, 10)]
    (row,) = pooled_ratios([{"of": "a", "unit": n, "value": a, "versus": b} for n, (a, b) in enumerate(pairs)])
    assert (row["of"], row["value"], row["units"]) == ("a", 60 / 25, 3)
    assert row["low"] < row["value"] < row["high"]


def test_a_ratio_of_one_unit_has_no_interval():
    (row,) = pooled_ratios([{"unit": 0, "value": 3, "versus": 2}])
    assert (row["value"], row["low"], row["high"]) == (1.5, None, None)


def test_a_ratio_to_nothing_is_left_out():
    assert pooled_ratios([{"of": "a", "unit": 0, "value": 3, "versus": 0}]) == []


def test_sources_stand_with_the_load_that_was_submitted():
    found = [{"source": "log", "load": 50.0, "came": came} for came in (100.0, 140.0, None)]
    assert _came([*found, {"source": "model", "load": 200.0, "came": None}]) == {
        ("log", 50.0): "log, 50 % (120 %)",
        ("model", 200.0): "model, 200 %",
    }
