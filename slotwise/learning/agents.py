"""Agents to compare with: functions that return the next action of an environment."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from scheduler_core.space_sharing.own_policy import in_python
from scheduler_core.space_sharing.own_view import Job, Jobs
from scheduler_core.space_sharing.own_world import elements

if TYPE_CHECKING:
    from slotwise.learning.environment import SchedulingEnvironment

    Agent = Callable[[SchedulingEnvironment], int]


def play(environment: SchedulingEnvironment, act: Agent, *, seed: int | None = None, first: int | None = None) -> float:
    """Return the sum of rewards of an episode, which ``seed`` draws or which begins with the job at a place, ``first``."""
    environment.reset(seed=seed, options={"first": first})
    total, ended = 0.0, False
    while not ended:
        _, reward, ended, _, _ = environment.step(act(environment))
        total += reward
    return total


def random_agent(environment: SchedulingEnvironment) -> int:
    """Return any possible action, drawn by the environment's generator."""
    return int(environment.np_random.choice(np.flatnonzero(environment.mask)))


def shortest_first(environment: SchedulingEnvironment) -> int:
    """Return the shortest job of the window that fits, by estimates; ties go to the job that was submitted first."""
    fitting = np.flatnonzero(environment.mask[:-1])
    if not len(fitting):
        return environment.window
    places = np.asarray(environment.places)[fitting]
    return int(fitting[environment.estimates[places].argmin()])


def agent(choose: Callable[..., Any]) -> Agent:
    """Return an agent that starts the jobs which a policy's function ``choose(now, waiting, running, free)`` chooses.

    The function is called at each instant at which a job of the window fits, and returns jobs of ``waiting`` or their numbers. A
    job behind the window, or any other answer, raises :class:`PolicyError`. A function that numba compiled is called in Python.
    """
    choose = in_python(choose)
    pending: list[Job] = []
    seen = (-1, 0)

    def act(environment: SchedulingEnvironment) -> int:
        nonlocal pending, seen
        if environment.instant != seen:
            if (
                pending and environment.instant[0] == seen[0]
            ):  # the environment went on, because nothing it shows fitted
                raise environment.hidden(pending[0])
            seen = environment.instant
            chosen = choose(environment.now, environment.waiting, environment.running, environment.free)
            pending = [environment.job_of(one) for one in elements(chosen)]
        return environment.action_of(pending.pop(0)) if pending else environment.window

    return act


def easy(now: float, waiting: Jobs, running: Jobs, free: int) -> list[Job]:
    """Return the jobs that EASY starts: FCFS, and jobs that do not delay the first job that must wait.

    It is a policy for :func:`slotwise.simulate`; ``agent(easy)`` is its agent.
    """
    queue, chosen = list(waiting), []
    ends = [(job.expected_end, job.size) for job in running]
    while queue and queue[0].size <= free:
        job = queue.pop(0)
        free -= job.size
        ends.append((now + job.estimate, job.size))
        chosen.append(job)
    if not queue:
        return chosen
    head, *others = queue
    reserved, at_start = reservation(head, ends, free)
    extra = at_start - head.size  # processors that the head leaves free when it starts
    for job in others:
        in_time = now + job.estimate <= reserved
        if job.size <= free and (in_time or job.size <= extra):
            free -= job.size
            extra -= 0 if in_time else job.size
            chosen.append(job)
    return chosen


def reservation(head: Job, ends: list[Any], free: int) -> tuple[float, int]:
    """Return when a job can start at the latest, by the estimates, and the processors that are free then."""
    ends = sorted(ends)
    reserved = next(end for end, _ in ends if free + sum(size for other, size in ends if other <= end) >= head.size)
    return reserved, free + sum(size for end, size in ends if end <= reserved)
