"""Pages of a report that was made without logs: one line per log, the drawn log in its place, and no verdict."""

import re

import duckdb
import pytest

from reports.pages import contexts, front_page, study_page
from reports.pages.missing import log_of, missing_logs
from reports.pages.render import render_report
from scheduler_core.common.files import read_json
from tests.reports.small_study import make_written

STUDY = {
    "study": "tiny",
    "title": "A study of real logs",
    "question": "What do real logs say?",
    "seed": 7,
    "versus": "easy",
    "workloads": {
        "one": {"log": "SDSC-SP2", "variants": {"exact": {"estimates": "exact"}}},
        "two": {"log": "SDSC-SP2-1998-4.2-cln", "first": 9},
        "fitted": {"model": "jann", "jobs": 9, "fit": "LANL-CM5"},
        "drawn": {"log": "drawn", "label": "Drawn log", "first": 60},
    },
    "policies": {"fcfs": {}, "easy": {}},
    "claims": [
        {
            "id": "helps",
            "kind": "direction",
            "headline": "Backfilling helps on every log",
            "sentence": "Backfilling helps.",
            "citation": "Someone, 1998",
            "against": [["easy", "fcfs"]],
            "with": {"workloads": ["one", "drawn"], "metrics": ["mean_wait"], "per": "unit"},
            "expect": {"all": {"below": 1}},
            "figure": "effect_of_estimates",
        }
    ],
    "answer": [{"claim": "helps", "say": {"otherwise": "Backfilling helps on every log."}}],
}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    root = tmp_path_factory.mktemp("missing")
    make_written(root, STUDY)
    return root


@pytest.fixture(scope="module")
def connection(root):
    with duckdb.connect(str(root / "store.duckdb"), read_only=True) as connection:
        yield connection


def test_each_missing_log_has_one_line(connection):
    missing = missing_logs(connection, {"tiny": "A study"})
    assert [log["label"] for log in missing["logs"]] == ["LANL-CM5", "SDSC-SP2"]
    assert missing["of"] == 2
    assert missing["studies"] == [{"title": "A study", "href": "study-tiny.html"}]
    assert [log["name"] for log in missing["logs"]] == ["LANL-CM5-1994-4.1-cln", "SDSC-SP2-1998-4.2-cln"]
    assert all(log["url"].startswith("https://") for log in missing["logs"])


def test_a_model_whose_log_is_missing_names_that_log(connection):
    pages = {page["page"]: page for page in contexts.workload_contexts(connection)}
    assert set(pages) == {"SDSC-SP2", "SDSC-SP2-1998-4.2-cln", "drawn", "jann"}
    assert "LANL-CM5" in pages["jann"]["how"]
    assert pages["drawn"]["drawn_by_us"]
    assert log_of("model", "lublin", [{"kind": "model"}]) is None


def test_no_claim_counts_the_drawn_log_and_the_page_shows_it(root, connection):
    assert connection.execute("SELECT verdict FROM claims").fetchall() == [("not testable",)]
    page = study_page.context(connection, "tiny", read_json(root / "figures" / "figures.json"))
    assert (page["testable"], page["drawn"], page["sentences"]) == (False, True, [])
    assert [sheet["label"] for sheet in page["sheets"]] == ["Drawn log"]
    assert not any(part["open"] for part in page["claims"])
    assert front_page.answer(connection, "tiny")["sentence"] == ""


def test_a_study_of_the_drawn_log_alone_says_why_its_claims_are_not_judged(tmp_path):
    (claim,) = STUDY["claims"]
    alone = {**claim, "with": {**claim["with"], "workloads": ["drawn"]}}
    make_written(tmp_path, {**STUDY, "workloads": {"drawn": STUDY["workloads"]["drawn"]}, "claims": [alone]})
    (tmp_path / "all").mkdir()
    (tmp_path / "figures").rename(tmp_path / "all" / "tiny")
    render_report(
        tmp_path / "store.duckdb", tmp_path / "all", [], tmp_path / "report", {"root": "results", "studies": {}}
    )
    text = (tmp_path / "report" / "study-tiny.html").read_text()
    assert "no claim counts it. No claim of this study can be judged here: name a real log or a model" in text
    assert "missing here" not in text


def test_the_report_says_so(root):
    (root / "all").mkdir()
    (root / "figures").rename(root / "all" / "tiny")
    render_report(root / "store.duckdb", root / "all", [], root / "report", {"root": "results", "studies": {}})
    text = (root / "report" / "study-tiny.html").read_text()
    assert "LANL-CM5 and SDSC-SP2 are missing here" in text
    assert "No claim of this study can be judged here" in text
    assert "Backfilling helps on every log.</p>" not in text
    assert {place for place in re.findall('href="#([^"]+)"', text) if f'id="{place}"' not in text} == set()
    front = (root / "report" / "index.html").read_text()
    assert "2 of 2 logs are missing" in front
    assert "Some show the drawn log instead" in front
    left_out = re.search("the values of (.*), beyond", (root / "report" / "checks.html").read_text())[1]
    assert all(re.fullmatch("<code>[a-z_.]+</code>", name) for name in left_out.split(", "))
    assert "This is no real log" in (root / "report" / "workload-drawn.html").read_text()
