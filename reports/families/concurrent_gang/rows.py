"""The rows of data of a printed diagram of activities: owners, running tasks, waiting owners, disks, slices.

Times are milliseconds since the window began; heights are lanes, counted from the top.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import polars as pl

from reports.diagrams.parts import ink_on
from reports.diagrams.windows import COLOURS, colour_jobs
from reports.draw.charts import Row
from reports.families.concurrent_gang.diagram import WORDS, ConcurrentGangWindow

MILLISECOND = 1_000_000
"""In nanoseconds."""
LANE = (0.06, 0.78)
"""Upper and lower edge of a lane."""
LOCAL = 0.3
"""Upper edge of a task that the local scheduler chose."""
DISK = (0.8, 0.92)
STRIPES = 240
"""Stripes over the width of a picture; they mark spinning."""
SLANT = 1.4
"""How far a stripe leans, in distances between stripes."""


def paints_of(windows: Sequence[ConcurrentGangWindow]) -> dict[int, str]:
    """Return the colour of each job, the same in all windows of a picture."""
    return {job: COLOURS[number] for job, number in colour_jobs(windows).items()}


def rows_of_window(window: ConcurrentGangWindow, paints: dict[int, str], panel: int = 0) -> list[Row]:
    """Return all rows of a window; ``panel`` numbers it among the windows of a picture."""
    parts = (
        slice_rows(window, paints), run_rows(window, paints), turn_rows(window, paints), disk_rows(window, paints),
    )  # fmt: skip
    return [{"panel": panel, **row} for rows in parts for row in rows]


def at(window: ConcurrentGangWindow, time_ns: int) -> float:
    """Return a time as the axis shows it, cut to the window."""
    return round((min(max(time_ns, window.begin_ns), window.end_ns) - window.begin_ns) / MILLISECOND, 6)


def share(window: ConcurrentGangWindow, begin_ns: int, end_ns: int) -> float:
    """Return the fraction of the axis that a stretch covers."""
    return round((at(window, end_ns) - at(window, begin_ns)) * MILLISECOND / (window.end_ns - window.begin_ns), 5)


def slice_rows(window: ConcurrentGangWindow, paints: dict[int, str]) -> Iterator[Row]:
    """Return the slices with the numbers of their rows, and their owners as grounds of the lanes."""
    begins = window.slices["begin_ns"].unique().sort().to_list()
    for begin, end in pairwise([*begins, window.end_ns]):
        owners = window.slices.filter(begin_ns=begin)
        edges = {"begin": at(window, begin), "end": at(window, end)}
        row = owners["row"][0]
        yield {
            "part": "slice",
            **edges,
            "text": "" if row is None else f"row {row + 1}",
            "share": share(window, begin, end),
        }
        for processor, job in owners.filter(pl.col("job").is_not_null()).select("processor", "job").rows():
            yield {
                "part": "owner",
                **edges,
                "low": processor + LANE[0],
                "high": processor + LANE[1],
                "job": job,
                "colour": paints[job],
            }


def run_rows(window: ConcurrentGangWindow, paints: dict[int, str]) -> Iterator[Row]:
    """Return the running tasks by activity, with the stripes of spinning, and a line where the owner is blocked."""
    owners = {(begin, processor): job for begin, _, processor, job, _ in window.slices.rows()}
    begins = window.slices["begin_ns"].unique().sort().to_list()
    for processor, begin, end, activity, job, task, by in window.activity.rows():
        first, last = at(window, begin), at(window, end)
        edges: Row = {"begin": first, "end": last, "does": WORDS[activity]}
        if job is None:
            slice_begin = max((other for other in begins if other <= begin), default=None)
            owner = owners.get((slice_begin, processor)) if slice_begin is not None else None
            if activity == "blocked" and owner is not None:
                middle = processor + (LANE[0] + LANE[1]) / 2
                yield {"part": "blocked", **edges, "low": middle, "job": owner, "colour": paints[owner]}
            continue
        low, high = processor + (LOCAL if by == "local" else LANE[0]), processor + LANE[1]
        told = {
            "job": job,
            "task": task,
            "processor": processor,
            "by": "the local scheduler" if by == "local" else "the gang scheduler",
        }
        kind = {"send": "message", "receive": "message"}.get(activity, activity)
        yield {"part": kind, **edges, "low": low, "high": high, "colour": paints[job], **told}
        if kind == "spin":
            yield from stripes(window, first, last, low, high, paints[job])


def stripes(
    window: ConcurrentGangWindow, begin: float, end: float, low: float, high: float, colour: str
) -> Iterator[Row]:
    """Return slanting lines over a rectangle, cut to it."""
    apart = (window.end_ns - window.begin_ns) / MILLISECOND / STRIPES
    lean = SLANT * apart
    number = int((begin - lean) // apart) + 1
    while (foot := number * apart) < end:
        first, last = max(foot, begin), min(foot + lean, end)
        if last > first:
            rise = (high - low) / lean
            yield {
                "part": "stripe", "begin": round(first, 6), "end": round(last, 6), "colour": colour,
                "low": round(high - (first - foot) * rise, 4), "high": round(high - (last - foot) * rise, 4),
            }  # fmt: skip
        number += 1


def turn_rows(window: ConcurrentGangWindow, paints: dict[int, str]) -> Iterator[Row]:
    """Return the turns of tasks: neighbouring rows of one task on a processor, with the number of its job."""
    begins = pl.Series("slice", window.slices["begin_ns"].unique().sort())
    rows = window.activity.with_columns(
        slice=pl.Series(begins.search_sorted(window.activity["begin_ns"], side="right"))
    )
    same = pl.struct("processor", "job", "task", "by", "slice")
    turns = rows.with_columns(turn=(same != same.shift()).fill_null(True).cum_sum()).filter(pl.col("job").is_not_null())
    joined = turns.group_by("turn", maintain_order=True).agg(
        pl.col("processor", "job", "by").first(), pl.col("begin_ns").min(), pl.col("end_ns").max()
    )
    for _, processor, job, by, begin, end in joined.rows():
        yield {
            "part": "turn", "begin": at(window, begin), "end": at(window, end), "job": job, "text": str(job),
            "low": processor + (LOCAL if by == "local" else LANE[0]), "high": processor + LANE[1],
            "share": share(window, begin, end), "ink": ink_on(paints[job]),
        }  # fmt: skip


def disk_rows(window: ConcurrentGangWindow, paints: dict[int, str]) -> Iterator[Row]:
    """Return what disks serve, below the lanes."""
    served = window.disks.filter((pl.col("begin_ns") < window.end_ns) & pl.col("job").is_in(list(paints)))
    for processor, job, task, issued, begin, end in served.rows():
        yield {"part": "disk", "begin": at(window, begin), "end": at(window, end), "low": processor + DISK[0],
               "high": processor + DISK[1], "job": job, "task": task, "processor": processor, "colour": paints[job],
               "waits": round((begin - issued) / MILLISECOND, 6)}  # fmt: skip


def barrier_rows(window: ConcurrentGangWindow, panel: int = 0) -> list[Row]:
    """Return the barriers that were passed in the window, each over the processors of its job."""
    held = dict(window.allocations.select("job", "processor_ids").rows())
    passed = (
        window.barriers.filter(pl.col("released_ns") <= window.end_ns).select("job", "barrier", "released_ns").unique()
    )
    return [
        {
            "part": "barrier", "panel": panel, "begin": at(window, released), "job": job, "number": barrier + 1,
            "low": min(held[job]) + LANE[0], "high": max(held[job]) + LANE[1],
        }
        for job, barrier, released in passed.sort("released_ns", "job").rows()
    ]  # fmt: skip
