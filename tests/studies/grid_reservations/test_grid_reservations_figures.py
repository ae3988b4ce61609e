"""The study of reservations in a grid in miniature: its makespans are those of the schedules."""

import pytest

from tests.studies.miniatures import in_miniature

in_small = in_miniature("grid_reservations")


@in_small
def test_the_makespans_drawn_are_those_of_the_workflows(miniature):
    (row,) = [
        row
        for row in miniature.values("makespan_by_share")
        if (row["share"], row["series"], row["panel"]) == (26, "with propagation", "Makespan")
    ]
    means = miniature.connection.execute(
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


@in_small
def test_a_share_of_nothing_has_no_tasks(miniature):
    assert miniature.connection.execute("SELECT count(*) FROM tasks WHERE workload = 'p-0'").fetchone() == (0,)
