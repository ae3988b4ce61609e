"""The time axis of a window of a schedule, the same for all parts of a picture."""

import altair as alt

from reports.diagrams.allocations import AllocationWindow
from reports.draw.charts import NoData, Row
from scheduler_core.common.units import us_to_seconds

FAR = 20
"""A window that begins later than this many of its own lengths counts time from its begin."""
UNITS = ((600.0, 1.0, "s"), (10_800.0, 60.0, "min"), (float("inf"), 3600.0, "h"))
"""Unit of the time axis by the length shown: the most seconds, divisor, name."""


class Clock:
    """The time axis: its unit, its zero and its scale.

    ``zero`` is the moment to count from, in microseconds, and its name; None: the first submission, or the begin of a
    window far from it.
    """

    def __init__(self, window: AllocationWindow, zero: tuple[int, str] | None = None) -> None:
        length_s = us_to_seconds(window.end_us - window.begin_us)
        self.divisor, self.unit = next((divisor, name) for most, divisor, name in UNITS if length_s <= most)
        far = window.begin_us > FAR * (window.end_us - window.begin_us)
        self.far_unit = (3600.0, "h") if far else (self.divisor, self.unit)
        since = f"{us_to_seconds(window.begin_us) / 3600:,.3f} h after the first submission"
        self.zero_us, self.since = zero or ((window.begin_us, since) if far else (0, "the first submission"))
        self.edges = [self.shown(window.begin_us), self.shown(window.end_us)]
        self.begin_us, self.end_us = window.begin_us, window.end_us

    def shown(self, at_us: int) -> float:
        """Return a time as the axis shows it."""
        return round(us_to_seconds(at_us - self.zero_us) / self.divisor, 6)

    def lasting(self, length_us: int) -> float:
        """Return a length in the unit of the axis."""
        return round(us_to_seconds(length_us) / self.divisor, 6)

    def clipped(self, begin_us: int, end_us: int) -> Row:
        """Return the columns ``begin`` and ``end`` of a stretch, cut to the window."""
        return {"begin": self.shown(max(begin_us, self.begin_us)), "end": self.shown(min(end_us, self.end_us))}

    def share(self, begin_us: int, end_us: int) -> float:
        """Return the fraction of the axis that a stretch covers."""
        seen = min(end_us, self.end_us) - max(begin_us, self.begin_us)
        return round(seen / (self.end_us - self.begin_us), 5)

    def caption(self) -> dict[str, str]:
        """Return ``begin`` and ``length`` of the window in words, for captions."""
        divisor, unit = self.far_unit
        return {
            "begin": f"{us_to_seconds(self.begin_us) / divisor:,.6g} {unit}",
            "length": f"{us_to_seconds(self.end_us - self.begin_us) / self.divisor:,.4g} {self.unit}",
        }

    @property
    def scale(self) -> alt.Scale:
        """Return the scale of all parts."""
        return alt.Scale(domain=self.edges, nice=False, zero=False)

    def axis(self, shown: bool = False) -> alt.X:
        """Return the time axis; only the lowest part of a picture shows it."""
        title = f"Time since {self.since} ({self.unit})" if shown else None
        axis = alt.Axis(title=title, labels=shown, ticks=shown, domain=shown, grid=False, tickCount=10)
        return alt.X("begin:Q", scale=self.scale, axis=axis)


def clock_of(window: AllocationWindow, zero: tuple[int, str] | None = None) -> Clock:
    """Return the time axis of a window; raise :class:`NoData` when no job runs in it."""
    if not window.allocations.height:
        raise NoData("No job runs in the window.")
    return Clock(window, zero)
