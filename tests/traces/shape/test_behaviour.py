"""What jobs do with their time: printed ranges and shares, what is drawn once, what another load or mixture leaves as it is."""

import numpy as np
import polars as pl
import pytest

from scheduler_core.common.errors import ParameterError, StudyError
from scheduler_core.contracts import Machine, Workload
from tests.traces.jobs import workload_of
from traces.build import build_workload
from traces.definition import read_definition
from traces.shape.behaviour import LomarcBehaviour, with_behaviour

MANY = 200_000

PRINTED = {
    "cpu": {"cpu": (0.5, 0.9), "disk": (0.05, 0.4), "sum": (0.6, 0.95), "rest": ("network", 0.05, 0.4)},
    "network": {"network": (0.4, 0.65), "disk": (0.05, 0.4), "sum": (0.5, 0.8), "rest": ("cpu", 0.2, 0.5)},
    "disk": {"disk": (0.4, 0.65), "network": (0.05, 0.4), "sum": (0.5, 0.8), "rest": ("cpu", 0.2, 0.5)},
}
"""Ranges of the source by what dominates: two fractions, their sum, and what that leaves for the third."""


def draw(count=MANY, seed=1, **values):
    return LomarcBehaviour(**values).draw(count, np.random.default_rng(seed))


@pytest.fixture(scope="module")
def drawn():
    return draw()


@pytest.mark.parametrize("kind", PRINTED)
def test_fractions_fill_the_printed_ranges_and_keep_to_them(drawn, kind):
    rows = drawn.filter(pl.col("kind") == kind)
    (first, within), (second, beside), (_, both), (_, (rest, low, high)) = PRINTED[kind].items()
    for column, (least, most) in ((first, within), (second, beside), (rest, (low, high))):
        assert least <= rows[column].min() < least + 0.01
        assert most - 0.01 < rows[column].max() <= most
    together = rows[first] + rows[second]
    assert both[0] <= together.min()
    assert together.max() < both[1]
    assert ((together + rows[rest] - 1).abs() < 1e-12).all()
    assert rows.select("cpu_network", "cpu_disk", "network_disk").to_numpy().max() == 0


def inside(kind):
    """Return points spread evenly over what the ranges allow: the first and the second fraction."""
    grid = np.linspace(0, 1, 801)[:-1] + 1 / 1600
    (_, (a, b)), (_, (c, d)), (_, (low, high)), _ = PRINTED[kind].items()
    first, second = np.meshgrid(a + (b - a) * grid, c + (d - c) * grid)
    allowed = (first + second >= low) & (first + second < high)
    return first[allowed], second[allowed]


@pytest.mark.parametrize("kind", PRINTED)
def test_fractions_are_uniform_over_what_the_ranges_allow(drawn, kind):
    first, second, *_ = PRINTED[kind]
    found = drawn.filter(pl.col("kind") == kind).select(first, second)
    expected = inside(kind)
    assert found.mean().row(0) == pytest.approx([part.mean() for part in expected], abs=0.002)
    assert found.std().row(0) == pytest.approx([part.std() for part in expected], abs=0.002)


def test_some_jobs_compute_for_longer_than_they_do_what_dominates_them(drawn):
    first, second = inside("network")  # disk has the same ranges
    expected = (1 - first - second > first).mean()
    assert expected == pytest.approx(0.079, abs=0.001)
    others = drawn.filter(pl.col("kind") != "cpu")
    dominating = pl.when(pl.col("kind") == "network").then("network").otherwise("disk")
    assert others.select((pl.col("cpu") > dominating).mean()).item() == pytest.approx(expected, abs=0.003)


@pytest.mark.parametrize(
    ("mixture", "shares"), [("M1", (0.4, 0.3, 0.3)), ("M2", (0.4, 0.1, 0.5)), ("M3", (0.3, 0.5, 0.2))]
)
def test_mixtures_have_the_printed_shares(mixture, shares):
    counts = draw(mixture=mixture)["kind"].value_counts().sort("kind")
    assert counts["kind"].to_list() == ["cpu", "network", "disk"]
    assert (counts["count"] / MANY).to_list() == pytest.approx(shares, abs=0.005)


def test_memory_has_the_printed_shares_and_two_jobs_fit_as_often_as_these_say(drawn):
    memory = drawn["memory_kb"]
    assert memory.min() >= 50_000
    assert memory.max() <= 1_000_000
    shares = [(memory <= 500_000).mean(), ((memory > 500_000) & (memory < 800_000)).mean(), (memory >= 800_000).mean()]
    assert shares == pytest.approx([0.70, 0.25, 0.05], abs=0.005)
    assert (memory + memory.shuffle(1) <= 1_000_000).mean() == pytest.approx(0.735, abs=0.005)


def test_phases_of_pairs_are_uniform_and_say_nothing_of_each_other(drawn):
    for phase in ("cpu_phase", "error_phase"):
        assert drawn[phase].min() >= 0
        assert drawn[phase].max() < 1
        a, b, c = (drawn[phase].shuffle(seed) for seed in (1, 2, 3))
        well = [(one + other) % 1 < 0.33 for one, other in ((a, b), (a, c), (b, c))]
        assert [pair.mean() for pair in well] == pytest.approx([0.33] * 3, abs=0.005)
        assert (well[0] & well[1]).mean() == pytest.approx(0.33**2, abs=0.005)
    assert abs(np.corrcoef(drawn["cpu_phase"], drawn["error_phase"])[0, 1]) < 0.01


def test_kind_fractions_memory_and_phases_do_not_disturb_each_other():
    first, other = draw(1000), draw(1000, mixture="M2")
    for column in ("cpu_phase", "error_phase", "memory_kb"):
        assert first[column].equals(other[column])
    same = first["kind"] == other["kind"]
    assert 0.7 < same.mean() < 1
    assert first.filter(same).equals(other.filter(same))


def test_the_first_of_more_jobs_have_the_same_behaviour():
    assert draw(3000).head(1000).equals(draw(1000))
    assert not draw(1000, seed=2).equals(draw(1000))


# What becomes of a workload.


def behaving(workload, seed=5, **values):
    return with_behaviour(workload, LomarcBehaviour(**values), np.random.default_rng(seed))


def test_a_workload_gets_a_table_memory_and_a_note():
    recorded = workload_of(50, Machine(128, "M", 4), memory_kb=pl.Series([7] * 50, dtype=pl.Int64))
    shaped = behaving(recorded, mixture="M3")
    table = shaped.companions["behaviour"]
    assert table["job"].to_list() == list(range(1, 51))
    assert set(table["application"]) == {0}
    assert shaped.machine == Machine(128, "M", 4, 1_000_000)
    assert shaped.jobs["memory_kb"].min() >= 50_000
    step = shaped.provenance["transformations"][-1]
    assert (step["step"], step["model"], step["parameters"]) == ("behaviour", "lomarc", {"by": "job", "mixture": "M3"})
    assert step["kinds"] == dict(table["kind"].cast(pl.String).value_counts().rows())


def test_by_executable_its_jobs_are_alike_and_jobs_without_one_are_by_themselves():
    numbers = [4, 9, None, 4, None, 9, 4, 8]
    shaped = behaving(workload_of(8, executable=pl.Series(numbers, dtype=pl.Int32)), by="executable")
    rows = shaped.companions["behaviour"].join(shaped.jobs.select("job", "memory_kb"), on="job").drop("job").rows()
    assert rows[0] == rows[3] == rows[6]
    assert rows[1] == rows[5]
    assert len(set(rows)) == 5
    by_user = behaving(workload_of(4, user=pl.Series([1, 2, 1, 2], dtype=pl.Int32)), by="user")
    assert len(set(by_user.companions["behaviour"].drop("job").rows())) == 2


def test_subjects_count_in_the_order_of_their_first_jobs():
    plain = behaving(workload_of(4)).companions["behaviour"].drop("job")
    named = behaving(workload_of(4, executable=pl.Series([7, 7, 3, None], dtype=pl.Int32)), by="executable")
    assert named.companions["behaviour"].drop("job").equals(plain[[0, 0, 1, 2]])


def test_numbers_of_jobs_that_do_not_rise_with_submissions_keep_their_rows():
    jobs = workload_of(4).jobs.with_columns(job=pl.Series([12, 3, 40, 7]))
    shaped = behaving(Workload(jobs, Machine(128)))
    plain = behaving(workload_of(4))
    assert shaped.companions["behaviour"]["job"].to_list() == [3, 7, 12, 40]
    assert shaped.companions["behaviour"].drop("job").equals(plain.companions["behaviour"].drop("job")[[1, 3, 0, 2]])
    assert shaped.jobs["memory_kb"].equals(plain.jobs["memory_kb"])


def test_what_cannot_be_drawn():
    with pytest.raises(ParameterError, match="the workload names the executable of no job"):
        behaving(workload_of(2), by="executable")
    with pytest.raises(ParameterError, match="already says what its jobs do"):
        behaving(behaving(workload_of(2)))
    with pytest.raises(StudyError, match="did you mean 'lomarc'"):
        read_definition({"model": "lublin", "jobs": 9, "behaviour": "lomark"})
    with pytest.raises(StudyError, match=r"^behaviour: lomarc: mixture must be one of M1, M2, M3; found 'M4'"):
        read_definition({"model": "lublin", "jobs": 9, "behaviour": {"model": "lomarc", "mixture": "M4"}})


# As a study defines it.

W1 = {
    "model": "lublin",
    "processors": 128,
    "jobs": 600,
    "replications": 2,
    "set": {"alpha": 10.23, "arrival_ratio": False},
    "behaviour": "lomarc",
}


def test_another_load_or_mixture_of_the_same_jobs_draws_the_same():
    base = build_workload(W1, "w1", 3).workloads
    loaded = build_workload({**W1, "jobs_of": "w1", "load": 1.06}, "w1-load-106", 3).workloads
    mixed = build_workload(
        {**W1, "jobs_of": "w1", "behaviour": {"model": "lomarc", "mixture": "M2"}}, "w1-m2", 3
    ).workloads
    for plain, other, mixture in zip(base, loaded, mixed, strict=True):
        assert other.companions["behaviour"].equals(plain.companions["behaviour"])
        for column in ("job", "runtime_us", "size", "memory_kb"):
            assert other.jobs[column].equals(plain.jobs[column])
        assert other.offered_load == pytest.approx(1.06, rel=1e-6)
        assert mixture.jobs.equals(plain.jobs)
        assert mixture.companions["behaviour"]["cpu_phase"].equals(plain.companions["behaviour"]["cpu_phase"])
    assert not base[0].companions["behaviour"].equals(base[1].companions["behaviour"])


def test_the_first_replications_and_the_first_jobs_are_the_same():
    base = build_workload(W1, "w1", 3).workloads
    few = build_workload({**W1, "draws_of": "w1", "replications": 1}, "w1-draws-1", 3).workloads
    assert few[0].digest == base[0].digest
    short = build_workload({**W1, "jobs": 100, "replications": 1}, "w1", 3).workloads[0]
    assert short.companions["behaviour"].equals(base[0].companions["behaviour"].head(100))
