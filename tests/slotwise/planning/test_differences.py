"""What a scenario changes, in words."""

from dataclasses import replace

import pytest

from slotwise.planning.differences import differences
from slotwise.planning.fair_share import PRESET
from slotwise.planning.pools import BETWEEN
from slotwise.planning.scenarios import Scenario, usual
from traces.shape.estimates import Exact

BASE = Scenario("easy")


def told(scenario, base=BASE, processors=128):
    """Return the differences of a scenario from a baseline on 128 processors."""
    return list(differences(scenario, base, processors, 128))


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ("easy(reservations=4)", ["jobs at the head that hold a reservation: 4 instead of 1"]),
        (
            "easy(extra_processors=False)",
            ["whether a long candidate may use processors the head will not need: no instead of yes"],
        ),
        ("easy(user_jobs=2)", ["at most 2 running jobs of a user"]),
        ("conservative", ["every job gets a reservation when it arrives, and no other job may delay it"]),
    ],
)
def test_a_policy_is_told_by_what_it_does_or_by_its_parameters(policy, words):
    assert told(Scenario(policy)) == words


def test_rules_that_the_baseline_has_are_no_difference():
    base = Scenario("easy(user_jobs=8)")
    assert told(Scenario("conservative(user_jobs=8)"), base) == told(Scenario("conservative"))
    (fewer,) = told(Scenario("easy"), base)
    assert fewer.endswith("all instead of 8")


def test_fair_share_is_told_switched_on_and_off():
    (on,) = told(Scenario(PRESET))
    assert "used much lately" in on
    (off,) = told(BASE, Scenario(PRESET))
    assert off.endswith("fcfs instead of fair share")


def test_the_pools_whose_policies_differ_are_told():
    base = Scenario(BETWEEN.join(["easy", "conservative"]))
    assert told(Scenario(BETWEEN.join(["easy(reservations=4)", "conservative"])), base) == told(
        Scenario("easy(reservations=4)")
    )
    assert told(Scenario("conservative"), base) == told(Scenario("conservative"))


def test_machine_load_and_estimates_are_told_together():
    both = replace(BASE, processors=1.25, load=1.25, estimates=Exact())
    assert told(both, processors=160) == [
        "the machine has 160 instead of 128 processors",
        "the same jobs arrive in 80 % of the time",
        "every estimate is the run time itself",
    ]


def test_every_usual_scenario_changes_something_and_no_two_the_same():
    changes = [tuple(told(one, processors=round(128 * one.processors))) for one in usual(BASE, users=True)]
    assert all(changes)
    assert len(set(changes)) == len(changes)
