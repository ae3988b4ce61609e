"""The store of a finished run of the pipeline, opened for queries."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from reports.draw import drawing
from scheduler_core.common.errors import StudyError, nearest
from scheduler_core.declarations.words import counted

if TYPE_CHECKING:
    import duckdb

METRICS = """
    SELECT cells.study, workload, policy, metric, catalogue.label, catalogue.stored_in AS unit, value, low, high, units
    FROM run_means JOIN cells USING (workload, policy) LEFT JOIN metric_catalogue AS catalogue USING (metric)
    WHERE scope = 'all' AND ($study IS NULL OR cells.study = $study)
    ORDER BY cells.study, workload, cells.position, metric
"""


class Store:
    """A store, open for reading. Use it in a ``with`` statement, or ``close()`` it.

    ``connection`` is the DuckDB connection, and ``studies`` are the names of the studies; ``reports/measure/sql/README.md``
    describes every table.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.connection = connection
        found = self.execute("SELECT DISTINCT study FROM cells ORDER BY study").fetchall()
        self.studies = [name for (name,) in found]

    def __repr__(self) -> str:
        named = f": {', '.join(self.studies)}" if self.studies else ""
        return f"Store of {counted(len(self.studies), 'study', 'studies')}{named}"

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    def execute(self, sql: str, parameters: Any = None) -> duckdb.DuckDBPyConnection:
        """Run a query and return the DuckDB connection, from which rows are fetched."""
        return self.connection.execute(sql, parameters)

    def frame(self, sql: str, parameters: Any = None) -> pl.DataFrame:
        """Return the rows of a query as a polars DataFrame."""
        found = self.execute(sql, parameters)
        names = [column[0] for column in found.description or ()]
        return pl.DataFrame(found.fetchall(), schema=names, orient="row", infer_schema_length=None)

    def metrics(self, study: str | None = None) -> pl.DataFrame:
        """Return the mean of every metric over all jobs: a row per study, workload, policy and metric.

        ``value`` is in ``unit`` (empty for ratios and shares); ``low`` and ``high`` bound its 95 % confidence interval over
        ``units`` independent values, and are null where there is one value alone.

        Raise :class:`StudyError` when the store has no such study.

        Parameters
        ----------
        study
            Name of a study; without it, all studies.
        """
        if study is not None and study not in self.studies:
            raise StudyError(f"the store has no study '{study}'; {nearest(study, self.studies)}")
        return self.frame(METRICS, {"study": study})


def open_store(store: Path | str) -> Store:
    """Return the store of a finished run of the pipeline, open for reading.

    ``metrics(study=...)`` and ``frame(sql)`` return polars DataFrames, ``execute(sql)`` the rows as DuckDB gives them.

    Raise :class:`StudyError` when there is no such file.

    Parameters
    ----------
    store
        The file, or the folder of results that holds it as ``slotwise.duckdb``.
    """
    return Store(drawing.open_store(store))
