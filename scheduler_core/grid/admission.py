"""Admission: which workflows the grid takes (Cao 2009, section 4.5; no rule to reject any is printed there)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.grid.workflow import Clusters, Workflow


def admitted(workflows: Sequence[Workflow], clusters: Clusters) -> tuple[list[Workflow], list[Workflow]]:
    """Return the workflows that are placed, and those that are rejected whole: no cluster fits one of their tasks."""
    taken: list[Workflow] = []
    rejected: list[Workflow] = []
    for workflow in workflows:
        fits = all(clusters.that_fit(task.size) for task in workflow.tasks)
        (taken if fits else rejected).append(workflow)
    return taken, rejected
