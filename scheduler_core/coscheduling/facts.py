"""Facts that a policy of this family states, so that the checker's rules need not know it by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Gain = Literal["none", "utilisation_1", "utilisation_2", "response"]
"""The profit by which a search ranks partners; ``none``: it does not rank them."""


@dataclass(frozen=True)
class MatchFacts:
    """How pairs are formed.

    Parameters
    ----------
    filters
        Whether every partner passes the five filters: medium or long, size, memory, types, slowdown. Else only the size.
    running
        Whether a job that waits may join one that runs.
    backfilling
        Whether backfilled jobs are matched too.
    gain
        What every pair's ``profit`` is; ``none``: it is 0.
    least_gain
        Every profit is at least this, and above 0.
    gainful
        Whether every pair uses the processors better than its holder alone, whatever its profit is.
    """

    filters: bool = True
    running: bool = True
    backfilling: bool = True
    gain: Gain = "none"
    least_gain: float = 0.0
    gainful: bool = False


@dataclass(frozen=True)
class CoschedulingFacts:
    """Plain facts of a policy with its parameters; slowdown model, limits and shares are its parameters themselves.

    Parameters
    ----------
    jobs_at_once
        The most jobs that hold one processor at once.
    matches
        How pairs are formed, each with a row in ``matches``; None: the policy forms none.
    shares
        Whether jobs ask for shares of the processors' time and are assigned some; else a job's share is all of it.
    """

    jobs_at_once: int
    matches: MatchFacts | None = None
    shares: bool = False
