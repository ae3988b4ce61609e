"""The diagram of a workflow: its tasks, frames and slots, what else runs on its clusters; choices, windows, the page's data."""

from dataclasses import replace

import duckdb
import polars as pl
import pytest

from reports.diagrams.allocations import tables_of_run
from reports.families.grid import page
from reports.families.grid.choice import Chosen, telling_workflows
from reports.families.grid.diagram import lateness, read_window
from reports.families.grid.page import contexts
from reports.pages.diagram_page import ShownRun, seconds
from scheduler_core.common.errors import SlotwiseError
from scheduler_core.space_sharing.family import FAMILY as SPACE
from tests.reports.families import stores
from tests.reports.families.grid import fixture as made
from tests.reports.families.grid.fixture import SECOND as S
from tests.reports.families.stores import window_of


@pytest.fixture
def window():
    return window_of(read_window, made.schedule(), 7)


def test_a_window_lasts_from_the_submission_to_the_last_finish_or_end_of_a_frame_with_a_margin(window):
    assert (window.submit_us, window.begin_us, window.end_us) == (5 * S, 0, 225 * S + 220 * S // 40)
    assert window.tasks["task"].to_list() == [1, 2, 3, 4, 5]


def test_tasks_have_their_frames_their_data_and_their_times(window):
    last = window.tasks.row(4, named=True)
    assert (last["earliest_us"], last["latest_us"], last["freed_us"]) == (135 * S, 225 * S, 130 * S)
    assert (last["planned_start_us"], last["ready_us"], last["start_us"], last["finish_us"]) == (
        205 * S, 130 * S, 130 * S, 215 * S,
    )  # fmt: skip
    assert window.tasks["ready_us"].to_list() == [5 * S, 25 * S, 35 * S, 35 * S, 130 * S]
    assert [lateness(row) for row in window.tasks.iter_rows(named=True)] == [0, 5 * S, 0, 0, 0]


def test_slots_stand_in_order_of_time_with_what_moved_them(window):
    own = window.places.filter(pl.col("task") == 5)
    assert [(at // S, start // S, cause) for _, at, start, _, cause in own.rows()] == [
        (5, 205, "booked"), (65, 135, "room"), (120, 130, "freed"),
    ]  # fmt: skip
    assert window.asked.filter("chosen")["cluster"].to_list() == [0, 0, 1, 1, 0]


def test_local_jobs_and_slices_of_the_clusters_are_there_too(window):
    local = window.jobs.filter(pl.col("task").is_null())
    assert local["job"].to_list() == [1, 2, 3]
    assert window.jobs["class"].to_list()[0] == "long"
    assert window.slices.height == 10
    assert window.slices.row(0) == (0, "medium", 0, 5 * S, 40 * S)
    assert window.clusters.rows() == [(0, "Arve", 0, 8), (1, "Rhone", 8, 4)]


def test_only_the_clusters_that_are_asked_for_are_shown():
    alone = window_of(read_window, made.schedule(), 7, clusters=(1,))
    assert set(alone.allocations["slot"].to_list()) == {1}
    assert alone.allocations.filter(pl.col("job") == 2)["runs"].to_list() == [[8, 10]]
    assert alone.tasks.height == 5


def test_clusters_that_count_processors_are_drawn_from_their_first_processor_on():
    window = window_of(read_window, made.counted(), 7)
    assert not window.named
    runs = dict(window.allocations.select("job", "runs").rows())
    assert runs[11] == [0, 4]
    assert runs[2] == [8, 10]
    assert runs[13] == [8, 10]


def test_tasks_that_were_not_booked_have_no_frames():
    window = window_of(read_window, made.schedule(booked=False), 7)
    assert window.tasks["latest_us"].null_count() == 5
    assert window.places.height == 0
    assert [lateness(row) for row in window.tasks.iter_rows(named=True)] == [0] * 5


def test_a_workflow_that_did_not_run_and_other_families_are_errors_in_words():
    with pytest.raises(SlotwiseError, match="workflow 8 did not run in this schedule"):
        window_of(read_window, made.schedule(), 8)
    with pytest.raises(SlotwiseError, match="needs a run of Grid of clusters; found a run of Space sharing"):
        window_of(read_window, replace(made.schedule(), family=SPACE, tables={}), 7)


def test_workflows_are_chosen_that_ran_under_every_policy_and_fit_all_of_them(tmp_path):
    runs = {policy: stores.write_run(tmp_path / policy, make()) for policy, make in made.RUNS.items()}
    (chosen,) = telling_workflows([*runs.values()], 3, clusters=2)
    assert (chosen.workflow, chosen.clusters) == (7, (0, 1))
    assert chosen.begin_us <= 5 * S
    assert chosen.end_us > 225 * S
    (many,) = telling_workflows([runs["relaxed"]], 3, clusters=100)
    assert many.clusters == (0, 1)
    rejected = made.schedule()
    jobs = rejected.jobs.with_columns(
        pl.when(pl.col("job") < 15).then("start_us").alias("start_us"),
        pl.when(pl.col("job") < 15).then("finish_us").alias("finish_us"),
    )
    lost = stores.write_run(tmp_path / "lost", replace(rejected, jobs=jobs))
    assert telling_workflows([runs["relaxed"], lost], 3, clusters=2) == []


def test_the_page_has_the_workflows_of_each_workload_under_its_policies(tmp_path):
    with duckdb.connect(str(made.write_store(tmp_path)), read_only=True) as connection:
        (context,) = contexts(connection)
    assert [one["label"] for one in context["policies"]] == ["Relaxed", "Ready", "Easy"]
    (whole,) = context["workflows"]
    assert (whole["workflow"], whole["submitted"], whole["clusters"][1]) == (7, 5, [1, "Rhone", 8, 4])
    relaxed, ready, easy = whole["policies"]
    places = [job for job, *_ in whole["jobs"]]
    assert relaxed["tasks"][4] == [5, places.index(15), 0, 130, [20, 135, 205, 225, 225, 135, 130]]
    assert ready["tasks"][4] == [5, places.index(15), 0, 130, None]
    assert [places.index(12), 0, 2, [0, 2], [25, 40, 105, 110]] in relaxed["held"]
    assert relaxed["slots"][-1] == [5, 120, 130, 215, 2]
    assert relaxed["transfers"][1] == [1, 3, 0, 1, 25, 35]
    assert relaxed["slices"][0] == [0, 1, 0, 5, 40]
    assert (easy["slices"], easy["named"], relaxed["named"]) == ([], False, True)
    assert whole["jobs"][places.index(13)][1:5] == ["medium", 2, 7, 3]


def test_times_in_whole_seconds_are_points_in_time(tmp_path, monkeypatch):
    """A long window begins at a whole second, and its times are rounded down, as a clock shows them."""
    monkeypatch.setattr(page, "LONG_S", 0)
    folder = stores.write_run(tmp_path / "runs" / "flow" / "relaxed", made.schedule())
    chosen = Chosen(7, 2 * S + 600_000, 226 * S, (0, 1))
    run = ShownRun("flow", "Flow", "relaxed", "Relaxed", folder), tables_of_run(folder, "grid")
    whole = page.one_workflow([run], chosen)
    assert (whole["begin"], whole["submitted"]) == (2, 3)
    ready, (_, earliest, *_) = whole["policies"][0]["tasks"][4][3:]
    assert (whole["begin"] + ready, whole["begin"] + earliest) == (130, 135)
    assert [seconds(time, 0) for time in (1_999_999, -1, 3 * S)] == [1, -1, 3]
