"""SCOJO's shares, models that err and node sharing in miniature: figures with real columns."""

import pytest

from tests.studies.miniatures import in_miniature


@in_miniature("scojo_coscheduling")
def test_shares_fit(miniature):
    found = miniature.connection.execute(
        "SELECT verdict FROM claims WHERE claim IN ('s8-reserved-starts', 's9-shares-guaranteed')"
    ).fetchall()
    assert found == [("reproduced",), ("reproduced",)]


@in_miniature("scojo_coscheduling")
def test_a_job_of_the_example_is_drawn_as_printed_and_as_it_ran(miniature):
    rows = [row for row in miniature.values("worked_example") if row["name"] == "job 2"]
    printed, *here = rows
    assert (printed["whose"], printed["begin"], printed["end"]) == (
        "printed",
        pytest.approx(31 / 60),
        pytest.approx(224 / 60),
    )
    assert {row["whose"] for row in here} == {"here"}
    # two at 50 % with a slowdown of 1.2, then three at 40 % with one of 1.3: the minute that the job needs
    work = sum((row["end"] - row["begin"]) * row["share"] / 100 / (1.2 if row["share"] == 50 else 1.3) for row in here)
    assert work == pytest.approx(1, abs=1e-3)


@in_miniature("scojo_coscheduling")
def test_pairs_of_programs_stay_apart_beyond_the_limit(miniature):
    cells = {(row["row"], row["column"]): row for row in miniature.values("slowdowns")}
    assert len(cells) == 36
    assert (cells["Central", "Grid-2400"]["slowdown"], cells["Grid-2400", "Central"]["slowdown"]) == (3.1, 1.0)
    assert cells["Grid-2400", "Central"]["apart"]  # its partner would be slowed down too much
    assert not cells["Grid-300", "Grid-1200"]["apart"]


@in_miniature("slowdown_error")
def test_a_model_without_error_begins_every_line(miniature):
    rows = [row for row in miniature.values("gain_against_error") if "place" not in row and row["formula"] == "printed"]
    begins = {row["series"]: row["value"] for row in rows if row["panel"].startswith("Light") and row["error"] == 0}
    assert set(begins) == {"either way", "slower", "slower, parted above 2"}
    assert len(set(begins.values())) == 1


@in_miniature("node_sharing_logs")
def test_other_draws_stand_apart_from_the_sweep(miniature):
    assert {row["drawn"] for row in miniature.values("gain_against_load")} == {""}
    assert {row["draw"] for row in miniature.values("other_draws")} == {"as above", "draw 2"}
    later = miniature.values("who_pays")
    assert {row["load"] for row in later} == {90, 130}
    assert all(0 <= row["later"] + row["earlier"] <= 100 for row in later)
