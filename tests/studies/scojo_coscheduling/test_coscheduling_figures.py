"""SCOJO's shares, models that err and node sharing in miniature: figures with real columns, claims with rows."""

from __future__ import annotations

import duckdb
import pytest

from scheduler_core.common.files import read_json
from tests.paths import study_file
from tests.reports.small_study import check_drawn, make_small, write_log
from workflow.studies import read_study

FEW_ERRORS = ("pss", "r-printed", "r-printed-slower-50", "r-printed-both-50", "r-printed-parted-50", "u1-printed",
              "u1-printed-slower-50")  # fmt: skip


@pytest.fixture(scope="module")
def shares(tmp_path_factory):
    root = tmp_path_factory.mktemp("shares")
    cases = {name: {"replications": 3} for name in ("case-1", "case-2", "case-3")}
    make_small(root, read_study(study_file("scojo_coscheduling")), {**cases, "table-5-1": {}})
    with duckdb.connect(str(root / "store.duckdb"), read_only=True) as connection:
        yield root, connection


@pytest.fixture(scope="module")
def errors(tmp_path_factory):
    root = tmp_path_factory.mktemp("errors")
    loads = {name: {"jobs": 200, "replications": 3} for name in ("error-light", "error-heavy")}
    make_small(root, read_study(study_file("slowdown_error")), loads, FEW_ERRORS)
    return root


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    root = tmp_path_factory.mktemp("logs")
    log = str(write_log(root / "logs" / "own.swf", 300, 128))
    names = ("shared-sp2-load-090", "shared-sp2-load-130", "shared-sp2-2-load-090")
    make_small(root, read_study(study_file("node_sharing_logs")), {name: {"log": log, "first": 250} for name in names})
    return root


def values(root, figure):
    return read_json(root / "figures" / f"{figure}.json")["data"]["values"]


def test_every_figure_of_shares_is_drawn(shares):
    check_drawn(shares[0], "scojo_coscheduling")


def test_every_figure_of_errors_is_drawn(errors):
    check_drawn(errors, "slowdown_error")


def test_every_figure_of_logs_is_drawn(logs):
    check_drawn(logs, "node_sharing_logs")


def test_claims_on_shares_find_rows_and_shares_fit(shares):
    _, connection = shares
    found = {claim for (claim,) in connection.execute("SELECT DISTINCT claim FROM claim_evidence").fetchall()}
    assert found == {claim.id for claim in read_study(study_file("scojo_coscheduling")).claims}
    assert connection.execute("SELECT sum(violations) FROM certificates").fetchone() == (0,)
    identities = connection.execute("SELECT verdict FROM claims WHERE kind = 'identity'").fetchall()
    assert identities == [("reproduced",), ("reproduced",)]


def test_a_job_of_the_example_is_drawn_as_printed_and_as_it_ran(shares):
    rows = [row for row in values(shares[0], "worked_example") if row["name"] == "job 2"]
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


def test_pairs_of_programs_stay_apart_beyond_the_limit(shares):
    cells = {(row["row"], row["column"]): row for row in values(shares[0], "slowdowns")}
    assert len(cells) == 36
    assert (cells["Central", "Grid-2400"]["slowdown"], cells["Grid-2400", "Central"]["slowdown"]) == (3.1, 1.0)
    assert cells["Grid-2400", "Central"]["apart"]  # its partner would be slowed down too much
    assert not cells["Grid-300", "Grid-1200"]["apart"]


def test_a_model_without_error_begins_every_line(errors):
    rows = [row for row in values(errors, "gain_against_error") if "place" not in row and row["formula"] == "printed"]
    begins = {row["series"]: row["value"] for row in rows if row["panel"].startswith("Light") and row["error"] == 0}
    assert set(begins) == {"either way", "slower", "slower, parted above 2"}
    assert len(set(begins.values())) == 1


def test_what_is_drawn_anew_stands_apart_from_the_sweep(logs):
    assert {row["drawn"] for row in values(logs, "gain_against_load")} == {""}
    assert {row["draw"] for row in values(logs, "other_draws")} == {"as above", "draw 2"}
    later = values(logs, "who_pays")
    assert {row["load"] for row in later} == {90, 130}
    assert all(0 <= row["later"] + row["earlier"] <= 100 for row in later)
