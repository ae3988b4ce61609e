"""A job as every oracle is told of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Job:
    """A job as the workload describes it; every time is an integer number of microseconds, memory is in kB."""

    job: int
    submit: int
    runtime: int
    estimate: int
    size: int
    flexibility: str = "rigid"
    size_min: int | None = None
    size_max: int | None = None
    job_class: str | None = None
    memory: int | None = None

    def __hash__(self) -> int:
        """Jobs stand in sets; no two jobs of a workload have one number."""
        return self.job

    @property
    def stay(self) -> int:
        """How long the job runs on processors of its own: it is killed at its estimate."""
        return min(self.runtime, self.estimate)

    @property
    def position(self) -> tuple[int, int]:
        """What breaks every tie: the job's row in a workload sorted by submission, then job number."""
        return (self.submit, self.job)

    @property
    def held_memory(self) -> int:
        """Memory the job holds on each of its processors."""
        return self.memory or 0

    def fewest(self) -> int:
        """Return the fewest processors on which a job that is not rigid runs."""
        return max(1, self.size // 2) if self.size_min is None else self.size_min

    def most(self, processors: int) -> int:
        """Return the most processors on which a job that is not rigid runs, on a machine of so many."""
        if self.size_max is None:
            return max(self.size, min(processors, 2 * self.size))
        return min(processors, self.size_max)
