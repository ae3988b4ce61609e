"""Flexibility by class: the rule's totals, what is allowed, bounds of sizes, and determinism."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.common.errors import ParameterError, StudyError
from scheduler_core.contracts import Machine
from tests.traces.jobs import workload_of
from traces.build import build_workload
from traces.definition import read_definition
from traces.models import get_model
from traces.shape.flexibility import HuangFlexibility, with_flexibility

SHORT, MEDIUM, LONG = 180, 3600, 3601
"""Longest short and medium run times, and the shortest long one, in seconds."""


def classed(short, medium, long, size=8, processors=64):
    runtime = np.array([SHORT] * short + [MEDIUM] * medium + [LONG] * long) * 1_000_000
    return workload_of(len(runtime), Machine(processors), runtime_us=runtime, estimate_us=10**12, size=size)


def flexible(workload, seed=1, **values):
    return with_flexibility(workload, HuangFlexibility(**values), np.random.default_rng(seed))


def mix(workload):
    counted = workload.jobs.group_by("class", "flexibility").len()
    return {(c, f): n for c, f, n in counted.iter_rows()}


def totals(workload):
    found = workload.provenance["transformations"][-1]["flexibilities"]
    return tuple(found[word] for word in ("moldable", "malleable", "rigid"))


def test_the_classes_of_workload_2_get_its_mix():
    assert mix(flexible(classed(900, 1050, 1050))) == {
        ("short", "moldable"): 900,
        ("medium", "moldable"): 900,
        ("medium", "rigid"): 150,
        ("long", "malleable"): 900,
        ("long", "rigid"): 150,
    }


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        ((400, 400, 200), (600, 300, 100)),
        ((600, 300, 100), (600, 300, 100)),
        ((300, 600, 100), (600, 300, 100)),
        ((1000, 0, 0), (1000, 0, 0)),
        ((0, 0, 1000), (0, 900, 100)),
        ((0, 1000, 0), (600, 300, 100)),
        ((850, 75, 75), (850, 75, 75)),  # never more than half of medium and long are rigid
        ((200, 200, 600), (375, 525, 100)),  # 25 of the 200 medium jobs are rigid, in proportion, the others moldable
    ],
)
def test_totals_come_near_60_30_and_10(classes, expected):
    found = totals(flexible(classed(*classes)))
    assert np.abs(np.subtract(found, expected)).max() <= 1
    assert sum(found) == 1000


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60), st.integers(0, 3))
def test_what_is_allowed_and_totals_for_any_classes(short, medium, long, seed):
    count = short + medium + long
    if not count:
        return
    workload = flexible(classed(short, medium, long), seed)
    found = mix(workload)
    assert ("short", "malleable") not in found
    assert ("short", "rigid") not in found
    assert ("long", "moldable") not in found
    moldable, malleable, rigid = totals(workload)
    assert moldable + malleable + rigid == count
    reachable = short <= 0.6 * count and medium + long >= 0.2 * count
    if reachable and 0.6 * count - short <= medium * (1 - 0.1 * count / (medium + long)):
        assert abs(moldable - 0.6 * count) < 2
        assert abs(malleable - 0.3 * count) < 2
        assert abs(rigid - 0.1 * count) < 2


def test_classes_have_their_limits():
    jobs = flexible(classed(2, 3, 4)).jobs
    assert jobs["class"].to_list() == ["short"] * 2 + ["medium"] * 3 + ["long"] * 4


def test_bounds_follow_from_size_and_machine():
    jobs = flexible(classed(40, 0, 0, size=5, processors=64)).jobs
    assert jobs.select("size_min", "size_max").unique().rows() == [(2, 10)]
    for size, processors, expected in [(1, 64, (1, 2)), (40, 64, (20, 64)), (50, 64, (25, 50)), (64, 64, (32, 64))]:
        jobs = flexible(classed(40, 0, 0, size=size, processors=processors)).jobs
        assert jobs.select("size_min", "size_max").unique().rows() == [expected]  # 0.5 x 64 < 0.65 x 50
    jobs = flexible(classed(3, 0, 0, size=70, processors=64)).jobs
    assert jobs["size_max"].to_list() == [70] * 3  # larger than the machine: for the scheduler to reject
    rigid = flexible(classed(0, 0, 50, size=9)).jobs.filter(pl.col("flexibility") == "rigid")
    assert rigid.select("size_min", "size_max").unique().rows() == [(9, 9)]


def test_nothing_else_of_a_job_changes_and_the_draw_is_the_generators():
    before = get_model("lublin").generate(500, np.random.default_rng(1))
    after = flexible(before)
    assert after.jobs.select(before.jobs.columns).equals(before.jobs)
    assert after.jobs.equals(flexible(before).jobs)
    other = flexible(before, seed=2)
    assert mix(other) == mix(after)
    assert not other.jobs.equals(after.jobs)


def test_jobs_of_one_class_are_dealt_out_at_random():
    first = flexible(classed(0, 0, 1000)).jobs.head(500)
    assert 30 <= first.filter(pl.col("flexibility") == "rigid").height <= 70


def test_other_shares_and_the_step():
    workload = flexible(classed(300, 350, 350), moldable=0.4, rigid=0.35)
    assert np.abs(np.subtract(totals(workload), (400, 250, 350))).max() <= 1
    step = workload.provenance["transformations"][-1]
    assert (step["step"], step["model"]) == ("flexibility", "huang")
    assert step["parameters"] == {"moldable": 0.4, "rigid": 0.35}
    assert step["classes"] == {"short": 300, "medium": 350, "long": 350}


def test_wrong_ones():
    with pytest.raises(ParameterError, match=r"found 0.8 \+ 0.3 > 1"):
        HuangFlexibility(moldable=0.8, rigid=0.3)
    with pytest.raises(ParameterError, match="already states the flexibility of its jobs"):
        flexible(flexible(classed(1, 1, 1)))
    with pytest.raises(StudyError, match=r"^flexibility: .*no parameter 'rigidd'"):
        read_definition({"log": "SDSC-SP2", "flexibility": {"model": "huang", "rigidd": 0.1}})
    with pytest.raises(StudyError, match=r"^flexibility: .*already"):
        build_workload({"model": "huang", "jobs": 9, "flexibility": "huang"}, "h", 1)
