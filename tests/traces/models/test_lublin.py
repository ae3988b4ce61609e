"""The Lublin-Feitelson model against its paper: moments and tables printed elsewhere, and its own distributions.

Every test of a distribution has a fixed seed and a stated probability ALPHA of failing for a model that is right.
"""

from dataclasses import astuple

import numpy as np
import polars as pl
import pytest
from scipy import stats

from tests.traces.class_table import class_table
from tests.traces.models.lublin_distributions import (
    daily_weights,
    kolmogorov_distance,
    kolmogorov_limit,
    mean_gap_s,
    runtime_below,
    size_probabilities,
    truncated_gamma,
)
from traces.models import get_model
from traces.models.lublin_published import BATCH, INTERACTIVE, TYPELESS

ALPHA = 0.001


def draw(jobs, seed=2003, **values):
    return get_model("lublin", **values).generate(jobs, np.random.default_rng(seed))


@pytest.fixture(scope="module")
def million():
    """A million jobs of the typeless model, ARAR applied."""
    return draw(1_000_000)


@pytest.fixture(scope="module")
def both():
    """Batch and interactive jobs together."""
    return draw(400_000, types="both")


def assert_sizes_follow(sizes, expected):
    """Chi-square test of all sizes; those expected fewer than five times are taken together."""
    found = np.bincount(sizes, minlength=len(expected))
    assert found[expected == 0].sum() == 0
    wanted = expected * len(sizes)
    rare = wanted < 5
    found = np.append(found[~rare], found[rare].sum())
    wanted = np.append(wanted[~rare], wanted[rare].sum())
    keep = wanted > 0
    assert stats.chisquare(found[keep], wanted[keep]).pvalue > ALPHA


def assert_runtimes_follow(jobs, below):
    seconds = jobs["runtime_us"].to_numpy() // 1_000_000
    assert kolmogorov_distance(seconds, below) < kolmogorov_limit(len(seconds), ALPHA)


def test_published_constants():
    """Transcribed once more from the publication, so that a slip in the module shows."""
    typeless = (0.244, 0.576, 0.8, 4.5, 7, 0.86, 4.2, 0.94, 312, 0.03, -0.0054, 0.78, 10.2303, 0.4871, 8.1737, 3.9631)
    batch = (
        0.2927,
        0.6686,
        1.2,
        5,
        7,
        0.875,
        6.57,
        0.823,
        639.1,
        0.0156,
        -0.003,
        0.6986,
        6.0415,
        0.8531,
        6.1271,
        5.274,
    )
    interactive = (
        *(0.1541, 0.625, 1, 3, 5.5, 0.705, 3.8351, 0.6605, 7.073, 0.6856, -0.0118, 0.9156),
        *(6.551, 0.6621, 8.9186, 3.668),
    )
    assert astuple(TYPELESS) == (*typeless, 1.0225)
    assert astuple(BATCH) == (*batch, 1.0519)
    assert astuple(INTERACTIVE) == (*interactive, 0.9797)


# Printed moments and tables.


@pytest.mark.parametrize(("alpha", "printed", "load"), [(10.23, 796, 0.83), (9.83, 627, 1.05), (8.83, 340, 1.93)])
def test_mean_interarrival_and_offered_load_of_lomarc(alpha, printed, load):
    assert mean_gap_s(alpha, 0.4871) == pytest.approx(printed, abs=1)
    workload = draw(1_000_000, alpha=alpha, arrival_ratio=False)
    submit = workload.jobs["submit_us"]
    assert submit[-1] / 1e6 / len(submit) == pytest.approx(printed, rel=0.02)
    assert workload.offered_load == pytest.approx(load, rel=0.03)


def test_arrival_ratio_lengthens_the_gaps(million):
    submit = million.jobs["submit_us"]
    assert submit[-1] / 1e6 / len(submit) == pytest.approx(mean_gap_s(10.2303 * 1.0225, 0.4871), rel=0.02)


def test_population_means(million):
    assert million.jobs["runtime_us"].mean() / 1e6 == pytest.approx(4360, rel=0.01)
    assert million.jobs["size"].mean() == pytest.approx(12.13, rel=0.01)
    work = (million.jobs["runtime_us"] / 1e6 * million.jobs["size"]).mean()
    assert work == pytest.approx(84_100, rel=0.01)
    assert million.jobs["runtime_us"].max() / 3.6e9 == pytest.approx(45.2, abs=0.2)


def test_share_of_serial_jobs(million):
    serial = int((million.jobs["size"] == 1).sum())
    assert stats.binomtest(serial, len(million), 0.244).pvalue > ALPHA


def test_share_of_powers_of_two(million):
    sizes = million.jobs["size"].to_numpy()
    powers = int(((sizes & (sizes - 1)) == 0).sum())
    probability = size_probabilities(TYPELESS, 128)[[2**power for power in range(8)]].sum()
    assert probability > 0.244 + 0.576
    assert stats.binomtest(powers, len(sizes), probability).pvalue > ALPHA


@pytest.mark.parametrize(
    ("scheme", "share", "work", "size", "runtime"),
    [
        ("lomarc", (0.428, 0.268, 0.304), (0.001, 0.015, 0.984), None, None),
        ("pect", (0.640, 0.195, 0.165), (0.005, 0.259, 0.736), (8.7, 16.8, 20.0), (78, 5759, 19_210)),
        ("pect", (0.637, 0.197, 0.166), None, (8.7, 16.6, 20.3), (78, 5775, 19_169)),
    ],
)
def test_class_tables(million, scheme, share, work, size, runtime):
    table = class_table(million, scheme)
    assert table["share"].to_list() == pytest.approx(share, abs=0.005)
    if work:
        assert table["work_share"].to_list() == pytest.approx(work, abs=0.005)
    if size:
        assert table["mean_size"].to_list() == pytest.approx(size, abs=0.25)
        assert table["mean_runtime_s"].to_list() == pytest.approx(runtime, rel=0.015)


def test_mean_work_by_class(million):
    classes = class_table(million, "lomarc").with_columns(
        work=pl.col("work_share") / pl.col("share") * (million.jobs["runtime_us"] / 1e6 * million.jobs["size"]).mean()
    )
    assert classes["work"].to_list() == pytest.approx((173, 4630, 272_000), rel=0.02)


@pytest.mark.parametrize(
    ("seed", "share", "work", "size"),
    [
        (71, (64, 19, 17), (0.5, 26.5, 73), (9, 17, 19)),
        (31, (63, 20, 17), (0.5, 25, 74.5), (9, 16, 20)),
        (73, (64, 20, 16), (0.4, 26.5, 73.5), (9, 17, 21)),
        (35, (65, 19, 16), (0.5, 27, 72.5), (9, 18, 20)),
        (7, (64, 20, 16), (0.5, 26, 73.5), (8, 17, 21)),
    ],
)
def test_workloads_of_the_group_optimisation_thesis(seed, share, work, size):
    """Its own acceptance: 10,000 jobs, shares within 2 points, work within 3 points, sizes within 2 processors."""
    table = class_table(draw(10_000, seed), "pect")
    assert (table["share"] * 100).to_list() == pytest.approx(share, abs=2)
    assert (table["work_share"] * 100).to_list() == pytest.approx(work, abs=3)
    assert table["mean_size"].to_list() == pytest.approx(size, abs=2)


@pytest.mark.parametrize(("types", "share"), [("batch", (0.47, 0.17, 0.36)), ("interactive", (0.96, 0.04, 0.004))])
def test_class_shares_of_the_job_types(types, share):
    table = class_table(draw(200_000, types=types), "pect")
    assert table["share"].to_list() == pytest.approx(share, abs=0.006)


# The model's own distributions.


def test_sizes(million):
    assert_sizes_follow(million.jobs["size"].to_numpy(), size_probabilities(TYPELESS, 128))


@pytest.mark.parametrize("size", [1, 2, 16, 64, 128])
def test_run_times_given_the_size(million, size):
    assert_runtimes_follow(million.jobs.filter(pl.col("size") == size), runtime_below(TYPELESS, size))


@pytest.mark.parametrize(("pb", "shape", "scale"), [(1.0, 4.2, 0.94), (0.0, 312.0, 0.03)])
def test_each_gamma_of_the_run_time(pb, shape, scale):
    jobs = draw(200_000, pa=0.0, pb=pb).jobs
    assert_runtimes_follow(jobs, truncated_gamma(shape, scale, 12))


def test_run_times_grow_with_the_size(million):
    jobs = million.jobs.select("size", pl.col("runtime_us").log())
    assert jobs.select(pl.corr("size", "runtime_us", method="spearman")).item() > 0.1


def test_gaps_in_points_follow_the_gamma(million):
    """Submissions turned back into points of the daily cycle: the gaps are log-gamma distributed."""
    weights = daily_weights(8.1737, 3.9631)
    before = np.concatenate([[0.0], np.cumsum(weights)])
    half_hours = million.column("submit_us") / 1.8e9
    whole = np.floor(half_hours).astype(int)
    points = whole // 48 * 48 + before[whole % 48] + weights[whole % 48] * (half_hours - whole)
    gaps = np.diff(points, prepend=0.0) * 1800
    drawn = np.log(gaps[gaps > 0.1])
    assert len(drawn) == len(gaps)
    test = stats.kstest(drawn, truncated_gamma(10.2303 * 1.0225, 0.4871, 13))
    assert test.pvalue > ALPHA


def test_arrivals_by_hour_of_the_day(million):
    """Chi-square (Hotelling) test of the hours' shares with days as units, as arrivals come in bursts."""
    hour = million.column("submit_us") // 3_600_000_000
    days = hour[-1] // 24
    counts = np.bincount(hour, minlength=(days + 1) * 24)[: days * 24].reshape(days, 24)
    share = daily_weights(8.1737, 3.9631).reshape(24, 2).sum(axis=1) / 48
    residual = (counts - counts.sum(axis=1, keepdims=True) * share)[:, 1:]
    mean, covariance = residual.mean(axis=0), np.cov(residual.T)
    statistic = days * mean @ np.linalg.solve(covariance, mean)
    assert stats.chi2(23).sf(statistic) > ALPHA
    assert counts.sum(axis=0).argmax() in (13, 14, 15)
    assert counts.sum(axis=0).argmin() in (4, 5)


# Job types.


@pytest.mark.parametrize(("interactive", "stream"), [(True, INTERACTIVE), (False, BATCH)])
def test_each_type_keeps_its_own_distributions(both, interactive, stream):
    jobs = both.jobs.filter(pl.col("interactive") == interactive)
    assert_sizes_follow(jobs["size"].to_numpy(), size_probabilities(stream, 128))
    for size in (1, 8):
        assert_runtimes_follow(jobs.filter(pl.col("size") == size), runtime_below(stream, size))
    gap = mean_gap_s(stream.a_arrival * stream.arrival_ratio, stream.b_arrival)
    assert both.jobs["submit_us"][-1] / 1e6 / len(jobs) == pytest.approx(gap, rel=0.04)


def test_types_are_told_apart_only_where_there_are_types(million):
    assert "interactive" not in million.jobs.columns
    assert draw(50, types="interactive").jobs["interactive"].to_list() == [True] * 50
    assert draw(50, types="batch").jobs["interactive"].to_list() == [False] * 50


def test_interactive_jobs_stay_below_their_largest_size(both):
    assert both.jobs.filter("interactive")["size"].max() == 45


# Other machines.


@pytest.mark.parametrize(
    ("processors", "u_low", "u_med", "u_high"),
    [(128, 0.8, 4.5, 7), (1024, 0.8, 7.5, 10), (8, 0.8, 1.5, 3), (4, 0.8, 1.4, 2), (1, 0, 0, 0)],
)
def test_stages_move_with_the_machine(processors, u_low, u_med, u_high):
    (stream,) = get_model("lublin", processors=processors).streams()
    assert (stream.u_low, stream.u_med, stream.u_high) == pytest.approx((u_low, u_med, u_high))


@pytest.mark.parametrize("processors", [16, 64, 1024])
def test_sizes_on_powers_of_two(processors):
    model = get_model("lublin", processors=processors)
    workload = model.generate(100_000, np.random.default_rng(5))
    assert workload.machine.processors == processors
    assert_sizes_follow(workload.column("size"), size_probabilities(model.streams()[0], processors))


@pytest.mark.parametrize("processors", [1, 2, 3, 5, 12, 100, 1152])
@pytest.mark.parametrize("types", ["typeless", "both"])
def test_no_job_is_larger_than_the_machine(processors, types):
    sizes = draw(20_000, processors=processors, types=types).jobs["size"]
    assert sizes.min() == 1
    assert sizes.max() <= processors
    assert sizes.max() > 0.9 * processors or types == "both"
