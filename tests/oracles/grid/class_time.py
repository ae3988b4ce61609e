"""The oracle of the grid: the time a class gets on a cluster in slices, as laid out and in intervals to come."""

from collections.abc import Iterator

from tests.oracles.slices.state import CLASSES, LONG, MEDIUM, SHORT, Calendar


class ClassTime:
    """The time a class gets from now on: stretches of time that its slices work."""

    def __init__(self, calendar: Calendar, kind: int, time: int, nominal: str) -> None:
        self.calendar, self.kind, self.time, self.nominal = calendar, kind, time, nominal

    @property
    def in_force(self) -> bool:
        """Whether an interval is in force."""
        return self.time < self.calendar.ends

    def nominal_work(self) -> tuple[int, int]:
        """Return from when on, in an interval to come, the slice of the class works, and for how long."""
        calendar = self.calendar
        first, last = calendar.worst(self.kind, 0, calendar.longest_short)
        intervals = len({piece.begin // calendar.interval for piece in calendar.slices})
        if self.nominal == "worst_case" or self.kind == SHORT or not intervals:
            return first, last - first
        works = {
            kind: sum(piece.end - piece.work for piece in calendar.slices if piece.kind == kind) // intervals
            for kind in CLASSES
        }
        begin = calendar.interval - works[LONG]
        return (begin if self.kind != MEDIUM else begin - calendar.switch - works[MEDIUM]), works[self.kind]

    def stretches(self) -> Iterator[tuple[int, int]]:
        """Return when its slices work, in time."""
        calendar = self.calendar
        pieces, interval = calendar.slices, calendar.ends
        if not self.in_force:
            pieces, interval = [], -(-self.time // calendar.interval) * calendar.interval
            if interval > self.time:
                around = Calendar(calendar.policy)
                around.lay_out(interval - calendar.interval, None)
                pieces = around.slices
        for piece in pieces:
            if piece.kind == self.kind and piece.end > self.time:
                yield max(piece.work, self.time), piece.end
        begin, work = self.nominal_work()
        while True:
            yield interval + begin, interval + begin + work
            interval += calendar.interval

    def gets_by(self, time: int) -> int:
        """Return how long its slices work from now on until a time."""
        total = 0
        for begin, end in self.stretches():
            if begin >= time:
                return total
            total += min(end, time) - begin
        raise AssertionError

    def has_got(self, length: int) -> int:
        """Return when its slices have worked for so long."""
        for begin, end in self.stretches():
            if length <= end - begin:
                return begin + length
            length -= end - begin
        raise AssertionError
