"""Load scaling: one factor on all gaps, the load or the mean gap met to rounding."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.common.errors import ParameterError
from scheduler_core.contracts import Machine
from tests.profiles import searching
from tests.traces.jobs import workload_of
from traces.models import get_model
from traces.shape.load import scale_load, scale_mean_gap


def submitted(submit_us):
    count = len(submit_us)
    order = np.lexsort((-np.arange(count), submit_us))  # later jobs have smaller numbers
    times = {"submit_us": np.array(submit_us)[order], "runtime_us": 5_000_000, "estimate_us": 9_000_000}
    return workload_of(count, Machine(10), job=count - order, size=2, **times)


@pytest.mark.parametrize("load", [0.3, 0.7, 1, 1.06, 2.1])
def test_the_load_is_met_exactly(load):
    scaled = scale_load(get_model("lublin").generate(8000, np.random.default_rng(1)), load)
    assert scaled.offered_load == pytest.approx(load, rel=1e-9)


@searching(50)
@given(
    st.lists(st.integers(0, 10**12), min_size=2, max_size=40).filter(lambda s: max(s) - min(s) > 10**7),
    st.floats(0.01, 5),
)
def test_gaps_keep_their_proportions_and_jobs_their_work(submits, load):
    before = submitted(submits)
    after = scale_load(before, load)
    assert after.jobs["submit_us"][0] == before.jobs["submit_us"][0]
    factor = after.provenance["transformations"][-1]["gap_factor"]
    old = dict(zip(before.jobs["job"], before.jobs["submit_us"], strict=True))
    first = before.jobs["submit_us"][0]
    for job, submit in zip(after.jobs["job"], after.jobs["submit_us"], strict=True):
        assert abs((submit - first) - (old[job] - first) * factor) <= 0.51
    kept = ["job", "runtime_us", "estimate_us", "size"]
    assert after.jobs.select(kept).sort("job").equals(before.jobs.select(kept).sort("job"))


def test_the_step_is_recorded():
    before = submitted([0, 10_000_000, 50_000_000])
    step = scale_load(before, 0.1).provenance["transformations"]
    factor = 30 / 500 / 0.1
    assert step == [{"step": "load", "load": 0.1, "offered_before": 0.06, "gap_factor": pytest.approx(factor)}]


BOTH = pytest.mark.parametrize(
    ("scale", "key", "words"),
    [
        (scale_load, "load", "load must be a number"),
        (scale_mean_gap, "mean_gap_s", "mean_gap_s must be a number of seconds"),
    ],
)


@BOTH
@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf"), "high", True, None])
def test_wrong_loads_and_gaps(scale, key, words, value):
    with pytest.raises(ParameterError, match=f"^{words} above 0; found "):
        scale(submitted([0, 10]), value)


@BOTH
def test_one_instant_cannot_be_scaled_and_no_jobs_need_not_be(scale, key, words):
    leave_out = f"leave the {key.removesuffix('_s').replace('_', ' ')} out"
    with pytest.raises(ParameterError, match=f"^{key}: all 2 jobs are submitted at one instant.*{leave_out}"):
        scale(submitted([7, 7]), 0.5)
    empty = submitted([0]).first(0)
    assert scale(empty, 0.5) is empty


@pytest.mark.parametrize("gap", [0.5, 808, 820.6, 10_000])
def test_the_mean_gap_is_met_and_nothing_else_changes(gap):
    before = get_model("lublin").generate(3000, np.random.default_rng(1))
    after = scale_mean_gap(before, gap)
    submit = after.jobs["submit_us"]
    assert (submit[-1] - submit[0]) / 2999 == pytest.approx(gap * 1_000_000, rel=1e-9)
    assert submit[0] == before.jobs["submit_us"][0]
    kept = ["job", "runtime_us", "estimate_us", "size"]
    assert after.jobs.select(kept).sort("job").equals(before.jobs.select(kept).sort("job"))
    first, factor = before.jobs["submit_us"][0], after.provenance["transformations"][-1]["gap_factor"]
    moved = (before.jobs["submit_us"] - first) * factor
    assert (submit - first - moved).abs().max() <= 0.51


def test_the_step_of_a_mean_gap_is_recorded():
    step = scale_mean_gap(submitted([0, 10_000_000, 50_000_000]), 10).provenance["transformations"]
    assert step == [{"step": "mean_gap", "mean_gap_s": 10.0, "mean_before_s": 25.0, "gap_factor": 0.4}]
