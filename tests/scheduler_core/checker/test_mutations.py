"""The checker itself is tested with broken schedules of every family: each rule catches its mutations."""

from importlib import import_module
from pathlib import Path

import pytest

from scheduler_core.checker import check
from tests.scheduler_core.checker.broken_schedules import broken, broken_rules

FAMILIES = {
    path.parent.name: import_module(f"tests.scheduler_core.checker.{path.parent.name}.mutations")
    for path in sorted(Path(__file__).parent.glob("*/mutations.py"))
}


@pytest.mark.parametrize(
    ("family", "kind"), [(name, kind) for name, family in FAMILIES.items() for kind in family.KINDS]
)
def test_the_unbroken_schedules_are_legal(family, kind):
    certificate = check(*FAMILIES[family].made(kind))
    assert certificate.legal, certificate.describe()
    assert {finding.rule for finding in certificate.findings} == set(FAMILIES[family].RULES)


@pytest.mark.parametrize("family", FAMILIES)
def test_no_rule_is_idle(family):
    certificates = [check(*FAMILIES[family].made(kind)) for kind in FAMILIES[family].KINDS]
    checked = {finding.rule for certificate in certificates for finding in certificate.findings if finding.checked}
    assert set(FAMILIES[family].RULES) - checked == FAMILIES[family].IDLE


@pytest.mark.parametrize(
    ("family", "name"), [(name, each) for name, family in FAMILIES.items() for each in family.MUTATIONS]
)
def test_a_mutation_is_caught(family, name):
    rule, kind, change = FAMILIES[family].MUTATIONS[name]
    found = broken_rules(*broken(change, *FAMILIES[family].made(kind)))
    assert rule in found
    assert name not in FAMILIES[family].ALONE or found == {rule}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_rule_has_a_mutation(family):
    assert {rule for rule, _, _ in FAMILIES[family].MUTATIONS.values()} == set(FAMILIES[family].RULES)
