"""What schedules of slices of classes (SCOJO-PECT) are."""

from __future__ import annotations

from scheduler_core.contracts import SLICE_TABLES, SLICE_TABLES_VERSION
from scheduler_core.family import MACHINE_METRICS, RESPONSE_METRICS, Family, Table

MEANINGS = {
    "slices": "a slice: the time in which the machine belongs to one class of jobs",
    "promises": "the latest start and finish promised to a waiting job, in the order in which promises were made",
    "groups": "a group of jobs whose order was optimised together, and the search for it",
    "members": "a job of a group, and its place in the order",
    "improvements": "a better order found by the search, the heuristic's own first",
}

FAMILY = Family(
    name="slices",
    label="Slices of classes (SCOJO-PECT)",
    allocation=(
        "a job holds its processors for itself, at rate 1, within one slice; `slot` is the class the slice belongs to"
    ),
    preemption="the gap between two allocations: the job is suspended as a slice ends",
    sharing="none",
    checker="scheduler_core.checker.slices",
    unchecked=(
        "which of the waiting jobs is lent processors, and when",
        "which of the free processors a job gets",
        "where reservations stand between the promises made",
        "that the search takes the paths it says, and estimates slowdowns rightly",
    ),
    metrics=(
        *RESPONSE_METRICS,
        *MACHINE_METRICS,
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
    leading=("mean_response", "mean_bounded_slowdown_600", "mean_total_wait", "utilisation"),
    wait="response_less_runtime",
    diagram="slices",
    tables={
        name: Table(columns, MEANINGS[name], f"{SLICE_TABLES_VERSION} {name}") for name, columns in SLICE_TABLES.items()
    },
    depends_on=("class",),
)
