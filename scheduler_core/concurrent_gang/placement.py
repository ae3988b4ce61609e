"""Jobs and their tasks as they are laid out, placed and removed."""

import numpy as np

from scheduler_core.concurrent_gang.classify import priority
from scheduler_core.concurrent_gang.draws import (
    BALANCE,
    BURSTS,
    PHASES,
    RECEIVERS,
    REQUESTS,
    SENDERS,
    SHARES,
    SHIFTS,
    WORK,
    stream_base,
)
from scheduler_core.concurrent_gang.processors import join_ready, need_one_another
from scheduler_core.concurrent_gang.state import (
    BARRIERS,
    BAYES,
    DISK,
    IO,
    IRREGULAR,
    MESSAGES,
    SUPERSTEPS,
    WHOLE,
    World,
)
from scheduler_core.kernel.jit import kernel_entry


@kernel_entry
def lay_out_tasks(world: World) -> None:
    """Set the initial state of jobs and tasks; their applications and programs are already set."""
    for position in range(len(world.jobs)):
        job = world.jobs[position]
        kind = job.application
        first = SENDERS if kind == MESSAGES else WORK if kind in (SUPERSTEPS, BARRIERS) else PHASES
        second = RECEIVERS if kind == MESSAGES else SHIFTS
        of_task = REQUESTS if kind == IO else BALANCE if kind == IRREGULAR else SHARES
        job.stream_a, job.stream_b = stream_base(job.seed, first, 0), stream_base(job.seed, second, 0)
        job.left = job.width * job.work
        job.start = job.finish = -1
        for number in range(job.width):
            task = world.tasks[job.first + number]
            task.job, task.number, task.work, task.processor = position, number, job.work, -1
            task.stream_0 = stream_base(job.seed, BURSTS, number)
            task.stream_1 = stream_base(job.seed, of_task, number)
            task.message = task.first_message = task.barrier_row = task.next_ran = task.behind_at_disk = -1
            task.statement = DISK  # nothing of which is left, so that the first statement follows
            if kind == IRREGULAR:
                task.part = number
            task.f_io = task.f_communication = task.f_computation = WHOLE // 2
            if world.rules.classifier == BAYES:
                task.m_io = task.m_communication = task.m_computation = WHOLE // 2
            task.priority = priority(task, world.rules)


@kernel_entry
def place(position: int, row: int, rank: int, now: int, processors: np.ndarray, world: World) -> None:
    """Bind the tasks of a job to its processors, in ascending order; they are ready."""
    job = world.jobs[position]
    job.start, job.row = now, row
    for number in range(job.width):
        world.tasks[job.first + number].processor = processors[number]
        world.tasks[job.first + number].rank = rank
        world.processors[processors[number]].partners += need_one_another(job)
        join_ready(job.first + number, world)
