"""The study of LOMARC in miniature: its figures with real columns, its drawings by the rules, its claims with rows."""

from __future__ import annotations

import duckdb
import pytest

from scheduler_core.common.files import read_json
from studies.lomarc import figures_drawings as lomarc_drawings
from tests.paths import study_file
from tests.reports.small_study import check_drawn, make_small
from workflow.studies import read_study

STUDY = study_file("lomarc")
NAMES = ("lomarc-w1", "lomarc-w2", "lomarc-w3", "lomarc-w1-m2")
SMALL = {name: {"jobs": 250, "replications": 2} for name in NAMES}


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    root = tmp_path_factory.mktemp("lomarc")
    make_small(root, read_study(STUDY), SMALL)
    with duckdb.connect(str(root / "store.duckdb"), read_only=True) as connection:
        yield root, connection


def test_every_figure_is_drawn_but_that_of_readings(drawn):
    check_drawn(drawn[0], "lomarc", ["gains_by_formula"])


def test_the_gains_drawn_are_those_of_the_jobs(drawn):
    root, connection = drawn
    (row,) = [
        row
        for row in read_json(root / "figures" / "gains.json")["data"]["values"]
        if (row["workload"], row["policy"], row["metric"]) == ("lomarc-w3", "l-r", "mean_response")
    ]
    means = {
        (policy, replication): response
        for policy, replication, response in connection.execute(
            "SELECT policy, replication, avg(response_s) FROM job_times WHERE workload = 'lomarc-w3' GROUP BY ALL"
        ).fetchall()
    }
    gains = [100 * (1 - means["l-r", draw] / means["pss", draw]) for draw in range(2)]
    assert row["value"] == pytest.approx(sum(gains) / 2, rel=1e-4)
    assert (row["units"], row["printed"]) == (2, 56)


def test_both_formulas_stand_beside_the_estimates_of_table_2(drawn):
    root, _ = drawn
    rows = read_json(root / "figures" / "estimates_and_measurements.json")["data"]["values"]
    unequal = [row for row in rows if row["pair"] == "40 % in 200 B beside 60 % in 18,000 B"]
    values = {row["which"]: row["value"] for row in unequal if row["which"]}
    assert values == {"printed formula": 1.6, "unshared parts counted": 1.8, "measured": 1.3}
    assert [row["printed"] for row in unequal if not row["which"]] == [1.8]


def test_claims_find_rows(drawn):
    _, connection = drawn
    found = {claim for (claim,) in connection.execute("SELECT DISTINCT claim FROM claim_evidence").fetchall()}
    assert found == {claim.id for claim in read_study(STUDY).claims}
    assert connection.execute("SELECT sum(violations) FROM certificates").fetchone() == (0,)
    ((verdict,),) = connection.execute("SELECT verdict FROM claims WHERE claim = 'l35-rules-of-matching'").fetchall()
    assert verdict == "reproduced"


def test_the_drawn_pair_ends_as_the_rule_says():
    rows = lomarc_drawings.match_among_running(None).data.values
    pair = {row["job"]: row for row in rows if row["panel"] == "After"}
    assert pair["job 1"]["end"] == pair["job 3"]["end"] == 1300
    assert pair["job 3"]["low"] == 0
    assert pair["job 1"]["high"] == 6


def test_the_drawn_queue_keeps_its_order_but_for_the_match():
    rows = lomarc_drawings.match_among_waiting(None).data.values
    after = sorted((row["begin"], row["low"], row["job"]) for row in rows if row["panel"] == "After")
    assert [job for _, _, job in after] == ["job 1", "job 4", "job 2", "job 3", "job 5", "job 6"]
