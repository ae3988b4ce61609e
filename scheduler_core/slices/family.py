"""The declaration of slices of classes (SCOJO-PECT): tables and metrics of their schedules."""

from typing import Any

import polars as pl

from scheduler_core.contracts import JobClass
from scheduler_core.declarations.families import MACHINE_METRICS, RESPONSE_METRICS, Family, Table

SLICES_COLUMNS: dict[str, Any] = {
    "cluster": pl.Int16,
    "begin_us": pl.Int64,
    "end_us": pl.Int64,
    "class": JobClass,  # the class of jobs the machine belongs to; `slot` of an allocation is its number: 0, 1, 2
    "overhead_us": pl.Int64,  # from begin_us on, in which no job runs: the machine is being switched
}
"""The slices of a machine that belongs to one class of jobs at a time; in an interval without any job there are none.

They define each class's **class clock**, the time the slices of the class have worked: at time t the sum of
max(0, min(t, end) - begin - overhead) over the class's slices.
"""

PROMISES_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,
    "cluster": pl.Int16,
    "made_us": pl.Int64,  # when the promise was made; it holds until another is made to the job
    "group": pl.Int64,  # the group whose formation or end renewed the promise; 0: made at submission
    "clock_us": pl.Int64,  # class clock at which the job starts at the latest
    "finish_us": pl.Int64,  # time at which it finishes at the latest
}
"""The promises made to waiting jobs where reservations are kept, in the order in which they were made."""

TABLES = {
    "slices": Table(SLICES_COLUMNS, "slices/v1"),
    "promises": Table(PROMISES_COLUMNS, "promises/v1"),
    "groups": Table(  # a group of jobs whose order was optimised together, and the search for it
        {
            "cluster": pl.Int16,
            "group": pl.Int64,  # 1, 2, ... in the order of formation
            "class": JobClass,
            "formed_us": pl.Int64,
            "ended_us": pl.Int64,  # the last finish of all where it was open still
            "jobs": pl.Int64,
            "long_wide": pl.Int64,  # long-wide jobs the first level ordered; 0: it was not needed
            "orders": pl.Int64,  # orders the second level generated, over all parts of the group
            "tree_nodes": pl.Int64,  # nodes of its search trees
            "pruned": pl.Int64,  # tree nodes cut above the leaves
            "pruned_leaves": pl.Int64,
            "placements": pl.Int64,  # jobs scheduled virtually, for all purposes
            "heuristic_slowdown": pl.Float64,  # total estimated slowdown of the heuristic's own order
            "slowdown": pl.Float64,  # of the order that was chosen
        },
        "groups/v2",
    ),
    "members": Table(  # a job of a group, and its place in the order
        {
            "cluster": pl.Int16,
            "group": pl.Int64,
            "place": pl.Int64,  # 1, 2, ... in the order that was chosen
            "job": pl.Int64,
        },
        "members/v1",
    ),
    "improvements": Table(  # a better order found by the search, the heuristic's own first
        {
            "cluster": pl.Int16,
            "group": pl.Int64,
            "part": pl.Int64,  # part of a group that was split, 0 or 1
            "orders": pl.Int64,  # orders generated so far in this part
            "slowdown": pl.Float64,  # least total estimated slowdown found so far, the part's predecessors included
        },
        "improvements/v1",
    ),
}

FAMILY = Family(
    name="slices",
    label="Slices of classes (SCOJO-PECT)",
    sharing="none",
    unchecked=(
        "which of the waiting jobs is lent processors, and when",
        "which of the free processors a job gets",
        "the reservations between the recorded promises",
        "that the search takes the recorded paths, and that it estimates slowdowns correctly",
    ),
    counters=(
        *("passes", "slices", "backfilled", "resumed_elsewhere", "started_elsewhere", "planned_elsewhere", "dynamic"),
        *("requests", "groups_medium", "groups_long", "grouped", "searches", "orders", "tree_nodes", "pruned"),
        *("pruned_leaves", "placements"),
    ),
    unproved=(
        "allocations.processor_ids",
        *("groups.heuristic_slowdown", "groups.slowdown"),
        *("improvements", "improvements.orders", "improvements.slowdown"),
        *("counters.backfilled", "counters.dynamic", "counters.passes", "counters.requests", "counters.searches"),
    ),
    metrics=(
        *RESPONSE_METRICS,
        *MACHINE_METRICS,
        "mean_time_to_start",
        "groups",
        "groups_medium",
        "groups_long",
        "grouped_share",
        "mean_group_size",
        "mean_group_size_medium",
        "mean_group_size_long",
        "tree_nodes",
        "pruned_tree_nodes",
        "tree_nodes_per_group",
        "pruned_share",
        "pruned_with_leaves_share",
        "first_level_share",
        "search_gain",
    ),
    leading=("mean_response", "mean_bounded_slowdown_600", "mean_wait", "utilisation"),
    wait="response_less_runtime",
    tables=TABLES,
    measures={"groups": "how groups form and how their orders are searched"},
    depends_on=("class",),
)
