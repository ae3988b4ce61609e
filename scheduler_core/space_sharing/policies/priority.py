"""Priority classes with aging and EASY backfilling."""

from dataclasses import dataclass
from typing import Any, ClassVar

from scheduler_core.declarations.parameters import parameter, same_as
from scheduler_core.space_sharing.policy import Shared, SpaceSharingPolicy
from scheduler_core.space_sharing.rules import Aging, words_of


@dataclass(frozen=True)
class Priority(SpaceSharingPolicy):
    """Priority classes with aging and EASY backfilling: the space-sharing baseline of LOMARC and of SCOJO.

    A job's class is that of its estimate: short (level 2) up to ``short_limit_s``, medium (level 1) up to
    ``medium_limit_s``, long (level 0) beyond. Waiting raises the level, up to that of short jobs::

        level(j, now) = min(2, class level + floor((now - submit) / T))

    The queue of a pass is ordered by level (highest first), then by position; the order is made once, at the begin of
    the pass. Then the pass is that of EASY with its defaults: the head is started while it fits, the first job that does
    not fit holds the reservation (recomputed in every pass), and the others backfill in queue order.

    ``aging`` says what T is, in whole microseconds, at the begin of the pass: ``running_mean``: the mean wait (rounded
    down) of all jobs started before this pass, but at least ``aging_min_s`` (also before any job has started);
    ``fixed``: ``aging_fixed_s``; ``off``: levels do not rise.

    Sources of the parameters: ``short_limit_s`` and ``medium_limit_s`` LOMARC, section 6.2, and SCOJO, section 6.7 (180 s);
    ``aging`` LOMARC, sections 5.1 and 6.2, which name the average wait without a least one: ``aging_min_s`` is chosen here.

    ``user_jobs`` and ``user_processor_h`` are ceilings for each user. A job that would exceed one is passed over: it holds no
    reservation and delays nobody. A user without a running job may always start one
    (:class:`~scheduler_core.space_sharing.policy.SpaceSharingPolicy` has the whole definition).

    Cost: n (q + r) for n jobs of which q wait and r run at once, because a pass computes all levels and then is that of EASY.
    """

    name: ClassVar[str] = "priority"
    label: ClassVar[str] = "Priority + EASY"
    source: ClassVar[str] = (
        "Sodan and Lan, LOMARC: lookahead matchmaking for multi-resource coscheduling, 2005, sections 5.1 and 6.2 "
        "(baseline PSS); Huang, Adaptive space-time sharing with SCOJO, thesis, University of Windsor, 2004, section 6.7"
    )
    presets: ClassVar[dict[str, tuple[str, dict[str, Any]]]] = {
        "priority_scojo": ("Priority + EASY (SCOJO)", {"aging": "off", "short_limit_s": 180.0})
    }

    fixed: ClassVar[dict[str, str]] = {"backfill": "easy", "order": "priority"}

    short_limit_s: float = parameter(60.0, "longest estimate of a short job", unit="s", minimum=0)
    medium_limit_s: float = parameter(3600.0, "longest estimate of a medium job", unit="s", minimum=0)
    aging: str = parameter("running_mean", "what the aging time is", choices=words_of(Aging))
    aging_min_s: float = parameter(3600.0, "least aging time with running_mean", unit="s", minimum=1)
    aging_fixed_s: float = parameter(86400.0, "aging time with fixed", unit="s", minimum=1)
    user_jobs: int | str = same_as(Shared, "user_jobs")
    user_processor_h: float | str = same_as(Shared, "user_processor_h")

    def validate(self) -> None:
        """Refuse class limits that are out of order."""
        self.refuse_above("short_limit_s", "medium_limit_s")
