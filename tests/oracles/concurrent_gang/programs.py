"""What the tasks of a job do, statement by statement, in nanoseconds."""

from collections.abc import Iterator
from typing import NamedTuple

from tests.oracles.concurrent_gang.draws import UNIT, draw, length, one_of
from tests.oracles.job import Job


class Statement(NamedTuple):
    """A statement: how long it computes or uses the disk, which message it sends or receives."""

    word: str
    time: int = 0
    message: int = 0


class Network(NamedTuple):
    """Latency and overhead."""

    latency: int
    overhead: int

    @property
    def baseline(self) -> int:
        """How long a request and its response take."""
        return 2 * self.latency + 4 * self.overhead


Programs = list[list[Statement]]


def stay(job: Job) -> int:
    """Return how long a job takes alone."""
    return 1000 * min(job.runtime, job.estimate)


def drawn_length(job: Job, stream: int, task: int, index: int, mean: int) -> int:
    """Draw a length of a job, whose mean is in microseconds."""
    return length(1000 * mean, job.does.spread, draw(job.does.seed, stream, task, index))


def chosen(job: Job, count: int, stream: int, task: int, index: int) -> int:
    """Draw one of several for a job."""
    return one_of(count, draw(job.does.seed, stream, task, index))


def programs_of(job: Job, network: Network) -> Programs:
    """Return the statements of a job's tasks."""
    word = job.does.application
    if word == "program":
        return [[in_nanoseconds(*told) for told in program] for program in job.does.statements]
    if word == "compute" or (job.size == 1 and word in ("messages", "supersteps", "barriers")):
        return [[Statement("compute", stay(job))] for _ in range(job.size)]
    if word == "io":
        return [list(bursts(job, task)) for task in range(job.size)]
    if word == "barriers":
        return [list(between_barriers(job, network)) for _ in range(job.size)]
    return messages(job, network) if word == "messages" else supersteps(job, network)


def in_nanoseconds(word: str, number: int = 0) -> Statement:
    """Return a statement of a program that was told as a word and a time or the number of a message."""
    return Statement(word, 1000 * number) if word in ("compute", "disk") else Statement(word, message=number)


def bursts(job: Job, task: int) -> Iterator[Statement]:
    """Return the bursts of a task in turn."""
    left, number = stay(job), 0
    while left:
        word, stream, mean = (("compute", 0, job.does.burst), ("disk", 1, job.does.disk))[number % 2]
        burst = min(left, drawn_length(job, stream, task, number // 2, mean))
        yield Statement(word, burst)
        left, number = left - burst, number + 1


def messages(job: Job, network: Network) -> Programs:
    """Return the programs of tasks that exchange messages between two chosen at random."""
    size, limit = job.size, stay(job)
    programs: Programs = [[] for _ in range(size)]
    clocks, counts = [0] * size, [0] * size
    for number in range(limit + 1):
        sender = chosen(job, size, 2, 0, number)
        receiver = [task for task in range(size) if task != sender][chosen(job, size - 1, 3, 0, number)]
        gaps = {task: drawn_length(job, 0, task, counts[task], job.does.burst) for task in (sender, receiver)}
        sent = clocks[sender] + gaps[sender] + network.overhead
        received = max(clocks[receiver] + gaps[receiver], sent + network.latency) + network.overhead
        if max(sent, received) > limit:
            break
        for task, word, clock in ((sender, "send", sent), (receiver, "receive", received)):
            programs[task] += [Statement("compute", gaps[task]), Statement(word, message=number)]
            clocks[task], counts[task] = clock, counts[task] + 1
    for program, clock in zip(programs, clocks, strict=True):
        if clock < limit:
            program.append(Statement("compute", limit - clock))
    return programs


def imbalanced(job: Job, work: int, task: int, step: int) -> int:
    """Return the work of a task in a superstep."""
    if not job.does.imbalance:
        return work
    share = round(job.does.imbalance * UNIT)
    drawn = draw(job.does.seed, 5, task, step) >> 44
    return max(1, work + (work * share * (2 * drawn - UNIT)) // UNIT**2)


def supersteps(job: Job, network: Network) -> Programs:
    """Return the programs of tasks that work in supersteps."""
    size, limit, released = job.size, stay(job), 0
    programs: Programs = [[] for _ in range(size)]
    for step in range(limit + 1):
        work = drawn_length(job, 4, 0, step, job.does.burst)
        works = [imbalanced(job, work, task, step) for task in range(size)]
        across = 1 + chosen(job, size - 1, 6, 0, step)
        sent = [released + own // 2 + network.overhead for own in works]
        ready = [sent[task] + own - own // 2 for task, own in enumerate(works)]
        arrived = [
            max(ready[task], sent[(task - across) % size] + network.latency) + network.overhead for task in range(size)
        ]
        if max(arrived) + network.baseline > limit:
            break
        released = max(arrived) + network.baseline
        for task, own in enumerate(works):
            said = [
                Statement("compute", own // 2),
                Statement("send", message=step * size + task),
                Statement("compute", own - own // 2),
                Statement("receive", message=step * size + (task - across) % size),
                Statement("barrier"),
            ]
            programs[task] += [each for each in said if each.word != "compute" or each.time]
    if released < limit:
        for program in programs:
            program.append(Statement("compute", limit - released))
    return programs


def between_barriers(job: Job, network: Network) -> Iterator[Statement]:
    """Return the program of every task of a job that computes and meets at barriers."""
    left, step = stay(job), 0
    while (work := drawn_length(job, 4, 0, step, job.does.burst)) + network.baseline <= left:
        yield Statement("compute", work)
        yield Statement("barrier")
        left, step = left - work - network.baseline, step + 1
    if left:
        yield Statement("compute", left)


def pieces(job: Job) -> list[list[int]]:
    """Return the lengths of the pieces of work of an irregular job, phase by phase."""
    left = job.size * stay(job)
    phases: list[list[int]] = []
    while left:
        number = len(phases)
        phase = []
        for piece in range(1 + chosen(job, job.does.most_tasks, 7, 0, number)):
            phase.append(min(left, drawn_length(job, 0, piece, number, job.does.burst)))
            left -= phase[-1]
            if not left:
                break
        phases.append(phase)
    return phases
