"""Splitting jobs into workflows of five tasks, as in the thesis on relaxed reservations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.declarations.parameters import parameter
from traces.shape.workflow_jobs import Drawn, Workflows, check_transfers, with_tasks

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    from scheduler_core.contracts import Workload

TASKS = 5
"""Tasks of a workflow: one, then three in parallel, then one."""

EDGES = ((1, 2), (1, 3), (1, 4), (2, 5), (3, 5), (4, 5))
"""Which task sends data to which."""


@dataclass(frozen=True)
class SplitJobs(Workflows):
    """Workflows of five tasks, each made from one job without changing its work.

    The first task runs alone, then three in parallel, then the last. The first sends data to the three, and they send data to
    the last. For a job of n processors and run time r:

    - ``level``: n processors, then three times n // 3 (the first of the three also gets the remainder), then n; each runs r / 3.
      Every step of the workflow is as wide as the job.
    - ``proc``: n // 5 processors each (the first also gets the remainder), each runs r.
    - ``fifth``: n processors each, each runs r / 5.

    Run times are whole microseconds; the first task gets the remainder, so the work is exactly that of the job. Estimates are
    divided like run times, so exact estimates stay exact.

    **Transfers.** The transfer time between two clusters is uniform in ``transfers_s``. It is drawn for each edge and pair of
    clusters, equal in both directions (``transfers: pair``), or once for each edge (``edge``), which avoids large matrices for
    very many clusters. Transfers within a cluster take no time (``intra: zero``) or are drawn for each edge and cluster
    (``drawn``).

    **Run times by cluster** follow from the speeds of clusters. With a ``spread`` s they are multiplied by a factor uniform
    between 1 - s and 1 + s and rounded up to microseconds: the table ``run_times``.

    ``stretch`` multiplies the run time of a job before it is split.
    """

    name: ClassVar[str] = "workflows"
    label: ClassVar[str] = "jobs split into five tasks"
    source: ClassVar[str] = (
        "Cao, Grid-job scheduling with reservations and preemption, M.Sc. thesis, University of Windsor, 2009, section 4.11.2"
    )

    split: str = parameter("level", "how a job is split", choices=("level", "proc", "fifth"))
    transfers: str = parameter("pair", "what a time of transfer is drawn for", choices=("pair", "edge"))
    transfers_s: tuple[float, ...] = parameter((20.0, 600.0), "least and longest time of a transfer", unit="s")
    intra: str = parameter("zero", "time of transfer within a cluster", choices=("zero", "drawn"))
    spread: float = parameter(
        0.0, "by which part run times on a cluster differ from those by its speed, at most", minimum=0, maximum=0.99
    )
    stretch: float = parameter(
        1.0, "how many times as long the jobs are made that are split", minimum=0.001, maximum=1000
    )

    @property
    def tables(self) -> tuple[str, ...]:
        """Companion tables of its workloads; they may be empty."""
        return ("tasks", "edges", "transfers", *(["run_times"] if self.spread else []))

    def validate(self) -> None:
        """Raise :class:`ParameterError` for invalid transfer times, ``intra`` without a matrix, or jobs too narrow to split."""
        super().validate()
        check_transfers(self.transfers_s)
        if self.transfers == "edge" and self.intra == "drawn":
            raise ParameterError("times within clusters are in the matrix; with transfers: edge intra is zero")
        narrowest = {"level": 3, "proc": TASKS, "fifth": 1}[self.split]
        if self.wider_than < narrowest - 1:
            raise ParameterError(
                f"split: {self.split} needs jobs of at least {narrowest} processors: wider_than must be at least "
                f"{narrowest - 1}; found {self.wider_than}"
            )

    def add(self, workload: Workload, drawn: Drawn) -> Workload:
        """Return the workload with jobs split; see the class."""
        import numpy as np
        import polars as pl

        candidates = self.candidates(workload, drawn)
        count = self.taken(workload, np.full(len(candidates), TASKS))
        split = candidates.head(count)
        largest = int(workload.jobs["job"].max() or 0)  # type: ignore[arg-type]
        tasks = self.tasks_of(split).with_columns(
            job=largest + (pl.col("workflow") - 1) * TASKS + pl.col("task")  # the same number at every share
        )
        step = {"eligible": len(candidates), "fraction_taken": count / len(candidates) if len(candidates) else 0.0}
        speeds = [cluster.speed for cluster in workload.machine.clusters]
        tables = self.tables_of(split, len(speeds), drawn)
        if self.spread:
            tables["run_times"] = self.run_times_of(split, tasks, speeds, drawn("workflows, run times"))
        return with_tasks(workload, self, split, tasks, tables, step)

    def tasks_of(self, split: pl.DataFrame) -> pl.DataFrame:
        """Return a row per task: workflow, task, run time, estimate and size."""
        import numpy as np
        import polars as pl

        size = split["size"].to_numpy().astype(np.int64)
        plain, estimated = split["runtime_us"].to_numpy(), split["estimate_us"].to_numpy()
        runtime, estimate = (np.floor(times * self.stretch + 0.5).astype(np.int64) for times in (plain, estimated))
        if self.stretch == 1:
            runtime, estimate = plain, estimated
        parts = {"level": 3, "proc": 1, "fifth": TASKS}[self.split]
        widths = {"level": (1, 3, 3, 3, 1), "proc": (TASKS,) * TASKS, "fifth": (1,) * TASKS}[self.split]
        rows = []
        for place, width in enumerate(widths):
            first = place == widths.index(width)  # the first task in parallel also gets the remaining processors
            own = size - (width - 1) * (size // width) if first else size // width
            takes = runtime - (parts - 1) * (runtime // parts) if place == 0 else runtime // parts
            rows.append(
                pl.DataFrame(
                    {
                        "workflow": split["job"],
                        "task": np.full(len(size), place + 1, np.int64),
                        "runtime_us": takes,
                        "estimate_us": np.maximum(1, takes - (runtime - estimate) // parts),
                        "size": own,
                    }
                )
            )
        return pl.concat(rows).sort("workflow", "task")

    def tables_of(self, split: pl.DataFrame, clusters: int, drawn: Drawn) -> dict[str, pl.DataFrame]:
        """Return the tables ``edges`` and ``transfers`` of the split jobs."""
        import numpy as np
        import polars as pl

        from scheduler_core.contracts import COMPANIONS

        times = self.matrix_of(split, clusters, drawn) if self.transfers == "pair" else self.times_of(split, drawn)
        apart = ~np.eye(times.shape[2], dtype=bool) if self.transfers == "pair" else np.ones((1, 1), dtype=bool)
        mean = np.floor(times[:, :, apart].mean(axis=2) + 0.5) if apart.any() else np.zeros(times.shape[:2])
        ends = np.tile(np.array(EDGES), (len(split), 1))
        columns = {
            "workflow": np.repeat(split["job"].to_numpy(), len(EDGES)),
            "from_task": ends[:, 0],
            "to_task": ends[:, 1],
        }
        edges = {**columns, "data_kb": np.zeros(len(ends), np.int64), "transfer_us": mean.ravel().astype(np.int64)}
        cells = clusters**2 if self.transfers == "pair" else 0
        number = np.tile(np.arange(cells), len(ends))
        matrix = {
            **{name: np.repeat(values, cells) for name, values in columns.items()},
            "from_cluster": number // clusters,
            "to_cluster": number % clusters,
            "time_us": times.ravel() if cells else number,
        }
        made = {"edges": pl.DataFrame(edges), "transfers": pl.DataFrame(matrix)}
        return {
            name: table.cast(pl.Schema(COMPANIONS[name].columns)).sort(COMPANIONS[name].key)
            for name, table in made.items()
        }

    def matrix_of(self, split: pl.DataFrame, clusters: int, drawn: Drawn) -> np.ndarray:
        """Return transfer times in microseconds by workflow, edge, source cluster and target cluster."""
        import numpy as np

        one, other = np.triu_indices(clusters, 1)
        alone = np.arange(clusters)
        times = np.zeros((len(split), len(EDGES), clusters, clusters), np.int64)
        times[:, :, one, other] = times[:, :, other, one] = self.drawn_times(
            split, len(one), drawn("workflows, transfers")
        )
        if self.intra == "drawn":
            within = drawn("workflows, transfers within")
            times[:, :, alone, alone] = self.drawn_times(split, clusters, within)
        return times

    def times_of(self, split: pl.DataFrame, drawn: Drawn) -> np.ndarray:
        """Return transfer times in microseconds by workflow and edge, equal for all clusters."""
        return self.drawn_times(split, 1, drawn("workflows, transfers"))[:, :, :, None]

    def drawn_times(self, split: pl.DataFrame, count: int, generator: np.random.Generator) -> np.ndarray:
        """Return ``count`` drawn times for each edge, in microseconds."""
        import numpy as np

        low, high = self.transfers_s
        seconds = by_place(split, generator, low, high, (len(EDGES), count))
        return np.floor(seconds * MICROSECONDS + 0.5).astype(np.int64)

    def run_times_of(
        self, split: pl.DataFrame, tasks: pl.DataFrame, speeds: list[float], generator: np.random.Generator
    ) -> pl.DataFrame:
        """Return the table ``run_times`` of all tasks."""
        import numpy as np
        import polars as pl

        from scheduler_core.contracts import COMPANIONS

        factors = by_place(split, generator, 1 - self.spread, 1 + self.spread, (TASKS, len(speeds)))
        of_workflow = pl.DataFrame({"workflow": split["job"], "row": np.arange(len(split))})
        row = tasks.join(of_workflow, on="workflow", how="left", maintain_order="left")["row"].to_numpy()
        own = factors[row, tasks["task"].to_numpy() - 1] / np.array(speeds)
        times = np.ceil(tasks["runtime_us"].to_numpy()[:, None] * own)
        table = {
            "job": np.repeat(tasks["job"].to_numpy(), len(speeds)),
            "cluster": np.tile(np.arange(len(speeds)), len(tasks)),
            "runtime_us": times.ravel(),
        }
        return pl.DataFrame(table).cast(pl.Schema(COMPANIONS["run_times"].columns)).sort("job", "cluster")


def by_place(
    split: pl.DataFrame, generator: np.random.Generator, low: float, high: float, each: tuple[int, ...]
) -> np.ndarray:
    """Return uniform draws for each workflow; they depend only on its place in the whole order."""
    place = split["place"].to_numpy()
    up_to_last = int(place.max()) + 1 if len(place) else 0
    return generator.uniform(low, high, (up_to_last, *each))[place]
