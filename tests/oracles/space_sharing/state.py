"""The space-sharing oracle: jobs, what there is to know at an instant, and the orders of a queue."""

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from scheduler_core.declarations.policy import Policy
from tests.oracles.job import Job

KEYS: dict[str, Callable[[Job, int], float]] = {
    "fcfs": lambda job, now: job.submit - job.credit,
    "shortest": lambda job, now: job.estimate,
    "longest": lambda job, now: -job.estimate,
    "smallest": lambda job, now: job.size,
    "largest": lambda job, now: -job.size,
    "largest_area": lambda job, now: -(job.estimate * job.size),
    "largest_slowdown": lambda job, now: -((now - job.submit + job.estimate) / job.estimate),
}
"""By which number each order sorts, the smallest first: from a job and the time of the pass."""


@dataclass
class State:
    """What there is to know at an instant: who waits, who runs since when, and who started when so far."""

    processors: int
    now: int = -1
    queue: set[Job] = field(default_factory=set)
    running: dict[Job, int] = field(default_factory=dict)
    started: dict[Job, int] = field(default_factory=dict)
    just_ended: list[Job] = field(default_factory=list)

    def start(self, job: Job) -> None:
        """Put a waiting job on its processors, now."""
        self.queue.remove(job)
        self.running[job] = self.started[job] = self.now

    def end(self, job: Job) -> None:
        """Take a job off its processors."""
        del self.running[job]
        self.just_ended.append(job)

    def free(self, ending: AbstractSet[Job] = frozenset()) -> int:
        """Count the processors no job holds; those of jobs in ``ending`` count as free."""
        return self.processors - sum(job.size for job in self.running if job not in ending)

    def ordered(self, jobs: Iterable[Job], order: str) -> list[Job]:
        """Put jobs in an order by name, ties by position."""
        return sorted(jobs, key=lambda job: (KEYS[order](job, self.now), job.position))


class Pass:
    """A policy's pass, and the instants at which it wants one though no job ends and none comes."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.instant = getattr(policy, "instant", "batch")
        self.tied_completions = getattr(policy, "tied_completions", "position")

    def __call__(self, state: State) -> None:
        """Start whom the policy starts now."""
        raise NotImplementedError

    def forget(self) -> None:
        """Give up every reservation: a standstill lasts."""

    def alarms(self, state: State) -> Iterable[int]:
        """Return the instants of the policy's own making."""
        return ()


def start_heads(state: State, queue: list[Job], ending: AbstractSet[Job] = frozenset()) -> list[Job]:
    """Start the head of the queue while it fits; return what is left of the queue."""
    while queue and queue[0].size <= state.free(ending):
        state.start(queue[0])
        queue = queue[1:]
    return queue
