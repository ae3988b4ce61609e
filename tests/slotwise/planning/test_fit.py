"""What a fit recovers of clusters whose policy and machine are known."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from scheduler_core.common.units import HOUR_US
from scheduler_core.contracts.companions import CLOSED_HOURS_COLUMNS, STANDSTILLS_COLUMNS
from scheduler_core.runs.simulation import simulate
from slotwise.planning import trials
from slotwise.planning.breaking import loads_at_starts
from slotwise.planning.ceilings import CEILINGS, COARSE, ceiling_words, ceilings_of
from slotwise.planning.fair_share import fair_share_words, with_fair_share
from slotwise.planning.fitted import OF_QUEUE, OF_USAGE, OF_USERS, Ladder, fit, pools_options, whatif_options
from slotwise.planning.models import Pool, score
from slotwise.planning.search import Fitting
from slotwise.planning.trials import MOST_STILL, STANDSTILLS_H
from tests.slotwise.planning.small_jobs import jobs, workload
from traces.generate import generate
from traces.shape.credit import with_credit
from traces.shape.regimes import Usable
from traces.shape.selection import usable

thorough = pytest.mark.thorough  # a search takes 10 to 20 CPU s

SHORTEST_FIRST = 'list(order="shortest", when_blocked="skip")'
"""Shortest job first, without reservations."""


def silent(text):
    """Say nothing."""


UTC_FROM_MONDAY = {"start_s": 820454400, "utc_offset_s": 0, "zone": "UTC"}


def recorded_under(policy, part, seed=3, companions=None, credit=None, processors=64, number=10_000, estimate=None):
    """Return a drawn workload of 64 processors whose recorded waits come from a policy on a part of them.

    Every tenth job is of queue 1, the others of queue 0. Every second job is of user 0, the others of twenty users. ``estimate``
    is an expression; by default, estimates are exact.
    """
    drawn = generate("lublin", jobs=number, seed=seed, processors=processors, load=0.75)
    if estimate is not None:
        drawn = drawn.transformed(drawn.jobs.with_columns(estimate_us=estimate), {"step": "estimates"})
    queue = (pl.col("job") % 10 == 0).cast(pl.Int32)
    user = (pl.col("job") % 2 * (1 + pl.col("job") // 2 % 20)).cast(pl.Int32)
    drawn = drawn.transformed(drawn.jobs.with_columns(queue=queue, user=user), {"step": "queues and users"})
    site = drawn if credit is None else with_credit(drawn, credit)
    site = usable(site, *(part if isinstance(part, Usable) else Usable(part)))
    site = replace(site, companions={**site.companions, **(companions or {})})
    made = simulate(site, policy).jobs.sort("job")
    waits = made.select("job", recorded_wait_us=made["start_us"] - made["submit_us"])
    table = drawn.jobs.join(waits, on="job", maintain_order="left")
    return drawn.transformed(table, {"step": "recorded"})


def popular_estimate(*hours):
    """Return the estimates of users who ask for the least of some times that is enough, or for the last one."""
    asked = [pl.when(pl.col("runtime_us") <= hour * HOUR_US).then(hour * HOUR_US) for hour in hours]
    return pl.coalesce(*asked, hours[-1] * HOUR_US).cast(pl.Int64)


def test_the_drawn_log_is_two_partitions_under_easy(drawn_fit):
    found = drawn_fit
    truth = ((120, "partition", (1,)), (8, "partition", (2,)))
    assert [(pool.policy, pool.processors, pool.column, pool.numbers) for pool in found.chosen.pools] == [
        ("easy", *pool) for pool in truth
    ]
    assert found.grade.letter == "A"
    assert len(found.certificates) == 2
    assert repr(found).startswith(f"{found.chosen.words}: Grade A on even weeks.")
    assert found.steps[0].kept


def test_each_simulation_is_announced_with_its_step_and_number():
    said = []
    found = fit(recorded_under("fcfs", 64, number=600), said.append)
    assert said == [
        "EASY, whole machine, simulation 1: EASY on 64 processors",
        "grade, simulation 2: EASY on 63 processors",
    ]
    assert [step.name for step in found.steps] == ["EASY, whole machine"]


@pytest.mark.parametrize("policy", ["conservative", pytest.param("easy_sjbf", marks=thorough), "easy", SHORTEST_FIRST])
def test_policy_and_usable_processors_are_recovered(policy):
    log = recorded_under(policy, 58)
    found = fit(log, silent)
    truth = Pool(policy, 58)
    assert truth in [model.pools[0] for model in (found.chosen, *found.equal)]
    assert found.chosen.even.by_job > 0.99
    assert found.chosen.even.ratio == pytest.approx(1, abs=0.02)
    if policy == "conservative":
        few = fit(log.first(len(log) // 4), silent)
        assert (few.chosen.even.weeks, found.chosen.even.weeks) == (2, 7)
        assert [step.name for step in few.steps] == ["EASY, whole machine"], "few weeks are not searched"
        for one, weeks in ((few, "2 even weeks"), (found, "7 even weeks")):
            assert one.grade.letter == ""
            assert one.grade.reason.startswith(f"it has {weeks} with")
    if policy == "easy":
        assert [step.kept for step in found.steps if step.name == OF_USAGE] == [False], "nobody has fair share"


def test_a_size_between_two_percents_is_recovered():
    """Of 128 processors, 98 % are 125 and 99 % are 127."""
    found = fit(recorded_under("easy_sjbf", 126, processors=128), silent)
    assert found.chosen.pools == (Pool("easy_sjbf", 126),)
    assert found.chosen.even.by_job > 0.99


def test_a_policy_that_waits_too_long_everywhere_does_not_move_the_search():
    """Under FCFS, waits are too long on the whole machine; the search for EASY still begins near the size that it got."""
    fitting = Fitting(log := recorded_under("easy", 56), silent, log)
    found = fitting.sizes_of([Pool(policy, 56) for policy in ("fcfs", "easy")])
    assert fitting.best(found).pools == (Pool("easy", 56),)
    assert fitting.model([Pool("fcfs", 64)]).odd.ratio > 1
    assert (Pool("easy", 64),) not in fitting.models


def test_a_ceiling_and_a_change_of_regime_are_recovered_together():
    """A ceiling that explains little on a machine without the change is tried again with it."""
    policy = "easy(user_jobs=12)"
    found = fit(recorded_under(policy, Usable(62, ((10, 57),)), seed=14, number=16_000), silent)
    assert found.chosen.pools == (Pool(policy, 62, changes=((10, 57),)),)
    assert found.chosen.even.by_job > 0.99
    assert whatif_options(found.chosen.pools[0], 64)[:2] == ["--baseline", policy]
    assert ceiling_words(policy)[0] in found.chosen.words


def test_the_ladder_never_keeps_a_step_that_is_worse_on_even_weeks_on_any_number_of_cores(monkeypatch):
    found = {}
    for cores in (1, 5):
        monkeypatch.setattr(trials.os, "cpu_count", lambda cores=cores: cores)
        found[cores] = fit(recorded_under("fcfs", 64, seed=5).first(2000), silent)
    kept = [score(step.model.even) for step in found[1].steps if step.kept]
    assert kept == sorted(kept)
    assert found[1] == found[5]


def test_standstills_are_recovered():
    """The site is down for three times twelve hours; the waits come from EASY, which does not start jobs then."""
    hour = 3_600_000_000
    down = [(begin * hour, (begin + 12) * hour) for begin in (100, 400, 700)]
    table = pl.DataFrame(down, schema=STANDSTILLS_COLUMNS, orient="row")
    found = fit(recorded_under("easy", 64, companions={"standstills": table}), silent)
    assert found.chosen.pools[0] == Pool("easy", 64, standstills_h=found.chosen.pools[0].standstills_h)
    assert found.chosen.pools[0].standstills_h > 0
    assert found.chosen.even.by_job > 0.99


def test_pauses_of_a_policy_are_no_outages():
    """Under FCFS jobs that would fit wait for hours behind wide ones, over a tenth of the time; no outage explains it."""
    fitting = Fitting(log := recorded_under("fcfs", 64, seed=5), silent, log)
    still = fitting.on_site(STANDSTILLS_H[-1]).companions["standstills"]
    assert (still["end_us"] - still["begin_us"]).sum() > MOST_STILL * log.jobs["submit_us"].max()
    assert STANDSTILLS_H[-1] not in fitting.standstills_h


def test_a_queue_of_wide_jobs_that_is_seldom_busy_is_no_small_pool():
    """Queue 1 is served first and hardly ever busy, so its recorded use alone would give it a processor or two.

    A pool in which its widest jobs fit would make the machine nearly twice as large.
    """
    log = recorded_under("easy", 64, credit={1: 1000.0})
    assert log.jobs.filter(queue=1)["size"].max() == 64
    assert Fitting(log, silent, log).pools_by("queue", ["easy"]) == []
    narrow = log.jobs.filter((pl.col("queue") == 0) | (pl.col("size") <= 20))
    (model, *_) = Fitting(small := log.transformed(narrow, {"step": "narrow"}), silent, small).pools_by(
        "queue", ["easy"]
    )
    assert model.pools[1].processors >= round(0.8 * small.jobs.filter(queue=1)["size"].max())


def test_closed_hours_are_recovered():
    """Queue 1 is closed from 6 to 18 o'clock on working days; the waits come from EASY, which starts none of its jobs then."""
    closed = [(1, 0, (24 * day + 6) * HOUR_US, (24 * day + 18) * HOUR_US) for day in range(180) if day % 7 < 5]
    table = pl.DataFrame(closed, schema=CLOSED_HOURS_COLUMNS, orient="row")
    log = recorded_under("easy", 64, companions={"closed_hours": table})
    found = fit(replace(log, provenance={**log.provenance, "clock": UTC_FROM_MONDAY}), silent)
    assert found.chosen.pools[0] == Pool("easy", 64, closed=True)
    assert found.chosen.even.by_job > 0.99
    assert found.chosen.words.endswith("closed hours")
    assert whatif_options(found.chosen.pools[0], 64) == ["--closed-hours"]


def test_a_limit_for_jobs_by_day_is_recovered():
    """No job over two hours starts from 7 to 16 o'clock on working days; jobs ask for 1, 2, 4 or 24 hours."""
    days = [24 * day * HOUR_US for day in range(180) if day % 7 < 5]
    closed = [(-1, 2 * HOUR_US, day + 7 * HOUR_US, day + 16 * HOUR_US) for day in days]
    table = pl.DataFrame(closed, schema=CLOSED_HOURS_COLUMNS, orient="row")
    log = recorded_under("easy", 64, companions={"closed_hours": table}, estimate=popular_estimate(1, 2, 4, 24))
    found = fit(replace(log, provenance={**log.provenance, "clock": UTC_FROM_MONDAY}), silent)
    assert found.closing == {"over2h": "workdays:7-16"}
    assert found.chosen.pools[0] == Pool("easy", 64, closed=True)
    assert found.chosen.even.by_job > 0.99


def test_a_queue_that_is_served_first_is_recovered():
    drawn = recorded_under("easy", 60, credit={1: 1000})
    found = fit(drawn, silent)
    assert found.chosen.pools == (Pool("easy", 60, credit=((1, 1000.0),)),)
    assert found.chosen.even.by_job > 0.99


def test_a_credit_of_hours_is_recovered_with_the_size_of_the_machine():
    """Without the credit, EASY-SJBF explains most on 60 processors."""
    estimate = popular_estimate(1, 2, 4, 12, 24)
    found = fit(recorded_under("easy_sjbf", 57, 107, credit={0: 24.0}, number=12_000, estimate=estimate), silent)
    assert [step.model.pools[0].processors for step in found.steps if step.name == "policy"] == [60]
    assert found.chosen.pools[0] == Pool("easy_sjbf", 57, credit=((0, 24.0),))


def test_maintenance_is_recovered_beside_a_queue_that_is_served_first():
    """No job starts on Wednesdays from 6 to 10. Closed hours explain little until queue 1 is served first."""
    days = [24 * day * HOUR_US for day in range(366) if day % 7 == 2]
    closed = [(-1, 0, day + 6 * HOUR_US, day + 10 * HOUR_US) for day in days]
    table = pl.DataFrame(closed, schema=CLOSED_HOURS_COLUMNS, orient="row")
    log = recorded_under("easy", 60, companions={"closed_hours": table}, credit={1: 1000.0}, number=20_000)
    found = fit(replace(log, provenance={**log.provenance, "clock": UTC_FROM_MONDAY}), silent)
    assert found.closing == {"all": "wed:6-10"}
    assert found.chosen.pools[0] == Pool("easy", 60, closed=True, credit=((1, 1000.0),))
    assert found.chosen.even.by_job > 0.99


def test_a_queue_that_is_served_first_in_its_pool_is_recovered():
    """Queue 1 has jobs in two partitions; queue 7 is alone in the third one, where a credit could change nothing."""
    sizes = {1: 64, 2: 32, 3: 16}
    parts = [
        recorded_under(
            "easy", size, seed, credit={1: 1000} if number < 3 else None, processors=size, number=5000
        ).jobs.with_columns(
            partition=pl.lit(number, pl.Int32), queue=pl.col("queue") if number < 3 else pl.lit(7, pl.Int32)
        )
        for seed, (number, size) in enumerate(sizes.items(), start=3)
    ]
    table = pl.concat(parts).sort("submit_us").with_columns(job=pl.int_range(1, 15_001, dtype=pl.Int64))
    log = workload(table, sum(sizes.values()))
    ladder = Ladder(Fitting(log, silent, log))
    ladder.climb_pools()
    first = ((1, 1000.0),)
    assert ladder.last.pools == tuple(
        Pool("easy", size, "partition", (number,), credit=first if number < 3 else ()) for number, size in sizes.items()
    )
    assert ladder.last.even.by_job > 0.99
    assert [step.name for step in ladder.steps if step.kept] == ["EASY, whole machine", "pools by partition", OF_QUEUE]
    credited = [step.tried for step in ladder.steps if step.name == OF_QUEUE]
    assert credited == [40, 10], "queues 0 and 1 in two pools under two policies, then queue 0; never queue 7"


@thorough
@pytest.mark.parametrize("policy", ["easy(user_jobs=3)", "easy(user_processor_h=128.0)"])
def test_a_ceiling_for_each_user_is_recovered(policy):
    found = fit(recorded_under(policy, 60), silent)
    assert (Pool(policy, 60),) in [model.pools for model in (found.chosen, *found.equal)]
    assert ceilings_of(found.chosen.pools[0].policy) == ceilings_of(policy)
    assert found.chosen.even.by_job > 0.99
    assert whatif_options(Pool(policy, 60), 64) == ["--baseline", policy, "--usable", "60"]
    assert ceiling_words(policy)[0] in found.chosen.words


@pytest.mark.parametrize(
    ("policy", "half_life_h", "weight_h"),
    [
        *(pytest.param(*one, marks=thorough) for one in (("easy", 168, 48), ("easy_sjbf", 168, 96))),
        ("easy_sjbf", 48, 96),
    ],
)
def test_fair_share_is_recovered(policy, half_life_h, weight_h):
    """A ceiling or standstills explain a part of these waits; the step finds fair share without them."""
    shared = with_fair_share(policy, half_life_h, weight_h)
    found = fit(recorded_under(shared, 60), silent)
    assert found.chosen.pools == (Pool(shared, 60),)
    assert found.chosen.even.by_job > 0.99
    assert fair_share_words(shared)[0] in found.chosen.words
    assert whatif_options(Pool(shared, 60), 64) == ["--baseline", shared, "--usable", "60"]


def test_no_ceiling_is_tried_where_users_are_unknown():
    drawn = recorded_under("easy", 60).first(2000)
    alone = drawn.transformed(drawn.jobs.with_columns(user=pl.lit(1, pl.Int32)), {"step": "one user"})
    for log in (drawn.transformed(drawn.jobs.drop("user"), {"step": "no users"}), alone):
        assert not {OF_USERS, OF_USAGE} & {step.name for step in fit(log, silent).steps}


def test_no_ceiling_is_tried_that_the_log_breaks():
    """A user has several running jobs at many of the recorded starts, so one running job is no rule of the site."""
    drawn = recorded_under("easy", 60).first(2000)
    fitting = Fitting(drawn, silent, drawn)
    loads = {name: loads_at_starts(fitting.known, name) for name in CEILINGS}
    tried = [ceilings_of(model.pools[0].policy) for model in fitting.ceilings(Pool("easy", 60))]
    assert {name: max(one.get(name, 0) for one in tried) for name in CEILINGS} == {
        "user_jobs": COARSE[-1],
        "user_processor_h": COARSE[-1] * 64 / 4,
    }
    assert all(np.mean(loads[name] > ceiling) <= 0.05 for one in tried for name, ceiling in one.items())
    assert np.mean(loads["user_jobs"] > 1) > 0.05


def test_options_name_the_baseline():
    assert whatif_options(Pool("easy", 64), 64) == []
    assert whatif_options(Pool("conservative", 60), 64) == ["--baseline", "conservative", "--usable", "60"]
    pool = Pool("easy", 8, "queue", (2, 5))
    assert whatif_options(pool, 64) == ["--usable", "8", "--queue", "2", "--queue", "5"]
    site = Pool("easy", 64, standstills_h=12.0, credit=((0, 1000.0), (3, -6.0)))
    credit = ["--queue-credit", "0=1000", "--queue-credit", "3=-6"]
    assert whatif_options(site, 64) == ["--standstills", "12", *credit]


def test_options_name_the_baseline_of_several_pools():
    pools = [Pool("easy", 120, "partition", (1,), 12.0), Pool("easy", 8, "partition", (2, 5), 12.0)]
    assert pools_options(pools) == ["--pool", "partition=1:120", "--pool", "partition=2,5:8", "--standstills", "12"]
    two = [replace(pools[0], policy="conservative", standstills_h=0.0), replace(pools[1], standstills_h=0.0)]
    assert pools_options(two) == ["--pool", "partition=1:120:conservative", "--pool", "partition=2,5:8:easy"]
    assert pools_options([two[0]] * 2)[:2] == ["--baseline", "conservative"]
    credited = [replace(pools[0], credit=((4, 24.0),)), replace(pools[1], credit=((3, -6.0), (4, 24.0)))]
    assert pools_options(credited)[-4:] == ["--queue-credit", "3=-6", "--queue-credit", "4=24"]


def test_wider_jobs_take_all_of_the_usable_machine():
    narrowed = usable(workload(jobs((0, 5, 4), (1, 5, 2)), 4), 3)
    assert narrowed.jobs["size"].to_list() == [3, 2]
    assert narrowed.machine.processors == 3
    assert narrowed.provenance["transformations"][-1]["jobs_narrowed"] == 1
