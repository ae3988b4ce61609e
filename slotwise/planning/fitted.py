"""Which policy and machine explain the waits that a log recorded best: chosen on odd weeks, checked on even ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from scheduler_core.declarations.policy import get_policy
from scheduler_core.declarations.words import counted
from slotwise.planning.ceilings import CEILINGS, without_ceilings
from slotwise.planning.models import EQUAL, HOPELESS, MOST_CREDITED, Fit, Model, Pool, Step, score
from slotwise.planning.regimes import MOST_CHANGES, Regimes
from slotwise.planning.scenarios import Say, proved
from slotwise.planning.search import Fitting
from slotwise.planning.validation import LEAST_WEEKS, Grade, grade_of, narrower, unexplained
from slotwise.planning.waits import LEAST_JOBS_OF_A_WEEK
from traces.shape.regimes import Usable

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

POOL_POLICIES = ("easy", "conservative", "easy_sjbf", "fcfs")
"""The policies that are tried for each pool, besides the best one for the whole machine."""

WHOLE = "EASY, whole machine"
"""The first step, against which the others are held."""

CLOSED = "closed hours"
"""The step that tries closed hours."""

OF_QUEUE = "credit of a queue"
"""The step that tries a credit for one more queue."""

OF_USERS = "ceiling of users"
"""The step that tries ceilings for each user."""

OF_USAGE = "fair share"
"""The step that tries fair share."""

OF_REGIME = "change of regime"
"""The step that tries other usable processors from some week on."""

OF_MANY = (OF_USERS, OF_USAGE, OF_REGIME)
"""Steps that try so many numbers that some explain even weeks a little better by chance, too."""

LEAST_COMPARED = 3
"""With fewer odd or even weeks there is no correlation of weekly means, and so no better model."""

BEST = 12
"""How many of the best models a fit names."""


def fit(workload: Workload, say: Say, log: Workload | None = None) -> Fit:
    """Return the ladder of models for the waits that a log recorded.

    Each step lets something further free: the processors that can be used, the policy, the standstills that the log shows,
    its closed hours, a credit for some queues, ceilings for each user, fair share, the processors that can be used from one
    or two weeks on, a pool for each partition, a pool for each queue, a credit for some queues in pools. Fair share and
    changes are also tried without the ceilings found before, so ceilings are tried again where one is kept. A step's best
    model on odd weeks is kept if it is better than the last that was kept, on odd weeks by more than :data:`EQUAL`, and on
    even ones, too. Ceilings, fair share and changes must be better by more than :data:`EQUAL` on even weeks, too
    (:data:`OF_MANY`). A log of too few weeks to compare (:data:`LEAST_COMPARED`) has the first step alone.

    Standstills and closed hours are those of the whole ``log`` that the jobs are chosen from (by default, of these jobs):
    standstills of all weeks, closed hours as odd weeks show them.
    Raise :class:`ContractError` when the log records too few waits.
    """
    fitting = Fitting(workload, say, workload if log is None else log)
    ladder = Ladder(fitting)
    ladder.climb_all()
    steps, chosen = ladder.steps, ladder.last
    named = [model for model in fitting.models.values() if is_named(model, chosen)]
    ranked = sorted(named, key=rank)
    idle = unexplained(map(fitting.jobs_of, chosen.pools), [get_policy(pool.policy) for pool in chosen.pools])
    fitting.step = "grade"
    fewer = fitting.model([fewer_processors(pool) for pool in chosen.pools], whole=True)
    return Fit(
        steps=steps,
        best=without_repeats(ranked)[:BEST],
        grade=too_few_weeks(chosen) or grade_of(chosen.even, fewer.even, idle),
        equal=[model for model in ranked if model is not chosen and score(chosen.odd) - score(model.odd) <= EQUAL],
        use=replace(fitting.use, low=None) if chosen.pools[0].changes else fitting.use,
        certificates=[proved(fitting.jobs_of(pool), get_policy(pool.policy))[1] for pool in chosen.pools],
        closing=fitting.closing,
    )


class Ladder:
    """The steps of a fit: each is tried from the last model that was kept.

    ``policy`` is the best one on odd weeks without anything else, kept or not.
    """

    def __init__(self, fitting: Fitting) -> None:
        self.fitting, self.policy = fitting, "easy"
        fitting.step = WHOLE
        first = fitting.model([Pool("easy", fitting.processors)])
        self.too_short = min(first.odd.weeks, first.even.weeks) < LEAST_COMPARED
        self.steps = [Step(WHOLE, 1, first, kept=True)]

    @property
    def last(self) -> Model:
        """The last model that was kept."""
        return [step for step in self.steps if step.kept][-1].model

    @property
    def pool(self) -> Pool:
        """Its pool; the steps before those of pools have one."""
        return self.last.pools[0]

    def climb(self, name: str, make: Callable[[], list[Model]]) -> bool:
        """Try a step; return whether its best model is kept. A step without models is none."""
        last, before = self.last, self.fitting.tried
        self.fitting.step = name
        self.fitting.least = score(last.odd) - EQUAL
        models = [] if self.too_short else make()
        if not models:
            return False
        model = self.fitting.model(self.fitting.best(models).pools, whole=True)
        on_even = EQUAL if name in OF_MANY else 0.0
        better = score(model.odd) > score(last.odd) + EQUAL and score(model.even) > score(last.even) + on_even
        self.steps.append(Step(name, self.fitting.tried - before, model, kept=better))
        return better

    def climb_all(self) -> None:
        """Try all steps."""
        fitting, steps = self.fitting, self.steps
        self.climb("usable processors", fitting.capacities)
        self.climb("policy", lambda: fitting.policies(steps[-1].model.pools[0]))
        self.policy = steps[-1].model.pools[0].policy
        self.climb("standstills", lambda: fitting.standstills(steps[-1].model.pools[0]))
        self.climb(CLOSED, lambda: fitting.closed_hours(self.pool))
        self.climb_credits(lambda: fitting.credits(self.pool))
        self.climb_ceilings(self.pool)
        if self.climb_fair_share():
            self.climb_ceilings(bare(self.pool))
        if self.climb_regimes():
            self.climb_ceilings(bare(self.pool))
            self.climb_fair_share()
        self.climb_pools()

    def climb_pools(self) -> None:
        """Try a pool for each partition and for each queue, then credits in pools that were kept."""
        policies = list(dict.fromkeys([*POOL_POLICIES, self.policy]))
        for column in ("partition", "queue"):
            self.climb(f"pools by {column}", partial(self.fitting.pools_by, column, policies))
        if len(self.last.pools) > 1:
            self.climb_credits(lambda: self.fitting.credits_in_pools(self.last.pools))

    def climb_credits(self, make: Callable[[], list[Model]]) -> None:
        """Try the credit of one queue after the other."""
        for _ in range(MOST_CREDITED):
            if not self.climb(OF_QUEUE, make):
                break

    def climb_ceilings(self, like: Pool) -> None:
        """Try one ceiling after the other, the first on ``like``."""
        for _ in CEILINGS:
            if not self.climb(OF_USERS, partial(self.fitting.ceilings, like)):
                break
            like = self.pool

    def climb_fair_share(self) -> bool:
        """Try fair share; return whether it is kept."""
        return self.climb(OF_USAGE, lambda: self.fitting.fair_shares(self.pool, self.policy))

    def climb_regimes(self) -> bool:
        """Try one change of regime, and two; return whether one is kept."""
        like, regimes = self.pool, Regimes(self.fitting)
        numbers = range(1, MOST_CHANGES + 1)
        kept = [self.climb(OF_REGIME, partial(regimes.models, like, number)) for number in numbers]
        return any(kept)


def bare(pool: Pool) -> Pool:
    """Return a pool without ceilings: those that were found under other rules may be others under these."""
    return replace(pool, policy=without_ceilings(pool.policy))


def too_few_weeks(model: Model) -> Grade | None:
    """Return an empty grade with its reason if a log has too few even weeks to grade a model; else None."""
    if model.even.weeks >= LEAST_WEEKS:
        return None
    return Grade(
        "",
        f"it has {counted(model.even.weeks, 'even week')} with at least {LEAST_JOBS_OF_A_WEEK} jobs. A fit chooses on odd weeks "
        f"and grades on even ones, so it needs {LEAST_WEEKS} of these. `slotwise validate --policy POLICY` grades a policy on "
        "all weeks",
    )


def is_named(model: Model, chosen: Model) -> bool:
    """Return whether a fit names a model: one of the whole machine, with changes of regime only if the chosen one has them."""
    if model.odd is HOPELESS or (model.pools[0].column and len(model.pools) == 1):
        return False
    return all(pool.usable.differ and (chosen.pools[0].changes or not pool.changes) for pool in model.pools)


def fewer_processors(pool: Pool) -> Pool:
    """Return a pool less one percent of its processors, as many in every regime."""
    most = pool.usable.most
    found = pool.usable.plus(narrower(most) - most)
    return replace(pool, processors=found.processors, changes=found.changes)


def rank(model: Model) -> tuple[float, int, str]:
    """Return what models are ordered by: how well they explain odd weeks, then their processors; words decide between equals.

    Models are simulated at once, so the order in which they were made differs from run to run.
    """
    return -score(model.odd), -sum(pool.processors for pool in model.pools), model.words


def without_repeats(models: Sequence[Model]) -> list[Model]:
    """Return models in order, of those that agree equally with the log only the first."""
    return list({(model.odd, model.even): model for model in reversed(models)}.values())[::-1]


def pools_options(pools: Sequence[Pool]) -> list[str]:
    """Return the options of `slotwise whatif` that take several pools as the baseline."""
    policies = {pool.policy for pool in pools}
    options = ["--baseline", pools[0].policy] if len(policies) == 1 and policies != {"easy"} else []
    for pool in pools:
        text = f"{pool.column}={','.join(map(str, pool.numbers))}:{pool.processors}"
        options += ["--pool", text if len(policies) == 1 else f"{text}:{pool.policy}"]
    credit = sorted({one for pool in pools for one in pool.credit})
    return [*options, *site_options(pools[0]), *credit_options(credit)]


def site_options(pool: Pool) -> list[str]:
    """Return the options that add the standstills and closed hours of a pool."""
    options = ["--standstills", f"{pool.standstills_h:g}"] if pool.standstills_h else []
    return [*options, "--closed-hours"] if pool.closed else options


def whatif_options(pool: Pool, processors: int) -> list[str]:
    """Return the options of `slotwise whatif` that take a pool as the baseline."""
    options = [] if pool.policy == "easy" else ["--baseline", pool.policy]
    options += [] if pool.usable == Usable(processors) and not pool.column else ["--usable", str(pool.usable)]
    for number in pool.numbers:
        options += [f"--{pool.column}", str(number)]
    return [*options, *site_options(pool), *credit_options(pool.credit)]


def credit_options(credit: Sequence[tuple[int, float]]) -> list[str]:
    """Return the options that credit queues."""
    return [word for queue, hours in credit for word in ("--queue-credit", f"{queue}={hours:g}")]
