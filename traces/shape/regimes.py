"""Regimes of a log: how many processors of the machine jobs can use, and from which week on it is another number."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from scheduler_core.common.errors import ParameterError

if TYPE_CHECKING:
    import polars as pl

    from scheduler_core.contracts import Workload

WRITTEN = re.compile("[0-9]{1,9}(,[0-9]{1,9}@[0-9]{1,4})*")


class Usable(NamedTuple):
    """The processors that jobs can use; ``changes`` has weeks and how many they are from each week on, in order.

    Weeks count from 0 and begin at the workload's time zero.
    """

    processors: int
    changes: tuple[tuple[int, int], ...] = ()

    @property
    def regimes(self) -> list[tuple[int, int]]:
        """The first week of each regime and its processors."""
        return [(0, self.processors), *self.changes]

    @property
    def most(self) -> int:
        """The most processors of all regimes."""
        return max(processors for _, processors in self.regimes)

    @property
    def differ(self) -> bool:
        """Whether every change is to another number of processors."""
        return not self.changes or self.least_change > 0

    @property
    def least_change(self) -> int:
        """By how many processors the smallest change goes; 0 without a change."""
        return min((abs(after - before) for (_, before), (_, after) in pairwise(self.regimes)), default=0)

    def plus(self, more: int) -> Usable:
        """Return so many processors more in every regime, and at least one."""
        changes = ((week, max(processors + more, 1)) for week, processors in self.changes)
        return Usable(max(self.processors + more, 1), tuple(changes))

    def __str__(self) -> str:
        return ",".join([str(self.processors), *(f"{processors}@{week}" for week, processors in self.changes)])


def usable_named(text: str) -> Usable:
    """Return the usable processors as they are written: ``124``, or ``124,113@31`` for 113 from week 31 on.

    Raise :class:`ParameterError` for anything else.
    """
    first, *rest = text.split(",")
    found = None
    if WRITTEN.fullmatch(text):
        pairs = [part.split("@") for part in rest]
        found = Usable(int(first), tuple((int(week), int(processors)) for processors, week in pairs))
    if (
        found is None
        or not all(n for _, n in found.regimes)
        or any(a >= b for (a, _), (b, _) in pairwise(found.regimes))
    ):
        raise ParameterError(
            "expected processors, such as 124, or 124,113@31 for 113 from week 31 on, with later weeks behind earlier ones; "
            f"found {text!r}"
        )
    return found


def out_of_use(usable: Usable, workload: Workload) -> pl.DataFrame:
    """Return the periods in which a part of a machine with the most processors of all regimes is out of use.

    The last regime lasts for a year after the last submission.
    """
    import polars as pl

    from scheduler_core.common.units import WEEK_US
    from scheduler_core.contracts.companions import OUT_OF_USE_COLUMNS
    from traces.shape.windows import AFTERWARDS_US

    begins = [week * WEEK_US for week, _ in usable.regimes]
    end = max(workload.jobs["submit_us"].max() or 0, begins[-1]) + AFTERWARDS_US  # type: ignore[operator]
    periods = zip(pairwise([*begins, end]), usable.regimes, strict=True)
    rows = [(*period, usable.most - processors) for period, (_, processors) in periods if processors < usable.most]
    return pl.DataFrame(rows, schema=OUT_OF_USE_COLUMNS, orient="row")


def regime_words(usable: Usable, workload: Workload, whole: int) -> str:
    """Return in words what part of a machine of ``whole`` processors can be used in each regime."""
    first = (
        f"{usable.processors / whole:.0%} of the machine can be used ({usable.processors:,} of {whole:,} processors)"
    )
    later = [
        f"from week {week}{day_words(workload, week)} on {processors / whole:.0%} ({processors:,})"
        for week, processors in usable.changes
    ]
    return ", ".join([first, *later]).replace("%", " %")


def day_words(workload: Workload, week: int) -> str:
    """Return the day on which a week begins, in brackets; empty if the log does not tell the time of the day."""
    from datetime import UTC, datetime

    clock = workload.provenance.get("clock")
    if clock is None:
        return ""
    day = datetime.fromtimestamp(clock["start_s"] + clock["utc_offset_s"] + week * 7 * 86_400, UTC)
    return f" ({day.day} {day:%B %Y})"
