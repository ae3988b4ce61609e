"""One claim worked through: how a claim, its measure and its two worlds are written."""

from __future__ import annotations

import pytest

from reports.ledger.claim_checks import validate_claims
from reports.ledger.measures import read_measures
from scheduler_core.common.errors import StudyError

CLAIM = {
    "id": "long-jobs-gain",
    "kind": "direction",
    "headline": "Ordering groups lowers the slowdown of long jobs",
    "sentence": "The optimized version has brought about improvements in average bounded slowdown for long jobs.",
    "citation": "An author, A thesis, 2007",
    "measure": "improvement",
    "with": {"metric": "mean_bounded_slowdown_600", "scopes": ["long"], "policy": "pect_o", "versus": "pect"},
    "unit": "%",
    "expect": {"all": {"above": 0}},
    "no_effect": 0,
}

IMPROVEMENT = """\
-- Improvement of $policy over $versus by $metric, for each scope of $scopes (%): 100 (1 - mean / mean of versus).
SELECT scope AS label, workload || '/' || replication AS unit, 100 * (b.value - a.value) AS value, b.value AS versus
FROM run_values AS a JOIN run_values AS b USING (workload, replication, metric, scope)
WHERE metric = $metric AND scope IN (SELECT unnest($scopes)) AND a.policy = $policy AND b.policy = $versus
"""


def long_jobs_gain(world):
    world.metric("seed-71", "pect", "mean_bounded_slowdown_600", [10, 12, 11], scope="long")
    world.metric("seed-71", "pect_o", "mean_bounded_slowdown_600", [8, 9, 9], scope="long")


def long_jobs_lose(world):
    world.metric("seed-71", "pect", "mean_bounded_slowdown_600", [10, 12, 11], scope="long")
    world.metric("seed-71", "pect_o", "mean_bounded_slowdown_600", [12, 13, 12.5], scope="long")


@pytest.fixture
def study(tmp_path):
    folder = tmp_path / "example" / "measures"
    folder.mkdir(parents=True)
    (folder / "improvement.sql").write_text(IMPROVEMENT)
    validate_claims("example", [CLAIM])
    measures = read_measures(tmp_path / "example" / "study.yaml", {f"claim '{CLAIM['id']}'": CLAIM})
    return {"study": "example", "claims": [CLAIM], "measures": measures}


def test_the_claim_in_its_two_worlds(stage, study):
    verdict = stage.judge(study, "long-jobs-gain", long_jobs_gain)
    assert (verdict.verdict, verdict.tally) == ("reproduced", (1, 1, 0, 0, 0))
    (row,) = verdict.rows
    assert row.label == "long"
    assert row.value == pytest.approx(100 * 7 / 33)
    assert 0 < row.low < row.value < row.high
    assert stage.judge(study, "long-jobs-gain", long_jobs_lose).verdict == "not reproduced"


def test_a_world_leaves_nothing(stage, study):
    stage.judge(study, "long-jobs-gain", long_jobs_gain)
    assert stage.judge(study, "long-jobs-gain", lambda world: None).verdict == "not testable"


def test_a_parameter_that_a_measure_does_not_have_is_named(study, tmp_path):
    wrong = {**CLAIM, "with": {**CLAIM["with"], "scope": "long"}}
    with pytest.raises(StudyError, match=r"improvement\.sql has no parameter 'scope'; did you mean 'scopes'\?"):
        read_measures(tmp_path / "example" / "study.yaml", {"claim 'long-jobs-gain'": wrong})
