"""Processors, disks and network of Concurrent Gang, event by event, through a heap of (time, kind, number)."""

import heapq
import itertools
from collections import deque
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.oracles.concurrent_gang.draws import draw, one_of
from tests.oracles.concurrent_gang.programs import Network
from tests.oracles.concurrent_gang.tasks import Meeting, Message, Phase, Task

ARRIVAL, DISK, PROCESSOR, CLOCK, DISPATCH = range(5)


class Stretch(NamedTuple):
    """What a processor did from one instant to another; tasks by name, None while none runs."""

    begin: int
    end: int
    activity: str
    task: Task | None
    by: str | None


class Request(NamedTuple):
    """A disk request."""

    task: Task
    issued: int
    begin: int
    end: int


@dataclass(eq=False)
class Processor:
    """A processor: its running task and who chose it, what it is at, and the task that ran last."""

    number: int
    running: Task | None = None
    by: str | None = None
    phase: str = ""
    token: int = 0
    last: Task | None = None
    activity: str = "empty"
    since: int = 0
    owner: Task | None = None
    begun: bool = False
    asked: bool = False
    bound: list[Task] = field(default_factory=list)
    done: list[Stretch] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    line: deque[Request] = field(default_factory=deque)


class Machine:
    """The machine; :mod:`tests.oracles.concurrent_gang.oracle` decides: ``spin_limit``, ``ready`` and ``balances``."""

    def __init__(self, processors: int, network: Network, switch: int) -> None:
        self.processors = [Processor(number) for number in range(processors)]
        self.network, self.switch = network, switch
        self.now = 0
        self.heap: list[tuple[int, int, tuple[int, ...], int, Any]] = []
        self.order = itertools.count()
        self.counters: dict[str, int] = dict.fromkeys(
            ("gang_runs", "local_runs", "switches", "preempted_local", "events"), 0
        )

    # Events.

    def push(self, time: int, kind: int, number: tuple[int, ...], about: Any) -> None:
        """Let something happen."""
        heapq.heappush(self.heap, (time, kind, number, next(self.order), about))

    def event(self, kind: int, number: tuple[int, ...], about: Any) -> None:
        """Let happen what was to, unless it was called off."""
        if kind == ARRIVAL:
            task, wait = about
            if task.wait != wait or not (task.state == "waiting" or self.spins(task)):
                return
            self.counters["events"] += 1
            self.come(task)
        elif kind == DISK:
            self.counters["events"] += 1
            self.disk_done(self.processors[number[0]])
        elif kind == PROCESSOR:
            processor = self.processors[number[0]]
            if about == processor.token:
                self.counters["events"] += 1
                self.processor_event(processor)

    def spins(self, task: Task) -> bool:
        """Tell whether a task spins at this instant."""
        processor = self.processors[task.processor]
        return processor.running is task and processor.phase == "spin"

    def come(self, task: Task) -> None:
        """Let a task go on for which has come what it waited for."""
        task.wait += 1
        if task.state == "waiting":
            self.make_ready(task)
        else:
            self.go_on(self.processors[task.processor])

    def make_ready(self, task: Task) -> None:
        """Make a blocked task ready."""
        task.state = "ready"
        self.ready(task)

    def processor_event(self, processor: Processor) -> None:
        """Act on the end of a switch or a statement, or on a spin limit."""
        task = processor.running
        if processor.phase == "spin":
            self.block(processor)
            return
        if processor.phase == "statement":
            self.finish_statement(task)
        self.go_on(processor)

    # Activities.

    def turn_to(self, processor: Processor, activity: str) -> None:
        """Let a processor be at something else from now on."""
        if processor.since < self.now:
            processor.done.append(
                Stretch(processor.since, self.now, processor.activity, processor.running, processor.by)
            )
        processor.since, processor.activity = self.now, activity

    def set_idle(self, processor: Processor) -> None:
        """Let a processor be without a task from now on."""
        owner = processor.owner
        self.turn_to(processor, "empty" if owner is None or owner.state == "ended" else "blocked")
        processor.running = processor.by = None
        processor.phase = ""
        processor.token += 1

    def run(self, processor: Processor, task: Task, by: str) -> None:
        """Let a task run."""
        self.turn_to(processor, "switch")
        processor.running, processor.by = task, by
        task.state, task.ran = "running", True
        task.chosen = next(self.order)
        self.counters[f"{by}_runs"] += 1
        if by == "local":
            task.member.counts["local_runs"] += 1
        if processor.last is task:
            self.go_on(processor)
            return
        processor.last = task
        self.counters["switches"] += 1
        if self.switch:
            self.occupy(processor, "switch", self.switch)
        else:
            self.go_on(processor)

    def occupy(self, processor: Processor, phase: str, time: int | None) -> None:
        """Let a processor's task be at something, until an event some time from now."""
        processor.phase = phase
        processor.token += 1
        if time is not None:
            self.push(self.now + time, PROCESSOR, (processor.number,), processor.token)

    def preempt(self, processor: Processor) -> None:
        """Take the processor away from its task."""
        task = processor.running
        if processor.phase == "statement":
            task.left -= self.now - processor.since
        if processor.phase == "spin":
            task.wait += 1
        task.state = "ready"
        self.set_idle(processor)

    def ask_dispatch(self, processor: Processor) -> None:
        """Let a processor choose a task once all else has happened at this instant."""
        if not processor.asked:
            processor.asked = True
            self.push(self.now, DISPATCH, (processor.number,), None)

    # Statements.

    def go_on(self, processor: Processor) -> None:
        """Let the running task execute its program until it takes time, blocks or ends."""
        task = processor.running
        processor.phase = ""
        while processor.running is task:
            if task.left:
                self.turn_to(processor, self.activity_of(task))
                self.occupy(processor, "statement", task.left)
                return
            if task.left == 0:
                self.finish_statement(task)
            elif task.member.irregular:
                if self.next_piece(processor, task):
                    return
            elif self.next_statement(processor, task):
                return

    def activity_of(self, task: Task) -> str:
        """Return what a task does that is at a statement that takes time."""
        return "compute" if task.member.irregular or task.statement is None else task.statement.word

    def next_statement(self, processor: Processor, task: Task) -> bool:
        """Begin the next statement; tell whether the processor is spinning or without task."""
        if task.statement is None:
            self.end(processor, task)
            return True
        word, time, message = task.statement
        if word == "disk":
            task.step += 1
            self.ask_disk(processor, task, time)
            return True
        if word == "compute":
            task.left = time
        elif word == "send" or (word == "receive" and self.has_come(task.member.messages[message])):
            task.left = self.network.overhead
        elif word == "barrier":
            self.arrive(task)
            if not self.has_come(task.meeting):
                self.wait(processor, task)
                return True
            task.meetings += 1
            task.step += 1
        else:
            self.wait(processor, task)
            return True
        return False

    def has_come(self, awaited: Message | Meeting) -> bool:
        """Tell whether a message has arrived, or a barrier or phase releases."""
        instant = self.instant_of(awaited)
        return instant is not None and instant <= self.now

    @staticmethod
    def instant_of(awaited: Message | Meeting) -> int | None:
        """Return when a message arrives, or when a barrier or phase releases, where that is known."""
        return awaited.arrives if isinstance(awaited, Message) else awaited.release

    def awaited(self, task: Task) -> Message | Meeting:
        """Return what a task waits for."""
        if not task.member.irregular and task.statement is not None and task.statement.word == "receive":
            return task.member.messages[task.statement.message]
        return task.meeting

    def finish_statement(self, task: Task) -> None:
        """Put a statement that took time behind its task."""
        task.left = None
        member = task.member
        if member.irregular:
            phase = self.phase_of(task)
            phase.begun[task.number] -= 1
            if phase.done:
                self.release(phase, self.now, task)
            return
        word, _, number = task.statement
        task.step += 1
        if word == "compute":
            return
        task.executed += 1
        message = member.messages[number]
        if word == "receive":
            message.received = self.now
            member.counts["messages"] += 1
            return
        message.sent, message.arrives = self.now, self.now + self.network.latency
        self.tell(member.tasks[message.receiver], message)

    def arrive(self, task: Task) -> None:
        """Let a task arrive at its barrier, or at the end of its phase, if it has not."""
        meeting = task.meeting
        if task.number in meeting.arrivals:
            return
        meeting.arrivals[task.number] = self.now
        task.executed += 1
        if not task.member.irregular and len(meeting.arrivals) == task.member.job.size:
            self.release(meeting, self.now + self.network.baseline, task)

    def release(self, meeting: Meeting, time: int, by: Task) -> None:
        """Let a barrier or phase release its tasks."""
        meeting.release = time
        for task in by.member.tasks:
            self.tell(task, meeting)

    def tell(self, task: Task, awaited: Message | Meeting) -> None:
        """Let what is to come reach a task that waits for it."""
        if (task.state == "waiting" or self.spins(task)) and self.awaited(task) is awaited:
            self.expect(task, awaited)

    def expect(self, task: Task, awaited: Message | Meeting) -> None:
        """Let what is to come reach a task."""
        instant = self.instant_of(awaited)
        if instant is not None:
            self.push(instant, ARRIVAL, (task.member.position, task.number), (task, task.wait))

    def wait(self, processor: Processor, task: Task) -> None:
        """Let the running task wait: spin first."""
        task.waited = True
        self.turn_to(processor, "spin")
        self.occupy(processor, "spin", self.spin_limit(task))
        self.expect(task, self.awaited(task))

    def block(self, processor: Processor) -> None:
        """Let the running task block at what it waits for."""
        task = processor.running
        task.state = "waiting"
        task.member.counts["blocked"] += 1
        self.set_idle(processor)
        self.ask_dispatch(processor)

    def end(self, processor: Processor, task: Task) -> None:
        """Let the running task end, and its job with its last."""
        task.state = "ended"
        if all(other.state == "ended" for other in task.member.tasks):
            task.member.finish = self.now
        self.set_idle(processor)
        self.ask_dispatch(processor)

    # Irregular jobs.

    @staticmethod
    def phase_of(task: Task) -> Phase:
        """Return the phase that a worker is in."""
        phase = task.meeting
        assert isinstance(phase, Phase)
        return phase

    def next_piece(self, processor: Processor, task: Task) -> bool:
        """Begin the next piece of a worker; tell whether the processor is without task."""
        if task.meetings == len(task.member.meetings):
            self.end(processor, task)
            return True
        phase = self.phase_of(task)
        line = phase.lines[task.number]
        if not line and phase.release is None and self.balances(task):
            self.take_piece(task, phase)
        if line:
            task.left = line.pop(0)
            phase.begun[task.number] += 1
            return False
        self.arrive(task)
        if phase.release is not None:
            task.meetings += 1
            return False
        task.waited = True
        self.block(processor)
        return True

    def take_piece(self, task: Task, phase: Phase) -> None:
        """Let a worker without pieces look for one that two others, drawn at random, can spare."""
        size = task.member.job.size
        for _ in range(size):
            others = [number for number in range(size) if number != task.number]
            first = others.pop(self.choice(task, len(others)))
            second = others[self.choice(task, len(others))]
            counts = phase.unfinished(first), phase.unfinished(second)
            if sum(counts) >= 4:
                donor = first if counts[0] >= counts[1] else second
                phase.lines[task.number].append(phase.lines[donor].pop())
                return

    def choice(self, task: Task, count: int) -> int:
        """Draw one of several for a worker."""
        task.draws += 1
        return one_of(count, draw(task.member.job.does.seed, 8, task.number, task.draws - 1))

    # Disks.

    def ask_disk(self, processor: Processor, task: Task, time: int) -> None:
        """Let the running task ask its disk and block."""
        task.state, task.asked_disk = "disk", True
        begin = max(self.now, processor.requests[-1].end if processor.requests else 0)
        request = Request(task, self.now, begin, begin + time)
        processor.requests.append(request)
        processor.line.append(request)
        self.push(request.end, DISK, (processor.number,), None)
        self.set_idle(processor)
        self.ask_dispatch(processor)

    def disk_done(self, processor: Processor) -> None:
        """Make the task ready whose request has been served."""
        self.make_ready(processor.line.popleft().task)
