"""Small gang schedules worked out by hand: oracle and engine must both find them."""

from __future__ import annotations

import itertools

import pytest

from scheduler_core.policy import Policy, get_policy, policies
from tests.oracles.gang.oracle import GangSchedule
from tests.scheduler_core.gang.runners import RUNNERS
from tests.scheduler_core.gang.scenario import Scenario, drawing, times_of, us
from tests.scheduler_core.gang.scenarios import SCENARIOS

CALLS = [(name, call) for name, scenario in SCENARIOS.items() for call in scenario.schedules]
EACH = pytest.mark.parametrize(("name", "call"), CALLS, ids=[f"{name}-{call}" for name, call in CALLS])
BOTH = pytest.mark.parametrize("runner", RUNNERS)


def found_by(runner: str, scenario: Scenario, call: str) -> GangSchedule:
    """Let oracle or engine schedule a scenario."""
    return RUNNERS[runner](get_policy(call), scenario.job_list(), scenario.processors, scenario.memory)


@EACH
@BOTH
def test_schedule_worked_by_hand(runner: str, name: str, call: str) -> None:
    scenario = SCENARIOS[name]
    worked = scenario.schedules[call]
    found = found_by(runner, scenario, call)
    times, expected = times_of(found, worked)
    assert times == expected
    for instant, rows in worked.matrices.items():
        assert drawing(found, scenario.processors, instant) == rows
    for job, sizes in worked.sizes.items():
        assert tuple(len(segment.processors) for segment in found.segments if segment.job == job) == sizes
    for job, work in worked.work.items():
        assert tuple(s.work for s in sorted(found.segments, key=lambda s: (s.begin, s.slot)) if s.job == job) == work
    if worked.levels is not None:
        expected_levels = [(us(begin), us(end), level) for begin, end, level in worked.levels]
        assert [(row.begin, row.end, row.level) for row in found.levels] == expected_levels
    assert {name: found.counters[name] for name in worked.counters} == worked.counters


def differing(one: Policy, other: Policy) -> set[str]:
    """Name the parameters in which two policies differ."""
    return {name for name, value in one.values().items() if value != other.values()[name]}


def shows(scenario: Scenario, parameter: str) -> bool:
    """Tell whether two schedules of the scenario differ because of this parameter alone."""
    return any(
        differing(get_policy(a), get_policy(b)) == {parameter} and scenario.schedules[a] != scenario.schedules[b]
        for a, b in itertools.combinations(scenario.schedules, 2)
    )


ELSEWHERE = ("name_processors", "sizing", "efficiency", "partitions")
"""Parameters that decide about no schedule, or whose schedules stand in ``test_partitioning.py``."""


def parameters() -> list[str]:
    """List the parameters of the policy that decide about the schedule."""
    return [entry["name"] for entry in policies()["gang"].describe_parameters() if entry["name"] not in ELSEWHERE]


@pytest.mark.parametrize("parameter", parameters())
def test_every_parameter_changes_a_schedule_worked_by_hand(parameter: str) -> None:
    assert any(shows(scenario, parameter) for scenario in SCENARIOS.values())
