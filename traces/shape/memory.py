"""Memory of jobs whose log does not record it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.parameters import Parameters, parameter

if TYPE_CHECKING:
    import polars as pl

    from scheduler_core.contracts import Workload

KB_IN_MB = 1024
"""Kilobytes in a megabyte."""


@dataclass(frozen=True)
class DaSilvaMemory(Parameters):
    """Memory that grows with size: doubling the size doubles the need of each processor.

    Megabytes a processor by size: 1: 2; 2: 4; 3 to 4: 8; 5 to 8: 16; 9 to 16: 32; 17 to 32: 64; 33 to 64: 128; 65 to
    128: 256. The source's machine has 128 processors of 512 MB and its largest need is 256 MB, which we also take for larger
    jobs. It prints the first three steps, the range from 2 to 256 MB and "and so on".
    """

    name: ClassVar[str] = "da_silva"
    label: ClassVar[str] = "memory by size"
    source: ClassVar[str] = "da Silva, doctoral thesis, Universite Paris VI, 2000, section 5.4.2"

    machine_mb: int = parameter(512, "memory of each processor of the machine", unit="MB", minimum=1, maximum=2**40)
    least_mb: int = parameter(2, "memory a one-processor job needs", unit="MB", minimum=1, maximum=2**40)
    most_mb: int = parameter(256, "most memory any job needs a processor", unit="MB", minimum=1, maximum=2**40)

    def validate(self) -> None:
        """Raise :class:`ParameterError` when the smallest need is above the largest."""
        if self.least_mb > self.most_mb:
            raise ParameterError(
                f"da_silva: least_mb must not be above most_mb; found {self.least_mb} and {self.most_mb}"
            )

    @property
    def machine_kb(self) -> int:
        """Memory of each processor of the machine."""
        return self.machine_mb * KB_IN_MB

    def memory_kb(self) -> pl.Expr:
        """Return the column ``memory_kb``, doubled for each power of two below the size."""
        import polars as pl

        doubled = pl.lit(self.least_mb, dtype=pl.Int64)
        for power in range(31):  # sizes are Int32
            doubled = (
                pl.when(pl.col("size") > 2**power)
                .then(min(self.least_mb * 2 ** (power + 1), self.most_mb))
                .otherwise(doubled)
            )
        return (doubled * KB_IN_MB).cast(pl.Int64).alias("memory_kb")


def with_memory(workload: Workload, model: DaSilvaMemory) -> Workload:
    """Return the same jobs with the memory of ``model``, on a machine with its memory. Recorded memory is replaced."""
    step = {"step": "memory", "model": model.name, "source": model.source, "parameters": model.values()}
    machine = workload.machine.altered(memory_kb=model.machine_kb)
    return workload.transformed(workload.jobs.with_columns(model.memory_kb()), step, machine)
