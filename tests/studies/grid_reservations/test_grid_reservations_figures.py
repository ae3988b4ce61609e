"""The study of reservations in a grid in miniature: its figures with real columns, its claims with rows."""

from __future__ import annotations

import duckdb
import pytest

from scheduler_core.common.files import read_json
from tests.paths import study_file
from tests.reports.small_study import check_drawn, make_small
from workflow.studies import read_study

STUDY = study_file("grid_reservations")
SMALL = {name: {"jobs": 300, "replications": 2} for name in ("p-0", "p-13", "p-26", "four-seeds")}
POLICIES = (
    "no-workflows", "grid_relaxed", "grid_propagation", "grid_independent", "grid_rigid", "grid_zero_slack", "with-000",
    "with-350", "without-000", "without-350",
)  # fmt: skip


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    root = tmp_path_factory.mktemp("grid")
    make_small(root, read_study(STUDY), SMALL, POLICIES)
    with duckdb.connect(str(root / "store.duckdb"), read_only=True) as connection:
        yield root, connection


def test_every_figure_is_drawn_but_that_of_readings(drawn):
    check_drawn(drawn[0], "grid_reservations", ["main_effects_by_reading"])


def test_the_makespans_drawn_are_those_of_the_workflows(drawn):
    root, connection = drawn
    (row,) = [
        row
        for row in read_json(root / "figures" / "makespan_by_share.json")["data"]["values"]
        if (row["share"], row["series"], row["panel"]) == (26, "with propagation", "Makespan")
    ]
    means = connection.execute(
        """
        SELECT replication, avg(length) FROM (
            SELECT replication, workflow, (max(finish_us) - min(start_us)) / 3600e6 AS length
            FROM jobs JOIN tasks USING (workload, replication, job)
            WHERE workload = 'p-26' AND policy = 'grid_propagation' GROUP BY ALL
        ) GROUP BY replication
        """
    ).fetchall()
    assert len(means) == row["units"] == 2
    assert row["value"] == pytest.approx(sum(mean for _, mean in means) / 2, rel=1e-4)


def test_nothing_is_lost_where_there_are_no_workflows(drawn):
    _, connection = drawn
    assert connection.execute("SELECT count(*) FROM tasks WHERE workload = 'p-0'").fetchone() == (0,)
    assert connection.execute("SELECT sum(violations) FROM certificates").fetchone() == (0,)


def test_claims_find_rows(drawn):
    _, connection = drawn
    found = {claim for (claim,) in connection.execute("SELECT DISTINCT claim FROM claim_evidence").fetchall()}
    of_more = {"c21-longer-reservations"}
    assert found >= {claim.id for claim in read_study(STUDY).claims} - of_more
