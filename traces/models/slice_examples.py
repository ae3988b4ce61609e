"""The worked examples of the thesis on group optimisation: a few fixed jobs each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from scheduler_core.common.units import MICROSECONDS
from scheduler_core.declarations.parameters import parameter
from traces.models import Model, check_jobs

if TYPE_CHECKING:
    import numpy as np

    from scheduler_core.contracts import Workload

PROCESSORS = 10
"""Processors of every example: the thesis says 10 for the first."""

LATER_S = 64
"""Seconds added to the submissions of Table 3, so that an interval precedes the first."""

Jobs = tuple[tuple[int, str, int, int, int], ...]
"""Number, class, submission (s), run time (s), processors of each job."""

EXAMPLES: dict[str, Jobs] = {
    "slices": (
        (1, "long", 0, 45, 3),
        (2, "short", 0, 15, 7),
        (3, "medium", 10, 65, 7),
        (4, "medium", 35, 34, 3),
        (5, "short", 40, 9, 7),
        (6, "short", 41, 5, 2),
        (7, "short", 50, 5, 3),
        (8, "long", 75, 98, 4),
        (9, "long", 77, 80, 5),
        (10, "medium", 90, 40, 6),
    ),
    "group": (
        (1, "long", LATER_S - 25, 150, 1),
        (2, "short", LATER_S - 10, 8, 10),
        (3, "medium", LATER_S + 2, 37, 10),
        (8, "medium", LATER_S + 10, 65, 5),
        (9, "medium", LATER_S + 35, 40, 3),
        (10, "medium", LATER_S + 40, 30, 6),
        (11, "medium", LATER_S + 41, 70, 7),
        (12, "medium", LATER_S + 50, 50, 5),
        (13, "short", LATER_S + 75, 15, 4),
        (14, "long", LATER_S + 77, 80, 3),
        (15, "medium", LATER_S + 90, 15, 6),
        (16, "medium", LATER_S + 300, 20, 10),
    ),
    "backfilling": (
        (1, "medium", 0, 100, 6),
        (2, "medium", 0, 50, 8),
        (3, "medium", 0, 50, 10),
        (4, "medium", 0, 90, 2),
        (5, "medium", 0, 200, 2),
    ),
    "finish": (
        (1, "medium", 0, 30, 6),
        (2, "medium", 1, 60, 5),
        (3, "medium", 1, 55, 5),
        (4, "medium", 1, 50, 4),
        (5, "medium", 1, 50, 6),
        (6, "medium", 1, 200, 3),
        (7, "medium", 60, 40, 9),
    ),
    "shifting": ((1, "medium", 0, 40, 6), (2, "medium", 1, 20, 10), (3, "medium", 1, 50, 4), (4, "medium", 1, 40, 7)),
    "hole": ((1, "medium", 0, 40, 6), (2, "medium", 1, 20, 10), (3, "medium", 1, 35, 4), (4, "medium", 1, 40, 7)),
}
"""The jobs of each example."""


@dataclass(frozen=True)
class SliceExamples(Model):
    """Worked examples of coarse-grain time sharing and of groups, on 10 processors. Nothing is drawn.

    * ``slices``: jobs 3 to 10 are those of Table 1 (p. 17); Figure 3 shows their schedule. Jobs 1 and 2 appear only in that
      figure, which is lost, together with the lengths of the slices. Here job 1 (long) needs 3 processors for 45 s and job 2
      (short) needs 7 for 15 s, both from time 0. With these choices, everything that the text says about the figure happens.
    * ``group``: jobs 8 to 15 are those of Table 3 (p. 39); Figure 13 shows their schedule. They are submitted 64 s later, after
      an interval and a long slice. We added four jobs: job 1 (long, 1 processor) is in the text but not in the table; job 2
      (short, all processors) causes two short slices; without job 3 (medium, all processors) job 8 could start before the
      group forms; with job 16 (medium, all processors) scheduling continues after the group.
    * ``backfilling``: where EASY and conservative backfilling differ, as in Figure 4 (p. 23). ``finish``: a group whose
      utilisation dips before its end, as in Figures 7 and 9. ``shifting`` and ``hole``: the effect of force-shifting and of
      backfilling into the plan, as in Figures 12 and 14. The jobs of these figures are unknown; all four examples are ours.

    Estimates equal the run times. Classes are stated, because in the tables they do not follow from run times. A study leaves
    ``jobs`` out.
    """

    name: ClassVar[str] = "slice_examples"
    label: ClassVar[str] = "worked examples of time slices"
    source: ClassVar[str] = (
        "Kanavallil, Group-based optimization for parallel job scheduling in clusters via heuristic search, M.Sc. thesis, "
        "University of Windsor, 2007, Tables 1 and 3; what the lost figures showed is added"
    )
    jobs_follow: ClassVar[bool] = True
    drawn: ClassVar[bool] = False

    example: str = parameter("slices", "which example", choices=tuple(EXAMPLES))

    @property
    def published_jobs(self) -> int:
        """Number of jobs of the example."""
        return len(EXAMPLES[self.example])

    def generate(self, jobs: int, generator: np.random.Generator) -> Workload:
        """Return the jobs; ``jobs`` must be the number of the example. ``generator`` is not used."""
        import polars as pl

        from scheduler_core.contracts import WORKLOAD_COLUMNS, JobClass, Machine, Workload

        check_jobs(self, jobs)
        rows = [
            (job, submit * MICROSECONDS, run * MICROSECONDS, run * MICROSECONDS, size, kind)
            for job, kind, submit, run, size in EXAMPLES[self.example]
        ]
        table = pl.DataFrame(rows, schema={**WORKLOAD_COLUMNS, "class": JobClass}, orient="row")
        return Workload(
            table.sort("submit_us", "job"), Machine(PROCESSORS, self.label), self.provenance(jobs, generator)
        )
