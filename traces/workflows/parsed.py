"""What a reader of workflow files returns, and how it reads values that every format has."""

import reprlib
from dataclasses import dataclass, field

from scheduler_core.common.errors import LogError
from traces.workflows.graph import Task

LONGEST_S = 10**9
"""The longest run time of a task, about 32 years."""

MOST_PROCESSORS = 2**31 - 1
"""The most processors of a task."""


@dataclass
class Parsed:
    """The content of a workflow file: tasks, dependencies, and the files that tasks read and write.

    ``stated`` lists every statement of a dependency, repetitions included. ``both_say`` is true for formats in which both
    tasks state their dependency.
    """

    name: str
    tasks: list[Task] = field(default_factory=list)
    stated: list[tuple[int, int]] = field(default_factory=list)
    read: list[dict[str, int]] = field(default_factory=list)
    written: list[dict[str, int]] = field(default_factory=list)
    repaired: dict[str, int] = field(default_factory=dict)
    both_say: bool = False
    places: dict[str, int] = field(default_factory=dict)

    def begin(self, name: str | None, kind: str, what: str) -> str:
        """Return the name of the next task, after noting its position; refuse a ``kind`` of task without its own name."""
        if not name or name in self.places:
            found = f"{name} twice" if name else "none"
            raise LogError(f"{what}: expected a unique id for every {kind}; found {found}")
        self.places[name] = len(self.tasks)
        return name

    def repair(self, rule: str) -> None:
        """Count a repaired task under its rule."""
        self.repaired[rule] = self.repaired.get(rule, 0) + 1


def place_of(places: dict[str, int], task: str, what: str) -> int:
    """Return the position of a task by its name in the file."""
    if not task:
        raise LogError(f"{what}: a dependency names no task; expected the id of one")
    if task not in places:
        raise LogError(f"{what}: a dependency names the task {task}, which the file does not have")
    return places[task]


def runtime_of(value: object, task: str, what: str, parsed: Parsed) -> float:
    """Return a run time in seconds; a run time of zero is repaired to 1 s.

    Raise :class:`LogError` when it is missing, not a number, negative, or above :data:`LONGEST_S`.
    """
    try:
        seconds = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        seconds = -1.0
    if seconds > LONGEST_S:
        raise LogError(f"{what}, task {task}: expected a run time of at most {LONGEST_S:,} s; found {in_short(value)}")
    if not seconds >= 0:
        raise LogError(f"{what}, task {task}: expected a run time in seconds; found {in_short(value)}")
    if seconds == 0:
        parsed.repair("one_second")
        return 1.0
    return seconds


def processors_of(value: object, task: str, what: str) -> int:
    """Return a number of processors from an attribute or from JSON.

    Raise :class:`LogError` when it is not a whole number from 1 to :data:`MOST_PROCESSORS`.
    """
    number = value
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= len(str(MOST_PROCESSORS)):
        number = int(value)
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        number = 0
    if not 1 <= number <= MOST_PROCESSORS or number != int(number):
        raise LogError(
            f"{what}, task {task}: expected a number of processors of at least 1 and at most {MOST_PROCESSORS:,}; "
            f"found {in_short(value)}"
        )
    return int(number)


def in_short(value: object) -> str:
    """Return an unexpected value as text, cut if it is long."""
    return "none" if value is None else reprlib.repr(value)


def legible(text: str) -> str:
    """Return a name with spaces for unprintable characters, which a terminal could take for commands."""
    return "".join(one if one.isprintable() else " " for one in text).strip()


def size_of(value: object) -> int:
    """Return the size of a file in bytes; 0 if it is unknown."""
    try:
        return max(0, int(float(value)))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return 0
