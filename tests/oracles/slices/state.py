"""The oracle of slices: jobs, intervals and their slices, the clocks of the classes, what is promised by them."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scheduler_core.common.units import seconds_to_us
from scheduler_core.declarations.policy import Policy
from tests.oracles.job import Job as Asked

SHORT, MEDIUM, LONG = CLASSES = (0, 1, 2)
CLASS_NAMES = ("short", "medium", "long")
MILLION = 1_000_000
HOUR = 3600 * MILLION

Row = tuple[Any, ...]


class Held(NamedTuple):
    """A stretch in which a job held processors."""

    position: int
    begin: int
    end: int
    slot: int
    processors: tuple[int, ...]


class Outcome(NamedTuple):
    """What became of a job; start and finish are None for a rejected one."""

    start: int | None
    finish: int | None
    preemptions: int
    outcome: str


@dataclass
class Result:
    """A schedule: the tables of the contract with positions instead of job numbers, ``groups`` without placements."""

    jobs: list[Outcome] = field(default_factory=list)
    allocations: list[Held] = field(default_factory=list)
    slices: list[Row] = field(default_factory=list)
    promises: list[Row] = field(default_factory=list)
    groups: list[Row] = field(default_factory=list)
    members: list[Row] = field(default_factory=list)
    improvements: list[Row] = field(default_factory=list)
    counters: dict[str, int] = field(default_factory=dict)


@dataclass(eq=False)
class Job:
    """A job in the system: what it asks, where it runs, what it has run."""

    position: int
    asked: Asked
    kind: int
    reservation: int | None = None
    processors: frozenset[int] = frozenset()
    held: list[Held] = field(default_factory=list)
    began: int | None = None
    slot: int = -1
    finish: int | None = None

    @property
    def submit(self) -> int:
        """When it is submitted."""
        return self.asked.submit

    @property
    def size(self) -> int:
        """The processors it needs."""
        return self.asked.size

    @property
    def estimate(self) -> int:
        """What the scheduler is told."""
        return self.asked.estimate

    @property
    def rest_when_it_began(self) -> int:
        """Its rest as it was when its present stretch began, or is while it does not run."""
        return self.estimate - sum(held.end - held.begin for held in self.held)

    def ran(self, time: int) -> int:
        """Return how long its present stretch has been."""
        return 0 if self.began is None else time - self.began

    def rest(self, time: int) -> int:
        """Return its estimate less what it has run."""
        return self.rest_when_it_began - self.ran(time)

    @property
    def leaves(self) -> int:
        """When its present stretch ends with its work, or with its estimate."""
        too_long = max(0, self.estimate - self.asked.runtime)
        return self.began + self.rest_when_it_began - too_long

    def stop(self, time: int) -> None:
        """Take it off its processors."""
        self.held.append(Held(self.position, self.began, time, self.slot, tuple(sorted(self.processors))))
        self.began = None

    def outcome(self) -> Outcome:
        """Say what became of it."""
        how = "killed" if self.asked.runtime > self.estimate else "finished"
        return Outcome(self.held[0].begin, self.finish, len(self.held) - 1, how)


class Slice(NamedTuple):
    """A slice: no job runs in its first ``overhead``."""

    kind: int
    begin: int
    end: int
    overhead: int

    @property
    def work(self) -> int:
        """When its work begins."""
        return self.begin + self.overhead


class Calendar:
    """Intervals and slices: how they are laid out, and the clocks of the classes by their definition."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.interval = seconds_to_us(policy.interval_s)
        self.switch = seconds_to_us(policy.switch_s)
        self.longest_short = seconds_to_us(policy.short_slice_s)
        self.slices: list[Slice] = []
        self.ends = 0  # end of the interval laid out last

    def class_of(self, job: Asked) -> int:
        """Return the class of a job."""
        if job.job_class is not None:
            return CLASS_NAMES.index(job.job_class)
        if job.estimate < seconds_to_us(self.policy.short_limit_s):
            return SHORT
        return MEDIUM if job.estimate < seconds_to_us(self.policy.medium_limit_s) else LONG

    def is_night(self, begin: int) -> bool:
        """Tell whether an interval begins at night."""
        first, last, hour = self.policy.night_begins_h, self.policy.night_ends_h, begin // HOUR % 24
        return first <= hour < last if first <= last else hour >= first or hour < last

    def split(self, left: int, night: bool) -> tuple[int, int]:
        """Split what is left of an interval between medium and long jobs."""
        pair = (self.policy.share_medium, self.policy.share_long)
        if night and self.policy.night_share_medium != "same":
            pair = (self.policy.night_share_medium, self.policy.night_share_long)
        medium, long = (round(share * MILLION) for share in pair)
        works = left * medium // (medium + long)
        return works, left - works

    def lay_out(self, begin: int, need: int | None) -> None:
        """Lay out the slices of an interval; ``need`` is None if there is no short job."""
        works: list[tuple[int, int]] = []
        if need is not None:
            works.append((SHORT, min(self.longest_short, max(MILLION, need))))
        left = self.interval - sum(length for _, length in works) - (len(works) + 2) * self.switch
        medium, long = self.split(left, self.is_night(begin))
        now = begin
        for kind, length in [*works, (MEDIUM, medium), (LONG, long)]:
            self.slices.append(Slice(kind, now, now + self.switch + length, self.switch))
            now += self.switch + length
        self.ends = begin + self.interval
        assert now == self.ends

    def slice_at(self, time: int) -> Slice | None:
        """Return the slice that is at work, if any is."""
        return next((piece for piece in self.slices if piece.work <= time < piece.end), None)

    def clock(self, kind: int, time: int) -> int:
        """Return the time the slices of a class have worked so far."""
        return sum(max(0, min(time, s.end) - s.begin - s.overhead) for s in self.slices if s.kind == kind)

    def worst(self, kind: int, interval: int, left: int) -> tuple[int, int]:
        """Return begin and end of the least work a class can get in an interval that begins then, if it needs so much."""
        if kind == SHORT:
            begin = interval + self.switch
            return begin, begin + min(self.longest_short, left)
        rest = self.interval - self.longest_short - 3 * self.switch
        least = min(self.split(rest, night)[kind - 1] for night in (False, True))
        if kind == MEDIUM:
            begin = interval + self.switch + self.longest_short + self.switch
            return begin, begin + least
        return interval + self.interval - least, interval + self.interval

    def finish(self, kind: int, time: int, left: int) -> int:
        """Return when so much class clock will have passed, in the worst case."""
        stretches = [(max(s.work, time), s.end) for s in self.slices if s.kind == kind and s.end > max(s.work, time)]
        interval = max(self.ends, -(-time // self.interval) * self.interval)
        while True:
            for begin, end in stretches:
                if left <= end - begin:
                    return begin + left
                left -= end - begin
            stretches = [self.worst(kind, interval, left)]
            interval += self.interval

    def rows(self) -> list[Row]:
        """Return the table of slices."""
        return [(0, s.begin, s.end, CLASS_NAMES[s.kind], s.overhead) for s in self.slices]
