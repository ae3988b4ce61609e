"""The answers of studies, under headlines and second headlines."""

import duckdb

from reports.draw.charts import Row, fetch


def answers_of(connection: duckdb.DuckDBPyConnection, study: str) -> list[Row]:
    """Return the answers of a study under its headline.

    ``fitted`` tells whether the claim rests on a choice made after a result was seen. ``seconds`` are the answers of second
    headlines in its place, where they differ; their ``reading_label`` names the reading.
    """
    found = fetch(
        connection,
        "SELECT answers.*, readings.label AS reading_label, readings.headline, coalesce(fitted, '') <> '' AS fitted "
        "FROM answers JOIN readings USING (study, reading) LEFT JOIN claims USING (study, claim) "
        "WHERE answers.study = $study AND (readings.headline OR second_headline) AND text <> '' "
        "ORDER BY answers.position, readings.position",
        study=study,
    )

    def seconds(row: Row) -> list[Row]:
        place = (row["part"], row["position"])
        return [
            one
            for one in found
            if not one["headline"] and (one["part"], one["position"]) == place and one["text"] != row["text"]
        ]

    return [{**row, "seconds": seconds(row)} for row in found if row["headline"]]
