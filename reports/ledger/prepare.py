"""Try claims on an empty store before any job starts, to find SQL that does not fit the tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reports.ledger.claim_checks import EXACT
from reports.ledger.measures import measure_of, measured_by, parameters_given, query, restrict
from scheduler_core.common.errors import StudyError

if TYPE_CHECKING:
    import duckdb


def try_measures(studies: list[dict[str, Any]]) -> None:
    """Run every measure of the studies on the store's empty tables.

    Raises
    ------
    StudyError
        For the first error; the text names the SQL file, the claim that uses it and the line.
    """
    import duckdb

    from reports.measure.store import make_tables

    if not any(study["measures"] for study in studies):
        return
    with duckdb.connect() as connection:
        make_tables(connection)
        restrict(connection)
        for study in studies:
            for where, entry in measured_by(study["page"], study["claims"]).items():
                measure = study["measures"][measure_of(entry)]
                try_measure(connection, f"study '{study['study']}': {where}", measure, entry)


def try_measure(
    connection: duckdb.DuckDBPyConnection, where: str, measure: dict[str, str], entry: Mapping[str, Any]
) -> None:
    """Run a measure on empty tables, and check that it has the columns which the claim's band judges."""
    names, _ = query(connection, where, measure, parameters_given(entry, measure))
    if "expect" not in entry:
        return
    ((quantifier, band),) = entry["expect"].items()
    if quantifier == "sides":
        return
    kind, edge = next(iter(band.items()))
    if (kind in EXACT) == ("unit" in names):
        wanted = "exact values (label, value)" if kind in EXACT else "a value per unit (label, unit, value)"
        raise StudyError(f"{where}: {measure['path']}: '{kind}' judges {wanted}; found {', '.join(names)}")
    if edge == "each" and "printed" not in names:
        raise StudyError(
            f"{where}: {measure['path']}: '{kind}: each' needs the column printed; found {', '.join(names)}"
        )
