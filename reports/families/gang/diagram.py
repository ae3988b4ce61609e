"""The matrix diagram of a run of gang scheduling: processors against time, slot by slot.

Gang scheduling is drawn as a two-dimensional diagram, one axis the processors, the other time (da Silva 2000, section
2.1); its rows are those of the Ousterhout matrix. A :class:`MatrixWindow` is a window of one replication's schedule with what
both views of it need: the *matrix*, a band per slot, and the *time slices*, slice after slice as the slots alternate.

The engine is fluid: every slot gets its share of the time at every instant. Turns are therefore drawn with the nominal
length of a slice, and a job may start or finish inside one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from reports.diagrams.allocations import (
    AllocationWindow,
    Tables,
    overlaps,
    place,
    tables_of_run,
    tables_of_schedule,
)
from scheduler_core.common.errors import SlotwiseError
from scheduler_core.common.units import seconds_to_us
from scheduler_core.contracts import Flexibility, JobClass

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule

NEEDS = "a matrix diagram needs a schedule of gang scheduling"
MOST_TIME_SLICES = 400
"""Time slices a picture may have; more would be stripes of a pixel."""

MOST_SLOTS = 16
"""Slots that take turns, on average over time, up to which a run's matrix can be drawn: more would be bands too thin."""


@dataclass(frozen=True, slots=True)
class Phase:
    """A stretch of time in which the same slots take turns.

    Turn ``k`` of the phase's level row lasts from ``origin_us + k slice_us`` for ``slice_us`` and belongs to
    ``slots[k mod len(slots)]``; ``slice_us`` is 0 where the policy has no slices. ``share`` is the part of the time
    each slot gets.
    """

    begin_us: int
    end_us: int
    level: int
    share: float
    slice_us: int
    origin_us: int
    slots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TimeSlice:
    """A slice: ``slot`` has its turn on all processors from ``begin_us`` to ``end_us``.

    ``place`` is the slot's place in the cycle: 0 begins one. Up to ``work_us`` the context switch goes on; the two are equal
    where switching does not slow progress.
    """

    slot: int
    place: int
    begin_us: int
    work_us: int
    end_us: int


@dataclass(frozen=True, kw_only=True)
class MatrixWindow(AllocationWindow):
    """A window of one replication of a schedule of gang scheduling.

    ``jobs`` has a row per job that holds processors in the window; ``allocations`` a row per allocation of constant processors
    and rate (``job, slot, begin_us, end_us, processors, rate, overhead_us, change, runs``): ``change`` is the number of
    processors won or lost against the allocation before. ``phases`` cover the window.
    """

    phases: tuple[Phase, ...]

    @property
    def slots(self) -> int:
        """Bands the matrix needs: one more than the highest slot number."""
        numbers = [number for phase in self.phases for number in phase.slots]
        held = self.allocations["slot"].max()
        return 1 + max([*numbers, held if isinstance(held, int) else 0])

    def cut(self, begin_us: int, end_us: int) -> MatrixWindow:
        """Return a part of the window."""
        held = self.allocations.filter(overlaps(begin_us, end_us))
        phases = tuple(
            replace(phase, begin_us=max(phase.begin_us, begin_us), end_us=min(phase.end_us, end_us))
            for phase in self.phases
            if phase.begin_us < end_us and phase.end_us > begin_us
        )
        jobs = self.jobs.filter(pl.col("job").is_in(held["job"].unique().to_list()))
        return replace(self, begin_us=begin_us, end_us=end_us, jobs=jobs, allocations=held, phases=phases)


def drawable(folder: Path, replication: int = 0) -> bool:
    """Say whether a run's matrix has few enough slots to be drawn; without a bound on the level it may have hundreds."""
    length = (pl.col("end_us") - pl.col("begin_us")).cast(pl.Float64)
    mean = (
        pl.scan_parquet(folder / "levels.parquet")
        .filter((pl.col("replication") == replication) & (pl.col("level") > 0))
        .select((pl.col("level") * length).sum() / length.sum())
        .collect()
        .item()
    )
    return mean is not None and mean <= MOST_SLOTS


def level_changes(folder: Path, replication: int) -> pl.Series:
    """Read when the levels of a run began."""
    levels = pl.scan_parquet(folder / "levels.parquet").filter(pl.col("replication") == replication)
    return levels.select("begin_us").collect()["begin_us"]


def read_matrix(folder: Path | str, begin_us: int, end_us: int, replication: int = 0) -> MatrixWindow:
    """Read a window of a run of the pipeline from its folder.

    Raises
    ------
    SlotwiseError
        When the run is none of gang scheduling, or the window is empty.
    """
    return make_matrix(tables_of_run(Path(folder), "gang", NEEDS, replication), begin_us, end_us)


def matrix_of(schedule: Schedule, begin_us: int, end_us: int) -> MatrixWindow:
    """Return a window of a schedule that was just made.

    Raises
    ------
    SlotwiseError
        When the schedule is none of gang scheduling, or the window is empty.
    """
    return make_matrix(tables_of_schedule(schedule, "gang", NEEDS), begin_us, end_us)


def make_matrix(tables: Tables, begin_us: int, end_us: int) -> MatrixWindow:
    """Make a matrix from the tables of one replication; see :func:`read_matrix`."""
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
    phases = phases_of(levels, allocations, tables.policy.get("parameters", {}), (begin_us, end_us))
    shown = tables.table("jobs").filter(pl.col("job").is_in(allocations["job"].unique().to_list())).collect()
    return MatrixWindow(
        processors=tables.processors,
        begin_us=begin_us,
        end_us=end_us,
        policy=tables.policy,
        jobs=describe_jobs(shown, tables.processors),
        allocations=allocations,
        phases=tuple(phases),
        named=named,
    )


def describe_jobs(jobs: pl.DataFrame, processors: int) -> pl.DataFrame:
    """Return what hovering tells of each job: class, flexibility and sizes, as the policies take them where missing."""
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
    """Say which slots take turns when, from the levels and from who holds processors in which slot.

    A slot whose jobs have all finished keeps its turn to the next boundary, where its level ends.
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
    """Return the slots that take turns: those with jobs, then those emptied last, until there are ``level``."""
    latest = sorted((slot for slot in emptied if slot not in occupied), key=lambda slot: (-emptied[slot], slot))
    free = (number for number in range(level + len(occupied)) if number not in occupied and number not in latest)
    fill = [*latest, *free][: max(0, level - len(occupied))]
    return tuple(sorted([*occupied, *fill]))


def time_slices(matrix: MatrixWindow, begin_us: int, end_us: int) -> list[TimeSlice]:
    """Return the slices of a stretch of the window in the order in which the slots have their turns.

    The first and the last are whole slices cut to the stretch.

    Raises
    ------
    SlotwiseError
        When the policy has no slices (``slice_s`` is 0), or there are more than :data:`MOST_TIME_SLICES`.
    """
    found: list[TimeSlice] = []
    for phase in matrix.phases:
        low, high = max(begin_us, phase.begin_us), min(end_us, phase.end_us)
        if low >= high or not phase.slots:
            continue
        if phase.slice_us == 0:
            raise SlotwiseError(
                "this policy acts on events at once (slice_s is 0): it has no slices to draw as time slices"
            )
        first, last = (low - phase.origin_us) // phase.slice_us, -(-(high - phase.origin_us) // phase.slice_us)
        if last - first + len(found) > MOST_TIME_SLICES:
            raise SlotwiseError(
                f"a picture shows at most {MOST_TIME_SLICES} slices; found {last - first + len(found)}: choose a shorter window"
            )
        switch = round(phase.slice_us * max(0.0, 1 - phase.share * len(phase.slots)))
        for k in range(first, last):
            begin = phase.origin_us + k * phase.slice_us
            edges = (min(max(t, low), high) for t in (begin, begin + switch, begin + phase.slice_us))
            place = k % len(phase.slots)
            found.append(TimeSlice(phase.slots[place], place, *edges))
    return found


def pieces(matrix: MatrixWindow, taken: list[TimeSlice]) -> pl.DataFrame:
    """Return what runs in each time slice.

    Columns: ``time_slice`` (its place in ``taken``), ``allocation`` (row of ``matrix.allocations``), and ``from_us`` and
    ``to_us`` of the piece.
    """
    slices = pl.DataFrame(
        [(number, one.slot, one.work_us, one.end_us) for number, one in enumerate(taken)],
        schema={"time_slice": pl.Int64, "slot": pl.Int32, "work_us": pl.Int64, "stop_us": pl.Int64},
        orient="row",
    )
    held = matrix.allocations.select(pl.int_range(pl.len()).alias("allocation"), "slot", "begin_us", "end_us")
    return (
        slices.join(held, on="slot")
        .select(
            "time_slice", "allocation",
            pl.max_horizontal("work_us", "begin_us").alias("from_us"),
            pl.min_horizontal("stop_us", "end_us").alias("to_us"),
        )
        .filter(pl.col("to_us") > pl.col("from_us"))
        .sort("time_slice", "allocation")
    )  # fmt: skip


def telling_stretch(matrix: MatrixWindow, cycles: int = 6) -> tuple[int, int]:
    """Choose a stretch of some cycles that shows something: around a resizing, a change of level, or a start.

    The stretch begins with the cycle two before the first such moment at which at least two slots take turns; it is the
    whole window where none does or the policy has no slices.
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
