"""The effect under every reading: a mark for each, sorted, with what it chooses below."""

import shutil

import duckdb
import pytest

from reports.draw.drawing import draw_figure, open_store
from reports.figures.study import figures_of
from tests.paths import STUDIES


def drawn(connection, study, folder):
    figure = next(f for f in figures_of(connection, STUDIES / study) if f.__name__ == "specification_curve")
    return draw_figure(connection, figure, folder)


def test_marks_are_sorted_by_effect_and_choices_that_differ_stand_below(store, tmp_path):
    from scheduler_core.common.files import read_json

    with open_store(store) as connection:
        entry = drawn(connection, "baseline", tmp_path)
    assert entry["caption"].startswith("The mean wait falls by a third: above")
    assert "The solid line across is what the source prints, the dashed line means no effect." in entry["caption"]
    assert "Simonsohn" in entry["caption"]
    assert "Steegen" in entry["caption"]
    spec = read_json(tmp_path / "specification_curve.json")
    effects = [row for row in spec["data"]["values"] if row["first"]]
    assert [row["value"] for row in effects] == sorted(row["value"] for row in effects)
    assert [row["reading"] for row in effects] == ["[As listed]", "Conservative", "Exact estimates"]
    assert {row["printed"] for row in effects} == {33.0}
    options = {row["option"] for row in spec["data"]["values"] if row["reading"] == "Conservative"}
    assert options == {"Backfilling: conservative", "Estimates: as asked"}
    changed = {row["option"] for row in spec["data"]["values"] if not row["as_headline"]}
    assert changed == {"Backfilling: conservative", "Estimates: exact"}


def test_a_study_that_lists_its_figures_has_its_curve_all_the_same(store, tmp_path):
    with open_store(store) as connection:
        assert "specification_curve" not in [f.__name__ for f in figures_of(connection, STUDIES / "easy_dialects")]
    copy = tmp_path / "store.duckdb"
    shutil.copy(store, copy)
    with duckdb.connect(str(copy)) as connection:
        connection.execute("UPDATE studies SET figures = ['mean_wait'] WHERE study = 'baseline'")
        names = [f.__name__ for f in figures_of(connection, STUDIES / "baseline") if f.__name__ != "mean_wait"]
    assert names.count("specification_curve") == 1


@pytest.mark.parametrize("readings", [0, 1])
def test_one_reading_makes_no_curve(store, tmp_path, readings):
    copy = tmp_path / "store.duckdb"
    shutil.copy(store, copy)
    with duckdb.connect(str(copy)) as connection:
        connection.execute(
            "DELETE FROM claim_readings WHERE reading NOT IN (SELECT reading FROM readings LIMIT $1)", [readings]
        )
        assert "specification_curve" not in [f.__name__ for f in figures_of(connection, STUDIES / "baseline")]
