"""The rows of the event loop as tables of the contract."""

from __future__ import annotations

import numpy as np
import polars as pl

from scheduler_core.coscheduling.family import MATCHES_COLUMNS, OFFERS_COLUMNS, RATE_COLUMNS
from scheduler_core.coscheduling.processors import processors_of
from scheduler_core.coscheduling.state import HELD_ROW, Jobs, Machine, Rows
from scheduler_core.coscheduling.work import WHOLE
from scheduler_core.kernel.records import records
from scheduler_core.kernel.tables import allocations_table, named_processors, table_order


def shared_allocations(numbers: np.ndarray, jobs: Jobs, machine: Machine, rows: Rows) -> pl.DataFrame:
    """Make the ``allocations`` table; ``numbers`` are the jobs' numbers by position."""
    size, state = jobs.asked["processors"], machine.state
    masks = processors_of(state["order"], machine.start, state["finish"], state["host"], size, machine.rules.processors)
    held = rows.held[: machine.clock.rows] if len(rows.held) else whole_runs(jobs, machine)
    held = held[table_order(held)]
    columns = {
        "processors": size[held["job"]],
        "processor_ids": named_processors(masks)[held["job"]],
        "rate": WHOLE / held["slowdown"],
        "work_us": held["work"],
        "share_ppm": np.full(len(held), WHOLE, np.int32),
        "slowdown_ppm": held["slowdown"],
    }
    return allocations_table(held, numbers, columns, RATE_COLUMNS)


def whole_runs(jobs: Jobs, machine: Machine) -> np.ndarray:
    """Make the rows of jobs none of which was ever paired: one each."""
    held = records(len(machine.start), HELD_ROW)
    held["job"] = np.arange(len(held))
    held["begin"], held["end"] = machine.start, machine.state["finish"]
    held["slowdown"], held["work"] = WHOLE, jobs.asked["work"]
    return held


def matches_table(numbers: np.ndarray, machine: Machine, rows: Rows) -> pl.DataFrame:
    """Make the ``matches`` table."""
    found = rows.matches[: machine.clock.matches]
    columns = {
        "begin_us": found["begin"],
        "job": numbers[found["job"]],
        "partner": numbers[found["partner"]],
        "among": np.where(found["running"], "running", "waiting"),
        "slowdown_ppm": found["slowdown"],
    }
    return pl.DataFrame(
        {name: columns[name] if name in columns else found[name] for name in MATCHES_COLUMNS}, schema=MATCHES_COLUMNS
    )


def no_offers() -> pl.DataFrame:
    """Make an empty table ``offers``: nothing is asked of this machine from elsewhere."""
    return pl.DataFrame(schema=OFFERS_COLUMNS)
