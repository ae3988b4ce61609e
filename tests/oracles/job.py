"""A job as every oracle is told of it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Behaviour:
    """What a job does with its time: the fractions, and what decides how it gets on with others."""

    kind: str
    cpu: float
    network: float
    disk: float
    cpu_network: float = 0.0
    cpu_disk: float = 0.0
    network_disk: float = 0.0
    cpu_phase: float = 0.0
    error_phase: float = 0.0
    application: int = 0


@dataclass(frozen=True)
class Shares:
    """Which share of every processor a job asks for, and what it asks of the slots offered to it."""

    level: str
    share_low: float
    share_high: float
    site: str = "local"
    asks: str = "nothing"
    wanted: int | None = None


@dataclass(frozen=True)
class Does:
    """What a job's tasks do: its application, from what it is drawn, mean lengths in microseconds.

    ``statements`` has the program of each task of a program: a word, and a time in microseconds or the number of a message.
    """

    application: str
    seed: int = 0
    burst: int = 0
    disk: int = 0
    spread: str = "constant"
    imbalance: float = 0.0
    most_tasks: int = 0
    statements: tuple[tuple[tuple[str, int] | tuple[str], ...], ...] = ()


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
    behaviour: Behaviour | None = None
    shares: Shares | None = None
    does: Does | None = None
    credit: int = 0
    user: int | None = None
    queue: int | None = None

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
