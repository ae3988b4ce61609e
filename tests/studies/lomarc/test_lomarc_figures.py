"""The study of LOMARC in miniature: its gains are those of the jobs, its drawings obey the rules."""

import pytest

from studies.lomarc import figures_drawings as lomarc_drawings
from tests.studies.miniatures import in_miniature

in_small = in_miniature("lomarc")


@in_small
def test_the_gains_drawn_are_those_of_the_jobs(miniature):
    (row,) = [
        row
        for row in miniature.values("gains")
        if (row["workload"], row["policy"], row["metric"]) == ("lomarc-w3", "l-r", "mean_response")
    ]
    means = {
        (policy, replication): response
        for policy, replication, response in miniature.connection.execute(
            "SELECT policy, replication, avg(response_s) FROM job_times WHERE workload = 'lomarc-w3' GROUP BY ALL"
        ).fetchall()
    }
    gains = [100 * (1 - means["l-r", draw] / means["pss", draw]) for draw in range(2)]
    assert row["value"] == pytest.approx(sum(gains) / 2, rel=1e-4)
    assert (row["units"], row["printed"]) == (2, 56)


@in_small
def test_both_formulas_stand_beside_the_estimates_of_table_2(miniature):
    rows = miniature.values("estimates_and_measurements")
    unequal = [row for row in rows if row["pair"] == "40 % in 200 B beside 60 % in 18,000 B"]
    values = {row["which"]: row["value"] for row in unequal if row["which"]}
    assert values == {"printed formula": 1.6, "unshared parts counted": 1.8, "measured": 1.3}
    assert [row["printed"] for row in unequal if not row["which"]] == [1.8]


@in_small
def test_the_rules_of_matching_are_kept(miniature):
    rule = "SELECT verdict FROM claims WHERE claim = 'l35-rules-of-matching'"
    assert miniature.connection.execute(rule).fetchall() == [("reproduced",)]


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
