"""Preemptive policies in plain Python: at each instant, the jobs that should run from then on."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tests.oracles.job import Job

Allocation = tuple[int, int, int]
"""Number of a job, begin and end."""


@dataclass
class State:
    """What there is to know at an instant: how long each job in the system has run, who ran until now, and since when."""

    processors: int
    now: int = 0
    ran: dict[Job, int] = field(default_factory=dict)
    running: dict[Job, int] = field(default_factory=dict)
    queued: dict[Job, int] = field(default_factory=dict)  # when a job joined the end of the queue of round robin

    def fitting(self, jobs: Iterable[Job]) -> list[Job]:
        """Return the jobs, one after another, that fit beside those before them."""
        chosen: list[Job] = []
        for job in jobs:
            if sum(other.size for other in chosen) + job.size <= self.processors:
                chosen.append(job)
        return chosen


Choose = Callable[[State], list[Job]]
"""The jobs that should run from an instant on."""


def shortest_remaining(state: State) -> list[Job]:
    """The jobs with the shortest remaining estimates run."""
    return state.fitting(sorted(state.ran, key=lambda job: (job.estimate - state.ran[job], job.position)))


def round_robin(slice_us: int) -> Choose:
    """At multiples of the slice running jobs go to the end of the queue; at other instants they go on."""

    def choose(state: State) -> list[Job]:
        kept = set(state.running)
        if state.now % slice_us == 0:
            state.queued.update(dict.fromkeys(state.running, state.now))
            kept = set()
        order = sorted(state.ran, key=lambda job: (job not in kept, state.queued.get(job, job.submit), job.position))
        return state.fitting(order)

    return choose


def schedule(choose: Choose, jobs: list[Job], processors: int, slice_us: int = 0) -> list[Allocation]:
    """Return the allocations of the jobs that fit on the machine; instants are submissions, ends and multiples of the slice."""
    state, coming, found = State(processors), [job for job in jobs if job.size <= processors], list[Allocation]()
    while coming or state.ran:
        times = [job.submit for job in coming] + [state.now + job.stay - state.ran[job] for job in state.running]
        times += [(state.now // slice_us + 1) * slice_us] if slice_us and state.ran else []
        later = min(times)
        for job in state.running:
            state.ran[job] += later - state.now
        state.now = later
        for job in [job for job in state.running if state.ran[job] == job.stay]:
            found.append((job.job, state.running.pop(job), later))
            del state.ran[job]
        while coming and coming[0].submit == later:
            state.ran[coming.pop(0)] = 0
        chosen = choose(state)
        found += [(job.job, state.running.pop(job), later) for job in list(state.running) if job not in chosen]
        state.running.update({job: later for job in chosen if job not in state.running})
    return sorted(found)
