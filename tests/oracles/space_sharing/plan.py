"""The space-sharing oracle: the plan of future processors, and conservative backfilling on it."""

from collections.abc import Iterable
from dataclasses import dataclass

from scheduler_core.declarations.policy import Policy
from tests.oracles.job import Job
from tests.oracles.space_sharing.state import Pass, State


@dataclass(frozen=True)
class Taken:
    """Processors taken in the plan from ``begin`` until just before ``end``."""

    begin: int
    end: int
    size: int


def fits(processors: int, plan: Iterable[Taken], begin: int, length: int, size: int) -> bool:
    """Tell whether ``size`` processors are free throughout ``length`` from ``begin`` on."""
    plan = list(plan)
    changes = [begin, *(taken.begin for taken in plan if begin < taken.begin < begin + length)]
    used = [sum(taken.size for taken in plan if taken.begin <= t < taken.end) for t in changes]
    return processors - max(used) >= size


def earliest(processors: int, plan: Iterable[Taken], now: int, length: int, size: int) -> int:
    """Return the first time from now on at which the interval fits: now, or when something taken ends."""
    plan = list(plan)
    times = sorted({now, *(taken.end for taken in plan if taken.end > now)})
    return next(t for t in times if fits(processors, plan, t, length, size))


class ConservativePass(Pass):
    """Conservative backfilling; ``begins`` are the reservations of the waiting jobs."""

    def __init__(self, policy: Policy) -> None:
        super().__init__(policy)
        self.begins: dict[Job, int] = {}

    def length(self, job: Job) -> int:
        """Return the run time the plan counts on."""
        return job.stay if self.policy.plan_by == "runtime" else job.estimate

    def plan(self, state: State) -> list[Taken]:
        """Write down what running jobs and reservations take."""
        begins = {**state.running, **self.begins}
        return [Taken(begin, begin + self.length(job), job.size) for job, begin in begins.items()]

    def __call__(self, state: State) -> None:
        """Plan new jobs, move reservations forward when a job ended early, start the jobs whose time has come."""
        early = any(state.now < state.started[job] + self.length(job) for job in state.just_ended)
        for job in state.ordered(state.queue, self.policy.order):
            if job not in self.begins or (self.policy.compression and early):
                self.begins.pop(job, None)
                plan = self.plan(state)
                self.begins[job] = earliest(state.processors, plan, state.now, self.length(job), job.size)
        due = [job for job, begin in self.begins.items() if begin == state.now]
        for job in state.ordered(due, self.policy.order):
            del self.begins[job]
            state.start(job)

    def alarms(self, state: State) -> Iterable[int]:
        """Wake up at the begin of every reservation."""
        return self.begins.values()
