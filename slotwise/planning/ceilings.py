"""Ceilings for each user as parameters of a policy: how they are written, told, and searched for."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from scheduler_core.declarations.policy import get_policy
from slotwise.planning.written import with_values

CEILINGS = ("user_jobs", "user_processor_h")
"""The parameters that are ceilings for each user, of policies of space sharing."""

COARSE = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
"""Ceilings that are tried first: running jobs, and quarters of an hour of the whole machine."""


def ceilings_of(policy: str) -> dict[str, Any]:
    """Return the ceilings of a policy, as a command names it; empty if it has none."""
    values = get_policy(policy).values()
    return {name: values[name] for name in CEILINGS if values.get(name, "all") != "all"}


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
    ordered = sorted(set(ceilings))
    place = ordered.index(best)
    neighbours = [*ordered[max(place - 1, 0) : place], *ordered[place + 1 : place + 2]]
    return sorted({*neighbours, *((best + other) // 2 for other in neighbours)} - {best})


def around(grids: Iterable[Collection[int]], best: int) -> list[int]:
    """Return the ceilings :func:`near` one of them on some grids, coarse and fine."""
    return sorted({ceiling for grid in grids for ceiling in near([*grid, best], best)})
