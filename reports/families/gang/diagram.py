"""The diagram of a run of gang scheduling: processors against time, slot by slot.

The diagram is two-dimensional, with processors on one axis and time on the other (da Silva 2000, section 2.1). Its rows are
the slots of the Ousterhout matrix. Figures show the *matrix*, a band per slot; the page of schedules also shows the *time
slices*, one after the other as the slots take turns.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from reports.diagrams.allocations import AllocationWindow, place, table_of, tables_of_run
from scheduler_core.common.units import seconds_to_us
from scheduler_core.contracts import Flexibility, JobClass

MOST_SLOTS = 16
"""The most slots taking turns, averaged over time, that can be drawn; more bands would be too thin."""


@dataclass(frozen=True, slots=True)
class Phase:
    """A stretch of time in which the same slots take turns.

    Turn ``k`` begins at ``origin_us + k slice_us``, lasts ``slice_us`` and belongs to ``slots[k mod len(slots)]``. ``slice_us``
    is 0 where the policy has no slices. ``share`` is the fraction of the time that each slot gets.
    """

    begin_us: int
    end_us: int
    level: int
    share: float
    slice_us: int
    origin_us: int
    slots: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class GangWindow(AllocationWindow):
    """A window of one replication of a schedule of gang scheduling.

    ``jobs`` has a row per job that holds processors in the window. ``allocations`` has a row per allocation with constant
    processors and rate (``job, slot, begin_us, end_us, processors, rate, overhead_us, change, runs``); ``change`` is the number
    of processors gained or lost since the allocation before. ``phases`` cover the window.
    """

    phases: tuple[Phase, ...]

    @property
    def slots(self) -> int:
        """Return how many bands the matrix needs: one more than the highest slot number."""
        numbers = [number for phase in self.phases for number in phase.slots]
        held = self.allocations["slot"].max()
        return 1 + max([*numbers, held if isinstance(held, int) else 0])


def drawable(folder: Path) -> bool:
    """Return whether a run has few enough slots to be drawn, by replication 0; with an unlimited level it may have hundreds."""
    length = (pl.col("end_us") - pl.col("begin_us")).cast(pl.Float64)
    mean = (
        table_of(folder, "levels")
        .filter(pl.col("level") > 0)
        .select((pl.col("level") * length).sum() / length.sum())
        .collect()
        .item()
    )
    return mean is not None and mean <= MOST_SLOTS


def level_changes(folder: Path) -> pl.Series:
    """Return when the levels of a run began, in microseconds."""
    return table_of(folder, "levels").select("begin_us").collect()["begin_us"]


def read_window(folder: Path, begin_us: int, end_us: int) -> GangWindow:
    """Return a window of a run; raise :class:`SlotwiseError` when it is not one of gang scheduling, or the window is empty."""
    tables = tables_of_run(folder, "gang")
    held = tables.within("allocations", begin_us, end_us).sort("begin_us", "slot", "job")
    runs, named = place(held, tables.processors)
    before = pl.col("processors").shift(1).over("job", "slot")
    joined = pl.col("end_us").shift(1).over("job", "slot") == pl.col("begin_us")
    allocations = held.select(
        "job", "slot", "begin_us", "end_us", "processors", "rate",
        (pl.col("overhead_us") if "overhead_us" in held.columns else pl.lit(0, dtype=pl.Int64)).alias("overhead_us"),
        pl.when(joined).then(pl.col("processors") - before).otherwise(0).fill_null(0).alias("change"),
        runs,
    )  # fmt: skip
    levels = tables.within("levels", begin_us, end_us).sort("begin_us")
    phases = phases_of(levels, allocations, tables.parameters, (begin_us, end_us))
    shown = tables.table("jobs").filter(pl.col("job").is_in(allocations["job"].unique().to_list())).collect()
    return GangWindow(
        **tables.of_window(begin_us, end_us),
        jobs=describe_jobs(shown, tables.processors),
        allocations=allocations,
        phases=tuple(phases),
        named=named,
    )


def describe_jobs(jobs: pl.DataFrame, processors: int) -> pl.DataFrame:
    """Return the facts of each job for its tooltip; a column that the workload lacks has the value that policies assume."""
    known = set(jobs.columns)
    size, rigid = pl.col("size"), pl.col("flexibility") == "rigid"
    least = pl.col("size_min") if "size_min" in known else pl.max_horizontal(1, size // 2)
    most = (
        pl.col("size_max") if "size_max" in known else pl.max_horizontal(size, pl.min_horizontal(size * 2, processors))
    )
    return (
        jobs.with_columns(
            pl.col("class") if "class" in known else pl.lit(None, dtype=JobClass).alias("class"),
            (pl.col("flexibility") if "flexibility" in known else pl.lit(None, dtype=Flexibility)).fill_null("rigid")
            .alias("flexibility"),
        )
        .select(
            "job", "class", "flexibility", "size",
            pl.when(rigid).then(size).otherwise(least).cast(pl.Int32).alias("size_min"),
            pl.when(rigid).then(size).otherwise(most).cast(pl.Int32).alias("size_max"),
            "submit_us", "start_us", "finish_us", "runtime_us", "estimate_us",
            pl.col("outcome").cast(pl.String),
        )
        .sort("start_us", "job")
    )  # fmt: skip


def slice_us(parameters: dict[str, Any], level: int) -> int:
    """Return the nominal length of a slice while ``level`` slots take turns, in microseconds; 0 if there are no slices.

    A fixed slice keeps its length; a scaled one grows as slots become fewer, so that the cycle stays (Huang 2004,
    chapter 6).
    """
    whole = seconds_to_us(float(parameters.get("slice_s", 0.0)))
    if parameters.get("slice") != "scaled" or parameters.get("level") == "unlimited":
        return whole
    return whole * int(parameters.get("level", 1)) // max(1, level)


def phases_of(
    levels: pl.DataFrame, allocations: pl.DataFrame, parameters: dict[str, Any], window: tuple[int, int]
) -> Iterator[Phase]:
    """Return which slots take turns when, from the levels and from who holds processors in which slot.

    A slot whose jobs have all finished keeps its turn until its level ends, at the next boundary.
    """
    starts = allocations.sort("begin_us", "slot").select("begin_us", "slot").rows()
    ends = allocations.sort("end_us", "slot").select("end_us", "slot").rows()
    occupied: dict[int, int] = {}
    emptied: dict[int, int] = {}
    started = ended = 0
    for begin, end, level, share in levels.select("begin_us", "end_us", "level", "share").rows():
        moments = [t for t, _ in starts[started:] if begin < t < end]
        slots: tuple[int, ...] | None = None
        since = max(begin, window[0])
        for moment in dict.fromkeys([begin, *moments]):
            while ended < len(ends) and ends[ended][0] <= moment:
                at, slot = ends[ended]
                occupied[slot], ended = occupied.get(slot, 0) - 1, ended + 1
                emptied[slot] = at
            while started < len(starts) and starts[started][0] <= moment:
                slot = starts[started][1]
                occupied[slot], started = occupied.get(slot, 0) + 1, started + 1
            found = taking_turns(level, [slot for slot, jobs in occupied.items() if jobs > 0], emptied)
            if slots is not None and found != slots and moment > since:
                yield Phase(since, moment, level, share, slice_us(parameters, level), begin, slots)
                since = moment
            slots = found
        yield Phase(since, min(end, window[1]), level, share, slice_us(parameters, level), begin, slots or ())


def taking_turns(level: int, occupied: list[int], emptied: dict[int, int]) -> tuple[int, ...]:
    """Return ``level`` slots that take turns: first those with jobs, then the most recently emptied."""
    latest = sorted((slot for slot in emptied if slot not in occupied), key=lambda slot: (-emptied[slot], slot))
    free = (number for number in range(level + len(occupied)) if number not in occupied and number not in latest)
    fill = [*latest, *free][: max(0, level - len(occupied))]
    return tuple(sorted([*occupied, *fill]))


def telling_stretch(matrix: GangWindow, cycles: int = 6) -> tuple[int, int]:
    """Return begin and end of some cycles around a resizing, a change of level or a start, in microseconds.

    The stretch begins two cycles before the first such moment at which at least two slots take turns. It is the whole window
    where no two slots do, or the policy has no slices.
    """
    sharing = [phase for phase in matrix.phases if len(phase.slots) > 1 and phase.slice_us]
    if not sharing:
        return matrix.begin_us, matrix.end_us
    resized = matrix.allocations.filter(pl.col("change") != 0)["begin_us"].to_list()
    changed = [phase.begin_us for phase in sharing]
    begun = matrix.allocations["begin_us"].to_list()
    for moments in (resized, changed, begun):
        for moment in sorted(moments):
            phase = next((p for p in sharing if p.begin_us <= moment < p.end_us), None)
            if phase is None or moment <= matrix.begin_us:
                continue
            cycle = phase.slice_us * len(phase.slots)
            whole = (moment - 2 * cycle - phase.origin_us) // cycle * cycle + phase.origin_us
            begin = max(matrix.begin_us, whole)
            return begin, min(matrix.end_us, begin + cycles * cycle)
    phase = sharing[0]
    return phase.begin_us, min(phase.end_us, phase.begin_us + cycles * phase.slice_us * len(phase.slots))
