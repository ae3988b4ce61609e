"""What a hand-worked scenario is, and how it becomes jobs and expected times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.oracles.space_sharing.oracle import Job, Schedule

SECOND = 1_000_000


@dataclass(frozen=True)
class Scenario:
    """A few jobs on a small machine, and when each starts under each policy; all in seconds.

    ``jobs`` are (submission, run time, estimate, size); ``starts`` gives, by the policy as a study writes it,
    the start of every job, None for a rejected one.
    """

    processors: int
    jobs: tuple[tuple[int, int, int, int], ...]
    starts: dict[str, tuple[int | None, ...]]

    def job_list(self) -> list[Job]:
        """Give the jobs, numbered from 1, in microseconds."""
        return [
            Job(number, submit * SECOND, runtime * SECOND, estimate * SECOND, size)
            for number, (submit, runtime, estimate, size) in enumerate(self.jobs, start=1)
        ]

    def schedule(self, policy: str) -> Schedule:
        """Give the expected schedule under a policy."""
        times = zip(self.job_list(), self.starts[policy], strict=True)
        return {
            job.job: None if start is None else (start * SECOND, start * SECOND + min(job.runtime, job.estimate))
            for job, start in times
        }

    def chart(self, policy: str) -> list[str]:
        """Draw the expected schedule: a row a job, a column a second."""
        rows = enumerate(zip(self.jobs, self.starts[policy], strict=True), start=1)
        return [f"{number} {draw(job, start)}" for number, (job, start) in rows]


def draw(job: tuple[int, int, int, int], start: int | None) -> str:
    """Draw a job's row: ``.`` while it waits, ``#`` while it runs, ``x`` where it is rejected."""
    submit, runtime, estimate, _ = job
    if start is None:
        return " " * submit + "x"
    return " " * submit + "." * (start - submit) + "#" * min(runtime, estimate)


WORKED: dict[str, tuple[Scenario, str]] = {}
"""Every scenario by name, with its docstring."""


def scenario(worked: Callable[[], Scenario]) -> Callable[[], Scenario]:
    """Enter a scenario into :data:`WORKED`."""
    WORKED[worked.__name__] = (worked(), worked.__doc__ or "")
    return worked
