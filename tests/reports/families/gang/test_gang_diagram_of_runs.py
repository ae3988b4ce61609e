"""Matrix diagrams of the gang engine's own schedules: slots, boundaries and turns are those of the tables."""

import itertools

import numpy as np
import polars as pl
import pytest

from reports.diagrams.allocations import rectangles_of
from reports.families.gang.diagram import read_window
from reports.families.gang.layout import gathered
from scheduler_core.runs.simulation import simulate
from tests.reports.families.gang.time_slices import pieces, time_slices
from tests.reports.families.stores import window_of
from traces.models import get_model

REPACKED = {"level": "unlimited", "slice": "fixed", "packing": "first_fit_decreasing", "fill": True}
RUNS = [
    ("scojo_pri_b_wa_fa", {}),
    ("scojo_fcfs", {}),
    ("gang", REPACKED),
    ("gang", {"level": 3, "switch_slows": True}),
    ("gang", {"level": 4, "fill": True}),
    ("gang", {"name_processors": False}),
]


@pytest.fixture(scope="module", params=range(len(RUNS)))
def matrix(request):
    policy, parameters = RUNS[request.param]
    workload = get_model("huang", workload=1, reading="fitted").generate(120, np.random.default_rng(2004))
    schedule = simulate(workload, policy, slice_s=600.0, **parameters)
    return window_of(read_window, schedule, 0, int(schedule.jobs["finish_us"].max()))


def overlapping(matrix, phase):
    return matrix.allocations.filter((pl.col("begin_us") < phase.end_us) & (pl.col("end_us") > phase.begin_us))


def test_as_many_slots_take_turns_as_the_level_says_and_all_jobs_are_in_them(matrix):
    assert len(matrix.phases) > 2
    for phase in matrix.phases:
        assert len(phase.slots) == phase.level
        assert set(overlapping(matrix, phase)["slot"].to_list()) <= set(phase.slots)


def test_phases_follow_one_another_and_begin_at_slice_boundaries(matrix):
    for one, two in itertools.pairwise(matrix.phases):
        assert one.end_us == two.begin_us
        assert (two.begin_us - two.origin_us) % two.slice_us == 0


def test_what_is_drawn_of_a_job_differs_from_its_turns_by_less_than_a_slice_a_phase(matrix):
    drawn = (
        pieces(matrix, time_slices(matrix, matrix.begin_us, matrix.end_us))
        .group_by("allocation")
        .agg((pl.col("to_us") - pl.col("from_us")).sum().alias("drawn_us"))
    )
    had = dict(drawn.rows())
    assert had
    for number, row in enumerate(matrix.allocations.iter_rows(named=True)):
        met = [p for p in matrix.phases if p.begin_us < row["end_us"] and p.end_us > row["begin_us"]]
        stretches = [(min(p.end_us, row["end_us"]) - max(p.begin_us, row["begin_us"])) * p.share for p in met]
        assert abs(had.get(number, 0) - sum(stretches)) <= sum(p.slice_us for p in met)


def test_rectangles_are_disjoint_as_numbered_and_gathered(matrix):
    for shown in (matrix, gathered(matrix)):
        cells = rectangles_of(shown).select(
            "allocation", "row", "begin_us", "end_us", pl.int_ranges("first", "last").alias("processor")
        )
        each = cells.explode("processor").sort("row", "processor", "begin_us")
        before = pl.col("end_us").shift(1).over("row", "processor")
        assert each.filter(pl.col("begin_us") < before).height == 0
        held = each.group_by("allocation").len().sort("allocation")["len"].to_list()
        assert held == shown.allocations["processors"].to_list()
