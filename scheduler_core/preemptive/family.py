"""The declaration of preemptive space sharing: metrics of its schedules."""

from scheduler_core.declarations.families import MACHINE_METRICS, RESPONSE_METRICS, Family
from scheduler_core.space_sharing.family import FAMILY as SPACE_SHARING

FAMILY = Family(
    name="preemptive",
    label="Preemptive space sharing",
    sharing="none",
    unchecked=(
        "which jobs the policy starts, suspends and resumes, and when",
        "that sizes are those that the policy chooses",
        "which of the free processors a job gets",
    ),
    counters=("passes",),
    unproved=("allocations.processor_ids", "counters.passes"),
    metrics=(*RESPONSE_METRICS, *MACHINE_METRICS, "mean_time_to_start"),
    leading=("mean_response", "mean_wait", "mean_bounded_slowdown_10", "p95_wait", "utilisation"),
    wait="response_less_runtime",
    standstills=True,
    drawn_with="space_sharing",
    optional_tables=SPACE_SHARING.optional_tables,
    depends_on=("flexibility", "size_min", "size_max"),
)
