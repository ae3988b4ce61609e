"""The family of gang scheduling: its tables, metrics and rules for schedules."""

from typing import Any

import polars as pl

from scheduler_core.declarations.families import MACHINE_METRICS, RESPONSE_METRICS, Family, Table

TURN_COLUMNS: dict[str, Any] = {
    "turn_us": pl.Int64,  # time within the allocation in which its slot had its turns: slot clock at end less at begin
    "overhead_us": pl.Int64,  # part of turn_us that did no work: the job was being reconfigured
}
"""Columns of ``allocations`` beside those of all families.

``rate`` is the speed while the slot has its turn: |work - rate x (turn - overhead)| <= 1 + rate microseconds. A job that
fills idle slots has several allocations at one time, each in another slot.
"""

LEVELS_COLUMNS: dict[str, Any] = {
    "cluster": pl.Int16,
    "begin_us": pl.Int64,
    "end_us": pl.Int64,
    "level": pl.Int32,  # slots that take turns: the multiprogramming level in force; 0 while nothing runs
    "share": pl.Float64,  # part of the time each slot gets: 1 / level, less where switching slows progress; 0 at level 0
}
"""The table ``levels``: from the first start to the last finish without gaps, a row per time of equal level and share
(neighbours differ).

It defines each cluster's **slot clock**, the time every slot of it has had its turn: it stands at 0 when the first row
begins and advances by floor(length x share) over a row; within a row, at time t, by floor((t - begin) x share).
"""

FAMILY = Family(
    name="gang",
    label="Gang scheduling",
    sharing="slots",
    unchecked=(
        "which of the waiting jobs the policy places, and when",
        "which slot and which of the free processors a job gets",
        "that sizes follow from the load, and which jobs are resized",
    ),
    counters=(
        *("passes", "backfilled", "resizings", "resized_processors", "slots_opened", "busy_us", "idle_us"),
        *("resizing_us", "normal_us", "low_us", "high_us"),
    ),
    unproved=(
        *("allocations.overhead_us", "allocations.processor_ids", "allocations.slot"),
        *("counters.backfilled", "counters.passes", "counters.resizing_us", "counters.slots_opened"),
    ),
    metrics=(
        *RESPONSE_METRICS,
        *MACHINE_METRICS,
        *("mean_time_to_start", "effective_utilisation", "job_efficiency", "mean_job_efficiency"),
        *("makespan_from_first_start", "fragmentation", "accounted_capacity", "mean_level"),
        *("resizings", "resized_processors", "low_share", "normal_share", "high_share"),
    ),
    leading=("mean_response", "mean_relative_response", "makespan_from_first_start", "effective_utilisation"),
    wait="response_less_runtime",
    tables={"levels": Table(LEVELS_COLUMNS, "levels/v1")},
    allocation_columns=TURN_COLUMNS,
    processor_time="turn_us",
    measures={"packing": "slots against the fewest possible", "memory": "memory in use against what could be"},
    depends_on=("class", "flexibility", "size_min", "size_max", "memory_kb"),
)
