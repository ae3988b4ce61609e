"""HEFT: weights of tasks and of transfers, and the ranks that put tasks in order (Cao 2009, section 4.4.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scheduler_core.grid.workflow import Clusters, Edge, Task, Workflow


def task_weight(estimates_us: Sequence[int]) -> float:
    """Return the mean execution time of a task over the clusters that fit it: formula (1)."""
    return sum(estimates_us) / len(estimates_us)


def transfer_weight(edge: Edge, clusters: Clusters) -> float:
    """Return the mean time of a transfer over all pairs of clusters that fit its tasks: formula (2)."""
    sources, targets = clusters.that_fit(edge.source.size), clusters.that_fit(edge.target.size)
    pairs = len(sources) * len(targets)
    if edge.matrix is not None:
        if pairs == edge.matrix.size:
            return edge.total_us / pairs
        return int(edge.matrix[np.ix_(sources, targets)].sum()) / pairs
    same = min(len(sources), len(targets))  # the clusters that fit the larger of the two fit the other
    return edge.transfer_us * (pairs - same) / pairs


def ranks(
    tasks: Sequence[int], weights: Mapping[int, float], transfers: Mapping[tuple[int, int], float]
) -> dict[int, float]:
    """Return the rank of every task by formula (3), from the exit upwards; each of ``tasks`` stands behind those it waits for."""
    found: dict[int, float] = {}
    after: dict[int, list[int]] = {task: [] for task in tasks}
    for source, target in transfers:
        after[source].append(target)
    for task in reversed(tasks):
        behind = [weights[task] + transfers[task, target] + found[target] for target in after[task]]
        found[task] = max(behind, default=weights[task])
    return found


def rank(workflow: Workflow, clusters: Clusters) -> list[Task]:
    """Enter the ranks of a workflow's tasks; return them in order of rank, highest first, ties by number."""
    weights, transfers = {}, {}
    for task in workflow.tasks:
        estimates = [
            clusters.times(task.job, task.runtime_us, task.estimate_us, cluster)[1]
            for cluster in clusters.that_fit(task.size)
        ]
        weights[task.number] = task_weight(estimates)
        for edge in task.after:
            transfers[task.number, edge.target.number] = transfer_weight(edge, clusters)
    found = ranks([task.number for task in workflow.tasks], weights, transfers)
    for task in workflow.tasks:
        task.rank = found[task.number]
    return sorted(workflow.tasks, key=lambda task: (-task.rank, task.number))
