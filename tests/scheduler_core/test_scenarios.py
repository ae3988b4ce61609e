"""Small schedules worked out by hand: oracle and engine must both find them, and the checker proves them."""

import importlib
from pathlib import Path

import pytest

from scheduler_core.declarations.policy import policies
from tests.scheduler_core.scenario import scenarios
from tests.scheduler_core.subjects import assert_legal

WAYS = {
    path.parent.name: importlib.import_module(f"tests.scheduler_core.{path.parent.name}.ways")
    for path in sorted(Path(__file__).parent.glob("*/ways.py"))
}
CALLS = [
    pytest.param(family, name, call, id=f"{family}-{name}-{call}")
    for family in WAYS
    for name, scenario in scenarios(family).items()
    for call in scenario.calls
]
PARAMETERS = [
    pytest.param(family, policy, entry["name"], id=f"{policy}-{entry['name']}")
    for family in WAYS
    for policy, kind in policies().items()
    if f".{family}." in kind.__module__
    for entry in kind.describe_parameters()
    if not {policy, entry["name"], f"{policy}.{entry['name']}"} & WAYS[family].ELSEWHERE
]


@pytest.mark.parametrize(("family", "name", "call"), CALLS)
@pytest.mark.parametrize("way", ["oracle", "engine"])
def test_schedule_worked_by_hand(way: str, family: str, name: str, call: str) -> None:
    scenario = scenarios(family)[name]
    case = scenario.case(call)
    found = getattr(WAYS[family].WAYS, way)(case)
    if call in scenario.drawn:
        assert WAYS[family].times(found) == scenario.drawn[call]
    if call in scenario.schedules:
        WAYS[family].assert_worked(case, found, scenario.schedules[call])


@pytest.mark.parametrize(("family", "name", "call"), CALLS)
def test_schedule_worked_by_hand_is_legal(family: str, name: str, call: str) -> None:
    assert_legal(scenarios(family)[name].case(call))


@pytest.mark.parametrize(("family", "policy", "parameter"), PARAMETERS)
def test_every_parameter_changes_a_schedule_worked_by_hand(family: str, policy: str, parameter: str) -> None:
    assert any(scenario.shows(policy, parameter) for scenario in scenarios(family).values())
