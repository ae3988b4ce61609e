"""The rows of the event loop as tables of the contract."""

from __future__ import annotations

import numpy as np
import polars as pl

from scheduler_core.contracts import ALLOCATIONS_COLUMNS
from scheduler_core.gang.family import LEVELS_COLUMNS, TURN_COLUMNS
from scheduler_core.gang.state import Rows
from scheduler_core.kernel.tables import named_processors


def allocations_table(numbers: np.ndarray, rows: Rows, count: int) -> pl.DataFrame:
    """Make the ``allocations`` table, sorted by job, begin and slot; ``numbers`` are the jobs' numbers by position."""
    held = rows.held[:count]
    order = np.lexsort((held["slot"], held["begin"], held["job"]))
    held = held[order]
    columns = {
        "job": numbers[held["job"]],
        "begin_us": held["begin"],
        "end_us": held["end"],
        "processors": held["processors"],
        "processor_ids": named_processors(rows.mask[:count][order]),
        "cluster": np.zeros(count, np.int16),
        "slot": held["slot"],
        "rate": held["rate"],
        "work_us": held["work"],
        "turn_us": held["turn"],
        "overhead_us": held["overhead"],
    }
    return pl.DataFrame(columns, schema={**ALLOCATIONS_COLUMNS, **TURN_COLUMNS})


def levels_table(rows: Rows, count: int) -> pl.DataFrame:
    """Make the ``levels`` table."""
    levels = rows.levels[:count]
    columns = {
        "cluster": np.zeros(count, np.int16),
        "begin_us": levels["begin"],
        "end_us": levels["end"],
        "level": levels["level"],
        "share": levels["share"],
    }
    return pl.DataFrame(columns, schema=LEVELS_COLUMNS)
