"""The family of Concurrent Gang: its tables, metrics and rules for schedules."""

from typing import Any

import polars as pl

from scheduler_core.declarations.families import MACHINE_METRICS, RESPONSE_METRICS, Family, Table

By = pl.Enum(("gang", "local"))
"""Who chose the task that runs: the gang scheduler, as the slice's owner, or the local task scheduler."""

PROCESSOR_ACTIVITY_COLUMNS: dict[str, Any] = {
    "processor": pl.Int32,
    "begin_us": pl.Int64,
    "end_us": pl.Int64,
    "compute_ns": pl.Int64,
    "message_ns": pl.Int64,  # overhead of sends and receives
    "spin_ns": pl.Int64,
    "switch_ns": pl.Int64,
    "blocked_ns": pl.Int64,  # no task ran, the slice had an owner here that waited
    "empty_ns": pl.Int64,  # no task ran, the slice had no owner here
    "local_ns": pl.Int64,  # part of compute, message and spin of tasks that the local task scheduler chose
    "disk_ns": pl.Int64,  # the processor's disk served requests
}
"""A row per period of ``sums_s`` and processor, in this order: compute to empty add up to its length. The last period is cut."""

JOB_ACTIVITY_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,
    "compute_ns": pl.Int64,
    "message_ns": pl.Int64,
    "spin_ns": pl.Int64,
    "switch_ns": pl.Int64,  # switches to its tasks
    "local_ns": pl.Int64,
    "disk_ns": pl.Int64,  # its requests were served, whole or as far as they were when the run ended
    "messages": pl.Int64,  # messages received
    "barriers": pl.Int64,  # barriers at which all its tasks have arrived, or phases that have ended
    "requests": pl.Int64,  # disk requests begun to be served
    "blocked": pl.Int64,  # times a task blocked at a receive, a barrier or the end of a phase
    "local_runs": pl.Int64,  # times the local task scheduler chose one of its tasks
}
"""A row per job that was placed, in the order of the workload: sums over its tasks."""

Activity = pl.Enum(("compute", "send", "receive", "spin", "switch", "blocked", "empty"))

TRACE_COLUMNS: dict[str, Any] = {
    "processor": pl.Int32,
    "begin_ns": pl.Int64,
    "end_ns": pl.Int64,
    "activity": Activity,
    "job": pl.Int64,  # null while no task runs
    "task": pl.Int32,
    "by": By,
}
"""What processors did within the window, without gaps: by processor, then time; a row ends with its statement, wait or choice
(the running task is preempted, or another runs; a dispatch that finds none ends nothing), with the slice and with the window.
What took no time has no row. Here and below *within the window* is from its begin to before its end."""

TRACE_DISKS_COLUMNS: dict[str, Any] = {
    "processor": pl.Int32,
    "job": pl.Int64,
    "task": pl.Int32,
    "issued_ns": pl.Int64,
    "begin_ns": pl.Int64,
    "end_ns": pl.Int64,
}
"""Disk requests that were issued within the window, by processor, then issue; begin and end, which follow from the requests
before, may lie after it, and after the end of the run."""

TRACE_MESSAGES_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,
    "message": pl.Int64,
    "sender": pl.Int32,
    "receiver": pl.Int32,
    "sent_ns": pl.Int64,  # end of the send
    "arrived_ns": pl.Int64,
    "received_ns": pl.Int64,  # end of the receive; null where it was not by the end of the run
}
"""Messages whose send ended or whose receive ended within the window, by job (position), then number; in supersteps number =
superstep x size + sender."""

TRACE_BARRIERS_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,
    "barrier": pl.Int64,  # 0, 1, ... within the job
    "task": pl.Int32,
    "arrived_ns": pl.Int64,
    "released_ns": pl.Int64,  # not before its arrival; null where it was not by the end of the run
}
"""Arrivals of tasks at barriers, and at ends of phases, within the window, by job (position), barrier, task."""

TRACE_SLICES_COLUMNS: dict[str, Any] = {
    "begin_ns": pl.Int64,
    "row": pl.Int32,  # row of the matrix, or of the cycle, whose turn the slice is; null where there is none
    "processor": pl.Int32,
    "job": pl.Int64,  # owner; null where the row has none
    "task": pl.Int32,
}
"""Owners of the slices that overlap the window: by slice, then processor."""

TRACE_MEMBERSHIPS_COLUMNS: dict[str, Any] = {
    "at_ns": pl.Int64,  # end of the slice
    "job": pl.Int64,
    "task": pl.Int32,
    "io_seen": pl.Boolean,  # it asked its disk within the slice
    "communication_seen": pl.Boolean,
    "io_before_ppm": pl.Int32,  # memberships before the slice
    "communication_before_ppm": pl.Int32,
    "computation_before_ppm": pl.Int32,
    "io_measured_ppm": pl.Int32,  # total measurement after it; 0 under the counting classifier
    "communication_measured_ppm": pl.Int32,
    "computation_measured_ppm": pl.Int32,
    "io_ppm": pl.Int32,  # memberships after it
    "communication_ppm": pl.Int32,
    "computation_ppm": pl.Int32,
    "priority_ppm": pl.Int32,
}
"""What was learned of the tasks that ran in a slice that ends within the window, ended ones, too: by slice, job (position),
task; none without classifier."""

TABLES = {
    "processor_activity": Table(PROCESSOR_ACTIVITY_COLUMNS, "processor-activity/v1"),
    "job_activity": Table(JOB_ACTIVITY_COLUMNS, "job-activity/v1"),
    "trace": Table(TRACE_COLUMNS, "trace/v1", ("job", "task", "by")),
    "trace_disks": Table(TRACE_DISKS_COLUMNS, "trace-disks/v1"),
    "trace_messages": Table(TRACE_MESSAGES_COLUMNS, "trace-messages/v1", ("received_ns",)),
    "trace_barriers": Table(TRACE_BARRIERS_COLUMNS, "trace-barriers/v1", ("released_ns",)),
    "trace_slices": Table(TRACE_SLICES_COLUMNS, "trace-slices/v1", ("row", "job", "task")),
    "trace_memberships": Table(TRACE_MEMBERSHIPS_COLUMNS, "trace-memberships/v1"),
}

FAMILY = Family(
    name="concurrent_gang",
    label="Concurrent Gang",
    sharing="jobs",
    unchecked=(
        "activities outside the traced window, beyond what sums and finish times imply",
        "which of the waiting jobs is placed, and in which of the rows that have room",
    ),
    counters=(
        *("slices", "workload_changes", "gang_runs", "local_runs", "switches", "messages", "barriers", "requests"),
        *("blocked", "preempted_local", "events", "fast_slices"),
    ),
    unproved=(
        "allocations.slot",
        *("trace_slices", "trace_slices.begin_ns", "trace_slices.job", "trace_slices.processor"),
        *("trace_slices.row", "trace_slices.task"),
        *("counters.events", "counters.fast_slices", "counters.gang_runs", "counters.preempted_local"),
        "counters.switches",
    ),
    metrics=(
        *RESPONSE_METRICS,
        *MACHINE_METRICS,
        *("mean_time_to_start", "jobs_completed", "jobs_unfinished"),
        *("one_task_submitted_share", "one_task_completed_share"),
        *("utilisation_spin_busy", "utilisation_spin_idle", "idle_time_spin_busy", "idle_time_spin_idle"),
        *("compute_share", "message_share", "spin_share", "switch_share", "blocked_share", "empty_share"),
        *("local_share", "disk_utilisation", "mean_tasks_per_processor", "mean_rows"),
    ),
    leading=("jobs_completed", "mean_slowdown", "utilisation_spin_busy", "utilisation_spin_idle"),
    wait="response_less_runtime",
    tables=TABLES,
    companions=("applications", "programs"),
)
"""A row of ``allocations`` is a job from its placement to its end; no preemption is counted.

``slot`` is the row of the matrix, ``work_us`` what its tasks computed, communicated, read and wrote, per processor (rounded
down), and ``rate`` that over the time.
"""
