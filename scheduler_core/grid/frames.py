"""Relaxed reservations: the time frames of tasks (Cao 2009, section 4.4.5, formulas (4) to (6))."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from scheduler_core.common.units import seconds_to_us

if TYPE_CHECKING:
    from scheduler_core.grid.policies.grid import Grid
    from scheduler_core.stepping.local_scheduler import Prediction


class Frame(NamedTuple):
    """The times of a task on a cluster that was asked for it: RB, ST, SST, PRT, EST and LFT, in microseconds."""

    expected_us: int
    from_us: int
    start_us: int
    finish_us: int
    earliest_us: int
    latest_us: int


class Slack(NamedTuple):
    """Time ahead of a task and behind it, and the part of its wait by which it may move ahead: MAF times NBP."""

    ahead_us: int
    behind_us: int
    moves_ahead: float


def rounded(value: float) -> int:
    """Return the nearest whole number; halves go up."""
    return math.floor(value + 0.5)


class FrameRule:
    """Makes frames under a policy: from the start that is asked for to the end of the frame."""

    def __init__(self, policy: Grid) -> None:
        self.rule = policy.frame_rule if policy.tasks == "reserved" else "none"
        self.slpa, self.slpb = float(policy.slpa), float(policy.slpb)
        self.short_limit = seconds_to_us(policy.short_limit_s)
        self.medium_limit = seconds_to_us(policy.medium_limit_s)
        self.moves_ahead = {
            "short": 0.0,
            "medium": policy.maf * policy.nbp_medium,
            "long": policy.maf * policy.nbp_long,
        }

    def slack(self, job_class: str | None, estimate_us: int) -> Slack:
        """Return the slack of a task of some class and length."""
        ahead, behind = rounded(self.slpa * estimate_us), rounded(self.slpb * estimate_us)
        return Slack(ahead, behind, self.moves_ahead[job_class or self.class_of(estimate_us)])

    def class_of(self, estimate_us: int) -> str:
        """Return the class of a task whose class is not stated."""
        if estimate_us < self.short_limit:
            return "short"
        return "medium" if estimate_us < self.medium_limit else "long"

    def start_asked(self, now_us: int, ready_us: int, slack: Slack) -> int:
        """Return ST, the start that is given to the prediction, for RB = ``ready_us``."""
        if self.rule == "earliest_start":
            return self.earliest(now_us, ready_us, slack)
        if self.rule != "spare_time":
            return ready_us
        return now_us + rounded((ready_us - now_us + slack.ahead_us) / (1 - slack.moves_ahead))

    def frame(self, now_us: int, ready_us: int, from_us: int, slack: Slack, predicted: Prediction) -> Frame:
        """Return the frame that a prediction leads to."""
        start, finish = predicted.start_us, predicted.finish_us
        latest = finish + slack.behind_us
        if self.rule == "none":
            return Frame(ready_us, from_us, start, finish, from_us, finish)
        if self.rule == "earliest_start":
            return Frame(from_us, from_us, start, finish, from_us, latest)
        if self.rule == "spare_time":
            earliest = ready_us
        elif self.rule == "rigid":
            earliest = start
        else:
            earliest = self.earliest(now_us, from_us if self.rule == "literal" else start, slack)
        return Frame(ready_us, from_us, start, finish, earliest, latest)

    @staticmethod
    def earliest(now_us: int, start_us: int, slack: Slack) -> int:
        """Return the earliest start, formula (5): slack ahead of a start."""
        return max(now_us, start_us - slack.ahead_us - rounded(slack.moves_ahead * (start_us - now_us)))
