"""What the SQL of a study may take: time, rows and memory. A query without end becomes an error that names it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from scheduler_core.common.errors import StudyError

if TYPE_CHECKING:
    import duckdb

PLANNING_SECONDS = 30
"""Time of a measure on the store's empty tables, where it needs milliseconds."""

SECONDS = 1800
"""Time of a measure or a figure on a store."""

MOST_ROWS = 1_000_000
"""Rows of a query; the largest query of a study has some thousands."""

MEMORY = "1GB"
"""Memory of queries on empty tables."""

STORE_MEMORY = 4_000_000_000
"""Bytes of memory of queries on a store, in which DuckDB spills to disk before it fails."""


def limit_memory(connection: duckdb.DuckDBPyConnection) -> None:
    """Let the queries of a connection take at most :data:`MEMORY`, and write no temporary files."""
    connection.execute(f"SET memory_limit = '{MEMORY}'")
    connection.execute("SET temp_directory = ''")


@contextmanager
def in_time(connection: duckdb.DuckDBPyConnection, where: str, seconds: float) -> Iterator[None]:
    """Interrupt the queries of the block after ``seconds``.

    Raise :class:`StudyError`, which names ``where``, when a query was interrupted or took more than the memory.
    """
    import duckdb

    done = threading.Event()

    def interrupt() -> None:
        wait = seconds
        while not done.wait(wait):
            connection.interrupt()
            wait = 1  # the interrupt is lost if no query runs

    timer = threading.Thread(target=interrupt, daemon=True)
    timer.start()
    try:
        yield
    except duckdb.InterruptException as error:
        raise StudyError(
            f"{where}: a query took more than {seconds:,g} s and was stopped; does a recursion end, and is every join bound?"
        ) from error
    except duckdb.OutOfMemoryException as error:
        raise StudyError(
            f"{where}: a query took more than the memory it may have ({' '.join(str(error).split())[:160]})"
        ) from error
    finally:
        done.set()
        timer.join()


def first_rows(
    connection: duckdb.DuckDBPyConnection, sql: str, parameters: Mapping[str, Any], where: str
) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return the columns and rows of a query; raise :class:`StudyError` when it has more than :data:`MOST_ROWS`."""
    result = connection.execute(sql, dict(parameters))
    names = [column[0] for column in result.description or []]
    found = result.fetchmany(MOST_ROWS + 1)
    if len(found) > MOST_ROWS:
        raise StudyError(f"{where}: a query gives more than {MOST_ROWS:,} rows; aggregate in SQL")
    return names, found
