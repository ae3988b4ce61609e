"""The rules of the event loop: a policy's parameters as the numbers that compiled code reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple, Self, get_type_hints

from scheduler_core.common.units import NEVER_US, seconds_to_us
from scheduler_core.space_sharing.orders import AS_SUBMITTED, BY_SHARE, Order, order_named

if TYPE_CHECKING:
    import numpy as np

Backfill = IntEnum("Backfill", "none easy conservative", start=0)
WhenBlocked = IntEnum("WhenBlocked", "wait skip", start=0)
Instant = IntEnum("Instant", "batch completions_first submissions_first", start=0)
TiedCompletions = IntEnum("TiedCompletions", "position start", start=0)
EndingNow = IntEnum("EndingNow", "occupied free", start=0)
Reservation = IntEnum("Reservation", "each_pass once", start=0)
TiedReleases = IntEnum("TiedReleases", "extra not_extra", start=0)
CandidateRuntime = IntEnum("CandidateRuntime", "estimate real", start=0)
Aging = IntEnum("Aging", "running_mean fixed off", start=0)


class Rules(NamedTuple):
    """The parameters of a policy under their own names; the policies' docstrings say what each word means.

    A policy without a parameter has the value given here.
    """

    backfill: Backfill = Backfill.none
    when_blocked: WhenBlocked = WhenBlocked.wait
    instant: Instant = Instant.batch
    tied_completions: TiedCompletions = TiedCompletions.position
    ending_now: EndingNow = EndingNow.occupied
    extra_processors: bool = True
    reservation: Reservation = Reservation.each_pass
    tied_releases: TiedReleases = TiedReleases.extra
    candidate_runtime: CandidateRuntime = CandidateRuntime.estimate
    compression: bool = True
    reservations: int = 1  # 0: all waiting jobs hold one
    aging: Aging = Aging.off
    candidate_limit: int = 0  # the parameter ``candidates``; 0: no limit
    aging_time: int = 0  # microseconds, as the limits of the classes
    short_limit: int = 0
    medium_limit: int = 0
    # How a queue is kept (Order.code): 0 as submitted (`fcfs`), 1 by fixed keys, others by keys of the time.
    # Which fixed keys, only the queue itself knows (`state.empty_queue`).
    order: int = 0
    backfill_order: int = 0  # the same, of the candidates
    user_jobs: int = 0  # 0: a user may have any number of running jobs
    user_time: int = -1  # processors times microseconds; -1: running jobs of a user may have any time left
    limits_users: bool = False  # whether users have one of these ceilings
    holds_jobs: bool = False  # whether a waiting job may be held: by a ceiling, or in closed hours
    half_life: int = 0  # microseconds, of recent usage
    usage_weight: int = 0  # microseconds by which all of the recent usage sets a user's jobs back
    own_candidates: bool = False  # the candidates are kept in another order than the queue


KINDS = get_type_hints(Rules)


@dataclass(frozen=True, slots=True)
class Setup:
    """What the engine takes from a policy: the rules, the two orders, and whether ends are computed from real run times."""

    rules: Rules
    order: Order
    backfill_order: Order
    tests_run_times: bool

    @property
    def shares(self) -> bool:
        """Whether one of the orders depends on the recent usage of users."""
        return BY_SHARE in (self.order.code, self.backfill_order.code)

    @property
    def keeps_predictions(self) -> bool:
        """Whether no job ever starts later than it would if no job came after it and all ran for their estimates.

        Reservations of conservative backfilling never move to a later time. Without backfilling, jobs in the order of submission
        wait for those before them only.
        """
        in_turn = self.rules.order == AS_SUBMITTED and self.rules.when_blocked == WhenBlocked.wait
        return self.rules.backfill == Backfill.conservative or (self.rules.backfill == Backfill.none and in_turn)

    def with_closed_hours(self) -> Self:
        """Return the setup for a workload that has closed hours."""
        return replace(self, rules=self.rules._replace(holds_jobs=True))

    def in_order_of(self, keys: np.ndarray) -> Self:
        """Return the setup with the jobs' keys, smallest first, wherever the order of submission counts."""
        credited, given = Order(key=lambda estimate, size: keys), (self.order, self.backfill_order)
        order, candidates = (credited if one.code == AS_SUBMITTED else one for one in given)
        rules = self.rules._replace(order=order.code, backfill_order=candidates.code)
        return replace(self, rules=rules, order=order, backfill_order=candidates)


def setup_of(words: Mapping[str, Any]) -> Setup:
    """Return what the engine takes from a policy: from the rules it fixes and its parameters.

    The engine calls it with ``{**policy.fixed, **policy.values()}``.
    """
    queue = words.get("order", "fcfs")
    candidates = words.get("backfill_order", "queue")
    candidates = queue if candidates == "queue" else candidates
    order, backfill_order = order_named(queue), order_named(candidates)
    aging_s = words.get("aging_min_s" if words.get("aging") == "running_mean" else "aging_fixed_s", 0.0)
    user_jobs = number_or_all(words.get("user_jobs", "all"))
    user_time = processor_time(words.get("user_processor_h", "all"))
    derived = {
        "candidate_limit": number_or_all(words.get("candidates", "all")),
        "aging_time": seconds_to_us(aging_s),
        "short_limit": seconds_to_us(words.get("short_limit_s", 0.0)),
        "medium_limit": seconds_to_us(words.get("medium_limit_s", 0.0)),
        "order": order.code,
        "backfill_order": backfill_order.code,
        "user_jobs": user_jobs,
        "user_time": user_time,
        "limits_users": user_jobs > 0 or user_time >= 0,
        "holds_jobs": user_jobs > 0 or user_time >= 0,
        "half_life": hours_to_us(words.get("half_life_h", 0)),
        "usage_weight": hours_to_us(words.get("usage_weight_h", 0)),
        "own_candidates": candidates != queue,
    }
    named = {
        name: number_of(KINDS[name], words[name]) for name in Rules._fields if name in words and name not in derived
    }
    real = words.get("candidate_runtime") == "real" or words.get("plan_by") == "runtime"
    return Setup(Rules()._replace(**named, **derived), order, backfill_order, real)


def number_of(kind: type, word: Any) -> Any:
    """Return the number by which the event loop knows the value of a parameter."""
    if issubclass(kind, IntEnum):
        return kind[word]
    return word if kind is bool else number_or_all(word)


def number_or_all(count: int | str) -> int:
    """Return a number of jobs, 0 for all of them."""
    return 0 if isinstance(count, str) else count


def processor_time(hours: float | str) -> int:
    """Return processor hours as processors times microseconds, at most NEVER_US; -1 for any number of them."""
    return -1 if isinstance(hours, str) else hours_to_us(hours)


def hours_to_us(hours: float) -> int:
    """Return hours in whole microseconds, at most NEVER_US."""
    return min(seconds_to_us(3600 * hours), NEVER_US)


def words_of(kind: type[IntEnum]) -> tuple[str, ...]:
    """List the words of a parameter, its default first."""
    return tuple(kind.__members__)
