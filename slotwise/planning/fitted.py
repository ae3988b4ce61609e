"""Which policy and machine explain the waits that a log recorded best: chosen on odd weeks, checked on even ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from scheduler_core.declarations.policy import get_policy
from scheduler_core.declarations.words import counted
from slotwise.planning.ceilings import CEILINGS
from slotwise.planning.models import EQUAL, MOST_CREDITED, Fit, Model, Pool, Step, score
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

CLOSED = "closed hours of queues"
"""The step that tries closed hours."""

OF_USERS = "ceiling for each user"
"""The step that tries ceilings for each user."""

OF_USAGE = "fair share"
"""The step that tries fair share."""

OF_REGIME = "change of regime"
"""The step that tries other usable processors from some week on."""

LEAST_COMPARED = 3
"""With fewer odd or even weeks there is no correlation of weekly means, and so no better model."""

BEST = 12
"""How many of the best models a fit names."""


def fit(workload: Workload, say: Say, log: Workload | None = None) -> Fit:
    """Return the ladder of models for the waits that a log recorded.

    Each step lets something further free: the processors that can be used, the policy, the standstills that the log shows,
    the closed hours of its queues, a credit for some queues, ceilings for each user, fair share, the processors that can be
    used from one or two weeks on, a pool for each partition, a pool for each queue. Its best model on odd weeks is kept if it is
    better than the last that was kept, on odd weeks by more than :data:`EQUAL`, and on even ones, too. A change of the usable
    processors must be better by more than :data:`EQUAL` on even weeks, too, because so many dates and sizes are tried that some
    are a little better by chance. A log of too few weeks to compare (:data:`LEAST_COMPARED`) has the first step alone.

    Standstills and closed hours are those of the whole ``log`` that the jobs are chosen from (by default, of these jobs):
    standstills of all weeks, closed hours as odd weeks show them.
    Raise :class:`ContractError` when the log records too few waits.
    """
    fitting = Fitting(workload, say, workload if log is None else log)
    first = fitting.model([Pool("easy", fitting.processors)])
    too_short = min(first.odd.weeks, first.even.weeks) < LEAST_COMPARED
    steps = [Step("as the log says, under EASY", 1, first, kept=True)]

    def last() -> Model:
        return [step for step in steps if step.kept][-1].model

    def climb(name: str, make: Callable[[], list[Model]], on_even: float = 0.0) -> None:
        before = fitting.tried
        if models := [] if too_short else make():
            model = fitting.best(models)
            better = score(model.odd) > score(last().odd) + EQUAL and score(model.even) > score(last().even) + on_even
            steps.append(Step(name, fitting.tried - before, model, kept=better))

    climb("usable processors", fitting.capacities)
    climb("policy", fitting.policies)
    policies = list(dict.fromkeys([*POOL_POLICIES, steps[-1].model.pools[0].policy]))
    climb("standstills", fitting.standstills)
    climb(CLOSED, lambda: fitting.closed_hours(last().pools[0]))
    for _ in range(MOST_CREDITED):
        climb("credit of a queue", lambda: fitting.credits(last().pools[0]))
        if not steps[-1].kept:
            break
    for _ in CEILINGS:
        climb(OF_USERS, lambda: fitting.ceilings(last().pools[0]))
        if steps[-1].name == OF_USERS and not steps[-1].kept:
            break
    climb(OF_USAGE, lambda: fitting.fair_shares(last().pools[0]))
    like, regimes = last().pools[0], Regimes(fitting)
    for changes in range(1, MOST_CHANGES + 1):
        climb(OF_REGIME, partial(regimes.models, like, changes), on_even=EQUAL)
    for column in ("partition", "queue"):
        climb(f"a pool for each {column}", partial(fitting.pools_by, column, policies))
    chosen = last()
    named = [model for model in fitting.models.values() if is_named(model, chosen)]
    ranked = sorted(named, key=lambda model: (-score(model.odd), -sum(pool.processors for pool in model.pools)))
    idle = unexplained(map(fitting.jobs_of, chosen.pools), [get_policy(pool.policy) for pool in chosen.pools])
    fewer = fitting.model([fewer_processors(pool) for pool in chosen.pools])
    return Fit(
        steps=steps,
        best=without_repeats(ranked)[:BEST],
        grade=too_few_weeks(chosen) or grade_of(chosen.even, fewer.even, idle),
        equal=[model for model in ranked if model is not chosen and score(chosen.odd) - score(model.odd) <= EQUAL],
        use=replace(fitting.use, low=None) if chosen.pools[0].changes else fitting.use,
        certificates=[proved(fitting.jobs_of(pool), get_policy(pool.policy))[1] for pool in chosen.pools],
    )


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
    if model.pools[0].column and len(model.pools) == 1:
        return False
    return all(pool.usable.differ and (chosen.pools[0].changes or not pool.changes) for pool in model.pools)


def fewer_processors(pool: Pool) -> Pool:
    """Return a pool less one percent of its processors, as many in every regime."""
    most = pool.usable.most
    found = pool.usable.plus(narrower(most) - most)
    return replace(pool, processors=found.processors, changes=found.changes)


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
    return [*options, *site_options(pools[0])]


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
    options += site_options(pool)
    for queue, hours in pool.credit:
        options += ["--queue-credit", f"{queue}={hours:g}"]
    return options
