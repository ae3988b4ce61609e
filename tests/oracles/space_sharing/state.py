"""The space-sharing oracle: jobs, what there is to know at an instant, and the orders of a queue."""

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from fractions import Fraction

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
    """What there is to know at an instant: who waits, who runs since when, and who started when so far.

    ``user_jobs`` and ``user_hours`` are the ceilings of users, if there are any. ``half_life`` and ``weight`` are those of fair
    share, in microseconds. ``closed`` has the closed hours: queue (-1: every queue), the estimate above which jobs are held,
    begin, end.
    """

    processors: int
    user_jobs: int | None = None
    user_hours: float | None = None
    half_life: int = 0
    weight: int = 0
    closed: Sequence[tuple[int, int, int, int]] = ()
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

    def beside(self, job: Job) -> list[Job]:
        """List the running jobs of a job's user."""
        return [other for other in self.running if job.user is not None and other.user == job.user]

    def excess(self, job: Job, time: int) -> int:
        """By how much the requested time that a job and its user's running jobs have left at a time exceeds the ceiling."""
        left = sum(other.size * (self.running[other] + other.estimate - time) for other in self.beside(job))
        return job.size * job.estimate + left - round(self.user_hours * 3600 * 10**6)

    def held(self, job: Job) -> bool:
        """Tell whether a ceiling of its user or closed hours hold a waiting job."""
        if self.is_closed(job, self.now):
            return True
        beside = self.beside(job)
        too_many = self.user_jobs is not None and len(beside) >= self.user_jobs
        too_long = self.user_hours is not None and self.excess(job, self.now) > 0
        return bool(beside) and (too_many or too_long)

    def is_closed(self, job: Job, time: int) -> bool:
        """Tell whether hours are closed to a job at a time."""
        return any(
            queue in (-1, job.queue) and job.estimate > limit and begin <= time < end
            for queue, limit, begin, end in self.closed
        )

    def fits(self, job: Job, ending: AbstractSet[Job] = frozenset()) -> bool:
        """Tell whether a waiting job may start on the free processors."""
        return job.size <= self.free(ending) and not self.held(job)

    def releases(self) -> Iterable[int]:
        """Yield the times at which the ceiling on requested time lets a held job go, if all runs on."""
        for job in self.queue if self.user_hours is not None else ():
            beside = self.beside(job)
            if (
                not beside
                or self.excess(job, self.now) <= 0
                or (self.user_jobs is not None and len(beside) >= self.user_jobs)
            ):
                continue
            rate = sum(other.size for other in beside)
            time = self.now + -(-self.excess(job, self.now) // rate)
            if time <= max(self.running[other] + other.estimate for other in beside):
                yield time

    def boundaries(self) -> Iterable[int]:
        """Yield the later times at which hours closed to a waiting job begin or end."""
        for _, _, *times in self.closed:
            for time in times:
                changes = (self.is_closed(job, time) != self.is_closed(job, time - 1) for job in self.queue)
                if time > self.now and any(changes):
                    yield time

    def ordered(self, jobs: Iterable[Job], order: str) -> list[Job]:
        """Put jobs in an order by name, ties by position."""
        if order == "fair_share":
            return sorted(jobs, key=lambda job: (job.submit - job.credit + self.later(job), job.position))
        return sorted(jobs, key=lambda job: (KEYS[order](job, self.now), job.position))

    def later(self, job: Job) -> int:
        """By how much later fair share takes a job as submitted."""
        everything = self.usage(self.started)
        own = self.usage(other for other in self.started if other.user == job.user)
        return int(float(self.weight) * (float(own) / float(everything))) if everything else 0

    def usage(self, jobs: Iterable[Job]) -> int:
        """Recent usage of jobs: the processor time of each window, by a half less for each window back."""
        windows: dict[int, int] = {}
        current = self.now // self.half_life
        for job in jobs:
            begin, end = self.started[job], min(self.started[job] + job.stay, self.now)
            for window in range(begin // self.half_life, end // self.half_life + 1):
                first, last = window * self.half_life, (window + 1) * self.half_life
                windows[window] = windows.get(window, 0) + job.size * max(0, min(end, last) - max(begin, first))
        return int(sum(Fraction(held, 2 ** (current - window)) for window, held in windows.items()))


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
    """Start the first job of the queue that is not held while it fits; return the jobs left that are not held."""
    queue = [job for job in queue if not state.held(job)]
    while queue and queue[0].size <= state.free(ending):
        state.start(queue[0])
        queue = [job for job in queue[1:] if not state.held(job)]
    return queue
