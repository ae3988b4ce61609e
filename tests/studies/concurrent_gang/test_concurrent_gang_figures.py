"""Concurrent Gang in miniature: what its figures show beside what the thesis prints."""

import pytest

from studies.concurrent_gang_logs.figures import _came
from tests.studies.miniatures import in_miniature

in_small = in_miniature("concurrent_gang")
ACTIVITIES = {"activities_by_mixture": 7 * 2 + 3, "chapter_6_activities": 4 * 4 + 2}


@in_small
def test_ratios_stand_beside_those_of_the_tables(miniature):
    found = {(row["workload"], row["metric"]): row["printed"] for row in miniature.values("gains_by_mixture")}
    assert found["io-8", "jobs_completed"] == pytest.approx(60 / 40)
    assert found["io-16", "utilisation_spin_busy"] == pytest.approx(84 / 43)
    assert found["emb-bsp-16", "utilisation_spin_busy"] is None


@in_small
def test_a_table_shows_what_it_prints_in_its_unit(miniature):
    found = {(row["workload"], row["policy"], row["metric"]): row for row in miniature.values("tables_8_1_to_8_6")}
    assert len(found) == 24
    row = found["io-msg-emb-8", "gang", "utilisation_spin_busy"]
    assert row["printed"] == 72
    assert 0 < row["value"] <= 100


@in_small
def test_lines_over_time_have_twenty_five_points(miniature):
    found = [row for row in miniature.values("figures_8_12_and_8_13") if row["series"] == "DHC"]
    assert len(found) == 2 * 25


@in_small
@pytest.mark.parametrize("figure", ACTIVITIES)
def test_activities_fill_the_time_of_processors(miniature, figure):
    sums = {}
    for row in miniature.values(figure):
        key = row["workload"], row["policy"]
        sums[key] = sums.get(key, 0) + row["value"]
    assert len(sums) == ACTIVITIES[figure]
    assert list(sums.values()) == pytest.approx([100] * len(sums))


def test_sources_stand_with_the_load_that_was_submitted():
    found = [{"source": "log", "load": 50.0, "came": came} for came in (100.0, 140.0, None)]
    assert _came([*found, {"source": "model", "load": 200.0, "came": None}]) == {
        ("log", 50.0): "log, 50 % (120 %)",
        ("model", 200.0): "model, 200 %",
    }
