"""Changes of regime: found where there is one, not found where there is none, and simulated by the options that are printed."""

import shlex
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from scheduler_core.contracts import read_replications
from scheduler_core.declarations.policy import get_policy
from scheduler_core.runs.folder import read_run
from scheduler_core.runs.simulation import simulate
from slotwise.planning.fitted import OF_REGIME, fewer_processors, fit, whatif_options
from slotwise.planning.models import Model, Pool
from slotwise.planning.recorded import recorded_use, with_recorded_wait
from slotwise.planning.regimes import Regimes, best_regimes, neighbours
from slotwise.planning.scenarios import Scenario
from slotwise.planning.search import Fitting
from slotwise.planning.study import changed_keys
from slotwise.planning.validation import agreement_of, validate
from tests.slotwise.cli.command import run
from tests.slotwise.planning.small_jobs import jobs, workload
from traces.generate import generate
from traces.shape.regimes import Usable
from traces.shape.selection import usable
from traces.shape.windows import WEEK_US

CHANGE = Usable(62, ((14, 56),))
"""What can be used of a machine of 64 processors for 24 weeks."""


WEEKS = pl.DataFrame({"job": [1], "week": [1], "recorded_h": [1.0], "simulated_h": [1.0]})
"""A job's waits."""


def silent(text):
    """Say nothing."""


def recorded_on(part, noise=0.0, seed=3, widest=64):
    """Return a drawn workload of 64 processors whose recorded waits come from EASY on a part of them.

    Jobs wider than ``widest`` are left out.
    With ``noise``, the waits of each week and of each job are multiplied by random factors, which no model explains.
    """
    drawn = generate("lublin", jobs=20_000, seed=seed, processors=64, load=0.75)
    drawn = drawn.transformed(drawn.jobs.filter(pl.col("size") <= widest), {"step": "widest"})
    made = simulate(usable(drawn, *part), "easy").jobs.sort("job")
    wait_us, random = (made["start_us"] - made["submit_us"]).to_numpy(), np.random.default_rng(seed)
    of_week = np.exp(random.normal(0, noise, 200))[made["submit_us"].to_numpy() // (168 * 3_600_000_000)]
    wait_us = (wait_us * of_week * np.exp(random.normal(0, noise, len(wait_us)))).astype(np.int64)
    waits = made.select("job", recorded_wait_us=pl.Series(wait_us))
    return drawn.transformed(drawn.jobs.join(waits, on="job", maintain_order="left"), {"step": "recorded"})


@pytest.fixture(scope="module")
def changing(tmp_path_factory):
    """Return the file of a workload whose usable processors change."""
    path = tmp_path_factory.mktemp("changing") / "log.parquet"
    recorded_on(CHANGE).write(path)
    return path


def test_a_change_is_found_told_and_simulated_by_the_options_printed(changing, tmp_path, capsys):
    """The date is found to two weeks, both capacities to three percent."""
    assert run("fit", changing) == 0
    said = capsys.readouterr().out
    (command,) = [line for line in said.splitlines() if "slotwise whatif" in line]
    options = shlex.split(command)[3:]
    first, later = options[options.index("--usable") + 1].split(",")
    processors, week = map(int, later.split("@"))
    assert abs(week - 14) <= 2
    assert int(first) == pytest.approx(62, rel=0.03)
    assert processors == pytest.approx(56, rel=0.03)
    assert f"Change of regime: {int(first) / 64:.0%}".replace("%", " %") in said

    policy = ["--policy", options[options.index("--baseline") + 1]] if "--baseline" in options else ["--policy", "easy"]
    assert run("simulate", changing, *policy, "--usable", f"{first},{later}", "--out", tmp_path / "run") == 0
    (jobs_there,) = read_replications(changing)
    pool = Pool(policy[1], int(first), changes=((week, processors),))
    own = simulate(Fitting(jobs_there, silent, jobs_there).jobs_of(pool), policy[1])
    assert read_run(tmp_path / "run").schedules[0].jobs["start_us"].to_list() == own.jobs["start_us"].to_list()

    page = tmp_path / "page.html"
    assert run("whatif", changing, *options, "--try", "fcfs", "--out", page) == 0
    assert f"from week {week} on {processors / 64:.0%}".replace("%", " %") in page.read_text().replace(
        "\N{NO-BREAK SPACE}", " "
    )


def test_a_machine_that_grew_is_found():
    """The machine was much smaller than any part of it that is tried for a whole log; the log's own use tells how small."""
    log = recorded_on(Usable(40, ((12, 64),)), widest=40)
    fitting = Fitting(log, silent, log)
    best = fitting.best(Regimes(fitting).models(Pool("easy", 64), 1))
    assert best.pools == (Pool("easy", 40, changes=((12, 64),)),)
    assert best.even.by_job > 0.99


@pytest.mark.parametrize(
    ("noise", "seed"),
    [(0.5, 3), *(pytest.param(noise, seed, marks=pytest.mark.thorough) for noise, seed in ((0.0, 3), (0.5, 4)))],
)
def test_no_change_is_kept_where_there_is_none(noise, seed):
    """Noise lets some change explain odd weeks better; it does not explain even weeks better."""
    found = fit(recorded_on(Usable(60), noise, seed), silent)
    kept = [step.kept for step in found.steps if step.name == OF_REGIME]
    assert kept
    assert not any(kept)
    assert all(step.model.pools[0].usable.least_change >= 2 for step in found.steps if step.name == OF_REGIME)
    assert found.chosen.pools[0].changes == ()


def test_a_processor_more_or_less_is_no_change_of_regime(monkeypatch):
    """The best number of usable processors lies between whole percents of the machine; a change would come close to it."""
    log = recorded_on(Usable(60))
    found = [Model((Pool("easy", 60, changes=((12, size),)),), *[agreement_of(WEEKS)] * 2) for size in (61, 59, 62, 58)]
    regimes = Regimes(Fitting(log, silent, log))
    monkeypatch.setattr(regimes, "splits", lambda like, changes: found)
    assert [model.pools[0].usable.changes for model in regimes.models(Pool("easy", 64), 1)] == [
        ((12, 62),),
        ((12, 58),),
    ]


def test_short_logs_have_no_regimes(capsys, tmp_path, monkeypatch):
    found = []
    monkeypatch.setattr("slotwise.planning.fitted.fit", lambda *given: found.append(fit(*given)) or found[0])
    recorded_on(Usable(60)).first(8000).write(tmp_path / "short.parquet")
    assert run("fit", tmp_path / "short.parquet") == 0
    assert OF_REGIME not in capsys.readouterr().out
    assert OF_REGIME not in {step.name for step in found[0].steps}


def test_weeks_that_only_some_machines_have_are_left_out():
    """In week 5 ten jobs end on all but the whole machine, on which one of them is too wide: it takes all of a smaller one."""
    log = recorded_on(Usable(60))
    week = pl.col("submit_us") // WEEK_US
    few = log.jobs.filter((week != 5) | (week.cum_count().over(week) <= 10))
    first = (week == 5) & (week.cum_count().over(week) == 1)
    wide = few.with_columns(size=pl.when(first).then(pl.lit(65, pl.Int32)).otherwise("size"))
    wide = log.transformed(wide, {"step": "wide"})
    regimes = Regimes(Fitting(wide, silent, wide))
    assert 5 not in regimes.loss_by_week(Pool("easy", 64))["week"]
    assert 5 in regimes.loss_by_week(Pool("easy", 63))["week"]
    assert len(regimes.with_regimes(Pool("easy", 64), 1)) == 1


def test_the_best_regimes_are_those_of_the_least_sum():
    """Row 0 fits the first ten weeks, row 1 the ten after them, row 2 the last ten; only odd weeks are judged."""
    weeks = list(range(1, 30, 2))
    losses = np.array([[float(week // 10 != row) for week in weeks] for row in range(3)])
    assert best_regimes(losses, weeks, 2) == [(1, 0), (11, 1), (21, 2)]
    assert best_regimes(losses[:2], weeks, 1) == [(1, 0), (11, 1)]
    assert best_regimes(losses, weeks[:7], 1) == []
    assert best_regimes(losses, weeks[:0], 1) == []


def test_regimes_near_others_fit_on_the_machine_and_last_eight_weeks():
    near = list(neighbours(Usable(64, ((9, 60), (17, 62))), 1, 1, 64, (0, 40)))
    assert {one.changes[0][1] for one in near if one.changes[0][0] == 9} == {57, 58, 59, 61, 62, 63}
    assert {one.changes[0][0] for one in near} == {8, 9}
    assert [one.processors for one in neighbours(Usable(64, ((9, 60),)), 0, 1, 64, (0, 40))] == [61, 62, 63]


def test_a_pool_with_regimes_is_told_and_named():
    pool = Pool("easy", 62, changes=((14, 56),))
    assert pool.words() == "EASY on 62 processors, 56 from week 14 on"
    assert whatif_options(pool, 62) == ["--usable", "62,56@14"]
    assert fewer_processors(pool) == Pool("easy", 61, changes=((14, 55),))


def test_a_study_on_a_larger_machine_keeps_the_changes():
    log = usable(workload(jobs((0, 10, 4)), 128), 124, ((14, 113),))
    keys = changed_keys({"usable": "124,113@14"}, log, replace(Scenario("easy"), processors=1.25))
    assert keys == {"usable": "155,144@14", "processors": 155}
    assert changed_keys({"usable": 124}, log, replace(Scenario("easy"), processors=1.25)) == {"processors": 155}


def test_nothing_is_said_against_the_size_of_a_machine_that_changes_in_the_simulation():
    log = recorded_on(Usable(40, ((12, 64),)), widest=40)
    known = with_recorded_wait(log)
    assert recorded_use(known, 64).low is not None
    assert validate(usable(log, 40, ((12, 64),)), get_policy("easy"), simulate).use.low is None
