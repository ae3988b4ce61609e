"""The search for the model that explains the waits of a log best: each step of it simulates models and returns them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import polars as pl

from scheduler_core.common.errors import ContractError
from scheduler_core.contracts.companions import CLOSED_HOURS_COLUMNS
from scheduler_core.declarations.policy import get_policy
from scheduler_core.runs.simulation import simulate
from slotwise.planning.breaking import is_kept, loads_at_starts
from slotwise.planning.ceilings import CEILINGS, COARSE, ceilings_of, near, unit_of, without_ceilings
from slotwise.planning.fair_share import (
    HALF_LIVES_H,
    WEIGHTS_H,
    can_share,
    fair_share_of,
    keeping_rules,
    several_users,
    with_fair_share,
)
from slotwise.planning.models import CREDITS_H, Model, Pool, more_credits, score, takes_credits
from slotwise.planning.recorded import Use, gpu_jobs_of, recorded_use, with_recorded_wait
from slotwise.planning.validation import agreement_of, recorded_jobs, recorded_pairs
from slotwise.planning.written import with_values
from traces.shape.closed_hours import closed_hours_of
from traces.shape.credit import with_credit
from traces.shape.selection import only, usable
from traces.shape.standstills import standstills_of

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload
    from slotwise.planning.scenarios import Say

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

MOST_STILL = 0.1
"""The most of a log's time that standstills may take. More are no outages: they would repeat the log's own starts."""

POOL_CAPACITIES = (0.9, 0.95, 0.99, 0.999, 1.0)
"""Shares of the time whose recorded use is tried as the size of a pool, which is never below :data:`LEAST_CAPACITY` of its
widest job."""

MOST_POOLS = 8
MOST_TOGETHER = 1.5
"""The most processors of all pools together, as a share of the machine; partitions of a site overlap, but not wholly."""

LEAST_POOL = 0.01
"""Least share of the jobs of a pool; partitions or queues with fewer are one pool together."""


class Fitting:
    """A log whose recorded waits are to be explained; each pool is simulated once. ``tried`` counts the simulations.

    ``workload`` has the jobs, ``log`` the whole log that they are chosen from, whose standstills and closed hours are tried.
    """

    def __init__(self, workload: Workload, say: Say, log: Workload) -> None:
        self.workload, self.log = workload, log
        self.say = say
        self.known = with_recorded_wait(workload)
        self.recorded = recorded_jobs(self.known, None).select("job", "week", "recorded_h")
        self.of_parts: dict[Pool, pl.DataFrame] = {}
        self.tried = 0
        self.models: dict[tuple[Pool, ...], Model] = {}
        self.still: dict[float, pl.DataFrame] = {}

    @cached_property
    def processors(self) -> int:
        """The size of the machine."""
        return self.workload.machine.processors

    @cached_property
    def use(self) -> Use:
        """The recorded use of the machine."""
        return recorded_use(self.known, self.processors, gpu_jobs=gpu_jobs_of(self.workload))

    def jobs_of(self, pool: Pool) -> Workload:
        """Return the workload of a pool."""
        jobs = self.on_site(pool.standstills_h, closed=pool.closed)
        jobs = usable(only(jobs, pool.column, pool.numbers) if pool.column else jobs, *pool.usable)
        return with_credit(jobs, dict(pool.credit)) if pool.credit else jobs

    def on_site(self, least_h: float, *, closed: bool = False) -> Workload:
        """Return the jobs with the log's standstills of at least so many hours, unless 0, and with its closed hours."""
        if least_h and least_h not in self.still:
            self.still[least_h] = standstills_of(self.log, least_h)
        tables = {"standstills": self.still[least_h]} if least_h else {}
        tables |= {"closed_hours": self.closed} if closed else {}
        return replace(self.workload, companions=tables) if tables else self.workload

    @cached_property
    def standstills_h(self) -> list[float]:
        """The lengths of :data:`STANDSTILLS_H` of which the log has standstills, unless they take too much of its time."""
        times = self.log.jobs["submit_us"]
        most_us = MOST_STILL * (int(times[-1]) - int(times[0]))
        tables = {hours: self.on_site(hours).companions["standstills"] for hours in STANDSTILLS_H}
        return [hours for hours, table in tables.items() if 0 < (table["end_us"] - table["begin_us"]).sum() <= most_us]

    @cached_property
    def closed(self) -> pl.DataFrame:
        """The closed hours of the log's queues; no rows if it records no queues, or not the time of the day."""
        try:
            return closed_hours_of(self.log)
        except ContractError:
            return pl.DataFrame(schema=CLOSED_HOURS_COLUMNS)

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
        return self.sizes_of(
            [Pool(policy, self.processors, standstills_h=hours) for hours in self.standstills_h for policy in POLICIES]
        )

    def closed_hours(self, like: Pool) -> list[Model]:
        """Return a pool, under its own and every policy, with closed hours of queues; empty if the log shows none.

        Machines of several sizes are tried.
        """
        policies = dict.fromkeys((like.policy, *POLICIES)) if self.closed.height else {}
        return self.sizes_of([replace(like, policy=policy, closed=True) for policy in policies])

    def credits(self, like: Pool) -> list[Model]:
        """Return a pool with one more credit of a queue; none if its policy does not keep the order of submission.

        Serving a queue before all others is tried on machines of several sizes.
        """
        queues = queues_to_credit(self.known) if takes_credits(like.policy) else []
        first, more = (more_credits(like.credit, queues, hours) for hours in (CREDITS_H[:1], CREDITS_H[1:]))
        tried = [self.model([replace(like, credit=credit)]) for credit in more]
        return [*tried, *self.sizes_of([replace(like, credit=credit) for credit in first])]

    def ceilings(self, like: Pool) -> list[Model]:
        """Return a pool with a further ceiling for each user; empty unless the log tells several users apart."""
        names = [name for name in CEILINGS if name not in ceilings_of(like.policy)] if several_users(self.known) else []
        return [model for name in names for model in self.ceiling(like, name)]

    def ceiling(self, like: Pool, name: str) -> list[Model]:
        """Return a pool with a ceiling for each user; ``name`` is its parameter.

        Only ceilings that the log's own starts keep are tried. Coarse ones come first. If one explains more than none does,
        those near it are tried, then every policy with the best of them, and under the best policy those near it again; all on
        machines of several sizes. Requested time is tried in quarters of an hour of the whole machine.
        """
        tried: list[int] = []
        unit, loads = unit_of(name, self.processors), loads_at_starts(self.known, name)

        def under(policy: str, ceilings: Sequence[int]) -> list[Model]:
            tried.extend(ceilings)
            values = [{name: ceiling * unit} for ceiling in ceilings if is_kept(ceiling * unit, loads)]
            return self.sizes_of([replace(like, policy=with_values(policy, value)) for value in values])

        models = under(like.policy, COARSE)

        def best() -> tuple[str, int]:
            policy = self.best(models).pools[0].policy
            return policy, round(ceilings_of(policy)[name] / unit)

        if not models or score(self.best(models).odd) <= score(self.model([like]).odd):
            return models
        policy, ceiling = best()
        models += under(policy, near(tried, ceiling))
        _, ceiling = best()
        for other in POLICIES:
            models += under(keeping_rules(other, like.policy), [ceiling])
        policy, ceiling = best()
        return [*models, *under(policy, near(tried, ceiling))]

    def fair_shares(self, like: Pool) -> list[Model]:
        """Return a pool with fair share: without its credits and ceilings, as plain EASY, and as it is.

        What was found before explains a part of what fair share does, so the search begins without it, too. Of models that
        explain as much, the first is preferred. Empty unless the log tells several users apart and the policy has an order.
        """
        if not (several_users(self.known) and can_share(like.policy)):
            return []
        plain = replace(like, policy=without_ceilings(like.policy), credit=())
        starts = dict.fromkeys((plain, replace(plain, policy="easy"), like))
        return [model for one in starts for model in self.fair_share(one)]

    def fair_share(self, like: Pool) -> list[Model]:
        """Return a pool with fair share as its order.

        Coarse half-lives and weights come first. If one explains more than the pool without, weights near it are tried, then
        every policy with the best of them, and under the best policy weights near it again; all on machines of several sizes.
        """
        tried: list[int] = []

        def under(policy: str, half_lives_h: Sequence[float], weights_h: Sequence[int]) -> list[Model]:
            tried.extend(weights_h)
            shared = [with_fair_share(policy, half, weight) for half in half_lives_h for weight in weights_h]
            return self.sizes_of([replace(like, policy=one) for one in shared])

        models = under(like.policy, HALF_LIVES_H, WEIGHTS_H)

        def best() -> tuple[str, float, int]:
            policy = self.best(models).pools[0].policy
            _, half_life_h, weight_h = fair_share_of(policy).values()
            return policy, half_life_h, weight_h

        if score(self.best(models).odd) <= score(self.model([like]).odd):
            return models
        policy, half_life_h, weight_h = best()
        models += under(policy, [half_life_h], near(tried, weight_h))
        _, half_life_h, weight_h = best()
        for other in (one for one in POLICIES if can_share(one) and takes_credits(one)):
            models += under(keeping_rules(other, like.policy), [half_life_h], [weight_h])
        policy, half_life_h, weight_h = best()
        return [*models, *under(policy, [half_life_h], near(tried, weight_h))]

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
        """Return the model with a pool for each partition or queue, each fitted to its own jobs.

        Empty if there are none, or if they are far larger together than the machine (:data:`MOST_TOGETHER`).
        """
        groups = pool_numbers(self.known, column)
        if not 1 < len(groups) <= MOST_POOLS:
            return []
        pools = []
        for numbers in groups:
            recorded = self.known.filter(pl.col(column).is_in(numbers))
            use = recorded_use(recorded, self.processors)
            least = max(round(LEAST_CAPACITY * int(recorded["size"].max())), 1)  # type: ignore[arg-type]
            sizes = {min(max(round(use.at(share)), least), self.processors) for share in POOL_CAPACITIES}
            tried = [
                self.model([Pool(policy, size, column, numbers)])
                for size in sorted(sizes, reverse=True)
                for policy in policies
            ]
            pools.append(self.best(tried).pools[0])
        if sum(pool.processors for pool in pools) > MOST_TOGETHER * self.processors:
            return []
        return [
            self.model([replace(pool, standstills_h=hours, closed=closed) for pool in pools])
            for closed in (False, True)[: 2 if self.closed.height else 1]
            for hours in (0.0, *self.standstills_h)
        ]


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


def queues_to_credit(jobs: pl.DataFrame) -> list[int]:
    """Return the queues of a log that may have a credit: those with enough jobs, if they are several."""
    queues = [numbers[0] for numbers in pool_numbers(jobs, "queue") if len(numbers) == 1]
    return queues if len(queues) > 1 else []
