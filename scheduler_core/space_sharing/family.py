"""The declaration of space sharing: metrics and meaning of its schedules."""

from scheduler_core.declarations.families import MACHINE_METRICS, RESPONSE_METRICS, Family

FAMILY = Family(
    name="space_sharing",
    label="Space sharing",
    allocation="a job holds its processors for itself, at rate 1, from its start to its finish",
    preemption="none: a job that has started runs to its end",
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
)
