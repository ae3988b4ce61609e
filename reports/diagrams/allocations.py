"""A window of a schedule, read from the tables of a run's first replication.

The module ``diagram.py`` of each family extends :class:`AllocationWindow` with what only its schedules have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from scheduler_core.common.errors import SlotwiseError
from scheduler_core.common.files import read_json
from scheduler_core.contracts import Machine
from scheduler_core.declarations.families import family

if TYPE_CHECKING:
    import duckdb

    from reports.draw.charts import Row


@dataclass(frozen=True, kw_only=True)
class AllocationWindow:
    """A window of one replication of a schedule.

    ``jobs`` has a row per job; ``allocations`` a row per allocation in which a job holds the same processors, not cut to
    the window, with at least ``job, slot, begin_us, end_us, processors`` and ``runs``, the runs of neighbouring processors
    ``[first, last + 1, first, ...]``. Where the schedule does not name processors (``named``), an allocation has the
    lowest-numbered ones free in its slot.
    """

    processors: int
    begin_us: int
    end_us: int
    policy: dict[str, Any]
    jobs: pl.DataFrame
    allocations: pl.DataFrame
    named: bool

    @property
    def slots(self) -> int:
        """Return how many bands a picture needs."""
        return 1


@dataclass(frozen=True)
class Tables:
    """The tables of one replication by name, each read once, its machine, and its policy's name and parameters."""

    table: Callable[[str], pl.LazyFrame]
    machine: Machine
    policy: dict[str, Any]

    @property
    def processors(self) -> int:
        """Return the processors of the machine."""
        return self.machine.processors

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters of the policy."""
        return dict(self.policy.get("parameters", {}))

    def of_window(self, begin_us: int, end_us: int) -> dict[str, Any]:
        """Return what windows of all families have in common."""
        return {"processors": self.processors, "begin_us": begin_us, "end_us": end_us, "policy": self.policy}

    def within(self, name: str, begin_us: int, end_us: int) -> pl.DataFrame:
        """Return the rows of a table that overlap a window and last longer than an instant.

        Raises :class:`SlotwiseError` when the window is empty.
        """
        if end_us <= begin_us:
            raise SlotwiseError(f"a window ends after it begins; found {begin_us} to {end_us} microseconds")
        lasting = pl.col("end_us") > pl.col("begin_us")
        return self.table(name).filter(overlaps(begin_us, end_us) & lasting).collect()


def family_of(folder: Path) -> str:
    """Return the name of the family of a run; empty when the folder holds no run."""
    note = folder / "run.json"
    return str(read_json(note)["family"]) if note.is_file() else ""


def is_of(folder: Path, family_name: str) -> bool:
    """Return whether a folder holds a run of a family."""
    return family_of(folder) == family_name


def table_of(folder: Path, name: str) -> pl.LazyFrame:
    """Return the rows of a table of a run that belong to its first replication, the one that diagrams show."""
    return pl.scan_parquet(folder / f"{name}.parquet").filter(pl.col("replication") == 0)


def last_finish(folder: Path) -> int:
    """Return when the last job of replication 0 finishes; 0 when none does."""
    return int(table_of(folder, "jobs").select(pl.col("finish_us").max()).collect().item() or 0)


def runs_beside(connection: duckdb.DuckDBPyConnection) -> Path:
    """Return the folder of the runs from which a store was built: ``runs/`` beside its file."""
    row = connection.execute("SELECT path FROM duckdb_databases() WHERE database_name = current_database()").fetchone()
    return Path(row[0] if row and row[0] else "").parent / "runs"


def tables_of_run(folder: Path, family_name: str) -> Tables:
    """Return the tables of a run's first replication; raise :class:`SlotwiseError` when it is not of the family."""
    if not is_of(folder, family_name):
        found = family_of(folder)
        what = f"a run of {family(found).label}" if found else "no run"
        raise SlotwiseError(f"{folder}: this diagram needs a run of {family(family_name).label}; found {what}")
    note = read_json(folder / "run.json")
    table = cache(lambda name: table_of(folder, name).collect().lazy())
    return Tables(table, Machine.from_dict(note["machine"]), note["policy"])


def overlaps(begin_us: int, end_us: int, first: str = "begin_us", last: str = "end_us") -> pl.Expr:
    """Select the rows, each from ``first`` to ``last``, that overlap a window."""
    return (pl.col(first) < end_us) & (pl.col(last) > begin_us)


def place(held: pl.DataFrame, processors: int) -> tuple[pl.Series, bool]:
    """Return the ``runs`` of each allocation and whether the schedule names them; see :class:`AllocationWindow`."""
    named = not held["processor_ids"].null_count()
    return (runs_of_processors(held) if named else counted_runs(held, processors)), named


def runs_of_processors(held: pl.DataFrame) -> pl.Series:
    """Return each allocation's runs of neighbouring processors as ``[first, last + 1, first, ...]``."""
    processor_ids = (
        held.select(pl.int_range(pl.len()).alias("allocation"), "processor_ids")
        .explode("processor_ids")
        .sort("allocation", "processor_ids")
    )
    new = (pl.col("processor_ids").diff() != 1) | (pl.col("allocation").diff() != 0)
    runs = (
        processor_ids.with_columns(new.fill_null(True).cum_sum().alias("run"))
        .group_by("allocation", "run", maintain_order=True)
        .agg(pl.col("processor_ids").first().alias("first"), (pl.col("processor_ids").last() + 1).alias("last"))
        .group_by("allocation", maintain_order=True)
        .agg(pl.concat_list("first", "last").explode().alias("runs"))
    )
    return runs["runs"].cast(pl.List(pl.Int32)) if held.height else pl.Series("runs", [], dtype=pl.List(pl.Int32))


def counted_runs(held: pl.DataFrame, processors: int) -> pl.Series:
    """Give each allocation the lowest-numbered processors free in its slot, where the policy only counts them."""
    found: list[list[int]] = [[] for _ in range(held.height)]
    asked = held.select(pl.int_range(pl.len()).alias("allocation"), "slot", "begin_us", "end_us", "processors")
    for slot in asked.partition_by("slot", maintain_order=True):
        free = np.ones(processors, dtype=bool)
        held_until: list[tuple[int, np.ndarray]] = []
        for number, _, begin, end, size in slot.rows():
            for ids in (ids for over, ids in held_until if over <= begin):
                free[ids] = True
            held_until = [(over, ids) for over, ids in held_until if over > begin]
            ids = np.flatnonzero(free)[:size]
            if len(ids) < size:
                raise ValueError(f"{size} processors are needed and {len(ids)} are free")
            free[ids] = False
            held_until.append((end, ids))
            found[number] = runs_of(ids)
    return pl.Series("runs", found, dtype=pl.List(pl.Int32))


def runs_of(processor_ids: np.ndarray) -> list[int]:
    """Return the runs of neighbouring processors among sorted ones as ``[first, last + 1, first, ...]``."""
    if not len(processor_ids):
        return []
    gaps = np.flatnonzero(np.diff(processor_ids) > 1)
    inner = np.column_stack([processor_ids[gaps] + 1, processor_ids[gaps + 1]]).ravel()
    return [int(processor_ids[0]), *inner.tolist(), int(processor_ids[-1]) + 1]


def rectangles_of(window: AllocationWindow) -> pl.DataFrame:
    """Return the rectangles of a window, cut to it: ``allocation, row, begin_us, end_us, first, last``.

    ``row`` is the slot; an allocation on processors that do not neighbour one another has several.
    """
    edges = window.allocations.select(
        pl.int_range(pl.len()).alias("allocation"), pl.col("slot").alias("row"),
        pl.col("begin_us").clip(lower_bound=window.begin_us), pl.col("end_us").clip(upper_bound=window.end_us), "runs",
    ).explode("runs")  # fmt: skip
    side = pl.int_range(pl.len()).over("allocation") % 2
    firsts, lasts = edges.filter(side == 0), edges.filter(side == 1)
    return firsts.rename({"runs": "first"}).with_columns(lasts["runs"].alias("last"))


def job_rectangles(window: AllocationWindow) -> list[Row]:
    """Return the rectangles of a window with all that is known of their allocation and its job, in order of begin."""
    facts = window.allocations.select(
        pl.int_range(pl.len()).alias("allocation"), pl.exclude("begin_us", "end_us", "slot")
    )
    joined = rectangles_of(window).join(facts, on="allocation", how="left").join(window.jobs, on="job", how="left")
    return joined.sort("row", "begin_us", "first").to_dicts()
