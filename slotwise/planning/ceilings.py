"""Ceilings for each user as parameters of a policy: how they are written, told, and searched for."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from scheduler_core.declarations.parameters import parse_call
from scheduler_core.declarations.policy import get_policy, own_policy_of
from slotwise.planning.pools import BETWEEN

CEILINGS = ("user_jobs", "user_processor_h")
"""The parameters that are ceilings for each user, of policies of space sharing."""

COARSE = (1, 2, 4, 8, 16, 32, 64)
"""Ceilings that are tried first: running jobs, and quarters of an hour of the whole machine."""


def ceilings_of(policy: str) -> dict[str, Any]:
    """Return the ceilings of a policy, as a command names it; empty if it has none."""
    values = get_policy(policy).values()
    return {name: values[name] for name in CEILINGS if values.get(name, "all") != "all"}


def with_values(policy: str, values: dict[str, Any]) -> str:
    """Return a policy, as a command names it, with some parameters set; None takes a parameter away."""
    name, given = parse_call(policy) if "(" in policy else (policy, {})
    kept = {key: value for key, value in {**given, **values}.items() if value is not None}
    words = [f"{key}={json.dumps(value) if isinstance(value, str) else value}" for key, value in kept.items()]
    return f"{name}({', '.join(words)})" if words else name


def keeping_ceilings(policy: str, like: str) -> str:
    """Return a policy with the ceilings of another one; as it is, if it can have none.

    Where ``like`` has a policy for each pool, the ceilings are those of each pool.
    """
    parts = [with_ceilings(policy, one) for one in like.split(BETWEEN)]
    return parts[0] if len(set(parts)) == 1 else BETWEEN.join(parts)


def with_ceilings(policy: str, like: str) -> str:
    """Return a policy with the ceilings of another one, which is of one pool."""
    ceilings = ceilings_of(like)
    if not ceilings or own_policy_of(policy) is not None or not set(ceilings) <= set(get_policy(policy).values()):
        return policy
    return with_values(policy, ceilings)


def without_ceilings(policy: str) -> str:
    """Return a policy without its ceilings."""
    return with_values(policy, dict.fromkeys(CEILINGS)) if ceilings_of(policy) else policy


def ceiling_words(policy: str) -> list[str]:
    """Return the ceilings of a policy in words."""
    found = ceilings_of(policy)
    words = [f"at most {found['user_jobs']:,} running jobs of a user"] if "user_jobs" in found else []
    if "user_processor_h" in found:
        words.append(f"at most {found['user_processor_h']:,g} requested processor hours of a user's running jobs left")
    return words


def unit_of(name: str, processors: int) -> float:
    """Return the unit in which a search tries a ceiling, by the name of its parameter."""
    return 1 if name == "user_jobs" else processors / 4


def near(ceilings: Collection[int], best: int) -> list[int]:
    """Return the neighbours of one of some ceilings, and the ceilings half way to them."""
    ordered = sorted(ceilings)
    place = ordered.index(best)
    neighbours = [*ordered[max(place - 1, 0) : place], *ordered[place + 1 : place + 2]]
    return sorted({*neighbours, *((best + other) // 2 for other in neighbours)} - {best})
