"""Loss of capacity: the share of the machine that idles while jobs wait for it.

Zhang, Franke, Moreira and Sivasubramaniam (Improving parallel job scheduling by combining gang scheduling and
backfilling techniques, IPDPS 2000) integrate the idle processors over the times at which jobs wait, over
capacity in the makespan. Following Leung, Sabin and Sadayappan (Parallel job scheduling policies to
improve fairness: a case study, ICPP Workshops 2010), no more idle processors count than the waiting jobs request: a machine
with one waiting one-processor job loses one processor.

The metric needs the machine's state at every event of a run, in order of time. Sorting the events here takes a tenth of the
time of a window in SQL.
"""

import duckdb
import numpy as np

from reports.measure.queries import insert

JOB_COLUMNS = ("submit_us", "start_us", "finish_us", "size")

LARGEST = 2**62
"""Sums below this fit 64-bit integers."""


def loss_of_capacity(
    submit_us: np.ndarray, start_us: np.ndarray, finish_us: np.ndarray, size: np.ndarray, processors: int
) -> float:
    """Return the share of the capacity in the makespan that idled while jobs waited that asked for it.

    Parameters
    ----------
    submit_us, start_us, finish_us
        Submission, start and finish of every job that ran, in microseconds.
    size
        Processors each asked for and held from start to finish.
    processors
        Processors of the machine.
    """
    size = size.astype(np.int64)
    none = np.zeros_like(size)
    at = np.concatenate([submit_us, start_us, finish_us])
    order = np.argsort(at, kind="stable")
    busy = np.cumsum(np.concatenate([none, size, -size])[order])[:-1]
    queued = np.cumsum(np.concatenate([size, -size, none])[order])[:-1]
    lost = np.minimum(processors - busy, queued)
    lengths = np.diff(at[order])
    capacity = processors * int(at.max() - at.min())
    if capacity > LARGEST:
        lost, lengths = lost.astype(object), lengths.astype(object)
    return int((lost * lengths).sum()) / capacity


def record_loss_of_capacity(connection: duckdb.DuckDBPyConnection) -> None:
    """Add ``loss_of_capacity`` to ``measurements``, for every run of a family that declares it."""
    runs = connection.execute(
        """
        SELECT workload, policy, processors, list(DISTINCT replication ORDER BY replication)
        FROM job_sums JOIN workloads USING (workload)
            SEMI JOIN (FROM meaningful WHERE metric = 'loss_of_capacity') USING (policy)
        GROUP BY ALL ORDER BY ALL
        """
    ).fetchall()
    rows = []
    for workload, policy, processors, replications in runs:
        columns = connection.execute(
            """
            SELECT replication, submit_us, start_us, finish_us, size FROM jobs
            WHERE workload = $1 AND policy = $2 AND outcome <> 'rejected'
            """,
            [workload, policy],
        ).fetchnumpy()
        for replication in replications:
            mine = columns["replication"] == replication
            submit, start, finish, size = (np.asarray(columns[name])[mine] for name in JOB_COLUMNS)
            value = loss_of_capacity(submit, start, finish, size, processors)
            rows.append((workload, policy, "replication", replication, "loss_of_capacity", "all", value))
    insert(connection, "measurements", rows)
