"""Irregular jobs: phases of pieces of work, which the job's workers share."""

from __future__ import annotations

from scheduler_core.concurrent_gang.draws import drawn, length, one_of, stream_base
from scheduler_core.concurrent_gang.network import release
from scheduler_core.concurrent_gang.state import COMPUTE, END, PHASE, World
from scheduler_core.kernel.jit import kernel
from scheduler_core.kernel.records import Record


@kernel
def next_piece(task: int, world: World) -> None:
    """Let a worker go on with its next piece of the phase; without one it waits for the end of the phase."""
    state = world.tasks[task]
    job = world.jobs[state.job]
    if job.steps == 0:
        lay_out_phase(job)
    if state.barriers == job.steps:
        state.statement = END
        return
    if state.barriers < job.barriers or state.part >= job.pieces:
        state.statement, state.waiting = PHASE, 1
        state.part = state.number
        return
    state.statement, state.left = COMPUTE, piece_length(state.part, job)
    state.part += job.width


@kernel
def piece_length(piece: int, job: Record) -> int:
    """Return how long a piece of the present phase takes."""
    if job.cut > 0 and piece == job.pieces - 1:
        return job.cut
    return drawn_piece(piece, job.steps - 1, job)


@kernel
def drawn_piece(piece: int, phase: int, job: Record) -> int:
    """Return the length of a piece of a phase as it is drawn."""
    return length(job.burst, job.constant, drawn(stream_base(job.seed, 0, piece), phase))


@kernel
def lay_out_phase(job: Record) -> None:
    """Draw the pieces of the next phase of a job; with the work that is left the last of them is cut."""
    wanted = 1 + one_of(job.most_tasks, drawn(job.stream_a, job.steps))
    job.pieces = job.cut = 0
    while job.pieces < wanted and job.left > 0:
        drawn_length = drawn_piece(job.pieces, job.steps, job)
        if drawn_length > job.left:
            job.cut = job.left
        job.left -= min(drawn_length, job.left)
        job.pieces += 1
    job.pieces_left = job.pieces
    job.steps += 1


@kernel
def end_piece(task: int, now: int, world: World) -> None:
    """End a piece; the last of its phase ends the phase."""
    position = world.tasks[task].job
    job = world.jobs[position]
    job.pieces_left -= 1
    if job.pieces_left == 0:
        release(position, now, task, world)
        if job.left > 0:
            lay_out_phase(job)
