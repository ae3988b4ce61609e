"""Every claim of every study: reproduced in a small world where its sentence is true, not reproduced where it is false."""

from __future__ import annotations

from types import ModuleType

import pytest

from reports.figures.study import module_of
from reports.ledger.measures import measure_of, measured_by
from reports.measure.catalogue import METRICS
from reports.measure.verdict_words import NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED
from scheduler_core.checker.check import rules_of
from scheduler_core.declarations.families import families
from tests.paths import STUDIES
from tests.reports.ledger.wiring import MADE, scenes_of, two_sided
from tests.reports.ledger.world import described
from workflow.studies import read_scales, read_study

FILES = {path.parent.name: path for path in sorted(STUDIES.glob("*/study.yaml"))}
DESCRIBED = {name: described(read_study(path)) for name, path in FILES.items()}
CLAIMS = {(study, claim["id"]): claim for study, entry in DESCRIBED.items() for claim in entry["claims"]}

ARITHMETIC = {"s2-sizes-of-trees"}
"""Claims that are worked out and need no run."""


def worlds_of(study):
    """Return the module of a study's worlds; an empty one if it has none."""
    folder = STUDIES / study
    return module_of(folder, "worlds") if (folder / "worlds.py").is_file() else ModuleType("worlds")


@pytest.mark.parametrize("study", FILES)
def test_every_claim_has_its_worlds_or_its_order_and_no_other_has(study):
    worlds, own = worlds_of(study), {claim: entry for (other, claim), entry in CLAIMS.items() if other == study}
    listed = {*getattr(worlds, "WORLDS", {}), *getattr(worlds, "LOWER", {})}
    made = {claim for claim, entry in own.items() if measure_of(entry) in MADE | getattr(worlds, "MADE", {})}
    assert listed <= own.keys() <= listed | made
    assert not made & set(getattr(worlds, "LOWER", {}))


@pytest.mark.parametrize(("study", "claim"), CLAIMS)
def test_a_claim_is_reproduced_where_it_is_true_and_not_where_it_is_false(stage, study, claim):
    entry, described = CLAIMS[study, claim], DESCRIBED[study]
    true, *false = scenes_of(described, entry, worlds_of(study))
    verdict = stage.judge(described, claim, true)
    assert verdict.verdict == REPRODUCED, verdict.rows
    found = [stage.judge(described, claim, scene) for scene in false]
    refuted = [verdict.verdict == NOT_REPRODUCED for verdict in found]
    assert all(refuted) if two_sided(entry) else refuted[0], found


@pytest.mark.parametrize(("study", "claim"), CLAIMS)
def test_where_nothing_was_run_nothing_is_testable(stage, study, claim):
    verdict = stage.judge(DESCRIBED[study], claim, lambda world: None).verdict
    assert verdict == NOT_TESTABLE or claim in ARITHMETIC


def names_of(entry):
    """Return the policies, workloads and metrics that an entry compares."""
    given = entry.get("with") or {}
    listed = {"policies": [*(entry.get("against") or []), *given.get("than", []), *given.get("policies", [])]}
    listed |= {key: given.get(key, []) for key in ("workloads", "metrics", "rules")}
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
    known["rules"] = {rule for family in families().values() for rule in rules_of(family).RULES}
    for where, entry in measured_by(every[0]["page"], every[0]["claims"]).items():
        for key, names in names_of(entry).items():
            assert set(names) <= known[key], (where, key, set(names) - known[key])
