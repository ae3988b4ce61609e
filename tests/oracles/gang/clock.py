"""The gang-scheduling oracle: slot clock, levels and slice boundaries."""

import math
from dataclasses import dataclass
from typing import NamedTuple


class Level(NamedTuple):
    """A row of the schedule's ``levels``."""

    begin: int
    end: int
    level: int
    share: float


@dataclass(frozen=True)
class Stretch:
    """A maximal interval of equal level and share, open at its end; ``clock`` is the slot clock when it begins."""

    begin: int
    level: int
    share: float
    clock: int

    def at(self, time: int) -> int:
        """Return the slot clock at a time within the stretch."""
        return self.clock + math.floor((time - self.begin) * self.share)


class SlotClock:
    """The time every slot has had its turn; it stands at 0 until the first job starts."""

    def __init__(self, slowed_by: float) -> None:
        """``slowed_by`` is what a switch costs, as part of a turn, where switching slows progress; else 0."""
        self.slowed_by = slowed_by
        self.stretches: list[Stretch] = []

    def share(self, level: int) -> float:
        """Return the part of the time each of ``level`` slots gets."""
        if level == 0:
            return 0.0
        if level == 1 or self.slowed_by == 0:
            return 1 / level
        return 1 / (level * (1 + self.slowed_by))

    def now(self, time: int) -> int:
        """Return the slot clock at a time no earlier than the last change of the level."""
        return self.stretches[-1].at(time) if self.stretches else 0

    def set_level(self, time: int, level: int) -> None:
        """Change the level."""
        share = self.share(level)
        if not self.stretches:
            if level > 0:
                self.stretches = [Stretch(time, level, share, 0)]
        elif (self.stretches[-1].level, self.stretches[-1].share) != (level, share):
            self.stretches.append(Stretch(time, level, share, self.now(time)))

    def first_time(self, clock: int) -> int:
        """Return the first microsecond at which the slot clock has reached ``clock``, if the level stays."""
        stretch = self.stretches[-1]
        time = stretch.begin + max(0, math.floor((clock - stretch.clock) / stretch.share))
        while time > stretch.begin and stretch.at(time - 1) >= clock:
            time -= 1
        while stretch.at(time) < clock:
            time += 1
        return time

    def levels(self, last_finish: int) -> list[Level]:
        """Return the rows of ``levels``, which end with the last finish."""
        begun = [stretch for stretch in self.stretches if stretch.begin < last_finish]
        ends = [stretch.begin for stretch in begun[1:]] + [last_finish]
        return [Level(s.begin, end, s.level, s.share) for s, end in zip(begun, ends, strict=True)]

    def turns(self, last_finish: int) -> list[int]:
        """Return by how much the slot clock advances in each row of ``levels``."""
        rows = zip(self.stretches, self.levels(last_finish), strict=False)
        return [stretch.at(row.end) - stretch.clock for stretch, row in rows]


class Slices:
    """The boundaries at which events are acted on."""

    def __init__(self, slice_us: int, level: float, scaled: bool) -> None:
        self.slice_us, self.level, self.scaled = slice_us, level, scaled
        self.since = 0
        self.length = self.length_at(0)

    def length_at(self, slots: int) -> int:
        """Return the length of a slice while so many slots take turns."""
        if not self.scaled or self.slice_us == 0:
            return self.slice_us
        return self.slice_us * int(self.level) // max(1, slots)

    def set_level(self, time: int, slots: int) -> None:
        """Take note of the slots after a pass; boundaries are counted from it when the length changes."""
        if self.length_at(slots) != self.length:
            self.since, self.length = time, self.length_at(slots)

    def boundary(self, time: int) -> int:
        """Return the first boundary at or after a time."""
        if self.length == 0:
            return time
        whole = -(-(time - self.since) // self.length)
        return self.since + whole * self.length
