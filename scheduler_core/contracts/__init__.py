"""The tables that all rooms share: columns, types, units, invariants and their versions.

A **workload** (:mod:`~scheduler_core.contracts.workload`) is a table with a row per job, for a **machine**
(:mod:`~scheduler_core.contracts.machine`) of one or several clusters; it may carry companion tables
(:mod:`~scheduler_core.contracts.companions`). A **schedule** (:mod:`~scheduler_core.contracts.schedule`) is the tables
``jobs`` and ``allocations``, the further tables its family declares (:mod:`scheduler_core.declarations.families`), and a note.

Every time is an int64 count of microseconds since the workload's origin, and its name ends in ``_us``.
"""

from scheduler_core.contracts.companions import COMPANIONS
from scheduler_core.contracts.machine import Cluster, Machine
from scheduler_core.contracts.schedule import (
    ALLOCATIONS_COLUMNS,
    ALLOCATIONS_VERSION,
    JOBS_COLUMNS,
    JOBS_VERSION,
    OUTCOMES,
    Outcome,
    Schedule,
)
from scheduler_core.contracts.tables import check_columns, check_complete, read_parquet, write_parquet
from scheduler_core.contracts.workload import (
    DECIDING_COLUMNS,
    WORKLOAD_COLUMNS,
    WORKLOAD_OPTIONAL,
    WORKLOAD_VERSION,
    Flexibility,
    JobClass,
    Workload,
    asked_columns,
    check_workload,
    read_replications,
    replication_in,
    workload_digest,
    write_replications,
)
