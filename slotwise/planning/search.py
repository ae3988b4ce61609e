"""The search for the model that explains the waits of a log best: each step of it simulates models and returns them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import product, starmap

import polars as pl

from slotwise.planning.breaking import is_kept, loads_at_starts
from slotwise.planning.ceilings import CEILINGS, COARSE, around, ceilings_of, near, unit_of, without_ceilings
from slotwise.planning.fair_share import (
    HALF_LIVES_H,
    WEIGHTS_H,
    beside,
    can_share,
    fair_share_of,
    keeping_rules,
    several_users,
    with_fair_share,
    without_fair_share,
)
from slotwise.planning.models import CREDITS_H, EQUAL, HOPELESS, Credit, Model, Pool, more_credits, score, takes_credits
from slotwise.planning.recorded import recorded_use
from slotwise.planning.trials import Trials, at_once
from slotwise.planning.written import with_values

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
    'list(order="shortest", when_blocked="skip")',
    "fcfs",
)
"""The policies that are tried."""

LEAST_CAPACITY = 0.8
"""The least share of the machine that is tried as usable."""

NEAR, REFINED = 3, 3
"""Within how many percent of the best sizes further ones are tried, and of how many of the best."""

FINEST = 200
"""Sizes that differ by less than this part of the machine are not told apart."""

TOO_LONG = 4.0
"""Smaller machines are not tried once the mean wait is so many times the recorded one."""

POOL_CAPACITIES = (0.9, 0.95, 0.99, 0.999, 1.0)
"""Shares of the time whose recorded use is tried as the size of a pool, which is never below :data:`LEAST_CAPACITY` of its
widest job."""

MOST_POOLS = 8
MOST_TOGETHER = 1.5
"""The most processors of all pools together, as a share of the machine; partitions of a site overlap, but not wholly."""

LEAST_POOL = 0.01
"""Least share of the jobs of a pool; partitions or queues with fewer are one pool together."""


class Fitting(Trials):
    """A log whose recorded waits are to be explained: each step of the search returns the models that it tried."""

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

    def policies(self, like: Pool) -> list[Model]:
        """Return every policy on machines of several sizes, near that of a pool first."""
        return self.sizes_of([replace(like, policy=policy) for policy in POLICIES])

    def standstills(self, like: Pool) -> list[Model]:
        """Return a pool under every policy, each starting no job in the log's standstills, on machines of several sizes."""
        tried = [(hours, policy) for hours in self.standstills_h for policy in POLICIES]
        return self.sizes_of([replace(like, policy=policy, standstills_h=hours) for hours, policy in tried])

    def closed_hours(self, like: Pool) -> list[Model]:
        """Return a pool with closed hours under its own and every policy, with its standstills and without.

        Machines of several sizes are tried. Empty if the log shows no closed hours.
        """
        policies = dict.fromkeys((like.policy, *POLICIES)) if self.closing else {}
        tried = product(dict.fromkeys((like.standstills_h, 0.0)), policies)
        return self.sizes_of([replace(like, policy=one, standstills_h=hours, closed=True) for hours, one in tried])

    def credits(self, like: Pool) -> list[Model]:
        """Return a pool, as it is and under EASY, with one more credit of a queue.

        Serving a queue before all others is tried on machines of several sizes. If a credit explains more than none does, further
        ones are tried near it (:meth:`credits_near`): size and policy were chosen without credits. If the log shows closed hours,
        they are tried, too, with the pool's standstills and without: they may explain little unless a queue has a credit. None if
        the policy does not keep the order of submission.
        """
        queues = queues_to_credit(self.known) if takes_credits(like.policy) else []
        site = [
            like,
            *(replace(like, closed=True, standstills_h=hours) for hours in (like.standstills_h, 0.0) if self.closing),
        ]
        starts = [replace(one, policy=policy) for one in site for policy in dict.fromkeys((like.policy, "easy"))]
        first, more = (list(more_credits(like.credit, queues, hours)) for hours in (CREDITS_H[:1], CREDITS_H[1:]))
        models = self.models_of([replace(start, credit=credit)] for start in starts for credit in more)
        models += self.sizes_of([replace(start, credit=credit) for start in starts for credit in first])
        if models and score(self.best(models).odd) > score(self.model([like]).odd):
            for _ in range(2):
                models += self.credits_near(models, [*first, *more])
        return models

    def credits_near(self, models: Sequence[Model], credits: Sequence[Credit]) -> list[Model]:
        """Return the best of some models without regard to credits, each with every credit; then the best one under every policy.

        Policies are those that keep the order of submission, on machines of several sizes.
        """
        ranked = sorted(models, key=lambda model: -score(model.odd))
        leading = list(
            dict.fromkeys(replace(model.pools[0], credit=()) for model in ranked if model.odd is not HOPELESS)
        )
        tried = self.models_of([replace(pool, credit=credit)] for pool in leading[:REFINED] for credit in credits)
        best = self.best([*models, *tried]).pools[0]
        policies = dict.fromkeys((best.policy, *filter(takes_credits, POLICIES)))
        return tried + self.sizes_of([replace(best, policy=policy) for policy in policies])

    def credits_in_pools(self, like: Sequence[Pool]) -> list[Model]:
        """Return pools, as they are and under EASY, with one more credit of a queue in every pool that has other queues, too.

        Their policies were chosen without credits. None if the pools are queues, or for policies that do not keep the order of
        submission.
        """
        credited = queues_to_credit(self.known) if like[0].column != "queue" else []
        of_pools = [set(self.jobs_of(pool).jobs["queue"]) if credited else set() for pool in like]
        several = [numbers if len(numbers) > 1 else set() for numbers in of_pools]
        queues = [queue for queue in credited if any(queue in numbers for numbers in several)]
        given = tuple(sorted({one for pool in like for one in pool.credit}))

        def with_credit(pools: Sequence[Pool], credit: Credit) -> list[Pool]:
            own = [tuple(one for one in credit if one[0] in numbers) for numbers in several]
            return [replace(pool, credit=mine) for pool, mine in zip(pools, own, strict=True)]

        starts = dict.fromkeys((tuple(like), tuple(replace(pool, policy="easy") for pool in like)))
        return self.models_of(
            with_credit(pools, credit)
            for pools in starts
            if all(takes_credits(pool.policy) for pool in pools)
            for credit in more_credits(given, queues)
        )

    def ceilings(self, like: Pool) -> list[Model]:
        """Return a pool with a further ceiling for each user; empty unless the log tells several users apart."""
        names = [name for name in CEILINGS if name not in ceilings_of(like.policy)] if several_users(self.known) else []
        return [model for name in names for model in self.ceiling(like, name)]

    def ceiling(self, like: Pool, name: str) -> list[Model]:
        """Return a pool with a ceiling for each user; ``name`` is its parameter.

        Only ceilings that the log's own starts keep are tried. Coarse ones come first. If one explains more than none does,
        those near it are tried, then every policy with the best of them, and under the best policies those near it again; all on
        machines of several sizes. Requested time is tried in quarters of an hour of the whole machine.
        """
        tried: list[int] = []
        unit, loads = unit_of(name, self.processors), loads_at_starts(self.known, name)

        def under(policies: Sequence[str], ceilings: Sequence[int]) -> list[Model]:
            tried.extend(ceilings)
            values = [{name: ceiling * unit} for ceiling in ceilings if is_kept(ceiling * unit, loads)]
            limited = [with_values(policy, value) for policy in policies for value in values]
            return self.sizes_of([replace(like, policy=one) for one in limited])

        models = under([like.policy], COARSE)

        def best() -> tuple[str, int]:
            policy = self.best(models).pools[0].policy
            return policy, round(ceilings_of(policy)[name] / unit)

        if not models or score(self.best(models).odd) <= score(self.model([like]).odd):
            return models
        policy, ceiling = best()
        models += under([policy], near(tried, ceiling))
        _, ceiling = best()
        models += under([keeping_rules(other, like.policy) for other in POLICIES], [ceiling])
        grids = COARSE, tuple(tried)
        for leader in leaders(models, lambda policy: with_values(policy, {name: None})):
            models += under([leader], around(grids, round(ceilings_of(leader)[name] / unit)))
        return models

    def fair_shares(self, like: Pool, policy: str) -> list[Model]:
        """Return a pool with fair share: plain under a policy and its own, with its standstills, under EASY, and as it is.

        What was found before explains a part of what fair share does, so the search begins without standstills, credits and
        ceilings. From there on it stays near the best half-life and weight. Of models that explain as much, the first is
        preferred. Empty unless the log tells several users apart and the policy has an order.
        """
        if not (several_users(self.known) and can_share(like.policy)):
            return []
        own = replace(like, policy=without_ceilings(like.policy), credit=())
        plain = replace(own, standstills_h=0.0)
        starts = [plain, own, replace(own, policy="easy"), like]
        if can_share(policy) and takes_credits(policy):
            starts.insert(0, replace(plain, policy=policy))
        found: list[Model] = []
        grid: tuple[Sequence[int], Sequence[int]] = (HALF_LIVES_H, WEIGHTS_H)
        for one in dict.fromkeys(starts):
            found += self.fair_share(one, *grid, least=score(self.best(found).odd) if found else -math.inf)
            _, *best = fair_share_of(self.best(found).pools[0].policy).values()
            grid = beside(HALF_LIVES_H, best[0]), beside(WEIGHTS_H, best[1])
        return found

    def fair_share(
        self, like: Pool, half_lives_h: Sequence[float], weights_h: Sequence[int], least: float
    ) -> list[Model]:
        """Return a pool with fair share as its order.

        Some half-lives and weights come first. If one explains more than the pool without, and more than the score ``least``,
        weights near it are tried, then every policy with the best of them, and under the best policies weights near it again;
        all on machines of several sizes.
        """
        tried: list[int] = []

        def under(policies: Sequence[str], half_lives_h: Sequence[float], weights_h: Sequence[int]) -> list[Model]:
            tried.extend(weights_h)
            shared = starmap(with_fair_share, product(policies, half_lives_h, weights_h))
            return self.sizes_of([replace(like, policy=one) for one in shared])

        models = under([like.policy], half_lives_h, weights_h)

        def best() -> tuple[str, float, int]:
            policy = self.best(models).pools[0].policy
            _, half_life_h, weight_h = fair_share_of(policy).values()
            return policy, half_life_h, weight_h

        if score(self.best(models).odd) <= max(score(self.model([like]).odd), least):
            return models
        policy, half_life_h, weight_h = best()
        models += under([policy], [half_life_h], near(tried, weight_h))
        _, half_life_h, weight_h = best()
        others = [keeping_rules(one, like.policy) for one in POLICIES if can_share(one) and takes_credits(one)]
        models += under(others, [half_life_h], [weight_h])
        grids = WEIGHTS_H, tuple(tried)
        for leader in leaders(models, without_fair_share):
            _, half_life_h, weight_h = fair_share_of(leader).values()
            models += under([leader], [half_life_h], around(grids, weight_h))
        return models

    def sizes_of(self, pools: Sequence[Pool]) -> list[Model]:
        """Return pools on machines of the sizes at which their mean waits meet the recorded one, and the best on sizes near.

        Sizes are whole percents of the machine at first; near the best, those in between are tried, by halves. The search for
        the size of each pool begins at that of the first one.
        """
        if not pools:
            return []
        first, *others = dict.fromkeys(pools)
        here = round(100 * first.processors / self.processors)
        border, tried = self.border(first, here)
        begin = border if border < 100 else here  # waits may be too long on every machine
        found = dict(tried)
        for _, tried in at_once(partial(self.border, begin=begin), others):
            found.update(tried)

        def on(more: Iterable[tuple[Pool, int]]) -> None:
            new = [one for one in dict.fromkeys(more) if one not in found]
            found.update(zip(new, self.models_of([self.resized(*one)] for one in new), strict=True))

        def best_first() -> list[tuple[Pool, int]]:
            compared = [one for one in found if found[one].odd is not HOPELESS]
            return sorted(compared, key=lambda one: -score(found[one].odd))

        best = [(pool, round(100 * processors / self.processors)) for pool, processors in best_first()[:REFINED]]
        near = range(-NEAR, NEAR + 1)
        on((pool, self.share(min(percent + more, 100))) for pool, percent in best for more in near)
        step = self.share(1) + 1
        while step > max(self.processors // FINEST, 1):
            step = -(-step // 2)
            for pool, processors in best_first()[:1]:
                on((pool, min(max(processors + more, 1), self.processors)) for more in (-step, step))
        return list(found.values())

    def border(self, pool: Pool, begin: int) -> tuple[int, dict[tuple[Pool, int], Model]]:
        """Return the least percentage of the machine on which a pool waits no longer than recorded, and the models tried."""
        found: dict[tuple[Pool, int], Model] = {}

        def too_long(percent: int) -> bool:
            size = self.share(percent)
            found[pool, size] = self.model([self.resized(pool, size)])
            return found[pool, size].odd.ratio > 1

        return least_without(too_long, begin, round(100 * LEAST_CAPACITY), 100), found

    def resized(self, pool: Pool, processors: int) -> Pool:
        """Return a pool on so many processors; one that changes as many more in every regime, as far as the machine goes."""
        more = min(processors - pool.processors, self.processors - pool.usable.most)
        resized = pool.usable.plus(more)
        return replace(pool, processors=resized.processors, changes=resized.changes)

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
            tried = self.models_of(
                [Pool(policy, size, column, numbers)] for size in sorted(sizes, reverse=True) for policy in policies
            )
            pools.append(self.best(tried).pools[0])
        if sum(pool.processors for pool in pools) > MOST_TOGETHER * self.processors:
            return []
        return self.models_of(
            [replace(pool, standstills_h=hours, closed=closed) for pool in pools]
            for closed in (False, True)[: 2 if self.closing else 1]
            for hours in (0.0, *self.standstills_h)
        )


def leaders(models: Sequence[Model], plain: Callable[[str], str]) -> list[str]:
    """Return the policies of the models that explain odd weeks best, of those that differ in ``plain``; at most :data:`REFINED`.

    They are equally good (:data:`~slotwise.planning.models.EQUAL`). One number that suits two policies need not be the best for
    either, so the better policy may come second under it.
    """
    found: dict[str, str] = {}
    ranked = sorted(models, key=lambda model: -score(model.odd))
    for model in ranked:
        if score(model.odd) >= score(ranked[0].odd) - EQUAL:
            found.setdefault(plain(model.pools[0].policy), model.pools[0].policy)
    return list(found.values())[:REFINED]


def least_without(too_long: Callable[[int], bool], begin: int, least: int, most: int) -> int:
    """Return the least machine, of ``least`` to ``most``, on which waits are not too long; ``most`` if they are too long there.

    The search begins near a border that is known, such as that of another policy: it goes away from there by ever larger steps
    until it has passed the border, then halves the rest.
    """
    begin = min(max(begin, least), most)
    up = too_long(begin)
    low, high = (begin, most + 1) if up else (least - 1, begin)
    step, passed = 1, False
    while high - low > 1:
        onwards = min(low + step, high - 1) if up else max(high - step, low + 1)
        size = (low + high) // 2 if passed else onwards
        smaller = too_long(size)
        low, high = (size, high) if smaller else (low, size)
        step, passed = 2 * step, passed or smaller != up
    return min(high, most)


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
