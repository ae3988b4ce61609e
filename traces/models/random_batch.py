"""Random jobs, all submitted at time 0, for the search for worst cases of gang scheduling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from scheduler_core.common.units import MICROSECONDS
from scheduler_core.declarations.parameters import parameter
from traces.models import Model, check_jobs, jobs_table

if TYPE_CHECKING:
    import numpy as np

    from scheduler_core.contracts import Workload


@dataclass(frozen=True)
class RandomBatch(Model):
    """Jobs with random sizes and run times, all submitted at time 0.

    **Run time**: ``unit_s`` times a whole number from 1 to ``longest``, each equally likely.

    **Size**: with ``sizes="uniform"`` each from 1 to the machine is equally likely. With ``sizes="extreme"`` the sizes are 1
    processor, half of the machine, one more than half, all but one, and all, equally likely: worst cases of gang scheduling
    consist of such jobs. With ``sizes="powers"`` the sizes are the powers of two up to the machine, equally likely.

    **Estimates** equal the run times. The model has no published source; it serves a random search.
    """

    name: ClassVar[str] = "random_batch"
    label: ClassVar[str] = "Random batch"
    source: ClassVar[str] = "none: a random search for bad cases of gang scheduling"

    processors: int = parameter(16, "processors of the machine", minimum=1, maximum=2**30)
    sizes: str = parameter(
        "uniform",
        "which sizes occur: any, those of the worst cases, or powers of two",
        choices=("uniform", "extreme", "powers"),
    )
    longest: int = parameter(20, "longest run time, in units", minimum=1, maximum=10**6)
    unit_s: float = parameter(1000.0, "unit of run times", unit="s", minimum=0.001, maximum=1e9)

    def generate(self, jobs: int, generator: np.random.Generator) -> Workload:
        """Draw ``jobs`` jobs; see :meth:`traces.models.Model.generate`."""
        import numpy as np

        from scheduler_core.contracts import Machine, Workload

        check_jobs(self, jobs)
        machine = self.processors
        known = {
            "uniform": np.arange(1, machine + 1),
            "extreme": np.array([1, machine // 2, machine // 2 + 1, machine - 1, machine]).clip(1, machine),
            "powers": 2 ** np.arange(machine.bit_length()),
        }[self.sizes]
        # a row per job, so a longer workload begins with the jobs of a shorter one
        drawn = generator.integers(1, [len(known), self.longest], size=(jobs, 2), endpoint=True)
        size = known[drawn[:, 0] - 1]
        runtime = drawn[:, 1] * round(self.unit_s * MICROSECONDS)
        table = jobs_table(np.zeros(jobs, dtype=np.int64), runtime, size)
        return Workload(table, Machine(machine, self.label), self.provenance(jobs, generator))
