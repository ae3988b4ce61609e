"""What is learned of a task at run time, in whole millionths: classifiers and priorities."""

from dataclasses import dataclass, field
from typing import NamedTuple

MILLION = 1_000_000
HALF = (500_000, 500_000, 500_000)

Three = tuple[int, int, int]
"""Input and output, communication, computation."""


def ppm(value: float) -> int:
    """Return a parameter in millionths."""
    return round(value * MILLION)


@dataclass
class Learned:
    """What is known of a task: its memberships, and the total measurement of them."""

    memberships: Three = HALF
    measured: Three = field(default=HALF)

    @property
    def io_bound(self) -> bool:
        """Whether its membership in I/O is above both others."""
        io, communication, computation = self.memberships
        return io > communication and io > computation

    @property
    def communicating(self) -> bool:
        """Whether its membership in communication is above both others."""
        io, communication, computation = self.memberships
        return communication > io and communication > computation

    def count(self, shown: tuple[bool, bool, bool]) -> None:
        """Learn from a slice as in chapter 6."""
        self.memberships = three(
            (800_000 if shows else 200_000) + f // 5 for f, shows in zip(self.memberships, shown, strict=True)
        )

    def estimate(self, shown: tuple[bool, bool, bool], least: int) -> None:
        """Learn from a slice as in chapter 8."""
        self.measured = three((500_000 if shows else 0) + m // 2 for m, shows in zip(self.measured, shown, strict=True))
        products = [m * f for m, f in zip(self.measured, self.memberships, strict=True)]
        after = [max(least, product * MILLION // sum(products)) for product in products]
        self.memberships = three(max(1, f * MILLION // sum(after)) for f in after)


def three(values) -> Three:  # type: ignore[no-untyped-def]
    """Return three values as a tuple."""
    io, communication, computation = values
    return io, communication, computation


class Taught(NamedTuple):
    """A row of the trace of memberships, without its instant and task."""

    io_seen: bool
    communication_seen: bool
    before: Three
    measured: Three
    after: Three
    priority: int


@dataclass(frozen=True)
class Classifier:
    """The parameters of the classifier and of the priority."""

    kind: str
    statements: int
    least: int
    formula: str
    alpha: int
    beta: int | None

    def update(self, learned: Learned, asked_disk: bool, executed: int, waited: bool) -> Taught:
        """Learn of a task what a slice shows."""
        communication = executed >= self.statements or waited
        shown = (asked_disk, communication, not asked_disk and not communication)
        before = learned.memberships
        if self.kind == "counting":
            learned.count(shown)
        else:
            learned.estimate(shown, self.least)
        measured = learned.measured if self.kind == "bayes" else (0, 0, 0)
        return Taught(asked_disk, communication, before, measured, learned.memberships, self.priority(learned))

    def priority(self, learned: Learned) -> int:
        """Return a task's priority."""
        io, communication, computation = learned.memberships
        weighed = io if self.formula == "io_or_compute" else io - communication
        return max(self.alpha * weighed // MILLION, computation)

    def above_floor(self, learned: Learned) -> bool:
        """Tell whether the local scheduler may choose a task."""
        return self.beta is None or self.priority(learned) > self.beta
