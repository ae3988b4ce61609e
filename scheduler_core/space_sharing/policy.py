"""What the policies of space sharing have in common: they are parametrisations of one event loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from scheduler_core.declarations.policy import Policy


@dataclass(frozen=True)
class SpaceSharingPolicy(Policy):
    """A policy of space sharing.

    The engine reads the parameters under the policy's own names. ``fixed`` gives those of its words that the policy does not
    leave open (:class:`~scheduler_core.space_sharing.rules.Rules` lists them all).
    """

    fixed: ClassVar[dict[str, str]] = {}

    @property
    def keeps_predictions(self) -> bool:
        """Whether no job ever starts later than it would if no job came after it and all ran for their estimates."""
        return False

    def words(self) -> dict[str, Any]:
        """Return what the engine is told: the parameters, and the words the policy fixes."""
        return {**self.fixed, **self.values()}
