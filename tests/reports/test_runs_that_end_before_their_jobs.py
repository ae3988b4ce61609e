"""A study with runs that end before their jobs have: no times of other jobs are compared, and pages say so."""

import json
import re

import duckdb
import pytest

from reports.pages.render import render_report
from tests.reports.small_study import make_written

WORKLOAD = {"model": "lublin", "processors": 8, "jobs": 12, "replications": 3, "load": 0.9}
STUDY = {
    "study": "mixed",
    "title": "Mixed",
    "question": "Which policy?",
    "seed": 1,
    "workloads": {"some": WORKLOAD | {"applications": "IO/Msg/Emb", "label": "Some"}},
    "policies": {"easy": {}, "cg_gang": {"until_s": 4000}, "gang_rt": {"until_s": 4000}},
    "versus": "easy",
}
"""EASY ends every job; the others have as many as end within the horizon."""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    root = tmp_path_factory.mktemp("mixed")
    make_written(root, STUDY)
    (root / "all").mkdir()
    (root / "figures").rename(root / "all" / "mixed")
    render_report(root / "store.duckdb", root / "all", [], root / "report", {"root": "results", "studies": {}})
    return root


@pytest.fixture
def store(made):
    with duckdb.connect(str(made / "store.duckdb"), read_only=True) as connection:
        yield connection


@pytest.fixture
def entries(made):
    return {entry["name"]: entry for entry in json.loads((made / "all" / "mixed" / "figures.json").read_text())}


@pytest.fixture
def page(made):
    return " ".join((made / "report" / "study-mixed.html").read_text().split())


def test_times_of_other_jobs_and_utilisation_of_other_spans_are_not_compared(store):
    assert min(store.execute("SELECT unfinished FROM runs WHERE policy <> 'easy'").fetchall()) > (0,)
    found = {metric for (metric,) in store.execute("SELECT DISTINCT metric FROM comparisons").fetchall()}
    assert found == {"jobs_completed"}
    intervals = {
        metric for (metric,) in store.execute("SELECT metric FROM intervals WHERE policy = 'cg_gang'").fetchall()
    }
    assert {"mean_response", "mean_slowdown", "utilisation"} <= intervals


def test_jobs_completed_are_counted_up_to_the_same_time(store):
    counted = store.execute(
        "SELECT unit, value FROM measurements WHERE policy = 'easy' AND metric = 'jobs_completed' ORDER BY ALL"
    ).fetchall()
    ended = store.execute(
        "SELECT replication, count(*) FILTER (finish_us <= 4_000_000_000) FROM jobs WHERE policy = 'easy' "
        "GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    assert counted == ended
    assert sum(value for _, value in counted) < 36


def test_a_page_says_what_is_compared_and_how_many_jobs_did_not_end(page, store):
    assert "Runs that ended before their jobs had are compared by the jobs completed" in page
    assert "The two are not compared." in page
    heads = re.findall(r'<th colspan="(\d)" scope="colgroup">([^<]*)</th>', page)
    assert ("2", "Jobs completed") in heads
    assert ("1", "Mean slowdown") in heads
    assert ("1", "Jobs unfinished as the run ended") in heads


def test_captions_claim_no_comparison_of_other_jobs(entries):
    for name in ("mean_response", "mean_wait", "mean_bounded_slowdown"):
        assert "Their times are those of the jobs that ended" in entries[name]["caption"]
        assert "same jobs" not in entries[name]["caption"]
        assert "first measure to compare by" not in entries[name]["caption"]
        assert "names no policy" not in entries[name]["caption"]
    told = entries["utilisation"]["caption"]
    assert "to the last finish; under Concurrent Gang from time 0 to the end of the run" in told


def test_the_matrix_has_the_jobs_completed_alone(made):
    text = (made / "report" / "data" / "ratios.js").read_text()
    (study,) = json.loads(text.split("=", 1)[1].rstrip().rstrip(";"))
    assert [metric["label"] for metric in study["metrics"]] == ["Jobs completed"]
    assert "are compared by jobs completed" in (made / "report" / "index.html").read_text()


def test_what_there_is_nothing_of_has_no_section(entries, page):
    assert "slice_window" not in entries
    assert "Inside the slices of a run" not in page
    assert 'id="answer"' not in page
    assert 'href="#answer"' not in page


def test_the_queue_is_shown_to_the_end_of_a_run(store):
    ends = dict(store.execute("SELECT policy, max(bin_start_s + bin_s) FROM series GROUP BY policy").fetchall())
    assert ends["cg_gang"] >= 4000
