"""The example of Figure 6.9 in the thesis on Concurrent Gang: three fixed jobs whose tasks block one another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from scheduler_core.declarations.parameters import parameter
from traces.models import Model, check_jobs

if TYPE_CHECKING:
    import numpy as np

    from scheduler_core.contracts import Workload

PROCESSORS = 4
SYNCHRONOUS = 3
"""Number of the job that waits at barriers."""


@dataclass(frozen=True)
class Cascade(Model):
    """Three jobs on four processors; one synchronises often and loses its slices to a task that ran alone.

    Jobs 1 (four tasks) and 2 (three tasks) compute for ``others_ms``. Job 3 has a task on each processor. Each task computes
    for ``work_ms`` and waits for the others at a barrier, ``supersteps`` times. First fit gives each job a row of the matrix,
    in order of arrival; the last processor of job 2's row has no owner. With ``synchronous="first"`` job 3 arrives first, so
    it has been measured by the time a processor is idle; with ``last`` it has not. The thesis describes the sequence but
    gives no times. We chose them so that a slice of 10 ms holds about five supersteps. A study leaves ``jobs`` out.
    """

    name: ClassVar[str] = "cascade"
    label: ClassVar[str] = "worked example of tasks that block one another"
    source: ClassVar[str] = (
        "F. A. B. da Silva, doctoral thesis, Universite Paris VI, 2000, Figure 6.9; the picture gives no times"
    )
    jobs_follow: ClassVar[bool] = True
    drawn: ClassVar[bool] = False

    synchronous: str = parameter("first", "when the job that synchronises comes", choices=("first", "last"))
    work_ms: float = parameter(1.8, "work between two barriers", unit="ms", minimum=0.001)
    supersteps: int = parameter(40, "barriers of the job that synchronises", minimum=1)
    others_ms: float = parameter(150.0, "work of each task of the others", unit="ms", minimum=0.001)

    @property
    def published_jobs(self) -> int:
        """Jobs of the example."""
        return 3

    @property
    def companions(self) -> tuple[str, ...]:
        """Companion tables: the programs of its tasks."""
        return ("applications", "programs")

    def generate(self, jobs: int, generator: np.random.Generator) -> Workload:
        """Return the jobs; ``jobs`` must be 3. ``generator`` is not used."""
        import polars as pl

        from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload
        from scheduler_core.contracts.applications import APPLICATIONS_COLUMNS, PROGRAMS_COLUMNS

        check_jobs(self, jobs)
        work, others = round(self.work_ms * 1000), round(self.others_ms * 1000)
        run = {1: others, 2: others, SYNCHRONOUS: work * self.supersteps}
        sizes = {1: PROCESSORS, 2: PROCESSORS - 1, SYNCHRONOUS: PROCESSORS}
        later = 1 if self.synchronous == "first" else 0
        rows = [(job, 0 if job == SYNCHRONOUS else later, time, time, sizes[job]) for job, time in run.items()]
        applications = [
            (job, "program" if job == SYNCHRONOUS else "compute", job, 0, 0, "constant", 0.0, 0) for job in run
        ]
        program = [("compute", work), ("barrier", 0)] * self.supersteps
        statements = [
            (SYNCHRONOUS, task, step, statement, time, 0)
            for task in range(PROCESSORS)
            for step, (statement, time) in enumerate(program)
        ]
        return Workload(
            pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row").sort("submit_us", "job"),
            Machine(PROCESSORS, self.label),
            self.provenance(jobs, generator),
            companions={
                "applications": pl.DataFrame(applications, schema=APPLICATIONS_COLUMNS, orient="row"),
                "programs": pl.DataFrame(statements, schema=PROGRAMS_COLUMNS, orient="row"),
            },
        )
