"""The jobs of the drawn log: submissions, sizes, run times, estimates, users and fates, drawn from published models."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scheduler_core.common.units import MICROSECONDS
from traces.models import get_model
from traces.seeds import generator
from traces.shape.estimates import Tsafrir

SEED = 2026
DAY, HOUR = 86_400, 3_600
DAYS = 182
"""Length of the log: half a year, from a Monday at midnight."""

OUTAGE = (101 * DAY + 9 * HOUR, 102 * DAY + 15 * HOUR)
"""Begin and end of the outage in seconds: running jobs die, nobody submits, and the queue is kept."""

WEEKEND_SHARE = 0.4
"""Jobs of a weekend's day over those of a working day."""

USERS, GROUPS, PROGRAMS = 64, 7, 6
SAME_USER = 0.6
"""Probability that a job has the user of the job before it in its partition: users submit in sessions."""

SHORT_S, MEDIUM_S = HOUR, 6 * HOUR
"""Longest estimates of the queues for short and for medium jobs."""

FINISHED, FAILED, CANCELLED = 1, 0, 5
"""Statuses of the format."""


@dataclass(frozen=True)
class Partition:
    """A part of the machine with its own stream of jobs from the Lublin-Feitelson model.

    ``types`` are the model's job types, ``drawn`` the jobs that the model draws, and ``kept`` the share of them that are kept on
    working days. ``stretch`` multiplies their run times.
    """

    number: int
    name: str
    processors: int
    types: str
    drawn: int
    kept: float
    stretch: float


PARTITIONS = (
    Partition(1, "batch", 120, "typeless", 40_000, 0.545, 2.5),
    Partition(2, "interactive", 8, "interactive", 30_000, 0.12, 1.5),
)


@dataclass
class Job:
    """A job as it was asked for; times in seconds. ``limit`` is the run time that the scheduler grants: estimate and grace.

    ``patience`` is how long it waits before it is cancelled (None: forever). ``wait`` and ``runtime`` become what the schedule
    gives; ``wait`` is None as long as it has not started.
    """

    submit: int
    size: int
    runtime: int
    estimate: int
    limit: int
    user: int
    program: int
    partition: Partition
    status: int = FINISHED
    patience: int | None = None
    wait: int | None = None

    @property
    def queue(self) -> int:
        """Number of the queue: 0 interactive, 1 short, 2 medium, 3 long."""
        if self.partition.types == "interactive":
            return 0
        return 1 if self.estimate <= SHORT_S else 2 if self.estimate <= MEDIUM_S else 3


def draw_jobs(partition: Partition) -> list[Job]:
    """Draw the jobs of a partition in the order of submission.

    Submissions, sizes and run times are those of the Lublin-Feitelson model, which has a daily cycle. Dropping jobs at random
    gives the weekly cycle and the number of jobs. Estimates are modal (Tsafrir). Of the jobs 3 % run on to their estimate and
    are killed after a grace of up to a minute, 4 % fail early, 3 % are cancelled while they run, and 6 % are cancelled if they
    wait too long.
    """
    random = generator(SEED, "drawn", 0, partition.name)
    model = get_model("lublin", processors=partition.processors, types=partition.types)
    table = model.generate(partition.drawn, random).jobs
    submit = table["submit_us"].to_numpy() // MICROSECONDS
    weekend = submit // DAY % 7 >= 5
    kept = random.random(len(submit)) < partition.kept * np.where(weekend, WEEKEND_SHARE, 1.0)
    kept &= (submit < DAYS * DAY) & ((submit < OUTAGE[0]) | (submit >= OUTAGE[1]))
    submit, size = submit[kept], table["size"].to_numpy()[kept]
    longest = 46 * HOUR
    seconds = table["runtime_us"].to_numpy()[kept] / MICROSECONDS * partition.stretch
    runtime = np.clip(np.rint(seconds), 1, longest).astype(np.int64)
    estimate = Tsafrir().estimates(runtime * MICROSECONDS, random)[0] // MICROSECONDS
    users = draw_users(len(submit), random)
    programs = users * PROGRAMS + np.minimum(random.geometric(0.5, len(submit)), PROGRAMS)
    fate, part = random.random(len(submit)), random.random(len(submit))
    grace, patience = random.integers(1, 60, len(submit)), 60 + random.exponential(2 * HOUR, len(submit))
    jobs = []
    for n in range(len(submit)):
        job = Job(int(submit[n]), int(size[n]), int(runtime[n]), int(estimate[n]), int(estimate[n]), int(users[n]),
                  int(programs[n]), partition)  # fmt: skip
        give_fate(job, float(fate[n]), float(part[n]), int(grace[n]), int(patience[n]))
        jobs.append(job)
    return jobs


def draw_users(count: int, random: np.random.Generator) -> np.ndarray:
    """Draw the users of jobs: few users submit many jobs, and in sessions."""
    weights = 1 / np.arange(1, USERS + 1)
    users = random.choice(np.arange(1, USERS + 1), count, p=weights / weights.sum())
    same = random.random(count) < SAME_USER
    same[0] = False
    return users[np.maximum.accumulate(np.where(same, 0, np.arange(count)))]


def give_fate(job: Job, fate: float, part: float, grace: int, patience: int) -> None:
    """Let a job be killed at its estimate, fail, be cancelled while it runs, or lose patience; most jobs finish."""
    if fate < 0.03:
        job.runtime = job.limit = job.estimate + grace
        job.status = FAILED
    elif fate < 0.07:
        job.runtime, job.status = max(1, int(part * min(job.runtime, 600))), FAILED
    elif fate < 0.10:
        job.runtime, job.status = max(1, int(part * job.runtime)), CANCELLED
    elif fate < 0.16:
        job.patience = patience
