"""The oracle of the grid: the frames of relaxed reservations, formulas (4) to (6) as each rule reads them."""

import math
from collections.abc import Callable
from typing import NamedTuple

from scheduler_core.declarations.policy import Policy
from tests.oracles.grid.booking import Slot


class Offer(NamedTuple):
    """What a cluster offers: when data are expected, the start given to the prediction, what was predicted, the frame."""

    expected: int
    given: int
    start: int
    finish: int
    earliest: int
    latest: int


def whole(value: float) -> int:
    """Round a time to whole microseconds, halves up."""
    return math.floor(value + 0.5)


def offer(policy: Policy, now: int, expected: int, length: int, kind: int, predict: Callable[[int], Slot]) -> Offer:
    """Make the frame of a task of a length and a class on a cluster, which predicts its slot from a start on."""
    ahead, g = whole(policy.slpa * length), policy.maf * (0.0, policy.nbp_medium, policy.nbp_long)[kind]
    before = max(now, expected - ahead - whole(g * (expected - now)))
    if policy.frame_rule == "earliest_start":
        given = earliest = expected = before
        start, finish = predict(given)
    elif policy.frame_rule == "spare_time":
        given = now + whole((expected - now + ahead) / (1 - g))
        start, finish = predict(given)
        earliest = expected
    else:
        given = expected
        start, finish = predict(given)
        behind = start if policy.frame_rule == "scheduled_start" else given
        earliest = max(now, behind - ahead - whole(g * (behind - now)))
    if policy.frame_rule == "rigid":
        earliest = start
    return Offer(expected, given, start, finish, earliest, finish + whole(policy.slpb * length))
