"""Facts that a policy of this family states, so that the checker's rules need not know it by name."""

from dataclasses import dataclass
from typing import Literal

Gain = Literal["none", "utilisation_1", "utilisation_2", "response"]
"""The profit by which a search ranks partners; ``none``: it does not rank them."""


@dataclass(frozen=True)
class MatchFacts:
    """How pairs are formed."""

    # Whether every partner passes the five filters: medium or long, size, memory, types, slowdown. Else only the size.
    filters: bool = True
    running: bool = True  # whether a job that waits may join one that runs
    backfilling: bool = True  # whether backfilled jobs are matched too
    gain: Gain = "none"  # what every pair's ``profit`` is; ``none``: it is 0
    least_gain: float = 0.0  # every profit is at least this, and above 0
    gainful: bool = False  # whether every pair uses the processors better than its holder alone, whatever its profit is


@dataclass(frozen=True)
class CoschedulingFacts:
    """Plain facts of a policy with its parameters; slowdown model, limits and shares are its parameters themselves."""

    jobs_at_once: int  # the most jobs that hold one processor at once
    matches: MatchFacts | None = None  # how pairs are formed, each with a row in ``matches``; None: none is
    # Whether jobs ask for shares of the processors' time and are assigned some; else a job's share is all of it.
    shares: bool = False
