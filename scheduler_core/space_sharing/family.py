"""The declaration of space sharing: metrics of its schedules."""

from typing import Any

import polars as pl

from scheduler_core.declarations.families import MACHINE_METRICS, RESPONSE_METRICS, Family, Table

PROMISES_COLUMNS: dict[str, Any] = {
    "job": pl.Int64,
    "made_us": pl.Int64,  # when the promise was made, to a waiting job
    "latest_us": pl.Int64,  # the job starts no later
}
"""The promises that a policy of the user's own made, in order. All promises to a job count."""

FAMILY = Family(
    name="space_sharing",
    label="Space sharing",
    sharing="none",
    unchecked=(
        "which of the waiting jobs the policy starts, and when",
        "which of the free processors a job gets",
        "that no start delays a reservation",
    ),
    counters=(*("passes", "candidates_looked_at", "backfilled", "reservations_moved"),),
    unproved=(
        *("counters.backfilled", "counters.candidates_looked_at", "counters.passes"),
        "counters.reservations_moved",
    ),
    metrics=(
        *RESPONSE_METRICS,
        *MACHINE_METRICS,
        "steady_utilisation",
        "loss_of_capacity",
        "late_share",
        "mean_miss_time",
    ),
    leading=("mean_response", "mean_wait", "mean_bounded_slowdown_10", "p95_wait", "utilisation"),
    wait="to_first_start",
    depends_on=("credit_us",),
    standstills=True,
    optional_tables={"promises": Table(PROMISES_COLUMNS, "space-sharing-promises/v1")},
)
