"""The environment: an agent chooses which waiting jobs start, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np

from scheduler_core.common.errors import ParameterError, PolicyError, require
from scheduler_core.common.units import MICROSECONDS, unboxed
from scheduler_core.contracts.workload import require_workload
from scheduler_core.declarations.families import SITE_TABLES
from scheduler_core.space_sharing.family import FAMILY
from scheduler_core.space_sharing.own_engine import jobs_of, schedule_of
from scheduler_core.space_sharing.own_policy import OwnPolicy
from scheduler_core.space_sharing.own_view import CallAgain, Job, Jobs, Promise, Start, Suspend
from scheduler_core.space_sharing.own_world import World
from scheduler_core.stepping.engine_shell import Shell

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload

HOUR_S = 3600
BOUND_S = 10

FEATURES = 4
"""Numbers per job of the window in :func:`window_features`."""


def squashed(seconds: Any) -> Any:
    """Return times as numbers from 0 to 1: t / (t + 1 h)."""
    return seconds / (seconds + HOUR_S)


def window_features(environment: SchedulingEnvironment) -> np.ndarray:
    """Return what an agent observes by default: 4 numbers from 0 to 1 for each place of the window, then 3 of the machine.

    A waiting job has its size as a share of the machine, its estimate, its wait so far, and whether it fits on the free
    processors (1 or 0); empty places are 0. The machine has the share of free processors, the waiting jobs n behind the window
    as n / (n + window), and the time until the next running job ends by its estimate (1: none runs). Times t become
    t / (t + 1 h).
    """
    seen = np.zeros(FEATURES * environment.window + 3, np.float32)
    places, now = environment.places, environment.now
    count = len(places)
    jobs = seen[: FEATURES * count].reshape(count, FEATURES)
    jobs[:, 0] = environment.sizes[places] / environment.processors
    jobs[:, 1] = squashed(environment.estimates[places])
    jobs[:, 2] = squashed(now - environment.submitted[places])
    jobs[:, 3] = environment.mask[:count]
    behind = len(environment.waiting) - count
    seen[-3] = environment.free / environment.processors
    seen[-2] = behind / (behind + environment.window)
    ends = [job.expected_end for job in environment.running if job.expected_end is not None]
    seen[-1] = squashed(max(min(ends) - now, 0)) if ends else 1
    return seen


def bounded_slowdown(job: Job, wait_s: float, run_s: float) -> float:
    """Return the negative bounded slowdown of a job that starts: run times below 10 s count as 10 s."""
    return -max((wait_s + run_s) / max(run_s, BOUND_S), 1.0)


class SchedulingEnvironment(gymnasium.Env):
    """Episodes of consecutive jobs of a workload, which an agent schedules with the same view as ``choose`` of a policy.

    An action is a place of the window, which holds the waiting jobs that were submitted first, or ``window``: start no further
    job now and go on to the next instant at which jobs are submitted or end. A started job changes the window at once. Instants
    at which no job of the window fits pass without a step. An episode ends when its last job has started.

    ``info["action_mask"]`` tells which actions are possible: jobs that fit, and going on unless nothing would ever happen again.
    An impossible action counts as going on; where that is impossible, as the first job that fits. ``info["replaced"]`` says so.

    A started job gives its reward over the number of jobs, so an episode's rewards add up to the mean over its jobs: by default
    the negative mean bounded slowdown.

    Raise :class:`ParameterError` when the workload has too few jobs, or a number is out of its range.

    Parameters
    ----------
    workload
        The jobs and their machine. Jobs wider than the machine take no part.
    jobs
        Jobs of an episode; by default 256, or all where the workload has fewer. The first is drawn at each ``reset``, or is
        ``options={"first": place in the workload}``.
    window
        Places of the window.
    observation
        Returns the observation: numbers from 0 to 1 (float32), always of one shape. It may read every property of the
        environment.
    reward
        Returns the reward of a job that starts, from the job, its wait and its run time in seconds. No agent sees run times.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 - as gymnasium declares it

    def __init__(
        self,
        workload: Workload,
        jobs: int | None = None,
        *,
        window: int = 32,
        observation: Callable[[SchedulingEnvironment], np.ndarray] = window_features,
        reward: Callable[[Job, float, float], float] = bounded_slowdown,
    ) -> None:
        require_workload(workload)
        workload.machine.require_plain("SchedulingEnvironment")
        if found := [words for table, words in SITE_TABLES.items() if table in workload.companions]:
            raise ParameterError(f"SchedulingEnvironment: agents may act at any time; leave the {found[0]} out")
        shell = Shell(FAMILY, OwnPolicy(function="agent"), workload)
        self.every = jobs_of(shell)
        if jobs is None:
            jobs = min(256, len(self.every))
        require(jobs := unboxed(jobs), int, "a number of jobs")
        require(window := unboxed(window), int, "a number of places of the window")
        if not 1 <= jobs <= len(self.every) or window < 1:
            raise ParameterError(
                f"expected jobs from 1 to {len(self.every):,}, the jobs of the workload that fit on its machine, and a window "
                f"of at least 1; found jobs={jobs:,}, window={window:,}"
            )
        self.whole, self.count, self.window = shell, jobs, window
        self.processors = workload.machine.processors
        self.submit_us = shell.column("submit_us").tolist()
        self.run_us = shell.run_us.tolist()
        self.columns = np.array([[job.size, job.estimate, job.submitted] for job in self.every]).T.copy()
        self.observe, self.reward = observation, reward
        self.episode = -1
        self.begin(0)
        self.action_space = gymnasium.spaces.Discrete(window + 1)
        self.observation_space = gymnasium.spaces.Box(0, 1, observation(self).shape, np.float32)

    @property
    def now(self) -> float:
        """The time in seconds since the workload's zero."""
        return self.world.now / MICROSECONDS

    @property
    def waiting(self) -> Jobs:
        """The waiting jobs in the order of submission, also those behind the window."""
        return self.world.waiting

    @property
    def running(self) -> Jobs:
        """The running jobs in the order of their starts."""
        return self.world.running

    @property
    def free(self) -> int:
        """The number of free processors."""
        return self.world.free

    @property
    def instant(self) -> tuple[int, int]:
        """The episode and the number of the instant in it: equal as long as the clock stands still."""
        return self.episode, self.world.calls

    @property
    def workload(self) -> Workload:
        """The jobs of the episode, as a workload."""
        jobs = self.whole.jobs.slice(self.first, self.count)
        return self.whole.workload.transformed(jobs, {"step": "episode", "first": self.first, "jobs": self.count})

    def schedule(self) -> Schedule:
        """Return the schedule of the episode, which ``slotwise.check`` can prove; raise :class:`PolicyError` before its end."""
        if min(self.world.start_us) < 0:
            raise PolicyError("the episode has not ended: some jobs have not started")
        return schedule_of(Shell(FAMILY, self.whole.policy, self.workload), self.world.outcome)

    def begin(self, first: int) -> None:
        """Begin an episode whose first job has a place in the workload."""
        span = slice(first, first + self.count)
        jobs = [job._replace(position=place) for place, job in enumerate(self.every[span])]
        self.first, self.episode = first, self.episode + 1
        self.world = World("agent", jobs, self.submit_us[span], self.run_us[span], self.processors)
        self.sizes, self.estimates, self.submitted = self.columns[:, span]
        self.instants: Iterator[int] = self.world.instants()
        self.go_on()

    def go_on(self) -> bool:
        """Go on to the next instant at which a job of the window fits; return whether there is one."""
        return any(self.look() for _ in self.instants)

    def look(self) -> bool:
        """Take down the window and the possible actions; return whether a job of the window fits."""
        self.places = list(islice(self.world.queue, self.window))
        fits = self.sizes[self.places] <= self.world.free
        self.mask = np.zeros(self.window + 1, np.int8)
        self.mask[: len(fits)] = fits
        self.mask[-1] = self.world.next_instant() is not None
        return bool(fits.any())

    def action_masks(self) -> np.ndarray:
        """Return for each action whether it is possible."""
        return self.mask.astype(bool)

    def job_of(self, one: Any) -> Job:
        """Return the job that is meant, by itself or by its number; raise :class:`PolicyError` for anything else."""
        if isinstance(one, Start | Promise | Suspend | CallAgain):
            raise PolicyError(f"{self.world.where()}an agent can only start jobs, wherever they fit; found {one!r}")
        return self.world.job_of(one)

    def action_of(self, job: Job) -> int:
        """Return the action that starts a waiting job; raise :class:`PolicyError` when the window does not show it."""
        if job.position not in self.places:
            raise self.hidden(job)
        return self.places.index(job.position)

    def hidden(self, job: Job) -> PolicyError:
        """Return the error for a chosen job that waits behind the window."""
        return PolicyError(
            f"{self.world.where()}job {job.number} was chosen and waits behind the first {self.window:,}; take a larger window"
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin an episode and return the first observation; ``options`` may name the place of its ``first`` job.

        Raise :class:`ParameterError` when the workload has too few jobs from there on.
        """
        super().reset(seed=seed)
        last = len(self.every) - self.count
        first = (options or {}).get("first")
        first = int(self.np_random.integers(last + 1)) if first is None else first
        if not 0 <= first <= last:
            raise ParameterError(f"first: expected a place from 0 to {last:,} in the workload; found {first:,}")
        self.begin(first)
        return self.observe(self), {"action_mask": self.mask, "replaced": False}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Start a job or go on; return observation, reward, whether the episode ended, False, and the possible actions."""
        if replaced := not self.mask[action]:
            action = self.window if self.mask[-1] else int(self.mask.argmax())
        reward, decide = 0.0, False
        if action < self.window:
            reward = self.start(self.places[action])
            decide = self.look()
        ended = not (decide or self.go_on())
        return self.observe(self), reward, ended, False, {"action_mask": self.mask, "replaced": replaced}

    def start(self, position: int) -> float:
        """Start a waiting job; return its part of the mean reward."""
        world = self.world
        job = world.jobs[position]
        world.begin(job)
        wait_s = (world.now - world.submit_us[position]) / MICROSECONDS
        return self.reward(job, wait_s, world.run_us[position] / MICROSECONDS) / self.count
