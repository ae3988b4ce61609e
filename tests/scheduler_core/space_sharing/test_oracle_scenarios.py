"""Small schedules worked out by hand: oracle and engine must both find them."""

from __future__ import annotations

import itertools

import pytest

from scheduler_core.policy import Policy, get_policy, policies
from tests.oracles.space_sharing.legality import violations
from tests.scheduler_core.space_sharing.runners import RUNNERS
from tests.scheduler_core.space_sharing.scenarios import SCENARIOS, Scenario

CALLS = [(name, call) for name, (scenario, _) in SCENARIOS.items() for call in scenario.starts]


def parameters() -> list[tuple[str, str]]:
    """List every parameter of the family: (policy, parameter)."""
    family = [kind for kind in policies().values() if ".space_sharing." in kind.__module__]
    return [(kind.name, entry["name"]) for kind in family for entry in kind.describe_parameters()]


def differing(one: Policy, other: Policy) -> set[str]:
    """Name the parameters in which two policies of one kind differ."""
    return {name for name, value in one.values().items() if value != other.values()[name]}


def shows(scenario: Scenario, policy: str, parameter: str) -> bool:
    """Tell whether two schedules of the scenario differ because of this parameter alone."""
    calls = [call for call in scenario.starts if get_policy(call).name == policy]
    return any(
        differing(get_policy(a), get_policy(b)) == {parameter} and scenario.starts[a] != scenario.starts[b]
        for a, b in itertools.combinations(calls, 2)
    )


@pytest.mark.parametrize(("name", "call"), CALLS, ids=[f"{name}-{call}" for name, call in CALLS])
@pytest.mark.parametrize("runner", RUNNERS)
def test_schedule_worked_by_hand(runner: str, name: str, call: str) -> None:
    scenario, _ = SCENARIOS[name]
    found = RUNNERS[runner](get_policy(call), scenario.job_list(), scenario.processors)
    assert found == scenario.schedule(call)


@pytest.mark.parametrize(("name", "call"), CALLS, ids=[f"{name}-{call}" for name, call in CALLS])
def test_schedule_worked_by_hand_is_legal(name: str, call: str) -> None:
    scenario, _ = SCENARIOS[name]
    assert violations(scenario.job_list(), scenario.processors, scenario.schedule(call)) == []


@pytest.mark.parametrize("name", SCENARIOS)
def test_gantt_charts_show_the_expected_schedules(name: str) -> None:
    scenario, text = SCENARIOS[name]
    drawn = "\n".join(line.removeprefix("    ") for line in text.splitlines())
    for call in scenario.starts:
        chart = "\n".join("    " + row for row in scenario.chart(call))
        assert f"{call}\n\n{chart}\n" in drawn


@pytest.mark.parametrize(("policy", "parameter"), parameters())
def test_every_parameter_changes_a_schedule_worked_by_hand(policy: str, parameter: str) -> None:
    assert any(shows(scenario, policy, parameter) for scenario, _ in SCENARIOS.values())


BROKEN = {
    "starts early": ({3: (0, 3_000_000)}, "before its submission"),
    "runs on": ({2: (0, 7_000_000)}, "runs for 7000000"),
    "runs past its estimate": ({5: (9_000_000, 14_000_000)}, "runs for 5000000"),
    "too many processors": ({4: (5_000_000, 7_000_000), 3: (5_000_000, 8_000_000)}, "of 4 processors"),
    "rejected for nothing": ({4: None}, "rejected are [4, 6]"),
    "runs though too large": ({6: (20_000_000, 21_000_000)}, "too large are [6]"),
}


@pytest.mark.parametrize("change", BROKEN)
def test_legality_check_finds_what_is_wrong(change: str) -> None:
    scenario, _ = SCENARIOS["first_come_first_served"]
    changes, words = BROKEN[change]
    found = violations(scenario.job_list(), scenario.processors, scenario.schedule("fcfs") | changes)
    assert any(words in violation for violation in found)


def test_legality_check_misses_no_job() -> None:
    scenario, _ = SCENARIOS["first_come_first_served"]
    schedule = scenario.schedule("fcfs")
    del schedule[7]
    assert violations(scenario.job_list(), scenario.processors, schedule)
