"""The tables of a schedule, from the world at the end of a run."""

import numpy as np
import polars as pl

from scheduler_core.coscheduling.family import MATCHES_COLUMNS, RATE_COLUMNS
from scheduler_core.coscheduling.processors import processors_of
from scheduler_core.coscheduling.state import HELD_ROW, World
from scheduler_core.coscheduling.work import WHOLE
from scheduler_core.kernel.records import records
from scheduler_core.kernel.tables import allocations_table, in_table_order, named_processors


def shared_allocations(numbers: np.ndarray, world: World) -> pl.DataFrame:
    """Return the ``allocations`` table; ``numbers`` are the jobs' numbers by position."""
    held = world.rows.held[: world.clock.rows] if len(world.rows.held) else whole_runs(world)
    held, _ = in_table_order(held)
    columns = {
        "processors": world.asked["processors"][held["job"]],
        "processor_ids": named_processors(processors_of(world))[held["job"]],
        "rate": WHOLE / held["slowdown"],
        "work_us": held["work"],
        "share_ppm": np.full(len(held), WHOLE, np.int32),
        "slowdown_ppm": held["slowdown"],
    }
    return allocations_table(held, numbers, columns, RATE_COLUMNS)


def whole_runs(world: World) -> np.ndarray:
    """Return the rows of a run that formed no pairs: one per job."""
    held = records(len(world.start), HELD_ROW)
    held["job"] = np.arange(len(held))
    held["begin"], held["end"] = world.start, world.state["finish"]
    held["slowdown"], held["work"] = WHOLE, world.asked["work"]
    return held


def matches_table(numbers: np.ndarray, world: World) -> pl.DataFrame:
    """Return the ``matches`` table."""
    found = world.rows.matches[: world.clock.matches]
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
