"""Workflows from files, and shapes of workflows that are drawn.

:func:`read_workflow` reads a file (DAX or WfCommons) into a :class:`Graph` and accounts for every task and dependency of it;
:func:`draw` draws a graph of a shape people know; :func:`divide` puts the work of a job into the tasks of a graph.
"""

from traces.workflows.graph import Dependency, Graph, Task, divide
from traces.workflows.reading import WorkflowAccounting, read_workflow
from traces.workflows.shapes import SHAPES, draw

__all__ = ["SHAPES", "Dependency", "Graph", "Task", "WorkflowAccounting", "divide", "draw", "read_workflow"]
