"""Figures of grids: general ones on a store worked by hand, and the picture of a workflow."""

import json
from dataclasses import replace

import duckdb
import pytest

from reports.build import build_store
from reports.draw.charts import NoData
from reports.draw.drawing import draw_figure, specification
from reports.families.grid.charts import draw_window, grid_figure
from reports.families.grid.diagram import read_window
from reports.figures.general import grid as figures
from reports.figures.study import figures_of
from reports.pages.contexts import cluster_words, workload_contexts
from tests.paths import STUDIES
from tests.reports.families import stores
from tests.reports.families.grid import fixture as made
from tests.reports.families.stores import window_of


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    root = tmp_path_factory.mktemp("grid-figures")
    runs = {"booked": made.schedule(), "ready": made.schedule(booked=False), "counted": made.counted()}
    described = made.write_measured_runs(root, "model-grid", runs)
    build_store(root, [{**described, "pictured": ["booked"], "versus": "booked"}], root / "store.duckdb")
    with duckdb.connect(str(root / "store.duckdb"), read_only=True) as connection:
        yield connection


def values(chart):
    return specification(chart)["data"]["values"]


def test_a_study_on_a_grid_shows_them_all(store, tmp_path):
    own = {figure.__name__ for figure in figures_of(store, STUDIES / "tiny")}
    shown = {"workflow_makespan", "response_by_kind", "cluster_utilisation", "workflow_window"}
    assert shown <= own
    for figure in figures_of(store, STUDIES / "tiny"):
        if figure.__name__ in shown:
            told = draw_figure(store, figure, tmp_path)
            assert "{" not in told["caption"]
            assert not told.get("absent"), told


def test_response_times_are_told_by_kind_of_job(store):
    found = {(row["policy"], row["kind"]): row["value"] for row in values(figures.response_by_kind(store, "tiny"))}
    assert found["booked", "short tasks"] == pytest.approx(5.1)
    assert found["booked", "short local jobs"] == pytest.approx((160 / 70 + 35 / 30 + 1) / 3)


def test_clusters_are_shown_by_their_names(store):
    found = {(row["policy"], row["cluster"]): row for row in values(figures.cluster_utilisation(store, "tiny"))}
    assert found["booked", "Rhone"]["value"] == pytest.approx(100 * 140 / (4 * 215))
    assert (found["booked", "Arve"]["jobs"], found["booked", "Arve"]["tasks"]) == (5, 3)


def test_the_clusters_of_a_machine_are_written_out(store):
    (page,) = [page for page in workload_contexts(store) if page["kind"] == "model"]
    assert [row["processors"] for row in page["shown"]] == ["8 + 4"]
    assert cluster_words([(128, 1.0), (128, 1.0), (64, 2.0)]) == "2 × 128 + 64 at speed 2"
    assert cluster_words([(128, 1.0)]) == cluster_words(None) == ""


def test_the_picture_has_frames_slots_runs_transfers_and_what_runs_beside():
    chart = draw_window(window_of(read_window, made.schedule(), 7))
    rows = values(chart)
    parts = {part: [row for row in rows if row["part"] == part] for part in {row["part"] for row in rows}}
    assert [(row["begin"], row["end"]) for row in parts["frame"]] == [
        (0, 20), (0, 100), (10, 115), (10, 120), (130, 220),
    ]  # fmt: skip
    fifth = [row for row in parts["slot"] if row["task"] == 5]
    assert [(row["begin"], row["cause"]) for row in fifth] == [
        (200, "as booked"), (130, "others left early"), (125, "may start earlier"),
    ]  # fmt: skip
    assert fifth[0]["low"] < fifth[1]["low"] < fifth[2]["low"]
    assert [(row["begin"], row["end"]) for row in parts["run"] if row["task"] == 2] == [(20, 35), (100, 105)]
    assert len(parts["sent"]) == len(parts["link"]) == 6
    assert {row["job"] for row in parts["local"]} == {1, 2, 3}
    assert {row["text"] for row in parts["task"]} == {"1", "2", "3", "4", "5"}
    told = specification(chart)["usermeta"]["caption"]
    assert (told["workflow"], told["slides"], told["late"], told["length"]) == (
        7,
        "Its slots moved 3 times",
        1,
        "210 s",
    )


def test_clusters_lie_one_below_the_other_and_their_jobs_within_them():
    rows = values(draw_window(window_of(read_window, made.schedule(), 7)))
    (above, below) = sorted((row for row in rows if row["part"] == "cluster"), key=lambda row: row["cluster"])
    assert above["high"] == 1
    assert above["low"] > below["high"]
    for row in rows:
        if row["part"] in ("task", "local"):
            band = above if row["job"] in (1, 3, 11, 12, 15) else below
            assert band["low"] - 1e-4 <= row["low"] < row["high"] <= band["high"] + 1e-4


def test_tasks_that_were_not_booked_are_drawn_without_frames():
    rows = values(draw_window(window_of(read_window, made.schedule(booked=False), 7)))
    assert not {"frame", "slot"} & {row["part"] for row in rows}
    assert "frame" not in json.dumps([row for row in rows if row["part"] == "run"])


def test_a_figure_reads_the_run_beside_its_store_and_says_what_is_missing(store, monkeypatch):
    assert specification(grid_figure(store, "model-grid", "booked", 7))["usermeta"]["caption"]["tasks"] == 5
    with pytest.raises(NoData, match="no run of model-grid under nothing in the family Grid"):
        grid_figure(store, "model-grid", "nothing")
    monkeypatch.setattr("reports.diagrams.parts.MOST_RECTANGLES", 10)
    with pytest.raises(NoData, match="more rectangles than a printed picture can show"):
        grid_figure(store, "model-grid", "booked")


def test_a_run_without_workflows_has_no_picture(store, tmp_path):
    whole = made.schedule()
    empty = {name: rows.clear() for name, rows in whole.tables.items()}
    stores.write_run(tmp_path / "runs" / "flow" / "none", replace(whole, tables=empty))
    with (
        duckdb.connect(str(tmp_path / "slotwise.duckdb")) as connection,
        pytest.raises(NoData, match="No workflow ran"),
    ):
        grid_figure(connection, "flow", "none")
