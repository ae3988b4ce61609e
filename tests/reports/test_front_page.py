"""The front page: answers with small charts, strips of claims, ratios of what studies show."""

import json
import shutil

import duckdb
import pytest

from reports.draw.drawing import open_store
from reports.pages.claim_rows import claim_rows
from reports.pages.front_page import (
    RATIOS,
    WIDTH,
    answer,
    context,
    ratios,
    second_counts,
    second_strips,
    small_chart,
    strip,
    verdict_counts,
)
from reports.pages.sources_page import coverage, fitted
from reports.pages.words import JUDGED


@pytest.fixture(scope="module")
def connection(store):
    with open_store(store) as opened:
        yield opened


@pytest.fixture(scope="module")
def claims(connection):
    return claim_rows(connection)


def judged(claims, study):
    return [claim for claim in claims if claim["study"] == study and claim["kind"] in JUDGED]


def number(value, low, high, unit=""):
    return {"label": "Wait", "value": value, "low": low, "high": high, "unit": unit}


def test_a_small_chart_always_shows_where_no_effect_is():
    drawn = small_chart(number(0.6, 0.5, 0.7))
    at = drawn["at"]
    assert 0 < at["low"] < at["value"] < at["high"] < at["none"] < WIDTH
    assert (drawn["text"], drawn["interval"]) == ("0.60", "0.50 to 0.70")
    far = small_chart(number(900.0, 890.0, 910.0, "s"))
    assert 0 < far["at"]["none"] < far["at"]["low"] < far["at"]["value"] < far["at"]["high"] < WIDTH
    assert far["interval"] == "890 to 910\N{NO-BREAK SPACE}s"


def test_a_number_without_an_interval_is_a_point():
    drawn = small_chart(number(3.0, None, None, "%"))
    assert drawn["interval"] == ""
    assert drawn["at"]["none"] < drawn["at"]["low"] == drawn["at"]["value"] == drawn["at"]["high"]


def test_strips_and_counts_leave_out_claims_that_carry_no_evidence(connection, claims, tmp_path):
    page = context(connection, "results", tmp_path, claims, coverage(connection, claims), fitted(claims))
    strips = {study["study"]: study["strip"] for study in page["studies"]}
    assert strips["easy_dialects"] == [
        {"verdict": "not reproduced", "headlines": ["A reservation computed once costs waits"]}
    ]
    assert [part["verdict"] for part in strips["baseline"]] == [
        "reproduced", "reproduced in part", "not reproduced", "cannot tell"]  # fmt: skip
    mixed = next(part for part in strip(judged(claims, "baseline")) if part["verdict"] == "reproduced in part")
    assert mixed["headlines"] == ["Waits of three loads are as printed (2 ✓ 1 ✗)"]
    counted = {row["kind"]: sum(row["counts"]) for row in page["counts"]}
    assert counted == {"direction": 3, "magnitude": 2, "mechanism": 1}
    assert verdict_counts([]) == [{"kind": kind, "counts": [0] * 5} for kind in JUDGED]


def test_an_answer_says_that_its_claim_was_fitted(store, tmp_path):
    copy = tmp_path / "store.duckdb"
    shutil.copy(store, copy)
    with duckdb.connect(str(copy)) as opened:
        assert not answer(opened, "baseline")["fitted"]
        opened.execute("UPDATE claims SET fitted = 'The load was.' WHERE claim = 'easy-beats-fcfs'")
        assert answer(opened, "baseline")["fitted"]


def test_a_second_headline_is_counted_beside_the_headline(connection, claims):
    assert second_counts(judged(claims, "baseline")) == [
        {"title": "Baseline policies", "label": "Conservative", "headline_label": "As listed", "claims": 5,
         "reproduced": 2, "by_headline": 1}
    ]  # fmt: skip
    (second,) = second_strips(judged(claims, "baseline"))
    assert second["label"] == "Conservative"
    assert [len(part["headlines"]) for part in second["strip"]] == [2, 1, 1, 1]
    assert second_strips(judged(claims, "easy_dialects")) == second_counts(judged(claims, "easy_dialects")) == []
    said = answer(connection, "baseline")
    assert said["sentence"].endswith("0.6 of FCFS's.")
    assert [one["text"].endswith("0.5 of FCFS's.") for one in said["seconds"]] == [True]


def test_ratios_are_those_of_the_store_against_the_policy_the_study_names(connection):
    found = {study["study"]: study for study in ratios(connection)}
    baseline = found["baseline"]
    labels = [policy["label"] for policy in baseline["policies"]]
    assert baseline["versus"] == "EASY"
    assert "EASY" not in labels
    first = next(one for one in baseline["metrics"] if one["label"] == "Mean bounded slowdown")
    cell = next(c for c in first["cells"] if baseline["workloads"][c[0]] == "SDSC SP2" and labels[c[1]] == "FCFS")
    expected = connection.execute(
        "SELECT ratio, ratio_low, ratio_high FROM comparisons WHERE workload = 'sdsc-sp2' AND versus_workload = 'sdsc-sp2' "
        "AND policy = 'fcfs' AND versus_policy = 'easy' AND metric = 'mean_bounded_slowdown_10'"
    ).fetchone()
    assert cell[2:5] == pytest.approx(expected)


def test_no_cell_is_shown_that_the_study_does_not_show(connection):
    for study in ratios(connection):
        shown = connection.execute(
            "SELECT w.label, p.label FROM cells JOIN workloads AS w USING (workload) JOIN policies AS p USING (policy) "
            "WHERE study = $1",
            [study["study"]],
        ).fetchall()
        for one in study["metrics"]:
            cells = {(study["workloads"][c[0]], study["policies"][c[1]]["label"]) for c in one["cells"]}
            assert cells <= set(shown)
            assert len(cells) == len(one["cells"])


def test_the_data_of_the_plot_are_a_script_beside_the_page(connection, claims, tmp_path):
    shared = (tmp_path, claims, coverage(connection, claims), fitted(claims))
    said = context(connection, "results", *shared)
    text = (tmp_path / RATIOS).read_text()
    assert json.loads(text.removeprefix("window.slotwiseRatios = ").removesuffix(";\n")) == json.loads(
        json.dumps(said["plot"])
    )
    assert (said["claims"], said["reproduced"]) == (6, 1)
    assert not said["miniature"]
    assert context(connection, "results/quick", *shared)["miniature"]
