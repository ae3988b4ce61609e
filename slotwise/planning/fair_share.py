"""Fair share as parameters of a policy: how it is written, told, and searched for.

Fair share and ceilings are a site's rules for users.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from scheduler_core.declarations.policy import get_policy, own_policy_of
from slotwise.planning.ceilings import ceilings_of
from slotwise.planning.pools import BETWEEN
from slotwise.planning.written import with_values

if TYPE_CHECKING:
    import polars as pl

FAIR_SHARE = ("order", "half_life_h", "usage_weight_h")
"""The parameters of fair share, of policies of space sharing that have an order."""

PRESET = "easy_fair_share"
"""EASY with fair share under its defaults."""

HALF_LIVES_H = (24, 48, 96, 168, 336, 672)
WEIGHTS_H = (6, 12, 24, 48, 96, 192, 384, 768)
"""Half-lives and weights of usage that are tried first; in hours."""


def fair_share_of(policy: str) -> dict[str, Any]:
    """Return the parameters of fair share of a policy, as a command names it; empty if its order is another."""
    values = get_policy(policy).values()
    return {name: values[name] for name in FAIR_SHARE} if values.get("order") == "fair_share" else {}


def can_share(policy: str) -> bool:
    """Return whether fair share is among the orders of a policy."""
    return own_policy_of(policy) is None and set(FAIR_SHARE) <= set(get_policy(policy).values())


def with_fair_share(policy: str, half_life_h: float, weight_h: float) -> str:
    """Return a policy with fair share as its order."""
    return with_values(policy, dict(zip(FAIR_SHARE, ("fair_share", half_life_h, weight_h), strict=True)))


def without_fair_share(policy: str) -> str:
    """Return a policy, or that of each pool, in its usual order if its order is fair share; else as it is."""
    parts = [
        with_values(one.replace(PRESET, "easy"), dict.fromkeys(FAIR_SHARE)) if fair_share_of(one) else one
        for one in policy.split(BETWEEN)
    ]
    return BETWEEN.join(parts)


def fair_share_words(policy: str) -> list[str]:
    """Return the fair share of a policy in words."""
    found = fair_share_of(policy)
    words = "fair share: usage halves every {half_life_h:,g} h, and all of it sets a user back by {usage_weight_h:,g} h"
    return [words.format(**found)] if found else []


def keeping_rules(policy: str, like: str) -> str:
    """Return a policy with the ceilings and the fair share of another one; as it is, if it can have none.

    A policy keeps an order of its own that is not that of submission. Where ``like`` has a policy for each pool, the rules are
    those of each pool.
    """
    parts = [with_rules(policy, one) for one in like.split(BETWEEN)]
    return parts[0] if len(set(parts)) == 1 else BETWEEN.join(parts)


def with_rules(policy: str, like: str) -> str:
    """Return a policy with the rules for users of another one, which is of one pool."""
    if own_policy_of(policy) is not None:
        return policy
    values, ceilings = get_policy(policy).values(), ceilings_of(like)
    shared = fair_share_of(like) if can_share(policy) and values["order"] == "fcfs" else {}
    return with_values(policy, {**shared, **(ceilings if set(ceilings) <= set(values) else {})})


def several_users(jobs: pl.DataFrame) -> bool:
    """Return whether a log tells several users apart."""
    return "user" in jobs.columns and jobs["user"].drop_nulls().n_unique() > 1


def beside(grid: Sequence[int], value: float) -> list[int]:
    """Return the number of a grid that is next to a value, and its neighbours."""
    place = min(range(len(grid)), key=lambda k: abs(grid[k] - value))
    return [*grid[max(place - 1, 0) : place + 2]]
