"""What a policy of this family states of itself, so that the checker's rules need not know it by name."""

from __future__ import annotations

from dataclasses import dataclass

from scheduler_core.declarations.policy import Policy, family_of


@dataclass(frozen=True)
class GridFacts:
    """Plain facts of a policy with its parameters; how tasks come to clusters and how frames are made are its parameters.

    Parameters
    ----------
    local
        The policy that every cluster is under, with its parameters: the rules of its family hold on each cluster.
    """

    local: Policy

    @property
    def in_slices(self) -> bool:
        """Whether each cluster belongs to one class of jobs at a time."""
        return family_of(type(self.local)) == "slices"
