"""Jobs, class time and plans as the theses say them (see :mod:`tests.oracles.grid.from_the_theses`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, NamedTuple

from scheduler_core.declarations.policy import Policy
from tests.oracles.job import Job as Asked

if TYPE_CHECKING:
    from tests.oracles.grid.theses_cluster import Cluster

S = 1_000_000
SHORT, MEDIUM, LONG = CLASSES = ("short", "medium", "long")

Uses = list[tuple[int, int, int]]
"""What is taken of a plan: from, to, processors."""

Segment = tuple[str, int, int]
"""A part of an interval: a class or ``switch``, from, to."""


def exactly(number: float) -> Fraction:
    """Return a number as it is written."""
    return Fraction(str(number))


def nearest(number: Fraction) -> int:
    """Return the nearest whole microsecond."""
    return floor(number + Fraction(1, 2))


class Frame(NamedTuple):
    """What was booked for a task."""

    EST: int
    ST: int
    SST: int
    PRT: int
    LFT: int
    data: int  # when its data are expected


@dataclass(frozen=True)
class Constants:
    """The constants of the theses; times in microseconds."""

    interval: int
    switch: int
    short_slice: int
    share: Fraction
    limits: tuple[int, int]
    slpa: Fraction
    slpb: Fraction
    ahead: Mapping[str, Fraction]

    @classmethod
    def of(cls, policy: Policy) -> "Constants":
        """Read them from a policy."""
        medium, long = exactly(policy.share_medium), exactly(policy.share_long)
        maf, nbp = exactly(policy.maf), {MEDIUM: policy.nbp_medium, LONG: policy.nbp_long}
        return cls(
            *(round(time * S) for time in (policy.interval_s, policy.switch_s, policy.short_slice_s)),
            medium / (medium + long),
            (round(policy.short_limit_s * S), round(policy.medium_limit_s * S)),
            exactly(policy.slpa),
            exactly(policy.slpb),
            {SHORT: Fraction(0)} | {kind: maf * exactly(value) for kind, value in nbp.items()},
        )

    def layout(self, start: int, short: int | None) -> list[Segment]:
        """Return the segments of an interval; ``short`` is the length of its short slice, None without one."""
        rest = self.interval - (short or 0) - (2 if short is None else 3) * self.switch
        medium = floor(rest * self.share)
        lengths = [] if short is None else [(SHORT, short)]
        segments, time = [], start
        for kind, length in [*lengths, (MEDIUM, medium), (LONG, rest - medium)]:
            for name, lasts in (("switch", self.switch), (kind, length)):
                segments.append((name, time, time + lasts))
                time += lasts
        return segments


# Jobs ------------------------------------------------------------------------------------------------------------


class Job:
    """A local job, or a task of a workflow."""

    def __init__(self, asked: Asked, order: tuple[int, ...], constants: Constants, task: bool = False) -> None:
        self.size, self.run, self.estimate = asked.size, asked.stay, asked.estimate
        self.kind = CLASSES[sum(self.estimate >= limit for limit in constants.limits)]
        self.order, self.task = order, task
        self.cluster: Cluster | None = None
        self.place: int | None = None  # where it is planned while it waits, on the clock of its class
        self.processors: frozenset[int] = frozenset()  # since its start: "restarted on the same resources"
        self.done = 0
        self.running = False
        self.began_with = 0  # what was left of it when it began to run in this slice
        self.turn = 0  # its place in the order of starts
        self.start: int | None = None
        self.end: int | None = None
        self.pieces: list[list[int]] = []  # [from, to] of its runs
        self.before: list[tuple[Job, Mapping[tuple[int, int], int]]] = []
        self.after: list[tuple[Job, Mapping[tuple[int, int], int]]] = []
        self.frame: Frame | None = None
        self.EST = 0
        self.ready: int | None = None  # when its data are there, once that is known

    @property
    def left(self) -> int:
        """What it still runs, by its estimate."""
        return self.estimate - self.done

    @property
    def bound(self) -> int:
        """Before this it does not start, as far as is known."""
        return max(self.EST, self.frame.data if self.ready is None else self.ready) if self.frame else 0

    def may_start(self, now: int) -> bool:
        """Tell whether its earliest start has come and its data are there."""
        return not self.task or (self.ready is not None and self.bound <= now)


# Class time and plans --------------------------------------------------------------------------------------------


class Windows:
    """The slices of a class that are to come, glued together: class time, 0 is now."""

    def __init__(self, cluster: "Cluster", kind: str) -> None:
        self.kind, self.now, self.constants = kind, cluster.now, cluster.constants
        self.windows: list[tuple[int, int]] = []
        self.sums = [0]
        self.until = self.now
        segments, late = cluster.segments, self.now % self.constants.interval
        if not segments and late:
            segments = self.constants.layout(self.now - late, None)
        self.take(segments)

    def take(self, segments: Sequence[Segment]) -> None:
        """Add what an interval has."""
        for kind, begin, end in segments:
            begin = max(begin, self.now)
            if kind == self.kind and end > begin:
                self.windows.append((begin, end))
                self.sums.append(self.sums[-1] + end - begin)
            self.until = end

    def more(self) -> None:
        """Add an interval: "the real response time would only be better and never be worse than the predicted"."""
        self.take(self.constants.layout(self.until, self.constants.short_slice))

    def reading(self, time: int) -> int:
        """Return the class time at a time."""
        while self.until < time:
            self.more()
        return sum(min(end, time) - begin for begin, end in self.windows if begin < time)

    def start(self, reading: int) -> int:
        """Return when what is planned there starts."""
        while self.sums[-1] <= reading:
            self.more()
        i = max(i for i, sum_ in enumerate(self.sums) if sum_ <= reading)
        return self.windows[i][0] + reading - self.sums[i]

    def end(self, reading: int) -> int:
        """Return when what is planned until there ends."""
        return self.start(reading - 1) + 1


def steps(uses: Uses) -> list[tuple[int, int]]:
    """Return [(time, processors used from then on)]."""
    changes: dict[int, int] = {}
    for begin, end, size in uses:
        if end > begin:
            changes[begin] = changes.get(begin, 0) + size
            changes[end] = changes.get(end, 0) - size
    found, used = [], 0
    for time in sorted(changes):
        used += changes[time]
        found.append((time, used))
    return found


def peak(uses: Uses, begin: int, end: int) -> int:
    """Return the most processors that are used in a stretch."""
    found = steps(uses)
    nexts = [time for time, _ in found[1:]]
    return max(
        (used for (time, used), after in zip(found, nexts, strict=False) if time < end and after > begin), default=0
    )


def first_fit(uses: Uses, processors: int, bound: int, size: int, length: int) -> int:
    """Return the earliest time from a bound on at which a size is free for a length."""
    time, found = bound, steps(uses)
    for i, (begin, used) in enumerate(found):
        if used + size <= processors or found[i + 1][0] <= time:
            continue
        if begin >= time + length:
            break
        time = found[i + 1][0]
    return time


# A cluster -------------------------------------------------------------------------------------------------------
