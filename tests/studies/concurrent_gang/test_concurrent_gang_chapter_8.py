"""Chapter 8 of Concurrent Gang in miniature: every figure is drawn from real runs, beside what the thesis prints."""

from __future__ import annotations

import dataclasses

import duckdb
import pytest

from reports.ledger.measures import measure_of, parameters_given
from scheduler_core.checker.concurrent_gang.rules import RULES
from scheduler_core.common.files import read_json
from tests.paths import study_file
from tests.reports.small_study import make_small, write_log
from workflow.studies import read_study

STUDY = study_file("concurrent_gang")
SECONDS = 50
MIXTURES = ("io", "io-msg", "io-msg-emb", "io-bsp", "io-bsp-emb", "emb-msg", "emb-bsp")
FIGURES = (
    "gains_by_mixture",
    "figures_8_3_to_8_11",
    "figures_8_8_and_8_9",
    "tables_8_1_to_8_6",
    "figures_8_12_and_8_13",
    "gains_by_load",
    "activities_by_mixture",
    "slices_run_ahead",
)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    root = tmp_path_factory.mktemp("chapter_8")
    few = {"jobs": 12, "replications": 2, "fit": str(write_log(root / "some.swf", 400, 16))}
    often = {**few, "mean_gap_s": 1}
    workloads = {f"{mixture}-{processors}": often for mixture in MIXTURES for processors in (8, 16)} | {
        "emb-16": often,
        "io-at-load-050": few,
        "io-at-load-200": few,
    }
    study = read_study(STUDY)
    brief = {"until_s": SECONDS, "sums_s": SECONDS / 50, "trace_s": 0}
    policies = {
        name: dataclasses.replace(of, policy=dataclasses.replace(of.policy, **brief))
        for name, of in study.policies.items()
    }
    make_small(root, dataclasses.replace(study, policies=policies), workloads)
    return root


def values(root, figure):
    return read_json(root / "figures" / f"{figure}.json")["data"]["values"]


@pytest.mark.parametrize("figure", FIGURES)
def test_every_figure_is_drawn_with_its_caption_filled_in(drawn, figure):
    entries = {entry["name"]: entry for entry in read_json(drawn / "figures" / "figures.json")}
    assert "absent" not in entries[figure], entries[figure]
    assert "{" not in entries[figure]["caption"]


def test_ratios_stand_beside_those_of_the_tables(drawn):
    found = {(row["workload"], row["metric"]): row["printed"] for row in values(drawn, "gains_by_mixture")}
    assert found["io-8", "jobs_completed"] == pytest.approx(60 / 40)
    assert found["io-16", "utilisation_spin_busy"] == pytest.approx(84 / 43)
    assert found["emb-bsp-16", "utilisation_spin_busy"] is None


def test_a_table_shows_what_it_prints_in_its_unit(drawn):
    found = {(row["workload"], row["policy"], row["metric"]): row for row in values(drawn, "tables_8_1_to_8_6")}
    assert len(found) == 24
    row = found["io-msg-emb-8", "gang", "utilisation_spin_busy"]
    assert row["printed"] == 72
    assert 0 < row["value"] <= 100


def test_lines_over_time_have_twenty_five_points(drawn):
    found = [row for row in values(drawn, "figures_8_12_and_8_13") if row["series"] == "DHC"]
    assert len(found) == 2 * 25


def test_activities_fill_the_time_of_processors(drawn):
    sums = {}
    for row in values(drawn, "activities_by_mixture"):
        key = row["workload"], row["policy"]
        sums[key] = sums.get(key, 0) + row["value"]
    assert len(sums) == 7 * 2 + 2
    assert list(sums.values()) == pytest.approx([100] * len(sums))


def test_every_claim_of_chapter_8_finds_its_rows(drawn):
    missing = [
        claim.id
        for claim in read_study(STUDY).claims
        if not claim.id.startswith(("c6-", "c7-")) and not judged_rows(drawn, claim.written)
    ]
    assert missing == [
        "io-gains-less-than-in-chapter-6",
        "io-longer-bursts-gain-less",
        "dhc-very-good-job",
        "dhc-emb-over-time",
    ]


def test_rules_that_claims_go_by_are_rules_of_the_checker():
    named = {rule for claim in read_study(STUDY).claims for rule in claim.parameters.get("rules", [])}
    assert named
    assert named <= set(RULES)


def judged_rows(root, claim):
    """Return the rows of a claim's measure in the store."""
    measure = read_study(STUDY).measures[measure_of(claim)]
    with duckdb.connect(str(root / "store.duckdb"), read_only=True) as connection:
        return connection.execute(measure["sql"], parameters_given(claim, measure)).fetchall()
