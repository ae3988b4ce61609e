"""Drawings of the study on Concurrent Gang: how tasks block one another, and windows of its runs, instant by instant."""

from typing import Any

import duckdb
import polars as pl

from reports.diagrams.allocations import is_of, runs_beside
from reports.draw.charts import NoData, also
from reports.families.concurrent_gang.charts import Panel, Remark, concurrent_gang_figure, draw_panels
from reports.families.concurrent_gang.diagram import ConcurrentGangWindow, read_window

EXAMPLES = {
    ("cascade", "cascade-gang"): "Gang scheduling",
    ("cascade", "cascade-rr"): "Without priorities",
    ("cascade", "cascade-rr-resumed"): "Without priorities, owner resumed",
    ("cascade", "cascade-prio"): "With priorities, job 3 measured",
    ("cascade-last", "cascade-prio"): "With priorities, job 3 not measured",
}
"""Runs of the example, and what is over their panels."""
FILLER, SYNCHRONOUS = 1, 3
"""Jobs of the example: the one that fills, and the one that waits at barriers."""


def blocking_cascade(connection: duckdb.DuckDBPyConnection) -> Any:
    """A task that is scheduled alone costs its whole job a slice (thesis, Figure 6.9).

    Four processors, three jobs, slices of {slice} ms; the numbers above are those of the rows of the matrix. Jobs 1 and 2
    compute, job 3 waits at a barrier after every {work} ms of work. A task fills its lane where the gang scheduler chose it, and
    the lower part where the local scheduler did. Hatched is spinning, grey a context switch. Where only the background shows, in
    the colour of the slice's owner, the processor is idle. Lines over all processors are barriers passed. Under gang
    scheduling processor 3 is idle in the row of job 2, and job 3 passes {gang} barriers in {length} ms. Without priorities:
    (1) the local scheduler gives the idle processor to the task of job 3. (2) At its next barrier the task spins and blocks,
    as the others do not run. (3) The slice of job 3 comes, but the task still waits, so that job 1 gets its processor. (4)
    Now the others arrive and the barrier is passed; the task is ready, and its processor is taken until the slice ends. (5)
    At the next barrier the others wait for it in vain, block and give up their processors: the slice is lost. Job 3 is out of
    step now, and every slice ends so: it passes {rr} barriers. Where the owner of a slice gets its processor back as it is
    ready (6), the others still find it in time: {resumed}. With priorities the local scheduler knows that job 3 communicates,
    and prefers job 1 (7): {prio}. It knows nothing of a task that has never run: under formula 6.1 such a task has the highest
    priority there is (8). Once the job is out of step, knowing better does not bring it back: {last}. The thesis describes the
    course without times; we chose times by which everything can be seen.
    """
    home = runs_beside(connection)
    if not all(is_of(home / workload / policy, "concurrent_gang") for workload, policy in EXAMPLES):
        raise NoData("The worked example was not run.")
    windows = [read_window(home / workload / policy) for workload, policy in EXAMPLES]
    gang, rr, resumed, prio, last = windows
    remarks = [[], _lost(rr), _resumed(resumed), _first_local(prio, FILLER, 7), _first_local(last, SYNCHRONOUS, 8)]
    passed = [_barriers(window) for window in windows]
    panels = [
        Panel(title, window, marks, barriers=True, below=f"job 3 passes {number} barriers")
        for title, number, window, marks in zip(EXAMPLES.values(), passed, windows, remarks, strict=True)
    ]
    counts = dict(zip(("gang", "rr", "resumed", "prio", "last"), passed, strict=True))
    length = f"{gang.policy['parameters']['slice_ms']:g}"
    return also(draw_panels(panels), **counts, slice=length, work=f"{_work_ms(gang):g}")


def activities_in_a_run(connection: duckdb.DuckDBPyConnection) -> Any:
    """Inside the slices of a run.

    {length} ms of I/O and message passing under gang scheduling with measurements, {begin} s into the run: {jobs} jobs on
    {processors} processors. A lane is a processor, its ground the colour of the slice's owner; what runs fills the lane where
    the gang scheduler chose it, its lower part where the local scheduler did. Hatched is spinning, grey a context switch,
    and a dotted line is the time in which the owner waits and the processor is idle. Numbers in the lanes are those of jobs.
    Below each lane stands what its disk serves. More windows are on the page of schedules.
    """
    return concurrent_gang_figure(connection, "io-msg-16", "gang_rt")


def _barriers(window: ConcurrentGangWindow) -> int:
    """Count the barriers of the synchronous job that were passed in the window."""
    return window.barriers.filter((pl.col("job") == SYNCHRONOUS) & (pl.col("released_ns") <= window.end_ns))[
        "barrier"
    ].n_unique()


def _work_ms(window: ConcurrentGangWindow) -> float:
    """Return the work between two barriers: the longest time the synchronous job computes at a stretch."""
    rows = window.activity.filter((pl.col("job") == SYNCHRONOUS) & (pl.col("activity") == "compute"))
    return round(rows.select((pl.col("end_ns") - pl.col("begin_ns")).max()).item() / 1e6, 3)


def _alone(window: ConcurrentGangWindow) -> tuple[int, int, int]:
    """Return when the task is first scheduled alone, its processor, and when it blocks then."""
    own = window.activity.filter((pl.col("job") == SYNCHRONOUS) & (pl.col("by") == "local")).sort("begin_ns")
    begin, processor = own.select("begin_ns", "processor").row(0)
    blocks = own.filter((pl.col("activity") == "spin") & (pl.col("processor") == processor))["end_ns"][0]
    return begin, processor, blocks


def _slice_of(window: ConcurrentGangWindow, job: int, after: int) -> int:
    """Return the begin of the first slice of a job's row after a time."""
    begins = window.slices.filter((pl.col("job") == job) & (pl.col("begin_ns") >= after))["begin_ns"]
    return int(begins.min())  # type: ignore[arg-type]


def _released(window: ConcurrentGangWindow, after: int) -> int:
    """Return when the first barrier after a time was passed."""
    return int(window.barriers.filter(pl.col("released_ns") > after)["released_ns"].min())  # type: ignore[arg-type]


def _lost(window: ConcurrentGangWindow) -> list[Remark]:
    """Mark the course by which the synchronous job loses its slice."""
    begin, processor, blocks = _alone(window)
    slice_ns = _slice_of(window, SYNCHRONOUS, blocks)
    passed = _released(window, slice_ns)
    others = window.activity.filter(
        (pl.col("job") == SYNCHRONOUS) & (pl.col("activity") == "spin") & (pl.col("begin_ns") > passed)
        & (pl.col("processor") != processor)
    )  # fmt: skip
    lost, first = others.sort("end_ns", "processor").select("end_ns", "processor").row(0)
    moments = ((begin, processor), (blocks, processor), (slice_ns, processor), (passed, processor), (lost, first))
    return [Remark(number, *moment) for number, moment in enumerate(moments, 1)]


def _resumed(window: ConcurrentGangWindow) -> list[Remark]:
    """Mark where the owner of a slice gets its processor back."""
    _, processor, blocks = _alone(window)
    slice_ns = _slice_of(window, SYNCHRONOUS, blocks)
    back = window.activity.filter(
        (pl.col("job") == SYNCHRONOUS) & (pl.col("processor") == processor) & (pl.col("begin_ns") > slice_ns)
    )
    return [Remark(6, int(back["begin_ns"].min()), processor)]  # type: ignore[arg-type]


def _first_local(window: ConcurrentGangWindow, job: int, number: int) -> list[Remark]:
    """Mark where the local scheduler first gives the processor without an owner to a job."""
    own = window.activity.filter((pl.col("job") == job) & (pl.col("by") == "local")).sort("begin_ns", "processor")
    begin, processor = own.select("begin_ns", "processor").row(0)
    return [Remark(number, begin, processor)]
