"""Adversaries of gang scheduling: the printed ratios follow from the jobs themselves."""

from fractions import Fraction

import numpy as np
import pytest

from slotwise.cli.main import main
from traces.build import build_workload
from traces.models import get_model
from traces.models.gang_adversary import FAMILIES


def make(**values):
    model = get_model("gang_adversary", **values)
    return model.generate(model.published_jobs, np.random.default_rng(1))


def pairs(workload, unit_us=10**12):
    """Return (size, time in units) of every job."""
    return [(size, Fraction(time, unit_us)) for size, time in workload.jobs.select("size", "runtime_us").iter_rows()]


def area_bound(workload):
    """Return the larger of area over processors and longest job, in units: no schedule is shorter."""
    jobs = pairs(workload)
    return max(sum(s * t for s, t in jobs) / workload.machine.processors, max(t for _, t in jobs))


def test_all_jobs_are_there_at_once():
    for family in FAMILIES:
        workload = make(family=family, processors=8)
        assert workload.jobs["submit_us"].to_list() == [0] * len(workload)
        assert workload.jobs["job"].to_list() == list(range(1, len(workload) + 1))


@pytest.mark.parametrize("processors", [4, 8, 16, 64, 256, 1024])
def test_equal_halves_have_the_printed_ratio(processors):
    workload = make(processors=processors)
    assert all(size > processors / 2 for size, _ in pairs(workload))  # no two share a slot: gang needs their sum
    gang = sum(time for _, time in pairs(workload))
    assert area_bound(workload).denominator == 1  # a whole number of units, so splitting leaves nothing idle
    assert gang / area_bound(workload) == Fraction(2 * processors, processors + 2)


def test_the_fewest_equal_halves():
    assert len(make(processors=64, copies=64)) == 64
    assert len(make(processors=6, copies=3)) == 3  # 3 x 4 = 2 x 6


@pytest.mark.parametrize(("processors", "copies", "ratio"), [(64, 64, 2.864), (1024, 400, 2.988)])
def test_long_thin_jobs_show_what_filling_is_needed_for(processors, copies, ratio):
    workload = make(family="long_thin", processors=processors, copies=copies)
    *wide, (size, time) = pairs(workload)
    assert wide == [(processors // 2 + 1, 1)] * copies
    assert (size, time) == (1, pytest.approx(copies * (processors // 2 + 1) / processors, rel=1e-9))
    without_filling = copies + time - 1
    assert float(without_filling / area_bound(workload)) == pytest.approx(ratio, abs=0.001)


def test_tall_and_thin_jobs_and_units():
    assert pairs(make(family="tall_and_thin", processors=4, copies=5)) == [(3, 1)] * 5 + [(1, 5)]
    assert pairs(make(family="unit", processors=4, copies=7)) == [(1, 1)] * 7
    assert len(make(family="unit", processors=10)) == 10


def test_rounding_to_microseconds_changes_no_ratio():
    workload = make(family="long_thin", processors=7, copies=10, unit_s=1e6)
    exact = Fraction(10 * 4, 7)
    assert abs(pairs(workload)[-1][1] / exact - 1) < 1e-9


def test_a_study_and_the_command_line_take_all_its_jobs(tmp_path, capsys):
    definition = {"model": "gang_adversary", "processors": 16, "set": {"family": "long_thin", "copies": 5}}
    (workload,) = build_workload(definition, "any", 1).workloads
    assert len(workload) == 6
    assert workload.provenance["kinds"] == [
        {"jobs": 5, "size": 9, "time": "1"},
        {"jobs": 1, "size": 1, "time": "45/16"},
    ]
    assert main(["generate", "gang_adversary", "--seed", "1", "--out", str(tmp_path / "w.parquet")]) == 0
    assert "64 jobs on 64 processors" in capsys.readouterr().out
