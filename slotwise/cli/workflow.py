"""`slotwise workflow FILE`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from slotwise.cli.outputs import add_force, refuse_existing
from slotwise.cli.words import a_path, print_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from traces.workflows import Graph, WorkflowAccounting


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "file", type=a_path, metavar="FILE", help="workflow file: DAX (XML) or WfCommons (JSON), plain or gzipped"
    )
    parser.add_argument(
        "--refuse", action="store_true", help="refuse several roots or exits, which are joined by a task of one second"
    )
    parser.add_argument("--out", type=a_path, metavar="A.json", help="file for the accounting, as JSON")
    add_force(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print what became of a workflow's tasks and dependencies, its levels and its longest path."""
    from scheduler_core.common.files import target_file
    from traces.workflows import read_workflow

    graph, accounting = read_workflow(arguments.file, "refuse" if arguments.refuse else "join")
    if arguments.out is not None:
        target_file(arguments.out)
        refuse_existing([arguments.out], arguments.force)
        accounting.write(arguments.out)
    print(f"{accounting.file}: workflow {graph.name}")
    rows = [(what, fate, rule, f"{count:,}") for what, fate, rule, count in accounting.rows()]
    print_table(("tasks, dependencies", "fate", "rule", "number"), rows, left=3)
    for words in meanings(accounting):
        print(words)
    print()
    print_table(
        ("level", "tasks", "most processors", "mean run time, s", "part of the work", "kinds"), levels(graph), 0
    )
    work = sum(task.work for task in graph.tasks)
    print(
        f"\n{work:,.0f} processor-seconds of work; the longest path takes {longest_path_s(graph):,.0f} s without transfers; "
        f"{sum(one.data_kb for one in graph.dependencies):,} kB are handed on"
    )
    return 0


def meanings(accounting: WorkflowAccounting) -> Iterator[str]:
    """Yield the meaning of each rule that repaired or left out a task or dependency of this file."""
    from traces.workflows.reading import DEPENDENCY_REJECTIONS, DEPENDENCY_REPAIRS, TASK_REPAIRS

    known = {**TASK_REPAIRS, **DEPENDENCY_REPAIRS, **DEPENDENCY_REJECTIONS}
    yield from (f"{rule}: {known[rule]}" for _, _, rule, _ in accounting.rows() if rule in known)


def levels(graph: Graph) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table of levels."""
    of_level = graph.levels
    work = sum(task.work for task in graph.tasks)
    for level in range(1, max(of_level) + 1):
        tasks = [task for task, there in zip(graph.tasks, of_level, strict=True) if there == level]
        yield (
            str(level),
            f"{len(tasks):,}",
            f"{max(task.processors for task in tasks):,}",
            f"{sum(task.runtime_s for task in tasks) / len(tasks):,.1f}",
            f"{sum(task.work for task in tasks) / work:.1%}",
            ", ".join(dict.fromkeys(task.kind or task.name for task in tasks)),
        )


def longest_path_s(graph: Graph) -> float:
    """Return the run time of the longest path from the root to the exit, in seconds."""
    ends = [task.runtime_s for task in graph.tasks]
    for one in sorted(graph.dependencies, key=lambda dependency: dependency.after):
        ends[one.after - 1] = max(ends[one.after - 1], ends[one.before - 1] + graph.tasks[one.after - 1].runtime_s)
    return max(ends)
