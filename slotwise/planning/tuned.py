"""The best options of backfilling for a log: searched on odd weeks, reported on even ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.policy import get_policy
from scheduler_core.runs.simulation import simulate
from scheduler_core.space_sharing.orders import choices
from slotwise.planning.effects import Ratio, paired_ratio
from slotwise.planning.fair_share import keeping_rules, several_users
from slotwise.planning.models import MOST_CREDITED, Credit, credit_words, more_credits, takes_credits
from slotwise.planning.pools import BETWEEN, Pools, policies_in, schedule_of
from slotwise.planning.scenarios import Outcome, Say, Scenario, run_pools, title_of_policy
from slotwise.planning.search import queues_to_credit
from slotwise.planning.waits import WEEK_US, waits_of
from slotwise.planning.written import written
from traces.shape.credit import with_credit

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule, Workload

TUNED_METRICS = {"mean_wait": "wait_h", "mean_bounded_slowdown": "slowdown"}
"""What can be tuned for, and its column (:func:`slotwise.planning.waits.waits_of`)."""

OPTIONS: dict[str, tuple[Any, ...]] = {
    "order": choices("fcfs"),
    "backfill_order": choices("queue"),
    "reservations": (1, 2, 4, 8, 16, 32),
    "candidates": ("all", 1, 4, 16, 64),
}
"""The options of EASY that are searched, one after the other."""

MOST_ROUNDS = 3
"""How often all options of EASY are gone through, at most."""

LEAST_GAIN = 1e-3
"""Options count as better if they lower the metric by more than this part of it."""


@dataclass(frozen=True)
class Setting:
    """A policy, and hours of waiting with which queues are credited."""

    policy: str
    credit: Credit = ()

    @property
    def label(self) -> str:
        """Its name on the page."""
        return ", ".join([title_of_policy(self.policy), *[credit_words(*entry) for entry in self.credit]])


@dataclass(frozen=True)
class Tuned:
    """The setting with the least ``metric`` on odd weeks of ``tried`` ones, and what it does on even weeks.

    ``even`` has a ratio to the baseline for each metric of :data:`TUNED_METRICS`, of the jobs submitted in even weeks.
    ``setting`` is None, and ``even`` empty, when the baseline is the best, or when no job is of odd weeks or none of even ones
    (``tried`` is 0).
    """

    metric: str
    tried: int
    setting: Setting | None
    even: dict[str, Ratio] = field(default_factory=dict)
    outcome: Outcome | None = None

    @property
    def sure(self) -> bool:
        """Whether it surely lowers the metric on even weeks."""
        ratio = self.even.get(self.metric)
        return ratio is not None and ratio.sure and ratio.after < ratio.before


class Tuning:
    """A search on the odd weeks of a log; each setting is simulated once."""

    def __init__(self, workload: Workload, pools: Pools, metric: str, say: Say) -> None:
        self.workload = workload
        self.pools = pools
        self.column = TUNED_METRICS[metric]
        self.say = say
        self.odd = workload.jobs.filter(pl.col("submit_us") // WEEK_US % 2 == 1).select("job")
        self.users = several_users(workload.jobs)
        self.means: dict[Setting, float] = {}

    def pools_of(self, setting: Setting) -> Pools:
        """Return the pools with the credits of a setting, beside those that the log's site gives."""
        if not setting.credit:
            return self.pools
        steps = self.workload.provenance.get("transformations", [])
        given = [step["hours"] for step in steps if step["step"] == "queue_credit"]
        known = {int(queue): hours for hours_by_queue in given for queue, hours in hours_by_queue.items()}
        return {name: with_credit(jobs, known | dict(setting.credit)) for name, jobs in self.pools.items()}

    def mean(self, setting: Setting) -> float:
        """Return the mean of the metric over the jobs of odd weeks under a setting."""
        if setting not in self.means:
            self.say(f"tuning {len(self.means) + 1}: {setting.label}")
            policies = [get_policy(policy) for policy in policies_in(setting.policy, len(self.pools))]
            waits = waits_of(schedule_of(self.pools_of(setting), policies, simulate))
            odd = waits.join(self.odd, on="job", how="semi", maintain_order="left").sort("job")
            self.means[setting] = float(odd[self.column].to_numpy().mean()) if odd.height else 0.0  # none of them ended
        return self.means[setting]

    def better(self, best: Setting, tried: Iterable[Setting]) -> Setting:
        """Return the best of some settings if it is better than ``best``, else ``best``."""
        found = min(tried, key=self.mean, default=best)
        return found if self.mean(found) < (1 - LEAST_GAIN) * self.mean(best) else best

    def easy(self, start: Setting) -> Setting:
        """Return the best options of EASY: one option at a time, until none gets better."""
        best = start
        for _ in range(MOST_ROUNDS):
            before = best
            for option, values in OPTIONS.items():
                known = [value for value in values if value != "fair_share" or self.users]
                best = self.better(best, with_option(best, option, known))
            if best == before:
                break
        return best

    def credits(self, start: Setting) -> Setting:
        """Return the best credits of queues for a policy that keeps the order of submission, one queue at a time.

        Pools get none: a queue may have jobs in one pool only.
        """
        queues = queues_to_credit(self.workload.jobs) if len(self.pools) == 1 else []
        best = start
        for _ in range(MOST_CREDITED):
            before = best
            best = self.better(best, [Setting(best.policy, credit) for credit in more_credits(best.credit, queues)])
            if best == before:
                break
        return best


def with_option(setting: Setting, option: str, values: Iterable[Any]) -> Iterator[Setting]:
    """Yield a setting of EASY with each value of an option that goes with its others."""
    policy = get_policy(setting.policy)
    for value in values:
        try:
            yield Setting(written(get_policy(policy.name, **{**policy.values(), option: value})), setting.credit)
        except ParameterError:  # some dialects are defined for one reservation only
            continue


def tune(workload: Workload, pools: Pools, before: Schedule, baseline: Scenario, metric: str, say: Say) -> Tuned:
    """Search the options of EASY, conservative backfilling and credits of queues for the least mean of a metric.

    All keep the baseline's rules for users, if it is one pool. Each setting is simulated on the whole log. The search sees
    the jobs submitted in odd weeks; what it finds is compared with the baseline (``before``) on the jobs of even weeks, and its
    schedule is proved feasible. Weeks count from the log's zero.

    Parameters
    ----------
    metric
        One of :data:`TUNED_METRICS`; raise :class:`ParameterError` for another.
    """
    if metric not in TUNED_METRICS:
        raise ParameterError(f"--tune: expected {' or '.join(TUNED_METRICS)}; found {metric!r}")
    tuning = Tuning(workload, pools, metric, say)
    if not 0 < tuning.odd.height < len(workload):
        return Tuned(metric, 0, None)
    first = Setting(baseline.policy)
    alone = None if BETWEEN in baseline.policy else get_policy(baseline.policy)
    easy, conservative = (
        name if alone is None else keeping_rules(name, baseline.policy) for name in ("easy", "conservative")
    )
    tuning.easy(Setting(written(alone) if alone is not None and alone.name == "easy" else easy))
    tuning.mean(Setting(conservative))
    tuning.credits(min((one for one in tuning.means if takes_credits(one.policy)), key=tuning.mean))
    best = tuning.better(first, list(tuning.means))
    if best == first:
        return Tuned(metric, len(tuning.means), None)
    outcome = run_pools(tuning.pools_of(best), Scenario(best.policy))
    weeks = workload.jobs.select("job", week=pl.col("submit_us") // WEEK_US).filter(pl.col("week") % 2 == 0)
    pairs = waits_of(before).join(waits_of(outcome.schedule), on="job", suffix="_after").join(weeks, on="job")
    even = {name: paired_ratio(pairs, column, 1) for name, column in TUNED_METRICS.items()}
    return Tuned(metric, len(tuning.means), best, even, outcome)
