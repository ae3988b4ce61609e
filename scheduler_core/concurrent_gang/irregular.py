"""Irregular jobs: phases of pieces of work, which the job's workers share."""

from scheduler_core.concurrent_gang.draws import BURSTS, drawn, length, one_of, stream_base
from scheduler_core.concurrent_gang.network import release
from scheduler_core.concurrent_gang.state import COMPUTE, END, PHASE, World
from scheduler_core.kernel.jit import kernel
from scheduler_core.kernel.records import Record

LEAST_TO_SHARE = 4
"""So many pieces two workers must have together, for one to be taken from them."""


@kernel
def next_piece(task: int, world: World) -> None:
    """Continue a worker with its next piece of the phase; without one it waits for the end of the phase."""
    state = world.tasks[task]
    job = world.jobs[state.job]
    if job.steps == 0:
        lay_out_phase(job, world)
    if state.barriers == job.steps:
        state.statement = END
        return
    piece = -1
    if state.barriers == job.barriers:
        piece = state.part if not_begun(state, job) > 0 else piece_of_another(task, world)
    if piece < 0:
        state.statement, state.waiting = PHASE, 1
        state.part = state.number
        return
    state.statement, state.left = COMPUTE, piece_length(piece, job)
    if piece == state.part:
        state.part += job.width


@kernel
def not_begun(state: Record, job: Record) -> int:
    """Return how many pieces of the present phase a worker has neither begun nor lost to others."""
    if state.waiting != 0 and state.barriers == job.barriers:
        return 0
    return (job.pieces - state.part + job.width - 1) // job.width - state.taken


@kernel
def piece_of_another(task: int, world: World) -> int:
    """Balance the load: take a piece from the one of two workers drawn that has more; return it, -1 if none is taken."""
    state = world.tasks[task]
    job = world.jobs[state.job]
    if world.rules.balance == 0 or job.width < 3:
        return -1
    for _ in range(job.width):
        a = one_of(job.width - 1, drawn(state.stream_1, state.index))
        a += a >= state.number
        b = one_of(job.width - 2, drawn(state.stream_1, state.index + 1))
        b += b >= min(a, state.number)
        b += b >= max(a, state.number)
        state.index += 2
        of_a, of_b = not_ended(world.tasks[job.first + a], job), not_ended(world.tasks[job.first + b], job)
        if of_a + of_b >= LEAST_TO_SHARE:
            other = world.tasks[job.first + (a if of_a >= of_b else b)]
            last = other.part + (not_begun(other, job) - 1) * job.width
            other.taken += 1
            return last
    return -1


@kernel
def not_ended(state: Record, job: Record) -> int:
    """Return how many pieces of a worker have not ended; a piece it has begun counts as its own."""
    return not_begun(state, job) + (state.statement == COMPUTE)


@kernel
def piece_length(piece: int, job: Record) -> int:
    """Return how long a piece of the present phase takes."""
    if job.cut > 0 and piece == job.pieces - 1:
        return job.cut
    return drawn_piece(piece, job.steps - 1, job)


@kernel
def drawn_piece(piece: int, phase: int, job: Record) -> int:
    """Return the length of a piece of a phase as it is drawn."""
    return length(job.burst, job.constant, drawn(stream_base(job.seed, BURSTS, piece), phase))


@kernel
def lay_out_phase(job: Record, world: World) -> None:
    """Draw the pieces of the next phase of a job; the last is cut to the remaining work."""
    wanted = 1 + one_of(job.most_tasks, drawn(job.stream_a, job.steps))
    job.pieces = job.cut = 0
    while job.pieces < wanted and job.left > 0:
        drawn_length = drawn_piece(job.pieces, job.steps, job)
        if drawn_length > job.left:
            job.cut = job.left
        job.left -= min(drawn_length, job.left)
        job.pieces += 1
    job.pieces_left = job.pieces
    for task in range(job.first, job.first + job.width):
        world.tasks[task].taken = 0
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
            lay_out_phase(job, world)
