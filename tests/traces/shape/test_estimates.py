"""Estimate models: never below the run time, and distributed as their sources say."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from scheduler_core.common.errors import ParameterError, StudyError
from scheduler_core.contracts import Machine, Workload
from tests.profiles import searching
from traces.definition import read_definition
from traces.models import get_model
from traces.shape.estimates import MODELS, with_estimates
from traces.shape.modal_estimates import (
    HEAD,
    POPULARITY_IN_LOGS,
    apportion,
    deal_out,
    head_shares,
    modal_distribution,
    popular_values,
    popularity_of,
)

ALPHA = 0.001
SECOND = 1_000_000
ALL = [
    ("exact", {}),
    ("f_model", {"f": 0.0}),
    ("f_model", {"f": 300.0}),
    ("f_model", {"f": 2.5, "kind": "multiple"}),
    ("tsafrir", {}),
    ("tsafrir", {"maximum_share": 0.4}),
    ("tsafrir", {"maximum_share": 0.0}),
]


@pytest.fixture(scope="module")
def workload():
    return get_model("lublin").generate(20_000, np.random.default_rng(1))


def estimated(workload, name, seed=3, **values):
    return with_estimates(workload, MODELS[name](**values), np.random.default_rng(seed))


@pytest.mark.parametrize(("name", "values"), ALL)
def test_only_estimates_change_and_none_is_below_its_run_time(workload, name, values):
    varied = estimated(workload, name, **values)
    assert varied.jobs.drop("estimate_us").equals(workload.jobs.drop("estimate_us"))
    assert (varied.jobs["estimate_us"] >= varied.jobs["runtime_us"]).all()
    assert varied.digest == estimated(workload, name, **values).digest
    step = varied.provenance["transformations"][-1]
    assert (step["step"], step["model"]) == ("estimates", name)
    assert step["parameters"].items() >= values.items()


@searching(60)
@given(
    st.sampled_from(ALL),
    hnp.arrays(np.int64, st.integers(1, 60), elements=st.integers(1, 400_000 * SECOND)),
    st.integers(0, 5),
)
def test_any_run_times_get_estimates_that_are_long_enough(model, runtime, seed):
    name, values = model
    estimate, _ = MODELS[name](**values).estimates(runtime, np.random.default_rng(seed))
    assert estimate.dtype == np.int64
    assert (estimate >= runtime).all()


def test_exact_estimates(workload):
    longer = workload.jobs.with_columns(estimate_us=pl.col("runtime_us") * 3)
    exact = estimated(Workload(longer, Machine(128)), "exact")
    assert exact.jobs["estimate_us"].equals(exact.jobs["runtime_us"])


@pytest.mark.parametrize("f", [1.0, 10.0])
def test_f_model_is_uniform_between_one_and_f_plus_one_run_times(workload, f):
    jobs = estimated(workload, "f_model", f=f).jobs
    ratio = (jobs["estimate_us"] / jobs["runtime_us"] - 1) / f
    assert stats.kstest(ratio.to_numpy(), "uniform").pvalue > ALPHA


def test_f_model_as_a_multiple(workload):
    jobs = estimated(workload, "f_model", f=2.0, kind="multiple").jobs
    assert (jobs["estimate_us"] == 3 * jobs["runtime_us"]).all()


# Modal estimates.


def test_twenty_values_serve_for_89_percent_of_the_jobs(workload):
    estimates = estimated(workload, "tsafrir").jobs["estimate_us"]
    counts = estimates.value_counts(sort=True)
    assert counts["count"].head(20).sum() / len(workload) == pytest.approx(0.89, abs=0.001)
    hours = -(-workload.jobs["runtime_us"].max() // (3600 * SECOND))
    assert counts["estimate_us"][0] == estimates.max() == hours * 3600 * SECOND
    assert counts["count"][0] / len(workload) == pytest.approx(head_shares(20, None)[0], abs=0.001)
    assert counts.height == round(90 + (340 - 90) * (20_000 - 10_000) / 60_000)
    assert all(value % (300 * SECOND) == 0 for value in counts["estimate_us"].head(20))


def test_shares_of_the_popular_values():
    shares = head_shares(20, None)
    assert shares.sum() == pytest.approx(0.89)
    assert shares[1] == pytest.approx((14.0491 * np.exp(-0.177531 * 2) + 0.462513) / 100)
    assert (np.diff(shares) < 0).all()
    given_share = head_shares(20, 0.5)
    assert given_share[0] == 0.5
    assert given_share.sum() == pytest.approx(0.89)
    assert given_share[2] / given_share[1] == pytest.approx(shares[2] / shares[1])


def test_popular_values_below_the_maximum():
    hours = [value / 3600 for value in popular_values(18 * 3600)]
    everywhere = [5 / 60, 10 / 60, 15 / 60, 20 / 60, 30 / 60, 1, 2, 3, 4, 5, 6, 8, 10, 12]
    assert hours[0] == 18
    assert hours[1:] == sorted(hours[1:])
    assert set(hours) == {18, *everywhere, 15, 16, 14, 17, 13}  # multiples of 5 hours, of 2, then of 1
    week = [value / 3600 for value in popular_values(160 * 3600)]
    assert {160, 100, 150, 50, 140} < set(week)
    assert len(popular_values(3600)) == 12  # only multiples of five minutes fit into an hour


@pytest.mark.parametrize("seed", range(20))
def test_popularity_keeps_to_the_logs(seed):
    """Each rank once, the maximum first, and the most popular rank that is due where one is."""
    ranks = popularity_of(HEAD, np.random.default_rng(seed))
    assert sorted(ranks) == list(range(1, 21))
    assert ranks[0] == 1
    columns = {rank: np.nonzero(rank == POPULARITY_IN_LOGS)[1] for rank in range(1, 21)}
    for place, rank in enumerate(ranks[1:], start=1):
        assert place >= columns[rank].min()
        due = [other for other in columns if other not in ranks[:place] and columns[other].max() <= place]
        assert not due or rank == due[0]


def test_each_log_ranks_twenty_values():
    assert all(sorted(row) == list(range(1, 21)) for row in POPULARITY_IN_LOGS.tolist())


@pytest.mark.parametrize("jobs", [1, 7, 150, 5000, 300_000])
@pytest.mark.parametrize("maximum", [3600, 18 * 3600, 100_000])
def test_a_distribution_is_whole_different_and_bounded(jobs, maximum):
    values, counts = modal_distribution(jobs, maximum, None, np.random.default_rng(jobs))
    assert counts.sum() == jobs
    assert (np.diff(values) > 0).all()
    assert values[0] > 0
    assert values[-1] == maximum


@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=30), st.integers(1, 10_000))
def test_largest_remainders(weights, jobs):
    shares = np.array(weights) / sum(weights)
    counts = apportion(shares, jobs)
    assert counts.sum() == jobs
    assert (np.abs(counts - shares * jobs) < 1 + 1e-6).all()


def test_every_feasible_deal_is_equally_likely():
    """Run times 1, 1, 3 and estimates 2, 4, 6: the long job takes 4 or 6, the others what is left in either order."""
    generator = np.random.default_rng(11)
    runtime = np.array([1, 3, 1])
    deals = [tuple(deal_out(np.array([2, 4, 6]), np.array([1, 1, 1]), runtime, generator)[0]) for _ in range(4000)]
    found = {deal: deals.count(deal) for deal in set(deals)}
    assert set(found) == {(2, 4, 6), (6, 4, 2), (2, 6, 4), (4, 6, 2)}
    assert stats.chisquare(list(found.values())).pvalue > ALPHA


def test_too_many_long_jobs_raise_estimates_and_say_how_many():
    runtime = np.array([50, 50, 50, 1])
    estimate, raised = deal_out(np.array([10, 60, 90]), np.array([2, 1, 1]), runtime, np.random.default_rng(1))
    assert sorted(estimate) == [10, 60, 60, 90]
    assert raised == 1
    assert estimate[3] == 10


def test_a_maximum_below_the_longest_run_time_is_refused(workload):
    with pytest.raises(ParameterError, match="maximum_s must not be below the longest run time"):
        estimated(workload, "tsafrir", maximum_s=64_800)
    varied = estimated(workload, "tsafrir", maximum_s=400_000, maximum_share=0.3)
    assert varied.jobs["estimate_us"].max() == 400_000 * SECOND
    assert (varied.jobs["estimate_us"] == 400_000 * SECOND).sum() == 6000


@pytest.mark.parametrize(
    ("name", "values", "words"),
    [
        ("f_model", {"f": -1.0}, "at least 0"),
        ("f_model", {"kind": "unifrom"}, "did you mean 'uniform'"),
        ("tsafrir", {"maximum_s": 60}, "at least 3600"),
        ("tsafrir", {"maximum_share": 0.95}, "at most 0.88"),
        ("exact", {"f": 1}, "it has no parameters"),
    ],
)
def test_wrong_estimate_models(name, values, words):
    with pytest.raises(StudyError, match=words):
        read_definition({"model": "lublin", "jobs": 9, "estimates": {"model": name, **values}})


def test_models_are_documented():
    assert all(kind.__doc__ and kind.label and kind.source for kind in MODELS.values())
