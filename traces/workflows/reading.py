"""Reading a workflow from a DAX (XML) or WfCommons (JSON) file; every task and dependency is counted."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from scheduler_core.common.errors import LogError
from scheduler_core.common.files import write_json
from traces.swf_file import LogText, read_text
from traces.workflows.dax import parse_dax
from traces.workflows.graph import Graph, make_graph
from traces.workflows.parsed import Parsed
from traces.workflows.wfcommons import parse_wfcommons

TASK_REPAIRS: dict[str, str] = {
    "one_second": "a run time of zero: one second taken",
    "one_processor": "no number of processors: one taken",
}
"""Rules that repair a task, with their meaning. A task with several repairs counts under the first."""

DEPENDENCY_REPAIRS: dict[str, str] = {
    "one_sided": "stated by one of the two tasks only: taken",
    "by_file": "stated by no task, but one reads a file that the other writes: taken",
}
"""Rules that repair a dependency, with their meaning."""

DEPENDENCY_REJECTIONS: dict[str, str] = {"repeated": "stated before: counted once"}
"""Rules that leave out a dependency, with their meaning."""

EXPECTED = "expected a DAX file, which begins with '<', or a WfCommons one, which begins with '{'"

KILOBYTE = 1000

MOST_KB = 10**15
"""The most data between two tasks, an exabyte."""


@dataclass(frozen=True)
class WorkflowAccounting:
    """What became of a workflow file: ``tasks = kept + repaired``, ``dependencies = kept + repaired + rejected``.

    ``file`` has no folders; ``sha256`` and ``bytes`` are of the unpacked text. ``kept_tasks`` and ``repaired_tasks`` (by
    :data:`TASK_REPAIRS`) count tasks; ``kept``, ``repaired`` and ``rejected`` count dependencies (:data:`DEPENDENCY_REPAIRS`,
    :data:`DEPENDENCY_REJECTIONS`). ``joined`` tasks were added to join several roots or exits.
    """

    file: str
    sha256: str
    bytes: int
    tasks: int
    kept_tasks: int
    dependencies: int
    kept: int
    repaired_tasks: dict[str, int] = field(default_factory=dict)
    repaired: dict[str, int] = field(default_factory=dict)
    rejected: dict[str, int] = field(default_factory=dict)
    joined: int = 0

    def __post_init__(self) -> None:
        fates = self.kept + sum(self.repaired.values()) + sum(self.rejected.values())
        if self.tasks != self.kept_tasks + sum(self.repaired_tasks.values()) or self.dependencies != fates:
            raise LogError(
                f"{self.file}: the accounting does not add up: {self.tasks} tasks, but {self.kept_tasks} kept and "
                f"{self.repaired_tasks} repaired; {self.dependencies} dependencies, but {fates} accounted for"
            )

    def write(self, path: Path | str) -> None:
        """Write the accounting as JSON, whole or not at all."""
        write_json(path, asdict(self))

    def rows(self) -> Iterator[tuple[str, str, str, int]]:
        """Yield (what, fate, rule, count) for tasks, then for dependencies; the fate is kept, repaired, added or rejected."""
        yield "tasks", "kept", "", self.kept_tasks
        yield from (("tasks", "repaired", rule, count) for rule, count in self.repaired_tasks.items())
        if self.joined:
            yield "tasks", "added", "joins several roots or exits", self.joined
        yield "dependencies", "kept", "", self.kept
        yield from (("dependencies", "repaired", rule, count) for rule, count in self.repaired.items())
        yield from (("dependencies", "rejected", rule, count) for rule, count in self.rejected.items())


def read_workflow(path: Path | str, ends: str = "join") -> tuple[Graph, WorkflowAccounting]:
    """Return the workflow of a file, tasks in topological order, and what became of its tasks and dependencies.

    The file is DAX (XML, ``<adag>``) or a WfCommons instance (JSON), plain or gzip. Several roots or exits
    are joined by a task of one second (``ends="join"``), or refused (``"refuse"``). Raise :class:`LogError` when the file is
    missing or of neither format, a task has no run time or is repeated, a dependency names an unknown task, dependencies form a
    cycle, or several roots or exits are refused.
    """
    text = read_text(path, EXPECTED)
    begin = text.data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    parse = {b"<": parse_dax, b"{": parse_wfcommons}.get(begin)
    if parse is None:
        raise LogError(f"{path}: {EXPECTED}")
    return graph_of(parse(text.data, text.path.name), text, ends)


def graph_of(parsed: Parsed, text: LogText, ends: str) -> tuple[Graph, WorkflowAccounting]:
    """Return the graph of a parsed file, and its accounting."""
    times: dict[tuple[int, int], int] = {}
    for pair in parsed.stated:
        times[pair] = times.get(pair, 0) + 1
    by_file = implied(parsed)
    expected = 2 if parsed.both_say else 1
    one_sided = sum(said < expected for said in times.values())
    repeated = sum(max(0, said - expected) for said in times.values())
    repaired = {"one_sided": one_sided, "by_file": len(by_file.keys() - times.keys())}
    data = {
        pair: -(-size // KILOBYTE) for pair, size in ({pair: by_file.get(pair, 0) for pair in times} | by_file).items()
    }
    what = f"{text.path.name}: workflow {parsed.name}"
    for (before, after), size in data.items():
        if size > MOST_KB:
            names = parsed.tasks[before].name, parsed.tasks[after].name
            raise LogError(
                f"{what}: task {names[0]} hands {size:,} kB to task {names[1]}; expected at most {MOST_KB:,} kB"
            )
    graph = make_graph(parsed.name, parsed.tasks, data, ends, what)
    task_repairs = {rule: count for rule, count in parsed.repaired.items() if count}
    accounting = WorkflowAccounting(
        file=text.path.name,
        sha256=text.sha256,
        bytes=len(text.data),
        tasks=len(parsed.tasks),
        kept_tasks=len(parsed.tasks) - sum(task_repairs.values()),
        dependencies=len(data) + repeated,
        kept=len(times) - one_sided,
        repaired_tasks=task_repairs,
        repaired={rule: count for rule, count in repaired.items() if count},
        rejected={"repeated": repeated} if repeated else {},
        joined=len(graph.tasks) - len(parsed.tasks),
    )
    return graph, accounting


def implied(parsed: Parsed) -> dict[tuple[int, int], int]:
    """Return the bytes that tasks pass on by files, by the positions of writer and reader."""
    writer = {name: place for place, files in enumerate(parsed.written) for name in files}
    handed: dict[tuple[int, int], int] = {}
    for place, files in enumerate(parsed.read):
        for name, size in files.items():
            source = writer.get(name)
            if source is not None and source != place:
                known = max(size, parsed.written[source][name])
                handed[source, place] = handed.get((source, place), 0) + known
    return handed
