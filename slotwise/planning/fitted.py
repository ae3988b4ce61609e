"""Which policy and machine explain the waits that a log recorded best: chosen on odd weeks, checked on even ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import polars as pl

from scheduler_core.declarations.policy import get_policy
from scheduler_core.runs.simulation import simulate
from slotwise.planning.recorded import Use, recorded_use, with_recorded_wait
from slotwise.planning.scenarios import Say, proved, title_of_policy
from slotwise.planning.validation import (
    Agreement,
    Grade,
    agreement_of,
    grade_of,
    narrower,
    recorded_jobs,
    recorded_pairs,
)
from traces.shape.credit import with_credit
from traces.shape.selection import only, usable
from traces.shape.standstills import standstills_of

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

POLICIES = (
    "easy",
    "conservative",
    "easy_sjbf",
    "easy(reservations=2)",
    "easy(reservations=8)",
    "easy(reservations=32)",
    'easy(order="largest")',
    'easy(order="largest", reservations=8)',
    'easy(order="shortest")',
    'list(order="fcfs", when_blocked="skip")',
    "fcfs",
)
"""The policies that are tried."""

LEAST_CAPACITY = 0.8
"""The least share of the machine that is tried as usable."""

NEAR, REFINED = 3, 3
"""Within how many percent of the best sizes further ones are tried, and of how many of the best."""

TOO_LONG = 4.0
"""Smaller machines are not tried once the mean wait is so many times the recorded one."""

STANDSTILLS_H = (12.0, 6.0)
"""Least lengths of the standstills that are tried. Shorter ones would repeat the log's own starts."""

CREDITS_H = (1000.0, 24.0, 6.0, -6.0, -24.0)
"""Hours of waiting that are tried as the credit of a queue; the first serves it before all others."""

MOST_CREDITED = 4
"""The most queues with a credit."""

POOL_CAPACITIES = (0.9, 0.95, 0.99, 0.999, 1.0)
"""Shares of the time whose recorded use is tried as the size of a pool."""

POOL_POLICIES = ("easy", "conservative", "easy_sjbf", "fcfs")
"""The policies that are tried for each pool, besides the best one for the whole machine."""

MOST_POOLS = 8
LEAST_POOL = 0.01
"""Least share of the jobs of a pool; partitions or queues with fewer are one pool together."""

EQUAL = 0.02
"""Models whose scores differ by no more count as equally good."""

BEST = 12


@dataclass(frozen=True)
class Pool:
    """A part of a machine: the jobs of some partitions or queues (all jobs, without a ``column``), its size and policy.

    No job starts in the log's standstills of at least ``standstills_h`` hours; 0 stands for none. ``credit`` has queues and the
    hours of waiting with which their jobs are credited.
    """

    policy: str
    processors: int
    column: str = ""
    numbers: tuple[int, ...] = ()
    standstills_h: float = 0.0
    credit: tuple[tuple[int, float], ...] = ()

    def words(self) -> str:
        """Return what the pool is, in words."""
        whose = f"{self.column} {', '.join(map(str, self.numbers))}: " if self.column else ""
        words = [f"{whose}{title_of_policy(self.policy)} on {self.processors:,} processors"]
        words += [f"standstills of {self.standstills_h:g} h and more"] if self.standstills_h else []
        words += [credit_words(queue, hours) for queue, hours in self.credit]
        return ", ".join(words)


def credit_words(queue: int, hours: float) -> str:
    """Return the credit of a queue in words."""
    return f"queue {queue} first" if hours == CREDITS_H[0] else f"queue {queue} {hours:+g} h"


@dataclass(frozen=True)
class Model:
    """A model of a cluster: its pools, and how its waits agree with the recorded ones on odd and on even weeks."""

    pools: tuple[Pool, ...]
    odd: Agreement
    even: Agreement

    @property
    def words(self) -> str:
        """What it is, in words."""
        return "; ".join(pool.words() for pool in self.pools)


@dataclass(frozen=True)
class Step:
    """A step of the ladder: what may differ, how many simulations that took, its best model on odd weeks, whether it is kept.

    A step is kept if its best model explains odd weeks better than the last model that was kept, by more than :data:`EQUAL`, and
    even weeks better, too.
    """

    name: str
    tried: int
    model: Model
    kept: bool


@dataclass(frozen=True)
class Fit:
    """What a fit found. ``equal`` are the models that explain odd weeks as well as the chosen one (:data:`EQUAL`).

    ``grade`` is that of the chosen model on even weeks.
    """

    steps: list[Step]
    best: list[Model]
    equal: list[Model]
    use: Use
    grade: Grade
    certificates: list[str]

    @property
    def chosen(self) -> Model:
        """The model of the last step that was kept."""
        return [step for step in self.steps if step.kept][-1].model


def score(found: Agreement) -> float:
    """Return how well waits agree, as one number: both rank correlations, less the logarithm of the ratio of means.

    A ratio of 2 or one half costs 0.69. Minus infinity if a correlation cannot be told.
    """
    if found.weekly is None or found.by_job is None or not 0 < found.ratio < math.inf:
        return -math.inf
    return found.weekly + found.by_job - abs(math.log(found.ratio))


class Fitting:
    """A log whose recorded waits are to be explained; each pool is simulated once. ``tried`` counts the simulations."""

    def __init__(self, workload: Workload, say: Say) -> None:
        self.workload = workload
        self.say = say
        self.known = with_recorded_wait(workload)
        self.recorded = recorded_jobs(self.known, None).select("job", "week", "recorded_h")
        self.of_parts: dict[Pool, pl.DataFrame] = {}
        self.tried = 0
        self.models: dict[tuple[Pool, ...], Model] = {}
        self.still: dict[Pool, pl.DataFrame] = {}

    @cached_property
    def processors(self) -> int:
        """The size of the machine."""
        return self.workload.machine.processors

    def jobs_of(self, pool: Pool) -> Workload:
        """Return the workload of a pool."""
        jobs = only(self.workload, pool.column, pool.numbers) if pool.column else self.workload
        jobs = usable(jobs, pool.processors)
        jobs = with_credit(jobs, dict(pool.credit)) if pool.credit else jobs
        return self.standing_still(pool, jobs) if pool.standstills_h else jobs

    def standing_still(self, pool: Pool, jobs: Workload) -> Workload:
        """Return the jobs of a pool with its standstills, which are the same whatever its policy and credits."""
        key = replace(pool, policy="", credit=())
        if key not in self.still:
            self.still[key] = standstills_of(jobs, pool.standstills_h)
        return replace(jobs, companions={"standstills": self.still[key]})

    def pairs(self, pool: Pool) -> pl.DataFrame:
        """Return recorded and simulated waits of a pool's jobs; kept for parts of a machine, which make up several models."""
        if pool in self.of_parts:
            return self.of_parts[pool]
        self.say(pool.words())
        self.tried += 1
        found = recorded_pairs(self.recorded, simulate(self.jobs_of(pool), get_policy(pool.policy)))
        return self.of_parts.setdefault(pool, found) if pool.column else found

    def model(self, pools: Sequence[Pool]) -> Model:
        """Return a model and how well it explains odd and even weeks."""
        key = tuple(pools)
        if key not in self.models:
            pairs = pl.concat([self.pairs(pool) for pool in pools])
            odd, even = (agreement_of(pairs.filter(pl.col("week") % 2 == parity)) for parity in (1, 0))
            self.models[key] = Model(key, odd, even)
        return self.models[key]

    def best(self, models: Iterable[Model]) -> Model:
        """Return the model that explains odd weeks best; of equal ones that with most processors."""
        return max(models, key=lambda model: (round(score(model.odd), 6), sum(pool.processors for pool in model.pools)))

    def capacities(self) -> list[Model]:
        """Return EASY on a machine of which ever less can be used, down to :data:`LEAST_CAPACITY`."""
        found: list[Model] = []
        for percent in range(100, round(100 * LEAST_CAPACITY) - 1, -1):
            found.append(self.model([Pool("easy", self.share(percent))]))
            if found[-1].odd.ratio > TOO_LONG:
                break
        return found

    def share(self, percent: int) -> int:
        """Return a percentage of the machine in processors."""
        return max(round(self.processors * percent / 100), 1)

    def policies(self) -> list[Model]:
        """Return every policy on machines of several sizes."""
        return self.sizes_of([Pool(policy, self.processors) for policy in POLICIES])

    def standstills(self) -> list[Model]:
        """Return every policy, each starting no job in the log's standstills, on machines of several sizes."""
        lengths_h = [hours for hours in STANDSTILLS_H if len(standstills_of(self.workload, hours))]
        return self.sizes_of(
            [Pool(policy, self.processors, standstills_h=hours) for hours in lengths_h for policy in POLICIES]
        )

    def credits(self, like: Pool) -> list[Model]:
        """Return a pool with one more credit of a queue; none if its policy does not keep the order of submission.

        Serving a queue before all others is tried on machines of several sizes.
        """
        queues = [number for numbers in pool_numbers(self.known, "queue") if len(numbers) == 1 for number in numbers]
        if not in_order_of_submission(like) or len(queues) < 2:
            return []
        free = [queue for queue in queues if queue not in dict(like.credit)]
        more = [with_more(like, queue, hours) for queue in free for hours in CREDITS_H[1:]]
        firsts = [with_more(like, queue, CREDITS_H[0]) for queue in free]
        return [*(self.model([pool]) for pool in more), *self.sizes_of(firsts)]

    def sizes_of(self, pools: Sequence[Pool]) -> list[Model]:
        """Return pools on machines of the sizes at which their mean waits meet the recorded one, and the best on sizes near."""
        found: dict[tuple[Pool, int], Model] = {}

        def on(pool: Pool, percent: int) -> Model:
            found[pool, percent] = self.model([replace(pool, processors=self.share(percent))])
            return found[pool, percent]

        for pool in pools:
            low, high = round(100 * LEAST_CAPACITY), 100
            if on(pool, high).odd.ratio >= 1:
                continue
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if on(pool, middle).odd.ratio > 1 else (low, middle)
        for pool, best in sorted(found, key=lambda tried: -score(found[tried].odd))[:REFINED]:
            for percent in range(best - NEAR, min(best + NEAR, 100) + 1):
                on(pool, percent)
        return list(found.values())

    def pools_by(self, column: str, policies: Sequence[str]) -> list[Model]:
        """Return the model with a pool for each partition or queue, each fitted to its own jobs; empty if there are none."""
        groups = pool_numbers(self.known, column)
        if not 1 < len(groups) <= MOST_POOLS:
            return []
        pools = []
        for numbers in groups:
            recorded = self.known.filter(pl.col(column).is_in(numbers))
            use = recorded_use(recorded, self.processors)
            sizes = {min(max(round(use.at(share)), 1), self.processors) for share in POOL_CAPACITIES}
            tried = [
                self.model([Pool(policy, size, column, numbers)])
                for size in sorted(sizes, reverse=True)
                for policy in policies
            ]
            policy = self.best(tried).pools[0].policy
            tried += [
                self.model([Pool(policy, size, column, numbers, hours)])
                for size in sorted(sizes, reverse=True)
                for hours in STANDSTILLS_H
            ]
            pools.append(self.best(tried).pools[0])
        return [self.model(pools)]


def in_order_of_submission(pool: Pool) -> bool:
    """Return whether a pool is of the whole machine, and its policy takes jobs in the order of submission."""
    return not pool.column and "order=" not in pool.policy.replace("backfill_order=", "")


def with_more(pool: Pool, queue: int, hours: float) -> Pool:
    """Return a pool that also credits a queue."""
    return replace(pool, credit=tuple(sorted((*pool.credit, (queue, hours)))))


def pool_numbers(known: pl.DataFrame, column: str) -> list[tuple[int, ...]]:
    """Return the numbers of each pool of a log: a partition or queue each, and those with few jobs together."""
    if column not in known.columns or known[column].null_count():
        return []
    counts = known.group_by(column).len().sort(column)
    few = [number for number, jobs in counts.iter_rows() if jobs < LEAST_POOL * known.height]
    pools: list[tuple[int, ...]] = [
        (number,) for number, jobs in counts.iter_rows() if jobs >= LEAST_POOL * known.height
    ]
    return [*pools, tuple(few)] if few else pools


def fit(workload: Workload, say: Say) -> Fit:
    """Return the ladder of models for the waits that a log recorded.

    Each step lets something further free: the processors that can be used, the policy, the standstills that the log shows, a
    credit for some queues, a pool for each partition, a pool for each queue. Its best model on odd weeks is kept if it is better
    than the last that was kept, on odd weeks by more than :data:`EQUAL`, and on even ones, too. Standstills are those of all
    weeks. Raise :class:`ContractError` when the log records too few waits.
    """
    fitting = Fitting(workload, say)
    first = fitting.model([Pool("easy", fitting.processors)])
    steps = [Step("as the log says, under EASY", 1, first, kept=True)]

    def last() -> Model:
        return [step for step in steps if step.kept][-1].model

    def climb(name: str, make: Callable[[], list[Model]]) -> None:
        before = fitting.tried
        if models := make():
            model = fitting.best(models)
            better = score(model.odd) > score(last().odd) + EQUAL and score(model.even) > score(last().even)
            steps.append(Step(name, fitting.tried - before, model, kept=better))

    climb("usable processors", fitting.capacities)
    climb("policy", fitting.policies)
    policies = list(dict.fromkeys([*POOL_POLICIES, steps[-1].model.pools[0].policy]))
    climb("standstills", fitting.standstills)
    for _ in range(MOST_CREDITED):
        climb("credit of a queue", lambda: fitting.credits(last().pools[0]))
        if not steps[-1].kept:
            break
    for column in ("partition", "queue"):
        climb(f"a pool for each {column}", partial(fitting.pools_by, column, policies))
    whole = [model for model in fitting.models.values() if not model.pools[0].column or len(model.pools) > 1]
    ranked = sorted(whole, key=lambda model: (-score(model.odd), -sum(pool.processors for pool in model.pools)))
    chosen = last()
    fewer = fitting.model([replace(pool, processors=narrower(pool.processors)) for pool in chosen.pools])
    return Fit(
        steps=steps,
        best=without_repeats(ranked)[:BEST],
        grade=grade_of(chosen.even, fewer.even),
        equal=[model for model in ranked if model is not chosen and score(chosen.odd) - score(model.odd) <= EQUAL],
        use=recorded_use(fitting.known, fitting.processors),
        certificates=[proved(fitting.jobs_of(pool), get_policy(pool.policy))[1] for pool in chosen.pools],
    )


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
    return [*options, *(["--standstills", f"{pools[0].standstills_h:g}"] if pools[0].standstills_h else [])]


def whatif_options(pool: Pool, processors: int) -> list[str]:
    """Return the options of `slotwise whatif` that take a pool as the baseline."""
    options = [] if pool.policy == "easy" else ["--baseline", pool.policy]
    options += [] if pool.processors == processors and not pool.column else ["--usable", str(pool.processors)]
    for number in pool.numbers:
        options += [f"--{pool.column}", str(number)]
    options += ["--standstills", f"{pool.standstills_h:g}"] if pool.standstills_h else []
    for queue, hours in pool.credit:
        options += ["--queue-credit", f"{queue}={hours:g}"]
    return options
