"""Facts of a policy of this family, so that the checker's rules need not know it by name."""

from dataclasses import dataclass

from scheduler_core.declarations.policy import Policy, family_of


@dataclass(frozen=True)
class GridFacts:
    """Plain facts of a policy; how tasks come to clusters and how frames are made are its parameters themselves."""

    local: Policy  # of every cluster: the rules of its family hold there
    reservations: str  # what becomes of them on clusters in slices

    @property
    def in_slices(self) -> bool:
        """Whether each cluster belongs to one class of jobs at a time."""
        return family_of(type(self.local)) == "slices"
