"""Reading the key ``workflows`` of a definition: which jobs become workflows, and of what kind.

The value is a mapping of the parameters of one of :data:`KINDS`. A key that only one kind has selects it; without such a key,
jobs are split into five tasks (:class:`traces.shape.split_jobs.SplitJobs`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scheduler_core.common.errors import ParameterError
from traces.shape.graph_workflows import ShapedJobs, WorkflowFiles
from traces.shape.split_jobs import SplitJobs
from traces.shape.workflow_jobs import Workflows

KINDS: dict[str, type[Workflows]] = {"split": SplitJobs, "shape": ShapedJobs, "files": WorkflowFiles}
"""Kinds of workflows by the key that selects them."""


def read_workflows(written: Any) -> Workflows:
    """Return the workflows of a definition.

    Raise :class:`ParameterError` when it is not a mapping, or has an unknown key or invalid value.
    """
    if not isinstance(written, Mapping) or not all(isinstance(key, str) for key in written):
        raise ParameterError(f"expected a mapping, such as {{share: 0.26}}; found {written!r}")
    selecting = [key for key in KINDS if key in written]
    if len(selecting) > 1:
        raise ParameterError(f"{' and '.join(selecting)} are of different kinds of workflows; leave all but one out")
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in written.items()}
    return KINDS[selecting[0] if selecting else "split"].build(values)
