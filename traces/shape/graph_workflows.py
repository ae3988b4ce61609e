"""Turning jobs into workflows of a drawn shape, or of the shape of workflow files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.declarations.parameters import parameter
from traces.shape.workflow_jobs import LONGEST_S, Drawn, Workflows, check_transfers, with_tasks
from traces.workflows.graph import ENDS, Graph, divide, recorded
from traces.workflows.reading import read_workflow
from traces.workflows.shapes import LEAST_DEPTH, LEAST_WIDTH, SHAPES, draw

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    from scheduler_core.contracts import Workload

KILOBYTES_A_MEGABYTE = 1000


@dataclass(frozen=True)
class GraphWorkflows(Workflows):
    """Workflows with the tasks and edges of graphs, one graph for each job that becomes a workflow."""

    def graphs(self, count: int, drawn: Drawn) -> list[Graph]:
        """Return the graphs of the first ``count`` eligible jobs in order; a larger count does not change the first."""
        raise NotImplementedError

    def parts(self, graph: Graph, size: int, runtime_us: int) -> list[tuple[int, int]]:
        """Return size and run time in microseconds of each task of a job that becomes a workflow of this graph."""
        return divide(graph, size, runtime_us)

    def transfers_us(self, graphs: list[Graph], drawn: Drawn) -> np.ndarray:
        """Return the transfer time between clusters of each edge, in microseconds, in order of the graphs."""
        raise NotImplementedError

    def add(self, workload: Workload, drawn: Drawn) -> Workload:
        """Return the workload with some jobs turned into workflows."""
        import numpy as np

        candidates = self.candidates(workload, drawn)
        graphs = self.graphs(max(candidates["place"], default=-1) + 1, drawn)
        graphs = [graphs[place] for place in candidates["place"]]
        lengths = np.array([len(graph.tasks) for graph in graphs], np.int64)
        count = self.taken(workload, lengths)
        split, taken = candidates.head(count), graphs[:count]
        largest, room = int(workload.jobs["job"].max() or 0), int(lengths.max(initial=0))  # type: ignore[arg-type]
        tasks = self.tasks_of(split, taken, largest, room)
        tables = {"edges": self.edges_of(split, taken, self.transfers_us(taken, drawn))}
        return with_tasks(workload, self, split, tasks, tables, {"eligible": len(candidates)})

    def tasks_of(self, split: pl.DataFrame, graphs: list[Graph], largest: int, room: int) -> pl.DataFrame:
        """Return a row per task; each workflow has ``room`` reserved job numbers above ``largest``, at any share."""
        import polars as pl

        rows = []
        jobs = split.select("job", "size", "runtime_us", "estimate_us").rows()
        for (job, size, runtime, estimate), graph in zip(jobs, graphs, strict=True):
            for task, (own, takes) in enumerate(self.parts(graph, size, runtime), start=1):
                estimated = takes if estimate == runtime else max(1, round(takes * (estimate / runtime)))
                rows.append((job, task, takes, estimated, own, largest + (job - 1) * room + task))
        columns = ("workflow", "task", "runtime_us", "estimate_us", "size", "job")
        return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.Int64), orient="row").sort("workflow", "task")

    def edges_of(self, split: pl.DataFrame, graphs: list[Graph], times: np.ndarray) -> pl.DataFrame:
        """Return the table ``edges``."""
        import polars as pl

        from scheduler_core.contracts import COMPANIONS

        edges = [
            (job, edge.before, edge.after, edge.data_kb)
            for job, graph in zip(split["job"], graphs, strict=True)
            for edge in graph.dependencies
        ]
        edges_of = COMPANIONS["edges"]
        named = {name: kind for name, kind in edges_of.columns.items() if name != "transfer_us"}
        table = pl.DataFrame(edges, schema=named, orient="row").with_columns(
            transfer_us=pl.Series(times, dtype=pl.Int64)
        )
        return table.sort(edges_of.key)


@dataclass(frozen=True)
class ShapedJobs(GraphWorkflows):
    """Workflows of well-known shapes, drawn for each job that becomes one; the work of the job does not change.

    The tasks of a level share the job's processors evenly, rounded down, at least one each. The job's work is divided in
    proportion to the work of the shape's tasks; run times are rounded to microseconds. Each edge gets one transfer time
    between different clusters, uniform in ``transfers_s``; transfers within a cluster take no time.
    """

    name: ClassVar[str] = "workflows"
    label: ClassVar[str] = "jobs made into workflows of a shape"

    shape: str = parameter("montage", "shape of the workflows", choices=tuple(SHAPES))
    width: int = parameter(
        8, "tasks side by side: of a fork, images of a mosaic, most of a layer", minimum=LEAST_WIDTH, maximum=10_000
    )
    depth: int = parameter(
        5, "levels: tasks of a chain, layers, twice the forks; a mosaic has as many as it has", minimum=LEAST_DEPTH,
        maximum=10_000,
    )  # fmt: skip
    transfers_s: tuple[float, ...] = parameter((20.0, 600.0), "least and longest time of a transfer", unit="s")

    def validate(self) -> None:
        """Raise :class:`ParameterError` unless the transfer times are a range of seconds."""
        super().validate()
        check_transfers(self.transfers_s)

    def graphs(self, count: int, drawn: Drawn) -> list[Graph]:
        """Return drawn graphs."""
        generator = drawn("workflows, shape")
        return [draw(self.shape, self.width, self.depth, generator) for _ in range(count)]

    def transfers_us(self, graphs: list[Graph], drawn: Drawn) -> np.ndarray:
        """Return drawn times."""
        import numpy as np

        low, high = self.transfers_s
        seconds = drawn("workflows, transfers").uniform(low, high, sum(len(graph.dependencies) for graph in graphs))
        return np.floor(seconds * MICROSECONDS + 0.5).astype(np.int64)


@dataclass(frozen=True)
class WorkflowFiles(GraphWorkflows):
    """Workflows of files: each job that becomes a workflow gets one of the files at random.

    With ``work: job`` a workflow has the shape of its file and the work of the job, as in :class:`ShapedJobs`. With ``work:
    recorded`` it has the sizes and run times of the file, and only the submission of the job. A transfer between different
    clusters takes its size over ``bandwidth_mb_s`` plus ``latency_s``; transfers within a cluster take no time.
    """

    name: ClassVar[str] = "workflows"
    label: ClassVar[str] = "jobs made into workflows of files"

    files: tuple[str, ...] = parameter((), "workflow files, DAX or WfCommons")
    ends: str = parameter(
        "join", "what becomes of several roots or exits: joined by a task of one second, or refused", choices=ENDS
    )
    work: str = parameter(
        "job", "whose work a workflow has: the job's, or what the file recorded", choices=("job", "recorded")
    )
    bandwidth_mb_s: float = parameter(100.0, "megabytes that go from a cluster to another in a second", minimum=1e-6)
    latency_s: float = parameter(0.0, "time that a transfer takes besides", unit="s", minimum=0, maximum=LONGEST_S)

    def validate(self) -> None:
        """Raise :class:`ParameterError` unless ``files`` is a list of file names."""
        super().validate()
        if not self.files or not all(isinstance(name, str) and name for name in self.files):
            raise ParameterError(f"files must be a list of workflow files, [montage.dax]; found {list(self.files)}")

    def graphs(self, count: int, drawn: Drawn) -> list[Graph]:
        """Return the graphs of the files, drawn for each job."""
        read = [read_workflow(name, self.ends)[0] for name in self.files]
        return [read[place] for place in drawn("workflows, file").integers(len(read), size=count)]

    def parts(self, graph: Graph, size: int, runtime_us: int) -> list[tuple[int, int]]:
        """Return sizes and run times, from the job's work or as recorded."""
        return recorded(graph) if self.work == "recorded" else super().parts(graph, size, runtime_us)

    def transfers_us(self, graphs: list[Graph], drawn: Drawn) -> np.ndarray:
        """Return the transfer times of the data."""
        import numpy as np

        del drawn
        data_kb = np.array([edge.data_kb for graph in graphs for edge in graph.dependencies], np.float64)
        seconds = data_kb / (self.bandwidth_mb_s * KILOBYTES_A_MEGABYTE) + self.latency_s
        if seconds.max(initial=0) > LONGEST_S:
            raise ParameterError(
                f"bandwidth_mb_s: {data_kb.max():,.0f} kB take longer than {LONGEST_S:,} s at {self.bandwidth_mb_s:g} MB/s; "
                "name a faster network"
            )
        return np.ceil(seconds * MICROSECONDS).astype(np.int64)
