"""Who may be a partner: kinds of jobs, compatible computing, sizes, memory, slowdown."""

from typing import Any

import numpy as np
import pytest

from scheduler_core.coscheduling import filters as filters_module
from scheduler_core.coscheduling import state
from scheduler_core.kernel.records import records
from tests.from_python import all_from_python, from_python
from tests.scheduler_core.coscheduling.pair_cases import APART, KINDS, MEMORY, TOGETHER, rules

KERNELS = all_from_python(filters_module)
STAGES = ("looked_at", "medium_long", "size_fits", "memory_fits", "types_match", "slowdown_fits")


def passes(call: str, one: dict[str, Any], other: dict[str, Any]) -> tuple[bool, int]:
    """Say whether a job may join another one, and how many of the tests it passes."""
    asked = records(2, state.ASKED)
    for job, fields in zip(asked, (one, other), strict=True):
        standard = {"processors": 4, "job_class": state.LONG, "cpu": 0.2, "network": 0.2, "disk": 0.2, "cpu_phase": 0.5}
        for name, value in {**standard, **fields}.items():
            setattr(job, name, value)
    world = state.new_world(rules(call), asked, np.zeros((0, 0)), 2)
    slowdown = KERNELS.test(0, 1, 1, world)
    return slowdown != filters_module.FORBIDDEN, sum(getattr(world.found, name) for name in STAGES) - 1


def kinds(one: str, other: str, phases: tuple[float, float]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return two jobs of some kinds, whose computing goes well together or not."""
    made = [{"kind": KINDS.index(kind), "cpu_phase": phase} for kind, phase in zip((one, other), phases, strict=True)]
    return made[0], made[1]


@pytest.mark.parametrize("one", KINDS)
@pytest.mark.parametrize("other", KINDS)
def test_kinds_that_go_together(one: str, other: str) -> None:
    assert passes("lomarc", *kinds(one, other, TOGETHER))[0] == (one != other or one == "cpu")
    assert passes("lomarc", *kinds(one, other, APART))[0] == (one != other)
    assert passes("lomarc_n", *kinds(one, other, TOGETHER))[0] == ({one, other} == {"cpu", "disk"})


@pytest.mark.parametrize(
    ("one", "other", "passed"),
    [
        ({}, {"kind": 2}, 5),
        ({}, {"kind": 2, "job_class": state.SHORT}, 0),
        ({}, {"kind": 2, "processors": 5}, 1),
        ({"memory": MEMORY}, {"kind": 2, "memory": 1}, 2),
        ({"kind": 2}, {"kind": 2}, 3),
        ({"cpu": 0.9, "cpu_phase": 0.4}, {"cpu": 0.9, "cpu_phase": 0.4, "kind": 2}, 4),
        ({"cpu_phase": 0.4}, {"cpu_phase": 0.4}, 4),
    ],
)
def test_tests_are_made_in_turn(one: dict[str, Any], other: dict[str, Any], passed: int) -> None:
    assert passes("lomarc", one, other) == (passed == 5, passed)


def test_jobs_that_communicate_too_much_together_do_not_pass() -> None:
    jobs = {"network": 0.5}, {"kind": 2, "network": 0.4, "cpu": 0.1}
    assert passes("lomarc(network_limit=0.9)", *jobs)[0]
    assert not passes("lomarc(network_limit=0.89)", *jobs)[0]


def test_where_every_pair_is_formed_only_the_size_counts() -> None:
    assert passes("lomarc_ac", {"memory": MEMORY}, {"memory": MEMORY, "job_class": state.SHORT}) == (True, 5)
    assert not passes("lomarc_ac", {}, {"processors": 5})[0]


def test_slowdown_at_the_limit_is_accepted() -> None:
    acceptable = from_python(filters_module.is_acceptable)
    job = records(1, state.ASKED)[0]
    job.kind = 2
    assert acceptable(1_600_000, job, job, rules())
    assert not acceptable(1_600_001, job, job, rules())
