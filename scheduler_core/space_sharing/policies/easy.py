"""EASY (aggressive) backfilling and its dialects."""

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.parameters import parameter, same_as
from scheduler_core.space_sharing.orders import choices
from scheduler_core.space_sharing.policy import Shared, SpaceSharingPolicy
from scheduler_core.space_sharing.rules import CandidateRuntime, EndingNow, Reservation, TiedReleases, words_of

SINGLE = ("instant", "tied_completions", "extra_processors", "reservation", "tied_releases", "ending_now")
"""Parameters that are at their defaults where several jobs hold a reservation."""


@dataclass(frozen=True)
class Easy(SpaceSharingPolicy):
    """EASY backfilling: a job may overtake the queue if it does not delay the queue's head.

    A pass at time ``now``:

    1. The head of the queue is started while it fits on the free processors.
    2. If a job is left at the head, it gets a *reservation*. Take the running jobs by expected end (start + estimate;
       ties by position). Add their processors to the free ones until the head fits: the expected end reached is the
       *shadow time*. The *extra* processors are those free at the shadow time beyond the head's size; jobs that are
       expected to end exactly at the shadow time all count (``tied_releases="extra"``).
    3. The other queued jobs, in ``backfill_order``, are the candidates. One is started when it fits on the free
       processors and either is expected to end by the shadow time (``now + estimate <= shadow``) or takes no more than
       the extra processors. In the second case, when it is not expected to end by the shadow time, the extra processors
       shrink by its size.

    Every choice in which programs that call themselves EASY differ is a parameter. The steps above follow the defaults.

    * ``instant``: when a pass is made. ``batch``, the default: after all completions and all submissions of the instant.
      ``completions_first``: a pass after every single event, an instant's completions before its submissions.
      ``submissions_first``: a pass after every single event, submissions before completions.
    * ``tied_completions``: the order in which the completions of one instant are taken: ``position``, the default, or
      ``start``: in the order in which their jobs started (in one pass: in the order in which the pass started them). It
      matters only when passes are made between them.
    * ``ending_now``: whether processors whose job is *expected* to end now, but whose completion has not been taken yet,
      are ``occupied``, the default, or count as ``free`` in this pass, for every test. It matters only when passes are
      made between the events of an instant. (Such a job does end now, so the schedule is legal.)
    * ``extra_processors``: off: a candidate must be expected to end by the shadow time.
    * ``reservation``: ``each_pass``, the default: computed anew in every pass. ``once``: shadow time and extra
      processors are computed when a job becomes head and not again while it stays head; the extra processors only shrink
      by candidates started on them. The head starts as soon as it fits, even before its shadow time. A job that was
      overtaken at the head (in an ``order`` other than ``fcfs``), even by one that starts in the same pass, becomes head
      anew.
    * ``tied_releases``: ``not_extra``: in step 2 stop at the first job (expected end, then position) that lets the head
      fit; the others that end at the same time do not add to the extra processors.
    * ``candidate_runtime``: ``real``: step 3 tests ``now + min(runtime, estimate) <= shadow`` instead of the estimate
      (a scheduler that knows too much). Expected ends of running jobs stay estimates.
    * ``candidates``: how many candidates step 3 looks at in a pass, started or not, from the first in ``backfill_order``.
    * ``reservations``: how many jobs at the head of the queue hold a reservation. With a number N > 1 or ``all``, steps 2
      and 3 become: let *free(t)* be the free processors now and at every later time, from the expected ends of running
      jobs. The first N jobs of the queue, in order, each get the earliest interval of their estimate's length in which
      *free(t)* is at least their size throughout; it is taken off *free(t)*; a job whose interval begins now is started.
      The remaining jobs, in ``backfill_order``, are started when they fit from now on for the length of their (tested)
      run time, and are taken off *free(t)* for that length. Nothing is remembered from one pass to the next. Then
      ``instant``, ``tied_completions``, ``extra_processors``, ``reservation``, ``tied_releases`` and ``ending_now`` must
      be at their defaults.
    * ``order``: the order of the queue itself; ``fcfs`` unless said otherwise.

    With the order ``fair_share``, jobs of users who have used much lately count as submitted later: by ``usage_weight_h`` times
    their user's share of the usage, in which ``half_life_h`` ago counts half
    (:class:`~scheduler_core.space_sharing.policy.SpaceSharingPolicy` has the whole definition).

    ``user_jobs`` and ``user_processor_h`` are ceilings for each user. A job that would exceed one is passed over: it holds no
    reservation and delays nobody. A user without a running job may always start one
    (:class:`~scheduler_core.space_sharing.policy.SpaceSharingPolicy` has the whole definition).

    Cost: n (q + r) for n jobs of which q wait and r run at once, because a pass after a completion goes through the running jobs
    by expected end and through the candidates. A pass after a submission looks at that job alone, but not in an order that
    depends on the time: then every pass sorts the queue, which costs about q, as few jobs change places. With several
    reservations n q (q + r), because each is searched for in the plan.
    """

    name: ClassVar[str] = "easy"
    label: ClassVar[str] = "EASY"
    source: ClassVar[str] = (
        "Lifka, The ANL/IBM SP scheduling system, JSSPP 1995; Mu'alem and Feitelson, Utilization, predictability, "
        "workloads, and user runtime estimates in scheduling the IBM SP2 with backfilling, IEEE TPDS 12(6), 2001, section 2"
    )
    presets: ClassVar[dict[str, tuple[str, dict[str, Any]]]] = {
        "easy_sjbf": ("EASY-SJBF", {"backfill_order": "shortest"}),
        "easy_fair_share": ("EASY (fair share)", {"order": "fair_share"}),
    }

    fixed: ClassVar[dict[str, str]] = {"backfill": "easy"}

    order: str = parameter("fcfs", "order of the queue", choices=choices("fcfs"))
    backfill_order: str = parameter("queue", "order in which candidates are looked at", choices=choices("queue"))
    instant: str = same_as(Shared, "instant")
    tied_completions: str = same_as(Shared, "tied_completions")
    ending_now: str = parameter(
        "occupied", "processors whose job is expected to end now, but has not yet", choices=words_of(EndingNow)
    )
    extra_processors: bool = parameter(True, "whether a long candidate may use processors the head will not need")
    reservation: str = parameter("each_pass", "when the head's reservation is computed", choices=words_of(Reservation))
    tied_releases: str = parameter(
        "extra",
        "processors released exactly at the shadow time that the head does not need",
        choices=words_of(TiedReleases),
    )
    candidate_runtime: str = parameter(
        "estimate", "what a candidate's end is computed from", choices=words_of(CandidateRuntime)
    )
    candidates: int | str = parameter("all", "candidates looked at in a pass", unit="jobs", choices=("all",), minimum=1)
    reservations: int | str = parameter(
        1, "jobs at the head that hold a reservation", unit="jobs", choices=("all",), minimum=1
    )
    half_life_h: float = same_as(Shared, "half_life_h")
    usage_weight_h: float = same_as(Shared, "usage_weight_h")
    user_jobs: int | str = same_as(Shared, "user_jobs")
    user_processor_h: float | str = same_as(Shared, "user_processor_h")

    def validate(self) -> None:
        """Refuse dialects of the single reservation where several jobs hold one."""
        if self.reservations == 1:
            return
        for entry in fields(self):
            value = getattr(self, entry.name)
            if entry.name in SINGLE and value != entry.default:
                raise ParameterError(
                    f"easy: {entry.name}={value!r} is defined for one reservation only; found reservations={self.reservations!r}"
                )
