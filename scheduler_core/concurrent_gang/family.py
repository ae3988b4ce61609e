"""What schedules of Concurrent Gang are."""

from __future__ import annotations

from typing import Any

import polars as pl

from scheduler_core.family import MACHINE_METRICS, RESPONSE_METRICS, Family, Table

By = pl.Enum(("gang", "local"))
"""Who chose the task that runs: the gang scheduler, as the slice's owner, or the local scheduler."""

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
    "local_ns": pl.Int64,  # part of compute, message and spin of tasks that the local scheduler chose
    "disk_ns": pl.Int64,  # the processor's disk served requests
}
"""A row per period of ``sums_s`` and processor, in this order: compute to empty add up to its length."""

JOB_ACTIVITY_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,
    "compute_ns": pl.Int64,
    "message_ns": pl.Int64,
    "spin_ns": pl.Int64,
    "switch_ns": pl.Int64,  # switches to its tasks
    "local_ns": pl.Int64,
    "disk_ns": pl.Int64,  # its requests were served, whole or as far as they were when the run ended
    "messages": pl.Int64,  # messages received
    "barriers": pl.Int64,  # barriers, or ends of phases, passed by all its tasks
    "requests": pl.Int64,  # disk requests begun to be served
    "blocked": pl.Int64,  # times a task blocked at a receive, a barrier or the end of a phase
    "local_runs": pl.Int64,  # times the local scheduler chose one of its tasks
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
"""What processors did within the window, without gaps: by processor, then time; a row ends with its statement, wait or choice,
with the slice and with the window."""

TRACE_DISKS_COLUMNS: dict[str, Any] = {
    "processor": pl.Int32,
    "job": pl.Int64,
    "task": pl.Int32,
    "issued_ns": pl.Int64,
    "begin_ns": pl.Int64,
    "end_ns": pl.Int64,
}
"""Disk requests that were issued within the window, by processor, then issue; begin and end may lie after it."""

TRACE_MESSAGES_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,
    "message": pl.Int64,
    "sender": pl.Int32,
    "receiver": pl.Int32,
    "sent_ns": pl.Int64,  # end of the send
    "arrived_ns": pl.Int64,
    "received_ns": pl.Int64,  # end of the receive; null while it has not been
}
"""Messages whose send ended or whose receive ended within the window; in supersteps number = superstep x size + sender."""

TRACE_BARRIERS_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,
    "barrier": pl.Int64,  # 0, 1, ... within the job
    "task": pl.Int32,
    "arrived_ns": pl.Int64,
    "released_ns": pl.Int64,  # null while it has not been
}
"""Arrivals of tasks at barriers, and at ends of phases, within the window."""

TRACE_SLICES_COLUMNS: dict[str, Any] = {
    "begin_ns": pl.Int64,
    "row": pl.Int32,  # row of the matrix, or of the cycle, whose turn the slice is
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
"""What was learned of the tasks that ran in a slice that ends within the window: by slice, job, task; none without classifier."""

TABLES = {
    "processor_activity": Table(
        PROCESSOR_ACTIVITY_COLUMNS, "what a processor did with its time in a period", "processor-activity/v1"
    ),
    "job_activity": Table(JOB_ACTIVITY_COLUMNS, "what a job's tasks did with their time", "job-activity/v1"),
    "trace": Table(
        TRACE_COLUMNS, "what a processor did, and for which task, within the window of the trace", "trace/v1"
    ),
    "trace_disks": Table(TRACE_DISKS_COLUMNS, "a disk request of the window of the trace", "trace-disks/v1"),
    "trace_messages": Table(TRACE_MESSAGES_COLUMNS, "a message of the window of the trace", "trace-messages/v1"),
    "trace_barriers": Table(
        TRACE_BARRIERS_COLUMNS, "an arrival at a barrier within the window of the trace", "trace-barriers/v1"
    ),
    "trace_slices": Table(
        TRACE_SLICES_COLUMNS, "the owner of a slice on a processor, in the window of the trace", "trace-slices/v1"
    ),
    "trace_memberships": Table(
        TRACE_MEMBERSHIPS_COLUMNS,
        "what was learned of a task in a slice of the window of the trace",
        "trace-memberships/v1",
    ),
}

FAMILY = Family(
    name="concurrent_gang",
    label="Concurrent Gang",
    allocation=(
        "a job's tasks are bound to their processors, from its placement to its end; `slot` is the row it was placed in, "
        "`work_us` what its tasks computed, communicated, read and wrote, per processor, and `rate` that over the time"
    ),
    preemption="none is counted: slices take turns, and tasks on a processor do",
    sharing="jobs",
    checker="scheduler_core.checker.concurrent_gang",
    unchecked=(
        "what happened between the sums and outside the window of the trace, beyond what sums and finishes say of it",
        "which of the waiting jobs is placed, and in which row",
    ),
    metrics=(*RESPONSE_METRICS, *MACHINE_METRICS),
    leading=("mean_response", "mean_slowdown", "utilisation"),
    wait="response_less_runtime",
    diagram="activities",
    measuring=None,
    tables=TABLES,
    companions=("applications", "programs"),
)
