"""Ceilings for each user as parameters of a policy."""

import polars as pl
import pytest

from slotwise.planning.ceilings import ceiling_words, ceilings_of, near, without_ceilings
from slotwise.planning.fair_share import keeping_rules
from slotwise.planning.models import Pool
from slotwise.planning.scenarios import Scenario, run_scenario, usual
from slotwise.planning.tuned import tune
from slotwise.planning.written import with_values
from traces.generate import generate


def test_a_ceiling_is_told_in_words_and_not_as_a_parameter():
    pool = Pool("easy_sjbf(user_jobs=16, user_processor_h=2304.0)", 128)
    assert pool.words() == (
        "EASY-SJBF on 128 processors, at most 16 running jobs of a user, "
        "at most 2,304 requested processor hours of a user's running jobs left"
    )
    assert ceiling_words("conservative") == []


@pytest.mark.parametrize(
    ("policy", "kept"),
    [
        ("conservative", "conservative(user_jobs=4)"),
        ("easy(reservations=4)", "easy(reservations=4, user_jobs=4)"),
        ('list(order="fcfs")', 'list(order="fcfs", user_jobs=4)'),
        ("gang", "gang"),
    ],
)
def test_another_policy_keeps_the_ceilings_if_it_can_have_any(policy, kept):
    assert keeping_rules(policy, "easy_sjbf(user_jobs=4)") == kept
    assert keeping_rules(policy, "easy_sjbf") == policy


def test_ceilings_are_set_and_taken_away():
    policy = with_values("easy(reservations=2)", {"user_jobs": 3})
    assert ceilings_of(policy) == {"user_jobs": 3}
    assert without_ceilings(policy) == "easy(reservations=2)"
    assert without_ceilings("easy(user_jobs=3)") == without_ceilings("easy") == "easy"


def test_scenarios_tried_unasked_keep_the_ceilings_of_the_baseline():
    scenarios = usual(Scenario("easy(user_jobs=8)"))
    assert {ceilings_of(one.policy)["user_jobs"] for one in scenarios} == {8}
    assert Scenario("easy(user_jobs=8)") not in scenarios
    pools = usual(Scenario("easy(user_jobs=8) | conservative"))
    assert pools[0].policy == "easy(user_jobs=8) | easy"


def test_the_search_comes_nearer_to_the_best_ceiling():
    assert near([1, 2, 4, 8], 4) == [2, 3, 6, 8]
    assert near([1, 2], 1) == [2]


def test_tuning_keeps_the_ceilings_of_the_baseline():
    drawn = generate("lublin", jobs=1500, seed=2, processors=16, load=0.8)
    drawn = drawn.transformed(drawn.jobs.with_columns(user=(pl.col("job") % 3).cast(pl.Int32)), {"step": "users"})
    base = Scenario("easy_sjbf(user_jobs=2)")
    said = []
    tune(drawn, {"": drawn}, run_scenario(drawn, base).schedule, base, "mean_wait", said.append)
    assert len(said) > 10
    assert all("user jobs: 2" in label for label in said)
    assert any("Conservative" in label for label in said)
