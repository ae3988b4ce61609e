"""The machine as a picture: processors against time, each job as rectangles.

A rectangle is a job on a run of neighbouring processors from a begin to an end, in a ``row`` of the picture: 0 where
the machine is shared in space only, the slot of the Ousterhout matrix where it is shared in time as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.draw.charts import NoData, plain, reference_of, rows, show

if TYPE_CHECKING:
    import duckdb

HOUR_US = 3_600_000_000
WINDOW_HOURS = 24.0


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of a workload's schedules: replication 0, from ``begin_us`` to ``end_us``.

    ``policies`` has their labels by id; ``queue_under`` is the label of the policy whose longest queue the window is around.
    """

    workload: str
    label: str
    processors: int
    begin_us: int
    end_us: int
    policies: dict[str, str]
    queue_under: str

    @property
    def begin_h(self) -> float:
        """Begin in hours since the first submission."""
        return self.begin_us / HOUR_US

    @property
    def hours(self) -> float:
        """Length in hours."""
        return (self.end_us - self.begin_us) / HOUR_US


def assign_processors(
    begins: Sequence[int], ends: Sequence[int], sizes: Sequence[int], machine: int
) -> list[list[tuple[int, int]]]:
    """Return each job the lowest-numbered processors that are free when it begins.

    Parameters
    ----------
    begins, ends
        Times of each job's allocation, jobs sorted by begin; a job that ends at a time frees its processors first.
    sizes
        Processors each job holds.
    machine
        Processors of the machine, numbered from 0.

    Returns
    -------
    list of runs
        For each job its runs of neighbouring processors ``(first, last + 1)``.

    Raises
    ------
    ValueError
        When the jobs do not fit on the machine.
    """
    free = (1 << machine) - 1
    held: list[tuple[int, int]] = []
    found = []
    for begin, end, size in zip(begins, ends, sizes, strict=True):
        for over, bits in held:
            if over <= begin:
                free |= bits
        held = [entry for entry in held if entry[0] > begin]
        mask = lowest_bits(free, size)
        free &= ~mask
        held.append((end, mask))
        found.append(list(runs_of(mask)))
    return found


def lowest_bits(free: int, count: int) -> int:
    """Return the ``count`` lowest bits set in ``free``."""
    if free.bit_count() < count:
        raise ValueError(f"{count} processors are needed and {free.bit_count()} are free")
    low, high = 0, free.bit_length()
    while low < high:
        middle = (low + high) // 2
        enough = (free & ((1 << middle) - 1)).bit_count() >= count
        low, high = (low, middle) if enough else (middle + 1, high)
    return free & ((1 << low) - 1)


def runs_of(mask: int) -> Iterator[tuple[int, int]]:
    """Return the runs of neighbouring bits set in ``mask`` as ``(first, last + 1)``."""
    place = 0
    while mask:
        gap = (mask & -mask).bit_length() - 1
        place, mask = place + gap, mask >> gap
        length = (~mask & (mask + 1)).bit_length() - 1
        yield place, place + length
        place, mask = place + length, mask >> length


def runs_beside(connection: duckdb.DuckDBPyConnection) -> Path:
    """Return the folder of the runs that a store was made of: ``runs/`` beside its file."""
    row = connection.execute("SELECT path FROM duckdb_databases() WHERE database_name = current_database()").fetchone()
    return Path(row[0] if row and row[0] else "").parent / "runs"


def windows(connection: duckdb.DuckDBPyConnection, study: str) -> list[Window]:
    """Choose a window of each workload of a study: the day around the longest queue.

    Policies whose family names another diagram are left to it; a workload without others has no window.

    The queue is the mean number of waiting jobs in a bin of the store's series under the policy that the study compares
    with, or under the first with such a series; the window is the 24 hours centred on the bin, moved to begin no earlier
    than the first submission.
    """
    show(connection, study)
    reference = reference_of(connection)
    sql = """
        WITH peak AS (
            SELECT workload, policy, arg_max(bin_start_s + bin_s / 2, queued_jobs) AS middle_s
            FROM base JOIN series USING (workload, policy) GROUP BY ALL)
        SELECT workload, workload_label AS label, policy, policy_label, base.processors, middle_s
        FROM base JOIN families USING (family) JOIN policies USING (policy) LEFT JOIN peak USING (workload, policy)
        WHERE diagram = 'gantt' AND workload IN (SELECT workload FROM peak)
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
    queued = [row for row in found if row["middle_s"] is not None]
    if not queued:
        return None
    first = next((row for row in queued if row["policy"] == reference), queued[0])
    length = int(WINDOW_HOURS * HOUR_US)
    begin = max(0, int(first["middle_s"] * 1e6) - length // 2)
    labels = {row["policy"]: row["policy_label"] for row in found}
    return Window(
        first["workload"], first["label"], first["processors"], begin, begin + length, labels, first["policy_label"]
    )


def busiest_window(connection: duckdb.DuckDBPyConnection, study: str) -> Window:
    """Return the window of the study's first workload; raise :class:`NoData` when no schedule is shared in space only."""
    found = windows(connection, study)
    if not found:
        raise NoData("Every run of this study shares the machine in time; see the matrix diagrams.")
    return found[0]


def rectangles(connection: duckdb.DuckDBPyConnection, window: Window, policy: str) -> list[dict[str, Any]]:
    """Return the rectangles of a policy's schedule in a window; times in hours since the first submission.

    Columns: ``row, job, begin, end, first, last, size, submit, wait, run, estimate, outcome``; a job's rectangles share all
    but ``first`` and ``last``.
    """
    sql = """
        SELECT 0 AS row, job, start_us, finish_us, processors AS size, submit_us / 3.6e9 AS submit,
            (start_us - submit_us) / 3.6e9 AS wait, (finish_us - start_us) / 3.6e9 AS run, estimate_us / 3.6e9 AS estimate,
            outcome
        FROM jobs
        WHERE workload = $workload AND policy = $policy AND replication = 0 AND outcome <> 'rejected'
            AND start_us < $end_us AND finish_us > $begin_us AND finish_us > start_us
        ORDER BY start_us, job"""
    cursor = connection.execute(
        sql,
        {"workload": window.workload, "policy": policy, "begin_us": window.begin_us, "end_us": window.end_us},
    )
    names = [column[0] for column in cursor.description]
    jobs = [dict(zip(names, map(plain, values), strict=True)) for values in cursor.fetchall()]
    begins, ends = [j.pop("start_us") for j in jobs], [j.pop("finish_us") for j in jobs]
    placed = assign_processors(begins, ends, [j["size"] for j in jobs], window.processors)
    return [
        {
            **job,
            "begin": round(max(begin, window.begin_us) / HOUR_US, 5),
            "end": round(min(end, window.end_us) / HOUR_US, 5),
            "first": first,
            "last": last,
        }
        for job, begin, end, runs in zip(jobs, begins, ends, placed, strict=True)
        for first, last in runs
    ]


def window_rows(connection: duckdb.DuckDBPyConnection, window: Window, limit: int) -> list[dict[str, Any]]:
    """Return the rectangles of the window under the first policies, at most four and ``limit`` rectangles each.

    Raises
    ------
    NoData
        When no job runs in the window, or so many that a printed picture would not show them.
    """
    found: list[dict[str, Any]] = []
    for policy, label in list(window.policies.items())[:4]:
        drawn = rectangles(connection, window, policy)
        if len(drawn) <= limit:
            found += [{"policy": policy, "policy_label": label, **one} for one in drawn]
    if not found:
        raise NoData("The window has no jobs, or more than a printed picture can show; see the schedule viewer.")
    return found
