"""Windows: the times in which jobs may hold their places."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scheduler_core.common.units import NEVER_US

if TYPE_CHECKING:
    from scheduler_core.coscheduling.share_jobs import ShareJob, ShareRules

ROUNDING_US = 1_000
"""Work that a window allows for rounding, which costs less than a microsecond per row."""


class Window(NamedTuple):
    """The time in which a job may hold its place: from its start to the latest end it can have."""

    begin: int
    end: int
    job: ShareJob


def window(rules: ShareRules, job: ShareJob, begin: int, done: int = 0) -> Window:
    """Return the window of a job that starts or continues at a time, with this work done."""
    if rules.endless:
        return Window(begin, NEVER_US, job)
    work = job.estimate - done + ROUNDING_US
    return Window(begin, begin - (-work * rules.worst // job.guaranteed), job)
