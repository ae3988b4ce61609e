"""Small schedules of slices worked out by hand: oracle and engine must both find them."""

from __future__ import annotations

import pytest

from scheduler_core.policy import get_policy
from tests.oracles.slices.search import discrepancies, paths
from tests.scheduler_core.slices.runners import ENGINE_EXISTS, RUNNERS
from tests.scheduler_core.slices.scenario import WORKED, Scenario, assert_worked
from tests.scheduler_core.slices.scenarios import groups, pect

PARTS = (pect, groups)
SCENARIOS: dict[str, Scenario] = {name: WORKED[name] for part in PARTS for name in vars(part) if name in WORKED}
CALLS = [(name, call) for name, scenario in SCENARIOS.items() for call in scenario.schedules]

BOTH = [
    pytest.param(runner, marks=pytest.mark.skipif(runner == "engine" and not ENGINE_EXISTS, reason="no engine yet"))
    for runner in RUNNERS
]


@pytest.mark.parametrize(("name", "call"), CALLS, ids=[f"{name}-{call}" for name, call in CALLS])
@pytest.mark.parametrize("runner", BOTH)
def test_schedule_worked_by_hand(runner: str, name: str, call: str) -> None:
    scenario = SCENARIOS[name]
    found = RUNNERS[runner](scenario.jobs, scenario.processors, get_policy(call))
    assert_worked(found, scenario.schedules[call])


def written(way: str, depth: int) -> list[str]:
    """Write the paths of a search as digits."""
    return ["".join(map(str, digits)) for digits in paths(way, depth)]


def test_discrepancies_come_as_the_thesis_prints_them() -> None:
    """ "0, 1, 1, 2, 1, 2, etc." (Kanavallil 2007, section 6.4.2)."""
    assert [discrepancies(digits) for digits in paths("depth_first", 3)] == [0, 1, 1, 2, 1, 2]


@pytest.mark.parametrize("way", ["depth_first", "front_first", "dds", "ilds"])
def test_each_path_comes_once(way: str) -> None:
    assert sorted(written(way, 4)) == written("depth_first", 4)
    assert written(way, 4)[0] == "0000"


def test_orders_of_paths() -> None:
    """By depth of the last discrepancy; by their number; plain: by their greatest number, from the right (Figure 1)."""
    assert written("dds", 3) == ["000", "100", "200", "010", "110", "210"]
    assert written("ilds", 3) == ["000", "010", "100", "200", "110", "210"]
    twice = ["110", "100", "210", "200", "010", "000"]
    assert written("lds", 3) == ["000", "100", "200", "010", "000", *twice, *twice]
