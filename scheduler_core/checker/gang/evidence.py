"""What the rules of gang scheduling read besides: the levels, the policy's facts, and each job's allocations in order."""

from functools import cached_property

import numpy as np
import polars as pl

from scheduler_core.checker.evidence import Evidence
from scheduler_core.gang.facts import GangFacts


class GangEvidence(Evidence):
    """The evidence of a schedule in which slots take turns."""

    facts: GangFacts

    @cached_property
    def levels(self) -> pl.DataFrame:
        """The levels, in order of cluster and time."""
        return self.tables["levels"].sort("cluster", "begin_us", "end_us")

    @cached_property
    def sequence(self) -> pl.DataFrame:
        """The allocations of each job in order of begin, with the size before and the latest end so far."""
        columns = ("job", "begin_us", "end_us", "processors", "cluster", "slot", "row")
        ordered = self.allocations.with_row_index("row").select(*columns).sort("job", "begin_us", "slot")
        same_job = pl.col("job") == pl.col("job").shift(1)
        ordered = ordered.with_columns(latest_end=pl.col("end_us").cum_max().over("job"))
        before = {"before_end": "latest_end", "size_before": "processors", "row_before": "row"}
        return ordered.with_columns(**{name: pl.when(same_job).then(pl.col(c).shift(1)) for name, c in before.items()})

    @cached_property
    def parts(self) -> np.ndarray:
        """Processors of each part of the machine; of the whole machine if it is not cut."""
        whole, cut = self.machine.processors, self.facts.partitions
        if cut is None:
            return np.array([whole])
        if cut.halves:
            parts: list[int] = []
            for _ in range(cut.count - 1):
                parts.append(-((sum(parts) - whole) // 2))
            return np.array([*parts, whole - sum(parts)])
        return whole // cut.count + (np.arange(cut.count) < whole % cut.count)

    @cached_property
    def clusters(self) -> np.ndarray:
        """Processors of each cluster: the parts of the machine if each has its own slots."""
        cut = self.facts.partitions
        return np.array([self.machine.processors]) if cut is None or cut.one_job else self.parts

    @property
    def largest(self) -> int:
        """The most processors a job can have: the largest part."""
        return int(self.parts.max())

    @property
    def memory_binds(self) -> bool:
        """Whether the policy packs by memory and the machine can run out of it."""
        return self.facts.packs_by_memory and self.machine.memory_kb > 0 and "memory_kb" in self.asked.columns

    @property
    def too_much(self) -> pl.Expr:
        """Whether a job asks for more processors, or more memory on each, than a part has."""
        too_large = pl.col("size") > self.largest
        if not self.memory_binds:
            return too_large
        return too_large | (pl.col("memory_kb") > self.machine.memory_kb).fill_null(False)

    @property
    def suspensions(self) -> pl.Expr:
        """How often a job was suspended.

        Under a policy that suspends, a job has one size and one rate, so every allocation after the first follows a suspension,
        even if the one before ended at the same instant. Otherwise only a gap is a suspension, and another rule forbids gaps.
        """
        return pl.col("allocations").fill_null(1) - 1 if self.facts.suspends else pl.col("gaps")
