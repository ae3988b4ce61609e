"""The tables of a schedule, from the rows of the event loop."""

from __future__ import annotations

import numpy as np
import polars as pl

from scheduler_core.gang.family import LEVELS_COLUMNS, TURN_COLUMNS
from scheduler_core.gang.state import Rows
from scheduler_core.kernel.tables import allocations_table, named_processors, table_order


def matrix_allocations(numbers: np.ndarray, rows: Rows, count: int) -> pl.DataFrame:
    """Return the ``allocations`` table of the first ``count`` rows; ``numbers`` are the jobs' numbers by position."""
    order = table_order(rows.held[:count])
    held = rows.held[order]
    columns = {
        "processors": held["processors"],
        "processor_ids": named_processors(rows.mask[order]),
        "rate": held["rate"],
        "work_us": held["work"],
        "turn_us": held["turn"],
        "overhead_us": held["overhead"],
    }
    return allocations_table(held, numbers, columns, TURN_COLUMNS)


def levels_table(rows: Rows, count: int) -> pl.DataFrame:
    """Return the ``levels`` table."""
    levels = rows.levels[:count]
    columns = {
        "cluster": np.zeros(count, np.int16),
        "begin_us": levels["begin"],
        "end_us": levels["end"],
        "level": levels["level"],
        "share": levels["share"],
    }
    return pl.DataFrame(columns, schema=LEVELS_COLUMNS)
