"""What schedules of gang scheduling are."""

from __future__ import annotations

from scheduler_core.contracts import LEVELS_COLUMNS, LEVELS_VERSION, TURN_COLUMNS
from scheduler_core.family import MACHINE_METRICS, RESPONSE_METRICS, Family, Table

FAMILY = Family(
    name="gang",
    label="Gang scheduling",
    allocation=(
        "a job stands on its processors in a slot of the Ousterhout matrix, with one size and one rate; it works while "
        "the slot has its turn, at this rate"
    ),
    preemption=(
        "a gap between two allocations, in which the job has no place in any slot; that other slots take their turns "
        "is none"
    ),
    sharing="slots",
    checker="scheduler_core.checker.gang",
    unchecked=(
        "which of the waiting jobs the policy places, and when",
        "which slot and which of the free processors a job gets",
        "that a size follows from the load, and who is resized",
    ),
    metrics=(
        *RESPONSE_METRICS,
        *MACHINE_METRICS,
        "effective_utilisation",
        "job_efficiency",
        "mean_job_efficiency",
        "makespan_from_first_start",
        "fragmentation",
        "accounted_capacity",
        "mean_level",
        "resizings",
        "resized_processors",
        "low_share",
        "normal_share",
        "high_share",
    ),
    leading=("mean_response", "mean_relative_response", "makespan_from_first_start", "effective_utilisation"),
    wait="response_less_runtime",
    diagram="matrix",
    tables={
        "levels": Table(
            LEVELS_COLUMNS,
            "from the first start to the last finish, how many slots take turns and the share of the time of each",
            LEVELS_VERSION,
        )
    },
    allocation_columns=TURN_COLUMNS,
    depends_on=("class", "flexibility", "size_min", "size_max", "memory_kb"),
)
