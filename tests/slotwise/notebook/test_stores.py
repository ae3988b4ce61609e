"""A store as frames."""

import pytest

import slotwise as sw
from scheduler_core.common.errors import StudyError


def test_metrics_of_a_study_are_the_means_of_its_runs(store):
    with sw.open_store(store) as opened:
        study = "easy_dialects"
        found = opened.metrics(study)
        assert found["study"].unique().to_list() == [study]
        row = found.filter(metric="mean_wait").row(0, named=True)
        mean = opened.frame(
            "SELECT avg(value) AS mean FROM run_values WHERE workload = $1 AND policy = $2 AND metric = 'mean_wait' "
            "AND scope = 'all'",
            [row["workload"], row["policy"]],
        )
        assert row["value"] == pytest.approx(mean["mean"][0])
        assert row["low"] <= row["value"] <= row["high"]
        assert set(found["study"]) <= set(opened.metrics()["study"])


def test_an_unknown_study_is_answered_with_the_known_ones(store):
    with sw.open_store(store) as opened, pytest.raises(StudyError, match="the store has no study 'basline'"):
        opened.metrics("basline")


def test_a_store_shows_which_studies_it_has(store):
    with sw.open_store(store) as opened:
        assert repr(opened) == f"Store of {len(opened.studies)} studies: {', '.join(opened.studies)}"
        assert "baseline" in opened.studies
