"""The work that tasks of jobs must do: lengths and partners redrawn from the jobs' seeds, and each program's totals.

These are millions of independent draws, so the functions are compiled. They follow the family's page.
"""

import math
from typing import NamedTuple

import numpy as np

from scheduler_core.kernel.jit import kernel, kernel_entry

PARTS = 4096
ONE = 1 << 20

STEP = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)

BURST, DISK, SENDER, RECEIVER, WORK, UNEVEN, SHIFT, PIECES = range(8)
"""Streams of draws."""


class Program(NamedTuple):
    """What the draws of a job depend on: times in nanoseconds, ``imbalance`` in units of 2^-20, ``work`` that of each task.

    ``parts`` are those of the exponential distribution, none if lengths are constant.
    """

    seed: int
    size: int
    work: int
    mean: int
    disk: int
    imbalance: int
    most_tasks: int
    parts: np.ndarray


def parts_of_the_exponential() -> np.ndarray:
    """Return the mean of each of the equally probable parts of the exponential distribution of mean 1, in units of 2^-20.

    A part lies between the quantiles k and k + 1 of 4,096. The integral of x exp(-x) from a on is (a + 1) exp(-a).
    """

    def beyond(quantile: int) -> float:
        rest = (PARTS - quantile) / PARTS
        return rest * (1 - math.log(rest)) if rest else 0.0

    from_here = [beyond(quantile) for quantile in range(PARTS + 1)]
    return np.array([round((from_here[k] - from_here[k + 1]) * PARTS * ONE) for k in range(PARTS)])


@kernel
def mixed(z: np.uint64) -> np.uint64:
    """Return a number with its bits mixed."""
    z = (z ^ (z >> np.uint64(30))) * FIRST
    z = (z ^ (z >> np.uint64(27))) * SECOND
    return z ^ (z >> np.uint64(31))


@kernel
def stream_of(seed: int, stream: int, task: int) -> np.uint64:
    """Return the state from which the draws of a stream and task begin."""
    return mixed(mixed(np.uint64(seed) + STEP * np.uint64(stream + 1)) + STEP * np.uint64(task + 1))


@kernel
def drawn(begun: np.uint64, index: int) -> np.uint64:
    """Return a draw of a stream and task."""
    return mixed(begun + STEP * np.uint64(index + 1))


@kernel
def one_of(begun: np.uint64, index: int, count: int) -> np.int64:
    """Return a draw of one of ``count``."""
    return np.int64(((drawn(begun, index) >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))


@kernel
def length(begun: np.uint64, index: int, mean: int, parts: np.ndarray) -> int:
    """Return a drawn length; without ``parts`` it is constant."""
    if not len(parts):
        return mean
    return max(1, (mean * parts[np.int64(drawn(begun, index) >> np.uint64(52))] + (1 << 19)) >> 20)


@kernel
def uneven(begun: np.uint64, index: int, work: int, imbalance: int) -> np.int64:
    """Return the work of a task in a superstep, multiplied in two parts because the product exceeds 64 bits."""
    factor = imbalance * (2 * np.int64(drawn(begun, index) >> np.uint64(44)) - ONE)
    above, below = work >> 20, work & (ONE - 1)
    return max(np.int64(1), work + ((above * factor + ((below * factor) >> 20)) >> 20))


@kernel_entry
def bursts(job: Program, total: np.ndarray) -> None:
    """Add up what the tasks of an io job do: computing, time on disk, requests."""
    for task in range(job.size):
        streams = stream_of(job.seed, BURST, task), stream_of(job.seed, DISK, task)
        left, index = job.work, 0
        while left > 0:
            burst = min(left, length(streams[0], index, job.mean, job.parts))
            disk = min(left - burst, length(streams[1], index, job.disk, job.parts))
            total[0] += burst
            total[1] += disk
            total[2] += disk > 0
            left -= burst + disk
            index += 1


@kernel_entry
def burst_rows(job: Program, task: int, until: int, rows: np.ndarray) -> int:
    """Write the bursts and requests of an io task as rows until they have taken a given time; return the number of rows.

    Return -1 if there is no room for them.
    """
    streams = stream_of(job.seed, BURST, task), stream_of(job.seed, DISK, task)
    left, index = job.work, 0
    while left > 0 and job.work - left <= until:
        if index == len(rows):
            return -1
        rows[index, 0] = min(left, length(streams[0], index, job.mean, job.parts))
        rows[index, 1] = min(left - rows[index, 0], length(streams[1], index, job.disk, job.parts))
        left -= rows[index, 0] + rows[index, 1]
        index += 1
    return index


@kernel
def drawn_message(job: Program, number: int, own: np.ndarray, count: np.ndarray) -> tuple[int, int, int, int]:
    """Draw a message of a job: its sender and receiver, and the gaps before its send and its receive.

    ``own`` has each task's stream of gaps, ``count`` how many messages it has had.
    """
    sender = one_of(stream_of(job.seed, SENDER, 0), number, job.size)
    receiver = one_of(stream_of(job.seed, RECEIVER, 0), number, job.size - 1)
    receiver += receiver >= sender
    sends = length(own[sender], count[sender], job.mean, job.parts)
    receives = length(own[receiver], count[receiver], job.mean, job.parts)
    return sender, receiver, sends, receives


@kernel_entry
def messages(job: Program, network: np.ndarray, own: np.ndarray, seen: np.ndarray, total: np.ndarray) -> None:
    """Run a job of messages alone: add up its tasks' computing, and count its messages.

    ``network`` is overhead and latency; ``own`` and the two rows of ``seen``, clocks and counts, have room for each task.
    """
    overhead, latency = network[0], network[1]
    clock, count = seen[0], seen[1]
    for task in range(job.size):
        own[task] = stream_of(job.seed, BURST, task)
        clock[task] = count[task] = 0
    number = 0
    while True:
        sender, receiver, sends, receives = drawn_message(job, number, own, count)
        sent = clock[sender] + sends + overhead
        received = max(clock[receiver] + receives, sent + latency) + overhead
        if sent > job.work or received > job.work:
            break
        clock[sender], clock[receiver] = sent, received
        count[sender] += 1
        count[receiver] += 1
        total[0] += sends + receives
        number += 1
    for task in range(job.size):
        total[0] += job.work - clock[task]
    total[1] += number


@kernel_entry
def message_rows(job: Program, first: int, own: np.ndarray, count: np.ndarray, rows: np.ndarray) -> None:
    """Write messages of a job from number ``first`` on as rows: sender, receiver, and the gaps before send and receive."""
    for task in range(job.size):
        own[task] = stream_of(job.seed, BURST, task)
        count[task] = 0
    for number in range(first + len(rows)):
        message = drawn_message(job, number, own, count)
        if number >= first:
            row = rows[number - first]
            row[0], row[1], row[2], row[3] = message
        count[message[0]] += 1
        count[message[1]] += 1


@kernel_entry
def supersteps(job: Program, network: np.ndarray, own: np.ndarray, works: np.ndarray, total: np.ndarray) -> None:
    """Run a job of supersteps alone: add up its tasks' computing, and count its steps.

    ``network`` is overhead, latency and baseline; ``own`` and ``works`` have room for each task.
    """
    overhead, latency, baseline = network
    different = job.size if job.imbalance else 1
    shifts, lengths = stream_of(job.seed, SHIFT, 0), stream_of(job.seed, WORK, 0)
    for task in range(job.size):
        own[task] = stream_of(job.seed, UNEVEN, task)
    released, step = 0, 0
    while True:
        works[0] = mine = length(lengths, step, job.mean, job.parts)
        if job.imbalance:
            for task in range(job.size):
                works[task] = uneven(own[task], step, mine, job.imbalance)
        partner = different - 1 - one_of(shifts, step, job.size - 1) if job.imbalance else 0  # of task 0
        last, computed = 0, 0
        for task in range(different):
            last = max(last, works[task], works[partner] // 2 + latency)
            computed += works[task]
            partner = partner + 1 if partner + 1 < different else 0
        ends = released + last + 2 * overhead + baseline
        if ends > job.work:
            break
        released = ends
        total[0] += computed if job.imbalance else job.size * computed
        step += 1
    total[0] += job.size * (job.work - released)
    total[1] += step


@kernel_entry
def superstep_rows(job: Program, first: int, rows: np.ndarray) -> None:
    """Write supersteps from number ``first`` on as rows: the shift of partners, then the work of each task."""
    shifts, lengths = stream_of(job.seed, SHIFT, 0), stream_of(job.seed, WORK, 0)
    for at in range(len(rows)):
        rows[at, 0] = 1 + one_of(shifts, first + at, job.size - 1)
        mine = length(lengths, first + at, job.mean, job.parts)
        for task in range(job.size):
            own = stream_of(job.seed, UNEVEN, task)
            rows[at, 1 + task] = uneven(own, first + at, mine, job.imbalance) if job.imbalance else mine


@kernel_entry
def steps_between_barriers(job: Program, baseline: int) -> int:
    """Return how many barriers a job of barriers passes alone; all its time but the baseline of each is computing."""
    lengths = stream_of(job.seed, WORK, 0)
    left, step = job.work, 0
    while True:
        left -= length(lengths, step, job.mean, job.parts) + baseline
        if left < 0:
            return step
        step += 1


@kernel_entry
def barrier_rows(job: Program, first: int, works: np.ndarray) -> None:
    """Write the work before each barrier, from number ``first`` on."""
    lengths = stream_of(job.seed, WORK, 0)
    for at in range(len(works)):
        works[at] = length(lengths, first + at, job.mean, job.parts)


@kernel_entry
def phases(job: Program, first: int, rows: np.ndarray) -> int:
    """Return the number of phases of an irregular job; write each task's work in the phases from ``first`` on as rows."""
    counts = stream_of(job.seed, PIECES, 0)
    left, phase = job.size * job.work, 0
    while left > 0:
        pieces = 1 + one_of(counts, phase, job.most_tasks)
        for piece in range(pieces):
            if left <= 0:
                break
            lasts = min(left, length(stream_of(job.seed, BURST, piece), phase, job.mean, job.parts))
            left -= lasts
            if first <= phase < first + len(rows):
                rows[phase - first, piece % job.size] += lasts
        phase += 1
    return phase
