"""What metrics are called, their units, and how many digits of them make sense."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Metric:
    """How a metric is spoken of.

    ``divisor`` turns the stored unit into the one people read; ``better`` is ``low`` or ``high``.
    """

    label: str
    unit: str
    divisor: float = 1.0
    better: str = "low"

    @property
    def title(self) -> str:
        """Label with its unit, for axes and table heads."""
        return f"{self.label} ({self.unit})" if self.unit else self.label


HOUR = 3600.0

METRICS = {
    "mean_wait": Metric("Mean wait", "h", HOUR),
    "median_wait": Metric("Median wait", "h", HOUR),
    "p95_wait": Metric("95th percentile of wait", "h", HOUR),
    "p99_wait": Metric("99th percentile of wait", "h", HOUR),
    "mean_response": Metric("Mean response time", "h", HOUR),
    "mean_slowdown": Metric("Mean slowdown", ""),
    "mean_bounded_slowdown_10": Metric("Mean bounded slowdown", ""),
    "mean_bounded_slowdown_60": Metric("Mean bounded slowdown, bound 60 s", ""),
    "mean_bounded_slowdown_600": Metric("Mean bounded slowdown, bound 600 s", ""),
    "mean_relative_response": Metric("Mean relative response time, bound 60 s", ""),
    "utilisation": Metric("Utilisation", "%", 0.01, "high"),
    "loss_of_capacity": Metric("Loss of capacity", "%", 0.01),
    "makespan": Metric("Makespan", "days", 86400.0),
    "makespan_from_first_start": Metric("Makespan from the first start", "h", HOUR),
    "effective_utilisation": Metric("Effective utilisation", "%", 0.01, "high"),
    "job_efficiency": Metric("Accumulated job efficiency", "%", 0.01, "high"),
    "mean_job_efficiency": Metric("Mean efficiency of a job", "%", 0.01, "high"),
    "fragmentation": Metric("Fragmentation", "%", 0.01),
    "mean_level": Metric("Mean level", "slots"),
    "mean_time_to_start": Metric("Mean time to the first start", "h", HOUR),
    "mean_whole_slowdown_600": Metric("Mean bounded slowdown rounded up, bound 600 s", ""),
    "core_utilisation": Metric("Utilisation between a tenth and nine tenths of the submissions", "%", 0.01, "high"),
    "groups": Metric("Groups", ""),
    "grouped_share": Metric("Medium and long jobs in groups", "%", 0.01, "high"),
    "mean_group_size": Metric("Mean size of a group", "jobs", better="high"),
    "tree_nodes_per_group": Metric("Tree nodes per group", "tree nodes"),
    "pruned_share": Metric("Nodes pruned", "%", 0.01, "high"),
    "utilisation_efficiency": Metric("Utilisation efficiency", "%", 0.01, "high"),
    "mean_response_over_elapsed": Metric("Mean response time over time from start to finish", ""),
    "shared_share": Metric("Processor time that jobs share", "%", 0.01, "high"),
    "paired_share": Metric("Jobs that ever shared", "%", 0.01, "high"),
    "slowdown_while_sharing": Metric("Slowdown while sharing", ""),
    "busy_time": Metric("Time in which a job ran", "h", HOUR),
    "pairs": Metric("Pairs", "", better="high"),
    "pairs_with_running_share": Metric("Pairs with a job that ran already", "%", 0.01, "high"),
    "pairs_by_backfilling_share": Metric("Pairs formed while backfilling", "%", 0.01, "high"),
    "mean_pair_slowdown": Metric("Mean slowdown of a pair", ""),
    "mean_looked_at": Metric("Mean queue behind the job", "jobs"),
    "mean_rank": Metric("Mean place of the chosen partner", ""),
    "mean_reserved_delay": Metric("Mean delay of reserved starts", "s"),
    "max_reserved_delay": Metric("Longest delay of a reserved start", "s"),
    "workflows": Metric("Workflows", "", better="high"),
    "rejected_workflows": Metric("Workflows rejected", ""),
    "mean_workflow_makespan": Metric("Mean makespan of a workflow", "h", HOUR),
    "max_workflow_makespan": Metric("Longest makespan of a workflow", "h", HOUR),
    "mean_workflow_response": Metric("Mean response time of a workflow", "h", HOUR),
    "mean_clusters_per_workflow": Metric("Mean clusters of a workflow", ""),
    "late_tasks_share": Metric("Tasks that end after their frame", "%", 0.01),
    "reservation_share": Metric("Tasks among medium and long jobs", "%", 0.01),
    "slides_per_task": Metric("Slides of a booked task", ""),
    "mean_slowdown_from_ready": Metric("Mean slowdown from the arrival of data", ""),
    "later_than_predicted_share": Metric("Jobs that end later than predicted", "%", 0.01),
    "mean_response_over_predicted": Metric("Mean response time over the predicted one", ""),
    "jobs_completed": Metric("Jobs completed", "", better="high"),
    "jobs_unfinished": Metric("Jobs not completed", ""),
    "unfinished_jobs": Metric("Jobs unfinished as the run ended", ""),
    "one_task_submitted_share": Metric("Jobs of one task among the submitted", "%", 0.01),
    "one_task_completed_share": Metric("Jobs of one task among the completed", "%", 0.01),
    "utilisation_spin_busy": Metric("Utilisation, spinning counted as running", "%", 0.01, "high"),
    "utilisation_spin_idle": Metric("Utilisation, spinning counted as idle", "%", 0.01, "high"),
    "idle_time_spin_busy": Metric("Idle time, spinning counted as running", "processor hours", HOUR),
    "idle_time_spin_idle": Metric("Idle time, spinning included", "processor hours", HOUR),
    "compute_share": Metric("Computing", "%", 0.01, "high"),
    "message_share": Metric("Sending and receiving", "%", 0.01),
    "spin_share": Metric("Spinning", "%", 0.01),
    "switch_share": Metric("Switching", "%", 0.01),
    "blocked_share": Metric("Idle, the owner blocked", "%", 0.01),
    "empty_share": Metric("Idle, no owner", "%", 0.01),
    "local_share": Metric("Work chosen by local schedulers", "%", 0.01),
    "disk_utilisation": Metric("Utilisation of disks", "%", 0.01, "high"),
    "mean_tasks_per_processor": Metric("Mean tasks of a processor", "tasks"),
    "mean_rows": Metric("Mean rows", "rows"),
    "utilisation_while_submitting": Metric("Utilisation up to the last submission", "%", 0.01, "high"),
}
"""Metrics by their name in the store."""

NAMES = re.compile(rf"\b({'|'.join(METRICS)})\b")


def metric(name: str) -> Metric:
    """Return how a metric is spoken of; a name the vocabulary does not know is spelt out."""
    return METRICS.get(name, Metric(name.replace("_", " ").capitalize(), ""))


def spoken(text: str) -> str:
    """Write the metrics' names in a text as figures and tables call them."""
    return NAMES.sub(lambda match: METRICS[match[0]].label.lower(), text)


def significant(value: float | None, digits: int = 3) -> str:
    """Write a number with ``digits`` significant digits, thousands separated, without an exponent."""
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return "0"
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{round(value, places):,.{min(places, 6)}f}".replace("-", "−")


def places_of(value: float | None, low: float | None = None, high: float | None = None) -> int:
    """Return how many decimals of a value tell something.

    Without an interval these are three significant digits. With one, half its width has two digits, and the whole never more
    than three significant digits; four where it is between 1 and 2, as ratios near 1 are.
    """
    ends = [abs(end) for end in (value, low, high) if end is not None and math.isfinite(end)]
    largest = max(ends, default=0.0)
    if not largest:
        return 0
    three = 2 - math.floor(math.log10(largest))
    half = (high - low) / 2 if low is not None and high is not None else 0.0
    if not half > 0 or not math.isfinite(half):
        return min(max(0, three), 6)
    return min(max(0, 1 - math.floor(math.log10(half))), max(0, three + (1 <= largest < 2)), 6)


def fixed(value: float | None, places: int) -> str:
    """Write a number with so many decimals, thousands separated; what is zero to them has no sign."""
    if value is None or not math.isfinite(value):
        return significant(value)
    return f"{round(value, places) or 0.0:,.{places}f}".replace("-", "−")


def measured(
    value: float | None, low: float | None = None, high: float | None = None, most: int = 6
) -> tuple[str, str]:
    """Write a value and its interval with the decimals that tell something, at most ``most``; a dash where there is none."""
    places = min(places_of(value, low, high), most)
    return fixed(value, places), interval(fixed(low, places), fixed(high, places))


def interval(low: str, high: str) -> str:
    """Write an interval so that signs inside stay readable."""
    return "–" if "–" in (low, high) else f"{low} to {high}"


def factor(value: float | None) -> str:
    """Write a ratio: to a thousandth near 1, where such digits tell, otherwise with three significant digits."""
    near = value is not None and 0.1 <= value < 10
    return f"{value:.3f}" if near else significant(value)


def count(value: float | None) -> str:
    """Write a count with thousands separated."""
    return "–" if value is None else f"{int(value):,}"


def printed_number(text: str, unit: str) -> float | None:
    """Return the number that a source prints, where its text is that number in the unit and nothing else."""
    found = re.fullmatch(rf"\s*([+−-]?\d[\d,]*(?:\.\d+)?)\s*{re.escape(unit)}\s*", text or "")
    return float(found[1].replace("−", "-").replace(",", "")) if found else None


def joined(words: list[str]) -> str:
    """Join words as a sentence does."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
