"""What the policies of space sharing have in common: they are parametrisations of one event loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from scheduler_core.declarations.parameters import parameter
from scheduler_core.declarations.policy import Policy
from scheduler_core.space_sharing.rules import Instant, TiedCompletions, words_of


def instant_parameter() -> Any:
    """Declare ``instant``, as several policies have it."""
    meaning = "when a pass is made: after everything at one instant, or after every event"
    return parameter("batch", meaning, choices=words_of(Instant))


def tied_completions_parameter() -> Any:
    """Declare ``tied_completions``, as several policies have it."""
    meaning = "order in which the completions of one instant are taken: by position, or as their jobs started"
    return parameter("position", meaning, choices=words_of(TiedCompletions))


@dataclass(frozen=True)
class SpaceSharingPolicy(Policy):
    """A policy of space sharing.

    The engine reads the parameters under the policy's own names. ``fixed`` gives those of its words that the policy does not
    leave open (:class:`~scheduler_core.space_sharing.rules.Rules` lists them all).
    """

    fixed: ClassVar[dict[str, str]] = {}

    def words(self) -> dict[str, Any]:
        """Return what the engine is told: the parameters, and the words the policy fixes."""
        return {**self.fixed, **self.values()}
