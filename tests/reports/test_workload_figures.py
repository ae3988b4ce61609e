"""Figures of a workload's page are drawn where there is something to compare, and say why where there is not."""

import duckdb
import pytest

from reports.draw.charts import NoData
from reports.figures.general import workload as figures

HOUR, DAY = 3600, 86400


@pytest.fixture
def store():
    """A store of one workload's jobs: call it with rows of submission, run time, estimate (seconds) and processors."""
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE jobs (workload VARCHAR, policy VARCHAR, replication INTEGER, job BIGINT, submit_us BIGINT, "
            "runtime_us BIGINT, estimate_us BIGINT, size INTEGER)"
        )
        connection.execute("CREATE TABLE runs AS SELECT 'made' AS workload, 'easy' AS policy")
        connection.execute("CREATE TABLE workloads AS SELECT 'made' AS workload, 8 AS processors, '[]' AS provenance")

        def filled(rows):
            made = [
                (i, submit * 10**6, run * 10**6, asked * 10**6, size)
                for i, (submit, run, asked, size) in enumerate(rows)
            ]
            connection.executemany("INSERT INTO jobs VALUES ('made', 'easy', 0, ?, ?, ?, ?, ?)", made)
            return connection

        yield filled


def test_jobs_that_are_all_alike_are_not_drawn(store):
    connection = store([(0, 600, 600, 4)] * 9)
    reasons = {}
    for figure in figures.FIGURES:
        with pytest.raises(NoData) as reason:
            figure(connection, "made")
        reasons[figure.__name__] = str(reason.value)
    assert "within one hour" in reasons["arrivals_by_hour"]
    assert "within a week" in reasons["arrivals_by_weekday"]
    assert "within 3 weeks" in reasons["load_by_week"]
    assert "as many processors (3–4)" in reasons["size_distribution"]
    assert "about as long (464 to 1,000 s)" in reasons["runtime_distribution"]
    assert len(set(reasons.values())) == len(figures.FIGURES)


def test_jobs_that_differ_are_drawn(store):
    rows = [
        (day * DAY + (day % 24) * HOUR, 10 ** (1 + day % 4), 2 * 10 ** (1 + day % 4), 1 + day % 8) for day in range(40)
    ]
    connection = store(rows)
    for figure in figures.FIGURES:
        assert figure(connection, "made").to_dict()["data"]["values"], figure.__name__
    weeks = figures.load_by_week(connection, "made").to_dict()
    ticks = weeks["layer"][0]["encoding"]["x"]["axis"]["values"]
    assert ticks == [0, 1, 2, 3, 4, 5]
