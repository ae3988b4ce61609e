"""The defaults of a diagram of allocations: a telling window, and colours that distinguish jobs."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from reports.diagrams.allocations import AllocationWindow, overlaps, table_of

WANTED = 240
"""Allocations of processors a window should have: enough to see the policy at work, few enough to tell jobs apart."""

MOST = 1500
"""Allocations a window may have under any of its policies."""

COLOURS = (
    "#4c7fd0", "#f0932b", "#3d9a50", "#e07aa8", "#8a63c8", "#36b0c4",
    "#cf4b57", "#b3a42d", "#9a6f45", "#7fc4a0", "#a9bfe8", "#e6c766",
)  # fmt: skip
"""Colours of jobs: apart from one another for neighbours, readable on light and dark paper."""


Changes = Callable[[Path], pl.Series]
"""Reads when something changed for the whole machine in the run in a folder: times in microseconds."""


def telling_window(folders: Sequence[Path], changes_of: Changes, wanted: int = WANTED) -> tuple[int, int] | None:
    """Choose one window for the runs of a workload: where jobs are resized and the machine as a whole changes most.

    ``changes_of`` reads the changes of the whole machine. Candidates begin every half of their length, in which about ``wanted``
    allocations begin under the policy with most of them. The one with most resizings and changes, summed over the runs, is
    taken; ties go to more begins, then to the earlier. A window too full for any run is shortened to its first half until it
    fits :data:`MOST`. None when nothing ran.
    """
    runs = [(read_begins(folder), changes_of(folder)) for folder in folders]
    runs = [run for run in runs if run[0].height]
    if not runs:
        return None
    first = min(int(held["begin_us"].min()) for held, _ in runs)  # type: ignore[arg-type]
    last = max(int(held["end_us"].max()) for held, _ in runs)  # type: ignore[arg-type]
    fullest = max(held.height for held, _ in runs)
    half = max(1, (last - first) * wanted // (2 * max(wanted, fullest)))
    cells = -(-(last - first) // half) + 1
    changes, begins = np.zeros(cells, dtype=np.int64), np.zeros(cells, dtype=np.int64)
    for held, changed in runs:
        place = ((held["begin_us"] - first) // half).to_numpy()
        begins += np.bincount(place, minlength=cells)
        changes += np.bincount(place, weights=held["resized"].to_numpy(), minlength=cells).astype(np.int64)
        inside = changed.filter(changed < last)
        changes += np.bincount(((inside - first) // half).to_numpy(), minlength=cells)
    changes, begins = changes[:-1] + changes[1:], begins[:-1] + begins[1:]
    best = int(np.lexsort((np.arange(cells - 1), -begins, -changes))[0])
    begin_us = first + best * half
    length = min(2 * half, last - begin_us)
    while length > 1 and max(overlapping(held, begin_us, begin_us + length) for held, _ in runs) > MOST:
        length //= 2
    return begin_us, begin_us + length


def whole_or_telling(folders: Sequence[Path], changes_of: Changes, small: int) -> tuple[int, int] | None:
    """Return the whole schedule where no run has more than ``small`` allocations, else a telling window."""
    held = [table_of(folder, "allocations").select(pl.len(), pl.col("end_us").max()).collect() for folder in folders]
    every = pl.concat(held).rename({"len": "allocations"})
    if every["allocations"].max() > small:  # type: ignore[operator]
        return telling_window(folders, changes_of)
    end = every["end_us"].max()
    return (0, int(end)) if end else None  # type: ignore[arg-type]


def read_begins(folder: Path) -> pl.DataFrame:
    """Read the allocations of a run, with whether each resized its job."""
    same = [pl.col(name).shift(1) == pl.col(name) for name in ("job", "slot")]
    joined = pl.all_horizontal(*same, pl.col("end_us").shift(1) == pl.col("begin_us"))
    return (
        table_of(folder, "allocations")
        .filter(pl.col("end_us") > pl.col("begin_us"))
        .select("job", "slot", "begin_us", "end_us", "processors")
        .sort("job", "slot", "begin_us")
        .with_columns((joined & (pl.col("processors") != pl.col("processors").shift(1))).fill_null(False).alias("resized"))
        .collect()
    )  # fmt: skip


def overlapping(held: pl.DataFrame, begin_us: int, end_us: int) -> int:
    """Count the allocations that overlap a window."""
    return held.filter(overlaps(begin_us, end_us)).height


def colour_jobs(windows: Sequence[AllocationWindow]) -> dict[int, int]:
    """Number the colours of the jobs of several windows, so that a job keeps its colour and neighbours differ.

    Jobs are coloured in order of appearance. Each takes the colour that clashes least with jobs coloured before, and of these
    the one used least. Jobs clash if they touch in a slot, less if they are in one slot at one time, least if their slots
    alternate on the same processors. In a window with more than :data:`MOST` allocations, which are lines and not blocks, jobs
    take the colours in turn.
    """
    jobs = list(dict.fromkeys(job for window in windows for job in window.allocations["job"].to_list()))
    index = {job: number for number, job in enumerate(jobs)}
    if max((window.allocations.height for window in windows), default=0) > MOST:
        return {job: number % len(COLOURS) for job, number in index.items()}
    clash = np.zeros((len(jobs), len(jobs)), dtype=np.int64)
    for window in windows:
        held = window.allocations
        if held.height:
            own = np.array([index[job] for job in held["job"].to_list()])
            first, second, worse = clashes(window)
            np.maximum.at(clash, (own[first], own[second]), worse)
    np.fill_diagonal(clash, 0)
    chosen = np.full(len(jobs), -1)
    used = np.zeros(len(COLOURS), dtype=np.int64)
    for number in range(len(jobs)):
        cost = np.bincount(chosen[:number], weights=clash[number, :number], minlength=len(COLOURS))
        best = int(np.lexsort((used, cost))[0])
        chosen[number] = best
        used[best] += 1
    return {job: int(chosen[number]) for job, number in index.items()}


def clashes(window: AllocationWindow) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the pairs of allocations that need different colours, by their places, and how badly: 8 when they touch."""
    held = window.allocations
    begin, end, slot = (held[name].to_numpy() for name in ("begin_us", "end_us", "slot"))
    low, high = held["runs"].list.min().to_numpy(), held["runs"].list.max().to_numpy()
    near = (window.end_us - window.begin_us) // 100
    in_time = begin[:, None] <= end[None, :] + near
    one, two = np.nonzero(in_time & in_time.T)
    touching = (low[one] <= high[two]) & (low[two] <= high[one])
    apart = np.abs(slot[one] - slot[two])
    follows = (apart == 1) | (apart == window.slots - 1)
    same = np.where(touching, 8, 3)
    other = np.where(follows & touching, 4, 1)
    return one, two, np.where(apart == 0, same, other)
