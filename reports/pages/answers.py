"""The answers of studies and how many claims are reproduced, under headlines and second headlines."""

import duckdb

from reports.draw.charts import Row, fetch
from reports.pages.words import JUDGED


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


def second_counts(connection: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return, for each second headline, how many claims that carry evidence are reproduced under it.

    Columns: ``study, title, label, headline_label``; ``claims``; ``reproduced`` and ``by_headline``, numbers of claims.
    """
    return fetch(
        connection,
        """
        SELECT
            study, any_value(title) AS title, second.label, any_value(first.label) AS headline_label, count(*) AS claims,
            count_if(under.verdict = 'reproduced') AS reproduced, count_if(claims.verdict = 'reproduced') AS by_headline
        FROM readings AS second
        JOIN readings AS first USING (study)
        JOIN claim_readings AS under ON under.study = second.study AND under.reading = second.reading
        JOIN claims ON claims.study = second.study AND claims.claim = under.claim
        JOIN studies USING (study)
        WHERE second.second_headline AND first.headline AND list_contains($kinds, kind)
        GROUP BY study, second.label, second.position, studies.position
        ORDER BY studies.position, study, second.position
        """,
        kinds=list(JUDGED),
    )
