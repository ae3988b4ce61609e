"""Workflows from files, and drawn shapes of workflows.

:func:`read_workflow` reads a file (DAX or WfCommons) into a :class:`Graph` and accounts for every task and dependency.
:func:`draw` draws a graph of a well-known shape. :func:`divide` divides the work of a job among the tasks of a graph.
"""

from traces.workflows.graph import Dependency, Graph, Task, divide
from traces.workflows.reading import WorkflowAccounting, read_workflow
from traces.workflows.shapes import SHAPES, draw

__all__ = ["SHAPES", "Dependency", "Graph", "Task", "WorkflowAccounting", "divide", "draw", "read_workflow"]
