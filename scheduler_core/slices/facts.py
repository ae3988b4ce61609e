"""What a policy of this family states of itself, so that the checker's rules need not know it by name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SliceFacts:
    """Plain facts of a policy with its parameters; the lengths, shares and limits are its parameters themselves.

    Parameters
    ----------
    promises
        Whether waiting jobs are promised a latest start and finish.
    groups
        Whether jobs are ordered in groups.
    searches
        Whether orders are searched without groups, so that the counters of searches are no sums over groups.
    around_plans
        Whether jobs of other classes that arrive are placed around the plan of the slice's group.
    """

    promises: bool
    groups: bool = False
    searches: bool = False
    around_plans: bool = False
