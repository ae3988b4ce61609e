"""The random batch: everything at time 0, sizes and run times from where they should come."""

import numpy as np
import pytest

from traces.models import get_model


def draw(jobs, seed=1, **values):
    return get_model("random_batch", **values).generate(jobs, np.random.default_rng(seed))


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [("uniform", set(range(1, 17))), ("extreme", {1, 8, 9, 15, 16}), ("powers", {1, 2, 4, 8, 16})],
)
def test_all_jobs_come_at_once_with_every_size_and_time_there_is(sizes, expected):
    jobs = draw(2000, sizes=sizes, longest=3, unit_s=2.0).jobs
    assert jobs["submit_us"].unique().to_list() == [0]
    assert set(jobs["size"]) == expected
    assert set(jobs["runtime_us"]) == {2_000_000, 4_000_000, 6_000_000}
    assert jobs["estimate_us"].equals(jobs["runtime_us"])


def test_sizes_and_times_are_equally_likely():
    jobs = draw(16_000).jobs
    counts = jobs["size"].value_counts()["count"]
    assert counts.min() > 850
    assert counts.max() < 1150
    assert jobs["runtime_us"].mean() == pytest.approx(10.5e9, rel=0.02)


def test_a_machine_of_one_processor_has_jobs_of_one():
    assert set(draw(50, processors=1, sizes="extreme").jobs["size"]) == {1}


def test_powers_of_two_do_not_exceed_the_machine():
    assert set(draw(200, processors=24, sizes="powers").jobs["size"]) == {1, 2, 4, 8, 16}
