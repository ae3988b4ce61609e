"""Jobs and their tasks while they are on the machine, and what is counted of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.oracles.concurrent_gang.classify import Learned
from tests.oracles.concurrent_gang.programs import Network, Statement, pieces, programs_of
from tests.oracles.job import Job


@dataclass
class Message:
    """A message: its two tasks, when its send ended, when it arrives, when its receive ended."""

    sender: int
    receiver: int
    sent: int | None = None
    arrives: int | None = None
    received: int | None = None


@dataclass
class Meeting:
    """A barrier, or the end of a phase: when tasks arrived, and when it releases them."""

    arrivals: dict[int, int] = field(default_factory=dict)
    release: int | None = None


@dataclass
class Phase(Meeting):
    """A phase of an irregular job: pieces that tasks have not begun, those they are at, and how many have not ended."""

    lines: list[list[int]] = field(default_factory=list)
    begun: list[int] = field(default_factory=list)

    def unfinished(self, task: int) -> int:
        """Return how many pieces of a task have not ended."""
        return len(self.lines[task]) + self.begun[task]

    @property
    def done(self) -> bool:
        """Whether all pieces have ended."""
        return not any(self.lines) and not any(self.begun)


@dataclass(eq=False)
class Member:
    """A job on the machine."""

    job: Job
    position: int
    placed: int
    order: int
    processors: tuple[int, ...]
    row: int
    network: Network
    tasks: list[Task] = field(default_factory=list)
    messages: dict[int, Message] = field(default_factory=dict)
    meetings: list[Meeting] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("messages", "blocked", "local_runs"), 0))
    finish: int | None = None

    def __post_init__(self) -> None:
        if self.irregular:
            self.tasks = [Task(self, task, processor, []) for task, processor in enumerate(self.processors)]
            self.meetings = [self.phase(lengths) for lengths in pieces(self.job)]
            return
        programs = programs_of(self.job, self.network)
        self.tasks = [Task(self, *each) for each in zip(range(self.job.size), self.processors, programs, strict=True)]
        barriers = sum(statement.word == "barrier" for statement in programs[0])
        self.meetings = [Meeting() for _ in range(barriers)]
        ends: dict[str, dict[int, int]] = {"send": {}, "receive": {}}
        for task, program in enumerate(programs):
            for word, _, message in program:
                ends.get(word, {})[message] = task
        self.messages = {message: Message(task, ends["receive"][message]) for message, task in ends["send"].items()}

    @property
    def irregular(self) -> bool:
        """Whether its tasks are workers that have pieces of work."""
        return self.job.does.application == "irregular"

    def phase(self, lengths: list[int]) -> Phase:
        """Return a phase of pieces of such lengths."""
        size = self.job.size
        return Phase(lines=[lengths[task::size] for task in range(size)], begun=[0] * size)


@dataclass(eq=False)
class Task:
    """A task: where it is in its program, and what it showed in this slice.

    ``state`` is ready, running, disk, waiting (blocked), or ended. ``left`` is what is left of a statement that has begun and
    takes time; ``meetings`` how many barriers or phases it has behind it.
    """

    member: Member
    number: int
    processor: int
    program: list[Statement]
    state: str = "ready"
    step: int = 0
    left: int | None = None
    meetings: int = 0
    draws: int = 0
    learned: Learned = field(default_factory=Learned)
    chosen: int = -1
    wait: int = 0
    ran: bool = False
    asked_disk: bool = False
    executed: int = 0
    waited: bool = False

    @property
    def name(self) -> tuple[int, int]:
        """Job and number, as tables name it."""
        return self.member.job.job, self.number

    @property
    def statement(self) -> Statement | None:
        """What it is to execute, None at its end."""
        return self.program[self.step] if self.step < len(self.program) else None

    @property
    def meeting(self) -> Meeting:
        """The barrier or phase it is before."""
        return self.member.meetings[self.meetings]

    def begin_slice(self) -> None:
        """Forget what the last slice showed."""
        self.ran = self.asked_disk = self.waited = False
        self.executed = 0
