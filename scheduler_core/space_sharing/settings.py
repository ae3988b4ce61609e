"""The parameters of space sharing: under the policies' own names, and as the plain numbers the event loop reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scheduler_core.common.units import seconds_to_us
from scheduler_core.space_sharing import state
from scheduler_core.space_sharing.orders import order_named
from scheduler_core.space_sharing.state import Rules

if TYPE_CHECKING:
    from scheduler_core.space_sharing.policy import SpaceSharingPolicy

WORDS: dict[str, dict[str, int]] = {
    "backfill": {"none": state.NO_BACKFILL, "easy": state.EASY, "conservative": state.CONSERVATIVE},
    "when_blocked": {"wait": state.WAIT, "skip": state.SKIP},
    "instant": {
        "batch": state.BATCH,
        "completions_first": state.COMPLETIONS_FIRST,
        "submissions_first": state.SUBMISSIONS_FIRST,
    },
    "tied_completions": {"position": state.BY_POSITION, "start": state.BY_START},
    "ending_now": {"occupied": state.OCCUPIED, "free": state.COUNTS_AS_FREE},
    "reservation": {"each_pass": state.EACH_PASS, "once": state.ONCE},
    "tied_releases": {"extra": state.EXTRA, "not_extra": state.NOT_EXTRA},
    "candidate_runtime": {"estimate": state.BY_ESTIMATE, "real": state.BY_RUN_TIME},
    "aging": {"off": state.AGING_OFF, "fixed": state.AGING_FIXED, "running_mean": state.AGING_MEAN},
}
"""The number by which the event loop knows each word of a parameter."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything in which policies of this family differ; the policies' docstrings say what each word means."""

    backfill: str = "none"
    when_blocked: str = "wait"
    order: str = "fcfs"
    backfill_order: str = "queue"
    instant: str = "batch"
    tied_completions: str = "position"
    ending_now: str = "occupied"
    extra_processors: bool = True
    reservation: str = "each_pass"
    tied_releases: str = "extra"
    candidate_runtime: str = "estimate"
    candidates: int | str = "all"
    reservations: int | str = 1
    compression: bool = True
    plan_by: str = "estimate"
    short_limit_s: float = 0.0
    medium_limit_s: float = 0.0
    aging: str = "off"
    aging_min_s: float = 0.0
    aging_fixed_s: float = 0.0

    @property
    def candidate_order(self) -> str:
        """The order of the backfill candidates: that of the queue unless they have one of their own."""
        return self.order if self.backfill_order == "queue" else self.backfill_order

    @property
    def tests_run_times(self) -> bool:
        """Whether candidates, or the plan, go by real run times."""
        return self.candidate_runtime == "real" or self.plan_by == "runtime"


def settings_of(policy: SpaceSharingPolicy) -> Settings:
    """Return what a policy tells the engine."""
    return Settings(**policy.words())


def make_rules(settings: Settings) -> Rules:
    """Return the settings as the plain numbers the event loop reads.

    Raises
    ------
    ParameterError
        When there is no such order of waiting jobs.
    """
    words = {name: numbers[getattr(settings, name)] for name, numbers in WORDS.items()}
    aging_s = settings.aging_min_s if settings.aging == "running_mean" else settings.aging_fixed_s
    return Rules(
        **words,
        order=order_named(settings.order).code,
        backfill_order=order_named(settings.candidate_order).code,
        own_candidates=settings.candidate_order != settings.order,
        extra_processors=settings.extra_processors,
        candidates=number_or_all(settings.candidates),
        reservations=number_or_all(settings.reservations),
        compression=settings.compression,
        short_limit=seconds_to_us(settings.short_limit_s),
        medium_limit=seconds_to_us(settings.medium_limit_s),
        aging_time=seconds_to_us(aging_s),
    )


def number_or_all(count: int | str) -> int:
    """Return a number of jobs, 0 for all of them."""
    return 0 if isinstance(count, str) else count
