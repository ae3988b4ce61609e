"""Shared by all tables: checks of columns, digests of values, and parquet files with a version."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from scheduler_core.common.errors import ContractError
from scheduler_core.common.files import reading, replacing


def check_columns(table: pl.DataFrame, required: Mapping[str, Any], what: str) -> None:
    """Raise :class:`ContractError` when a required column is missing or has another type."""
    found = dict(table.schema)
    for name, kind in required.items():
        if name not in found:
            raise ContractError(f"{what}: column '{name}' is missing; found {', '.join(found)}")
        if found[name] != kind:
            raise ContractError(f"{what}: column '{name}' must be {kind}, found {found[name]}")


def check_complete(table: pl.DataFrame, what: str) -> None:
    """Raise :class:`ContractError` when a value is missing."""
    for name, missing in table.null_count().row(0, named=True).items():
        if missing:
            raise ContractError(
                f"{what}: column '{name}' has no value in {missing} of {table.height} rows; expected one in each"
            )


def check_rules(table: pl.DataFrame, broken: Mapping[str, pl.Expr], what: str) -> None:
    """Raise :class:`ContractError` for the first rule that rows break; each expression is true in rows that break its rule."""
    counts = table.select(**{rule: rows.fill_null(True).sum() for rule, rows in broken.items()}).row(0, named=True)
    for rule, count in counts.items():
        if count:
            raise ContractError(f"{what}: {rule} in {count} of {table.height} rows")


def refuse_rows(table: pl.DataFrame, broken: Mapping[str, pl.Expr], key: tuple[str, ...], what: str) -> None:
    """Raise :class:`ContractError` for the first rule that rows break, with the first of these rows.

    Each expression is true in rows that break its rule; the error shows the row's ``key`` and the columns of the expression.
    """
    marked = table.select(rows.fill_null(True).alias(rule) for rule, rows in broken.items())
    for rule, rows in broken.items():
        if marked[rule].any():
            found = table.filter(marked[rule])
            shown = dict.fromkeys((*key, *rows.meta.root_names()))
            first = ", ".join(f"{name} {found[name][0]}" for name in shown)
            raise ContractError(f"{what}: {rule} in {found.height} of {table.height} rows, the first of them {first}")


def digest_columns(table: pl.DataFrame, columns: Mapping[str, Any], *seeds: str) -> str:
    """Return the sha256 of the named columns' values, in order, and of ``seeds``.

    Values count as their bytes, enumerations as their numbers, lists as their lengths and then their elements. The positions of
    nulls precede a column that has any, so no value can stand for a missing one.
    """
    digest = hashlib.sha256("\0".join((*seeds, str(table.height))).encode())
    for name, kind in columns.items():
        digest.update(f"\0{name}\0".encode())
        for part in flat_values(table[name], kind):
            digest.update(np.ascontiguousarray(part).data)
    return digest.hexdigest()


def flat_values(column: pl.Series, kind: Any) -> list[np.ndarray]:
    """Return a column as arrays of plain values: the mask of nulls (if any), lengths of lists, values."""
    missing = [column.is_null().to_numpy()] if column.null_count() else []
    if isinstance(kind, pl.List):
        lengths = column.list.len().fill_null(0)
        elements = column.filter(lengths > 0).explode()
        return [*missing, lengths.to_numpy(), *flat_values(elements, kind.inner)]
    if isinstance(kind, pl.Enum):
        column = column.to_physical()
    if missing:
        column = column.fill_null(False if kind == pl.Boolean else 0)
    return [*missing, column.to_numpy()]


def numbered(tables: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Return the tables of all replications stacked, with the column ``replication`` (0, 1, ...) in front."""
    return pl.concat(
        table.select(pl.lit(number, dtype=pl.Int16).alias("replication"), pl.all())
        for number, table in enumerate(tables)
    )


def of_replication(table: pl.DataFrame, number: int) -> pl.DataFrame:
    """Return the rows of a replication, without the column of its number."""
    return table.filter(pl.col("replication") == number).drop("replication")


def write_parquet(path: Path | str, table: pl.DataFrame, metadata: dict[str, str]) -> None:
    """Write a table as parquet, under a temporary name until it is complete; ``metadata["table"]`` is its version."""
    with replacing(path) as temporary:
        table.write_parquet(temporary, metadata=metadata, compression="zstd", compression_level=1)


def read_parquet(path: Path | str, what: str) -> tuple[pl.DataFrame, dict[str, str]]:
    """Return a table and its metadata; ``what`` names it, with its article, in errors.

    Raise :class:`ContractError` when there is no such file, or it is not parquet.
    """
    try:
        return pl.read_parquet(reading(path)), pl.read_parquet_metadata(path)
    except FileNotFoundError:
        raise ContractError(f"{path}: cannot read {what}: there is no such file") from None
    except (OSError, pl.exceptions.PolarsError) as error:
        raise ContractError(f"{path}: cannot read {what}: not a readable parquet file ({error})") from error
