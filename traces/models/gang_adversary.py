"""Workloads on which gang scheduling performs badly, from the proof of its competitive ratio and our own."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.declarations.parameters import parameter
from traces.models import Model, check_jobs, jobs_table

if TYPE_CHECKING:
    import numpy as np

    from scheduler_core.contracts import Workload

FAMILIES = ("equal_halves", "long_thin", "tall_and_thin", "unit")
"""Families of workloads, by name."""

LONGEST_S = 10**12
"""Longest total run time of a workload, in seconds: far below the range of int64 microseconds."""


@dataclass(frozen=True)
class GangAdversary(Model):
    """Jobs that cannot share a slot, or that leave one job alone at the end; all are submitted at time 0. Nothing is drawn.

    With n processors, K ``copies`` and h = n // 2 + 1 processors (more than half of them), in units of ``unit_s``:

    * ``equal_halves``: K jobs of h processors and time 1, K h a multiple of n. No two fit into one slot, so gang scheduling
      needs K; an adversary that may split them needs K h / n. The ratio is 2 n / (n + 2) for even n (the source's lower
      bound, eq. 4.9 to 4.15).
    * ``long_thin``: K such jobs and one of 1 processor and time t = K h / n. Without filling idle slots first fit
      decreasing needs K + t - 1 where t >= 1, the lower bound max(area / n, longest job) is t (1 + 1 / n).
    * ``tall_and_thin``: K jobs of n - 1 processors and time 1, one of 1 processor and time K. The best gang schedule needs
      K, first fit decreasing without filling 2 K - 1.
    * ``unit``: K jobs of 1 processor and time 1. Simple gang scheduling needs K, the best schedule ceil(K / n).

    The first and the last are the source's. The other two are ours and show why filling idle slots is needed. The wide jobs
    have the first numbers. The unit of time is long, so rounding to microseconds changes ratios by less than 1e-9 for units
    of at least a second.

    Estimates equal the run times. A study leaves ``jobs`` out, because the family determines their number.
    """

    name: ClassVar[str] = "gang_adversary"
    label: ClassVar[str] = "adversary of gang scheduling"
    source: ClassVar[str] = (
        "da Silva, doctoral thesis, Universite Paris VI, 2000, section 4.5 (Theorem 4) and section 4.3.2; "
        "long_thin and tall_and_thin are additions"
    )
    jobs_follow: ClassVar[bool] = True
    drawn: ClassVar[bool] = False

    family: str = parameter("equal_halves", "which workload", choices=FAMILIES)
    processors: int = parameter(64, "processors of the machine", minimum=2, maximum=2**20)
    copies: int | str = parameter(
        "processors", "K, how many jobs are alike; by default as many as processors", choices=("processors",), minimum=1
    )
    unit_s: float = parameter(1e6, "length of the unit of time", unit="s", minimum=1, maximum=1e9)

    @property
    def alike(self) -> int:
        """K, the number of equal jobs."""
        return self.processors if isinstance(self.copies, str) else self.copies

    @property
    def half(self) -> int:
        """The smallest number of processors above half of the machine."""
        return self.processors // 2 + 1

    @property
    def kinds(self) -> list[tuple[int, int, Fraction]]:
        """Equal jobs: their number, their size, and their run time in units."""
        n, many = self.processors, self.alike
        return {
            "equal_halves": [(many, self.half, Fraction(1))],
            "long_thin": [(many, self.half, Fraction(1)), (1, 1, Fraction(many * self.half, n))],
            "tall_and_thin": [(many, n - 1, Fraction(1)), (1, 1, Fraction(many))],
            "unit": [(many, 1, Fraction(1))],
        }[self.family]

    @property
    def published_jobs(self) -> int:
        """Number of jobs of the family."""
        return sum(count for count, _, _ in self.kinds)

    def validate(self) -> None:
        """Raise :class:`ParameterError` for copies that do not fill the machine, or times beyond the range."""
        step = self.processors // math.gcd(self.processors, self.half)
        if self.family == "equal_halves" and self.alike % step:
            raise ParameterError(
                f"gang_adversary: copies x {self.half} must be a multiple of the {self.processors} processors, which "
                f"copies = {step} and its multiples are; found {self.alike}"
            )
        span = sum(count * time for count, _, time in self.kinds) * Fraction(self.unit_s)
        if span > LONGEST_S:
            raise ParameterError(
                f"gang_adversary: one after another the jobs must not take longer than {LONGEST_S:g} s; found "
                f"{float(span):g} s. Lower unit_s or copies"
            )

    def generate(self, jobs: int, generator: np.random.Generator) -> Workload:
        """Return the jobs; ``jobs`` must be the number of the family. ``generator`` is not used."""
        import numpy as np

        from scheduler_core.contracts import Machine, Workload

        check_jobs(self, jobs)
        unit_us = Fraction(self.unit_s) * MICROSECONDS
        counts = [count for count, _, _ in self.kinds]
        runtime = np.repeat(np.array([round(time * unit_us) for _, _, time in self.kinds], np.int64), counts)
        size = np.repeat(np.array([size for _, size, _ in self.kinds], np.int32), counts)
        table = jobs_table(np.zeros(jobs, np.int64), runtime, size)
        return Workload(table, Machine(self.processors, self.label), self.provenance(jobs, generator))

    def provenance(self, jobs: int, generator: np.random.Generator) -> dict[str, Any]:
        """Return the origin of the jobs with their kinds."""
        kinds = [{"jobs": count, "size": size, "time": str(time)} for count, size, time in self.kinds]
        return {**super().provenance(jobs, generator), "kinds": kinds}
