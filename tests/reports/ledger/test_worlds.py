"""Every claim of every study: reproduced in a small world where its sentence is true, not reproduced where it is false."""

from __future__ import annotations

import pytest

from reports.figures.study import module_of
from reports.ledger.claim_checks import NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED
from reports.ledger.measures import measured_by
from reports.measure.catalogue import METRICS
from tests.paths import STUDIES
from tests.reports.ledger.world import described
from workflow.studies import read_scales, read_study

FILES = {path.parent.name: path for path in sorted(STUDIES.glob("*/study.yaml"))}
DESCRIBED = {name: described(read_study(path)) for name, path in FILES.items()}


def worlds_of(study):
    folder = STUDIES / study
    return module_of(folder, "worlds").WORLDS if (folder / "worlds.py").is_file() else {}


CLAIMS = [(study, claim["id"]) for study, entry in DESCRIBED.items() for claim in entry["claims"]]

ARITHMETIC = {"s2-sizes-of-trees"}
"""Claims that are worked out and need no run."""


@pytest.mark.parametrize("study", FILES)
def test_every_claim_has_its_worlds_and_no_others(study):
    assert set(worlds_of(study)) == {claim for own, claim in CLAIMS if own == study}


@pytest.mark.parametrize(("study", "claim"), CLAIMS)
def test_a_claim_is_reproduced_where_it_is_true_and_not_where_it_is_false(stage, study, claim):
    true, false = worlds_of(study)[claim]
    verdict = stage.judge(DESCRIBED[study], claim, true)
    assert verdict.verdict == REPRODUCED, verdict.rows
    verdict = stage.judge(DESCRIBED[study], claim, false)
    assert verdict.verdict == NOT_REPRODUCED, verdict.rows


@pytest.mark.parametrize(("study", "claim"), CLAIMS)
def test_where_nothing_was_run_nothing_is_testable(stage, study, claim):
    verdict = stage.judge(DESCRIBED[study], claim, lambda world: None).verdict
    assert verdict == NOT_TESTABLE or claim in ARITHMETIC


def names_of(entry):
    """Return the policies, workloads and metrics that an entry compares."""
    given = entry.get("with") or {}
    listed = {"policies": [*(entry.get("against") or []), *given.get("than", []), *given.get("policies", [])]}
    listed |= {key: given.get(key, []) for key in ("workloads", "metrics")}
    return {
        key: [name for one in names for name in ([one] if isinstance(one, str) else one)]
        for key, names in listed.items()
        if isinstance(names, list)
    }


@pytest.mark.parametrize("study", FILES)
def test_what_claims_compare_is_run_and_measured(study):
    every = [described(own) for own in read_scales(FILES[study]).values()]
    known = {key: {name for own in every for name in own[key]} for key in ("policies", "workloads")}
    known["metrics"] = {*METRICS, *(row[4] for own in every for row in own["printed_values"])}
    for where, entry in measured_by(every[0]["page"], every[0]["claims"]).items():
        for key, names in names_of(entry).items():
            assert set(names) <= known[key], (where, key, set(names) - known[key])
