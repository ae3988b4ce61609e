"""Axes compare what belongs together: panels of one log share them, and lines join loads of one machine only."""

import json
import shutil

import duckdb
import pytest

from reports.draw.charts import NoData
from reports.draw.drawing import specification
from reports.figures.forms.policies import rough_words, unit_of
from reports.figures.general.classes import users
from reports.figures.general.loads import response_against_load
from reports.figures.general.machine import utilisation, wait_classes
from reports.figures.general.measures import mean_wait
from reports.figures.general.needs import Needs

STUDY = "baseline"


@pytest.fixture
def connection(store, tmp_path):
    """A copy of the store that a test may change."""
    copy = tmp_path / "store.duckdb"
    shutil.copy(store, copy)
    with duckdb.connect(str(copy)) as opened:
        yield opened


def domains(panels):
    """Return the distinct domains of the horizontal scales of some panels."""
    scales = [layer["encoding"].get("x", {}).get("scale", {}) for panel in panels for layer in panel["layer"]]
    return {json.dumps(scale["domain"]) for scale in scales if "domain" in scale}


def titled(spec, word):
    return [panel for panel in spec["concat"] if word in panel["title"]]


@pytest.mark.parametrize("figure", [mean_wait, utilisation])
def test_panels_of_one_log_have_the_same_axis_and_those_of_others_their_own(connection, figure):
    connection.execute("UPDATE intervals SET value = 9 * value, high = 9 * high WHERE workload = 'lanl-cm5'")
    connection.execute(
        "UPDATE measurements SET value = value / 2 WHERE workload = 'lanl-cm5' AND metric = 'utilisation'"
    )
    apart = specification(figure(connection, STUDY))
    connection.execute("UPDATE workloads SET source = 'SDSC-SP2-1998-4.2-cln' WHERE workload = 'lanl-cm5'")
    alike = specification(figure(connection, STUDY))
    for spec, axes in ((apart, 2), (alike, 1)):
        panels = titled(spec, "SDSC SP2") + titled(spec, "LANL CM5")
        assert len(panels) == 2
        assert len(domains(panels)) == axes


def test_no_line_joins_loads_of_different_machines(connection):
    connection.execute("UPDATE workloads SET processors = 64 WHERE workload = 'lublin-load-095'")
    rows = response_against_load(connection, STUDY).data.values
    assert {row["load"] for row in rows} == {50, 75}


def test_loads_that_several_workloads_have_make_no_line(connection):
    needed = Needs(loads=2)
    response_against_load(connection, STUDY)  # makes the table that needs are asked of
    assert needed.met(connection)
    connection.execute("UPDATE workloads SET target_load = 0.5 WHERE workload = 'lublin-load-075'")
    with pytest.raises(NoData):
        response_against_load(connection, STUDY)
    assert not needed.met(connection)


def test_batches_of_hardly_any_jobs_are_named(connection):
    mean_wait(connection, STUDY)
    assert rough_words(connection, "mean_wait") == ""
    connection.execute("UPDATE workloads SET jobs = 12 WHERE workload = 'sdsc-sp2'")
    assert rough_words(connection, "mean_wait") == "Intervals on SDSC SP2 are rough: a batch has fewer than 5 jobs."
    assert "are rough" in mean_wait(connection, STUDY).usermeta["caption"]["compared"]


def test_a_caption_speaks_of_hollow_marks_only_beside_intervals(connection):
    assert "hollow" in mean_wait(connection, STUDY).usermeta["caption"]["compared"]
    connection.execute("UPDATE comparisons SET ratio_low = NULL, ratio_high = NULL")
    assert "hollow" not in mean_wait(connection, STUDY).usermeta["caption"]["compared"]


def test_one_user_makes_no_comparison_of_users(connection):
    assert users(connection, STUDY)
    connection.execute("UPDATE users SET user_number = 1")
    with pytest.raises(NoData, match="Only one user"):
        users(connection, STUDY)


def test_classes_of_waits_have_about_as_many_jobs_each():
    waits = [0.0] * 3 + [hours / 10 for hours in range(1, 18)]
    classes = wait_classes(waits)
    assert [words for _, words in classes][-1] == "up to 1.7 hours"
    edges = [edge for edge, _ in classes]
    assert edges == sorted(set(edges))
    counts = [sum(low < wait <= high for wait in waits) for low, high in zip([-1.0, *edges], edges, strict=False)]
    assert max(counts) - min(counts) <= 1
    assert wait_classes([2.0, 2.0]) == [(2.0, "up to 2 hours")]


@pytest.mark.parametrize(("seconds", "unit"), [(90_000, "day"), (86_399, "hour"), (130, "minute"), (5, "second")])
def test_an_axis_of_time_is_in_the_largest_unit_that_it_reaches(seconds, unit):
    assert unit_of(seconds)[1] == unit
