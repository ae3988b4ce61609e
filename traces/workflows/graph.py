"""Workflows as graphs: tasks in topological order, and the data they send to each other."""

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scheduler_core.common.errors import LogError
from scheduler_core.common.units import MICROSECONDS

ENDS = ("join", "refuse")
"""What to do with several roots or exits: join them by a task before or after them, or refuse them."""

JOINING_S = 1.0
"""Run time of a task that joins roots or exits, on one processor."""

NAMED = 5
"""Most tasks that an error names."""


@dataclass(frozen=True, slots=True)
class Task:
    """A task: its name in the file, its run time on a number of dedicated processors, and its kind."""

    name: str
    runtime_s: float
    processors: int = 1
    kind: str = ""

    @property
    def work(self) -> float:
        """Processor-seconds."""
        return self.runtime_s * self.processors


@dataclass(frozen=True, slots=True)
class Dependency:
    """A dependency between two tasks, by their numbers from 1; the first number is smaller."""

    before: int
    after: int
    data_kb: int = 0


@dataclass(frozen=True)
class Graph:
    """A workflow: tasks numbered from 1 in topological order, and dependencies sorted by both numbers."""

    name: str
    tasks: tuple[Task, ...]
    dependencies: tuple[Dependency, ...]

    @property
    def roots(self) -> list[int]:
        """Numbers of the tasks that wait for no other."""
        waiting = {dependency.after for dependency in self.dependencies}
        return [number for number in range(1, len(self.tasks) + 1) if number not in waiting]

    @property
    def exits(self) -> list[int]:
        """Numbers of the tasks that no other waits for."""
        waited_for = {dependency.before for dependency in self.dependencies}
        return [number for number in range(1, len(self.tasks) + 1) if number not in waited_for]

    @property
    def levels(self) -> list[int]:
        """The level of each task: 1 for a root, else one more than the highest level among its predecessors."""
        level = [1] * len(self.tasks)
        for dependency in sorted(self.dependencies, key=lambda one: one.after):
            level[dependency.after - 1] = max(level[dependency.after - 1], level[dependency.before - 1] + 1)
        return level


def make_graph(
    name: str, tasks: Sequence[Task], data_kb: dict[tuple[int, int], int], ends: str = "join", what: str = ""
) -> Graph:
    """Return the graph of some tasks in topological order, ties in the given order, with one root and one exit.

    ``data_kb`` has the data sent from one task to another, in kilobytes, by their positions in ``tasks`` from 0. ``ends`` is
    one of :data:`ENDS`, and ``what`` names the workflow in errors. Raise :class:`LogError` when there is no task, a cycle of
    dependencies, or several roots or exits that are not joined.
    """
    what = what or f"workflow {name}"
    if not tasks:
        raise LogError(f"{what}: there is no task in it; expected at least one")
    for before, after in data_kb:
        if before == after:
            raise LogError(f"{what}: task {tasks[before].name} waits for itself; expected dependencies without a cycle")
    order = topological_order(len(tasks), data_kb)
    if len(order) < len(tasks):
        names = words_for([tasks[k].name for k in sorted(set(range(len(tasks))) - set(order))])
        raise LogError(
            f"{what}: a cycle: {names} wait for each other, or for tasks that do; expected dependencies without a cycle"
        )
    number = {place: k for k, place in enumerate(order, start=1)}
    dependencies = sorted(
        (Dependency(number[before], number[after], size) for (before, after), size in data_kb.items()),
        key=lambda one: (one.before, one.after),
    )
    graph = Graph(name, tuple(tasks[place] for place in order), tuple(dependencies))
    return graph if len(graph.roots) == len(graph.exits) == 1 else with_one_end(graph, ends, what)


def topological_order(count: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Return positions in topological order, smallest first; positions on or behind a cycle are missing."""
    after: list[list[int]] = [[] for _ in range(count)]
    waits_for = [0] * count
    for first, second in pairs:
        after[first].append(second)
        waits_for[second] += 1
    ready = [place for place in range(count) if waits_for[place] == 0]
    order = []
    while ready:
        place = heapq.heappop(ready)
        order.append(place)
        for later in after[place]:
            waits_for[later] -= 1
            if waits_for[later] == 0:
                heapq.heappush(ready, later)
    return order


def with_one_end(graph: Graph, ends: str, what: str) -> Graph:
    """Return a graph whose roots, and whose exits, are joined by a task without data if there are several."""
    roots, exits = graph.roots, graph.exits
    if ends != "join":
        kind, found = ("roots", roots) if len(roots) > 1 else ("exits", exits)
        raise LogError(
            f"{what}: {len(found)} {kind}, {words_for([graph.tasks[k - 1].name for k in found])}; expected one. Without "
            f"ends: refuse (`slotwise workflow --refuse`), a task of {JOINING_S:g} s on one processor is put before "
            "several roots and after several exits"
        )
    first, last = int(len(roots) > 1), int(len(exits) > 1)
    tasks = list(graph.tasks)
    moved = [Dependency(one.before + first, one.after + first, one.data_kb) for one in graph.dependencies]
    if first:
        tasks.insert(0, Task("joins roots", JOINING_S, kind="joins roots"))
        moved += [Dependency(1, root + 1) for root in roots]
    if last:
        tasks.append(Task("joins exits", JOINING_S, kind="joins exits"))
        moved += [Dependency(end + first, len(tasks)) for end in exits]
    return Graph(graph.name, tuple(tasks), tuple(sorted(moved, key=lambda one: (one.before, one.after))))


def words_for(names: Sequence[str]) -> str:
    """Return the names of some tasks as text, the first few only."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ("task " if len(names) == 1 else "tasks ") + ", ".join(names[:NAMED]) + more


def divide(graph: Graph, size: int, runtime_us: int) -> list[tuple[int, int]]:
    """Return size and run time (microseconds) of each task of a graph, dividing the work of a job.

    The tasks of a level share the job's processors evenly, rounded down, at least one each. The job's work is divided in
    proportion to the tasks' work. Rounding changes it by less than half a microsecond per processor of each task.
    """
    levels = graph.levels
    width = {level: levels.count(level) for level in set(levels)}
    sizes = [max(1, size // width[level]) for level in levels]
    total = sum(task.work for task in graph.tasks)
    work = [size * runtime_us * (task.work / total) for task in graph.tasks]
    return [(own, max(1, round(part / own))) for own, part in zip(sizes, work, strict=True)]


def recorded(graph: Graph) -> list[tuple[int, int]]:
    """Return size and run time (microseconds) of each task, as in the file."""
    return [(task.processors, max(1, round(task.runtime_s * MICROSECONDS))) for task in graph.tasks]
