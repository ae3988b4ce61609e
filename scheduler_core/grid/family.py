"""The declaration of a grid of clusters: tables and metrics of its schedules."""

import polars as pl

from scheduler_core.declarations.families import MACHINE_METRICS, RESPONSE_METRICS, Family, Table
from scheduler_core.slices.family import PROMISES_COLUMNS, SLICES_COLUMNS
from scheduler_core.stepping.local_scheduler import SLIDES_COLUMNS

TABLES = {  # on clusters in slices, slices and promises as in that family; promises to jobs that are not booked
    "slices": Table(SLICES_COLUMNS, "slices/v1"),
    "promises": Table(PROMISES_COLUMNS, "promises/v1"),
    "reservations": Table(  # a task that was booked, and what became of it; in the order in which they were booked
        {
            "workflow": pl.Int64,
            "task": pl.Int64,
            "job": pl.Int64,
            "cluster": pl.Int16,  # the cluster that was chosen
            "made_us": pl.Int64,  # when it was booked: the submission of the workflow
            "rank": pl.Float64,  # its rank, in microseconds: formula (3) over means
            "earliest_us": pl.Int64,  # EST: begin of the frame, as booked
            "from_us": pl.Int64,  # ST: the start that was given to the prediction
            "start_us": pl.Int64,  # SST: the start that was predicted
            "finish_us": pl.Int64,  # PRT: the finish that was predicted
            "latest_us": pl.Int64,  # LFT: end of the frame; a task that finishes later is late
            "expected_us": pl.Int64,  # when its data were expected: latest finish of predecessors plus transfer
            "ready_us": pl.Int64,  # when its data had arrived
            "freed_us": pl.Int64,  # EST in force at its start: with propagation it may be lower than as booked
        },
        "reservations/v1",
    ),
    "candidates": Table(  # a cluster that was asked for a task; in the order in which they were asked
        {
            "workflow": pl.Int64,
            "task": pl.Int64,
            "job": pl.Int64,
            "cluster": pl.Int16,
            "from_us": pl.Int64,  # the start that was given to the prediction, on this cluster
            "start_us": pl.Int64,  # what was predicted
            "finish_us": pl.Int64,
            "earliest_us": pl.Int64,  # the frame it would have had
            "latest_us": pl.Int64,
            "chosen": pl.Boolean,
        },
        "candidates/v1",
    ),
    "slides": Table(SLIDES_COLUMNS, "slides/v1"),
    "arrivals": Table(  # a transfer of data between tasks; by workflow and tasks; none where tasks are independent
        {
            "workflow": pl.Int64,
            "from_task": pl.Int64,
            "to_task": pl.Int64,
            "from_cluster": pl.Int16,
            "to_cluster": pl.Int16,
            "sent_us": pl.Int64,  # the finish of the first task
            "arrived_us": pl.Int64,  # the second task has the data
        },
        "arrivals/v1",
    ),
}

FAMILY = Family(
    name="grid",
    label="Grid of clusters",
    sharing="none",
    unchecked=(
        "which of the possible start times a cluster predicts",
        "that waiting jobs are planned in the order of submission, except for the first of a recalculated queue",
        "that a slot gets the earliest time that the jobs before it leave, except for kept ones that move down",
        "which other waiting jobs start, and when, beyond what was promised; which jobs are lent processors",
        "that under space sharing no start delays a reservation",
        "which of the free processors a job gets",
        "the slots of booked tasks between the times recorded in `slides`",
        "that processors idle for a kept slot until its bound, if it moved as an interval began",
    ),
    counters=(
        *("workflows", "rejected_workflows", "tasks", "predictions", "bookings", "slides_up", "slides_down"),
        *("lost_slots", "late_tasks", "passes", "slices", "backfilled", "resumed_elsewhere", "started_elsewhere"),
        *("planned_elsewhere", "dynamic", "requests", "groups_medium", "groups_long", "grouped", "searches", "orders"),
        *("tree_nodes", "pruned", "pruned_leaves", "placements", "candidates_looked_at", "reservations_moved"),
    ),
    unproved=(
        "slides",
        *("counters.resumed_elsewhere", "counters.slices", "counters.started_elsewhere"),
        *("counters.backfilled", "counters.candidates_looked_at", "counters.dynamic", "counters.grouped"),
        *("counters.groups_long", "counters.groups_medium", "counters.orders", "counters.passes"),
        *("counters.placements", "counters.planned_elsewhere", "counters.pruned", "counters.pruned_leaves"),
        *("counters.requests", "counters.reservations_moved", "counters.searches", "counters.tree_nodes"),
    ),
    metrics=(
        *RESPONSE_METRICS,
        *MACHINE_METRICS,
        "mean_time_to_start",
        "workflows",
        "rejected_workflows",
        "mean_workflow_makespan",
        "max_workflow_makespan",
        "mean_workflow_response",
        "mean_clusters_per_workflow",
        "late_tasks_share",
        "reservation_share",
        "slides_per_task",
        "utilisation_while_submitting",
    ),
    leading=("mean_response", "mean_slowdown", "mean_workflow_makespan", "utilisation"),
    wait="response_less_runtime",
    tables=TABLES,
    depends_on=("class", "home"),
    companions=("tasks", "edges", "transfers", "run_times"),
)
