"""Facts of a policy of this family, so that the checker's rules need not know it by name."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SliceFacts:
    """Plain facts of a policy; the lengths, shares and limits are its parameters themselves."""

    promises: bool  # waiting jobs are promised a latest start and finish
    groups: bool = False  # jobs are ordered in groups
    searches: bool = False  # orders are searched without groups, so counters of searches are no sums over groups
    around_plans: bool = False  # jobs of other classes that arrive are placed around the plan of the slice's group
