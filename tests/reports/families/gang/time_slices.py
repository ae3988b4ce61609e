"""A second reading of how the page of schedules draws time slices, for the tests of the viewer and of phases."""

from dataclasses import dataclass

import polars as pl


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


def time_slices(matrix, begin_us: int, end_us: int) -> list[TimeSlice]:
    """Return the slices of a stretch of the window in the order in which the slots have their turns.

    The first and the last are whole slices cut to the stretch.
    """
    found: list[TimeSlice] = []
    for phase in matrix.phases:
        low, high = max(begin_us, phase.begin_us), min(end_us, phase.end_us)
        if low >= high or not phase.slots:
            continue
        first, last = (low - phase.origin_us) // phase.slice_us, -(-(high - phase.origin_us) // phase.slice_us)
        switch = round(phase.slice_us * max(0.0, 1 - phase.share * len(phase.slots)))
        for k in range(first, last):
            begin = phase.origin_us + k * phase.slice_us
            edges = (min(max(t, low), high) for t in (begin, begin + switch, begin + phase.slice_us))
            place = k % len(phase.slots)
            found.append(TimeSlice(phase.slots[place], place, *edges))
    return found


def pieces(matrix, taken: list[TimeSlice]) -> pl.DataFrame:
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
