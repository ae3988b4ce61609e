"""The machine shared in space as a picture: processors against time, each job as rectangles.

A rectangle is a job on a run of neighbouring processors from a begin to an end.
"""

from dataclasses import dataclass
from typing import Any

import duckdb
import polars as pl

from reports.diagrams.allocations import AllocationWindow, is_of, overlaps, place, rectangles_of, runs_beside, table_of
from reports.draw.charts import NoData, reference_of, rows, show

HOUR_US = 3_600_000_000
WINDOW_HOURS = 24.0
COLUMNS = dict.fromkeys(
    ("job", "size", "processors", "submit_us", "runtime_us", "estimate_us", "start_us", "finish_us"), pl.Int64
) | {"outcome": pl.String}


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of a workload's schedules: replication 0, from ``begin_us`` to ``end_us``.

    ``policies`` has their labels by id; ``queue_under`` is the label of the policy whose longest queue the window is around, or
    whose longest wait where no queue was measured (``around``).
    """

    workload: str
    label: str
    processors: int
    begin_us: int
    end_us: int
    policies: dict[str, str]
    queue_under: str
    around: str

    @property
    def begin_h(self) -> float:
        """Begin in hours since the first submission."""
        return self.begin_us / HOUR_US

    @property
    def hours(self) -> float:
        """Length in hours."""
        return (self.end_us - self.begin_us) / HOUR_US


def windows(connection: duckdb.DuckDBPyConnection, study: str) -> list[Window]:
    """Choose a window of each workload of a study: the day around the longest queue.

    Policies whose family has another diagram are left to it; a workload without others has no window. Policies that suspend jobs
    have no measured queue. A workload without another policy has the day in which the job that waited longest began to wait.

    The queue is the mean number of waiting jobs in a bin of the store's series under the policy that the study compares
    with, or under the first with such a series; the window is the 24 hours centred on the bin, moved to begin no earlier
    than the first submission.
    """
    show(connection, study)
    reference = reference_of(connection)
    sql = """
        WITH peak AS (
            SELECT workload, policy, arg_max(bin_start_s + bin_s / 2, queued_jobs) AS middle_s
            FROM base JOIN series USING (workload, policy) GROUP BY ALL),
        longest AS (
            SELECT workload, policy, arg_max(submit_us, (start_us - submit_us, -job)) / 1e6 AS wait_s
            FROM base JOIN jobs USING (workload, policy)
            WHERE base.family = 'preemptive' AND replication = 0 AND outcome <> 'rejected' GROUP BY ALL)
        SELECT workload, workload_label AS label, policy, policy_label, base.processors, middle_s, wait_s
        FROM base JOIN policies USING (policy) LEFT JOIN peak USING (workload, policy) LEFT JOIN longest USING (workload, policy)
        WHERE base.family IN ('space_sharing', 'preemptive') AND (
            workload IN (SELECT workload FROM peak) OR workload IN (SELECT workload FROM longest))
        ORDER BY (SELECT min(position) FROM base AS own WHERE own.workload = base.workload),
            list_position((SELECT pictured FROM studies WHERE study = base.study), policy) NULLS LAST, base.position"""
    try:
        found = rows(connection, sql)
    except NoData:
        return []
    workloads = dict.fromkeys(row["workload"] for row in found)
    own = ([row for row in found if row["workload"] == name] for name in workloads)
    chosen = (window_of(one, reference[0] if reference else "") for one in own)
    return [window for window in chosen if window is not None]


def window_of(found: list[dict[str, Any]], reference: str) -> Window | None:
    """Make the window of one workload from the rows of its policies; the reference and the policies around it come first."""
    measured, around = "middle_s", "the longest queue"
    if all(row[measured] is None for row in found):
        measured, around = "wait_s", "the longest wait"
    queued = [row for row in found if row[measured] is not None]
    if not queued:
        return None
    first = next((row for row in queued if row["policy"] == reference), queued[0])
    length = int(WINDOW_HOURS * HOUR_US)
    begin = max(0, int(first[measured] * 1e6) - length // 2)
    labels = {row["policy"]: row["policy_label"] for row in found}
    return Window(
        first["workload"],
        first["label"],
        first["processors"],
        begin,
        begin + length,
        labels,
        first["policy_label"],
        around,
    )


def busiest_window(connection: duckdb.DuckDBPyConnection, study: str) -> Window:
    """Return the window of the study's first workload; raise :class:`NoData` when no schedule is shared in space only."""
    found = windows(connection, study)
    if not found:
        raise NoData("Every run of this study shares the machine in time; see the matrix diagrams.")
    return found[0]


def read_day(connection: duckdb.DuckDBPyConnection, window: Window, policy: str) -> AllocationWindow:
    """Return a policy's schedule in a window as the diagrams of allocations have it; all jobs are in slot 0.

    Space sharing counts processors and does not name them: a job has the lowest-numbered ones that are free when it starts. A
    policy that suspends jobs gives them several allocations.
    """
    sql = """
        SELECT job, size, processors, submit_us, runtime_us, estimate_us, start_us, finish_us, outcome
        FROM jobs
        WHERE workload = $workload AND policy = $policy AND replication = 0 AND outcome <> 'rejected'
            AND start_us < $end_us AND finish_us > $begin_us AND finish_us > start_us
        ORDER BY start_us, job"""
    edges = {"begin_us": window.begin_us, "end_us": window.end_us}
    found = connection.execute(sql, {"workload": window.workload, "policy": policy, **edges}).fetchall()
    jobs = pl.DataFrame(found, schema=COLUMNS, orient="row")
    held = jobs.select("job", pl.lit(0).alias("slot"), pl.col("start_us").alias("begin_us"),
                       pl.col("finish_us").alias("end_us"), "processors", pl.lit(None).alias("processor_ids"))  # fmt: skip
    folder = runs_beside(connection) / window.workload / policy
    if is_of(folder, "preemptive"):
        every = (
            table_of(folder, "allocations").select(held.columns).filter(pl.col("end_us") > pl.col("begin_us")).collect()
        )
        held = every.filter(overlaps(window.begin_us, window.end_us)).sort("begin_us", "job")
    else:
        every = held
    runs, named = place(held, window.processors)
    return AllocationWindow(
        processors=window.processors,
        begin_us=window.begin_us,
        end_us=window.end_us,
        policy={"name": policy},
        jobs=with_suspensions(jobs, every),
        allocations=held.drop("processor_ids").with_columns(runs),
        named=named,
    )


def with_suspensions(jobs: pl.DataFrame, allocations: pl.DataFrame) -> pl.DataFrame:
    """Return jobs with the time for which each was suspended between its start and its finish, ``suspended_us``."""
    ran = allocations.group_by("job").agg((pl.col("end_us") - pl.col("begin_us")).sum().alias("ran_us"))
    suspended = (pl.col("finish_us") - pl.col("start_us") - pl.col("ran_us")).alias("suspended_us")
    return jobs.join(ran, on="job", how="left", maintain_order="left").with_columns(suspended).drop("ran_us")


def rectangles(day: AllocationWindow) -> list[dict[str, Any]]:
    """Return the rectangles of a schedule; times in hours since the first submission.

    Columns: ``job, begin, end, first, last, size, wait, run, estimate``; a job's rectangles share all but ``first`` and
    ``last``.
    """
    hours = pl.col("begin_us", "end_us", "runtime_us", "estimate_us", "wait_us").truediv(HOUR_US).round(5)
    jobs = day.jobs.with_columns((pl.col("start_us") - pl.col("submit_us")).alias("wait_us"))
    facts = jobs.select(
        pl.int_range(pl.len()).alias("allocation"), "job", "size", "wait_us", "runtime_us", "estimate_us"
    )
    drawn = rectangles_of(day).join(facts, on="allocation", maintain_order="left").with_columns(hours)
    return drawn.select(
        "job", pl.col("begin_us").alias("begin"), pl.col("end_us").alias("end"), "first", "last", "size",
        pl.col("wait_us").alias("wait"), pl.col("runtime_us").alias("run"), pl.col("estimate_us").alias("estimate"),
    ).to_dicts()  # fmt: skip


def window_rows(connection: duckdb.DuckDBPyConnection, window: Window, limit: int) -> list[dict[str, Any]]:
    """Return the rectangles of the window under the first policies, at most four and ``limit`` rectangles each.

    Raises :class:`NoData` when no job runs in the window, or so many that a printed picture would not show them.
    """
    found: list[dict[str, Any]] = []
    for policy, label in list(window.policies.items())[:4]:
        drawn = rectangles(read_day(connection, window, policy))
        if len(drawn) <= limit:
            found += [{"policy": policy, "policy_label": label, **one} for one in drawn]
    if not found:
        raise NoData("The window has no jobs, or more than a printed picture can show; see the schedule viewer.")
    return found
