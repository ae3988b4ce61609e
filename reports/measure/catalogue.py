"""Every metric of the store: what it is called, its units, its range, which way is better, and whose jobs it needs.

The table ``metric_catalogue`` holds this declaration, so that SQL reads it too. Which metrics mean something for which
family stands in the families' own declarations (``scheduler_core/<family>/family.py``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reports.measure.queries import insert
from scheduler_core.declarations.families import families

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True, slots=True)
class Metric:
    """What is known of a metric.

    Parameters
    ----------
    label
        What figures and tables call it.
    stored_in
        Unit in the store; empty for ratios, shares and counts of what the label names.
    unit, divisor
        Unit that people read, and its size in the stored unit.
    better
        ``low``, ``high`` or ``neither``.
    least, most
        Natural range of the values; ``None`` where it is open.
    of_ended_jobs
        Whether it is measured of the jobs that ended. Runs that end before their jobs do are not compared by it.
    """

    label: str
    stored_in: str = ""
    unit: str = ""
    divisor: float = 1.0
    better: str = "low"
    least: float = 0.0
    most: float | None = None
    of_ended_jobs: bool = False

    @property
    def title(self) -> str:
        """Label with its unit, for axes and table heads."""
        return f"{self.label} ({self.unit})" if self.unit else self.label


def hours(label: str) -> Metric:
    """Return a metric stored in seconds and read in hours."""
    return Metric(label, "s", "h", 3600.0)


def seconds(label: str) -> Metric:
    """Return a metric stored and read in seconds."""
    return Metric(label, "s", "s")


def share(label: str, better: str = "low", most: float | None = 1.0) -> Metric:
    """Return a part of a whole, read in per cent."""
    return Metric(label, "", "%", 0.01, better, most=most)


def slowdown(label: str, least: float = 1.0) -> Metric:
    """Return a ratio to what cannot be beaten, where ``least`` is 1."""
    return Metric(label, least=least)


def counted(label: str, unit: str = "", better: str = "low", shown: str | None = None) -> Metric:
    """Return a number of something; ``shown`` where people read another unit than the stored one."""
    return Metric(label, unit, unit if shown is None else shown, better=better)


BOUNDS = {"10": "", "60": ", bound 60 s", "600": ", bound 600 s"}
"""Bounds of slowdowns in seconds, and the words that name them; 10 s needs none."""

STATISTICS = {
    "mean": "Mean {}",
    "median": "Median {}",
    "p95": "95th percentile of {}",
    "p99": "99th percentile of {}",
    "max": "Largest {}",
}
"""Statistics over the jobs of a unit, as names of metrics begin, and the words for them."""

OF_EVERY_JOB = {
    f"{statistic}_{measure}": replace(kind, label=words.format(kind.label))
    for statistic, words in STATISTICS.items()
    for measure, kind in {
        "wait": hours("wait"),
        "response": hours("response time"),
        "slowdown": slowdown("slowdown"),
        **{f"bounded_slowdown_{bound}": slowdown(f"bounded slowdown{words}") for bound, words in BOUNDS.items()},
    }.items()
}
"""Waits, response times and slowdowns: five statistics of each."""

OF_ENDED_JOBS = {
    **OF_EVERY_JOB,
    "jobs": counted("Jobs that ended", "jobs", "neither", shown=""),
    "mean_relative_response": Metric("Mean relative response time, bound 60 s"),
    "mean_time_to_start": hours("Mean time to the first start"),
    "mean_miss_time": hours("Mean miss time"),
    "late_share": share("Jobs that start later than is fair"),
    "makespan": Metric("Makespan", "s", "days", 86400.0),
    "makespan_from_first_start": hours("Makespan from the first start"),
    "makespan_over_bound": slowdown("Makespan over its lower bound"),
    "fragmentation_while_waiting": share("Fragmentation while jobs wait"),
    "mean_whole_slowdown_600": slowdown("Mean bounded slowdown rounded up, bound 600 s"),
    "mean_response_over_elapsed": Metric("Mean response time over time from start to finish"),
    "mean_response_over_elapsed_60": Metric("Mean response time over time from start to finish, bound 60 s"),
    "mean_response_over_predicted": Metric("Mean response time over the predicted one"),
    "slowdown_while_sharing": slowdown("Slowdown while sharing", least=0.0),
    "mean_pair_slowdown": slowdown("Mean slowdown of a pair", least=0.0),
    "mean_slowdown_fits": replace(counted("Mean candidates that slow down little enough", "jobs"), least=1.0),
    "mean_slowdown_from_ready": slowdown("Mean slowdown from the arrival of data"),
    "mean_workflow_makespan": hours("Mean makespan of a workflow"),
    "max_workflow_makespan": hours("Longest makespan of a workflow"),
    "mean_workflow_response": hours("Mean response time of a workflow"),
}
"""Metrics that jobs have once they have ended."""

OF_THE_MACHINE = {
    "utilisation": share("Utilisation", "high"),
    "steady_utilisation": share("Utilisation between first and last submission", "high"),
    "core_utilisation": share("Utilisation between a tenth and nine tenths of the submissions", "high"),
    "utilisation_while_submitting": share("Utilisation up to the last submission", "high"),
    "effective_utilisation": share("Effective utilisation", "high"),
    "utilisation_efficiency": share("Utilisation efficiency", "high", most=None),
    "utilisation_spin_busy": share("Utilisation, spinning counted as running", "high"),
    "utilisation_spin_idle": share("Utilisation, spinning counted as idle", "high"),
    "disk_utilisation": share("Utilisation of disks", "high"),
    "loss_of_capacity": share("Loss of capacity"),
    "fragmentation": share("Fragmentation"),
    "accounted_capacity": share("Processor time accounted for", "neither"),
    "job_efficiency": share("Accumulated job efficiency", "high"),
    "mean_job_efficiency": share("Mean efficiency of a job", "high"),
    "busy_time": hours("Time in which a job ran"),
    "idle_time_spin_busy": replace(hours("Idle time, spinning counted as running"), unit="processor hours"),
    "idle_time_spin_idle": replace(hours("Idle time, spinning included"), unit="processor hours"),
    "compute_share": share("Computing", "high"),
    "message_share": share("Sending and receiving"),
    "spin_share": share("Spinning"),
    "switch_share": share("Switching"),
    "blocked_share": share("Idle, the owner blocked"),
    "empty_share": share("Idle, no owner"),
    "local_share": share("Work chosen by local schedulers"),
    "shared_share": share("Processor time that jobs share", "high"),
}
"""Metrics of processor time."""

OF_DECISIONS = {
    "jobs_completed": counted("Jobs completed", "jobs", "high", shown=""),
    "jobs_unfinished": counted("Jobs not completed", "jobs", shown=""),
    "unfinished_jobs": counted("Jobs unfinished as the run ended", "jobs", shown=""),
    "one_task_submitted_share": share("Jobs of one task among the submitted"),
    "one_task_completed_share": share("Jobs of one task among the completed"),
    "mean_level": counted("Mean level", "slots"),
    "mean_tasks_per_processor": counted("Mean tasks of a processor", "tasks"),
    "mean_rows": counted("Mean rows", "rows"),
    "resizings": counted("Changes of size", "resizings", shown=""),
    "resized_processors": counted("Processors gained and given up in changes of size", "processors"),
    "low_share": share("Time at low load", "neither"),
    "normal_share": share("Time at normal load", "neither"),
    "high_share": share("Time at high load", "neither"),
    "dynamic_competitive_ratio": slowdown("Dynamic competitive ratio"),
    "packing_excess": counted("Excess of the dynamic competitive ratio over 1"),
    "memory_ratio": slowdown("Memory that could be in use over memory in use"),
    "completed": counted("Jobs completed by a time", "jobs", "high", shown=""),
    "jobs_at_arrival": counted("Jobs present at an arrival", "jobs"),
    "fewest_slots_at_arrival": counted("Fewest slots that could do at an arrival", "slots"),
    "groups": counted("Groups", "groups", shown=""),
    "groups_medium": counted("Groups of medium jobs", "groups", shown=""),
    "groups_long": counted("Groups of long jobs", "groups", shown=""),
    "grouped_share": share("Medium and long jobs in groups", "high"),
    "mean_group_size": counted("Mean size of a group", "jobs", "high"),
    "mean_group_size_medium": counted("Mean size of a group of medium jobs", "jobs", "high"),
    "mean_group_size_long": counted("Mean size of a group of long jobs", "jobs", "high"),
    "first_level_share": share("Groups whose long, wide jobs are ordered first", "neither"),
    "search_gain": share("Estimated slowdown that the search saves", "high", most=None),
    "tree_nodes": counted("Tree nodes", "tree nodes", shown=""),
    "tree_nodes_per_group": counted("Tree nodes per group", "tree nodes"),
    "pruned_tree_nodes": counted("Tree nodes pruned", "tree nodes", "high", shown=""),
    "pruned_share": share("Nodes pruned", "high"),
    "pruned_with_leaves_share": share("Nodes pruned, leaves included", "high"),
    "paired_share": share("Jobs that ever shared", "high"),
    "pairs": counted("Pairs", "pairs", "high", shown=""),
    "pairs_with_running_share": share("Pairs with a job that ran already", "high"),
    "pairs_by_backfilling_share": share("Pairs formed while backfilling", "high"),
    "mean_looked_at": counted("Mean queue behind the job", "jobs"),
    "mean_medium_long": counted("Mean candidates that run for long enough", "jobs"),
    "mean_size_fits": counted("Mean candidates whose size fits", "jobs"),
    "mean_memory_fits": counted("Mean candidates whose memory fits", "jobs"),
    "mean_types_match": counted("Mean candidates whose kind matches", "jobs"),
    "mean_rank": counted("Mean place of the chosen partner"),
    "reservations": counted("Reserved starts"),
    "mean_reserved_delay": seconds("Mean delay of reserved starts"),
    "max_reserved_delay": seconds("Longest delay of a reserved start"),
    "workflows": counted("Workflows", better="high"),
    "rejected_workflows": counted("Workflows rejected"),
    "mean_clusters_per_workflow": counted("Mean clusters of a workflow"),
    "late_tasks_share": share("Tasks that end after their frame"),
    "reservation_share": share("Tasks among medium and long jobs"),
    "later_than_predicted_share": share("Jobs that end later than predicted"),
    "started_elsewhere_share": share("Jobs that first run in another class's slice"),
    "slides_per_task": counted("Slides of a booked task"),
}
"""Metrics of what schedulers do: numbers of jobs, groups, pairs, slots and bookings."""

METRICS: dict[str, Metric] = {
    **{name: replace(metric, of_ended_jobs=True) for name, metric in OF_ENDED_JOBS.items()},
    **OF_THE_MACHINE,
    **OF_DECISIONS,
}
"""Metrics by their name in the store."""

NAMES = re.compile(rf"\b({'|'.join(name for name in METRICS if '_' in name)})\b")
"""Names that no English word is."""


def metric(name: str) -> Metric:
    """Return the entry of a metric; a name that the catalogue does not know is spelt out."""
    return METRICS[name] if name in METRICS else Metric(name.replace("_", " ").capitalize())


def spoken(text: str) -> str:
    """Return a text with the names of metrics replaced by their labels."""
    return NAMES.sub(lambda match: METRICS[match[0]].label.lower(), text)


def families_with(name: str) -> list[str]:
    """Return the families that declare a metric."""
    return [family.name for family in families().values() if name in family.metrics]


def load_catalogue(connection: duckdb.DuckDBPyConnection) -> None:
    """Fill ``metric_catalogue``."""
    insert(
        connection,
        "metric_catalogue",
        [
            (name, m.label, m.stored_in, m.unit, m.divisor, m.better, m.least, m.most, m.of_ended_jobs,
             families_with(name))
            for name, m in METRICS.items()
        ],
    )  # fmt: skip
