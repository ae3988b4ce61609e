"""The answers of studies, under headlines and second headlines."""

import duckdb

from reports.draw.charts import Row, fetch


def answers_of(connection: duckdb.DuckDBPyConnection, study: str, flag: str = "headline") -> list[Row]:
    """Return the answers of a study under its headline, or under its second headlines.

    ``reading_label`` names the reading, and ``fitted`` tells whether the claim rests on a choice made after a result was seen.
    """
    return fetch(
        connection,
        "SELECT answers.*, readings.label AS reading_label, coalesce(fitted, '') <> '' AS fitted "
        "FROM answers JOIN readings USING (study, reading) LEFT JOIN claims USING (study, claim) "
        f"WHERE answers.study = $study AND readings.{flag} AND text <> '' ORDER BY answers.position, readings.position",
        study=study,
    )


def with_seconds(rows: list[Row], beside: list[Row]) -> list[Row]:
    """Return answers with ``seconds``: what second headlines answer in their place, where that differs."""
    return [
        {**row, "seconds": [one for one in beside if (one["part"], one["position"]) == (row["part"], row["position"])
                            and one["text"] != row["text"]]}
        for row in rows
    ]  # fmt: skip
