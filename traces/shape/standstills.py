"""Standstills of a log: periods in which it records no start although a waiting job would have fitted throughout.

Outages, drains and dedicated times look like this. No policy explains them, so a simulation that is compared with what a log
recorded takes them from the log: no job starts in them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from scheduler_core.common.errors import ContractError, ParameterError
from scheduler_core.common.units import seconds_to_us
from scheduler_core.declarations.families import SITE_TABLES

if TYPE_CHECKING:
    import polars as pl

    from scheduler_core.contracts import Workload


def with_standstills(workload: Workload, least_h: float) -> Workload:
    """Return a log with its standstills of at least so many hours, in which no policy starts a job.

    A standstill is a period without a recorded start in which a waiting job would have fitted throughout. Raise
    :class:`ContractError` when the log records no waits, and :class:`ParameterError` unless ``least_h`` is above 0.
    """
    if not least_h > 0:
        raise ParameterError(f"standstills: expected a number of hours above 0; found {least_h:g}")
    table = standstills_of(workload, least_h)
    step = {"step": "standstills", "least_h": float(least_h), "standstills": table.height}
    return workload.transformed(workload.jobs, step, companions={"standstills": table})


def standstills_of(workload: Workload, least_h: float) -> pl.DataFrame:
    """Return the standstills of a log of at least so many hours: ``begin_us, end_us``, in order.

    Raise :class:`ContractError` when the log records no waits.
    """
    import polars as pl

    from scheduler_core.contracts.companions import STANDSTILLS_COLUMNS
    from traces.shape.recorded import Recorded

    if "recorded_wait_us" not in workload.jobs.columns:
        raise ContractError("standstills: the log records no waits (field 3 of SWF), which show when no job started")
    known = workload.jobs.drop_nulls("recorded_wait_us")
    periods = Recorded(known, workload.machine.processors).standstills()
    long = periods[periods[:, 1] - periods[:, 0] >= seconds_to_us(3600 * least_h)]
    return pl.DataFrame(long, schema=STANDSTILLS_COLUMNS, orient="row")


def moved_periods(workload: Workload, move: Callable[[pl.Expr], pl.Expr]) -> dict[str, pl.DataFrame]:
    """Return what a workload says of its site (:data:`SITE_TABLES`) when all times move, as companion tables."""
    import polars as pl

    tables = {name: workload.companions[name] for name in SITE_TABLES if name in workload.companions}
    moved = {
        name: table.with_columns(begin_us=move(pl.col("begin_us")).clip(0), end_us=move(pl.col("end_us")))
        for name, table in tables.items()
    }
    return {name: table.filter(pl.col("end_us") > pl.col("begin_us")) for name, table in moved.items()}
