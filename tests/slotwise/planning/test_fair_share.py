"""Fair share as parameters of a policy, and as a change that what-if tries."""

import polars as pl
import pytest

from slotwise.planning.fair_share import (
    can_share,
    fair_share_of,
    fair_share_words,
    keeping_rules,
    several_users,
    with_fair_share,
    without_fair_share,
)
from slotwise.planning.models import Pool
from slotwise.planning.scenarios import Scenario, run_scenario, title_of_policy, usual
from slotwise.planning.tuned import tune
from slotwise.planning.words import rule_sentences
from traces.generate import generate

SHARED = 'order="fair_share", half_life_h=24, usage_weight_h=96'


def drawn(users):
    """Return a small drawn workload whose jobs are of so many users in turn."""
    made = generate("lublin", jobs=1500, seed=2, processors=16, load=0.8)
    return made.transformed(made.jobs.with_columns(user=(pl.col("job") % users).cast(pl.Int32)), {"step": "users"})


def test_fair_share_is_told_in_words_and_not_as_parameters():
    words = Pool(f"easy(user_jobs=16, {SHARED})", 128).words()
    assert words == (
        "EASY on 128 processors, at most 16 running jobs of a user, fair share: usage halves every 24 h, and all of it sets "
        "a user back by 96 h"
    )
    assert fair_share_words("easy") == []
    (sentence,) = rule_sentences(f"easy({SHARED}) | easy({SHARED})")
    assert sentence.startswith(f"The baseline has {fair_share_words(f'easy({SHARED})')[0]}: jobs of users who")


def test_fair_share_is_set_and_taken_away():
    policy = with_fair_share("easy_sjbf(user_jobs=2)", 24, 96)
    assert policy == f"easy_sjbf(user_jobs=2, {SHARED})"
    assert fair_share_of(policy) == {"order": "fair_share", "half_life_h": 24, "usage_weight_h": 96}
    assert without_fair_share(policy) == "easy_sjbf(user_jobs=2)"
    assert without_fair_share("easy_fair_share(user_jobs=2) | conservative") == "easy(user_jobs=2) | conservative"
    assert without_fair_share('easy(order="largest")') == 'easy(order="largest")'
    assert [can_share(name) for name in ("list", "conservative", "fcfs", "priority", "gang")] == [
        True,
        True,
        *[False] * 3,
    ]


@pytest.mark.parametrize(
    ("policy", "kept"),
    [
        ("conservative", f"conservative({SHARED}, user_jobs=4)"),
        ('list(order="fcfs")', f"list({SHARED}, user_jobs=4)"),
        ("sjf", "sjf(user_jobs=4)"),  # an order of its own
        ("easy_fair_share", "easy_fair_share(user_jobs=4)"),
        ("fcfs", "fcfs(user_jobs=4)"),
        ("gang", "gang"),
    ],
)
def test_another_policy_keeps_fair_share_if_it_can_have_it(policy, kept):
    assert keeping_rules(policy, f"easy_sjbf(user_jobs=4, {SHARED})") == kept


def test_whatif_switches_fair_share_on_where_the_log_has_users():
    base = Scenario("easy(user_jobs=8)")
    assert "easy_fair_share(user_jobs=8)" in {one.policy for one in usual(base, users=True)}
    assert "easy_fair_share(user_jobs=8)" not in {one.policy for one in usual(base)}
    assert title_of_policy("easy_fair_share") == "EASY (fair share)"


@pytest.mark.parametrize("baseline", ["easy_fair_share", 'easy(order="fair_share")'])
def test_whatif_switches_fair_share_off_where_the_baseline_has_it(baseline):
    policies = [one.policy for one in usual(Scenario(baseline), users=True) if one.policy != baseline]
    assert "easy" in policies
    assert [bool(fair_share_of(name)) for name in policies if name.startswith("conservative")] == [True]
    assert not any(name.startswith("easy(order=") and "reservations" not in name for name in policies)


def test_users_are_told_apart():
    assert several_users(drawn(3).jobs)
    assert not several_users(drawn(1).jobs)
    assert not several_users(drawn(3).jobs.drop("user"))


@pytest.mark.parametrize("users", [1, 3])
def test_tuning_tries_fair_share_only_where_users_are_told_apart(users):
    log, base, said = drawn(users), Scenario("easy"), []
    tune(log, {"": log}, run_scenario(log, base).schedule, base, "mean_wait", said.append)
    assert any("fair share" in label or "fair_share" in label for label in said) is (users > 1)
